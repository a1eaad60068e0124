// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The rng front end.
#include "api/rng.h"

namespace caamlab::api {
namespace {

int init_tfm(CryptoTfm& base) {
  auto& tfm = static_cast<CryptoRng&>(base);
  const RngOps& ops = crypto_rng_alg(tfm).ops;
  return ops.init != nullptr ? ops.init(tfm) : 0;
}

void exit_tfm(CryptoTfm& base) {
  auto& tfm = static_cast<CryptoRng&>(base);
  if (crypto_rng_alg(tfm).ops.exit != nullptr) crypto_rng_alg(tfm).ops.exit(tfm);
}

}  // namespace

const CryptoType crypto_rng_type = {
    .name = "rng",
    .type = CRYPTO_ALG_TYPE_RNG,
    .maskclear = ~CRYPTO_ALG_TYPE_MASK,
    .maskset = CRYPTO_ALG_TYPE_MASK,
    .init_tfm = init_tfm,
    .exit_tfm = exit_tfm,
};

int crypto_register_rng(Registry& registry, RngAlg& alg) {
  if (alg.seedsize > kMaxIvOrChunk || alg.ops.generate == nullptr || alg.ops.seed == nullptr) return -EINVAL;
  alg.cra_type = &crypto_rng_type;
  alg.cra_flags = (alg.cra_flags & ~CRYPTO_ALG_TYPE_MASK) | CRYPTO_ALG_TYPE_RNG;
  return registry.register_alg(alg);
}

int crypto_unregister_rng(Registry& registry, RngAlg& alg) { return registry.unregister_alg(alg); }

tl::expected<RngHandle, int> crypto_alloc_rng(Registry& registry, std::string_view name, uint32_t type, uint32_t mask) {
  return crypto_alloc_tfm<CryptoRng>(registry, crypto_rng_type, name, type, mask);
}

int crypto_rng_generate(CryptoRng& tfm, std::span<const uint8_t> src, std::span<uint8_t> dst) {
  return crypto_rng_alg(tfm).ops.generate(tfm, src, dst);
}

int crypto_rng_reset(CryptoRng& tfm, const uint8_t* seed, size_t slen) {
  const auto& ops = crypto_rng_alg(tfm).ops;
  if (seed != nullptr || slen == 0) return ops.seed(tfm, {seed, slen});
  auto* drawn = static_cast<uint8_t*>(alloc_aligned_zero(slen));
  if (drawn == nullptr) return -ENOMEM;
  tfm.registry->get_random_bytes({drawn, slen});
  const int err = ops.seed(tfm, {drawn, slen});
  TfmDeleter::free_memory(drawn, drawn, slen);
  return err;
}

}  // namespace caamlab::api
