// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// One implementation; what the three forms differ in is data. RFC 4106: the last 8 bytes of the AAD area repeat the IV
// and are not authenticated. RFC 4543: AAD, IV and text are all authenticated, the text is copied.
#include "driver/software/gcm.h"

#include <openssl/err.h>

#include <algorithm>
#include <array>
#include <memory>

#include "api/keys.h"
#include "driver/software/evp.h"

namespace caamlab::driver::software {
namespace {

using api::AeadRequest;
using api::CryptoAead;
using api::SgCursor;

constexpr size_t kGcmIvLen = 12;
constexpr size_t kEspSaltLen = 4;
constexpr size_t kEspIvLen = 8;
constexpr size_t kMaxTagLen = 16;

struct FormRules {
  size_t salt_len;
  int (*check_authsize)(unsigned int);
  bool esp_assoclen;  // assoclen is 16 or 20 and ends with the IV
  bool iv_in_aad;     // those 8 bytes are authenticated
  bool text_is_aad;
};

constexpr FormRules kRules[] = {
    {0, api::crypto_gcm_check_authsize, false, false, false},
    {kEspSaltLen, api::crypto_rfc4106_check_authsize, true, false, false},
    {kEspSaltLen, api::crypto_rfc4543_check_authsize, true, true, true},
};

struct GcmAlg : api::AeadAlg {
  FormRules rules{};
};

struct GcmCtx {
  CipherPool pool;
  std::array<uint8_t, kEspSaltLen> salt{};
};

const FormRules& rules_of(const CryptoAead& tfm) { return static_cast<const GcmAlg&>(api::crypto_aead_alg(tfm)).rules; }

const EVP_CIPHER* gcm_cipher(size_t keylen) {
  return keylen == 16 ? EVP_aes_128_gcm() : keylen == 24 ? EVP_aes_192_gcm() : EVP_aes_256_gcm();
}

int gcm_init(CryptoAead& tfm) {
  new (tfm.ctx) GcmCtx;
  return 0;
}

void gcm_exit(CryptoAead& tfm) { std::destroy_at(api::crypto_aead_ctx<GcmCtx>(tfm)); }

int gcm_setkey(CryptoAead& tfm, std::span<const uint8_t> key) {
  const size_t salt_len = rules_of(tfm).salt_len;
  if (key.size() < salt_len) return -EINVAL;
  const auto aes_key = key.first(key.size() - salt_len);
  if (const int err = api::aes_check_keylen(aes_key.size()); err != 0) return err;
  GcmCtx& ctx = *api::crypto_aead_ctx<GcmCtx>(tfm);
  std::ranges::copy(key.last(salt_len), ctx.salt.begin());
  return ctx.pool.set_key(gcm_cipher(aes_key.size()), aes_key, Direction::kEncrypt);
}

int gcm_setauthsize(CryptoAead& tfm, unsigned int authsize) { return rules_of(tfm).check_authsize(authsize); }

// One request taken apart.
struct Job {
  const FormRules& rules;
  Direction direction;
  size_t authsize;
  size_t text_len;
  std::array<uint8_t, kGcmIvLen> iv;
};

int check_request(const AeadRequest& req, const Job& job) {
  if (job.rules.esp_assoclen && api::crypto_ipsec_check_assoclen(req.assoclen) != 0) return -EINVAL;
  const uint64_t data_len = uint64_t{req.assoclen} + job.text_len;
  const size_t tag_in = job.direction == Direction::kDecrypt ? job.authsize : 0;
  const size_t tag_out = job.direction == Direction::kEncrypt ? job.authsize : 0;
  if (api::sg_nents_for_len(req.src, data_len + tag_in) < 0) return -EINVAL;
  return api::sg_nents_for_len(req.dst, data_len + tag_out) < 0 ? -EINVAL : 0;
}

// Associated data and text; afterwards both cursors stand behind the text.
bool run_data(EVP_CIPHER_CTX* ctx, const AeadRequest& req, const Job& job, SgCursor* dst, SgCursor* src) {
  if (job.rules.text_is_aad) {
    if (!cipher_aad(ctx, src, req.assoclen + job.text_len)) return false;
    if (!api::sg_same(req.src, req.dst)) api::sg_copy(req.dst, 0, req.src, 0, req.assoclen + job.text_len);
    return dst->advance(job.text_len) == job.text_len;
  }
  const size_t left_out = job.rules.esp_assoclen && !job.rules.iv_in_aad ? kEspIvLen : 0;
  if (!cipher_aad(ctx, src, req.assoclen - left_out)) return false;
  src->advance(left_out);
  return cipher_stream(ctx, dst, src, job.text_len);
}

int finish_encrypt(EVP_CIPHER_CTX* ctx, const Job& job, SgCursor* dst) {
  std::array<uint8_t, kMaxTagLen> tag;
  int len = 0;
  if (EVP_CipherFinal_ex(ctx, tag.data(), &len) != 1) return -EINVAL;
  if (EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, kMaxTagLen, tag.data()) != 1) return -EINVAL;
  dst->write(std::span(tag).first(job.authsize));
  return 0;
}

int finish_decrypt(EVP_CIPHER_CTX* ctx, const Job& job, SgCursor* src) {
  std::array<uint8_t, kMaxTagLen> tag;
  int len = 0;
  src->read(std::span(tag).first(job.authsize));
  if (EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, static_cast<int>(job.authsize), tag.data()) != 1) return -EINVAL;
  if (EVP_CipherFinal_ex(ctx, tag.data(), &len) == 1) return 0;
  ERR_clear_error();
  return -EBADMSG;
}

int gcm_crypt(AeadRequest& req, Direction direction) {
  CryptoAead& tfm = api::crypto_aead_reqtfm(req);
  GcmCtx& ctx = *api::crypto_aead_ctx<GcmCtx>(tfm);
  const bool encrypt = direction == Direction::kEncrypt;
  Job job{rules_of(tfm), direction, tfm.authsize, encrypt ? req.cryptlen : req.cryptlen - tfm.authsize, {}};
  if (const int err = check_request(req, job); err != 0) return err;
  std::copy_n(ctx.salt.begin(), job.rules.salt_len, job.iv.begin());
  std::copy_n(req.iv, kGcmIvLen - job.rules.salt_len, job.iv.begin() + job.rules.salt_len);

  const CipherPool::Lease cipher = ctx.pool.acquire();
  if (!cipher) return -ENOMEM;
  SgCursor src(req.src);
  SgCursor dst(req.dst, req.assoclen);
  if (!cipher_start(cipher.get(), job.iv.data(), direction)) return -EINVAL;
  if (!run_data(cipher.get(), req, job, &dst, &src)) return -EINVAL;
  return encrypt ? finish_encrypt(cipher.get(), job, &dst) : finish_decrypt(cipher.get(), job, &src);
}

int gcm_encrypt(AeadRequest& req) { return gcm_crypt(req, Direction::kEncrypt); }
int gcm_decrypt(AeadRequest& req) { return gcm_crypt(req, Direction::kDecrypt); }

constexpr api::AeadOps kGcmOps{
    .setkey = gcm_setkey,
    .setauthsize = gcm_setauthsize,
    .encrypt = gcm_encrypt,
    .decrypt = gcm_decrypt,
    .init = gcm_init,
    .exit = gcm_exit,
};

}  // namespace

void add_gcm(Algorithms* algorithms, const GcmRow& row) {
  auto alg = std::make_unique<GcmAlg>();
  algorithms->name(*alg, row.names);
  alg->rules = kRules[static_cast<size_t>(row.form)];
  alg->cra_blocksize = 1;
  alg->cra_ctxsize = sizeof(GcmCtx);
  alg->ivsize = static_cast<uint32_t>(kGcmIvLen - alg->rules.salt_len);
  alg->maxauthsize = kMaxTagLen;
  alg->chunksize = 16;
  alg->ops = kGcmOps;
  algorithms->add(std::move(alg));
}

}  // namespace caamlab::driver::software
