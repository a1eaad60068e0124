// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Key, tag and associated-data rules of crypto-api.md 2.3 and 2.4 that all drivers share.
#include "api/keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <set>

namespace caamlab::api {
namespace {

// Which of 0..63 a check accepts.
std::set<unsigned int> accepted(int (*check)(unsigned int)) {
  std::set<unsigned int> sizes;
  for (unsigned int size = 0; size < 64; ++size) {
    const int err = check(size);
    EXPECT_TRUE(err == 0 || err == -EINVAL) << size;
    if (err == 0) sizes.insert(size);
  }
  return sizes;
}

TEST(Sizes, Accepted) {
  EXPECT_EQ(accepted([](unsigned int n) { return aes_check_keylen(n); }), (std::set<unsigned int>{16, 24, 32}));
  EXPECT_EQ(accepted(crypto_gcm_check_authsize), (std::set<unsigned int>{4, 8, 12, 13, 14, 15, 16}));
  EXPECT_EQ(accepted(crypto_rfc4106_check_authsize), (std::set<unsigned int>{8, 12, 16}));
  EXPECT_EQ(accepted(crypto_rfc4543_check_authsize), (std::set<unsigned int>{16}));
  EXPECT_EQ(accepted(crypto_ipsec_check_assoclen), (std::set<unsigned int>{16, 20}));
}

struct Tfms {
  Registry plain;
  Registry fips{Registry::Options{.fips_enabled = true}};
  CryptoTfm tfm(bool in_fips, uint32_t flags) {
    CryptoTfm tfm;
    tfm.registry = in_fips ? &fips : &plain;
    tfm.crt_flags = flags;
    return tfm;
  }
};

TEST(Xts, HalvesAndLength) {
  Tfms t;
  std::array<uint8_t, 64> key{};
  for (bool fips : {false, true}) {
    for (uint32_t flags : {0u, CRYPTO_TFM_REQ_FORBID_WEAK_KEYS}) {
      key[32] = 0;
      EXPECT_EQ(xts_verify_key(t.tfm(fips, flags), key), fips || flags != 0 ? -EINVAL : 0);
      key[32] = 1;
      EXPECT_EQ(xts_verify_key(t.tfm(fips, flags), key), 0);
      EXPECT_EQ(xts_verify_key(t.tfm(fips, flags), std::span(key).first(63)), -EINVAL);
    }
  }
}

TEST(Des, WeakKeys) {
  Tfms t;
  struct Case {
    std::array<uint8_t, 8> key;
    bool weak;
  };
  const Case cases[] = {
      {{0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01}, true},  // weak
      {{0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00}, true},  // the same, other parity bits
      {{0x1f, 0x1f, 0x1f, 0x1f, 0x0e, 0x0e, 0x0e, 0x0e}, true},
      {{0x1e, 0x1e, 0x1e, 0x1e, 0x0f, 0x0f, 0x0f, 0x0f}, true},
      {{0xe0, 0x01, 0xe0, 0x01, 0xf1, 0x01, 0xf1, 0x01}, true},  // semi-weak
      {{0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x02}, false},
      {{0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef}, false},
      {{0x1f, 0x1f, 0x01, 0x01, 0x0e, 0x0e, 0x01, 0x01}, false},  // one of the possibly weak keys: not refused
  };
  for (const Case& c : cases) {
    EXPECT_EQ(des_is_weak_key(c.key), c.weak);
    EXPECT_EQ(crypto_des_verify_key(t.tfm(false, 0), c.key), 0);
    EXPECT_EQ(crypto_des_verify_key(t.tfm(false, CRYPTO_TFM_REQ_FORBID_WEAK_KEYS), c.key), c.weak ? -EINVAL : 0);
    EXPECT_EQ(crypto_des_verify_key(t.tfm(false, 0), std::span(c.key).first(7)), -EINVAL);
  }
}

// E(k1, E(k2, x)) = x is what makes a pair weak or semi-weak; of the table's keys each has exactly one such partner, so
// the set is closed under swapping the byte pairs.
TEST(Des, EveryTableKeyHasItsPartner) {
  int weak = 0;
  for (uint8_t a : {0x01, 0x1f, 0xe0, 0xfe}) {
    for (uint8_t b : {0x01, 0x1f, 0xe0, 0xfe}) {
      const auto right = [](uint8_t left) {
        return static_cast<uint8_t>(left == 0x1f ? 0x0e : left == 0xe0 ? 0xf1 : left);
      };
      const std::array<uint8_t, 8> key{a, b, a, b, right(a), right(b), right(a), right(b)};
      const std::array<uint8_t, 8> partner{b, a, b, a, right(b), right(a), right(b), right(a)};
      EXPECT_EQ(des_is_weak_key(key), des_is_weak_key(partner));
      weak += des_is_weak_key(key);
    }
  }
  EXPECT_EQ(weak, 16);
}

struct TripleCase {
  char k1, k2, k3;
  int plain, forbid, fips;
};

TEST(TripleDes, EqualKeys) {
  const TripleCase cases[] = {
      {'a', 'b', 'c', 0, 0, 0},       {'a', 'a', 'c', 0, -ENOKEY, -EINVAL}, {'a', 'b', 'b', 0, -ENOKEY, -EINVAL},
      {'a', 'b', 'a', 0, 0, -EINVAL}, {'a', 'a', 'a', 0, -ENOKEY, -EINVAL},
  };
  Tfms t;
  for (const TripleCase& c : cases) {
    std::array<uint8_t, 24> key;
    std::fill_n(key.begin(), 8, c.k1);
    std::fill_n(key.begin() + 8, 8, c.k2);
    std::fill_n(key.begin() + 16, 8, c.k3);
    EXPECT_EQ(crypto_des3_ede_verify_key(t.tfm(false, 0), key), c.plain);
    EXPECT_EQ(crypto_des3_ede_verify_key(t.tfm(false, CRYPTO_TFM_REQ_FORBID_WEAK_KEYS), key), c.forbid);
    EXPECT_EQ(crypto_des3_ede_verify_key(t.tfm(true, 0), key), c.fips);
    EXPECT_EQ(crypto_des3_ede_verify_key(t.tfm(false, 0), std::span(key).first(23)), -EINVAL);
  }
}

TEST(Authenc, MakeAndExtract) {
  const std::array<uint8_t, 5> auth{1, 2, 3, 4, 5};
  const std::array<uint8_t, 3> enc{6, 7, 8};
  const std::vector<uint8_t> blob = crypto_authenc_make_key(auth, enc);
  CryptoAuthencKeys keys;
  ASSERT_EQ(crypto_authenc_extractkeys(&keys, blob), 0);
  EXPECT_TRUE(std::ranges::equal(keys.authkey, auth));
  EXPECT_TRUE(std::ranges::equal(keys.enckey, enc));
  ASSERT_EQ(crypto_authenc_extractkeys(&keys, crypto_authenc_make_key(auth, {})), 0);
  EXPECT_EQ(keys.enckey.size(), 0u);
  EXPECT_EQ(keys.authkey.size(), 5u);
}

TEST(Authenc, BadBlobs) {
  const std::array<uint8_t, 5> auth{1, 2, 3, 4, 5};
  const std::array<uint8_t, 3> enc{6, 7, 8};
  const std::vector<uint8_t> good = crypto_authenc_make_key(auth, enc);
  CryptoAuthencKeys keys;
  for (size_t len = 0; len < 8; ++len) {
    EXPECT_EQ(crypto_authenc_extractkeys(&keys, std::span(good).first(len)), -EINVAL) << len;
  }
  struct Case {
    const char* what;
    size_t offset;
    uint8_t value;
    int err;
  };
  const uint8_t little = std::endian::native == std::endian::little;
  const Case cases[] = {
      {"length 7", little ? size_t{0} : 1, 7, -EINVAL},       {"length 9", little ? size_t{0} : 1, 9, -EINVAL},
      {"type 2", little ? size_t{2} : 3, 2, -EINVAL},         {"cipher key as long as all there is", 7, 8, 0},
      {"cipher key longer than what remains", 7, 9, -EINVAL}, {"cipher key of 16 MiB", 4, 1, -EINVAL},
  };
  for (const Case& c : cases) {
    std::vector<uint8_t> blob = good;
    blob[c.offset] = c.value;
    EXPECT_EQ(crypto_authenc_extractkeys(&keys, blob), c.err) << c.what;
  }
}

}  // namespace
}  // namespace caamlab::api
