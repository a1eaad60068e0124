// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See caampkc.h. Where this differs from the kernel's driver (its slips are in hardware.md 10.1):
// - A private operation reads as many bytes as the modulus has, so a shorter input gets its zeros in front in any case,
//   not only when it has several segments. A public one says how long its input is and needs none.
// - Padding is counted when the table of the result is placed.
// - The scratch memory of forms 2 and 3 belongs to the request, not to the key that all requests share.
// - dst_len becomes the length of the result.
#include "driver/caam/caampkc.h"

#include <algorithm>
#include <memory>

#include "api/akcipher.h"
#include "desc/constructors/pkc.h"
#include "driver/caam/algset.h"
#include "driver/caam/caamrsa_key.h"
#include "driver/caam/edesc.h"

namespace caamlab::driver::caam {
namespace {

using api::AkcipherRequest;
using api::CryptoAkcipher;
using desc::RsaPrivForm;
using desc::SeqLocation;

struct CaamRsaCtx {
  Jr* jr = nullptr;
  DmaPiece padding;  // zeros, shared by all requests
  CaamRsaKey key;
};

struct CaamAkcipherAlg : api::AkcipherAlg {
  CtrlPriv* ctrl = nullptr;
};

constexpr uint8_t kZeros[kRsaMaxModulus] = {};

struct RsaEdesc {
  Edesc base;
  DmaPiece tmp;  // tmp1, then tmp2
  uint32_t result_len;
  alignas(64) uint8_t scratch[2 * kRsaMaxModulus];
};

RsaEdesc& edesc_of(AkcipherRequest& req) { return *api::akcipher_request_ctx<RsaEdesc>(req); }
CaamRsaCtx& ctx_of(const CryptoAkcipher& tfm) { return *api::akcipher_tfm_ctx<CaamRsaCtx>(tfm); }

struct RsaPath {
  using Request = AkcipherRequest;
  static Edesc& edesc(Request& req) { return edesc_of(req).base; }
  static void unmap(Request& req, Edesc& base) {
    RsaEdesc& edesc = edesc_of(req);
    edesc_unmap(base);
    if (edesc.tmp.len == 0) return;
    base.jr->dma().unmap_single(edesc.tmp.addr, edesc.tmp.len, DmaDirection::kBidirectional);
    std::fill_n(edesc.scratch, edesc.tmp.len, 0);
    edesc.tmp.len = 0;
  }
  static void finish(Request& req, Edesc&, int err) {
    if (err == 0) req.dst_len = edesc_of(req).result_len;
  }
};

// The number in src without the zeros that make it longer than n: how many bytes to pass over, or an error when it is
// longer all the same.
int count_leading_zeros(const AkcipherRequest& req, uint32_t n_len) {
  if (api::sg_nents_for_len(req.src, req.src_len) < 0) return -EINVAL;
  if (req.src_len <= n_len) return 0;
  const uint32_t excess = req.src_len - n_len;
  uint32_t zeros = 0;
  for (api::SgCursor cursor(req.src); zeros < excess; ++zeros) {
    if (cursor.run()[0] != 0) return -EINVAL;
    cursor.advance(1);
  }
  return static_cast<int>(zeros);
}

// Input and output of an operation.
struct RsaData {
  uint32_t n_len = 0;
  uint32_t skip = 0;     // zeros of src that are passed over
  uint32_t src_len = 0;  // bytes behind them
  uint32_t pad_len = 0;  // zeros in front instead
  SeqLocation in{}, out{};
};

// Different lists.
int map_out_of_place(AkcipherRequest& req, Edesc& edesc, const DmaPiece& padding, RsaData& data) {
  const SeqSource in{.before = {&padding, 1}, .range = {req.src, data.src_len, data.skip}};
  const SeqSource out{.range = {req.dst, data.n_len}};
  return edesc_map(edesc, in, &out, &data.in, &data.out);
}

// Entries for src_len bytes behind the first `skip` of those that the first `nents` entries of the table describe, from
// entry `to` on.
void put_part_of_table(const Edesc& edesc, const RsaData& data, uint32_t nents, uint32_t to) {
  uint64_t skip = data.skip, left = data.src_len;
  const CtrlPriv& ctrl = edesc.jr->ctrl();
  for (uint32_t i = 0; i < nents && left != 0; ++i) {
    const desc::SgEntry entry = desc::load_sg_entry(edesc.sg.entry(i), ctrl.sg_format, ctrl.target);
    if (skip >= entry.len) {
      skip -= entry.len;
      continue;
    }
    const auto part = static_cast<uint32_t>(std::min<uint64_t>(left, entry.len - skip));
    left -= part;
    dma_to_sec4_sg_one(*edesc.jr, edesc.sg.entry(to++), entry.addr + skip, part, left == 0);
    skip = 0;
  }
}

// One list, mapped once, in both directions. With more than one segment the result's table is that of the mapping, the
// input's a copy of a part of it.
int map_in_place(AkcipherRequest& req, Edesc& edesc, const DmaPiece& padding, RsaData& data) {
  Jr& jr = *edesc.jr;
  edesc.src_dir = DmaDirection::kBidirectional;
  const SgRange all{req.src, std::max(data.skip + data.src_len, data.n_len)};
  const int nents = sg_nents_for_map(all);
  if (nents < 0) return -EINVAL;
  const auto mapped = static_cast<uint32_t>(nents);
  const uint32_t before = padding.len != 0 ? 1 : 0;
  if (mapped == 1) {
    const api::SgCursor at(req.src);
    const int err = map_one(jr, at.run().data(), static_cast<uint32_t>(all.len), edesc.src_dir, edesc.src);
    if (err != 0) return err;
    data.in = {.addr = edesc.src.addr + data.skip, .len = data.src_len};
    data.out = {.addr = edesc.src.addr, .len = data.n_len};
    if (before == 0) return 0;
  }
  const uint32_t first_in = mapped > 1 ? mapped : 0;
  if (!edesc.sg.alloc(jr, first_in + desc::pad_sg_entries(before + mapped), edesc.own_sg)) return -ENOMEM;
  if (mapped > 1) {
    if (const int err = dma_map_sg_table(jr, all, edesc.src_dir, edesc.sg.entry(0), true); err != 0) return err;
    edesc.src = {.nents = mapped, .first = 0, .in_table = true};
    put_part_of_table(edesc, data, mapped, first_in + before);
  } else {
    dma_to_sec4_sg_one(jr, edesc.sg.entry(before), data.in.addr, data.src_len, true);
  }
  if (before != 0) dma_to_sec4_sg_one(jr, edesc.sg.entry(first_in), padding.addr, padding.len, data.src_len == 0);
  if (!edesc.sg.map(jr)) return -ENOMEM;
  data.in = {.addr = edesc.sg.entry_dma(first_in), .len = padding.len + data.src_len, .sgf = true};
  if (mapped > 1) data.out = {.addr = edesc.sg.entry_dma(0), .len = data.n_len, .sgf = true};
  return 0;
}

// Checks lengths and maps src and dst.
int rsa_edesc_alloc(AkcipherRequest& req, const CaamRsaCtx& ctx, bool pad, RsaData& data) {
  RsaEdesc& edesc = edesc_of(req);
  edesc.base.init(*ctx.jr);
  edesc.tmp = {};
  data.n_len = ctx.key.n.size();
  edesc.result_len = data.n_len;
  if (req.dst_len < data.n_len) {
    req.dst_len = data.n_len;
    return -EOVERFLOW;
  }
  const int zeros = count_leading_zeros(req, data.n_len);
  if (zeros < 0) return zeros;
  data.skip = static_cast<uint32_t>(zeros);
  data.src_len = req.src_len - data.skip;
  // No length of 0 for the device either: the number is 0.
  if (pad || data.src_len == 0) data.pad_len = data.n_len - data.src_len;
  const DmaPiece padding{ctx.padding.addr, data.pad_len};
  return api::sg_same(req.src, req.dst) ? map_in_place(req, edesc.base, padding, data)
                                        : map_out_of_place(req, edesc.base, padding, data);
}

// tmp1 and tmp2 of forms 2 and 3.
int map_scratch(RsaEdesc& edesc, const CaamRsaKey& key) {
  const uint32_t len = uint32_t{key.p.size()} + key.q.size();
  const BusAddr addr = edesc.base.jr->dma().map_single(edesc.scratch, len, DmaDirection::kBidirectional);
  if (hw_model::dma_mapping_error(addr)) return -ENOMEM;
  edesc.tmp = {addr, len};
  return 0;
}

int submit(AkcipherRequest& req, desc::Builder& builder) {
  Edesc& edesc = RsaPath::edesc(req);
  if (edesc_store_desc(edesc, builder)) return RequestPath<RsaPath>::enqueue(req);
  RsaPath::unmap(req, edesc);
  return -EINVAL;
}

int caam_rsa_enc(AkcipherRequest& req) {
  const CaamRsaCtx& ctx = ctx_of(api::crypto_akcipher_reqtfm(req));
  const CaamRsaKey& key = ctx.key;
  if (key.n.empty() || key.e.empty()) return -EINVAL;
  RsaData data;
  if (const int err = rsa_edesc_alloc(req, ctx, /*pad=*/false, data); err != 0) {
    RsaPath::unmap(req, RsaPath::edesc(req));
    return err;
  }
  desc::Builder builder(ctx.jr->ctrl().target);
  init_rsa_pub_desc(
      builder, {.word = {.f_sgf = data.in.sgf, .g_sgf = data.out.sgf, .e_len = key.e.size(), .n_len = key.n.size()},
                .f = data.in.addr,
                .g = data.out.addr,
                .n = key.n.addr(),
                .e = key.e.addr(),
                .f_len = data.in.len});
  return submit(req, builder);
}

void init_private_desc(desc::Builder& builder, const RsaData& data, const CaamRsaKey& key, const DmaPiece& tmp) {
  desc::RsaPrivWord word{.g_sgf = data.in.sgf, .f_sgf = data.out.sgf, .d_len = key.d.size(), .n_len = key.n.size()};
  const desc::RsaPrimeLengths lengths{.q_len = key.q.size(), .p_len = key.p.size()};
  const BusAddr g = data.in.addr, f = data.out.addr, tmp1 = tmp.addr, tmp2 = tmp.addr + key.p.size();
  switch (key.form) {
    case RsaPrivForm::kForm1:
      return init_rsa_priv_f1_desc(builder, {.word = word, .g = g, .f = f, .n = key.n.addr(), .d = key.d.addr()});
    case RsaPrivForm::kForm2:
      return init_rsa_priv_f2_desc(builder, {.word = word,
                                             .g = g,
                                             .f = f,
                                             .d = key.d.addr(),
                                             .p = key.p.addr(),
                                             .q = key.q.addr(),
                                             .tmp1 = tmp1,
                                             .tmp2 = tmp2,
                                             .lengths = lengths});
    case RsaPrivForm::kForm3:
      word.d_len = 0;
      return init_rsa_priv_f3_desc(builder, {.word = word,
                                             .g = g,
                                             .f = f,
                                             .c = key.qinv.addr(),
                                             .p = key.p.addr(),
                                             .q = key.q.addr(),
                                             .dp = key.dp.addr(),
                                             .dq = key.dq.addr(),
                                             .tmp1 = tmp1,
                                             .tmp2 = tmp2,
                                             .lengths = lengths});
  }
}

int caam_rsa_dec(AkcipherRequest& req) {
  const CaamRsaCtx& ctx = ctx_of(api::crypto_akcipher_reqtfm(req));
  const CaamRsaKey& key = ctx.key;
  if (key.n.empty() || key.d.empty()) return -EINVAL;
  RsaEdesc& edesc = edesc_of(req);
  RsaData data;
  int err = rsa_edesc_alloc(req, ctx, /*pad=*/true, data);
  if (err == 0 && key.form != RsaPrivForm::kForm1) err = map_scratch(edesc, key);
  if (err != 0) {
    RsaPath::unmap(req, edesc.base);
    return err;
  }
  desc::Builder builder(ctx.jr->ctrl().target);
  init_private_desc(builder, data, key, edesc.tmp);
  return submit(req, builder);
}

int caam_rsa_set_pub_key(CryptoAkcipher& tfm, std::span<const uint8_t> ber) {
  CaamRsaCtx& ctx = ctx_of(tfm);
  ctx.key.reset();
  api::RsaKey key;
  const int err = api::rsa_parse_pub_key(&key, ber, tfm.registry->fips_enabled());
  return err != 0 ? err : ctx.key.set(ctx.jr->dma(), key);
}

int caam_rsa_set_priv_key(CryptoAkcipher& tfm, std::span<const uint8_t> ber) {
  CaamRsaCtx& ctx = ctx_of(tfm);
  ctx.key.reset();
  api::RsaKey key;
  const int err = api::rsa_parse_priv_key(&key, ber, tfm.registry->fips_enabled());
  return err != 0 ? err : ctx.key.set(ctx.jr->dma(), key);
}

unsigned int caam_rsa_max_size(CryptoAkcipher& tfm) { return ctx_of(tfm).key.n.size(); }

int caam_rsa_init_tfm(CryptoAkcipher& tfm) {
  CtrlPriv& ctrl = *static_cast<const CaamAkcipherAlg&>(api::crypto_akcipher_alg(tfm)).ctrl;
  Jr* jr = caam_jr_alloc(ctrl);
  if (jr == nullptr) return -ENODEV;
  const BusAddr zeros = jr->dma().map_single(const_cast<uint8_t*>(kZeros), sizeof(kZeros), DmaDirection::kToDevice);
  if (hw_model::dma_mapping_error(zeros)) {
    caam_jr_free(*jr);
    return -ENOMEM;
  }
  auto* ctx = new (tfm.ctx) CaamRsaCtx;
  ctx->jr = jr;
  ctx->padding = {zeros, sizeof(kZeros)};
  api::akcipher_set_reqsize(tfm, sizeof(RsaEdesc));
  return 0;
}

void caam_rsa_exit_tfm(CryptoAkcipher& tfm) {
  CaamRsaCtx& ctx = ctx_of(tfm);
  Jr& jr = *ctx.jr;
  jr.dma().unmap_single(ctx.padding.addr, ctx.padding.len, DmaDirection::kToDevice);
  std::destroy_at(&ctx);
  caam_jr_free(jr);
}

}  // namespace

void caam_pkc_init(CtrlPriv& ctrl) {
  if (ctrl.cha.pk == 0 || !ctrl.cha.pk_crypt) return;
  auto alg = std::make_unique<CaamAkcipherAlg>();
  alg->cra_name = "rsa";
  alg->cra_driver_name = "rsa-caam";
  alg->cra_priority = kCaamCraPriority;
  alg->cra_ctxsize = sizeof(CaamRsaCtx);
  alg->ops.encrypt = caam_rsa_enc;
  alg->ops.decrypt = caam_rsa_dec;
  alg->ops.set_pub_key = caam_rsa_set_pub_key;
  alg->ops.set_priv_key = caam_rsa_set_priv_key;
  alg->ops.max_size = caam_rsa_max_size;
  alg->ops.init = caam_rsa_init_tfm;
  alg->ops.exit = caam_rsa_exit_tfm;
  alg->ctrl = &ctrl;
  ctrl.algs->add(std::move(alg), api::crypto_register_akcipher, api::crypto_unregister_akcipher);
}

}  // namespace caamlab::driver::caam
