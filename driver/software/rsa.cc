// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Numbers are libcrypto's; unlike the other software algorithms, an operation allocates them.
#include "driver/software/rsa.h"

#include <openssl/bn.h>
#include <openssl/err.h>

#include <algorithm>
#include <array>
#include <memory>

#include "api/rsa_helper.h"

namespace caamlab::driver::software {
namespace {

using api::AkcipherRequest;
using api::CryptoAkcipher;

struct BnFree {
  void operator()(BIGNUM* number) const { BN_clear_free(number); }
  void operator()(BN_CTX* ctx) const { BN_CTX_free(ctx); }
};
using Bn = std::unique_ptr<BIGNUM, BnFree>;
using BnCtx = std::unique_ptr<BN_CTX, BnFree>;

constexpr size_t kMaxModulus = 512;  // bytes
constexpr std::array<size_t, 6> kModulusBits = {512, 1024, 1536, 2048, 3072, 4096};

struct RsaCtx {
  Bn n, e, d;
};

RsaCtx& ctx_of(const CryptoAkcipher& tfm) { return *api::akcipher_tfm_ctx<RsaCtx>(tfm); }

Bn number(std::span<const uint8_t> bytes) {
  return Bn(BN_bin2bn(bytes.data(), static_cast<int>(bytes.size()), nullptr));
}

// The old key is gone, whatever happens.
int set_key(CryptoAkcipher& tfm, int parse_err, const api::RsaKey& key) {
  RsaCtx& ctx = ctx_of(tfm);
  ctx = RsaCtx{};
  if (parse_err != 0) return parse_err;
  const size_t bits = key.n.size() * 8;
  if (std::ranges::find(kModulusBits, bits) == kModulusBits.end()) return -EINVAL;
  RsaCtx made{number(key.n), number(key.e), key.d.empty() ? nullptr : number(key.d)};
  if (made.n == nullptr || made.e == nullptr || (!key.d.empty() && made.d == nullptr)) return -ENOMEM;
  if (BN_is_odd(made.n.get()) == 0) return -EINVAL;  // Montgomery needs it; no RSA modulus is even
  ctx = std::move(made);
  return 0;
}

int set_pub_key(CryptoAkcipher& tfm, std::span<const uint8_t> ber) {
  api::RsaKey key;
  const int err = api::rsa_parse_pub_key(&key, ber, tfm.registry->fips_enabled());
  return set_key(tfm, err, key);
}

int set_priv_key(CryptoAkcipher& tfm, std::span<const uint8_t> ber) {
  api::RsaKey key;
  const int err = api::rsa_parse_priv_key(&key, ber, tfm.registry->fips_enabled());
  return set_key(tfm, err, key);
}

unsigned int max_size(CryptoAkcipher& tfm) {
  const Bn& n = ctx_of(tfm).n;
  return n == nullptr ? 0 : static_cast<unsigned int>(BN_num_bytes(n.get()));
}

// dst = src ^ exponent mod n, padded with zeros to the length of n. Leading zeros of src do not count.
int power(AkcipherRequest& req, const BIGNUM* exponent) {
  CryptoAkcipher& tfm = api::crypto_akcipher_reqtfm(req);
  const BIGNUM* n = ctx_of(tfm).n.get();
  if (n == nullptr || exponent == nullptr) return -EINVAL;
  const size_t size = max_size(tfm);
  if (req.dst_len < size) {
    req.dst_len = static_cast<uint32_t>(size);
    return -EOVERFLOW;
  }
  if (api::sg_nents_for_len(req.src, req.src_len) < 0 || api::sg_nents_for_len(req.dst, size) < 0) return -EINVAL;
  std::array<uint8_t, kMaxModulus> bytes;
  Bn in(BN_new());
  Bn out(BN_new());
  const BnCtx ctx(BN_CTX_new());
  if (in == nullptr || out == nullptr || ctx == nullptr) return -ENOMEM;
  // Longer than the modulus is fine as long as the number is not: take the tail, see that the rest is zero.
  const size_t excess = req.src_len > size ? req.src_len - size : 0;
  api::SgCursor src(req.src);
  for (size_t i = 0; i < excess; ++i) {
    if (src.run()[0] != 0) return -EINVAL;
    src.advance(1);
  }
  const auto tail = std::span(bytes).first(req.src_len - excess);
  src.read(tail);
  if (BN_bin2bn(tail.data(), static_cast<int>(tail.size()), in.get()) == nullptr) return -ENOMEM;
  if (BN_cmp(in.get(), n) >= 0) return -EINVAL;
  if (BN_mod_exp_mont_consttime(out.get(), in.get(), exponent, n, ctx.get(), nullptr) != 1 ||
      BN_bn2binpad(out.get(), bytes.data(), static_cast<int>(size)) < 0) {
    ERR_clear_error();
    return -EINVAL;
  }
  api::sg_copy_from_buffer(req.dst, std::span(bytes).first(size));
  req.dst_len = static_cast<uint32_t>(size);
  return 0;
}

int encrypt(AkcipherRequest& req) { return power(req, ctx_of(api::crypto_akcipher_reqtfm(req)).e.get()); }
int decrypt(AkcipherRequest& req) { return power(req, ctx_of(api::crypto_akcipher_reqtfm(req)).d.get()); }

int init(CryptoAkcipher& tfm) {
  new (tfm.ctx) RsaCtx;
  return 0;
}

void exit(CryptoAkcipher& tfm) { std::destroy_at(&ctx_of(tfm)); }

}  // namespace

void add_rsa(Algorithms* algorithms, const AlgNames& names) {
  auto alg = std::make_unique<api::AkcipherAlg>();
  algorithms->name(*alg, names);
  alg->cra_ctxsize = sizeof(RsaCtx);
  alg->ops.encrypt = encrypt;
  alg->ops.decrypt = decrypt;
  alg->ops.set_pub_key = set_pub_key;
  alg->ops.set_priv_key = set_priv_key;
  alg->ops.max_size = max_size;
  alg->ops.init = init;
  alg->ops.exit = exit;
  algorithms->add(std::move(alg));
}

}  // namespace caamlab::driver::software
