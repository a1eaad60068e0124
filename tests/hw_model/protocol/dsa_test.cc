// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// DSA, ECDSA, DH and ECDH protocol arithmetic: NIST CAVP vectors on every curve, published exchanges, and the errors.
#include "hw_model/protocol/dsa.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>

#include "tests/hw_model/cha/curves.h"
#include "tests/hw_model/cha/harness.h"

namespace caamlab::tests {
namespace {

using desc::DecoError;
using namespace hw_model;

const ProtocolStatus kInvalid = ProtocolStatus::of_deco(DecoError::kSignatureInvalid);

Bytes digest(const std::string& name, const Bytes& message) {
  std::string evp = name;
  std::erase(evp, '-');
  unsigned n = 64;
  Bytes out(n);
  EXPECT_EQ(EVP_Digest(message.data(), message.size(), out.data(), &n, EVP_get_digestbyname(evp.c_str()), nullptr), 1)
      << name;
  out.resize(n);
  return out;
}

RandomBytes counting(uint32_t seed) {
  return [seed](std::span<uint8_t> out) mutable {
    const Bytes bytes = filler(out.size(), ++seed);
    std::copy(bytes.begin(), bytes.end(), out.begin());
  };
}

Bytes join(const Bytes& a, const Bytes& b) {
  Bytes out = a;
  out.insert(out.end(), b.begin(), b.end());
  return out;
}

DsaDomain domain_of(const Curve& c) {
  const Bytes g = join(c.gx, c.gy);
  auto d = DsaDomain::make(c.binary ? DsaDomain::Kind::kBinaryCurve : DsaDomain::Kind::kPrimeCurve,
                           {.q = c.p, .r = c.q, .g = g, .a = c.a, .b = c.b});
  EXPECT_TRUE(d.has_value());
  return std::move(*d);
}

// "p-192,sha-1"
std::pair<std::string, std::string> curve_and_hash(const Vector& v) {
  const std::string& s = v.text("section");
  std::string curve = s.substr(0, s.find(','));
  curve[0] = static_cast<char>(std::toupper(curve[0]));
  return {curve, s.substr(s.find(',') + 1)};
}

Bytes representative(const DsaDomain& d, const std::string& hash, const Bytes& message) {
  Bytes f(d.order_bytes());
  EXPECT_TRUE(d.leftmost_bits(digest(hash, message)).to_be(f));
  return f;
}

// Long fields take long; of those, every curve is seen and not every vector.
bool skip_slow(const Curve& curve, size_t nth_of_curve) {
  const size_t step = curve.field_bytes > 50 ? 40 : curve.binary ? 12 : 2;
  return nth_of_curve % step != 0;
}

TEST(Ecdsa, PublishedSignatures) {
  std::map<std::string, size_t> seen;
  for (const Vector& v : read_vectors("asymmetric/ECDSA/FIPS_186-3/SigGen.txt", "msg")) {
    const auto [name, hash] = curve_and_hash(v);
    const Curve curve = nist_curve(name);
    if (skip_slow(curve, seen[name]++)) continue;
    DsaDomain d = domain_of(curve);
    const size_t n = d.order_bytes();
    const Bytes f = representative(d, hash, v.hex("msg"));
    const Bytes w = join(fit(v.big_number("qx"), curve.field_bytes), fit(v.big_number("qy"), curve.field_bytes));
    Bytes c(n), s(n);
    ASSERT_TRUE(d.sign_with(v.big_number("k"), v.big_number("d"), f, c, s).ok()) << v.where;
    EXPECT_EQ(to_hex(c), to_hex(fit(v.big_number("r"), n))) << v.where;
    EXPECT_EQ(to_hex(s), to_hex(fit(v.big_number("s"), n))) << v.where;
    EXPECT_TRUE(d.verify(w, f, c, s).ok()) << v.where;
  }
  EXPECT_EQ(seen.size(), 15u);
}

TEST(Ecdsa, PublishedVerifications) {
  size_t good = 0, bad = 0;
  std::map<std::string, size_t> seen;
  for (const Vector& v : read_vectors("asymmetric/ECDSA/FIPS_186-3/SigVer.rsp", "msg")) {
    const auto [name, hash] = curve_and_hash(v);
    const Curve curve = nist_curve(name);
    const bool is_good = v.text("result")[0] == 'P';
    if (hash.find("253846") != std::string::npos) continue;  // a slip of the file
    if (skip_slow(curve, seen[name + (is_good ? "+" : "-")]++)) continue;
    DsaDomain d = domain_of(curve);
    const Bytes w = join(fit(v.big_number("qx"), curve.field_bytes), fit(v.big_number("qy"), curve.field_bytes));
    const ProtocolStatus s = d.verify(w, representative(d, hash, v.hex("msg")), v.big_number("r"), v.big_number("s"));
    EXPECT_EQ(s, is_good ? ProtocolStatus{} : kInvalid) << v.where;
    ++(is_good ? good : bad);
  }
  EXPECT_GT(good, 40u);
  EXPECT_GT(bad, 100u);
}

TEST(Dsa, PublishedSignatures) {
  std::map<std::string, size_t> seen;
  for (const Vector& v : read_vectors("asymmetric/DSA/FIPS_186-3/SigGen.txt", "msg")) {
    if (seen[v.text("q")]++ >= 3) continue;
    const Bytes p = v.big_number("p"), q = v.big_number("q"), g = fit(v.big_number("g"), p.size());
    auto d = DsaDomain::make(DsaDomain::Kind::kInteger, {.q = p, .r = q, .g = g, .a = {}, .b = {}});
    ASSERT_TRUE(d) << v.where;
    const Bytes f = representative(*d, v.text("section"), v.hex("msg"));
    Bytes c(q.size()), s(q.size());
    ASSERT_TRUE(d->sign_with(v.big_number("k"), v.big_number("x"), f, c, s).ok()) << v.where;
    EXPECT_EQ(to_hex(c), to_hex(fit(v.big_number("r"), q.size()))) << v.where;
    EXPECT_EQ(to_hex(s), to_hex(fit(v.big_number("s"), q.size()))) << v.where;
    EXPECT_TRUE(d->verify(fit(v.big_number("y"), p.size()), f, c, s).ok()) << v.where;
  }
  EXPECT_GE(seen.size(), 15u);
}

TEST(Dsa, PublishedVerifications) {
  size_t good = 0, bad = 0;
  for (const Vector& v : read_vectors("asymmetric/DSA/FIPS_186-3/SigVer.rsp", "msg")) {
    const Bytes p = v.big_number("p"), q = v.big_number("q"), g = fit(v.big_number("g"), p.size());
    auto d = DsaDomain::make(DsaDomain::Kind::kInteger, {.q = p, .r = q, .g = g, .a = {}, .b = {}});
    ASSERT_TRUE(d) << v.where;
    const bool is_good = v.text("result")[0] == 'P';
    const ProtocolStatus s =
        d->verify(fit(v.big_number("y"), p.size()), representative(*d, v.text("section"), v.hex("msg")),
                  v.big_number("r"), v.big_number("s"));
    EXPECT_EQ(s, is_good ? ProtocolStatus{} : kInvalid) << v.where;
    ++(is_good ? good : bad);
  }
  EXPECT_GT(good, 50u);
  EXPECT_GT(bad, 50u);
}

TEST(Ecdh, PublishedExchanges) {
  size_t n = 0;
  for (const Vector& v :
       read_vectors("asymmetric/ECDH/KASValidityTest_ECCStaticUnified_NOKC_ZZOnly_init.fax", "count")) {
    if (v.text("result")[0] != 'P') continue;
    const char* kCurves[] = {"P-192", "P-224", "P-256", "P-384", "P-521"};
    const unsigned which = static_cast<unsigned>(v.text("section")[1] - 'a');  // "ea - sha1"
    ASSERT_LT(which, 5u);
    const Curve curve = nist_curve(kCurves[which]);
    auto d = DsaDomain::predefined(which);
    ASSERT_TRUE(d);
    Bytes z(d->field_bytes());
    const Bytes w = join(fit(v.big_number("qscavsx"), z.size()), fit(v.big_number("qscavsy"), z.size()));
    ASSERT_TRUE(d->shared_secret(w, v.big_number("dsiut"), z).ok()) << v.where;
    EXPECT_EQ(to_hex(z), to_hex(fit(v.big_number("z"), z.size()))) << v.where;
    // Without r and g, as the PDB of Diffie-Hellman may be.
    auto bare =
        DsaDomain::make(DsaDomain::Kind::kPrimeCurve, {.q = curve.p, .r = {}, .g = {}, .a = curve.a, .b = curve.b});
    Bytes again(z.size());
    ASSERT_TRUE(bare->shared_secret(w, v.big_number("dsiut"), again).ok());
    EXPECT_EQ(again, z);
    ++n;
  }
  EXPECT_GT(n, 50u);
}

TEST(Dh, Rfc5114Exchanges) {
  for (const Vector& v : read_vectors("asymmetric/DH/RFC5114.txt", "count")) {
    const Bytes p = v.big_number("p"), q = v.big_number("q"), g = fit(v.big_number("g"), p.size());
    auto d = DsaDomain::make(DsaDomain::Kind::kInteger, {.q = p, .r = q, .g = g, .a = {}, .b = {}});
    ASSERT_TRUE(d) << v.where;
    Bytes z(p.size());
    ASSERT_TRUE(d->shared_secret(fit(v.big_number("ystatcavs"), p.size()), v.big_number("xstatiut"), z).ok())
        << v.where;
    EXPECT_EQ(to_hex(z), to_hex(fit(v.big_number("z"), p.size()))) << v.where;
  }
}

TEST(Dsa, PredefinedDomainsAreTheExplicitOnes) {
  const char* kCurves[] = {"P-192", "P-224", "P-256", "P-384", "P-521"};
  for (unsigned i = 0; i < 5; ++i) {
    const Curve curve = nist_curve(kCurves[i]);
    DsaDomain one = domain_of(curve);
    auto two = DsaDomain::predefined(i);
    ASSERT_TRUE(two);
    EXPECT_EQ(one.field_bytes(), two->field_bytes());
    EXPECT_EQ(one.order_bytes(), two->order_bytes());
    Bytes s(one.order_bytes()), w(one.point_bytes()), s2 = s, w2 = w;
    ASSERT_TRUE(one.key_pair(counting(1), s, w).ok());
    ASSERT_TRUE(two->key_pair(counting(1), s2, w2).ok());
    EXPECT_EQ(s, s2);
    EXPECT_EQ(w, w2);
  }
  EXPECT_FALSE(DsaDomain::predefined(5));
}

TEST(Dsa, GeneratedKeysSignAndAgree) {
  for (const char* name : {"P-256", "B-163"}) {
    const Curve curve = nist_curve(name);
    DsaDomain d = domain_of(curve);
    Bytes s1(d.order_bytes()), w1(d.point_bytes()), s2 = s1, w2 = w1, c = s1, sig = s1;
    ASSERT_TRUE(d.key_pair(counting(1), s1, w1).ok());
    ASSERT_TRUE(d.key_pair(counting(50), s2, w2).ok());
    EXPECT_NE(s1, s2);
    EXPECT_TRUE(Bn::from_be(s1) < Bn::from_be(curve.q));
    const Bytes f = filler(d.order_bytes() - 1, 9);
    ASSERT_TRUE(d.sign(s1, f, counting(7), c, sig).ok());
    EXPECT_TRUE(d.verify(w1, f, c, sig).ok());
    EXPECT_EQ(d.verify(w2, f, c, sig), kInvalid);
    Bytes z1(d.field_bytes()), z2 = z1;
    ASSERT_TRUE(d.shared_secret(w2, s1, z1).ok());
    ASSERT_TRUE(d.shared_secret(w1, s2, z2).ok());
    EXPECT_EQ(z1, z2);
    // Every damaged byte of a signature shows.
    for (Bytes* half : {&c, &sig})
      for (const size_t i : {size_t{0}, half->size() / 2, half->size() - 1}) {
        (*half)[i] ^= 1;
        EXPECT_EQ(d.verify(w1, f, c, sig), kInvalid);
        (*half)[i] ^= 1;
      }
  }
}

TEST(Dsa, Errors) {
  const Curve curve = nist_curve("P-192");
  DsaDomain d = domain_of(curve);
  const Bytes zero(24), f = filler(24, 1), g = join(curve.gx, curve.gy);
  Bytes c(24), s(24), z(24), w(48);
  EXPECT_EQ(d.verify(g, f, zero, f), kInvalid);
  EXPECT_EQ(d.verify(g, f, f, zero), kInvalid);
  EXPECT_EQ(d.verify(g, f, curve.q, f), kInvalid) << "not below r";
  EXPECT_EQ(d.verify(Bytes(48), f, f, f), kInvalid) << "infinity as a public key";
  EXPECT_EQ(d.verify(Bytes(47), f, f, f), kInvalid);
  EXPECT_EQ(d.sign_with(zero, f, f, c, s), ProtocolStatus::of_deco(DecoError::kDsaSign));
  const ProtocolStatus format = ProtocolStatus::of_deco(DecoError::kProtocolFormat);
  EXPECT_EQ(d.shared_secret(Bytes(48), f, z), format);
  EXPECT_EQ(d.shared_secret(g, curve.q, z), format) << "the order times a point";
  const Bytes even = {4}, one = {1};
  EXPECT_FALSE(DsaDomain::make(DsaDomain::Kind::kInteger, {.q = even, .r = one, .g = one, .a = {}, .b = {}}));
  EXPECT_FALSE(
      DsaDomain::make(DsaDomain::Kind::kPrimeCurve, {.q = curve.p, .r = one, .g = g, .a = curve.a, .b = curve.b}));
  auto bare =
      DsaDomain::make(DsaDomain::Kind::kPrimeCurve, {.q = curve.p, .r = {}, .g = {}, .a = curve.a, .b = curve.b});
  const ProtocolStatus pdb = ProtocolStatus::of_deco(DecoError::kPdb);
  EXPECT_EQ(bare->sign(f, f, counting(1), c, s), pdb);
  EXPECT_EQ(bare->verify(g, f, c, s), pdb);
  EXPECT_EQ(bare->key_pair(counting(1), s, w), pdb);
}

}  // namespace
}  // namespace caamlab::tests
