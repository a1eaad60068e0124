// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See rsa.h.
#include "hw_model/protocol/rsa.h"

#include <openssl/err.h>

#include <algorithm>

namespace caamlab::hw_model {

using desc::CcbError;
using desc::DecoError;

namespace {

constexpr size_t kMinPadding = 8;
constexpr int kShortExponentBits = 64;

ProtocolStatus check_modulus(const Bn& n) {
  if (n.is_zero()) return ProtocolStatus::of_pkha(CcbError::kDivideByZero);
  return n.is_odd() ? ProtocolStatus{} : ProtocolStatus::of_pkha(CcbError::kEvenModulus);
}

ProtocolStatus put(const Bn& value, std::span<uint8_t> out) {
  return value.to_be(out) ? ProtocolStatus{} : ProtocolStatus::of_pkha(CcbError::kDataSize);
}

void read(Bn& to, ByteSpan bytes) { BN_bin2bn(bytes.data(), static_cast<int>(bytes.size()), to.get()); }

}  // namespace

RsaPower::Modulus& RsaPower::modulus(ByteSpan bytes) {
  for (Modulus& m : kept_)
    if (std::ranges::equal(m.bytes, bytes)) return m;
  Modulus& m = kept_[next_];
  next_ = (next_ + 1) % kKept;
  m.bytes.assign(bytes.begin(), bytes.end());
  read(m.n, bytes);
  m.mont.reset();
  if (!m.n.is_odd() || m.n.is_one()) return m;
  m.mont.reset(BN_MONT_CTX_new());
  BN_MONT_CTX_set(m.mont.get(), m.n.get(), scratch_.get());
  return m;
}

// result = in^exponent mod m; m is odd.
void RsaPower::raise(Bn& result, const Bn& in, ByteSpan exponent, const Modulus& m) {
  read(exponent_, exponent);
  const Bn* base = &in;
  if (!(in < m.n)) {
    BN_nnmod(reduced_.get(), in.get(), m.n.get(), scratch_.get());
    base = &reduced_;
  }
  if (m.mont == nullptr)
    BN_mod_exp(result.get(), base->get(), exponent_.get(), m.n.get(), scratch_.get());
  else if (exponent_.bits() <= kShortExponentBits)
    BN_mod_exp_mont(result.get(), base->get(), exponent_.get(), m.n.get(), scratch_.get(), m.mont.get());
  else  // the faster one for long exponents
    BN_mod_exp_mont_consttime(result.get(), base->get(), exponent_.get(), m.n.get(), scratch_.get(), m.mont.get());
}

ProtocolStatus RsaPower::power(ByteSpan n, ByteSpan exponent, ByteSpan in, std::span<uint8_t> out) {
  const Modulus& m = modulus(n);
  if (const ProtocolStatus s = check_modulus(m.n); !s.ok()) return s;
  if (exponent.empty()) return ProtocolStatus::of_pkha(CcbError::kKeySize);
  if (in.size() > out.size()) return ProtocolStatus::of_deco(DecoError::kProtocolSize);
  read(in_, in);
  raise(result_, in_, exponent, m);
  return put(result_, out);
}

ProtocolStatus RsaPower::power_pq(ByteSpan p, ByteSpan q, ByteSpan d, ByteSpan in, std::span<uint8_t> out) {
  read(mp_, p);
  read(mq_, q);
  BN_mul(h_.get(), mp_.get(), mq_.get(), scratch_.get());
  std::vector<uint8_t> n(static_cast<size_t>(BN_num_bytes(h_.get())));
  h_.to_be(n);
  return power(n, d, in, out);
}

ProtocolStatus RsaPower::power_crt(const RsaCrtKey& key, ByteSpan in, std::span<uint8_t> out) {
  if (const ProtocolStatus s = check_modulus(modulus(key.p).n); !s.ok()) return s;
  const Modulus& q = modulus(key.q);
  if (const ProtocolStatus s = check_modulus(q.n); !s.ok()) return s;
  // q may have taken the place of p, but not the reverse.
  const Modulus& p = modulus(key.p);
  if (in.size() > out.size()) return ProtocolStatus::of_deco(DecoError::kProtocolSize);
  read(in_, in);
  raise(mp_, in_, key.dp, p);
  raise(mq_, in_, key.dq, q);
  read(c_, key.c);
  BN_mod_sub(h_.get(), mp_.get(), mq_.get(), p.n.get(), scratch_.get());
  BN_mod_mul(h_.get(), h_.get(), c_.get(), p.n.get(), scratch_.get());
  BN_mul(result_.get(), h_.get(), q.n.get(), scratch_.get());
  BN_add(result_.get(), result_.get(), mq_.get());
  return put(result_, out);
}

ProtocolStatus pkcs1_pad(ByteSpan message, const RandomBytes& random, std::span<uint8_t> out) {
  if (message.size() + 3 + kMinPadding > out.size()) return ProtocolStatus::of_deco(DecoError::kProtocolSize);
  const size_t padding = out.size() - message.size() - 3;
  out[0] = 0x00;
  out[1] = 0x02;
  const std::span<uint8_t> ps = out.subspan(2, padding);
  random(ps);
  for (uint8_t& b : ps)
    while (b == 0) random({&b, 1});
  out[2 + padding] = 0x00;
  std::copy(message.begin(), message.end(), out.begin() + static_cast<ptrdiff_t>(3 + padding));
  return {};
}

ProtocolStatus pkcs1_strip(ByteSpan block, ByteSpan& message) {
  const ProtocolStatus malformed = ProtocolStatus::of_deco(DecoError::kProtocolFormat);
  if (block.size() < 3 + kMinPadding || block[0] != 0x00 || block[1] != 0x02) return malformed;
  const auto end = std::find(block.begin() + 2, block.end(), uint8_t{0});
  if (end == block.end() || end - block.begin() < static_cast<ptrdiff_t>(2 + kMinPadding)) return malformed;
  message = block.subspan(static_cast<size_t>(end - block.begin()) + 1);
  return {};
}

ProtocolStatus rsa_finish_key(ByteSpan p_bytes, ByteSpan q_bytes, ByteSpan e_bytes, RsaFinish& key) {
  const Bn p = Bn::from_be(p_bytes), q = Bn::from_be(q_bytes), e = Bn::from_be(e_bytes);
  for (const Bn* prime : {&p, &q})
    if (const ProtocolStatus s = check_modulus(*prime); !s.ok()) return s;
  BnScratch scratch;
  Bn n, p1, q1, gcd, lcm, d, c, dp, dq;
  BN_mul(n.get(), p.get(), q.get(), scratch.get());
  BN_sub(p1.get(), p.get(), BN_value_one());
  BN_sub(q1.get(), q.get(), BN_value_one());
  if (p1.is_zero() || q1.is_zero()) return ProtocolStatus::of_pkha(CcbError::kDivideByZero);
  BN_gcd(gcd.get(), p1.get(), q1.get(), scratch.get());
  BN_mul(lcm.get(), p1.get(), q1.get(), scratch.get());
  BN_div(lcm.get(), nullptr, lcm.get(), gcd.get(), scratch.get());
  const bool invertible = BN_mod_inverse(d.get(), e.get(), lcm.get(), scratch.get()) != nullptr &&
                          (key.c.empty() || BN_mod_inverse(c.get(), q.get(), p.get(), scratch.get()) != nullptr);
  if (!invertible) {
    ERR_clear_error();
    return ProtocolStatus::of_pkha(CcbError::kDivideByZero);
  }
  BN_nnmod(dp.get(), d.get(), p1.get(), scratch.get());
  BN_nnmod(dq.get(), d.get(), q1.get(), scratch.get());
  key.d_len = static_cast<uint32_t>(BN_num_bytes(d.get()));
  const std::pair<const Bn*, std::span<uint8_t>> kOut[] = {
      {&n, key.n}, {&d, key.d}, {&dp, key.dp}, {&dq, key.dq}, {&c, key.c}};
  for (const auto& [value, out] : kOut) {
    if (out.empty()) continue;
    if (const ProtocolStatus s = put(*value, out); !s.ok()) return s;
  }
  return {};
}

}  // namespace caamlab::hw_model
