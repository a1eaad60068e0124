// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See finite_field.h.
#include "hw_model/cha/arith/finite_field.h"

#include <openssl/err.h>

#include <utility>

namespace caamlab::hw_model {
namespace {

class PrimeField : public FiniteField {
 public:
  using FiniteField::FiniteField;
  Bn add(const Bn& a, const Bn& b) override {
    Bn r;
    BN_mod_add(r.get(), a.get(), b.get(), modulus_.get(), scratch_.get());
    return r;
  }
  Bn sub(const Bn& a, const Bn& b) override {
    Bn r;
    BN_mod_sub(r.get(), a.get(), b.get(), modulus_.get(), scratch_.get());
    return r;
  }
  Bn mul(const Bn& a, const Bn& b) override {
    Bn r;
    BN_mod_mul(r.get(), a.get(), b.get(), modulus_.get(), scratch_.get());
    return r;
  }
  Bn reduce(const Bn& a) override {
    Bn r;
    BN_nnmod(r.get(), a.get(), modulus_.get(), scratch_.get());
    return r;
  }
  Bn exp(const Bn& a, const Bn& e) override {
    Bn r;
    BN_mod_exp(r.get(), a.get(), e.get(), modulus_.get(), scratch_.get());
    return r;
  }
  std::optional<Bn> inverse(const Bn& a) override {
    Bn r;
    if (BN_mod_inverse(r.get(), a.get(), modulus_.get(), scratch_.get()) != nullptr) return r;
    ERR_clear_error();
    return std::nullopt;
  }
  Bn power_of_two(unsigned n) override {
    Bn r;
    BN_set_bit(r.get(), static_cast<int>(n));
    return reduce(r);
  }
  bool binary() const override { return false; }
};

class BinaryField : public FiniteField {
 public:
  using FiniteField::FiniteField;
  Bn add(const Bn& a, const Bn& b) override {
    Bn r;
    BN_GF2m_add(r.get(), a.get(), b.get());
    return reduce(r);
  }
  Bn sub(const Bn& a, const Bn& b) override { return add(a, b); }
  Bn mul(const Bn& a, const Bn& b) override {
    Bn r;
    BN_GF2m_mod_mul(r.get(), a.get(), b.get(), modulus_.get(), scratch_.get());
    return r;
  }
  Bn reduce(const Bn& a) override {
    Bn r = a;
    Bn shifted;
    for (int top = r.bits(); top >= modulus_.bits(); top = r.bits()) {
      BN_lshift(shifted.get(), modulus_.get(), top - modulus_.bits());
      BN_GF2m_add(r.get(), r.get(), shifted.get());
    }
    return r;
  }
  Bn exp(const Bn& a, const Bn& e) override {
    Bn r;
    BN_GF2m_mod_exp(r.get(), a.get(), e.get(), modulus_.get(), scratch_.get());
    return reduce(r);
  }
  std::optional<Bn> inverse(const Bn& a) override {
    Bn r;
    if (modulus_.is_odd() && BN_GF2m_mod_inv(r.get(), a.get(), modulus_.get(), scratch_.get()) != 0) return r;
    ERR_clear_error();
    return inverse_by_euclid(a);
  }
  Bn power_of_two(unsigned n) override {
    Bn r;
    BN_set_bit(r.get(), static_cast<int>(n));
    return reduce(r);
  }
  bool binary() const override { return true; }

 private:
  // Extended Euclid over polynomials. libcrypto's inverse is faster, but wants a constant term in the modulus and,
  // since it hides its input behind a random factor, fails at random where the modulus is not irreducible.
  std::optional<Bn> inverse_by_euclid(const Bn& a) {
    Bn u = reduce(a), v = modulus_, g1(1), g2;
    while (u.bits() > 1) {
      int shift = u.bits() - v.bits();
      if (shift < 0) {
        std::swap(u, v);
        std::swap(g1, g2);
        shift = -shift;
      }
      Bn t;
      BN_lshift(t.get(), v.get(), shift);
      BN_GF2m_add(u.get(), u.get(), t.get());
      BN_lshift(t.get(), g2.get(), shift);
      BN_GF2m_add(g1.get(), g1.get(), t.get());
    }
    if (u.is_zero()) return std::nullopt;
    return reduce(g1);
  }
};

}  // namespace

std::unique_ptr<FiniteField> make_prime_field(const Bn& modulus) { return std::make_unique<PrimeField>(modulus); }
std::unique_ptr<FiniteField> make_binary_field(const Bn& modulus) { return std::make_unique<BinaryField>(modulus); }

}  // namespace caamlab::hw_model
