// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Arithmetic modulo an integer, or modulo a polynomial over GF(2) whose coefficients are a number's bits. The modulus
// need not be prime or irreducible: the PKHA computes with what it is given. mul() and exp() want an odd modulus (a
// polynomial with a constant term).
#pragma once

#include <memory>
#include <optional>

#include "hw_model/cha/arith/bn.h"

namespace caamlab::hw_model {

class FiniteField {
 public:
  explicit FiniteField(const Bn& modulus) : modulus_(modulus) {}
  virtual ~FiniteField() = default;
  const Bn& modulus() const { return modulus_; }

  virtual Bn add(const Bn& a, const Bn& b) = 0;
  virtual Bn sub(const Bn& a, const Bn& b) = 0;
  virtual Bn mul(const Bn& a, const Bn& b) = 0;
  virtual Bn reduce(const Bn& a) = 0;
  virtual Bn exp(const Bn& a, const Bn& e) = 0;
  // Nothing if there is none.
  virtual std::optional<Bn> inverse(const Bn& a) = 0;
  // 2^n, or x^n.
  virtual Bn power_of_two(unsigned n) = 0;
  virtual bool binary() const = 0;

 protected:
  Bn modulus_;
  BnScratch scratch_;
};

// modulus: not zero.
std::unique_ptr<FiniteField> make_prime_field(const Bn& modulus);
std::unique_ptr<FiniteField> make_binary_field(const Bn& modulus);

}  // namespace caamlab::hw_model
