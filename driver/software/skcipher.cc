// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Front-end operations over SymmetricCipher.
#include "driver/software/skcipher.h"

#include <memory>

namespace caamlab::driver::software {
namespace {

using api::CryptoSkcipher;
using api::SkcipherRequest;

struct SoftSkcipher : api::SkcipherAlg {
  explicit SoftSkcipher(const CipherSpec& cipher) : spec(cipher) {}
  CipherSpec spec;
};

const CipherSpec& spec_of(const CryptoSkcipher& tfm) {
  return static_cast<const SoftSkcipher&>(api::crypto_skcipher_alg(tfm)).spec;
}
SymmetricCipher& cipher_of(const CryptoSkcipher& tfm) { return *api::crypto_skcipher_ctx<SymmetricCipher>(tfm); }

int init(CryptoSkcipher& tfm) {
  new (tfm.ctx) SymmetricCipher;
  return 0;
}

void exit(CryptoSkcipher& tfm) { std::destroy_at(&cipher_of(tfm)); }

int setkey(CryptoSkcipher& tfm, std::span<const uint8_t> key) { return cipher_of(tfm).set_key(spec_of(tfm), tfm, key); }

int crypt(SkcipherRequest& req, Direction direction) {
  if (api::sg_nents_for_len(req.src, req.cryptlen) < 0 || api::sg_nents_for_len(req.dst, req.cryptlen) < 0) {
    return -EINVAL;
  }
  const CryptoSkcipher& tfm = api::crypto_skcipher_reqtfm(req);
  api::SgCursor src(req.src);
  api::SgCursor dst(req.dst);
  return cipher_of(tfm).crypt(spec_of(tfm), direction, &dst, &src, req.cryptlen, req.iv);
}

constexpr api::SkcipherOps kOps{
    .setkey = setkey,
    .encrypt = [](SkcipherRequest& req) { return crypt(req, Direction::kEncrypt); },
    .decrypt = [](SkcipherRequest& req) { return crypt(req, Direction::kDecrypt); },
    .init = init,
    .exit = exit,
};

}  // namespace

void add_skcipher(Algorithms* algorithms, const SkcipherRow& row) {
  auto alg = std::make_unique<SoftSkcipher>(row.spec);
  algorithms->name(*alg, row.names);
  alg->cra_blocksize = row.spec.blocksize;
  alg->cra_ctxsize = sizeof(SymmetricCipher);
  alg->min_keysize = row.spec.min_keysize;
  alg->max_keysize = row.spec.max_keysize;
  alg->ivsize = row.spec.ivsize;
  alg->chunksize = row.spec.chunksize;
  alg->walksize = row.walksize;
  alg->ops = kOps;
  algorithms->add(std::move(alg));
}

}  // namespace caamlab::driver::software
