// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The arithmetic of key pairs, (EC)DSA and (EC)DH (hardware.md 2.15.5), over domains given whole or by number. Numbers
// are big endian; points are x then y, each as long as q. Assumed: a private key or a nonce is 1 + (8 bytes more than r
// of random mod (r - 1)); a signature with a zero half is made anew; a shared secret of zero, or at infinity, is a
// format error; a public key at infinity, or not below q, is no good.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "hw_model/cha/arith/ec_curve.h"
#include "hw_model/protocol/status.h"

namespace caamlab::hw_model {

using desc::ByteSpan;

// The letters of the PDBs: q the field's modulus, r the subgroup's order, g the generator, a and b the curve.
class DsaDomain {
 public:
  enum class Kind : uint8_t { kInteger, kPrimeCurve, kBinaryCurve };
  struct Numbers {
    ByteSpan q, r, g, a, b;  // a, b: curves; r, g: not needed for Diffie-Hellman
  };
  // Nothing if q is zero or even, or r is given and below 2.
  static std::optional<DsaDomain> make(Kind kind, const Numbers& numbers);
  // 0 P-192, 1 P-224, 2 P-256, 3 P-384, 4 P-521.
  static std::optional<DsaDomain> predefined(unsigned number);

  size_t field_bytes() const { return l_; }
  size_t order_bytes() const { return n_; }
  size_t point_bytes() const { return kind_ == Kind::kInteger ? l_ : 2 * l_; }

  // s: order_bytes(), w: point_bytes().
  ProtocolStatus key_pair(const RandomBytes& random, std::span<uint8_t> s, std::span<uint8_t> w);
  // f: the message's representative, any length; c, d: order_bytes() each.
  ProtocolStatus sign(ByteSpan s, ByteSpan f, const RandomBytes& random, std::span<uint8_t> c, std::span<uint8_t> d);
  // The same with a nonce k of the caller's. kDsaSign: k gives a zero half.
  ProtocolStatus sign_with(ByteSpan k, ByteSpan s, ByteSpan f, std::span<uint8_t> c, std::span<uint8_t> d);
  // kSignatureInvalid if it is.
  ProtocolStatus verify(ByteSpan w, ByteSpan f, ByteSpan c, ByteSpan d);
  // z: field_bytes().
  ProtocolStatus shared_secret(ByteSpan w, ByteSpan s, std::span<uint8_t> z);
  // The leftmost bits of a digest, as many as r has (FIPS 186).
  Bn leftmost_bits(ByteSpan digest) const;

 private:
  // A member of the group: a number, or a point.
  struct Element {
    Bn number;
    EcPoint point;
  };
  bool read_element(ByteSpan bytes, Element& out);
  void write_element(const Element& e, std::span<uint8_t> out) const;
  Element power(const Element& base, const Bn& k);
  Element combine(const Element& a, const Element& b);
  Bn to_number(const Element& e) const { return kind_ == Kind::kInteger ? e.number : e.point.x; }
  bool neutral(const Element& e) const;
  Bn random_scalar(const RandomBytes& random) const;

  Kind kind_ = Kind::kInteger;
  size_t l_ = 0, n_ = 0;
  std::unique_ptr<FiniteField> field_, order_;
  std::unique_ptr<EcCurve> curve_;
  Element generator_;
};

}  // namespace caamlab::hw_model
