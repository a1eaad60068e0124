// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Hash requests. The running hash is in the request: how much of a block waits in `buf`, and whether the device has
// been there (then its context is in `caam_ctx`). From these two follows what the next job is; the kernel keeps
// function pointers for it, which it exports too.
#include "driver/caam/caamhash.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "desc/constructors/hash.h"
#include "driver/caam/algset.h"
#include "driver/caam/caamhash_ctx.h"
#include "driver/caam/edesc.h"

namespace caamlab::driver::caam {
namespace {

using api::AhashRequest;
using api::CryptoAhash;

constexpr unsigned kMaxBlock = 128;

struct CaamAhashAlg : api::AhashAlg {
  CtrlPriv* ctrl = nullptr;
  const HashRow* row = nullptr;
};

// What a job leaves in caam_ctx.
enum class JobKind : uint8_t { kContext, kDigest };

struct HashState {
  Edesc edesc;
  alignas(64) uint8_t caam_ctx[kMaxHashCtxLen];
  alignas(64) uint8_t buf[kMaxBlock];
  uint32_t buflen;
  bool has_ctx;
  // Of the job on its way.
  JobKind kind;
  uint32_t next_buflen;  // bytes of src that wait for the next job
  DmaPiece ctx, waiting;
  DmaDirection ctx_dir;
};

// An exported state: portable between requests and transforms of the same driver and key.
struct ExportState {
  uint8_t caam_ctx[kMaxHashCtxLen];
  uint8_t buf[kMaxBlock];
  uint32_t buflen;
  uint32_t has_ctx;
};

HashState& state_of(AhashRequest& req) { return *api::ahash_request_ctx<HashState>(req); }
const CaamHashCtx& ctx_of(AhashRequest& req) { return hash_ctx(api::crypto_ahash_reqtfm(req)); }

// The part of src that the job did not take goes to the buffer.
void keep_rest(AhashRequest& req, HashState& state) {
  api::sg_copy_to_buffer(std::span(state.buf).first(state.next_buflen), req.src, req.nbytes - state.next_buflen);
  state.buflen = state.next_buflen;
}

void unmap_piece(Edesc& edesc, DmaPiece& piece, DmaDirection dir) {
  if (piece.len != 0) edesc.jr->dma().unmap_single(piece.addr, piece.len, dir);
  piece.len = 0;
}

struct HashPath {
  using Request = AhashRequest;
  static Edesc& edesc(Request& req) { return state_of(req).edesc; }
  static void unmap(Request& req, Edesc& edesc) {
    HashState& state = state_of(req);
    edesc_unmap(edesc);
    unmap_piece(edesc, state.ctx, state.ctx_dir);
    unmap_piece(edesc, state.waiting, DmaDirection::kToDevice);
  }
  static void finish(Request& req, Edesc&, int err) {
    HashState& state = state_of(req);
    if (state.kind == JobKind::kContext) {
      keep_rest(req, state);
      state.has_ctx = true;
    } else if (err == 0) {
      std::copy_n(state.caam_ctx, ctx_of(req).row->digestsize, req.result);
    }
  }
};

// len 0: nothing to map.
int map_piece(Jr& jr, uint8_t* data, uint32_t len, DmaDirection dir, DmaPiece& piece) {
  piece = {};
  if (len == 0) return 0;
  const BusAddr addr = jr.dma().map_single(data, len, dir);
  if (hw_model::dma_mapping_error(addr)) return -ENOMEM;
  piece = {addr, len};
  return 0;
}

const ShDesc& shared_desc(const CaamHashCtx& ctx, const HashState& state) {
  if (state.kind == JobKind::kContext) return state.has_ctx ? ctx.update : ctx.update_first;
  return state.has_ctx ? ctx.fin : ctx.digest;
}

// The context is read if there is one, and context or digest written, at the same place.
int map_job(AhashRequest& req, HashState& state, uint32_t src_len, desc::AhashJob& job) {
  const CaamHashCtx& ctx = ctx_of(req);
  Jr& jr = *ctx.jr;
  const uint32_t out_len = state.kind == JobKind::kContext ? ctx.row->ctx_len : ctx.row->digestsize;
  const uint32_t in_ctx_len = state.has_ctx ? ctx.row->ctx_len : 0;
  state.ctx_dir = state.has_ctx ? DmaDirection::kBidirectional : DmaDirection::kFromDevice;
  state.waiting = {};
  int err = map_piece(jr, state.caam_ctx, std::max(out_len, in_ctx_len), state.ctx_dir, state.ctx);
  if (err == 0) err = map_piece(jr, state.buf, state.buflen, DmaDirection::kToDevice, state.waiting);
  if (err != 0) return err;
  const DmaPiece before[] = {{state.ctx.addr, in_ctx_len}, state.waiting};
  desc::SeqLocation in;
  err = edesc_map(state.edesc, {.before = before, .range = {req.src, src_len}}, nullptr, &in, nullptr);
  if (in.len != 0) job.in = in;
  job.out = {.addr = state.ctx.addr, .len = out_len};
  return err;
}

// Sends {context, buffer, src_len bytes of src} to the device. next_buflen: what stays of src.
int ahash_job(AhashRequest& req, JobKind kind, uint32_t src_len, uint32_t next_buflen) {
  HashState& state = state_of(req);
  const CaamHashCtx& ctx = ctx_of(req);
  state.kind = kind;
  state.next_buflen = next_buflen;
  state.edesc.init(*ctx.jr);
  state.ctx = {};
  const ShDesc& sh_desc = shared_desc(ctx, state);
  desc::AhashJob job{.shared = {.sh_desc = sh_desc.dma, .sh_len = sh_desc.len}};
  int err = map_job(req, state, src_len, job);
  if (err == 0) {
    desc::Builder builder(ctx.ctrl().target);
    init_ahash_job(builder, job);
    if (edesc_store_desc(state.edesc, builder)) return RequestPath<HashPath>::enqueue(req);
    err = -EINVAL;
  }
  HashPath::unmap(req, state.edesc);
  return err;
}

int ahash_init(AhashRequest& req) {
  HashState& state = state_of(req);
  state.buflen = 0;
  state.has_ctx = false;
  return 0;
}

// Whole blocks go to the device, the rest waits.
int ahash_update(AhashRequest& req) {
  HashState& state = state_of(req);
  const CaamHashCtx& ctx = ctx_of(req);
  const uint32_t blocksize = ctx.row->blocksize;
  if (api::sg_nents_for_len(req.src, req.nbytes) < 0 || uint64_t{req.nbytes} + state.buflen > UINT32_MAX)
    return -EINVAL;
  const uint32_t in_len = state.buflen + req.nbytes;
  uint32_t rest = in_len % blocksize;
  if (ctx.keeps_last_block() && rest == 0 && in_len != 0) rest = blocksize;
  if (in_len == rest) {
    api::sg_copy_to_buffer(std::span(state.buf).subspan(state.buflen, req.nbytes), req.src);
    state.buflen = in_len;
    return 0;
  }
  // What is in the buffer is at most a block, so the rest is all of src's.
  return ahash_job(req, JobKind::kContext, req.nbytes - rest, rest);
}

int ahash_finup(AhashRequest& req) {
  if (api::sg_nents_for_len(req.src, req.nbytes) < 0) return -EINVAL;
  return ahash_job(req, JobKind::kDigest, req.nbytes, 0);
}

int ahash_final(AhashRequest& req) { return ahash_job(req, JobKind::kDigest, 0, 0); }

int ahash_digest(AhashRequest& req) {
  ahash_init(req);
  return ahash_finup(req);
}

int ahash_export(AhashRequest& req, uint8_t* out) {
  const HashState& state = state_of(req);
  ExportState exported{};
  exported.buflen = state.buflen;
  exported.has_ctx = state.has_ctx ? 1 : 0;
  std::copy_n(state.buf, state.buflen, exported.buf);
  if (state.has_ctx) std::copy_n(state.caam_ctx, ctx_of(req).row->ctx_len, exported.caam_ctx);
  std::memcpy(out, &exported, sizeof(exported));
  return 0;
}

int ahash_import(AhashRequest& req, const uint8_t* in) {
  ExportState exported;
  std::memcpy(&exported, in, sizeof(exported));
  if (exported.buflen > ctx_of(req).row->blocksize || exported.has_ctx > 1) return -EINVAL;
  HashState& state = state_of(req);
  state.buflen = exported.buflen;
  state.has_ctx = exported.has_ctx != 0;
  std::ranges::copy(exported.buf, state.buf);
  std::ranges::copy(exported.caam_ctx, state.caam_ctx);
  return 0;
}

int caam_hash_cra_init(CryptoAhash& tfm) {
  const auto& alg = static_cast<const CaamAhashAlg&>(api::crypto_ahash_alg(tfm));
  if (const int err = caam_hash_ctx_init(tfm.ctx, *alg.ctrl, *alg.row); err != 0) return err;
  api::crypto_ahash_set_reqsize(tfm, sizeof(HashState));
  if (alg.ops.setkey != nullptr) return 0;  // the descriptors come with the key
  const int err = ahash_set_sh_desc(hash_ctx(tfm));
  if (err != 0) caam_hash_ctx_exit(hash_ctx(tfm));
  return err;
}

void caam_hash_cra_exit(CryptoAhash& tfm) { caam_hash_ctx_exit(hash_ctx(tfm)); }

using Setkey = int (*)(CryptoAhash&, std::span<const uint8_t>);

Setkey setkey_of(const HashRow& row) {
  if (row.op.alg != desc::Alg::kAes) return ahash_setkey;
  return row.op.aai == desc::aai::kCmac ? acmac_setkey : axcbc_setkey;
}

void register_ahash(CtrlPriv& ctrl, const HashRow& row, bool keyed) {
  auto alg = std::make_unique<CaamAhashAlg>();
  alg->cra_name = keyed ? row.keyed_name : row.name;
  alg->cra_driver_name = keyed ? row.keyed_driver_name : row.driver_name;
  alg->cra_flags = api::CRYPTO_ALG_ASYNC | api::CRYPTO_ALG_ALLOCATES_MEMORY;
  alg->cra_priority = kCaamCraPriority;
  alg->cra_blocksize = row.blocksize;
  alg->cra_ctxsize = sizeof(CaamHashCtx);
  alg->digestsize = row.digestsize;
  alg->statesize = sizeof(ExportState);
  alg->ops = {.init = ahash_init,
              .update = ahash_update,
              .final = ahash_final,
              .finup = ahash_finup,
              .digest = ahash_digest,
              .export_state = ahash_export,
              .import_state = ahash_import,
              .setkey = keyed ? setkey_of(row) : nullptr,
              .init_tfm = caam_hash_cra_init,
              .exit_tfm = caam_hash_cra_exit};
  alg->ctrl = &ctrl;
  alg->row = &row;
  ctrl.algs->add(std::move(alg), api::crypto_register_ahash, api::crypto_unregister_ahash);
}

// The kernel asks for MDHA alone, also for the MACs of AESA, which then fail on a part without ciphers.
bool supported(const ChaVersions& cha, const HashRow& row) {
  if (cha.md == 0) return false;
  if (row.op.alg == desc::Alg::kAes) return cha.aes != 0;
  constexpr unsigned kSha256DigestSize = 32;
  return cha.md_vid != kChaVerVidMdLp256 || row.digestsize <= kSha256DigestSize;
}

}  // namespace

void caam_algapi_hash_init(CtrlPriv& ctrl) {
  for (const HashRow& row : driver_hash()) {
    if (!supported(ctrl.cha, row)) continue;
    register_ahash(ctrl, row, /*keyed=*/true);
    if (row.name != nullptr) register_ahash(ctrl, row, /*keyed=*/false);
  }
}

int caam_ahash_set_share(CryptoAhash& tfm, desc::ShareMode share) {
  if (tfm.ops->init_tfm != caam_hash_cra_init) return -EINVAL;
  CaamHashCtx& ctx = hash_ctx(tfm);
  ctx.share = share;
  const bool without_key = tfm.ops->setkey != nullptr && ctx.adata.keylen == 0;
  return without_key ? 0 : ahash_set_sh_desc(ctx);
}

}  // namespace caamlab::driver::caam
