// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See ec_curve.h. Prime fields multiply in Jacobian coordinates, binary fields in affine ones.
#include "hw_model/cha/arith/ec_curve.h"

namespace caamlab::hw_model {

// The third point of the line through p and q with this slope, mirrored.
EcPoint EcCurve::chord(const EcPoint& p, const EcPoint& q, const Bn& slope) {
  EcPoint r;
  if (f_.binary()) {
    r.x = f_.add(f_.add(f_.add(f_.mul(slope, slope), slope), f_.add(p.x, q.x)), a_);
    r.y = f_.add(f_.add(f_.mul(slope, f_.add(p.x, r.x)), r.x), p.y);
  } else {
    r.x = f_.sub(f_.sub(f_.mul(slope, slope), p.x), q.x);
    r.y = f_.sub(f_.mul(slope, f_.sub(p.x, r.x)), p.y);
  }
  return r;
}

EcPoint EcCurve::add(const EcPoint& p, const EcPoint& q) {
  if (p.infinite()) return q;
  if (q.infinite()) return p;
  if (p.x == q.x) return p.y == q.y ? twice(p) : EcPoint{};
  const auto inverse = f_.inverse(f_.sub(q.x, p.x));
  if (!inverse) return {};
  return chord(p, q, f_.mul(f_.sub(q.y, p.y), *inverse));
}

EcPoint EcCurve::twice(const EcPoint& p) {
  if (p.infinite()) return p;
  if (f_.binary()) {
    const auto inverse = f_.inverse(p.x);
    if (!inverse) return {};
    const Bn slope = f_.add(p.x, f_.mul(p.y, *inverse));
    EcPoint r;
    r.x = f_.add(f_.add(f_.mul(slope, slope), slope), a_);
    r.y = f_.add(f_.mul(p.x, p.x), f_.mul(f_.add(slope, Bn(1)), r.x));
    return r;
  }
  const auto inverse = f_.inverse(f_.add(p.y, p.y));
  if (!inverse) return {};
  const Bn square = f_.mul(p.x, p.x);
  return chord(p, p, f_.mul(f_.add(f_.add(square, f_.add(square, square)), a_), *inverse));
}

EcCurve::Jacobian EcCurve::twice(const Jacobian& p) {
  const Bn y2 = f_.mul(p.y, p.y), z2 = f_.mul(p.z, p.z), x2 = f_.mul(p.x, p.x), xy2 = f_.mul(p.x, y2);
  const Bn s = f_.add(f_.add(xy2, xy2), f_.add(xy2, xy2));  // 4xy^2
  const Bn m = f_.add(f_.add(x2, f_.add(x2, x2)), f_.mul(a_, f_.mul(z2, z2)));
  Bn y4 = f_.mul(y2, y2);
  for (int i = 0; i < 3; ++i) y4 = f_.add(y4, y4);  // 8y^4
  Jacobian r;
  r.x = f_.sub(f_.mul(m, m), f_.add(s, s));
  r.y = f_.sub(f_.mul(m, f_.sub(s, r.x)), y4);
  const Bn yz = f_.mul(p.y, p.z);
  r.z = f_.add(yz, yz);
  return r;
}

EcCurve::Jacobian EcCurve::add(const Jacobian& p, const EcPoint& q) {
  if (p.z.is_zero()) return {q.x, q.y, Bn(1)};
  const Bn z2 = f_.mul(p.z, p.z), h = f_.sub(f_.mul(q.x, z2), p.x), r = f_.sub(f_.mul(q.y, f_.mul(z2, p.z)), p.y);
  if (h.is_zero()) return r.is_zero() ? twice(p) : Jacobian{};
  const Bn h2 = f_.mul(h, h), h3 = f_.mul(h2, h), v = f_.mul(p.x, h2);
  Jacobian out;
  out.x = f_.sub(f_.sub(f_.mul(r, r), h3), f_.add(v, v));
  out.y = f_.sub(f_.mul(r, f_.sub(v, out.x)), f_.mul(p.y, h3));
  out.z = f_.mul(p.z, h);
  return out;
}

EcPoint EcCurve::affine(const Jacobian& p) {
  const auto z = f_.inverse(p.z);
  if (!z) return {};
  const Bn z2 = f_.mul(*z, *z);
  return {f_.mul(p.x, z2), f_.mul(p.y, f_.mul(z2, *z))};
}

EcPoint EcCurve::multiply(const Bn& k, const EcPoint& p) {
  if (p.infinite()) return p;
  if (f_.binary()) {
    EcPoint r;
    for (int i = k.bits() - 1; i >= 0; --i) {
      r = twice(r);
      if (k.bit(i)) r = add(r, p);
    }
    return r;
  }
  Jacobian r;
  for (int i = k.bits() - 1; i >= 0; --i) {
    r = twice(r);
    if (k.bit(i)) r = add(r, p);
  }
  return affine(r);
}

Bn EcCurve::difference(const EcPoint& p, const Bn& b) {
  const Bn x2 = f_.mul(p.x, p.x), x3 = f_.mul(x2, p.x);
  Bn left = f_.mul(p.y, p.y), right = f_.add(x3, f_.reduce(b));
  if (f_.binary()) {
    left = f_.add(left, f_.mul(p.x, p.y));
    right = f_.add(right, f_.mul(a_, x2));
  } else {
    right = f_.add(right, f_.mul(a_, p.x));
  }
  return f_.sub(left, right);
}

}  // namespace caamlab::hw_model
