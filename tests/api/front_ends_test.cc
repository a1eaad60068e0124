// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// skcipher, akcipher and rng front ends over toy drivers: registration checks, key rules, missing operations.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "api/akcipher.h"
#include "api/rng.h"
#include "api/skcipher.h"

namespace caamlab::api {
namespace {

// The key 0xff... is the one this cipher does not like.
int sk_setkey(CryptoSkcipher&, std::span<const uint8_t> key) { return key[0] == 0xff ? -ENOKEY : 0; }
int sk_crypt(SkcipherRequest&) { return 0; }

SkcipherAlg make_skcipher() {
  SkcipherAlg alg;
  alg.cra_name = "sk";
  alg.cra_driver_name = "sk-toy";
  alg.cra_blocksize = 8;
  alg.min_keysize = 4;
  alg.max_keysize = 6;
  alg.ivsize = 8;
  alg.ops = {.setkey = sk_setkey, .encrypt = sk_crypt, .decrypt = sk_crypt};
  return alg;
}

struct SkcipherFieldCase {
  const char* what;
  void (*change)(SkcipherAlg&);
  int err;
};

TEST(Skcipher, RegistrationChecks) {
  const SkcipherFieldCase cases[] = {
      {"as it is", [](SkcipherAlg&) {}, 0},
      {"iv of 513", [](SkcipherAlg& a) { a.ivsize = 513; }, -EINVAL},
      {"chunk of 513", [](SkcipherAlg& a) { a.chunksize = 513; }, -EINVAL},
      {"walk of 513", [](SkcipherAlg& a) { a.walksize = 513; }, -EINVAL},
      {"walk of 512", [](SkcipherAlg& a) { a.walksize = 512; }, 0},
      {"key sizes swapped", [](SkcipherAlg& a) { a.min_keysize = 7; }, -EINVAL},
      {"no setkey", [](SkcipherAlg& a) { a.ops.setkey = nullptr; }, -EINVAL},
      {"no encrypt", [](SkcipherAlg& a) { a.ops.encrypt = nullptr; }, -EINVAL},
      {"no decrypt", [](SkcipherAlg& a) { a.ops.decrypt = nullptr; }, -EINVAL},
  };
  for (const SkcipherFieldCase& c : cases) {
    SkcipherAlg alg = make_skcipher();
    Registry registry;
    c.change(alg);
    EXPECT_EQ(crypto_register_skcipher(registry, alg), c.err) << c.what;
    EXPECT_EQ(crypto_unregister_skcipher(registry, alg), c.err == 0 ? 0 : -ENOENT) << c.what;
  }
}

TEST(Skcipher, ChunkAndWalkDefaults) {
  SkcipherAlg alg = make_skcipher();
  Registry registry;
  ASSERT_EQ(crypto_register_skcipher(registry, alg), 0);
  EXPECT_EQ(alg.chunksize, 8u);
  EXPECT_EQ(alg.walksize, 8u);
  EXPECT_EQ(alg.cra_flags, CRYPTO_ALG_TYPE_SKCIPHER | CRYPTO_ALG_TESTED);
}

TEST(Skcipher, KeyRules) {
  SkcipherAlg alg = make_skcipher();
  Registry registry;
  ASSERT_EQ(crypto_register_skcipher(registry, alg), 0);
  auto tfm = crypto_alloc_skcipher(registry, "sk");
  ASSERT_TRUE(tfm);
  auto req = skcipher_request_alloc(**tfm);
  EXPECT_EQ(crypto_skcipher_encrypt(*req), -ENOKEY);
  EXPECT_EQ(crypto_skcipher_decrypt(*req), -ENOKEY);
  const std::array<uint8_t, 8> key{};
  for (size_t len = 0; len <= 8; ++len) {
    EXPECT_EQ(crypto_skcipher_setkey(**tfm, std::span(key).first(len)), len >= 4 && len <= 6 ? 0 : -EINVAL) << len;
  }
  // A key of the wrong length is not even tried: the last good one stays. One that is refused takes it away.
  EXPECT_EQ(crypto_skcipher_encrypt(*req), 0);
  EXPECT_EQ(crypto_skcipher_setkey(**tfm, std::array<uint8_t, 4>{0xff}), -ENOKEY);
  EXPECT_EQ(crypto_skcipher_encrypt(*req), -ENOKEY);
  EXPECT_EQ(crypto_skcipher_decrypt(*req), -ENOKEY);
}

TEST(Skcipher, NoKeyNeededWithoutKeySizes) {
  SkcipherAlg alg = make_skcipher();
  alg.min_keysize = alg.max_keysize = 0;
  Registry registry;
  ASSERT_EQ(crypto_register_skcipher(registry, alg), 0);
  auto tfm = crypto_alloc_skcipher(registry, "sk");
  ASSERT_TRUE(tfm);
  auto req = skcipher_request_alloc(**tfm);
  EXPECT_EQ(crypto_skcipher_encrypt(*req), 0);
  EXPECT_EQ(&crypto_skcipher_reqtfm(*req), tfm->get());
}

int ak_set_key(CryptoAkcipher& tfm, std::span<const uint8_t> key) {
  *akcipher_tfm_ctx<unsigned int>(tfm) = static_cast<unsigned int>(key.size());
  return key.empty() ? -EINVAL : 0;
}
unsigned int ak_max_size(CryptoAkcipher& tfm) { return *akcipher_tfm_ctx<unsigned int>(tfm); }
int ak_encrypt(AkcipherRequest& req) {
  const unsigned int size = crypto_akcipher_maxsize(crypto_akcipher_reqtfm(req));
  if (size == 0) return -EINVAL;
  const bool fits = req.dst_len >= size;
  req.dst_len = size;
  return fits ? 0 : -EOVERFLOW;
}

AkcipherAlg make_akcipher() {
  AkcipherAlg alg;
  alg.cra_name = "ak";
  alg.cra_driver_name = "ak-toy";
  alg.cra_ctxsize = sizeof(unsigned int);
  alg.ops = {.encrypt = ak_encrypt, .set_pub_key = ak_set_key, .max_size = ak_max_size};
  return alg;
}

TEST(Akcipher, MissingOperationsAndKeys) {
  AkcipherAlg alg = make_akcipher();
  Registry registry;
  ASSERT_EQ(crypto_register_akcipher(registry, alg), 0);
  auto tfm = crypto_alloc_akcipher(registry, "ak");
  ASSERT_TRUE(tfm);
  auto req = akcipher_request_alloc(**tfm);
  akcipher_request_set_crypt(*req, {}, {}, 0, 10);
  EXPECT_EQ(crypto_akcipher_encrypt(*req), -EINVAL);
  EXPECT_EQ(crypto_akcipher_decrypt(*req), -ENOSYS);
  EXPECT_EQ(crypto_akcipher_sign(*req), -ENOSYS);
  EXPECT_EQ(crypto_akcipher_verify(*req), -ENOSYS);
  EXPECT_EQ(crypto_akcipher_set_priv_key(**tfm, std::array<uint8_t, 3>{}), -ENOSYS);
  EXPECT_EQ(crypto_akcipher_set_pub_key(**tfm, {}), -EINVAL);
  EXPECT_EQ(crypto_akcipher_set_pub_key(**tfm, std::array<uint8_t, 11>{}), 0);
  EXPECT_EQ(crypto_akcipher_encrypt(*req), -EOVERFLOW);
  EXPECT_EQ(req->dst_len, 11u);
  EXPECT_EQ(crypto_akcipher_encrypt(*req), 0);
}

TEST(Akcipher, RegistrationChecks) {
  Registry registry;
  AkcipherAlg no_key = make_akcipher();
  no_key.ops.set_pub_key = nullptr;
  EXPECT_EQ(crypto_register_akcipher(registry, no_key), -EINVAL);
  AkcipherAlg no_size = make_akcipher();
  no_size.ops.max_size = nullptr;
  EXPECT_EQ(crypto_register_akcipher(registry, no_size), -EINVAL);
}

// Remembers its seed and gives it back.
struct RngCtx {
  std::array<uint8_t, 64> seed;
  size_t seed_len;
};
int rng_seed(CryptoRng& tfm, std::span<const uint8_t> seed) {
  RngCtx& ctx = *crypto_rng_ctx<RngCtx>(tfm);
  if (seed.size() > ctx.seed.size()) return -EINVAL;
  std::ranges::copy(seed, ctx.seed.begin());
  ctx.seed_len = seed.size();
  return 0;
}
int rng_generate(CryptoRng& tfm, std::span<const uint8_t> src, std::span<uint8_t> dst) {
  std::fill(dst.begin(), dst.end(), static_cast<uint8_t>(src.size()));
  std::copy_n(crypto_rng_ctx<RngCtx>(tfm)->seed.begin(), std::min(dst.size(), size_t{64}), dst.begin());
  return 0;
}

RngAlg make_rng() {
  RngAlg alg;
  alg.cra_name = "rng";
  alg.cra_driver_name = "rng-toy";
  alg.cra_ctxsize = sizeof(RngCtx);
  alg.ops = {.generate = rng_generate, .seed = rng_seed};
  return alg;
}

TEST(Rng, SeedsAndGenerates) {
  RngAlg alg = make_rng();
  Registry registry;
  ASSERT_EQ(crypto_register_rng(registry, alg), 0);
  auto tfm = crypto_alloc_rng(registry, "rng");
  ASSERT_TRUE(tfm);
  const std::array<uint8_t, 3> seed{7, 8, 9};
  EXPECT_EQ(crypto_rng_reset(**tfm, seed.data(), seed.size()), 0);
  std::array<uint8_t, 3> out{};
  EXPECT_EQ(crypto_rng_get_bytes(**tfm, out), 0);
  EXPECT_EQ(out, seed);
  EXPECT_EQ(crypto_rng_reset(**tfm, nullptr, 0), 0);
  EXPECT_EQ(crypto_rng_ctx<RngCtx>(**tfm)->seed_len, 0u);
  EXPECT_EQ(crypto_rng_reset(**tfm, nullptr, 65), -EINVAL);
}

// A null seed with a length draws from the registry: the same in every run, another with another entropy seed.
TEST(Rng, NullSeedDrawsFromTheRegistry) {
  std::vector<std::array<uint8_t, 64>> drawn;
  for (uint64_t entropy_seed : {1, 1, 2}) {
    RngAlg alg = make_rng();
    Registry registry(Registry::Options{.entropy_seed = entropy_seed});
    ASSERT_EQ(crypto_register_rng(registry, alg), 0);
    auto tfm = crypto_alloc_rng(registry, "rng");
    ASSERT_EQ(crypto_rng_reset(**tfm, nullptr, 37), 0);
    EXPECT_EQ(crypto_rng_ctx<RngCtx>(**tfm)->seed_len, 37u);
    drawn.push_back(crypto_rng_ctx<RngCtx>(**tfm)->seed);
  }
  EXPECT_EQ(drawn[0], drawn[1]);
  EXPECT_NE(drawn[0], drawn[2]);
}

TEST(Rng, EntropySourceOfOnesOwn) {
  Registry registry;
  std::array<uint8_t, 5> a{};
  std::array<uint8_t, 5> b{};
  registry.get_random_bytes(a);
  registry.get_random_bytes(b);
  EXPECT_NE(a, b);
  registry.set_entropy_source([](std::span<uint8_t> out) { std::fill(out.begin(), out.end(), uint8_t{3}); });
  registry.get_random_bytes(a);
  EXPECT_EQ(a, (std::array<uint8_t, 5>{3, 3, 3, 3, 3}));
}

TEST(Rng, RegistrationChecks) {
  Registry registry;
  RngAlg no_seed = make_rng();
  no_seed.ops.seed = nullptr;
  EXPECT_EQ(crypto_register_rng(registry, no_seed), -EINVAL);
  RngAlg big = make_rng();
  big.seedsize = 513;
  EXPECT_EQ(crypto_register_rng(registry, big), -EINVAL);
}

}  // namespace
}  // namespace caamlab::api
