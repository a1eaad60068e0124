// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The shash descriptor lies in the request's memory; source lists are walked piece by piece, nothing is copied.
#include "api/shash_ahash.h"

#include <algorithm>

namespace caamlab::api {
namespace {

const ShashAlg& alg_of(const CryptoTfm& tfm) { return static_cast<const ShashAlg&>(*tfm.alg); }
const ShashOps& ops_of(const AhashRequest& req) { return alg_of(*req.tfm).ops; }
ShashDesc& desc_of(AhashRequest& req) { return *ahash_request_ctx<ShashDesc>(req); }

int shash_init(AhashRequest& req) {
  desc_of(req).tfm = req.tfm;
  return ops_of(req).init(desc_of(req));
}

int shash_update(AhashRequest& req) {
  if (sg_nents_for_len(req.src, req.nbytes) < 0) return -EINVAL;
  SgCursor src(req.src);
  size_t left = req.nbytes;
  while (left > 0) {
    const size_t step = std::min(left, src.run().size());
    const int err = ops_of(req).update(desc_of(req), src.run().first(step));
    if (err != 0) return err;
    left -= src.advance(step);
  }
  return 0;
}

int shash_final(AhashRequest& req) { return ops_of(req).final(desc_of(req), req.result); }

int shash_finup(AhashRequest& req) {
  const int err = shash_update(req);
  return err != 0 ? err : shash_final(req);
}

int shash_digest(AhashRequest& req) {
  const int err = shash_init(req);
  return err != 0 ? err : shash_finup(req);
}

int shash_export(AhashRequest& req, uint8_t* out) { return ops_of(req).export_state(desc_of(req), out); }

int shash_import(AhashRequest& req, const uint8_t* in) {
  desc_of(req).tfm = req.tfm;
  return ops_of(req).import_state(desc_of(req), in);
}

int shash_setkey(CryptoAhash& tfm, std::span<const uint8_t> key) { return alg_of(tfm).ops.setkey(tfm, key); }

int shash_init_tfm(CryptoAhash& tfm) {
  crypto_ahash_set_reqsize(tfm, request_size<ShashDesc>(alg_of(tfm).descsize));
  const ShashOps& ops = alg_of(tfm).ops;
  return ops.init_tfm != nullptr ? ops.init_tfm(tfm) : 0;
}

void shash_exit_tfm(CryptoAhash& tfm) {
  if (alg_of(tfm).ops.exit_tfm != nullptr) alg_of(tfm).ops.exit_tfm(tfm);
}

constexpr AhashOps kUnkeyedOps{
    .init = shash_init,
    .update = shash_update,
    .final = shash_final,
    .finup = shash_finup,
    .digest = shash_digest,
    .export_state = shash_export,
    .import_state = shash_import,
    .init_tfm = shash_init_tfm,
    .exit_tfm = shash_exit_tfm,
};

constexpr AhashOps with_setkey(AhashOps ops) {
  ops.setkey = shash_setkey;
  return ops;
}
constexpr AhashOps kKeyedOps = with_setkey(kUnkeyedOps);

}  // namespace

const AhashOps* shash_ahash_ops(const CryptoAhash& tfm) {
  return alg_of(tfm).ops.setkey != nullptr ? &kKeyedOps : &kUnkeyedOps;
}

}  // namespace caamlab::api
