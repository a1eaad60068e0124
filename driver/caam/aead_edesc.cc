// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See aead_edesc.h. The common case, one segment each way, takes no table and no loop.
#include "driver/caam/aead_edesc.h"

#include <algorithm>

#include "driver/caam/error.h"

namespace caamlab::driver::caam {
namespace {

using api::AeadRequest;

constexpr auto kToDevice = DmaDirection::kToDevice;
constexpr auto kFromDevice = DmaDirection::kFromDevice;

DmaDirection src_dir(const AeadEdesc& edesc) { return edesc.in_place ? DmaDirection::kBidirectional : kToDevice; }

// A list of which one segment holds all `len` bytes; null when it takes more, or none.
const api::Segment* one_segment(api::Scatterlist list, uint32_t len) {
  return len != 0 && !list.empty() && list[0].len >= len ? &list[0] : nullptr;
}

// One buffer: 0 or -ENOMEM.
int map_one(Jr& jr, const api::Segment& segment, uint32_t len, DmaDirection dir, MappedSg& mapped) {
  mapped.addr = jr.dma().map_single(segment.data, len, dir);
  mapped.len = len;
  mapped.nents = hw_model::dma_mapping_error(mapped.addr) ? 0 : 1;
  return mapped.nents != 0 ? 0 : -ENOMEM;
}

void unmap(Jr& jr, const SgTable& sg, const MappedSg& mapped, DmaDirection dir) {
  if (mapped.nents == 1)
    jr.dma().unmap_single(mapped.addr, mapped.len, dir);
  else if (mapped.nents > 1)
    dma_unmap_sg_table(jr, sg.entry(mapped.first), mapped.nents, dir);
}

// The first segment of any length: with one entry there is no table, wherever the segment stands in the list.
const api::Segment& first_filled(api::Scatterlist list) {
  return *std::ranges::find_if(list, [](const api::Segment& s) { return s.len != 0; });
}

int map_list(Jr& jr, const SgTable& sg, api::Scatterlist list, uint32_t len, DmaDirection dir, MappedSg& mapped) {
  const uint32_t nents = mapped.nents;
  mapped.nents = 0;
  if (nents == 0) return 0;
  if (nents == 1) return map_one(jr, first_filled(list), len, dir, mapped);
  const int err = dma_map_sg_table(jr, list, len, dir, sg.entry(mapped.first), /*final=*/true);
  if (err == 0) mapped.nents = nents;
  return err;
}

// Any number of segments. dst_len: 0 in place.
int map_lists(AeadRequest& req, AeadEdesc& edesc, uint32_t src_len, uint32_t dst_len) {
  Jr& jr = *edesc.ctx->jr;
  const int src_nents = sg_nents_for_map(req.src, src_len);
  const int dst_nents = edesc.in_place ? 0 : sg_nents_for_map(req.dst, dst_len);
  if (src_nents < 0 || dst_nents < 0) {
    jr.ctrl().log(LogLevel::kError, src_nents < 0 ? "Insufficient bytes in src S/G" : "Insufficient bytes in dst S/G");
    return -EINVAL;
  }
  edesc.src.nents = static_cast<uint32_t>(src_nents);
  edesc.dst.nents = static_cast<uint32_t>(dst_nents);
  const uint32_t src_entries = src_nents > 1 ? edesc.src.nents : 0;
  const uint32_t dst_entries = dst_nents > 1 ? edesc.dst.nents : 0;
  edesc.dst.first = src_entries;
  // The device reads four entries at a time: what is read must be there.
  const uint32_t count =
      dst_entries != 0 ? src_entries + desc::pad_sg_entries(dst_entries) : desc::pad_sg_entries(src_entries);
  if (count != 0 && !edesc.sg.alloc(jr, count, edesc.own_sg)) {
    edesc.src.nents = edesc.dst.nents = 0;
    return -ENOMEM;
  }
  const uint32_t dst_count = edesc.dst.nents;
  edesc.dst.nents = 0;
  int err = map_list(jr, edesc.sg, req.src, src_len, src_dir(edesc), edesc.src);
  if (err == 0) {
    edesc.dst.nents = dst_count;
    err = map_list(jr, edesc.sg, req.dst, dst_len, kFromDevice, edesc.dst);
  }
  if (err == 0 && count != 0 && !edesc.sg.map(jr)) err = -ENOMEM;
  return err;
}

int map_request(AeadRequest& req, AeadEdesc& edesc, uint32_t src_len, uint32_t dst_len) {
  Jr& jr = *edesc.ctx->jr;
  const api::Segment* src = one_segment(req.src, src_len);
  if (src == nullptr) return map_lists(req, edesc, src_len, dst_len);
  if (edesc.in_place) return map_one(jr, *src, src_len, DmaDirection::kBidirectional, edesc.src);
  const api::Segment* dst = one_segment(req.dst, dst_len);
  if (dst == nullptr) return map_lists(req, edesc, src_len, dst_len);
  const int err = map_one(jr, *src, src_len, kToDevice, edesc.src);
  return err != 0 ? err : map_one(jr, *dst, dst_len, kFromDevice, edesc.dst);
}

desc::SeqLocation location(const AeadEdesc& edesc, const MappedSg& mapped, uint32_t len) {
  if (mapped.in_table()) return {.addr = edesc.sg.entry_dma(mapped.first), .len = len, .sgf = true};
  return {.addr = mapped.nents != 0 ? mapped.addr : 0, .len = len};
}

void aead_crypt_done(Jr& jr, uint8_t*, uint32_t status, void* arg) {
  auto& req = *static_cast<AeadRequest*>(arg);
  AeadEdesc& edesc = aead_edesc(req);
  const int err = status != 0 ? caam_jr_strstatus(jr.ctrl(), status) : 0;
  const bool bklog = edesc.bklog;
  aead_unmap(edesc);
  if (bklog)
    jr.engine().finalize(req, err);
  else
    aead_request_complete(req, err);
}

int aead_do_one_req(api::CryptoEngine&, api::CryptoAsyncRequest& base) {
  AeadRequest& req = api::aead_request_cast(base);
  AeadEdesc& edesc = aead_edesc(req);
  edesc.bklog = true;
  const int err = caam_jr_enqueue(*edesc.ctx->jr, {edesc.hw_desc, edesc.hw_desc_bytes}, aead_crypt_done, &req);
  if (err == -EINPROGRESS) return 0;
  if (err != -ENOSPC) aead_unmap(edesc);
  return err;
}

}  // namespace

void aead_unmap(AeadEdesc& edesc) {
  Jr& jr = *edesc.ctx->jr;
  unmap(jr, edesc.sg, edesc.src, src_dir(edesc));
  unmap(jr, edesc.sg, edesc.dst, kFromDevice);
  edesc.sg.release(jr);
}

int aead_edesc_alloc(AeadRequest& req, bool encrypt, desc::AeadJob& job) {
  AeadEdesc& edesc = aead_edesc(req);
  CaamCtx& ctx = *api::crypto_aead_ctx<CaamCtx>(api::crypto_aead_reqtfm(req));
  edesc.ctx = &ctx;
  edesc.src = {};
  edesc.dst = {};
  edesc.sg = {};
  edesc.in_place = api::sg_same(req.src, req.dst);
  edesc.bklog = false;
  const uint32_t in_len = req.assoclen + req.cryptlen;
  const uint32_t out_len = encrypt ? in_len + ctx.authsize : in_len - ctx.authsize;
  const uint32_t src_len = edesc.in_place ? std::max(in_len, out_len) : in_len;
  if (const int err = map_request(req, edesc, src_len, edesc.in_place ? 0 : out_len); err != 0) {
    aead_unmap(edesc);
    return err;
  }
  const ShDesc& sh_desc = encrypt ? ctx.sh_desc_enc : ctx.sh_desc_dec;
  job.sh_desc = sh_desc.dma;
  job.sh_len = sh_desc.len;
  job.in = location(edesc, edesc.src, in_len);
  job.out = location(edesc, edesc.in_place ? edesc.src : edesc.dst, out_len);
  job.assoclen = req.assoclen;
  job.encrypt = encrypt;
  job.era = ctx.ctrl().era;
  return 0;
}

int aead_enqueue_req(AeadRequest& req) {
  AeadEdesc& edesc = aead_edesc(req);
  Jr& jr = *edesc.ctx->jr;
  int err = -EINVAL;
  if (edesc.hw_desc_bytes == 0) {
    // The builder's complaint has been logged.
  } else if ((req.flags & api::CRYPTO_TFM_REQ_MAY_BACKLOG) != 0) {
    err = jr.engine().transfer(req, aead_do_one_req);
  } else {
    err = caam_jr_enqueue(jr, {edesc.hw_desc, edesc.hw_desc_bytes}, aead_crypt_done, &req);
  }
  if (err != -EINPROGRESS && err != -EBUSY) aead_unmap(edesc);
  return err;
}

}  // namespace caamlab::driver::caam
