// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// authenc(hmac(..), ..) with CBC, rfc3686 or null encryption, and the forms whose IV the device makes.
// Where this differs from the kernel's driver:
// - A split key that does not fit in the descriptor comes from a job at setkey, as before era 6. The kernel lets DKP
//   write it over the raw key in memory, which a second DECO that still has the old descriptor then takes for the raw
//   key: wrong MACs (hardware.md 2.15.2, 5.6).
// - HMAC keys longer than a block are hashed; those between split-key length and block (MD5) keep their tail, over
// which
//   the kernel copies the cipher key; an overlong one is not written past the context.
// - Cipher key lengths are checked at setkey: the kernel takes an AES key of 17 bytes, which fails per request, and one
//   of 0 bytes, which encrypts nothing.
// - Lengths that leave no room for a generated IV are refused before the device sees them.
#include <algorithm>

#include "api/keys.h"
#include "desc/constructors/aead.h"
#include "desc/constructors/key_gen.h"
#include "driver/caam/aead_edesc.h"
#include "driver/caam/algs/aead.h"
#include "driver/caam/key_gen.h"

namespace caamlab::driver::caam {
namespace {

using api::AeadRequest;
using api::CryptoAead;
using desc::Alg;

constexpr unsigned kNonceLen = 4;
constexpr unsigned kCtrIvOffset = 16;
constexpr unsigned kMaxIvSize = 16;
constexpr int kFirstDkpEra = 6;

// CTR takes its counter from the upper half of the context; rfc3686 puts the nonce in front of the IV there.
unsigned ctx1_iv_off(const CaamAlgEntry& entry) {
  if (entry.class1.aai != desc::aai::kCtrMod128) return 0;
  return kCtrIvOffset + (entry.rfc3686 ? kNonceLen : 0);
}

unsigned job_words(const CtrlPriv& ctrl) {
  constexpr uint8_t kIv[kMaxIvSize] = {};
  desc::Builder builder(ctrl.target);
  init_authenc_job(builder, {.aead = {.era = ctrl.era}, .iv = kIv});
  return builder.len();
}

// How the descriptor gets its authentication key.
enum class AuthKeyForm : uint8_t { kDerivedByDescriptor, kSplitKey };

struct Keys {
  desc::AlgInfo adata, cdata;
  int era;  // for the constructors: below 6 means a split key
};

// The keys of ctx with the authentication key inline or by pointer. In the descriptor, era 6 and later derive.
Keys keys_for(CaamCtx& ctx, InlineKeys inline_keys) {
  Keys keys{ctx.adata, ctx.cdata, ctx.ctrl().era};
  const bool derive = keys.era >= kFirstDkpEra && inline_keys.auth;
  keys.adata.key_inline = inline_keys.auth;
  if (derive) {
    keys.adata.keylen_pad = desc::split_key_len(ctx.adata.op.alg);
    keys.adata.key = {ctx.shared.auth_key, ctx.adata.keylen};
    keys.adata.key_dma = ctx.auth_key_dma();
  } else {
    keys.era = std::min(keys.era, kFirstDkpEra - 1);
    keys.adata.keylen = desc::split_key_len(ctx.adata.op.alg);
    keys.adata.keylen_pad = static_cast<uint16_t>(desc::split_key_pad_len(ctx.adata.op.alg));
    keys.adata.key = {ctx.shared.split_key, keys.adata.keylen_pad};
    keys.adata.key_dma = ctx.split_key_dma();
  }
  keys.cdata.key_inline = inline_keys.cipher;
  keys.cdata.key = {ctx.key(), ctx.cdata.keylen};
  keys.cdata.key_dma = ctx.key_dma();
  return keys;
}

int ensure_split_key(CaamCtx& ctx) {
  if (ctx.split_key_valid) return 0;
  const int err =
      gen_split_key(*ctx.jr, ctx.adata.op.alg, {ctx.shared.auth_key, ctx.adata.keylen}, ctx.shared.split_key);
  ctx.split_key_valid = err == 0;
  if (err == 0) ctx.sync_keys();
  return err;
}

// Builds one descriptor by construct(Builder&, const Keys&) and makes the split key if that needs one.
template <class Construct>
int store_one(CaamCtx& ctx, ShDesc& out, Construct construct) {
  const bool has_cipher_key = ctx.cdata.keylen != 0;
  InlineKeys used;
  const int err = store_sh_desc(ctx.ctrl(), out, job_words(ctx.ctrl()), {.auth = true, .cipher = has_cipher_key},
                                [&](desc::Builder& builder, InlineKeys inline_keys) {
                                  used = inline_keys;
                                  construct(builder, keys_for(ctx, inline_keys));
                                });
  if (err != 0) return err;
  if (used.auth && ctx.ctrl().era >= kFirstDkpEra) return 0;
  if (ctx.split_key_valid) return 0;
  if (const int key_err = ensure_split_key(ctx); key_err != 0) return key_err;
  // Once more, now with the key in it.
  return store_one(ctx, out, construct);
}

int null_set_sh_desc(CaamCtx& ctx) {
  const auto params = [&ctx](const Keys& keys) {
    return desc::AeadNullParams{.icvsize = ctx.authsize, .era = keys.era, .share = ctx.share};
  };
  const int err = store_one(ctx, ctx.sh_desc_enc, [&](desc::Builder& builder, const Keys& keys) {
    cnstr_shdsc_aead_null_encap(builder, keys.adata, params(keys));
  });
  if (err != 0) return err;
  return store_one(ctx, ctx.sh_desc_dec, [&](desc::Builder& builder, const Keys& keys) {
    cnstr_shdsc_aead_null_decap(builder, keys.adata, params(keys));
  });
}

int aead_set_sh_desc(CryptoAead& tfm) {
  CaamCtx& ctx = caam_ctx(tfm);
  const CaamAlgEntry& entry = *ctx.entry;
  if (ctx.authsize == 0 || ctx.adata.keylen == 0) return 0;
  if (!entry.has_class1) return null_set_sh_desc(ctx);
  const auto params = [&](const Keys& keys) {
    desc::AeadParams p{.ivsize = api::crypto_aead_ivsize(tfm),
                       .icvsize = ctx.authsize,
                       .geniv = entry.geniv,
                       .rfc3686 = entry.rfc3686,
                       .ctx1_iv_off = ctx1_iv_off(entry),
                       .era = keys.era,
                       .share = ctx.share};
    if (entry.rfc3686) p.nonce = keys.cdata.key.last(kNonceLen);
    return p;
  };
  const auto construct_enc = entry.geniv ? desc::cnstr_shdsc_aead_givencap : desc::cnstr_shdsc_aead_encap;
  const int err = store_one(ctx, ctx.sh_desc_enc, [&](desc::Builder& builder, const Keys& keys) {
    construct_enc(builder, keys.cdata, keys.adata, params(keys));
  });
  if (err != 0) return err;
  return store_one(ctx, ctx.sh_desc_dec, [&](desc::Builder& builder, const Keys& keys) {
    cnstr_shdsc_aead_decap(builder, keys.cdata, keys.adata, params(keys));
  });
}

int aead_setauthsize(CryptoAead& tfm, unsigned int authsize) {
  caam_ctx(tfm).authsize = authsize;
  return aead_set_sh_desc(tfm);
}

int check_cipher_key(const CryptoAead& tfm, std::span<const uint8_t> key) {
  const CaamAlgEntry& entry = *caam_ctx(tfm).entry;
  if (!entry.has_class1) return key.empty() ? 0 : -EINVAL;
  switch (entry.class1.alg) {
    case Alg::kDes:
      return api::crypto_des_verify_key(tfm, key);
    case Alg::k3Des:
      return api::crypto_des3_ede_verify_key(tfm, key);
    default:
      if (!entry.rfc3686) return api::aes_check_keylen(key.size());
      return key.size() < kNonceLen ? -EINVAL : api::aes_check_keylen(key.size() - kNonceLen);
  }
}

int aead_setkey(CryptoAead& tfm, std::span<const uint8_t> key) {
  CaamCtx& ctx = caam_ctx(tfm);
  api::CryptoAuthencKeys keys;
  if (const int err = api::crypto_authenc_extractkeys(&keys, key); err != 0) return err;
  if (const int err = check_cipher_key(tfm, keys.enckey); err != 0) return err;
  const int auth_len = reduce_hmac_key(*ctx.jr, ctx.adata.op.alg, keys.authkey, ctx.shared.auth_key);
  if (auth_len < 0) return auth_len;
  ctx.adata.keylen = static_cast<uint16_t>(auth_len);
  ctx.split_key_valid = false;
  std::ranges::copy(keys.enckey, ctx.key());
  ctx.cdata.keylen = static_cast<uint16_t>(keys.enckey.size());
  ctx.sync_keys();
  return aead_set_sh_desc(tfm);
}

template <bool kEncrypt>
int aead_crypt(AeadRequest& req) {
  const CryptoAead& tfm = api::crypto_aead_reqtfm(req);
  const CaamCtx& ctx = caam_ctx(tfm);
  const CaamAlgEntry& entry = *ctx.entry;
  const unsigned ivsize = api::crypto_aead_ivsize(tfm);
  if (entry.geniv && req.cryptlen < ivsize + (kEncrypt ? 0 : ctx.authsize)) return -EINVAL;
  if (!entry.has_class1 && !aead_fits_one_move(req, kEncrypt)) return -EINVAL;
  const bool load_iv = (entry.rfc3686 && kEncrypt) || !entry.geniv;
  return aead_crypt_common(req, kEncrypt, [&](desc::Builder& builder, const desc::AeadJob& job, CaamCtx&) {
    init_authenc_job(builder, {.aead = job, .iv = {req.iv, load_iv ? ivsize : 0}, .ctx1_iv_off = ctx1_iv_off(entry)});
  });
}

}  // namespace

const AeadFamily kAuthencFamily{.ops = {.setkey = aead_setkey,
                                        .setauthsize = aead_setauthsize,
                                        .encrypt = aead_crypt<true>,
                                        .decrypt = aead_crypt<false>},
                                .set_sh_desc = aead_set_sh_desc};

}  // namespace caamlab::driver::caam
