// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The ahash front end. Results that are not aligned as the driver needs, and finup of drivers that have none, go
// through an adjusted request: the user's result and callback are put aside and restored at the end.
#include "api/ahash.h"

#include <cstring>

#include "api/shash_ahash.h"

namespace caamlab::api {
namespace {

using Operation = int (*)(AhashRequest&);

void adjusted_done(void* data, int err);

void adjust(AhashRequest& req) {
  req.user = {req.complete, req.data, req.result, false};
  req.complete = adjusted_done;
  req.data = &req;
  req.result = req.bounce;
}

void restore(AhashRequest& req, int err) {
  if (err == 0) std::memcpy(req.user.result, req.result, crypto_ahash_digestsize(crypto_ahash_reqtfm(req)));
  req.complete = req.user.complete;
  req.data = req.user.data;
  req.result = req.user.result;
}

// One step of an adjusted request has answered `err`. True when the request goes on by callback.
bool next_step(AhashRequest& req, int* err) {
  if (crypto_req_accepted(*err, req.flags)) return true;
  if (*err == 0 && req.user.final_follows) {
    req.user.final_follows = false;
    *err = crypto_ahash_reqtfm(req).ops->final(req);
    if (crypto_req_accepted(*err, req.flags)) return true;
  }
  restore(req, *err);
  return false;
}

void adjusted_done(void* data, int err) {
  auto& req = *static_cast<AhashRequest*>(data);
  // "You may submit again" is for the first step; in the second the user already knows.
  if (err == -EINPROGRESS) {
    if (req.user.complete != nullptr) req.user.complete(req.user.data, err);
    return;
  }
  if (!next_step(req, &err)) ahash_request_complete(req, err);
}

int run(AhashRequest& req, Operation op) {
  const bool aligned = (reinterpret_cast<uintptr_t>(req.result) & req.tfm->alg->cra_alignmask) == 0;
  if (aligned) return op(req);
  adjust(req);
  int err = op(req);
  next_step(req, &err);
  return err;
}

int update_then_final(AhashRequest& req) {
  adjust(req);
  req.user.final_follows = true;
  int err = crypto_ahash_reqtfm(req).ops->update(req);
  next_step(req, &err);
  return err;
}

bool needs_key(const CryptoAhash& tfm) { return (tfm.crt_flags & CRYPTO_TFM_NEED_KEY) != 0; }

void set_needkey(CryptoAhash& tfm) {
  if (tfm.ops->setkey != nullptr && (tfm.alg->cra_flags & CRYPTO_ALG_OPTIONAL_KEY) == 0) {
    crypto_ahash_set_flags(tfm, CRYPTO_TFM_NEED_KEY);
  }
}

int init_tfm(CryptoTfm& base) {
  auto& tfm = static_cast<CryptoAhash&>(base);
  if (tfm.alg->cra_type == &crypto_shash_type) {
    tfm.ops = shash_ahash_ops(tfm);
  } else {
    tfm.ops = &crypto_ahash_alg(tfm).ops;
  }
  set_needkey(tfm);
  return tfm.ops->init_tfm != nullptr ? tfm.ops->init_tfm(tfm) : 0;
}

void exit_tfm(CryptoTfm& base) {
  auto& tfm = static_cast<CryptoAhash&>(base);
  if (tfm.ops->exit_tfm != nullptr) tfm.ops->exit_tfm(tfm);
}

}  // namespace

const CryptoType crypto_ahash_type = {
    .name = "ahash",
    .type = CRYPTO_ALG_TYPE_AHASH,
    .maskclear = ~CRYPTO_ALG_TYPE_MASK,
    .maskset = CRYPTO_ALG_TYPE_AHASH_MASK,
    .init_tfm = init_tfm,
    .exit_tfm = exit_tfm,
};

int crypto_register_ahash(Registry& registry, AhashAlg& alg) {
  if (alg.digestsize > kMaxDigestSize || alg.statesize > kMaxHashStateSize || alg.statesize == 0) return -EINVAL;
  const AhashOps& ops = alg.ops;
  if (ops.init == nullptr || ops.update == nullptr || ops.final == nullptr || ops.digest == nullptr) return -EINVAL;
  if (ops.export_state == nullptr || ops.import_state == nullptr) return -EINVAL;
  alg.cra_type = &crypto_ahash_type;
  alg.cra_flags = (alg.cra_flags & ~CRYPTO_ALG_TYPE_MASK) | CRYPTO_ALG_TYPE_AHASH;
  return registry.register_alg(alg);
}

int crypto_unregister_ahash(Registry& registry, AhashAlg& alg) { return registry.unregister_alg(alg); }

tl::expected<AhashHandle, int> crypto_alloc_ahash(Registry& registry, std::string_view name, uint32_t type,
                                                  uint32_t mask) {
  return crypto_alloc_tfm<CryptoAhash>(registry, crypto_ahash_type, name, type, mask);
}

int crypto_ahash_setkey(CryptoAhash& tfm, std::span<const uint8_t> key) {
  if (tfm.ops->setkey == nullptr) return -ENOSYS;
  const int err = with_aligned_key(tfm.alg->cra_alignmask, key,
                                   [&tfm](std::span<const uint8_t> aligned) { return tfm.ops->setkey(tfm, aligned); });
  if (err != 0) {
    set_needkey(tfm);
  } else {
    crypto_ahash_clear_flags(tfm, CRYPTO_TFM_NEED_KEY);
  }
  return err;
}

int crypto_ahash_init(AhashRequest& req) {
  const CryptoAhash& tfm = crypto_ahash_reqtfm(req);
  return needs_key(tfm) ? -ENOKEY : tfm.ops->init(req);
}

int crypto_ahash_update(AhashRequest& req) { return crypto_ahash_reqtfm(req).ops->update(req); }

int crypto_ahash_final(AhashRequest& req) { return run(req, crypto_ahash_reqtfm(req).ops->final); }

int crypto_ahash_finup(AhashRequest& req) {
  const Operation finup = crypto_ahash_reqtfm(req).ops->finup;
  return finup != nullptr ? run(req, finup) : update_then_final(req);
}

int crypto_ahash_digest(AhashRequest& req) {
  const CryptoAhash& tfm = crypto_ahash_reqtfm(req);
  return needs_key(tfm) ? -ENOKEY : run(req, tfm.ops->digest);
}

int crypto_ahash_export(AhashRequest& req, uint8_t* out) {
  return crypto_ahash_reqtfm(req).ops->export_state(req, out);
}

int crypto_ahash_import(AhashRequest& req, const uint8_t* in) {
  const CryptoAhash& tfm = crypto_ahash_reqtfm(req);
  return needs_key(tfm) ? -ENOKEY : tfm.ops->import_state(req, in);
}

}  // namespace caamlab::api
