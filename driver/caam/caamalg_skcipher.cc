// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Ciphers without authentication: keys, descriptors, requests with IV write-back, and XTS with its fallback (kernel
// caamalg.c, 6.1; crypto-api.md 2.3, 7.4).
#include <algorithm>
#include <memory>

#include "api/keys.h"
#include "desc/constructors/skcipher.h"
#include "driver/caam/algs/skcipher.h"
#include "driver/caam/edesc.h"

namespace caamlab::driver::caam {
namespace {

using api::CryptoSkcipher;
using api::SkcipherRequest;

constexpr unsigned kNonceLen = 4;
constexpr unsigned kCtrIvOffset = 16;
constexpr unsigned kMaxIvSize = 16;
constexpr unsigned kAes128 = 16, kAes256 = 32;
constexpr int kLastEraWithShortTweak = 8;  // the device takes the upper half of an XTS tweak as zero up to here

// A request: the IV has its own cache line, as the device reads and writes it.
struct SkcipherEdesc {
  Edesc base;
  alignas(64) uint8_t iv[kMaxIvSize];
  BusAddr iv_dma;
  uint32_t ivsize;
};

SkcipherEdesc& edesc_of(SkcipherRequest& req) { return *api::skcipher_request_ctx<SkcipherEdesc>(req); }
CaamCtx& ctx_of(const CryptoSkcipher& tfm) { return *api::crypto_skcipher_ctx<CaamCtx>(tfm); }
const CaamSkcipherAlg& alg_of(const CryptoSkcipher& tfm) {
  return static_cast<const CaamSkcipherAlg&>(api::crypto_skcipher_alg(tfm));
}
bool is_xts(const CaamCtx& ctx) { return ctx.entry->class1.aai == desc::aai::kXts; }

// Behind the request's own part; only xts has room for it.
SkcipherRequest* fallback_request(SkcipherRequest& req, CaamCtx& ctx) {
  return api::request_at<SkcipherRequest>(&edesc_of(req) + 1, *ctx.fallback);
}

struct SkcipherPath {
  using Request = SkcipherRequest;
  static Edesc& edesc(Request& req) { return edesc_of(req).base; }
  static void unmap(Request& req, Edesc& base) {
    SkcipherEdesc& edesc = edesc_of(req);
    edesc_unmap(base);
    if (edesc.ivsize != 0) base.jr->dma().unmap_single(edesc.iv_dma, edesc.ivsize, DmaDirection::kBidirectional);
  }
  // The next request of the stream starts where this one ended.
  static void finish(Request& req, Edesc&, int err) {
    const SkcipherEdesc& edesc = edesc_of(req);
    if (err == 0) std::copy_n(edesc.iv, edesc.ivsize, req.iv);
  }
};

unsigned job_words(const CtrlPriv& ctrl) {
  desc::Builder builder(ctrl.target);
  init_skcipher_job(builder, {});
  return builder.len();
}

unsigned ctx1_iv_off(const CaamAlgEntry& entry) {
  if (entry.class1.aai != desc::aai::kCtrMod128) return 0;
  return kCtrIvOffset + (entry.rfc3686 ? kNonceLen : 0);
}

template <class Construct>
int store_one(CaamCtx& ctx, ShDesc& out, Construct construct) {
  desc::AlgInfo cdata = ctx.cdata;
  cdata.key = {ctx.key(), ctx.cdata.keylen + (ctx.entry->rfc3686 ? kNonceLen : 0)};
  return store_sh_desc(ctx.ctrl(), out, job_words(ctx.ctrl()), {.auth = false, .cipher = false},
                       [&](desc::Builder& builder, InlineKeys) { construct(builder, cdata); });
}

int xts_set_sh_desc(CaamCtx& ctx) {
  const int err = store_one(ctx, ctx.sh_desc_enc, [&](desc::Builder& builder, const desc::AlgInfo& cdata) {
    cnstr_shdsc_xts_skcipher_encap(builder, cdata, ctx.share);
  });
  if (err != 0) return err;
  return store_one(ctx, ctx.sh_desc_dec, [&](desc::Builder& builder, const desc::AlgInfo& cdata) {
    cnstr_shdsc_xts_skcipher_decap(builder, cdata, ctx.share);
  });
}

int skcipher_setkey(CryptoSkcipher& tfm, std::span<const uint8_t> key, size_t keylen) {
  CaamCtx& ctx = ctx_of(tfm);
  std::ranges::copy(key, ctx.key());
  ctx.cdata.keylen = static_cast<uint16_t>(keylen);
  ctx.sync_keys();
  return skcipher_set_sh_desc(tfm);
}

bool upper_half_of_tweak_used(const SkcipherRequest& req) {
  return std::any_of(req.iv + kMaxIvSize / 2, req.iv + kMaxIvSize, [](uint8_t b) { return b != 0; });
}

// Text beyond the sector size would get the next sector's tweak. (The kernel submits it all the same.)
bool xts_needs_fallback(const SkcipherRequest& req, const CaamCtx& ctx) {
  return ctx.xts_key_fallback || req.cryptlen > desc::kXtsSectorBytes ||
         (ctx.ctrl().era <= kLastEraWithShortTweak && upper_half_of_tweak_used(req));
}

int run_fallback(SkcipherRequest& req, CaamCtx& ctx, bool encrypt) {
  SkcipherRequest* sub = fallback_request(req, ctx);
  api::skcipher_request_set_callback(*sub, req.flags, req.complete, req.data);
  api::skcipher_request_set_crypt(*sub, req.src, req.dst, req.cryptlen, req.iv);
  return encrypt ? api::crypto_skcipher_encrypt(*sub) : api::crypto_skcipher_decrypt(*sub);
}

int map_iv(SkcipherRequest& req, SkcipherEdesc& edesc) {
  if (edesc.ivsize == 0) return 0;
  std::copy_n(req.iv, edesc.ivsize, edesc.iv);
  edesc.iv_dma = edesc.base.jr->dma().map_single(edesc.iv, edesc.ivsize, DmaDirection::kBidirectional);
  if (!hw_model::dma_mapping_error(edesc.iv_dma)) return 0;
  edesc.base.jr->ctrl().log(LogLevel::kError, "unable to map IV");
  edesc.ivsize = 0;
  return -ENOMEM;
}

// Input {IV, source}, output {destination, IV}. In place both share a table: {IV, data, IV}.
int map_data(SkcipherRequest& req, SkcipherEdesc& edesc, desc::SkcipherJob& job) {
  const bool in_place = api::sg_same(req.src, req.dst);
  edesc.base.src_dir = in_place ? DmaDirection::kBidirectional : DmaDirection::kToDevice;
  const DmaPiece iv{edesc.iv_dma, edesc.ivsize};
  SeqSource in{.before = {&iv, 1}, .range = {req.src, req.cryptlen}};
  if (!in_place) {
    const SeqSource out{.range = {req.dst, req.cryptlen}, .after = iv};
    return edesc_map(edesc.base, in, &out, &job.in, &job.out);
  }
  in.after = iv;
  if (const int err = edesc_map(edesc.base, in, nullptr, &job.in, nullptr); err != 0) return err;
  job.in.len = job.out.len = edesc.ivsize + req.cryptlen;
  job.out.sgf = job.in.sgf;
  job.out.addr = job.in.addr + (edesc.ivsize != 0 ? desc::kSgEntryBytes : 0);
  return 0;
}

int skcipher_crypt(SkcipherRequest& req, bool encrypt) {
  const CryptoSkcipher& tfm = api::crypto_skcipher_reqtfm(req);
  CaamCtx& ctx = ctx_of(tfm);
  // XTS has no zero length. (The kernel fails to map it: -ENOMEM.)
  if (req.cryptlen == 0) return is_xts(ctx) ? -EINVAL : 0;
  if (is_xts(ctx) && xts_needs_fallback(req, ctx)) return run_fallback(req, ctx, encrypt);

  SkcipherEdesc& edesc = edesc_of(req);
  edesc.base.init(*ctx.jr);
  edesc.ivsize = api::crypto_skcipher_ivsize(tfm);
  const ShDesc& sh_desc = encrypt ? ctx.sh_desc_enc : ctx.sh_desc_dec;
  desc::SkcipherJob job{.shared = {.sh_desc = sh_desc.dma, .sh_len = sh_desc.len}};
  int err = map_iv(req, edesc);
  if (err == 0) err = map_data(req, edesc, job);
  if (err == 0) {
    desc::Builder builder(ctx.ctrl().target);
    init_skcipher_job(builder, job);
    if (edesc_store_desc(edesc.base, builder)) return RequestPath<SkcipherPath>::enqueue(req);
    err = -EINVAL;
  }
  SkcipherPath::unmap(req, edesc.base);
  return err;
}

// Bytes of a request's memory; xts keeps one of its fallback's behind its own.
int init_fallback(CryptoSkcipher& tfm, CaamCtx& ctx) {
  auto fallback = api::crypto_alloc_skcipher(*tfm.registry, tfm.alg->cra_name, 0, api::CRYPTO_ALG_NEED_FALLBACK);
  if (!fallback) {
    ctx.ctrl().log(LogLevel::kError, "Failed to allocate " + tfm.alg->cra_name + " fallback");
    return fallback.error();
  }
  ctx.fallback = std::move(*fallback);
  api::crypto_skcipher_set_reqsize(
      tfm, static_cast<unsigned>(sizeof(SkcipherEdesc) + api::skcipher_request_size(*ctx.fallback)));
  return 0;
}

}  // namespace

int skcipher_set_sh_desc(CryptoSkcipher& tfm) {
  CaamCtx& ctx = ctx_of(tfm);
  if (ctx.cdata.keylen == 0 || ctx.xts_key_fallback) return 0;
  if (is_xts(ctx)) return xts_set_sh_desc(ctx);
  const desc::SkcipherParams params{.ivsize = api::crypto_skcipher_ivsize(tfm),
                                    .rfc3686 = ctx.entry->rfc3686,
                                    .ctx1_iv_off = ctx1_iv_off(*ctx.entry),
                                    .share = ctx.share};
  const int err = store_one(ctx, ctx.sh_desc_enc, [&](desc::Builder& builder, const desc::AlgInfo& cdata) {
    cnstr_shdsc_skcipher_encap(builder, cdata, params);
  });
  if (err != 0) return err;
  return store_one(ctx, ctx.sh_desc_dec, [&](desc::Builder& builder, const desc::AlgInfo& cdata) {
    cnstr_shdsc_skcipher_decap(builder, cdata, params);
  });
}

int aes_skcipher_setkey(CryptoSkcipher& tfm, std::span<const uint8_t> key) {
  if (const int err = api::aes_check_keylen(key.size()); err != 0) return err;
  return skcipher_setkey(tfm, key, key.size());
}

int rfc3686_skcipher_setkey(CryptoSkcipher& tfm, std::span<const uint8_t> key) {
  if (key.size() < kNonceLen) return -EINVAL;
  if (const int err = api::aes_check_keylen(key.size() - kNonceLen); err != 0) return err;
  return skcipher_setkey(tfm, key, key.size() - kNonceLen);
}

int des_skcipher_setkey(CryptoSkcipher& tfm, std::span<const uint8_t> key) {
  if (const int err = api::crypto_des_verify_key(tfm, key); err != 0) return err;
  return skcipher_setkey(tfm, key, key.size());
}

int des3_skcipher_setkey(CryptoSkcipher& tfm, std::span<const uint8_t> key) {
  if (const int err = api::crypto_des3_ede_verify_key(tfm, key); err != 0) return err;
  return skcipher_setkey(tfm, key, key.size());
}

// Two keys of 24 bytes are the fallback's business, texts over a sector are, and up to era 8 tweaks that use all 16
// bytes. (The kernel never comes back from the first, once a transform has had such a key.)
int xts_skcipher_setkey(CryptoSkcipher& tfm, std::span<const uint8_t> key) {
  CaamCtx& ctx = ctx_of(tfm);
  if (const int err = api::xts_verify_key(tfm, key); err != 0) return err;
  ctx.xts_key_fallback = key.size() != 2 * kAes128 && key.size() != 2 * kAes256;
  api::crypto_skcipher_clear_flags(*ctx.fallback, api::CRYPTO_TFM_REQ_MASK);
  api::crypto_skcipher_set_flags(*ctx.fallback, tfm.crt_flags & api::CRYPTO_TFM_REQ_MASK);
  if (const int err = api::crypto_skcipher_setkey(*ctx.fallback, key); err != 0) return err;
  return skcipher_setkey(tfm, key, key.size());
}

int skcipher_encrypt(SkcipherRequest& req) { return skcipher_crypt(req, true); }
int skcipher_decrypt(SkcipherRequest& req) { return skcipher_crypt(req, false); }

int caam_cra_init(CryptoSkcipher& tfm) {
  const CaamSkcipherAlg& alg = alg_of(tfm);
  if (const int err = caam_init_common(tfm.ctx, *alg.ctrl, alg.caam); err != 0) return err;
  CaamCtx& ctx = ctx_of(tfm);
  api::crypto_skcipher_set_reqsize(tfm, sizeof(SkcipherEdesc));
  const int err = is_xts(ctx) ? init_fallback(tfm, ctx) : 0;
  if (err != 0) caam_exit_common(ctx);
  return err;
}

void caam_cra_exit(CryptoSkcipher& tfm) { caam_exit_common(ctx_of(tfm)); }

}  // namespace caamlab::driver::caam
