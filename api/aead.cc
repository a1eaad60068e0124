// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The aead front end.
#include "api/aead.h"

#include <algorithm>

namespace caamlab::api {
namespace {

int init_tfm(CryptoTfm& base) {
  auto& tfm = static_cast<CryptoAead&>(base);
  const AeadAlg& alg = crypto_aead_alg(tfm);
  crypto_aead_set_flags(tfm, CRYPTO_TFM_NEED_KEY);
  tfm.authsize = alg.maxauthsize;
  return alg.ops.init != nullptr ? alg.ops.init(tfm) : 0;
}

void exit_tfm(CryptoTfm& base) {
  auto& tfm = static_cast<CryptoAead&>(base);
  if (crypto_aead_alg(tfm).ops.exit != nullptr) crypto_aead_alg(tfm).ops.exit(tfm);
}

}  // namespace

const CryptoType crypto_aead_type = {
    .name = "aead",
    .type = CRYPTO_ALG_TYPE_AEAD,
    .maskclear = ~CRYPTO_ALG_TYPE_MASK,
    .maskset = CRYPTO_ALG_TYPE_MASK,
    .init_tfm = init_tfm,
    .exit_tfm = exit_tfm,
};

int crypto_register_aead(Registry& registry, AeadAlg& alg) {
  if (std::max({alg.ivsize, alg.maxauthsize, alg.chunksize}) > kMaxIvOrChunk) return -EINVAL;
  if (alg.ops.setkey == nullptr || alg.ops.encrypt == nullptr || alg.ops.decrypt == nullptr) return -EINVAL;
  if (alg.chunksize == 0) alg.chunksize = alg.cra_blocksize;
  alg.cra_type = &crypto_aead_type;
  alg.cra_flags = (alg.cra_flags & ~CRYPTO_ALG_TYPE_MASK) | CRYPTO_ALG_TYPE_AEAD;
  return registry.register_alg(alg);
}

int crypto_unregister_aead(Registry& registry, AeadAlg& alg) { return registry.unregister_alg(alg); }

tl::expected<AeadHandle, int> crypto_alloc_aead(Registry& registry, std::string_view name, uint32_t type,
                                                uint32_t mask) {
  return crypto_alloc_tfm<CryptoAead>(registry, crypto_aead_type, name, type, mask);
}

int crypto_aead_setkey(CryptoAead& tfm, std::span<const uint8_t> key) {
  const int err = with_aligned_key(tfm.alg->cra_alignmask, key, [&tfm](std::span<const uint8_t> aligned) {
    return crypto_aead_alg(tfm).ops.setkey(tfm, aligned);
  });
  if (err != 0) {
    crypto_aead_set_flags(tfm, CRYPTO_TFM_NEED_KEY);
  } else {
    crypto_aead_clear_flags(tfm, CRYPTO_TFM_NEED_KEY);
  }
  return err;
}

int crypto_aead_setauthsize(CryptoAead& tfm, unsigned int authsize) {
  const AeadAlg& alg = crypto_aead_alg(tfm);
  if ((authsize == 0 && alg.maxauthsize != 0) || authsize > alg.maxauthsize) return -EINVAL;
  if (alg.ops.setauthsize != nullptr) {
    const int err = alg.ops.setauthsize(tfm, authsize);
    if (err != 0) return err;
  }
  tfm.authsize = authsize;
  return 0;
}

int crypto_aead_encrypt(AeadRequest& req) {
  const CryptoAead& tfm = crypto_aead_reqtfm(req);
  if ((tfm.crt_flags & CRYPTO_TFM_NEED_KEY) != 0) return -ENOKEY;
  return crypto_aead_alg(tfm).ops.encrypt(req);
}

int crypto_aead_decrypt(AeadRequest& req) {
  const CryptoAead& tfm = crypto_aead_reqtfm(req);
  if ((tfm.crt_flags & CRYPTO_TFM_NEED_KEY) != 0) return -ENOKEY;
  if (req.cryptlen < tfm.authsize) return -EINVAL;
  return crypto_aead_alg(tfm).ops.decrypt(req);
}

}  // namespace caamlab::api
