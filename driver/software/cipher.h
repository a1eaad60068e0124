// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The symmetric ciphers as one keyed object over scatterlists, for the skcipher algorithms and for what is composed of
// them (crypto-api.md 2.3; kernel crypto/{ecb,cbc,ctr,xts,chacha_generic,crypto_null}.c, 6.1).
#pragma once

#include <cstdint>
#include <span>

#include "api/scatterlist.h"
#include "api/tfm.h"
#include "driver/software/evp.h"

namespace caamlab::driver::software {

enum class CipherKind : uint8_t { kNull, kAes, kDes, kDes3Ede, kChaCha20 };
enum class CipherMode : uint8_t { kCopy, kEcb, kCbc, kCtr, kRfc3686, kXts, kChaCha20 };

// Sizes in bytes.
struct CipherSpec {
  CipherKind kind;
  CipherMode mode;
  uint32_t blocksize;
  uint32_t ivsize;
  uint32_t min_keysize;
  uint32_t max_keysize;
  uint32_t chunksize;
};

inline constexpr CipherSpec kNullSpec{CipherKind::kNull, CipherMode::kCopy, 1, 0, 0, 0, 1};
inline constexpr CipherSpec kEcbAes{CipherKind::kAes, CipherMode::kEcb, 16, 0, 16, 32, 16};
inline constexpr CipherSpec kCbcAes{CipherKind::kAes, CipherMode::kCbc, 16, 16, 16, 32, 16};
inline constexpr CipherSpec kCtrAes{CipherKind::kAes, CipherMode::kCtr, 1, 16, 16, 32, 16};
inline constexpr CipherSpec kRfc3686Aes{CipherKind::kAes, CipherMode::kRfc3686, 1, 8, 20, 36, 16};
inline constexpr CipherSpec kXtsAes{CipherKind::kAes, CipherMode::kXts, 16, 16, 32, 64, 16};
inline constexpr CipherSpec kEcbDes{CipherKind::kDes, CipherMode::kEcb, 8, 0, 8, 8, 8};
inline constexpr CipherSpec kCbcDes{CipherKind::kDes, CipherMode::kCbc, 8, 8, 8, 8, 8};
inline constexpr CipherSpec kEcbDes3Ede{CipherKind::kDes3Ede, CipherMode::kEcb, 8, 0, 24, 24, 8};
inline constexpr CipherSpec kCbcDes3Ede{CipherKind::kDes3Ede, CipherMode::kCbc, 8, 8, 24, 24, 8};
inline constexpr CipherSpec kChaCha20Spec{CipherKind::kChaCha20, CipherMode::kChaCha20, 1, 16, 32, 32, 64};

// Many requests may use one object at once; set_key() must be alone.
class SymmetricCipher {
 public:
  // Checks the key by the rules of crypto-api.md 2.3. `tfm` gives FORBID_WEAK_KEYS and FIPS mode. -EINVAL, -ENOMEM.
  int set_key(const CipherSpec& spec, const api::CryptoTfm& tfm, std::span<const uint8_t> key);

  // Runs `len` bytes from src to dst, which both have them; in place is fine. iv: ivsize bytes; CBC and CTR leave in it
  // what a following request goes on with. -EINVAL for a length the mode does not take (then nothing is written).
  int crypt(const CipherSpec& spec, Direction direction, api::SgCursor* dst, api::SgCursor* src, size_t len,
            uint8_t* iv);

 private:
  static constexpr size_t kNonceLen = 4;

  int set_block_key(const CipherSpec& spec, std::span<const uint8_t> key);
  int set_xts_key(std::span<const uint8_t> key);
  int crypt_blocks(const CipherSpec& spec, Direction direction, api::SgCursor* dst, api::SgCursor* src, size_t len,
                   uint8_t* iv);
  int crypt_counter(const CipherSpec& spec, api::SgCursor* dst, api::SgCursor* src, size_t len, uint8_t* iv);
  int crypt_chacha20(api::SgCursor* dst, api::SgCursor* src, size_t len, const uint8_t* iv);

  CipherPool encrypt_;  // block modes: this direction; XTS: the data key; stream modes: both directions
  CipherPool decrypt_;  // block modes and XTS
  CipherPool tweak_;    // XTS: the tweak key, encrypting
  std::array<uint8_t, kNonceLen> nonce_{};  // RFC 3686
};

}  // namespace caamlab::driver::software
