// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// PKHA: memories and quadrants, modular functions against 64-bit arithmetic, binary fields against shift-and-add,
// Montgomery forms, published RSA and EC key pairs, flags and errors.
#include "hw_model/cha/pkha.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/hw_model/cha/curves.h"
#include "tests/hw_model/cha/harness.h"

namespace caamlab::tests {
namespace {

using desc::NfifoPkData;
using desc::PkFunction;
using desc::PkOperation;
using hw_model::CcbError;
using hw_model::Pkha;
using Reg = Pkha::Reg;

constexpr unsigned kMontIn = 19, kMontOut = 18, kF2m = 17, kProjective = 11, kToA = 8;

PkOperation op(PkFunction fn, std::initializer_list<unsigned> bits = {}) {
  uint32_t word = 0;
  for (const unsigned b : bits) word |= 1u << b;
  return {.options = word >> 6, .fn = fn};
}

Bytes number(uint64_t v, size_t len = 8) {
  Bytes out(len);
  for (size_t i = 0; i < len && i < 8; ++i) out[len - 1 - i] = static_cast<uint8_t>(v >> 8 * i);
  return out;
}

class PkhaTest : public testing::Test {
 protected:
  Pkha pk_;

  void load(NfifoPkData where, const Bytes& bytes) { pk_.load(where, bytes); }
  Bytes get(NfifoPkData where, size_t len) {
    Bytes out(len);
    pk_.store(where, out);
    return out;
  }
  uint64_t get_number(NfifoPkData where) {
    uint64_t v = 0;
    for (const uint8_t b : get(where, 8)) v = v << 8 | b;
    return v;
  }
  // fn with A, B, N (and E); the result from B.
  uint64_t compute(const PkOperation& o, uint64_t a, uint64_t b, uint64_t n, uint64_t e = 1) {
    load(NfifoPkData::kA, number(a));
    load(NfifoPkData::kB, number(b));
    load(NfifoPkData::kN, number(n));
    load(NfifoPkData::kE, number(e));
    EXPECT_EQ(pk_.execute(o), CcbError::kNone);
    EXPECT_EQ(pk_.size(Reg::kB), 8u);
    return get_number(NfifoPkData::kB);
  }
};

TEST_F(PkhaTest, MemoryIsRightAligned) {
  load(NfifoPkData::kA, from_hex("0102030405"));
  EXPECT_EQ(pk_.size(Reg::kA), 5u);
  EXPECT_EQ(to_hex(get(NfifoPkData::kA, 8)), "0000000102030405");
  EXPECT_EQ(to_hex(get(NfifoPkData::kA, 3)), "030405");
  EXPECT_EQ(to_hex(get(NfifoPkData::kA0, 5)), "0102030405");
  pk_.set_size(Reg::kA, 2);
  EXPECT_EQ(to_hex(get(NfifoPkData::kA, 5)), "0000000405");
  load(NfifoPkData::kA, from_hex("ff"));
  pk_.set_size(Reg::kA, 5);
  EXPECT_EQ(to_hex(get(NfifoPkData::kA, 5)), "00000000ff") << "nothing of the longer number is left";
  pk_.set_size(Reg::kN, 5000);
  EXPECT_EQ(pk_.size(Reg::kN), 512u);
  load(NfifoPkData::kE, filler(600, 1));
  EXPECT_EQ(to_hex(get(NfifoPkData::kE, 512)), to_hex(slice(filler(600, 1), 88, 512)));
}

TEST_F(PkhaTest, QuadrantsArePartsOfTheRegister) {
  const Bytes whole = filler(512, 1);
  load(NfifoPkData::kB, whole);
  for (unsigned q = 0; q < 4; ++q) {
    pk_.set_size(Reg::kB, 128);
    EXPECT_EQ(get(static_cast<NfifoPkData>(4 + q), 128), slice(whole, 384 - 128 * q, 128)) << q;
  }
  load(NfifoPkData::kB2, filler(20, 2));
  load(NfifoPkData::kB1, filler(30, 3));
  pk_.set_size(Reg::kB, 512);
  EXPECT_EQ(to_hex(slice(get(NfifoPkData::kB, 512), 0, 128)), to_hex(slice(whole, 0, 128)));
  EXPECT_EQ(to_hex(slice(get(NfifoPkData::kB, 512), 128 + 108, 20)), to_hex(filler(20, 2)));
  EXPECT_EQ(to_hex(slice(get(NfifoPkData::kB, 512), 256, 98)), to_hex(Bytes(98)));
}

TEST_F(PkhaTest, ClearAndCopy) {
  for (const NfifoPkData r : {NfifoPkData::kA, NfifoPkData::kB, NfifoPkData::kN, NfifoPkData::kE})
    load(r, filler(300, static_cast<uint32_t>(r)));
  ASSERT_EQ(pk_.execute(op(PkFunction::kClear, {19, 16})), CcbError::kNone);
  EXPECT_EQ(get(NfifoPkData::kA, 300), Bytes(300));
  EXPECT_EQ(get(NfifoPkData::kN, 300), Bytes(300));
  EXPECT_EQ(get(NfifoPkData::kB, 300), filler(300, static_cast<uint32_t>(NfifoPkData::kB)));
  EXPECT_EQ(get(NfifoPkData::kE, 300), filler(300, static_cast<uint32_t>(NfifoPkData::kE)));
  // B to A as long as B; then 100 bytes (N's size) of B to N.
  ASSERT_EQ(pk_.execute(op(PkFunction::kCopySsize, {17})), CcbError::kNone);
  EXPECT_EQ(get(NfifoPkData::kA, 300), get(NfifoPkData::kB, 300));
  pk_.set_size(Reg::kN, 100);
  ASSERT_EQ(pk_.execute(op(PkFunction::kCopyNsize, {17, 11, 10})), CcbError::kNone);
  EXPECT_EQ(pk_.size(Reg::kN), 100u);
  EXPECT_EQ(get(NfifoPkData::kN, 100), slice(get(NfifoPkData::kB, 300), 200, 100));
  // B quadrant 0 to E (which has none), and B quadrant 1 to A quadrant 3.
  ASSERT_EQ(pk_.execute(op(PkFunction::kCopyNsize, {17, 11})), CcbError::kNone);
  EXPECT_EQ(pk_.size(Reg::kE), 100u);
  ASSERT_EQ(pk_.execute(op(PkFunction::kCopyNsize, {17, 8, 7, 6})), CcbError::kNone);
  EXPECT_EQ(get(NfifoPkData::kA3, 100), get(NfifoPkData::kB1, 100));
}

TEST_F(PkhaTest, ModularFunctionsEqual64BitArithmetic) {
  std::mt19937_64 rng(7);
  __extension__ using uint128 = unsigned __int128;
  for (int i = 0; i < 300; ++i) {
    const uint64_t n = rng() >> (i % 50) | 1, a = rng() % n, b = rng() % n;
    EXPECT_EQ(compute(op(PkFunction::kModAdd), a, b, n), static_cast<uint64_t>((uint128{a} + b) % n));
    EXPECT_EQ(compute(op(PkFunction::kModSubAB), a, b, n), a >= b ? a - b : n - (b - a));
    EXPECT_EQ(compute(op(PkFunction::kModSubBA), a, b, n), b >= a ? b - a : n - (a - b));
    EXPECT_EQ(compute(op(PkFunction::kModMult), a, b, n), static_cast<uint64_t>(uint128{a} * b % n));
    const uint64_t big = rng();
    EXPECT_EQ(compute(op(PkFunction::kModReduce), big, 0, n), big % n);
    const uint64_t e = rng() & 0xFFFF;
    uint64_t power = 1 % n;
    for (int k = 15; k >= 0; --k) {
      power = static_cast<uint64_t>(uint128{power} * power % n);
      if (e >> k & 1) power = static_cast<uint64_t>(uint128{power} * a % n);
    }
    EXPECT_EQ(compute(op(PkFunction::kModExp), a, 0, n, e), power);
    EXPECT_EQ(compute(op(PkFunction::kModSmallExp), a, 0, n, e), power);
    EXPECT_EQ(compute(op(PkFunction::kGcd), a, 0, n), std::gcd(a, n));
    EXPECT_EQ(pk_.flags().gcd1, std::gcd(a, n) == 1);
    if (std::gcd(a, n) == 1 && n > 1) {
      const uint64_t inverse = compute(op(PkFunction::kModInv), a, 0, n);
      EXPECT_EQ(static_cast<uint64_t>(uint128{a} * inverse % n), 1u);
    } else {
      load(NfifoPkData::kA, number(a));
      EXPECT_EQ(pk_.execute(op(PkFunction::kModInv)), n > 1 ? CcbError::kDivideByZero : CcbError::kNone);
    }
    // R = 2^64 for a modulus of 8 bytes.
    const uint64_t r = static_cast<uint64_t>((uint128{1} << 64) % n);
    EXPECT_EQ(compute(op(PkFunction::kModR2), 0, 0, n), static_cast<uint64_t>(uint128{r} * r % n));
  }
}

TEST_F(PkhaTest, MontgomeryForms) {
  __extension__ using uint128 = unsigned __int128;
  const uint64_t n = 0xFFFFFFFFFFFFFFC5, a = 0x123456789ABCDEF1, b = 0xFEDCBA9876543210;
  const auto times = [n](uint64_t x, uint64_t y) { return static_cast<uint64_t>(uint128{x} * y % n); };
  const uint64_t r = static_cast<uint64_t>((uint128{1} << 64) % n), product = times(a, b);
  EXPECT_EQ(compute(op(PkFunction::kModMult, {kMontIn, kMontOut}), times(a, r), times(b, r), n), times(product, r));
  EXPECT_EQ(compute(op(PkFunction::kModMult, {kMontIn}), times(a, r), times(b, r), n), product);
  EXPECT_EQ(compute(op(PkFunction::kModMult, {kMontOut}), a, b, n), times(product, r));
  EXPECT_EQ(compute(op(PkFunction::kModExp, {kMontIn, kMontOut}), times(a, r), 0, n, 2), times(times(a, a), r));
  // To Montgomery form by R^2, as software does it: A * R^2 of two numbers in Montgomery form is A * R.
  const uint64_t r2 = times(r, r);
  EXPECT_EQ(compute(op(PkFunction::kModMult, {kMontIn, kMontOut}), a, r2, n), times(a, r));
}

uint64_t gf2_mul(uint64_t a, uint64_t b, uint64_t n, int degree) {
  uint64_t r = 0;
  for (int i = degree; i >= 0; --i) {
    r <<= 1;
    if (r >> degree & 1) r ^= n;
    if (b >> i & 1) r ^= a;
  }
  return r;
}

TEST_F(PkhaTest, BinaryFieldsEqualShiftAndAdd) {
  std::mt19937_64 rng(8);
  for (int i = 0; i < 200; ++i) {
    const int degree = 3 + i % 55;
    const uint64_t n = uint64_t{1} << degree | (rng() & ((uint64_t{1} << degree) - 1)) | 1;
    const uint64_t mask = (uint64_t{1} << degree) - 1, a = rng() & mask, b = rng() & mask;
    EXPECT_EQ(compute(op(PkFunction::kModAdd, {kF2m}), a, b, n), a ^ b);
    EXPECT_EQ(compute(op(PkFunction::kModMult, {kF2m}), a, b, n), gf2_mul(a, b, n, degree));
    EXPECT_EQ(compute(op(PkFunction::kModExp, {kF2m}), a, 0, n, 5),
              gf2_mul(gf2_mul(gf2_mul(a, a, n, degree), gf2_mul(a, a, n, degree), n, degree), a, n, degree));
    EXPECT_EQ(compute(op(PkFunction::kModReduce, {kF2m}), a << 3, 0, n), gf2_mul(a, 8, n, degree));
    const uint64_t gcd = compute(op(PkFunction::kGcd, {kF2m}), a, 0, n);
    EXPECT_EQ(pk_.flags().gcd1, gcd == 1);
    load(NfifoPkData::kA, number(a));
    const CcbError e = pk_.execute(op(PkFunction::kModInv, {kF2m}));
    EXPECT_EQ(e, gcd == 1 ? CcbError::kNone : CcbError::kDivideByZero);
    if (gcd == 1) {
      EXPECT_EQ(gf2_mul(a, get_number(NfifoPkData::kB), n, degree), 1u);
    }
  }
}

// OP-TEE combines two buffers with an XOR whose N has a size and no value.
TEST_F(PkhaTest, BinaryAdditionNeedsOnlyTheSizeOfN) {
  load(NfifoPkData::kA, filler(40, 1));
  load(NfifoPkData::kB, filler(40, 2));
  pk_.set_size(Reg::kN, 40);
  ASSERT_EQ(pk_.execute(op(PkFunction::kModAdd, {kF2m, kToA})), CcbError::kNone);
  Bytes expected = filler(40, 1);
  for (size_t i = 0; i < 40; ++i) expected[i] ^= filler(40, 2)[i];
  EXPECT_EQ(get(NfifoPkData::kA, 40), expected);
  EXPECT_EQ(get(NfifoPkData::kB, 40), filler(40, 2));
}

TEST_F(PkhaTest, ZeroFlag) {
  compute(op(PkFunction::kModSubAB), 5, 5, 7);
  EXPECT_TRUE(pk_.flags().zero);
  compute(op(PkFunction::kModSubAB), 5, 4, 7);
  EXPECT_FALSE(pk_.flags().zero);
}

TEST_F(PkhaTest, PublishedRsaSignaturesOpen) {
  size_t n = 0;
  for (const Vector& v : read_vectors("asymmetric/RSA/FIPS_186-2/SigGen15_186-3.rsp", "shaalg")) {
    const Bytes modulus = v.hex("n"), s = v.hex("s");
    if (n++ % 5 != 0) continue;
    load(NfifoPkData::kN, modulus);
    load(NfifoPkData::kA, s);
    load(NfifoPkData::kE, v.big_number("e"));
    ASSERT_EQ(pk_.execute(op(PkFunction::kModExp)), CcbError::kNone) << v.where;
    const Bytes opened = get(NfifoPkData::kB, modulus.size());
    EXPECT_EQ(to_hex(slice(opened, 0, 10)), "0001ffffffffffffffff") << v.where;
  }
  EXPECT_GT(n, 10u);
}

TEST_F(PkhaTest, PrimeTest) {
  const auto is_prime = [this](const Bytes& n, uint64_t base, uint64_t rounds) {
    load(NfifoPkData::kN, n);
    load(NfifoPkData::kA, fit(number(base), n.size()));
    load(NfifoPkData::kB, number(rounds, 1));
    EXPECT_EQ(pk_.execute(op(PkFunction::kPrimeTest)), CcbError::kNone);
    return pk_.flags().prime;
  };
  for (uint64_t n = 3; n < 2000; n += 2) {
    bool prime = true;
    for (uint64_t d = 3; d * d <= n; d += 2) prime = prime && n % d != 0;
    EXPECT_EQ(is_prime(number(n), 2, 5), prime) << n;
  }
  EXPECT_FALSE(is_prime(number(561), 2, 1)) << "a Carmichael number";
  EXPECT_TRUE(is_prime(number(2047), 2, 1)) << "the strong pseudoprime to base 2 passes one round";
  EXPECT_FALSE(is_prime(number(2047), 2, 2));
  for (const char* curve : {"P-256", "P-521"}) {
    Bytes p = nist_curve(curve).p;
    EXPECT_TRUE(is_prime(p, 3, 10));
    p.back() ^= 2;
    EXPECT_FALSE(is_prime(p, 3, 10));
  }
  EXPECT_FALSE(is_prime(number(1), 2, 1));
}

// -- elliptic curves --------------------------------------------------------------------------------------------------

class PkhaEccTest : public PkhaTest, public testing::WithParamInterface<const char*> {
 protected:
  const Curve c_ = nist_curve(GetParam());
  PkOperation ecc(PkFunction fn, std::initializer_list<unsigned> bits = {}) {
    PkOperation o = op(fn, bits);
    if (c_.binary) o.options |= 1u << (kF2m - 6);
    return o;
  }
  void load_curve() {
    load(NfifoPkData::kN, c_.p);
    load(NfifoPkData::kA3, c_.a);
    load(NfifoPkData::kB0, c_.b);
  }
  void load_p1(const Bytes& x, const Bytes& y) {
    load(NfifoPkData::kA0, x);
    load(NfifoPkData::kA1, y);
  }
  void load_p2(const Bytes& x, const Bytes& y) {
    load(NfifoPkData::kB1, x);
    load(NfifoPkData::kB2, y);
  }
  std::pair<Bytes, Bytes> result() {
    return {get(NfifoPkData::kB1, c_.field_bytes), get(NfifoPkData::kB2, c_.field_bytes)};
  }
  std::pair<Bytes, Bytes> times(const Bytes& k) {
    load_curve();
    load_p1(c_.gx, c_.gy);
    load(NfifoPkData::kE, k);
    EXPECT_EQ(pk_.execute(ecc(PkFunction::kEccMult)), CcbError::kNone);
    return result();
  }
};

TEST_P(PkhaEccTest, PublishedKeyPairs) {
  size_t n = 0;
  std::string curve;
  for (const Vector& v : read_vectors("asymmetric/ECDSA/FIPS_186-3/KeyPair.rsp", "d")) {
    // The file has the curve in a bracket of its own before that of the method; ten pairs a curve.
    const size_t index = n++ / 10;
    const char* kOrder[] = {"P-192", "P-224", "P-256", "P-384", "P-521", "K-163", "K-233", "K-283",
                            "K-409", "K-571", "B-163", "B-233", "B-283", "B-409", "B-571"};
    ASSERT_LT(index, std::size(kOrder));
    if (kOrder[index] != c_.name) continue;
    if (c_.field_bytes > 40 && n % 10 != 1) continue;  // long fields take long
    const auto [x, y] = times(v.hex("d"));
    EXPECT_EQ(to_hex(x), to_hex(fit(v.hex("qx"), c_.field_bytes))) << v.where;
    EXPECT_EQ(to_hex(y), to_hex(fit(v.hex("qy"), c_.field_bytes))) << v.where;
    load_p1(x, y);
    EXPECT_EQ(pk_.execute(ecc(PkFunction::kEccCheckPoint)), CcbError::kNone);
  }
  EXPECT_EQ(n, 150u);
}

TEST_P(PkhaEccTest, AddAndDoubleAgreeWithMultiply) {
  const auto two = times({2}), three = times({3}), six = times({6});
  load_curve();
  load_p2(c_.gx, c_.gy);
  ASSERT_EQ(pk_.execute(ecc(PkFunction::kEccDouble)), CcbError::kNone);
  EXPECT_EQ(result(), two);
  load_p1(c_.gx, c_.gy);
  ASSERT_EQ(pk_.execute(ecc(PkFunction::kEccAdd)), CcbError::kNone);
  EXPECT_EQ(result(), three);
  load_p1(three.first, three.second);
  ASSERT_EQ(pk_.execute(ecc(PkFunction::kEccAdd)), CcbError::kNone);
  EXPECT_EQ(result(), six) << "adding a point to itself";
  load_p1(three.first, three.second);
  load_p2(three.first, three.second);
  ASSERT_EQ(pk_.execute(ecc(PkFunction::kEccAdd, {kToA})), CcbError::kNone);
  EXPECT_EQ(get(NfifoPkData::kA0, c_.field_bytes), six.first);
  EXPECT_EQ(get(NfifoPkData::kA1, c_.field_bytes), six.second);
}

TEST_P(PkhaEccTest, InfinityIsZero) {
  const Bytes zero(c_.field_bytes);
  EXPECT_EQ(times(c_.q), std::pair(zero, zero));
  EXPECT_TRUE(pk_.flags().zero);
  const auto g = times({1});
  EXPECT_FALSE(pk_.flags().zero);
  load_p1(zero, zero);
  load_p2(g.first, g.second);
  ASSERT_EQ(pk_.execute(ecc(PkFunction::kEccAdd)), CcbError::kNone);
  EXPECT_EQ(result(), g) << "infinity plus a point";
}

TEST_P(PkhaEccTest, PointOffTheCurveIsSeenByTheCheckOnly) {
  load_curve();
  load_p1(c_.gx, c_.gy);
  ASSERT_EQ(pk_.execute(ecc(PkFunction::kEccCheckPoint, {kToA})), CcbError::kNone);
  EXPECT_TRUE(pk_.flags().zero);
  Bytes y = c_.gy;
  y.back() ^= 1;
  load_curve();
  load_p1(c_.gx, y);
  ASSERT_EQ(pk_.execute(ecc(PkFunction::kEccCheckPoint, {kToA})), CcbError::kNone);
  EXPECT_FALSE(pk_.flags().zero);
  load_p1(c_.gx, y);
  load(NfifoPkData::kE, {5});
  EXPECT_EQ(pk_.execute(ecc(PkFunction::kEccMult)), CcbError::kNone);
}

TEST_P(PkhaEccTest, MontgomeryAndProjectiveForms) {
  const auto two = times({2}), three = times({3});
  const size_t n = c_.field_bytes;
  const PkOperation to_form = ecc(PkFunction::kModMult, {kMontOut});
  const auto montgomery = [&](const Bytes& x) {
    load(NfifoPkData::kN, c_.p);
    load(NfifoPkData::kA, x);
    load(NfifoPkData::kB, fit({1}, n));
    EXPECT_EQ(pk_.execute(to_form), CcbError::kNone);
    return get(NfifoPkData::kB, n);
  };
  const Bytes gx = montgomery(c_.gx), gy = montgomery(c_.gy), x2 = montgomery(two.first), y2 = montgomery(two.second),
              a = montgomery(c_.a), b = montgomery(c_.b);
  load(NfifoPkData::kA3, a);
  load(NfifoPkData::kB0, b);
  load_p1(gx, gy);
  load_p2(x2, y2);
  ASSERT_EQ(pk_.execute(ecc(PkFunction::kEccAdd, {kMontIn})), CcbError::kNone);
  EXPECT_EQ(result(), three);
  // Projective: G scaled by Z = 5 (x Z^2, y Z^3) plus 2G with Z = 1.
  const auto times_small = [&](Bytes x, uint8_t z, int power) {
    for (; power > 0; --power) {
      load(NfifoPkData::kN, c_.p);
      load(NfifoPkData::kA, x);
      load(NfifoPkData::kB, fit({z}, n));
      EXPECT_EQ(pk_.execute(ecc(PkFunction::kModMult)), CcbError::kNone);
      x = get(NfifoPkData::kB, n);
    }
    return x;
  };
  const Bytes px = times_small(c_.gx, 5, 2), py = times_small(c_.gy, 5, 3);
  load_curve();
  load_p1(px, py);
  load(NfifoPkData::kA2, fit({5}, n));
  load_p2(two.first, two.second);
  load(NfifoPkData::kB3, fit({1}, n));
  ASSERT_EQ(pk_.execute(ecc(PkFunction::kEccAdd, {kProjective})), CcbError::kNone);
  EXPECT_EQ(result(), three);
  EXPECT_EQ(get(NfifoPkData::kB3, n), fit({1}, n));
}

INSTANTIATE_TEST_SUITE_P(Curves, PkhaEccTest,
                         testing::Values("P-192", "P-224", "P-256", "P-384", "P-521", "K-163", "K-233", "K-283",
                                         "B-163", "B-233", "B-283", "B-409"),
                         [](const auto& info) {
                           std::string s = info.param;
                           s[1] = '_';
                           return s;
                         });

TEST_F(PkhaTest, Errors) {
  const auto error = [this](const PkOperation& o, size_t a, size_t b, size_t n, size_t e, uint8_t last_of_n = 1) {
    pk_.reset();
    load(NfifoPkData::kA, Bytes(a, 1));
    load(NfifoPkData::kB, Bytes(b, 1));
    Bytes modulus(n, 2);
    if (n != 0) modulus.back() = last_of_n;
    load(NfifoPkData::kN, modulus);
    load(NfifoPkData::kE, Bytes(e, 1));
    return pk_.execute(o);
  };
  EXPECT_EQ(error(op(PkFunction::kModAdd), 8, 8, 8, 0), CcbError::kNone);
  EXPECT_EQ(error(op(PkFunction::kModAdd), 8, 8, 0, 0), CcbError::kDataSize);
  EXPECT_EQ(error(op(PkFunction::kModAdd), 9, 8, 8, 0), CcbError::kPkhaASize);
  EXPECT_EQ(error(op(PkFunction::kModAdd), 8, 9, 8, 0), CcbError::kPkhaBSize);
  EXPECT_EQ(error(op(PkFunction::kModReduce), 200, 0, 8, 0), CcbError::kNone);
  EXPECT_EQ(error(op(PkFunction::kModExp), 8, 200, 8, 0), CcbError::kKeySize);
  EXPECT_EQ(error(op(PkFunction::kModExp), 8, 200, 8, 1), CcbError::kNone);
  EXPECT_EQ(error(op(PkFunction::kModExp), 8, 200, 8, 1, 2), CcbError::kEvenModulus);
  EXPECT_EQ(error(op(PkFunction::kModMult), 8, 8, 8, 1, 2), CcbError::kEvenModulus);
  EXPECT_EQ(error(op(PkFunction::kModR2), 8, 8, 8, 1, 2), CcbError::kEvenModulus);
  EXPECT_EQ(error(op(PkFunction::kModAdd), 8, 8, 8, 1, 2), CcbError::kNone);
  EXPECT_EQ(error(op(PkFunction::kGcd), 8, 8, 8, 1, 2), CcbError::kNone);
  EXPECT_EQ(error(op(PkFunction::kEccMult), 8, 8, 129, 1), CcbError::kDataSize);
  EXPECT_EQ(error(op(PkFunction::kEccMult), 8, 8, 8, 0), CcbError::kKeySize);
  EXPECT_EQ(error(op(static_cast<PkFunction>(0x3F)), 8, 8, 8, 1), CcbError::kMode);
  EXPECT_EQ(error(op(static_cast<PkFunction>(0x00)), 8, 8, 8, 1), CcbError::kMode);
  pk_.reset();
  pk_.set_size(Reg::kN, 8);
  EXPECT_EQ(pk_.execute(op(PkFunction::kModAdd)), CcbError::kDivideByZero);
  EXPECT_EQ(pk_.execute(op(PkFunction::kGcd)), CcbError::kDivideByZero);
}

// Whatever stands in the registers: a status, no crash.
TEST_F(PkhaTest, RandomOperations) {
  std::mt19937 rng(3);
  for (int i = 0; i < 3000; ++i) {
    for (const NfifoPkData r : {NfifoPkData::kA, NfifoPkData::kB, NfifoPkData::kN, NfifoPkData::kE}) {
      Bytes bytes = filler(rng() % 24, rng());
      if (rng() % 4 == 0) std::fill(bytes.begin(), bytes.end(), uint8_t{0});
      load(r, bytes);
    }
    for (int k = 0; k < 8; ++k)
      pk_.execute({.options = static_cast<uint32_t>(rng() & 0x3FFF), .fn = static_cast<PkFunction>(rng() % 0x20)});
  }
}

}  // namespace
}  // namespace caamlab::tests
