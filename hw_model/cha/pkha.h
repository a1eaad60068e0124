// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// PKHA (hardware.md 2.14): memories A, B, N and E of 512 bytes, their size registers, and every function of OPERATION
// PKHA. Numbers are big endian outside, right aligned inside; A, B and N have four quadrants of 128 bytes.
// Assumed: Montgomery's R is 2 to the power of N's size rounded up to 8 bytes; results get the size of N; MOD_INV
// without an inverse is a divide by zero; CRT_CONST is R_A * R_N mod N with A's size; PRIME_TEST takes the bases A, A +
// 1, ... and kMaxRounds rounds at most; ECC_CHECK puts the difference of the curve's two sides into B; projective
// results have Z = 1; infinity is all zeros. R^2 mod N is computed whether it was supplied or not.
#pragma once

#include <array>
#include <memory>

#include "desc/commands/operation.h"
#include "desc/jr_status.h"
#include "desc/nfifo.h"
#include "hw_model/cha/arith/ec_curve.h"

namespace caamlab::hw_model {

using desc::ByteSpan;
using desc::CcbError;

class Pkha {
 public:
  static constexpr unsigned kBytes = 512, kQuadrantBytes = 128, kMaxRounds = 64;
  enum class Reg : uint8_t { kA = 0, kB = 1, kE = 2, kN = 3 };
  struct Flags {
    bool zero = false, gcd1 = false, prime = false;
  };

  // Loads a register or a quadrant, right aligned, and sets the size of the register. Bytes in front that do not fit
  // are dropped.
  void load(desc::NfifoPkData where, ByteSpan bytes);
  // The low out.size() bytes of a register or a quadrant, filled up with zeros in front.
  void store(desc::NfifoPkData where, std::span<uint8_t> out) const;
  uint32_t size(Reg reg) const { return size_[index(reg)]; }
  // Above kBytes: kBytes.
  void set_size(Reg reg, uint32_t bytes);
  // Power-on, and between jobs.
  void reset() { *this = Pkha(); }

  CcbError execute(const desc::PkOperation& op);
  const Flags& flags() const { return flags_; }

 private:
  using Memory = std::array<uint8_t, kBytes>;  // least significant byte first
  static constexpr unsigned index(Reg reg) { return static_cast<unsigned>(reg); }
  struct Place {
    Reg reg;
    unsigned offset, capacity;
  };
  static Place place_of(desc::NfifoPkData where);

  Bn read(Reg reg) const;
  Bn read_quadrant(Reg reg, unsigned quadrant) const;  // N's size
  void write_quadrant(Reg reg, unsigned quadrant, const Bn& value);
  void put_result(const desc::PkOperation& op, const Bn& value);
  Bn from_montgomery(const desc::PkOperation& op, FiniteField& f, const Bn& x) const;
  Bn to_montgomery(const desc::PkOperation& op, FiniteField& f, const Bn& x) const;
  unsigned r_exponent(uint32_t bytes) const { return (bytes + 7) / 8 * 64; }

  void clear(const desc::PkOperation& op);
  void copy(const desc::PkOperation& op);
  CcbError check_sizes(const desc::PkOperation& op) const;
  CcbError arithmetic(const desc::PkOperation& op);
  CcbError modular(const desc::PkOperation& op, FiniteField& f, Bn& result);
  CcbError gcd(const desc::PkOperation& op);
  CcbError prime_test();
  CcbError ecc(const desc::PkOperation& op, FiniteField& f);
  EcPoint read_point(const desc::PkOperation& op, FiniteField& f, Reg reg, unsigned x, unsigned z) const;

  Memory memory_[4] = {};
  uint32_t size_[4] = {};
  Flags flags_;
};

}  // namespace caamlab::hw_model
