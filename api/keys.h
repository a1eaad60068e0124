// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Checks of keys, tag sizes and associated data that every driver makes in the same way, and the authenc key blob
// (crypto-api.md 2.3, 2.4; kernel crypto/aes.h, gcm.h, xts.h, internal/des.h, authenc.c, 6.1). All return 0 or -errno.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "api/tfm.h"

namespace caamlab::api {

// 16, 24 or 32 bytes, else -EINVAL.
int aes_check_keylen(size_t keylen);

// 4, 8, 12 to 16 | 8, 12, 16 | 16 only, else -EINVAL.
int crypto_gcm_check_authsize(unsigned int authsize);
int crypto_rfc4106_check_authsize(unsigned int authsize);
int crypto_rfc4543_check_authsize(unsigned int authsize);
// AAD of 8 or 12 bytes (without or with extended sequence number) plus the 8-byte IV: 16 or 20, else -EINVAL.
int crypto_ipsec_check_assoclen(unsigned int assoclen);

// Two key halves of one length: -EINVAL when odd, or when the halves are equal in FIPS mode or with FORBID_WEAK_KEYS.
int xts_verify_key(const CryptoTfm& tfm, std::span<const uint8_t> key);

// 8 bytes, else -EINVAL; -EINVAL for one of the 16 weak and semi-weak keys with FORBID_WEAK_KEYS.
int crypto_des_verify_key(const CryptoTfm& tfm, std::span<const uint8_t> key);
bool des_is_weak_key(std::span<const uint8_t, 8> key);
// 24 bytes, else -EINVAL. K1 = K2 or K2 = K3: -EINVAL in FIPS mode (there K1 = K3 too), else -ENOKEY with
// FORBID_WEAK_KEYS, else accepted.
int crypto_des3_ede_verify_key(const CryptoTfm& tfm, std::span<const uint8_t> key);

// The parts of an authenc key; views into the blob.
struct CryptoAuthencKeys {
  std::span<const uint8_t> authkey;
  std::span<const uint8_t> enckey;
};

// Blob: {u16 length = 8, u16 type = 1} in the CPU's byte order, be32 cipher key length, authentication key, cipher key.
// -EINVAL when the header is cut off, of another type or length, or asks for more cipher key than there is.
int crypto_authenc_extractkeys(CryptoAuthencKeys* keys, std::span<const uint8_t> blob);
// The reverse, for callers.
std::vector<uint8_t> crypto_authenc_make_key(std::span<const uint8_t> authkey, std::span<const uint8_t> enckey);

}  // namespace caamlab::api
