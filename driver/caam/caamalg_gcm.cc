// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// gcm(aes), rfc4106(gcm(aes)), rfc4543(gcm(aes)): keys, tag sizes, descriptors, requests.
#include <algorithm>

#include "api/keys.h"
#include "desc/constructors/gcm.h"
#include "driver/caam/aead_edesc.h"
#include "driver/caam/algs/aead.h"

namespace caamlab::driver::caam {
namespace {

using api::AeadRequest;
using api::CryptoAead;

constexpr unsigned kSaltLen = 4;
constexpr unsigned kGcmIvSize = 12;

using Constructor = void (*)(desc::Builder&, const desc::AlgInfo&, const desc::GcmParams&);

// The longest job descriptor of the family: what the buffer has to hold besides the shared one.
unsigned job_words(const CtrlPriv& ctrl) {
  constexpr uint8_t kIv[kGcmIvSize] = {};
  desc::Builder builder(ctrl.target);
  init_gcm_job(builder, {.aead = {}, .salt = {}, .iv = kIv});
  return builder.len();
}

int store_one(CaamCtx& ctx, ShDesc& out, unsigned ivsize, Constructor construct) {
  const desc::GcmParams params{.ivsize = ivsize, .icvsize = ctx.authsize, .share = ctx.share};
  desc::AlgInfo cdata = ctx.cdata;
  cdata.key = {ctx.key(), ctx.cdata.keylen + (ivsize != kGcmIvSize ? kSaltLen : 0)};
  cdata.key_dma = ctx.key_dma();
  return store_sh_desc(ctx.ctrl(), out, job_words(ctx.ctrl()), {.auth = false},
                       [&](desc::Builder& builder, InlineKeys keys) {
                         cdata.key_inline = keys.cipher;
                         construct(builder, cdata, params);
                       });
}

template <Constructor kEncap, Constructor kDecap>
int set_sh_desc(CryptoAead& tfm) {
  CaamCtx& ctx = caam_ctx(tfm);
  if (ctx.cdata.keylen == 0 || ctx.authsize == 0) return 0;
  const unsigned ivsize = api::crypto_aead_ivsize(tfm);
  if (const int err = store_one(ctx, ctx.sh_desc_enc, ivsize, kEncap); err != 0) return err;
  return store_one(ctx, ctx.sh_desc_dec, ivsize, kDecap);
}

int rebuild(CryptoAead& tfm) { return caam_aead_alg(tfm).family->set_sh_desc(tfm); }

template <int (*kCheck)(unsigned int)>
int setauthsize(CryptoAead& tfm, unsigned int authsize) {
  if (const int err = kCheck(authsize); err != 0) return err;
  caam_ctx(tfm).authsize = authsize;
  return rebuild(tfm);
}

template <unsigned kSalt>
int setkey(CryptoAead& tfm, std::span<const uint8_t> key) {
  if (key.size() < kSalt) return -EINVAL;
  const size_t keylen = key.size() - kSalt;
  if (const int err = api::aes_check_keylen(keylen); err != 0) return err;
  CaamCtx& ctx = caam_ctx(tfm);
  std::ranges::copy(key, ctx.key());
  ctx.cdata.keylen = static_cast<uint16_t>(keylen);
  ctx.sync_keys();
  return rebuild(tfm);
}

template <bool kEncrypt>
int gcm_crypt(AeadRequest& req) {
  return aead_crypt_common(req, kEncrypt, [&req](desc::Builder& builder, const desc::AeadJob& job, CaamCtx&) {
    init_gcm_job(builder, {.aead = job, .salt = {}, .iv = {req.iv, kGcmIvSize}});
  });
}

template <bool kEncrypt, bool kMoved = false>
int ipsec_gcm_crypt(AeadRequest& req) {
  if (const int err = api::crypto_ipsec_check_assoclen(req.assoclen); err != 0) return err;
  if (kMoved && !aead_fits_one_move(req, kEncrypt)) return -EINVAL;
  return aead_crypt_common(req, kEncrypt, [&req](desc::Builder& builder, const desc::AeadJob& job, CaamCtx& ctx) {
    init_gcm_job(
        builder,
        {.aead = job, .salt = {ctx.key() + ctx.cdata.keylen, kSaltLen}, .iv = {req.iv, kGcmIvSize - kSaltLen}});
  });
}

}  // namespace

const AeadFamily kGcmFamily{.ops = {.setkey = setkey<0>,
                                    .setauthsize = setauthsize<api::crypto_gcm_check_authsize>,
                                    .encrypt = gcm_crypt<true>,
                                    .decrypt = gcm_crypt<false>},
                            .set_sh_desc = set_sh_desc<desc::cnstr_shdsc_gcm_encap, desc::cnstr_shdsc_gcm_decap>};

const AeadFamily kRfc4106Family{
    .ops = {.setkey = setkey<kSaltLen>,
            .setauthsize = setauthsize<api::crypto_rfc4106_check_authsize>,
            .encrypt = ipsec_gcm_crypt<true>,
            .decrypt = ipsec_gcm_crypt<false>},
    .set_sh_desc = set_sh_desc<desc::cnstr_shdsc_rfc4106_encap, desc::cnstr_shdsc_rfc4106_decap>};

const AeadFamily kRfc4543Family{
    .ops = {.setkey = setkey<kSaltLen>,
            .setauthsize = setauthsize<api::crypto_rfc4543_check_authsize>,
            .encrypt = ipsec_gcm_crypt<true, true>,
            .decrypt = ipsec_gcm_crypt<false, true>},
    .set_sh_desc = set_sh_desc<desc::cnstr_shdsc_rfc4543_encap, desc::cnstr_shdsc_rfc4543_decap>};

}  // namespace caamlab::driver::caam
