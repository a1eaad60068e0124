// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// libcrypto's generators, each with a parent that hands out what the registry's entropy source gave. Reseeding by wall
// clock is off. With prediction resistance every generate call reseeds.
#include "driver/software/drbg.h"

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include "api/rng.h"

namespace caamlab::driver::software {
namespace {

using api::CryptoRng;

constexpr DrbgRow kCores[] = {
    {"ctr_aes128", "CTR-DRBG", "AES-128-CTR"}, {"ctr_aes192", "CTR-DRBG", "AES-192-CTR"},
    {"ctr_aes256", "CTR-DRBG", "AES-256-CTR"}, {"sha1", "HASH-DRBG", "SHA1"},
    {"sha384", "HASH-DRBG", "SHA384"},         {"sha512", "HASH-DRBG", "SHA512"},
    {"sha256", "HASH-DRBG", "SHA256"},         {"hmac_sha1", "HMAC-DRBG", "SHA1"},
    {"hmac_sha384", "HMAC-DRBG", "SHA384"},    {"hmac_sha256", "HMAC-DRBG", "SHA256"},
    {"hmac_sha512", "HMAC-DRBG", "SHA512"},
};
constexpr int kFirstPriority = 200;
constexpr int kFipsBonus = 2000;

constexpr size_t kEntropyLen = 32;  // bytes; the strength of the strongest core
constexpr size_t kNonceLen = 16;
constexpr size_t kMaxRequest = size_t{1} << 16;  // bytes per generate call, SP 800-90A table 2
constexpr unsigned int kReseedRequests = 1u << 20;
constexpr unsigned int kStrengthBits = 256;

struct RandFree {
  void operator()(EVP_RAND_CTX* ctx) const { EVP_RAND_CTX_free(ctx); }
  void operator()(EVP_RAND* rand) const { EVP_RAND_free(rand); }
};
using RandCtx = std::unique_ptr<EVP_RAND_CTX, RandFree>;

struct SoftDrbg : api::RngAlg {
  SoftDrbg(const DrbgRow& core_row, bool resist) : core(core_row), prediction_resistance(resist) {}
  DrbgRow core;
  bool prediction_resistance;
};

struct DrbgCtx {
  RandCtx entropy;  // declared first: the generator refers to it
  RandCtx generator;
  bool seeded = false;
};

DrbgCtx& ctx_of(const CryptoRng& tfm) { return *api::crypto_rng_ctx<DrbgCtx>(tfm); }
const SoftDrbg& alg_of(const CryptoRng& tfm) { return static_cast<const SoftDrbg&>(api::crypto_rng_alg(tfm)); }

RandCtx make_rand(const char* name, EVP_RAND_CTX* parent) {
  const std::unique_ptr<EVP_RAND, RandFree> rand(EVP_RAND_fetch(nullptr, name, nullptr));
  return RandCtx(rand == nullptr ? nullptr : EVP_RAND_CTX_new(rand.get(), parent));
}

OSSL_PARAM text_param(const char* key, const char* value) {
  return OSSL_PARAM_construct_utf8_string(key, const_cast<char*>(value), 0);
}

int fail(int err) {
  ERR_clear_error();
  return err;
}

int init(CryptoRng& tfm) {
  auto* ctx = new (tfm.ctx) DrbgCtx;
  const DrbgRow& core = alg_of(tfm).core;
  const bool ctr = std::string(core.rand) == "CTR-DRBG";
  ctx->entropy = make_rand("TEST-RAND", nullptr);
  if (ctx->entropy != nullptr) ctx->generator = make_rand(core.rand, ctx->entropy.get());
  unsigned int strength = kStrengthBits;
  unsigned int reseed_requests = kReseedRequests;
  time_t never = 0;
  const OSSL_PARAM source[] = {OSSL_PARAM_construct_uint(OSSL_RAND_PARAM_STRENGTH, &strength),
                               OSSL_PARAM_construct_end()};
  const OSSL_PARAM drbg[] = {
      text_param(ctr ? OSSL_DRBG_PARAM_CIPHER : OSSL_DRBG_PARAM_DIGEST, core.primitive),
      text_param(OSSL_DRBG_PARAM_MAC, "HMAC"),
      OSSL_PARAM_construct_uint(OSSL_DRBG_PARAM_RESEED_REQUESTS, &reseed_requests),
      OSSL_PARAM_construct_time_t(OSSL_DRBG_PARAM_RESEED_TIME_INTERVAL, &never),
      OSSL_PARAM_construct_end(),
  };
  const bool ok = ctx->generator != nullptr && EVP_RAND_CTX_set_params(ctx->entropy.get(), source) == 1 &&
                  EVP_RAND_CTX_set_params(ctx->generator.get(), drbg) == 1;
  if (ok) return 0;
  std::destroy_at(ctx);
  return fail(-ENOMEM);
}

void exit(CryptoRng& tfm) { std::destroy_at(&ctx_of(tfm)); }

// What the parent will give at the next (re)seeding.
bool refill(CryptoRng& tfm) {
  std::array<uint8_t, kEntropyLen> entropy;
  std::array<uint8_t, kNonceLen> nonce;
  tfm.registry->get_random_bytes(entropy);
  tfm.registry->get_random_bytes(nonce);
  const OSSL_PARAM params[] = {
      OSSL_PARAM_construct_octet_string(OSSL_RAND_PARAM_TEST_ENTROPY, entropy.data(), entropy.size()),
      OSSL_PARAM_construct_octet_string(OSSL_RAND_PARAM_TEST_NONCE, nonce.data(), nonce.size()),
      OSSL_PARAM_construct_end(),
  };
  return EVP_RAND_CTX_set_params(ctx_of(tfm).entropy.get(), params) == 1;
}

// The seed is the personalisation string; it may be empty.
int seed(CryptoRng& tfm, std::span<const uint8_t> personalisation) {
  DrbgCtx& ctx = ctx_of(tfm);
  if (ctx.seeded) EVP_RAND_uninstantiate(ctx.generator.get());
  ctx.seeded = false;
  EVP_RAND_uninstantiate(ctx.entropy.get());
  if (!refill(tfm)) return fail(-EINVAL);
  if (EVP_RAND_instantiate(ctx.entropy.get(), kStrengthBits, 0, nullptr, 0, nullptr) != 1) return fail(-EINVAL);
  if (EVP_RAND_instantiate(ctx.generator.get(), 0, 0, personalisation.data(), personalisation.size(), nullptr) != 1) {
    return fail(-EINVAL);
  }
  ctx.seeded = true;
  return 0;
}

int generate(CryptoRng& tfm, std::span<const uint8_t> additional, std::span<uint8_t> dst) {
  DrbgCtx& ctx = ctx_of(tfm);
  if (!ctx.seeded) return -EINVAL;
  const int resist = alg_of(tfm).prediction_resistance ? 1 : 0;
  while (!dst.empty()) {
    const size_t step = std::min(dst.size(), kMaxRequest);
    if (!refill(tfm)) return fail(-EINVAL);
    if (EVP_RAND_generate(ctx.generator.get(), dst.data(), step, 0, resist, additional.data(), additional.size()) !=
        1) {
      return fail(-EINVAL);
    }
    dst = dst.subspan(step);
  }
  return 0;
}

}  // namespace

void add_drbgs(Algorithms* algorithms) {
  int priority = kFirstPriority + (algorithms->registry().fips_enabled() ? kFipsBonus : 0);
  for (bool resist : {true, false}) {
    for (const DrbgRow& core : kCores) {
      auto alg = std::make_unique<SoftDrbg>(core, resist);
      const std::string driver = std::string(resist ? "drbg_pr_" : "drbg_nopr_") + core.suffix;
      algorithms->name(*alg, {"stdrng", driver.c_str(), "drbg", priority++});
      alg->cra_ctxsize = sizeof(DrbgCtx);
      alg->ops = {.generate = generate, .seed = seed, .init = init, .exit = exit};
      algorithms->add(std::move(alg));
    }
  }
}

}  // namespace caamlab::driver::software
