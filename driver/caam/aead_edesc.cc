// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See aead_edesc.h. The common case, one segment each way, takes no table and no loop.
#include "driver/caam/aead_edesc.h"

#include <algorithm>

namespace caamlab::driver::caam {
namespace {

using api::AeadRequest;

// src_len, dst_len: bytes to map; in place src_len counts for both.
int map_request(AeadRequest& req, Edesc& edesc, uint32_t src_len, uint32_t dst_len, desc::AeadJob& job) {
  const bool in_place = api::sg_same(req.src, req.dst);
  edesc.src_dir = in_place ? DmaDirection::kBidirectional : DmaDirection::kToDevice;
  const api::Segment* src = one_segment(req.src, src_len);
  const api::Segment* dst = in_place ? src : one_segment(req.dst, dst_len);
  if (src == nullptr || dst == nullptr) {
    const SeqSource in{.range = {req.src, src_len}}, out{.range = {req.dst, dst_len}};
    const int err = edesc_map(edesc, in, in_place ? nullptr : &out, &job.in, &job.out);
    if (in_place) job.out = job.in;
    return err;
  }
  int err = map_one(*edesc.jr, src->data, src_len, edesc.src_dir, edesc.src);
  if (err == 0 && !in_place) err = map_one(*edesc.jr, dst->data, dst_len, DmaDirection::kFromDevice, edesc.dst);
  job.in.addr = edesc.src.addr;
  job.out.addr = in_place ? edesc.src.addr : edesc.dst.addr;
  if (err != 0) edesc_unmap(edesc);
  return err;
}

}  // namespace

int aead_edesc_alloc(AeadRequest& req, bool encrypt, desc::AeadJob& job) {
  Edesc& edesc = AeadPath::edesc(req);
  CaamCtx& ctx = *api::crypto_aead_ctx<CaamCtx>(api::crypto_aead_reqtfm(req));
  edesc.init(*ctx.jr);
  if (uint64_t{req.assoclen} + req.cryptlen + ctx.authsize > UINT32_MAX) return -EINVAL;
  const uint32_t in_len = req.assoclen + req.cryptlen;
  const uint32_t out_len = encrypt ? in_len + ctx.authsize : in_len - ctx.authsize;
  const uint32_t src_len = api::sg_same(req.src, req.dst) ? std::max(in_len, out_len) : in_len;
  if (const int err = map_request(req, edesc, src_len, out_len, job); err != 0) return err;
  const ShDesc& sh_desc = encrypt ? ctx.sh_desc_enc : ctx.sh_desc_dec;
  job.sh_desc = sh_desc.dma;
  job.sh_len = sh_desc.len;
  job.in.len = in_len;
  job.out.len = out_len;
  job.assoclen = req.assoclen;
  job.encrypt = encrypt;
  job.era = ctx.ctrl().era;
  return 0;
}

bool aead_fits_one_move(const AeadRequest& req, bool encrypt) {
  const unsigned tag = encrypt ? 0 : api::crypto_aead_authsize(api::crypto_aead_reqtfm(req));
  return uint64_t{req.assoclen} + req.cryptlen - tag <= UINT16_MAX;
}

int aead_submit(AeadRequest& req, desc::Builder& builder) {
  Edesc& edesc = AeadPath::edesc(req);
  if (edesc_store_desc(edesc, builder)) return RequestPath<AeadPath>::enqueue(req);
  edesc_unmap(edesc);
  return -EINVAL;
}

}  // namespace caamlab::driver::caam
