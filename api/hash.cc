// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Registration of shash algorithms.
#include "api/hash.h"

#include <cstring>

namespace caamlab::api {
namespace {

const ShashAlg& shash_alg(const ShashDesc& desc) { return static_cast<const ShashAlg&>(*desc.tfm->alg); }

int export_desc(const ShashDesc& desc, uint8_t* out) {
  std::memcpy(out, shash_desc_ctx<uint8_t>(desc), shash_alg(desc).descsize);
  return 0;
}

int import_desc(ShashDesc& desc, const uint8_t* in) {
  std::memcpy(shash_desc_ctx<uint8_t>(desc), in, shash_alg(desc).descsize);
  return 0;
}

}  // namespace

const CryptoType crypto_shash_type = {
    .name = "shash",
    .type = CRYPTO_ALG_TYPE_SHASH,
    .maskclear = ~CRYPTO_ALG_TYPE_MASK,
    .maskset = CRYPTO_ALG_TYPE_MASK,
    .init_tfm = nullptr,  // no front end of its own
    .exit_tfm = nullptr,
};

int crypto_register_shash(Registry& registry, ShashAlg& alg) {
  ShashOps& ops = alg.ops;
  if (alg.digestsize > kMaxDigestSize || alg.descsize > kMaxShashDescSize) return -EINVAL;
  if (ops.init == nullptr || ops.update == nullptr || ops.final == nullptr) return -EINVAL;
  if ((ops.export_state == nullptr) != (ops.import_state == nullptr)) return -EINVAL;
  if (ops.export_state == nullptr) {
    ops.export_state = export_desc;
    ops.import_state = import_desc;
    alg.statesize = alg.descsize;
  }
  if (alg.statesize > kMaxHashStateSize) return -EINVAL;
  alg.cra_type = &crypto_shash_type;
  alg.cra_flags = (alg.cra_flags & ~CRYPTO_ALG_TYPE_MASK) | CRYPTO_ALG_TYPE_SHASH;
  return registry.register_alg(alg);
}

int crypto_unregister_shash(Registry& registry, ShashAlg& alg) { return registry.unregister_alg(alg); }

}  // namespace caamlab::api
