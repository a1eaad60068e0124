// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See pkha.h.
#include "hw_model/cha/pkha.h"

#include <algorithm>

namespace caamlab::hw_model {

using desc::NfifoPkData;
using desc::PkFunction;
using desc::PkOperation;

namespace {

// Bits of the OPERATION word (hardware.md 2.14).
constexpr unsigned kMontgomeryIn = 19, kMontgomeryOut = 18, kF2m = 17, kProjective = 11;
constexpr uint8_t kOutputA = 1;  // bits 9:8

bool is_ecc(PkFunction fn) {
  return fn == PkFunction::kEccAdd || fn == PkFunction::kEccDouble || fn == PkFunction::kEccMult ||
         fn == PkFunction::kEccCheckPoint;
}

// Functions that work in Montgomery's form inside, so that N must be odd.
bool needs_odd_modulus(PkFunction fn) {
  switch (fn) {
    case PkFunction::kModMult:
    case PkFunction::kModExp:
    case PkFunction::kModSmallExp:
    case PkFunction::kModR2:
    case PkFunction::kCrtConst:
    case PkFunction::kPrimeTest:
      return true;
    default:
      return is_ecc(fn);
  }
}

bool reads_b(PkFunction fn) {
  return fn == PkFunction::kModAdd || fn == PkFunction::kModSubAB || fn == PkFunction::kModSubBA ||
         fn == PkFunction::kModMult;
}

// A alone, which may be longer than N.
bool reads_long_a(PkFunction fn) { return fn == PkFunction::kModReduce || fn == PkFunction::kCrtConst; }

bool reads_e(PkFunction fn) {
  return fn == PkFunction::kModExp || fn == PkFunction::kModSmallExp || fn == PkFunction::kEccMult;
}

}  // namespace

Pkha::Place Pkha::place_of(NfifoPkData where) {
  const unsigned code = static_cast<unsigned>(where);
  switch (where) {
    case NfifoPkData::kN:
      return {Reg::kN, 0, kBytes};
    case NfifoPkData::kE:
      return {Reg::kE, 0, kBytes};
    case NfifoPkData::kA:
      return {Reg::kA, 0, kBytes};
    case NfifoPkData::kB:
      return {Reg::kB, 0, kBytes};
    default:
      return {code < 4 ? Reg::kA : Reg::kB, code % 4 * kQuadrantBytes, kQuadrantBytes};
  }
}

void Pkha::load(NfifoPkData where, ByteSpan bytes) {
  const Place place = place_of(where);
  if (bytes.size() > place.capacity) bytes = bytes.last(place.capacity);
  uint8_t* to = memory_[index(place.reg)].data() + place.offset;
  std::reverse_copy(bytes.begin(), bytes.end(), to);
  // The rest of the last quadrant touched; other quadrants may hold other operands.
  const size_t end = (bytes.size() + kQuadrantBytes - 1) / kQuadrantBytes * kQuadrantBytes;
  std::fill(to + bytes.size(), to + std::max<size_t>(end, bytes.size()), uint8_t{0});
  size_[index(place.reg)] = static_cast<uint32_t>(bytes.size());
}

void Pkha::store(NfifoPkData where, std::span<uint8_t> out) const {
  const Place place = place_of(where);
  const uint8_t* from = memory_[index(place.reg)].data() + place.offset;
  const size_t n = std::min<size_t>(out.size(), std::min(place.capacity, size_[index(place.reg)]));
  std::fill(out.begin(), out.end(), uint8_t{0});
  std::reverse_copy(from, from + n, out.end() - static_cast<ptrdiff_t>(n));
}

void Pkha::set_size(Reg reg, uint32_t bytes) { size_[index(reg)] = std::min<uint32_t>(bytes, kBytes); }

Bn Pkha::read(Reg reg) const { return Bn::from_le({memory_[index(reg)].data(), size(reg)}); }

Bn Pkha::read_quadrant(Reg reg, unsigned quadrant) const {
  const uint32_t n = std::min<uint32_t>(size(Reg::kN), kQuadrantBytes);
  return Bn::from_le({memory_[index(reg)].data() + quadrant * kQuadrantBytes, n});
}

void Pkha::write_quadrant(Reg reg, unsigned quadrant, const Bn& value) {
  value.to_le({memory_[index(reg)].data() + quadrant * kQuadrantBytes, kQuadrantBytes});
}

// As long as N. The part of the memory behind it keeps what it had: in ECC it holds other operands.
void Pkha::put_result(const PkOperation& op, const Bn& value) {
  const Reg reg = op.bits_at(9, 8) == kOutputA ? Reg::kA : Reg::kB;
  const uint32_t n = size(Reg::kN);
  value.to_le({memory_[index(reg)].data(), n});
  size_[index(reg)] = n;
  flags_.zero = value.is_zero();
}

Bn Pkha::from_montgomery(const PkOperation& op, FiniteField& f, const Bn& x) const {
  if (!op.bit(kMontgomeryIn)) return x;
  const auto r_inverse = f.inverse(f.power_of_two(r_exponent(size(Reg::kN))));
  return r_inverse ? f.mul(x, *r_inverse) : x;
}

Bn Pkha::to_montgomery(const PkOperation& op, FiniteField& f, const Bn& x) const {
  return op.bit(kMontgomeryOut) ? f.mul(x, f.power_of_two(r_exponent(size(Reg::kN)))) : x;
}

void Pkha::clear(const PkOperation& op) {
  const std::pair<unsigned, Reg> kBits[] = {{19, Reg::kA}, {18, Reg::kB}, {17, Reg::kE}, {16, Reg::kN}};
  for (const auto& [bit, reg] : kBits)
    if (op.bit(bit)) memory_[index(reg)].fill(0);
}

void Pkha::copy(const PkOperation& op) {
  constexpr Reg kSource[8] = {Reg::kA, Reg::kB, Reg::kE, Reg::kN, Reg::kA, Reg::kA, Reg::kA, Reg::kA};
  const Reg from = kSource[op.bits_at(19, 17)], to = kSource[op.bits_at(12, 10)];
  const unsigned from_at = op.bits_at(9, 8) * kQuadrantBytes, to_at = op.bits_at(7, 6) * kQuadrantBytes;
  const uint32_t wanted = op.fn == PkFunction::kCopyNsize ? size(Reg::kN) : size(from);
  const uint32_t n = std::min({wanted, kBytes - from_at, kBytes - to_at});
  Memory part;
  std::copy_n(memory_[index(from)].begin() + from_at, n, part.begin());
  std::copy_n(part.begin(), n, memory_[index(to)].begin() + to_at);
  size_[index(to)] = n;
}

CcbError Pkha::check_sizes(const PkOperation& op) const {
  const uint32_t n = size(Reg::kN);
  if (n == 0) return CcbError::kDataSize;
  if (is_ecc(op.fn)) {
    if (n > kQuadrantBytes) return CcbError::kDataSize;
  } else {
    if (!reads_long_a(op.fn) && size(Reg::kA) > n) return CcbError::kPkhaASize;
    if (reads_b(op.fn) && size(Reg::kB) > n) return CcbError::kPkhaBSize;
  }
  return reads_e(op.fn) && size(Reg::kE) == 0 ? CcbError::kKeySize : CcbError::kNone;
}

CcbError Pkha::execute(const PkOperation& op) {
  flags_ = {};
  switch (op.fn) {
    case PkFunction::kClear:
      clear(op);
      return CcbError::kNone;
    case PkFunction::kCopyNsize:
    case PkFunction::kCopySsize:
      copy(op);
      return CcbError::kNone;
    default:
      break;
  }
  if (desc::value_name(desc::kPkFunctionNames, static_cast<uint32_t>(op.fn)).empty()) return CcbError::kMode;
  return arithmetic(op);
}

CcbError Pkha::arithmetic(const PkOperation& op) {
  if (const CcbError e = check_sizes(op); e != CcbError::kNone) return e;
  const Bn n = read(Reg::kN);
  // Adding over GF(2) needs N's size only.
  if (op.fn == PkFunction::kModAdd && op.bit(kF2m)) {
    Bn sum;
    BN_GF2m_add(sum.get(), read(Reg::kA).get(), read(Reg::kB).get());
    put_result(op, sum);
    return CcbError::kNone;
  }
  if (n.is_zero()) return CcbError::kDivideByZero;
  if (needs_odd_modulus(op.fn) && !n.is_odd()) return CcbError::kEvenModulus;
  if ((op.bit(kMontgomeryIn) || op.bit(kMontgomeryOut)) && !n.is_odd()) return CcbError::kEvenModulus;
  if (op.fn == PkFunction::kGcd) return gcd(op);
  if (op.fn == PkFunction::kPrimeTest) return prime_test();
  const std::unique_ptr<FiniteField> field = op.bit(kF2m) ? make_binary_field(n) : make_prime_field(n);
  if (is_ecc(op.fn)) return ecc(op, *field);
  Bn result;
  if (const CcbError e = modular(op, *field, result); e != CcbError::kNone) return e;
  put_result(op, result);
  return CcbError::kNone;
}

CcbError Pkha::modular(const PkOperation& op, FiniteField& f, Bn& result) {
  const Bn a = read(Reg::kA), b = read(Reg::kB);
  const unsigned r = r_exponent(size(Reg::kN));
  switch (op.fn) {
    case PkFunction::kModAdd:
      result = f.add(a, b);
      return CcbError::kNone;
    case PkFunction::kModSubAB:
      result = f.sub(a, b);
      return CcbError::kNone;
    case PkFunction::kModSubBA:
      result = f.sub(b, a);
      return CcbError::kNone;
    case PkFunction::kModMult:
      result = to_montgomery(op, f, f.mul(from_montgomery(op, f, a), from_montgomery(op, f, b)));
      return CcbError::kNone;
    case PkFunction::kModExp:
    case PkFunction::kModSmallExp:
      result = to_montgomery(op, f, f.exp(from_montgomery(op, f, f.reduce(a)), read(Reg::kE)));
      return CcbError::kNone;
    case PkFunction::kModReduce:
      result = f.reduce(a);
      return CcbError::kNone;
    case PkFunction::kModR2:
      result = f.power_of_two(2 * r);
      return CcbError::kNone;
    case PkFunction::kCrtConst:
      result = f.power_of_two(r + r_exponent(size(Reg::kA)));
      return CcbError::kNone;
    case PkFunction::kModInv: {
      const auto inverse = f.inverse(a);
      if (!inverse) return CcbError::kDivideByZero;
      result = *inverse;
      return CcbError::kNone;
    }
    default:
      return CcbError::kMode;
  }
}

CcbError Pkha::gcd(const PkOperation& op) {
  const Bn a = read(Reg::kA), n = read(Reg::kN);
  Bn result;
  if (op.bit(kF2m)) {
    // Euclid over polynomials: the remainder is what reduce() leaves.
    Bn x = n, y = a;
    while (!y.is_zero()) {
      Bn rest = make_binary_field(y)->reduce(x);
      x = std::move(y);
      y = std::move(rest);
    }
    result = x;
  } else {
    BnScratch scratch;
    BN_gcd(result.get(), a.get(), n.get(), scratch.get());
  }
  put_result(op, result);
  flags_.gcd1 = result.is_one();
  return CcbError::kNone;
}

// Miller-Rabin: N - 1 = 2^s * d; a base must reach 1 at once or N - 1 on the way.
CcbError Pkha::prime_test() {
  const Bn n = read(Reg::kN);
  if (n.is_one()) return CcbError::kNone;
  const std::unique_ptr<FiniteField> f = make_prime_field(n);
  Bn minus_one = f->sub(Bn(), Bn(1)), d = minus_one;
  int s = 0;
  for (; !d.is_odd(); ++s) BN_rshift1(d.get(), d.get());
  const Bn rounds = read(Reg::kB);
  const uint64_t count =
      rounds.bits() > 32 ? kMaxRounds : std::clamp<uint64_t>(BN_get_word(rounds.get()), 1, kMaxRounds);
  Bn base = f->reduce(read(Reg::kA));
  for (uint64_t i = 0; i < count; ++i, base = f->add(base, Bn(1))) {
    if (base.is_zero() || base.is_one() || base == minus_one) continue;
    Bn x = f->exp(base, d);
    bool passes = x.is_one() || x == minus_one;
    for (int j = 1; j < s && !passes; ++j) {
      x = f->mul(x, x);
      passes = x == minus_one;
    }
    if (!passes) return CcbError::kNone;
  }
  flags_.prime = true;
  return CcbError::kNone;
}

// Coordinates in quadrants x, x + 1 and, in projective form, z: x = X / Z^2, y = Y / Z^3.
EcPoint Pkha::read_point(const PkOperation& op, FiniteField& f, Reg reg, unsigned x, unsigned z) const {
  EcPoint p{f.reduce(from_montgomery(op, f, read_quadrant(reg, x))),
            f.reduce(from_montgomery(op, f, read_quadrant(reg, x + 1)))};
  if (!op.bit(kProjective)) return p;
  const auto inverse = f.inverse(from_montgomery(op, f, read_quadrant(reg, z)));
  if (!inverse) return {};
  const Bn square = f.mul(*inverse, *inverse);
  return {f.mul(p.x, square), f.mul(p.y, f.mul(square, *inverse))};
}

CcbError Pkha::ecc(const PkOperation& op, FiniteField& f) {
  const auto curve_number = [&](Reg reg, unsigned quadrant) {
    return f.reduce(from_montgomery(op, f, read_quadrant(reg, quadrant)));
  };
  EcCurve curve(f, curve_number(Reg::kA, 3));
  EcPoint p;
  switch (op.fn) {
    case PkFunction::kEccAdd:
      p = curve.add(read_point(op, f, Reg::kA, 0, 2), read_point(op, f, Reg::kB, 1, 3));
      break;
    case PkFunction::kEccDouble:
      p = curve.twice(read_point(op, f, Reg::kB, 1, 3));
      break;
    case PkFunction::kEccMult:
      p = curve.multiply(read(Reg::kE), read_point(op, f, Reg::kA, 0, 2));
      break;
    default: {
      const Bn difference = curve.difference(read_point(op, f, Reg::kA, 0, 2), curve_number(Reg::kB, 0));
      put_result(op, difference);
      return CcbError::kNone;
    }
  }
  const bool to_a = op.bits_at(9, 8) == kOutputA;
  const Reg reg = to_a ? Reg::kA : Reg::kB;
  const unsigned x = to_a ? 0 : 1, z = to_a ? 2 : 3;
  write_quadrant(reg, x, to_montgomery(op, f, p.x));
  write_quadrant(reg, x + 1, to_montgomery(op, f, p.y));
  if (op.bit(kProjective)) write_quadrant(reg, z, p.infinite() ? Bn() : to_montgomery(op, f, Bn(1)));
  size_[index(reg)] = size(Reg::kN);
  flags_.zero = p.infinite();
  return CcbError::kNone;
}

}  // namespace caamlab::hw_model
