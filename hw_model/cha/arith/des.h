// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// DES and 3DES over libcrypto's low-level functions, which take and return the chaining value (EVP keeps single DES in
// a provider that is not loaded by default).
#pragma once

#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/des.h>

#include <array>
#include <cstdint>

#include "desc/bits.h"

namespace caamlab::hw_model {

enum class DesMode : uint8_t { kEcb, kCbc, kCfb, kOfb };

class Des {
 public:
  // 8 (DES), 16 (3DES with the third key equal to the first) or 24 bytes; parity bits are ignored. Setting the key that
  // is set already costs a comparison.
  void set_key(desc::ByteSpan key);
  void start(DesMode mode, bool encrypt, const uint8_t iv[8]);
  // ECB and CBC: whole blocks. In place or apart; calls continue each other.
  void crypt(uint8_t* out, const uint8_t* in, size_t len);
  const uint8_t* iv() const { return iv_; }

 private:
  void crypt_single(uint8_t* out, const uint8_t* in, long len);
  void crypt_triple(uint8_t* out, const uint8_t* in, long len);

  DES_key_schedule schedule_[3];
  std::array<uint8_t, 24> key_{};
  size_t key_len_ = 0;
  DesMode mode_ = DesMode::kEcb;
  int encrypt_ = 1, used_ = 0;
  DES_cblock iv_ = {};
};

}  // namespace caamlab::hw_model
