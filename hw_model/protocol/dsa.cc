// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See dsa.h.
#include "hw_model/protocol/dsa.h"

#include <openssl/ec.h>
#include <openssl/obj_mac.h>

#include <vector>

namespace caamlab::hw_model {

using desc::CcbError;
using desc::DecoError;

std::optional<DsaDomain> DsaDomain::make(Kind kind, const Numbers& numbers) {
  const Bn q = Bn::from_be(numbers.q);
  if (!q.is_odd()) return std::nullopt;
  DsaDomain d;
  d.kind_ = kind;
  d.l_ = numbers.q.size();
  d.n_ = numbers.r.size();
  d.field_ = kind == Kind::kBinaryCurve ? make_binary_field(q) : make_prime_field(q);
  if (kind != Kind::kInteger) d.curve_ = std::make_unique<EcCurve>(*d.field_, d.field_->reduce(Bn::from_be(numbers.a)));
  if (numbers.r.empty()) return d;
  const Bn r = Bn::from_be(numbers.r);
  if (r.bits() < 2) return std::nullopt;
  d.order_ = make_prime_field(r);
  if (!numbers.g.empty() && !d.read_element(numbers.g, d.generator_)) return std::nullopt;
  return d;
}

std::optional<DsaDomain> DsaDomain::predefined(unsigned number) {
  constexpr int kCurves[] = {NID_X9_62_prime192v1, NID_secp224r1, NID_X9_62_prime256v1, NID_secp384r1, NID_secp521r1};
  if (number >= std::size(kCurves)) return std::nullopt;
  const std::unique_ptr<EC_GROUP, decltype(&EC_GROUP_free)> group(EC_GROUP_new_by_curve_name(kCurves[number]),
                                                                  EC_GROUP_free);
  Bn q, a, b, x, y;
  EC_GROUP_get_curve(group.get(), q.get(), a.get(), b.get(), nullptr);
  EC_POINT_get_affine_coordinates(group.get(), EC_GROUP_get0_generator(group.get()), x.get(), y.get(), nullptr);
  const BIGNUM* r = EC_GROUP_get0_order(group.get());
  const size_t l = static_cast<size_t>(BN_num_bytes(q.get())), n = static_cast<size_t>(BN_num_bytes(r));
  std::vector<uint8_t> bytes(5 * l + n);
  const std::span<uint8_t> all(bytes);
  const BIGNUM* in_field[] = {q.get(), x.get(), y.get(), a.get(), b.get()};
  for (size_t i = 0; i < 5; ++i) BN_bn2binpad(in_field[i], &all[i * l], static_cast<int>(l));
  BN_bn2binpad(r, &all[5 * l], static_cast<int>(n));
  return make(Kind::kPrimeCurve, {.q = all.first(l),
                                  .r = all.subspan(5 * l, n),
                                  .g = all.subspan(l, 2 * l),
                                  .a = all.subspan(3 * l, l),
                                  .b = all.subspan(4 * l, l)});
}

bool DsaDomain::read_element(ByteSpan bytes, Element& out) {
  if (bytes.size() != point_bytes()) return false;
  if (kind_ == Kind::kInteger) {
    out.number = Bn::from_be(bytes);
    return !out.number.is_zero() && out.number < field_->modulus();
  }
  out.point = {Bn::from_be(bytes.first(l_)), Bn::from_be(bytes.subspan(l_))};
  return !out.point.infinite() && out.point.x.bits() <= field_->modulus().bits() &&
         out.point.y.bits() <= field_->modulus().bits();
}

void DsaDomain::write_element(const Element& e, std::span<uint8_t> out) const {
  if (kind_ == Kind::kInteger) {
    e.number.to_be(out);
    return;
  }
  e.point.x.to_be(out.first(l_));
  e.point.y.to_be(out.subspan(l_));
}

DsaDomain::Element DsaDomain::power(const Element& base, const Bn& k) {
  Element r;
  if (kind_ == Kind::kInteger)
    r.number = field_->exp(base.number, k);
  else
    r.point = curve_->multiply(k, base.point);
  return r;
}

DsaDomain::Element DsaDomain::combine(const Element& a, const Element& b) {
  Element r;
  if (kind_ == Kind::kInteger)
    r.number = field_->mul(a.number, b.number);
  else
    r.point = curve_->add(a.point, b.point);
  return r;
}

bool DsaDomain::neutral(const Element& e) const {
  return kind_ == Kind::kInteger ? e.number.is_zero() || e.number.is_one() : e.point.infinite();
}

Bn DsaDomain::random_scalar(const RandomBytes& random) const {
  std::vector<uint8_t> raw(n_ + 8);
  random(raw);
  Bn k = Bn::from_be(raw), range, out;
  BnScratch scratch;
  BN_sub(range.get(), order_->modulus().get(), BN_value_one());
  BN_nnmod(out.get(), k.get(), range.get(), scratch.get());
  BN_add_word(out.get(), 1);
  return out;
}

ProtocolStatus DsaDomain::key_pair(const RandomBytes& random, std::span<uint8_t> s, std::span<uint8_t> w) {
  if (!order_) return ProtocolStatus::of_deco(DecoError::kPdb);
  const Bn secret = random_scalar(random);
  secret.to_be(s);
  write_element(power(generator_, secret), w);
  return {};
}

Bn DsaDomain::leftmost_bits(ByteSpan digest) const {
  Bn f = Bn::from_be(digest);
  const int excess = static_cast<int>(digest.size() * 8) - (order_ ? order_->modulus().bits() : 0);
  if (excess > 0) BN_rshift(f.get(), f.get(), excess);
  return f;
}

ProtocolStatus DsaDomain::sign_with(ByteSpan k_bytes, ByteSpan s, ByteSpan f, std::span<uint8_t> c,
                                    std::span<uint8_t> d) {
  if (!order_) return ProtocolStatus::of_deco(DecoError::kPdb);
  FiniteField& r = *order_;
  const Bn k = r.reduce(Bn::from_be(k_bytes));
  const auto inverse = r.inverse(k);
  const Bn c_number = r.reduce(to_number(power(generator_, k)));
  if (!inverse || c_number.is_zero()) return ProtocolStatus::of_deco(DecoError::kDsaSign);
  const Bn secret = r.reduce(Bn::from_be(s));
  const Bn sum = r.add(r.reduce(Bn::from_be(f)), r.mul(secret, c_number));
  const Bn d_number = r.mul(*inverse, sum);
  if (d_number.is_zero()) return ProtocolStatus::of_deco(DecoError::kDsaSign);
  c_number.to_be(c);
  d_number.to_be(d);
  return {};
}

ProtocolStatus DsaDomain::sign(ByteSpan s, ByteSpan f, const RandomBytes& random, std::span<uint8_t> c,
                               std::span<uint8_t> d) {
  if (!order_) return ProtocolStatus::of_deco(DecoError::kPdb);
  constexpr int kTries = 16;  // a zero half comes by chance only in groups far too small
  for (int i = 0; i < kTries; ++i) {
    std::vector<uint8_t> k(n_);
    random_scalar(random).to_be(k);
    const ProtocolStatus status = sign_with(k, s, f, c, d);
    if (status.deco != DecoError::kDsaSign) return status;
  }
  return ProtocolStatus::of_deco(DecoError::kDsaSign);
}

ProtocolStatus DsaDomain::verify(ByteSpan w, ByteSpan f, ByteSpan c, ByteSpan d) {
  if (!order_) return ProtocolStatus::of_deco(DecoError::kPdb);
  const ProtocolStatus invalid = ProtocolStatus::of_deco(DecoError::kSignatureInvalid);
  FiniteField& r = *order_;
  const Bn c_number = Bn::from_be(c), d_number = Bn::from_be(d);
  for (const Bn* half : {&c_number, &d_number})
    if (half->is_zero() || !(*half < r.modulus())) return invalid;
  Element key;
  if (!read_element(w, key)) return invalid;
  const auto inverse = r.inverse(d_number);
  if (!inverse) return invalid;
  const Bn u1 = r.mul(r.reduce(Bn::from_be(f)), *inverse), u2 = r.mul(c_number, *inverse);
  const Element sum = combine(power(generator_, u1), power(key, u2));
  if (kind_ != Kind::kInteger && sum.point.infinite()) return invalid;
  return r.reduce(to_number(sum)) == c_number ? ProtocolStatus{} : invalid;
}

ProtocolStatus DsaDomain::shared_secret(ByteSpan w, ByteSpan s, std::span<uint8_t> z) {
  Element key;
  if (!read_element(w, key)) return ProtocolStatus::of_deco(DecoError::kProtocolFormat);
  const Element secret = power(key, Bn::from_be(s));
  if (neutral(secret)) return ProtocolStatus::of_deco(DecoError::kProtocolFormat);
  to_number(secret).to_be(z);
  return {};
}

}  // namespace caamlab::hw_model
