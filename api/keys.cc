// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Key and size checks.
#include "api/keys.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace caamlab::api {
namespace {

constexpr size_t kDesKeyLen = 8;
constexpr uint16_t kAuthencKeyParam = 1;  // CRYPTO_AUTHENC_KEYA_PARAM
constexpr size_t kAttrHeaderLen = 4;      // struct rtattr
constexpr size_t kAuthencHeaderLen = kAttrHeaderLen + 4;

// FIPS 74: 4 weak and 12 semi-weak keys, parity bits as the standard prints them. Each is two halves out of
// {01,1f,e0,fe} and {01,0e,f1,fe}, repeated: byte pairs (a, b) of the left half continue in the right one.
constexpr std::array<std::array<uint8_t, 8>, 16> kWeakDesKeys = {{
    {0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01},
    {0xfe, 0xfe, 0xfe, 0xfe, 0xfe, 0xfe, 0xfe, 0xfe},
    {0x1f, 0x1f, 0x1f, 0x1f, 0x0e, 0x0e, 0x0e, 0x0e},
    {0xe0, 0xe0, 0xe0, 0xe0, 0xf1, 0xf1, 0xf1, 0xf1},
    {0x01, 0xfe, 0x01, 0xfe, 0x01, 0xfe, 0x01, 0xfe},
    {0xfe, 0x01, 0xfe, 0x01, 0xfe, 0x01, 0xfe, 0x01},
    {0x1f, 0xe0, 0x1f, 0xe0, 0x0e, 0xf1, 0x0e, 0xf1},
    {0xe0, 0x1f, 0xe0, 0x1f, 0xf1, 0x0e, 0xf1, 0x0e},
    {0x01, 0xe0, 0x01, 0xe0, 0x01, 0xf1, 0x01, 0xf1},
    {0xe0, 0x01, 0xe0, 0x01, 0xf1, 0x01, 0xf1, 0x01},
    {0x1f, 0xfe, 0x1f, 0xfe, 0x0e, 0xfe, 0x0e, 0xfe},
    {0xfe, 0x1f, 0xfe, 0x1f, 0xfe, 0x0e, 0xfe, 0x0e},
    {0x01, 0x1f, 0x01, 0x1f, 0x01, 0x0e, 0x01, 0x0e},
    {0x1f, 0x01, 0x1f, 0x01, 0x0e, 0x01, 0x0e, 0x01},
    {0xe0, 0xfe, 0xe0, 0xfe, 0xf1, 0xfe, 0xf1, 0xfe},
    {0xfe, 0xe0, 0xfe, 0xe0, 0xfe, 0xf1, 0xfe, 0xf1},
}};

bool forbids_weak_keys(const CryptoTfm& tfm) { return (tfm.crt_flags & CRYPTO_TFM_REQ_FORBID_WEAK_KEYS) != 0; }

bool same(std::span<const uint8_t> a, std::span<const uint8_t> b) { return std::equal(a.begin(), a.end(), b.begin()); }

}  // namespace

int aes_check_keylen(size_t keylen) { return keylen == 16 || keylen == 24 || keylen == 32 ? 0 : -EINVAL; }

int crypto_gcm_check_authsize(unsigned int authsize) {
  return authsize == 4 || authsize == 8 || (authsize >= 12 && authsize <= 16) ? 0 : -EINVAL;
}

int crypto_rfc4106_check_authsize(unsigned int authsize) {
  return authsize == 8 || authsize == 12 || authsize == 16 ? 0 : -EINVAL;
}

int crypto_rfc4543_check_authsize(unsigned int authsize) { return authsize == 16 ? 0 : -EINVAL; }

int crypto_ipsec_check_assoclen(unsigned int assoclen) { return assoclen == 16 || assoclen == 20 ? 0 : -EINVAL; }

int xts_verify_key(const CryptoTfm& tfm, std::span<const uint8_t> key) {
  if (key.size() % 2 != 0) return -EINVAL;
  const size_t half = key.size() / 2;
  const bool equal_halves = same(key.first(half), key.last(half));
  return equal_halves && (tfm.registry->fips_enabled() || forbids_weak_keys(tfm)) ? -EINVAL : 0;
}

bool des_is_weak_key(std::span<const uint8_t, 8> key) {
  constexpr uint8_t kNoParity = 0xfe;
  return std::any_of(kWeakDesKeys.begin(), kWeakDesKeys.end(), [key](const std::array<uint8_t, 8>& weak) {
    return std::equal(key.begin(), key.end(), weak.begin(),
                      [](uint8_t a, uint8_t b) { return ((a ^ b) & kNoParity) == 0; });
  });
}

int crypto_des_verify_key(const CryptoTfm& tfm, std::span<const uint8_t> key) {
  if (key.size() != kDesKeyLen) return -EINVAL;
  return forbids_weak_keys(tfm) && des_is_weak_key(key.first<kDesKeyLen>()) ? -EINVAL : 0;
}

int crypto_des3_ede_verify_key(const CryptoTfm& tfm, std::span<const uint8_t> key) {
  if (key.size() != 3 * kDesKeyLen) return -EINVAL;
  const auto k1 = key.first(kDesKeyLen);
  const auto k2 = key.subspan(kDesKeyLen, kDesKeyLen);
  const auto k3 = key.last(kDesKeyLen);
  const bool single_des = same(k1, k2) || same(k2, k3);
  if (tfm.registry->fips_enabled()) return single_des || same(k1, k3) ? -EINVAL : 0;
  return single_des && forbids_weak_keys(tfm) ? -ENOKEY : 0;
}

int crypto_authenc_extractkeys(CryptoAuthencKeys* keys, std::span<const uint8_t> blob) {
  if (blob.size() < kAuthencHeaderLen) return -EINVAL;
  uint16_t attr_len = 0;
  uint16_t attr_type = 0;
  std::memcpy(&attr_len, blob.data(), sizeof(attr_len));
  std::memcpy(&attr_type, blob.data() + sizeof(attr_len), sizeof(attr_type));
  if (attr_type != kAuthencKeyParam || attr_len != kAuthencHeaderLen) return -EINVAL;
  uint32_t enckeylen = 0;
  for (size_t i = kAttrHeaderLen; i < kAuthencHeaderLen; ++i) enckeylen = enckeylen << 8 | blob[i];
  const auto payload = blob.subspan(kAuthencHeaderLen);
  if (enckeylen > payload.size()) return -EINVAL;
  keys->authkey = payload.first(payload.size() - enckeylen);
  keys->enckey = payload.last(enckeylen);
  return 0;
}

std::vector<uint8_t> crypto_authenc_make_key(std::span<const uint8_t> authkey, std::span<const uint8_t> enckey) {
  std::vector<uint8_t> blob(kAuthencHeaderLen);
  const auto attr_len = static_cast<uint16_t>(kAuthencHeaderLen);
  std::memcpy(blob.data(), &attr_len, sizeof(attr_len));
  std::memcpy(blob.data() + sizeof(attr_len), &kAuthencKeyParam, sizeof(kAuthencKeyParam));
  for (size_t i = 0; i < 4; ++i) blob[kAttrHeaderLen + i] = static_cast<uint8_t>(enckey.size() >> (8 * (3 - i)));
  blob.insert(blob.end(), authkey.begin(), authkey.end());
  blob.insert(blob.end(), enckey.begin(), enckey.end());
  return blob;
}

}  // namespace caamlab::api
