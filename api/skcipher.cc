// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The skcipher front end.
#include "api/skcipher.h"

#include <algorithm>

namespace caamlab::api {
namespace {

void set_needkey(CryptoSkcipher& tfm) {
  if (crypto_skcipher_alg(tfm).max_keysize != 0) crypto_skcipher_set_flags(tfm, CRYPTO_TFM_NEED_KEY);
}

int init_tfm(CryptoTfm& base) {
  auto& tfm = static_cast<CryptoSkcipher&>(base);
  set_needkey(tfm);
  const SkcipherOps& ops = crypto_skcipher_alg(tfm).ops;
  return ops.init != nullptr ? ops.init(tfm) : 0;
}

void exit_tfm(CryptoTfm& base) {
  auto& tfm = static_cast<CryptoSkcipher&>(base);
  if (crypto_skcipher_alg(tfm).ops.exit != nullptr) crypto_skcipher_alg(tfm).ops.exit(tfm);
}

}  // namespace

const CryptoType crypto_skcipher_type = {
    .name = "skcipher",
    .type = CRYPTO_ALG_TYPE_SKCIPHER,
    .maskclear = ~CRYPTO_ALG_TYPE_MASK,
    .maskset = CRYPTO_ALG_TYPE_MASK,
    .init_tfm = init_tfm,
    .exit_tfm = exit_tfm,
};

int crypto_register_skcipher(Registry& registry, SkcipherAlg& alg) {
  if (std::max({alg.ivsize, alg.chunksize, alg.walksize}) > kMaxIvOrChunk) return -EINVAL;
  if (alg.max_keysize < alg.min_keysize) return -EINVAL;
  if (alg.ops.setkey == nullptr || alg.ops.encrypt == nullptr || alg.ops.decrypt == nullptr) return -EINVAL;
  if (alg.chunksize == 0) alg.chunksize = alg.cra_blocksize;
  if (alg.walksize == 0) alg.walksize = alg.chunksize;
  alg.cra_type = &crypto_skcipher_type;
  alg.cra_flags = (alg.cra_flags & ~CRYPTO_ALG_TYPE_MASK) | CRYPTO_ALG_TYPE_SKCIPHER;
  return registry.register_alg(alg);
}

int crypto_unregister_skcipher(Registry& registry, SkcipherAlg& alg) { return registry.unregister_alg(alg); }

tl::expected<SkcipherHandle, int> crypto_alloc_skcipher(Registry& registry, std::string_view name, uint32_t type,
                                                        uint32_t mask) {
  return crypto_alloc_tfm<CryptoSkcipher>(registry, crypto_skcipher_type, name, type, mask);
}

int crypto_skcipher_setkey(CryptoSkcipher& tfm, std::span<const uint8_t> key) {
  const SkcipherAlg& alg = crypto_skcipher_alg(tfm);
  if (key.size() < alg.min_keysize || key.size() > alg.max_keysize) return -EINVAL;
  const int err = with_aligned_key(alg.cra_alignmask, key,
                                   [&](std::span<const uint8_t> aligned) { return alg.ops.setkey(tfm, aligned); });
  if (err != 0) {
    set_needkey(tfm);
  } else {
    crypto_skcipher_clear_flags(tfm, CRYPTO_TFM_NEED_KEY);
  }
  return err;
}

int crypto_skcipher_encrypt(SkcipherRequest& req) {
  const CryptoSkcipher& tfm = crypto_skcipher_reqtfm(req);
  if ((tfm.crt_flags & CRYPTO_TFM_NEED_KEY) != 0) return -ENOKEY;
  return crypto_skcipher_alg(tfm).ops.encrypt(req);
}

int crypto_skcipher_decrypt(SkcipherRequest& req) {
  const CryptoSkcipher& tfm = crypto_skcipher_reqtfm(req);
  if ((tfm.crt_flags & CRYPTO_TFM_NEED_KEY) != 0) return -ENOKEY;
  return crypto_skcipher_alg(tfm).ops.decrypt(req);
}

}  // namespace caamlab::api
