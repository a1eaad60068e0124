// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// One implementation for all hashes, ciphers and IV forms. AAD (and the IV on the wire) is copied to dst when
// encrypting, as the templates do; decryption checks the tag before it writes anything.
#include "driver/software/authenc.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <array>
#include <memory>

#include "api/keys.h"

namespace caamlab::driver::software {
namespace {

using api::AeadRequest;
using api::CryptoAead;
using api::Scatterlist;
using api::SgCursor;

constexpr size_t kMaxIvLen = 16;
using Iv = std::array<uint8_t, kMaxIvLen>;

struct SoftAuthenc : api::AeadAlg {
  SoftAuthenc(const HashAlgorithm& h, const CipherSpec& c, IvForm f) : hash(h), cipher(c), iv_form(f) {}
  HashAlgorithm hash;
  CipherSpec cipher;
  IvForm iv_form;
};

struct AuthencCtx {
  HmacKey hmac;
  SymmetricCipher cipher;
  Iv salt{};
};

const SoftAuthenc& alg_of(const CryptoAead& tfm) { return static_cast<const SoftAuthenc&>(api::crypto_aead_alg(tfm)); }
AuthencCtx& ctx_of(const CryptoAead& tfm) { return *api::crypto_aead_ctx<AuthencCtx>(tfm); }

int init(CryptoAead& tfm) {
  auto* ctx = new (tfm.ctx) AuthencCtx;
  if (alg_of(tfm).iv_form != IvForm::kCaller) {
    tfm.registry->get_random_bytes(std::span(ctx->salt).first(alg_of(tfm).ivsize));
  }
  return 0;
}

void exit(CryptoAead& tfm) { std::destroy_at(&ctx_of(tfm)); }

int setkey(CryptoAead& tfm, std::span<const uint8_t> key) {
  api::CryptoAuthencKeys keys;
  if (const int err = api::crypto_authenc_extractkeys(&keys, key); err != 0) return err;
  const SoftAuthenc& alg = alg_of(tfm);
  if (tfm.registry->fips_enabled() && keys.authkey.size() < kFipsMinHmacKey) return -EINVAL;
  if (keys.enckey.size() < alg.cipher.min_keysize || keys.enckey.size() > alg.cipher.max_keysize) return -EINVAL;
  hmac_set_key(alg.hash, &ctx_of(tfm).hmac, keys.authkey);
  return ctx_of(tfm).cipher.set_key(alg.cipher, tfm, keys.enckey);
}

// HMAC of the first `len` bytes of the list.
void authenticate(const CryptoAead& tfm, Scatterlist list, size_t len, uint8_t* digest) {
  const HashAlgorithm& hash = alg_of(tfm).hash;
  HashState state = ctx_of(tfm).hmac.inner;
  SgCursor cursor(list);
  while (len > 0) {
    const size_t step = std::min(len, cursor.run().size());
    hash.update(&state, cursor.run().first(step));
    len -= cursor.advance(step);
  }
  hmac_final(hash, ctx_of(tfm).hmac, &state, digest);
}

// seqiv: the number in the caller's IV field, masked.
void make_seqiv(const CryptoAead& tfm, const uint8_t* number, Iv* iv) {
  for (size_t i = 0; i < alg_of(tfm).ivsize; ++i) (*iv)[i] = number[i] ^ ctx_of(tfm).salt[i];
}

// echainiv: the last 8 bytes of the caller's IV field are a big-endian number; each 8 bytes of IV are its product with
// an odd salt. (The kernel multiplies in the CPU's byte order, here it is always little-endian.)
void make_echainiv(const CryptoAead& tfm, const uint8_t* field, Iv* iv) {
  const size_t ivsize = alg_of(tfm).ivsize;
  uint64_t number = 0;
  for (size_t i = ivsize - 8; i < ivsize; ++i) number = number << 8 | field[i];
  for (size_t at = 0; at < ivsize; at += 8) {
    uint64_t factor = 1;
    for (size_t i = 0; i < 8; ++i) factor |= uint64_t{ctx_of(tfm).salt[at + i]} << (8 * i);
    const uint64_t product = factor * number;
    for (size_t i = 0; i < 8; ++i) (*iv)[at + i] = static_cast<uint8_t>(product >> (8 * i));
  }
}

// Sets *iv to what the text is encrypted under and writes the IV on the wire to *dst.
int generate_iv(const CryptoAead& tfm, const uint8_t* field, Iv* iv, SgCursor* dst) {
  const SoftAuthenc& alg = alg_of(tfm);
  if (alg.iv_form == IvForm::kSeqiv) {
    make_seqiv(tfm, field, iv);
  } else {
    make_echainiv(tfm, field, iv);
    Iv zeros{};
    const api::Segment segment{zeros.data(), alg.ivsize};
    SgCursor in(std::span(&segment, 1));
    SgCursor out(std::span(&segment, 1));
    const int err = ctx_of(tfm).cipher.crypt(alg.cipher, Direction::kEncrypt, &out, &in, alg.ivsize, iv->data());
    if (err != 0) return err;  // *iv is now the first cipher block, which chains into the text
  }
  dst->write(std::span(*iv).first(alg.ivsize));
  return 0;
}

int check_lengths(const AeadRequest& req, uint64_t src_len, uint64_t dst_len) {
  return api::sg_nents_for_len(req.src, src_len) < 0 || api::sg_nents_for_len(req.dst, dst_len) < 0 ? -EINVAL : 0;
}

int encrypt(AeadRequest& req) {
  const CryptoAead& tfm = api::crypto_aead_reqtfm(req);
  const SoftAuthenc& alg = alg_of(tfm);
  const uint64_t data_len = uint64_t{req.assoclen} + req.cryptlen;
  if (const int err = check_lengths(req, data_len, data_len + tfm.authsize); err != 0) return err;
  const bool makes_iv = alg.iv_form != IvForm::kCaller;
  if (makes_iv && req.cryptlen < alg.ivsize) return -EINVAL;
  const size_t wire_iv_len = makes_iv ? alg.ivsize : 0;

  SgCursor src(req.src);
  SgCursor dst(req.dst);
  copy_bytes(&dst, &src, req.assoclen);
  Iv iv{};
  if (makes_iv) {
    if (const int err = generate_iv(tfm, req.iv, &iv, &dst); err != 0) return err;
    src.advance(wire_iv_len);
  } else {
    std::copy_n(req.iv, alg.ivsize, iv.begin());
  }
  const size_t text_len = req.cryptlen - wire_iv_len;
  const int err = ctx_of(tfm).cipher.crypt(alg.cipher, Direction::kEncrypt, &dst, &src, text_len, iv.data());
  if (err != 0) return err;
  std::array<uint8_t, api::kMaxDigestSize> digest;
  authenticate(tfm, req.dst, data_len, digest.data());
  dst.write(std::span(digest).first(tfm.authsize));
  return 0;
}

int decrypt(AeadRequest& req) {
  const CryptoAead& tfm = api::crypto_aead_reqtfm(req);
  const SoftAuthenc& alg = alg_of(tfm);
  const bool makes_iv = alg.iv_form != IvForm::kCaller;
  const size_t wire_iv_len = makes_iv ? alg.ivsize : 0;
  if (req.cryptlen < wire_iv_len + tfm.authsize) return -EINVAL;
  const uint64_t data_len = uint64_t{req.assoclen} + req.cryptlen - tfm.authsize;
  if (const int err = check_lengths(req, data_len + tfm.authsize, data_len); err != 0) return err;

  std::array<uint8_t, api::kMaxDigestSize> digest;
  std::array<uint8_t, api::kMaxDigestSize> received;
  authenticate(tfm, req.src, data_len, digest.data());
  api::sg_copy_to_buffer(std::span(received).first(tfm.authsize), req.src, data_len);
  if (CRYPTO_memcmp(digest.data(), received.data(), tfm.authsize) != 0) return -EBADMSG;

  SgCursor src(req.src, req.assoclen);
  SgCursor dst(req.dst, req.assoclen + wire_iv_len);
  Iv iv{};
  if (makes_iv) {
    src.read(std::span(iv).first(alg.ivsize));
  } else {
    std::copy_n(req.iv, alg.ivsize, iv.begin());
  }
  const size_t text_len = req.cryptlen - tfm.authsize - wire_iv_len;
  return ctx_of(tfm).cipher.crypt(alg.cipher, Direction::kDecrypt, &dst, &src, text_len, iv.data());
}

constexpr api::AeadOps kOps{.setkey = setkey, .encrypt = encrypt, .decrypt = decrypt, .init = init, .exit = exit};

}  // namespace

void add_authenc(Algorithms* algorithms, const AuthencRow& row) {
  auto alg = std::make_unique<SoftAuthenc>(row.hash, row.cipher, row.iv_form);
  algorithms->name(*alg, row.names);
  alg->cra_blocksize = row.cipher.blocksize;
  alg->cra_ctxsize = sizeof(AuthencCtx);
  alg->ivsize = row.cipher.ivsize;
  alg->maxauthsize = row.hash.digestsize;
  alg->chunksize = row.cipher.chunksize;
  alg->ops = kOps;
  algorithms->add(std::move(alg));
}

}  // namespace caamlab::driver::software
