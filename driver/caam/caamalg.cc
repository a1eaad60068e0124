// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Which algorithms the device can do, and what all transforms have in common.
#include "driver/caam/caamalg.h"

#include <utility>

#include "driver/caam/algs/aead.h"
#include "driver/caam/algs/skcipher.h"
#include "driver/caam/algset.h"
#include "driver/caam/edesc.h"

namespace caamlab::driver::caam {
namespace {

using desc::Alg;

constexpr uint32_t kCipherFlags =
    api::CRYPTO_ALG_ASYNC | api::CRYPTO_ALG_ALLOCATES_MEMORY | api::CRYPTO_ALG_KERN_DRIVER_ONLY;
constexpr unsigned kSha256DigestSize = 32, kSha512DigestSize = 64;

bool is_mdha(Alg alg) { return desc::cha_of(alg) == desc::ChaId::kMdha; }

bool has_units_of_class1(const ChaVersions& cha, const desc::AlgOperation& op) {
  switch (op.alg) {
    case Alg::kDes:
    case Alg::k3Des:
      return cha.des != 0;
    case Alg::kAes:
      if (op.aai == desc::aai::kGcm && !cha.gcm) return false;
      if (op.aai == desc::aai::kXts && cha.aes_vid == kChaVerVidAesLp) return false;
      return cha.aes != 0;
    case Alg::kChaCha20:
      return cha.ccha != 0;
    default:
      return false;
  }
}

bool has_units_of_class2(const ChaVersions& cha, const desc::AlgOperation& op, unsigned maxauthsize) {
  if (op.alg == Alg::kPoly1305) return cha.ptha != 0;
  if (!is_mdha(op.alg)) return false;
  const unsigned limit = cha.md_vid == kChaVerVidMdLp256 ? kSha256DigestSize : kSha512DigestSize;
  return cha.md != 0 && maxauthsize <= limit;
}

bool supported(const CtrlPriv& ctrl, const AeadRow& row) {
  if (row.caam.has_class1 && !has_units_of_class1(ctrl.cha, row.caam.class1)) return false;
  return !row.caam.has_class2 || has_units_of_class2(ctrl.cha, row.caam.class2, row.maxauthsize);
}

int caam_aead_init(api::CryptoAead& tfm) {
  const CaamAeadAlg& alg = caam_aead_alg(tfm);
  if (const int err = caam_init_common(tfm.ctx, *alg.ctrl, alg.caam); err != 0) return err;
  // The kernel's context holds 0 until setauthsize, although the API promises the largest tag.
  caam_ctx(tfm).authsize = alg.maxauthsize;
  api::crypto_aead_set_reqsize(tfm, sizeof(Edesc));
  return 0;
}

void caam_aead_exit(api::CryptoAead& tfm) { caam_exit_common(caam_ctx(tfm)); }

void name(api::CryptoAlg& alg, const std::string& name, const std::string& driver_name, unsigned blocksize) {
  alg.cra_name = name;
  alg.cra_driver_name = driver_name;
  alg.cra_flags = kCipherFlags;
  alg.cra_priority = kCaamCraPriority;
  alg.cra_blocksize = blocksize;
  alg.cra_ctxsize = sizeof(CaamCtx);
}

void register_aead(CtrlPriv& ctrl, const AeadRow& row) {
  auto alg = std::make_unique<CaamAeadAlg>();
  name(*alg, row.name, row.driver_name, row.blocksize);
  alg->ivsize = row.ivsize;
  alg->maxauthsize = row.maxauthsize;
  alg->ops = row.family->ops;
  alg->ops.init = caam_aead_init;
  alg->ops.exit = caam_aead_exit;
  alg->ctrl = &ctrl;
  alg->caam = row.caam;
  alg->family = row.family;
  ctrl.algs->add(std::move(alg), api::crypto_register_aead, api::crypto_unregister_aead);
}

void register_skcipher(CtrlPriv& ctrl, const SkcipherRow& row) {
  auto alg = std::make_unique<CaamSkcipherAlg>();
  name(*alg, row.name, row.driver_name, row.blocksize);
  if (row.caam.class1.aai == desc::aai::kXts) alg->cra_flags |= api::CRYPTO_ALG_NEED_FALLBACK;
  alg->min_keysize = row.min_keysize;
  alg->max_keysize = row.max_keysize;
  alg->ivsize = row.ivsize;
  alg->chunksize = row.chunksize;
  alg->ops = {.setkey = row.setkey,
              .encrypt = skcipher_encrypt,
              .decrypt = skcipher_decrypt,
              .init = caam_cra_init,
              .exit = caam_cra_exit};
  alg->ctrl = &ctrl;
  alg->caam = row.caam;
  ctrl.algs->add(std::move(alg), api::crypto_register_skcipher, api::crypto_unregister_skcipher);
}

}  // namespace

void caam_algapi_init(CtrlPriv& ctrl) {
  const size_t before = ctrl.algs->size();
  for (const SkcipherRow& row : driver_algs())
    if (has_units_of_class1(ctrl.cha, row.caam.class1)) register_skcipher(ctrl, row);
  for (const AeadRow& row : driver_aeads())
    if (supported(ctrl, row)) register_aead(ctrl, row);
  if (ctrl.algs->size() != before) ctrl.log(LogLevel::kInfo, "caam algorithms registered");
}

int caam_aead_set_share(api::CryptoAead& tfm, desc::ShareMode share) {
  if (api::crypto_aead_alg(tfm).ops.init != caam_aead_init) return -EINVAL;
  caam_ctx(tfm).share = share;
  return caam_aead_alg(tfm).family->set_sh_desc(tfm);
}

int caam_skcipher_set_share(api::CryptoSkcipher& tfm, desc::ShareMode share) {
  if (api::crypto_skcipher_alg(tfm).ops.init != caam_cra_init) return -EINVAL;
  api::crypto_skcipher_ctx<CaamCtx>(tfm)->share = share;
  return skcipher_set_sh_desc(tfm);
}

}  // namespace caamlab::driver::caam
