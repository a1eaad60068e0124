// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The akcipher front end.
#include "api/akcipher.h"

namespace caamlab::api {
namespace {

int init_tfm(CryptoTfm& base) {
  auto& tfm = static_cast<CryptoAkcipher&>(base);
  const AkcipherOps& ops = crypto_akcipher_alg(tfm).ops;
  return ops.init != nullptr ? ops.init(tfm) : 0;
}

void exit_tfm(CryptoTfm& base) {
  auto& tfm = static_cast<CryptoAkcipher&>(base);
  if (crypto_akcipher_alg(tfm).ops.exit != nullptr) crypto_akcipher_alg(tfm).ops.exit(tfm);
}

int run(AkcipherRequest& req, int (*AkcipherOps::*operation)(AkcipherRequest&)) {
  const auto op = crypto_akcipher_alg(crypto_akcipher_reqtfm(req)).ops.*operation;
  return op != nullptr ? op(req) : -ENOSYS;
}

}  // namespace

const CryptoType crypto_akcipher_type = {
    .name = "akcipher",
    .type = CRYPTO_ALG_TYPE_AKCIPHER,
    .maskclear = ~CRYPTO_ALG_TYPE_MASK,
    .maskset = CRYPTO_ALG_TYPE_MASK,
    .init_tfm = init_tfm,
    .exit_tfm = exit_tfm,
};

int crypto_register_akcipher(Registry& registry, AkcipherAlg& alg) {
  if (alg.ops.set_pub_key == nullptr || alg.ops.max_size == nullptr) return -EINVAL;
  alg.cra_type = &crypto_akcipher_type;
  alg.cra_flags = (alg.cra_flags & ~CRYPTO_ALG_TYPE_MASK) | CRYPTO_ALG_TYPE_AKCIPHER;
  return registry.register_alg(alg);
}

int crypto_unregister_akcipher(Registry& registry, AkcipherAlg& alg) { return registry.unregister_alg(alg); }

tl::expected<AkcipherHandle, int> crypto_alloc_akcipher(Registry& registry, std::string_view name, uint32_t type,
                                                        uint32_t mask) {
  return crypto_alloc_tfm<CryptoAkcipher>(registry, crypto_akcipher_type, name, type, mask);
}

int crypto_akcipher_set_pub_key(CryptoAkcipher& tfm, std::span<const uint8_t> key) {
  return crypto_akcipher_alg(tfm).ops.set_pub_key(tfm, key);
}

int crypto_akcipher_set_priv_key(CryptoAkcipher& tfm, std::span<const uint8_t> key) {
  const auto set = crypto_akcipher_alg(tfm).ops.set_priv_key;
  return set != nullptr ? set(tfm, key) : -ENOSYS;
}

unsigned int crypto_akcipher_maxsize(CryptoAkcipher& tfm) { return crypto_akcipher_alg(tfm).ops.max_size(tfm); }

int crypto_akcipher_encrypt(AkcipherRequest& req) { return run(req, &AkcipherOps::encrypt); }
int crypto_akcipher_decrypt(AkcipherRequest& req) { return run(req, &AkcipherOps::decrypt); }
int crypto_akcipher_sign(AkcipherRequest& req) { return run(req, &AkcipherOps::sign); }
int crypto_akcipher_verify(AkcipherRequest& req) { return run(req, &AkcipherOps::verify); }

}  // namespace caamlab::api
