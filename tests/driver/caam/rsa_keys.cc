// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See rsa_keys.h.
#include "tests/driver/caam/rsa_keys.h"

#include <openssl/bn.h>

#include <map>
#include <memory>
#include <stdexcept>

#include "tests/driver/software/rsa_vectors.h"

namespace caamlab::tests {
namespace {

struct BnFree {
  void operator()(BIGNUM* n) const { BN_free(n); }
  void operator()(BN_CTX* c) const { BN_CTX_free(c); }
};
using Bn = std::unique_ptr<BIGNUM, BnFree>;

Bytes bytes_of(const BIGNUM* n) {
  Bytes out(static_cast<size_t>(BN_num_bytes(n)));
  BN_bn2bin(n, out.data());
  return out;
}

// The first prime behind a seeded number with both top bits set.
Bn prime(unsigned bits, uint64_t seed, BN_CTX* ctx) {
  Bytes start = random_bytes(bits / 8, seed);
  start.front() |= 0xC0;
  start.back() |= 1;
  Bn p(BN_bin2bn(start.data(), static_cast<int>(start.size()), nullptr));
  while (BN_check_prime(p.get(), ctx, nullptr) != 1) BN_add_word(p.get(), 2);
  return p;
}

RsaNumbers make_numbers(unsigned p_bits, unsigned q_bits) {
  const std::unique_ptr<BN_CTX, BnFree> ctx(BN_CTX_new());
  const Bn p = prime(p_bits, p_bits, ctx.get()), q = prime(q_bits, q_bits + 1, ctx.get());
  Bn n(BN_new()), p1(BN_dup(p.get())), q1(BN_dup(q.get())), phi(BN_new()), e(BN_new()), d(BN_new()), r(BN_new());
  BN_mul(n.get(), p.get(), q.get(), ctx.get());
  BN_sub_word(p1.get(), 1);
  BN_sub_word(q1.get(), 1);
  BN_mul(phi.get(), p1.get(), q1.get(), ctx.get());
  BN_set_word(e.get(), 65537);
  if (BN_mod_inverse(d.get(), e.get(), phi.get(), ctx.get()) == nullptr)
    throw std::runtime_error("e divides phi(n): choose other sizes");
  RsaNumbers key{.n = bytes_of(n.get()),
                 .e = bytes_of(e.get()),
                 .d = bytes_of(d.get()),
                 .p = bytes_of(p.get()),
                 .q = bytes_of(q.get())};
  BN_mod(r.get(), d.get(), p1.get(), ctx.get());
  key.dp = bytes_of(r.get());
  BN_mod(r.get(), d.get(), q1.get(), ctx.get());
  key.dq = bytes_of(r.get());
  BN_mod_inverse(r.get(), q.get(), p.get(), ctx.get());
  key.qinv = bytes_of(r.get());
  return key;
}

}  // namespace

Bytes RsaNumbers::pub() const { return ber_sequence({n, e}); }

Bytes RsaNumbers::priv(int form) const {
  const bool primes = form >= 2, crt = form >= 3;
  return ber_sequence({{},
                       n,
                       e,
                       d,
                       primes ? p : Bytes(),
                       primes ? q : Bytes(),
                       crt ? dp : Bytes(),
                       crt ? dq : Bytes(),
                       crt ? qinv : Bytes()});
}

Bytes RsaNumbers::longer_dp() const {
  Bn sum(BN_bin2bn(dp.data(), static_cast<int>(dp.size()), nullptr));
  Bn p1(BN_bin2bn(p.data(), static_cast<int>(p.size()), nullptr));
  BN_sub_word(p1.get(), 1);
  BN_lshift(p1.get(), p1.get(), 16);
  BN_add(sum.get(), sum.get(), p1.get());
  return bytes_of(sum.get());
}

const RsaNumbers& rsa_numbers(unsigned p_bits, unsigned q_bits) {
  static std::map<std::pair<unsigned, unsigned>, RsaNumbers> made;
  auto found = made.find({p_bits, q_bits});
  if (found == made.end()) found = made.emplace(std::pair{p_bits, q_bits}, make_numbers(p_bits, q_bits)).first;
  return found->second;
}

RsaResult run_rsa(api::CryptoAkcipher& tfm, RsaOp op, Bytes in, size_t room, const std::vector<size_t>& src_pieces,
                  const std::vector<size_t>& dst_pieces) {
  RsaResult result;
  result.out.assign(room, 0xcc);
  const api::SgTable src = api::SgTable::split_at(in, src_pieces);
  const api::SgTable dst = api::SgTable::split_at(result.out, dst_pieces);
  auto req = akcipher_request_alloc(tfm);
  api::CryptoWait wait;
  akcipher_request_set_callback(*req, 0, api::crypto_req_done, &wait);
  akcipher_request_set_crypt(*req, src, dst, static_cast<uint32_t>(in.size()), static_cast<uint32_t>(room));
  result.err = crypto_wait_req(op(*req), wait, tfm);
  result.dst_len = req->dst_len;
  return result;
}

}  // namespace caamlab::tests
