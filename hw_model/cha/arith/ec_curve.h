// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Points of y^2 = x^3 + ax + b over a prime field or y^2 + xy = x^3 + ax^2 + b over a binary one. The formulas do not
// look at b, so a point that is not on the curve gives what the silicon's formulas would give, not an error;
// libcrypto's own group functions refuse such points.
#pragma once

#include "hw_model/cha/arith/finite_field.h"

namespace caamlab::hw_model {

// Affine; the point at infinity is (0, 0), as in the PKHA.
struct EcPoint {
  Bn x, y;
  bool infinite() const { return x.is_zero() && y.is_zero(); }
};

class EcCurve {
 public:
  // `field` must outlive this.
  EcCurve(FiniteField& field, const Bn& a) : f_(field), a_(a) {}
  EcPoint add(const EcPoint& p, const EcPoint& q);
  EcPoint twice(const EcPoint& p);
  EcPoint multiply(const Bn& k, const EcPoint& p);
  // Of the two sides of the curve's equation: zero on the curve.
  Bn difference(const EcPoint& p, const Bn& b);

 private:
  // Prime fields: x = X / Z^2, y = Y / Z^3; Z = 0 at infinity.
  struct Jacobian {
    Bn x, y, z;
  };
  Jacobian twice(const Jacobian& p);
  Jacobian add(const Jacobian& p, const EcPoint& q);
  EcPoint affine(const Jacobian& p);
  EcPoint chord(const EcPoint& p, const EcPoint& q, const Bn& slope);

  FiniteField& f_;
  Bn a_;
};

}  // namespace caamlab::hw_model
