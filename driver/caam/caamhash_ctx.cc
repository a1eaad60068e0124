// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See caamhash_ctx.h. Where this differs from the kernel's driver:
// - update and final of cmac and xcbc are never shared, nor is the first update of xcbc. As serial followers the former
//   skip loading the caller's context and read it as message, the latter starts from K1 instead of the key and spoils
//   the K1 that all hashes in progress use; the status is 0 in all cases (hardware.md 5.6).
// - xcbc makes its K1 at setkey. The kernel leaves that to the first update, so that a hash imported into a transform
//   that never had one is finished with the raw key taken for K1.
// - hmac with an empty key is hmac; the kernel's is the plain hash.
#include "driver/caam/caamhash_ctx.h"

#include <algorithm>
#include <cstddef>
#include <memory>

#include "api/keys.h"
#include "desc/constructors/hash.h"
#include "desc/constructors/key_gen.h"
#include "desc/constructors/sk_hash.h"
#include "driver/caam/edesc.h"
#include "driver/caam/error.h"
#include "driver/caam/key_gen.h"

namespace caamlab::driver::caam {
namespace {

using desc::AlgState;
using desc::ShareMode;

constexpr int kFirstDkpEra = 6;
constexpr unsigned kAesBlock = 16;

unsigned job_words(const CtrlPriv& ctrl) {
  desc::Builder builder(ctrl.target);
  init_ahash_job(builder, {.in = desc::SeqLocation{}});
  return builder.len();
}

// One of the four, by state and what it stores.
int store_hash(CaamHashCtx& ctx, ShDesc& out, AlgState state) {
  const bool last = state == AlgState::kFinal || state == AlgState::kInitFinal;
  const bool import_ctx = state == AlgState::kUpdate || state == AlgState::kFinal;
  const desc::AhashParams params{.state = state,
                                 .digestsize = last ? ctx.row->digestsize : ctx.row->ctx_len,
                                 .ctx_len = ctx.row->ctx_len,
                                 .import_ctx = import_ctx,
                                 .era = ctx.ctrl().era,
                                 .share = ctx.share};
  return store_sh_desc(ctx.ctrl(), out, job_words(ctx.ctrl()), {.auth = false, .cipher = false},
                       [&](desc::Builder& builder, InlineKeys) { cnstr_shdsc_ahash(builder, ctx.adata, params); });
}

bool safe_when_shared(const CaamHashCtx& ctx, AlgState state) {
  switch (state) {
    case AlgState::kUpdate:
    case AlgState::kFinal:
      return false;
    case AlgState::kInit:
      return ctx.adata.op.aai != desc::aai::kXcbcMac;
    default:
      return true;
  }
}

int store_mac(CaamHashCtx& ctx, ShDesc& out, AlgState state) {
  const bool last = state == AlgState::kFinal || state == AlgState::kInitFinal;
  const desc::SkHashParams params{.state = state,
                                  .digestsize = last ? ctx.row->digestsize : ctx.row->ctx_len,
                                  .ctx_len = ctx.row->ctx_len,
                                  .share = safe_when_shared(ctx, state) ? ctx.share : ShareMode::kNever};
  return store_sh_desc(ctx.ctrl(), out, job_words(ctx.ctrl()), {.auth = false, .cipher = false},
                       [&](desc::Builder& builder, InlineKeys) { cnstr_shdsc_sk_hash(builder, ctx.adata, params); });
}

// XCBC: a first update over a block of zeros leaves K1, encrypted, in the transform's key memory.
int make_xcbc_k1(CaamHashCtx& ctx) {
  struct Scratch {
    alignas(64) uint8_t block[kAesBlock];
    alignas(64) uint8_t context[64];
  } scratch{};
  const BusAddr dma = ctx.jr->dma().map_single(&scratch, sizeof(scratch), DmaDirection::kBidirectional);
  if (hw_model::dma_mapping_error(dma)) return -ENOMEM;
  desc::Builder builder(ctx.ctrl().target);
  init_ahash_job(builder, {.shared = {.sh_desc = ctx.update_first.dma, .sh_len = ctx.update_first.len},
                           .in = desc::SeqLocation{.addr = dma, .len = kAesBlock},
                           .out = {.addr = dma + offsetof(Scratch, context), .len = ctx.row->ctx_len}});
  Edesc edesc;
  edesc.init(*ctx.jr);
  uint32_t status = 0;
  int err = edesc_store_desc(edesc, builder) ? 0 : -EINVAL;
  if (err == 0) err = caam_jr_run(*ctx.jr, {edesc.hw_desc, edesc.hw_desc_bytes}, &status);
  if (err == 0 && status != 0) err = caam_jr_strstatus(ctx.ctrl(), status);
  ctx.jr->dma().unmap_single(dma, sizeof(scratch), DmaDirection::kBidirectional);
  return err;
}

int set_mac_key(CaamHashCtx& ctx, std::span<const uint8_t> key) {
  std::ranges::copy(key, ctx.raw_key);
  ctx.adata.keylen = static_cast<uint16_t>(key.size());
  ctx.adata.key = {ctx.raw_key, key.size()};
  ctx.adata.key_dma = ctx.key_dma();
  return ahash_set_sh_desc(ctx);
}

}  // namespace

int caam_hash_ctx_init(void* mem, CtrlPriv& ctrl, const HashRow& row) {
  auto* ctx = new (mem) CaamHashCtx;
  ctx->jr = caam_jr_alloc(ctrl);
  if (ctx->jr == nullptr) {
    ctrl.log(LogLevel::kError, "Job Ring Device allocation for transform failed");
    std::destroy_at(ctx);
    return -ENODEV;
  }
  // DKP writes descriptors back, xcbc the key.
  ctx->shared_dma = ctx->jr->dma().map_single(&ctx->shared, sizeof(ctx->shared), DmaDirection::kBidirectional);
  if (hw_model::dma_mapping_error(ctx->shared_dma)) {
    ctrl.log(LogLevel::kError, "unable to map shared descriptors");
    caam_jr_free(*ctx->jr);
    std::destroy_at(ctx);
    return -ENOMEM;
  }
  using Shared = CaamHashCtx::Shared;
  ctx->update = {ctx->shared.sh_desc_update, ctx->shared_dma + offsetof(Shared, sh_desc_update)};
  ctx->update_first = {ctx->shared.sh_desc_update_first, ctx->shared_dma + offsetof(Shared, sh_desc_update_first)};
  ctx->fin = {ctx->shared.sh_desc_fin, ctx->shared_dma + offsetof(Shared, sh_desc_fin)};
  ctx->digest = {ctx->shared.sh_desc_digest, ctx->shared_dma + offsetof(Shared, sh_desc_digest)};
  ctx->row = &row;
  ctx->adata.op = row.op;
  ctx->share = ctrl.options.share;
  return 0;
}

void caam_hash_ctx_exit(CaamHashCtx& ctx) {
  ctx.jr->dma().unmap_single(ctx.shared_dma, sizeof(ctx.shared), DmaDirection::kBidirectional);
  caam_jr_free(*ctx.jr);
  std::destroy_at(&ctx);
}

int ahash_set_sh_desc(CaamHashCtx& ctx) {
  struct One {
    ShDesc& out;
    AlgState state;
  };
  for (const One& one : {One{ctx.update, AlgState::kUpdate}, One{ctx.update_first, AlgState::kInit},
                         One{ctx.fin, AlgState::kFinal}, One{ctx.digest, AlgState::kInitFinal}}) {
    const int err = ctx.keeps_last_block() ? store_mac(ctx, one.out, one.state) : store_hash(ctx, one.out, one.state);
    if (err != 0) return err;
  }
  return 0;
}

int ahash_setkey(api::CryptoAhash& tfm, std::span<const uint8_t> key) {
  CaamHashCtx& ctx = hash_ctx(tfm);
  const desc::Alg alg = ctx.row->op.alg;
  uint8_t hmac_key[kMaxHashBlockSize];
  const int len = reduce_hmac_key(*ctx.jr, alg, key, hmac_key);
  if (len < 0) return len;
  const std::span<const uint8_t> reduced(hmac_key, static_cast<size_t>(len));
  ctx.adata.key_inline = true;
  ctx.adata.key_dma = ctx.key_dma();
  if (ctx.ctrl().era >= kFirstDkpEra) {
    std::ranges::copy(reduced, ctx.shared.key);
    ctx.adata.keylen = static_cast<uint16_t>(len);
    ctx.adata.keylen_pad = desc::split_key_len(alg);
    ctx.adata.key = {ctx.shared.key, reduced.size()};
  } else {
    if (const int err = gen_split_key(*ctx.jr, alg, reduced, ctx.shared.key); err != 0) return err;
    ctx.adata.keylen = desc::split_key_len(alg);
    ctx.adata.keylen_pad = static_cast<uint16_t>(desc::split_key_pad_len(alg));
    ctx.adata.key = {ctx.shared.key, ctx.adata.keylen_pad};
  }
  ctx.jr->dma().sync_single_for_device(ctx.key_dma(), sizeof(ctx.shared.key), DmaDirection::kBidirectional);
  return ahash_set_sh_desc(ctx);
}

int axcbc_setkey(api::CryptoAhash& tfm, std::span<const uint8_t> key) {
  constexpr unsigned kKeyLen = 16;
  if (key.size() != kKeyLen) return -EINVAL;
  CaamHashCtx& ctx = hash_ctx(tfm);
  if (const int err = set_mac_key(ctx, key); err != 0) return err;
  return make_xcbc_k1(ctx);
}

int acmac_setkey(api::CryptoAhash& tfm, std::span<const uint8_t> key) {
  if (const int err = api::aes_check_keylen(key.size()); err != 0) return err;
  return set_mac_key(hash_ctx(tfm), key);
}

}  // namespace caamlab::driver::caam
