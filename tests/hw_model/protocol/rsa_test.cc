// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// RSA protocol arithmetic: the PKCS#1 v1.5 encryption vectors in every private form, padding, and the end of key
// generation on NIST's generated keys.
#include "hw_model/protocol/rsa.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/hw_model/cha/curves.h"
#include "tests/hw_model/cha/harness.h"

namespace caamlab::tests {
namespace {

using desc::CcbError;
using desc::DecoError;
using namespace hw_model;

struct RsaKey {
  Bytes n, e, d, p, q, dp, dq, c;
};
struct Encryption {
  RsaKey key;
  Bytes message, seed, cipher;
};

// Headings "# Name:" over lines of hex; the second "Modulus" of a key and what follows it are its private half.
std::vector<Encryption> pkcs1_vectors() {
  const std::string path =
      "/usr/lib/python3/dist-packages/cryptography_vectors/asymmetric/RSA/pkcs1v15crypt-vectors.txt";
  std::ifstream in(path);
  EXPECT_TRUE(in) << path;
  std::vector<Encryption> out;
  RsaKey key;
  Encryption current;
  Bytes* to = nullptr;
  std::string line;
  const auto heading = [&](const std::string& name) -> Bytes* {
    if (name == "Modulus:") return &key.n;
    if (name == "Public exponent:") return &key.e;
    if (name == "Exponent:") return &key.d;
    if (name == "Prime 1:") return &key.p;
    if (name == "Prime 2:") return &key.q;
    if (name == "Prime exponent 1:") return &key.dp;
    if (name == "Prime exponent 2:") return &key.dq;
    if (name == "Coefficient:") return &key.c;
    if (name == "Message:") return &current.message;
    if (name == "Seed:") return &current.seed;
    return name == "Encryption:" ? &current.cipher : nullptr;
  };
  const auto finish = [&] {
    if (current.cipher.empty()) return;
    current.key = key;
    out.push_back(current);
    current = {};
  };
  while (std::getline(in, line)) {
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.pop_back();
    if (line.rfind("# ", 0) == 0) {
      Bytes* next = heading(line.substr(2));
      if (next == &current.message || next == &key.n) finish();
      to = next;
      if (to != nullptr) to->clear();
    } else if (to != nullptr && !line.empty()) {
      std::erase(line, ' ');
      for (const uint8_t b : from_hex(line)) to->push_back(b);
    }
  }
  finish();
  EXPECT_EQ(out.size(), 300u);
  return out;
}

RandomBytes fixed(const Bytes& bytes) {
  return
      [bytes](std::span<uint8_t> out) { std::copy_n(bytes.begin(), std::min(out.size(), bytes.size()), out.begin()); };
}

TEST(Rsa, PublishedEncryptions) {
  for (const Encryption& v : pkcs1_vectors()) {
    const size_t n = v.key.n.size();
    Bytes block(n), cipher(n);
    ASSERT_TRUE(pkcs1_pad(v.message, fixed(v.seed), block).ok());
    ASSERT_TRUE(RsaPower().power(v.key.n, v.key.e, block, cipher).ok());
    EXPECT_EQ(to_hex(cipher), to_hex(v.cipher));
    Bytes back(n);
    for (int form = 1; form <= 3; ++form) {
      back.assign(n, 0xEE);
      const ProtocolStatus s =
          form == 1   ? RsaPower().power(v.key.n, v.key.d, v.cipher, back)
          : form == 2 ? RsaPower().power_pq(v.key.p, v.key.q, v.key.d, v.cipher, back)
                      : RsaPower().power_crt({v.key.p, v.key.q, v.key.dp, v.key.dq, v.key.c}, v.cipher, back);
      ASSERT_TRUE(s.ok()) << form;
      EXPECT_EQ(to_hex(back), to_hex(block)) << form;
    }
    desc::ByteSpan message;
    ASSERT_TRUE(pkcs1_strip(back, message).ok());
    EXPECT_EQ(to_hex(message.data(), message.size()), to_hex(v.message));
  }
}

TEST(Rsa, SmallResultsAreFilledUpInFront) {
  const RsaKey key = pkcs1_vectors()[0].key;
  Bytes out(key.n.size(), 0xEE);
  const Bytes two = {2}, three = {3};
  ASSERT_TRUE(RsaPower().power(key.n, three, two, out).ok());
  Bytes expected(key.n.size());
  expected.back() = 8;
  EXPECT_EQ(out, expected);
}

TEST(Rsa, InputSizes) {
  const RsaKey key = pkcs1_vectors()[0].key;
  Bytes out(key.n.size()), reduced(key.n.size());
  const Bytes larger(key.n.size(), 0xFF);  // above n, as long
  BnScratch scratch;
  Bn r;
  BN_nnmod(r.get(), Bn::from_be(larger).get(), Bn::from_be(key.n).get(), scratch.get());
  Bytes remainder(key.n.size());
  ASSERT_TRUE(r.to_be(remainder));
  ASSERT_TRUE(RsaPower().power(key.n, key.e, larger, out).ok());
  ASSERT_TRUE(RsaPower().power(key.n, key.e, remainder, reduced).ok());
  EXPECT_EQ(out, reduced);
  const Bytes longer(key.n.size() + 1, 0);
  EXPECT_EQ(RsaPower().power(key.n, key.e, longer, out), ProtocolStatus::of_deco(DecoError::kProtocolSize));
  EXPECT_EQ(RsaPower().power_crt({key.p, key.q, key.dp, key.dq, key.c}, longer, out),
            ProtocolStatus::of_deco(DecoError::kProtocolSize));
}

TEST(Rsa, BadNumbers) {
  Bytes out(8);
  const Bytes zero(8), even = {0x10}, one = {1}, none;
  EXPECT_EQ(RsaPower().power(zero, one, one, out), ProtocolStatus::of_pkha(CcbError::kDivideByZero));
  EXPECT_EQ(RsaPower().power(even, one, one, out), ProtocolStatus::of_pkha(CcbError::kEvenModulus));
  EXPECT_EQ(RsaPower().power(one, none, one, out), ProtocolStatus::of_pkha(CcbError::kKeySize));
  EXPECT_EQ(RsaPower().power_pq(zero, one, one, one, out), ProtocolStatus::of_pkha(CcbError::kDivideByZero));
  EXPECT_EQ(RsaPower().power_crt({even, one, one, one, one}, one, out),
            ProtocolStatus::of_pkha(CcbError::kEvenModulus));
  // p * q longer than n is said to be: the result may not fit.
  const Bytes p = filler(16, 1), q = from_hex("ffffffffffffffffffffffffffffff61");
  Bytes odd = p;
  odd.back() |= 1;
  EXPECT_EQ(RsaPower().power_pq(odd, q, from_hex("11"), from_hex("ffffffffffffffff"), out),
            ProtocolStatus::of_pkha(CcbError::kDataSize));
}

TEST(Pkcs1, Padding) {
  unsigned calls = 0;
  const RandomBytes random = [&calls](std::span<uint8_t> out) {
    for (uint8_t& b : out) b = static_cast<uint8_t>(calls % 3);  // zeros at first
    ++calls;
  };
  Bytes block(32);
  ASSERT_TRUE(pkcs1_pad(filler(10, 1), random, block).ok());
  EXPECT_EQ(to_hex(slice(block, 0, 2)), "0002");
  EXPECT_EQ(std::count(block.begin() + 2, block.begin() + 21, 0), 0);
  EXPECT_EQ(block[21], 0);
  EXPECT_EQ(slice(block, 22, 10), filler(10, 1));
  EXPECT_TRUE(pkcs1_pad(filler(21, 1), random, block).ok()) << "eight bytes of padding left";
  EXPECT_EQ(pkcs1_pad(filler(22, 1), random, block), ProtocolStatus::of_deco(DecoError::kProtocolSize));
}

TEST(Pkcs1, StrippingChecksTheForm) {
  Bytes block = from_hex("0002010101010101010100aabb");
  desc::ByteSpan message;
  ASSERT_TRUE(pkcs1_strip(block, message).ok());
  EXPECT_EQ(to_hex(message.data(), message.size()), "aabb");
  for (const char* bad : {"0102010101010101010100aabb", "0001010101010101010100aabb", "00020101010101010100aabbcc",
                          "000201010101010101010101", "000201", ""})
    EXPECT_EQ(pkcs1_strip(from_hex(bad), message), ProtocolStatus::of_deco(DecoError::kProtocolFormat)) << bad;
  ASSERT_TRUE(pkcs1_strip(from_hex("0002010101010101010100"), message).ok());
  EXPECT_TRUE(message.empty());
}

TEST(Rsa, FinishKeyOnGeneratedKeys) {
  size_t n = 0;
  for (const Vector& v : read_vectors("asymmetric/RSA/FIPS_186-2/KeyGenRSA.rsp", "xp1")) {
    // The exponent stands before the first name of its vector.
    const Bytes p = v.hex("p"), q = v.hex("q"), modulus = v.hex("n"), e = v.hex("e");
    if (n++ % 7 != 0) continue;
    Bytes out_n(modulus.size()), d(modulus.size()), dp(p.size()), dq(q.size()), c(p.size());
    RsaFinish key{out_n, d, dp, dq, c};
    ASSERT_TRUE(rsa_finish_key(p, q, e, key).ok()) << v.where;
    EXPECT_EQ(to_hex(out_n), to_hex(modulus)) << v.where;
    EXPECT_EQ(to_hex(d), to_hex(fit(v.hex("d"), d.size()))) << v.where;
    EXPECT_EQ(key.d_len, static_cast<uint32_t>(Bn::from_be(d).bits() + 7) / 8);
    const Bytes plain = filler(modulus.size() - 1, 1);
    Bytes cipher(modulus.size()), back(modulus.size());
    ASSERT_TRUE(RsaPower().power(modulus, e, plain, cipher).ok());
    ASSERT_TRUE(RsaPower().power_crt({p, q, dp, dq, c}, cipher, back).ok());
    EXPECT_EQ(back, fit(plain, back.size())) << v.where;
    RsaFinish only{out_n, d, {}, {}, {}};
    EXPECT_TRUE(rsa_finish_key(p, q, e, only).ok()) << v.where;
    const Bytes even = {2};
    EXPECT_EQ(rsa_finish_key(p, q, even, only), ProtocolStatus::of_pkha(CcbError::kDivideByZero));
    EXPECT_EQ(rsa_finish_key(p, p, e, key), ProtocolStatus::of_pkha(CcbError::kDivideByZero)) << "no c";
  }
  EXPECT_GT(n, 20u);
}

}  // namespace
}  // namespace caamlab::tests
