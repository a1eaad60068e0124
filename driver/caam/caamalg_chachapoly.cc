// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// rfc7539(chacha20,poly1305) and rfc7539esp(chacha20,poly1305).
#include <algorithm>

#include "desc/constructors/chachapoly.h"
#include "driver/caam/aead_edesc.h"
#include "driver/caam/algs/aead.h"

namespace caamlab::driver::caam {
namespace {

using api::AeadRequest;
using api::CryptoAead;

constexpr unsigned kChaChaKeySize = 32;
constexpr unsigned kPoly1305DigestSize = 16;

bool is_esp(const CryptoAead& tfm) { return api::crypto_aead_ivsize(tfm) != desc::kChaChaPolyIvSize; }

unsigned job_words(const CtrlPriv& ctrl, unsigned ivsize) {
  constexpr uint8_t kIv[desc::kChaChaPolyIvSize] = {};
  desc::Builder builder(ctrl.target);
  init_chachapoly_job(builder, {.aead = {.assoclen = ivsize}, .iv = {kIv, ivsize}});
  return builder.len();
}

int set_sh_desc(CryptoAead& tfm) {
  CaamCtx& ctx = caam_ctx(tfm);
  if (ctx.cdata.keylen == 0 || ctx.authsize == 0) return 0;
  const unsigned ivsize = api::crypto_aead_ivsize(tfm);
  const unsigned salt_len = desc::kChaChaPolyIvSize - ivsize;
  desc::AlgInfo cdata = ctx.cdata;
  cdata.key = {ctx.key(), kChaChaKeySize + salt_len};
  for (const bool encrypt : {true, false}) {
    const desc::ChaChaPolyParams params{
        .ivsize = ivsize, .icvsize = ctx.authsize, .encrypt = encrypt, .share = ctx.share};
    ShDesc& out = encrypt ? ctx.sh_desc_enc : ctx.sh_desc_dec;
    const int err = store_sh_desc(
        ctx.ctrl(), out, job_words(ctx.ctrl(), ivsize), {.auth = false, .cipher = false},
        [&](desc::Builder& builder, InlineKeys) { cnstr_shdsc_chachapoly(builder, cdata, ctx.adata, params); });
    if (err != 0) return err;
  }
  return 0;
}

int setauthsize(CryptoAead& tfm, unsigned int authsize) {
  if (authsize != kPoly1305DigestSize) return -EINVAL;
  caam_ctx(tfm).authsize = authsize;
  return set_sh_desc(tfm);
}

int setkey(CryptoAead& tfm, std::span<const uint8_t> key) {
  CaamCtx& ctx = caam_ctx(tfm);
  if (key.size() != kChaChaKeySize + desc::kChaChaPolyIvSize - api::crypto_aead_ivsize(tfm)) return -EINVAL;
  std::ranges::copy(key, ctx.key());
  ctx.cdata.keylen = kChaChaKeySize;
  return set_sh_desc(tfm);
}

template <bool kEncrypt>
int crypt(AeadRequest& req) {
  const CryptoAead& tfm = api::crypto_aead_reqtfm(req);
  const unsigned ivsize = api::crypto_aead_ivsize(tfm);
  // The IV is part of the associated data. (The kernel lets a negative length go to the device.)
  if (is_esp(tfm) && req.assoclen < ivsize) return -EINVAL;
  return aead_crypt_common(req, kEncrypt, [&](desc::Builder& builder, const desc::AeadJob& job, CaamCtx&) {
    init_chachapoly_job(builder, {.aead = job, .iv = {req.iv, ivsize}});
  });
}

}  // namespace

const AeadFamily kChaChaPolyFamily{
    .ops = {.setkey = setkey, .setauthsize = setauthsize, .encrypt = crypt<true>, .decrypt = crypt<false>},
    .set_sh_desc = set_sh_desc};

}  // namespace caamlab::driver::caam
