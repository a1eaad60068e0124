// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// One implementation; what the forms differ in is data. RFC 4106 and RFC 7539 for ESP: the last 8 bytes of the AAD area
// repeat the IV and are not authenticated. RFC 4543: AAD, IV and text are all authenticated, the text is copied.
#include "driver/software/aead_evp.h"

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

constexpr size_t kNonceLen = 12;
constexpr size_t kEspSaltLen = 4;
constexpr uint32_t kEspIvLen = 8;
constexpr size_t kMaxTagLen = 16;

const EVP_CIPHER* gcm_cipher(size_t keylen) {
  if (api::aes_check_keylen(keylen) != 0) return nullptr;
  return keylen == 16 ? EVP_aes_128_gcm() : keylen == 24 ? EVP_aes_192_gcm() : EVP_aes_256_gcm();
}

const EVP_CIPHER* chachapoly_cipher(size_t keylen) { return keylen == 32 ? EVP_chacha20_poly1305() : nullptr; }

int check_full_tag(unsigned int authsize) { return authsize == kMaxTagLen ? 0 : -EINVAL; }
int any_assoclen(unsigned int) { return 0; }
int at_least_the_iv(unsigned int assoclen) { return assoclen >= kEspIvLen ? 0 : -EINVAL; }

struct FormRules {
  const EVP_CIPHER* (*cipher)(size_t keylen);  // null for a length it does not take
  size_t salt_len;                             // at the end of the key, start of the nonce
  int (*check_authsize)(unsigned int);
  int (*check_assoclen)(unsigned int);
  uint32_t aad_left_out;  // bytes at the end of the AAD area
  bool text_is_aad;
  uint32_t chunksize;
};

constexpr FormRules kRules[] = {
    {gcm_cipher, 0, api::crypto_gcm_check_authsize, any_assoclen, 0, false, 16},
    {gcm_cipher, kEspSaltLen, api::crypto_rfc4106_check_authsize, api::crypto_ipsec_check_assoclen, kEspIvLen, false,
     16},
    {gcm_cipher, kEspSaltLen, api::crypto_rfc4543_check_authsize, api::crypto_ipsec_check_assoclen, 0, true, 16},
    {chachapoly_cipher, 0, check_full_tag, any_assoclen, 0, false, 64},
    {chachapoly_cipher, kEspSaltLen, check_full_tag, at_least_the_iv, kEspIvLen, false, 64},
};

struct SoftAead : api::AeadAlg {
  FormRules rules{};
};

struct AeadCtx {
  CipherPool pool;
  std::array<uint8_t, kEspSaltLen> salt{};
};

const FormRules& rules_of(const CryptoAead& tfm) {
  return static_cast<const SoftAead&>(api::crypto_aead_alg(tfm)).rules;
}

int init(CryptoAead& tfm) {
  new (tfm.ctx) AeadCtx;
  return 0;
}

void exit(CryptoAead& tfm) { std::destroy_at(api::crypto_aead_ctx<AeadCtx>(tfm)); }

int setkey(CryptoAead& tfm, std::span<const uint8_t> key) {
  const size_t salt_len = rules_of(tfm).salt_len;
  if (key.size() < salt_len) return -EINVAL;
  AeadCtx& ctx = *api::crypto_aead_ctx<AeadCtx>(tfm);
  std::ranges::copy(key.last(salt_len), ctx.salt.begin());
  key = key.first(key.size() - salt_len);
  return ctx.pool.set_key(rules_of(tfm).cipher(key.size()), key, Direction::kEncrypt);
}

int setauthsize(CryptoAead& tfm, unsigned int authsize) { return rules_of(tfm).check_authsize(authsize); }

// One request taken apart.
struct Job {
  const FormRules& rules;
  Direction direction;
  size_t authsize;
  size_t text_len;
  std::array<uint8_t, kNonceLen> iv;
};

int check_request(const AeadRequest& req, const Job& job) {
  if (job.rules.check_assoclen(req.assoclen) != 0) return -EINVAL;
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
  if (!cipher_aad(ctx, src, req.assoclen - job.rules.aad_left_out)) return false;
  src->advance(job.rules.aad_left_out);
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

int crypt(AeadRequest& req, Direction direction) {
  CryptoAead& tfm = api::crypto_aead_reqtfm(req);
  AeadCtx& ctx = *api::crypto_aead_ctx<AeadCtx>(tfm);
  const bool encrypt = direction == Direction::kEncrypt;
  Job job{rules_of(tfm), direction, tfm.authsize, encrypt ? req.cryptlen : req.cryptlen - tfm.authsize, {}};
  if (const int err = check_request(req, job); err != 0) return err;
  std::copy_n(ctx.salt.begin(), job.rules.salt_len, job.iv.begin());
  std::copy_n(req.iv, kNonceLen - job.rules.salt_len, job.iv.begin() + job.rules.salt_len);

  const CipherPool::Lease cipher = ctx.pool.acquire();
  if (!cipher) return -ENOMEM;
  SgCursor src(req.src);
  SgCursor dst(req.dst, req.assoclen);
  if (!cipher_start(cipher.get(), job.iv.data(), direction)) return -EINVAL;
  if (!run_data(cipher.get(), req, job, &dst, &src)) return -EINVAL;
  return encrypt ? finish_encrypt(cipher.get(), job, &dst) : finish_decrypt(cipher.get(), job, &src);
}

int encrypt(AeadRequest& req) { return crypt(req, Direction::kEncrypt); }
int decrypt(AeadRequest& req) { return crypt(req, Direction::kDecrypt); }

constexpr api::AeadOps kOps{
    .setkey = setkey,
    .setauthsize = setauthsize,
    .encrypt = encrypt,
    .decrypt = decrypt,
    .init = init,
    .exit = exit,
};

}  // namespace

void add_evp_aead(Algorithms* algorithms, const EvpAeadRow& row) {
  auto alg = std::make_unique<SoftAead>();
  algorithms->name(*alg, row.names);
  alg->rules = kRules[static_cast<size_t>(row.form)];
  alg->cra_blocksize = 1;
  alg->cra_ctxsize = sizeof(AeadCtx);
  alg->ivsize = static_cast<uint32_t>(kNonceLen - alg->rules.salt_len);
  alg->maxauthsize = kMaxTagLen;
  alg->chunksize = alg->rules.chunksize;
  alg->ops = kOps;
  algorithms->add(std::move(alg));
}

}  // namespace caamlab::driver::software
