// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// RNG4: the known answers of the published self-test descriptors, state handles and their errors, output filters,
// secure keys, and repeatability. Black keys: lengths, round trips, damage, nonces.
#include "hw_model/cha/rng.h"

#include <gtest/gtest.h>

#include <bit>

#include "desc/regs.h"
#include "tests/hw_model/cha/harness.h"

namespace caamlab::tests {
namespace {

using desc::DecoError;
using desc::RngState;
using hw_model::BlackForm;
using hw_model::BlackKeys;
using hw_model::CcbError;
using hw_model::ClassRegs;
using hw_model::Kek;
using hw_model::Rng;
namespace aai = desc::aai;
namespace rdsta = desc::reg::rdsta;

// The RNG's meanings of the ids (hardware.md 4.9).
constexpr CcbError kInstantiate = static_cast<CcbError>(3), kNotInstantiated = static_cast<CcbError>(4),
                   kTest = static_cast<CcbError>(5), kPr = static_cast<CcbError>(6),
                   kPrAndTest = static_cast<CcbError>(7), kUninstantiate = static_cast<CcbError>(8),
                   kSecureKey = static_cast<CcbError>(9), kHardware = static_cast<CcbError>(0xB);

struct Counting : hw_model::EntropySource {
  bool healthy = true;
  unsigned calls = 0;
  bool entropy(std::span<uint8_t> out) override {
    if (!healthy) return false;
    const Bytes bytes = filler(out.size(), ++calls);
    std::copy(bytes.begin(), bytes.end(), out.begin());
    return true;
  }
};

class RngTest : public testing::Test {
 protected:
  Counting source_;
  hw_model::KekRegisters keks_;
  Rng rng_{source_, keks_};
  ClassRegs class1_, class2_;

  static desc::AlgOperation op(RngState state, unsigned mode = 0, bool pr = false, bool test = false) {
    return {.alg = desc::Alg::kRng,
            .aai = static_cast<uint16_t>(mode),
            .as = static_cast<desc::AlgState>(state),
            .icv = pr,
            .enc = test};
  }
  CcbError execute(const desc::AlgOperation& o) { return rng_.execute(o, class1_, class2_); }
  CcbError instantiate(unsigned mode = 0, bool pr = false) { return execute(op(RngState::kInstantiate, mode, pr)); }
  Bytes generate(const desc::AlgOperation& o, size_t n) {
    Bytes out(n);
    EXPECT_EQ(rng_.generate(o, class1_, out), CcbError::kNone);
    return out;
  }
};

// The self-test job descriptors of boot loaders for i.MX (barebox rng_self_test.c, from NXP): the values they load,
// as bytes in memory; the words of the descriptors are stored little endian.
struct SelfTest {
  const char *nonce, *entropy, *personalization, *second_entropy, *result;
};
constexpr SelfTest kSelfTests[] = {
    {"5ba1853cb1d0a950ee9fa0710bf2ec2e", "2e2967b22d71bf853af45fe8fbb716a728b50bc464f5b6275dcb2188266c5f9b",
     "17de200a7e352965ab7762314e254628a53bd234329c5e6fbbc1bd7a85a39701",
     "c79c388fb0cbf7e73d07f26b6d0b38fc1a9d2eb2b7fc64ee498db4a2a4c39bdf",
     "3afe2c87ccb6444919169a74a1318beff4860bb95eeeae9192f4a98fb03718a4"},
    {"3031b7270fb1b430adb1627c99e8ab770123456789abcdeffedcba9876543210",
     "cf57f763845516b907b4c1c3ade84ccc588afe1f93a84ffbf04a5fbba146b93f",
     "a5cacb56adadf3ffbfdc04e8710c909ae31720a4e24869823eebcfd06a131aaf",
     "8a2f882e3e9429e9a8c03281907f031266bd9f8004ea8486a7afcb002ad1827b",
     "7687664ed81d1f437650855d1e1d9d0f937583ff9a9b61a9a5eba3282a15c157"}};

TEST_F(RngTest, KnownAnswers) {
  for (const SelfTest& t : kSelfTests) {
    set_key(class2_.key, from_hex(t.nonce));
    set_key(class1_.key, from_hex(t.entropy));
    const Bytes personalization = from_hex(t.personalization);
    std::copy(personalization.begin(), personalization.end(), class1_.context());
    ASSERT_EQ(execute(op(RngState::kInstantiate, aai::kRngPs, false, true)), CcbError::kNone);
    EXPECT_EQ(rng_.rdsta(), rdsta::kIf0 | rdsta::kTf0);
    generate(op(RngState::kGenerate, 0, false, true), 32);
    set_key(class1_.key, from_hex(t.second_entropy));
    ASSERT_EQ(execute(op(RngState::kReseed, 0, false, true)), CcbError::kNone);
    EXPECT_EQ(to_hex(generate(op(RngState::kGenerate, 0, false, true), 32)), t.result);
    ASSERT_EQ(execute(op(RngState::kUninstantiate, 0, false, true)), CcbError::kNone);
    EXPECT_EQ(rng_.rdsta(), 0u);
  }
  EXPECT_EQ(source_.calls, 0u);
}

TEST_F(RngTest, HandlesAreApart) {
  EXPECT_EQ(instantiate(0), CcbError::kNone);
  EXPECT_EQ(rng_.rdsta(), rdsta::kIf0);
  EXPECT_EQ(instantiate(1, true), CcbError::kNone);
  EXPECT_EQ(rng_.rdsta(), rdsta::kIf0 | rdsta::kIf1 | rdsta::kPr1);
  EXPECT_NE(generate(op(RngState::kGenerate, 0), 64), generate(op(RngState::kGenerate, 1), 64));
  EXPECT_EQ(execute(op(RngState::kUninstantiate, 0)), CcbError::kNone);
  EXPECT_EQ(rng_.rdsta(), rdsta::kIf1 | rdsta::kPr1);
}

TEST_F(RngTest, Errors) {
  Bytes out(8);
  EXPECT_EQ(rng_.generate(op(RngState::kGenerate), class1_, out), kNotInstantiated);
  EXPECT_EQ(rng_.rdsta(), 4u << 16);
  EXPECT_EQ(execute(op(RngState::kGenerate)), kNotInstantiated);
  EXPECT_EQ(execute(op(RngState::kReseed)), kNotInstantiated);
  EXPECT_EQ(execute(op(RngState::kUninstantiate)), kUninstantiate);
  EXPECT_EQ(execute(op(RngState::kGenerate, aai::kRngSk)), kNotInstantiated);
  EXPECT_EQ(execute(op(RngState::kInstantiate, 0, true, true)), kPrAndTest);
  EXPECT_EQ(execute(op(RngState::kInstantiate, 0, false, true)), kTest) << "no test entropy in the key registers";
  EXPECT_EQ(execute(op(RngState::kInstantiate, 0x02)), CcbError::kMode);
  source_.healthy = false;
  EXPECT_EQ(instantiate(), kHardware);
  source_.healthy = true;
  EXPECT_EQ(instantiate(), CcbError::kNone);
  EXPECT_EQ(instantiate(), kInstantiate);
  EXPECT_EQ(rng_.generate(op(RngState::kGenerate, 0, true), class1_, out), kPr);
  EXPECT_EQ(rng_.generate(op(RngState::kGenerate, 0, false, true), class1_, out), kTest);
  EXPECT_EQ(rng_.generate(op(RngState::kGenerate), class1_, out), CcbError::kNone);
}

TEST_F(RngTest, PredictionResistanceReseedsEveryTime) {
  ASSERT_EQ(instantiate(0, true), CcbError::kNone);
  const unsigned before = source_.calls;
  generate(op(RngState::kGenerate, 0, true), 16);
  generate(op(RngState::kGenerate, 0, true), 16);
  EXPECT_EQ(source_.calls, before + 2);
  generate(op(RngState::kGenerate), 16);
  EXPECT_EQ(source_.calls, before + 2);
  source_.healthy = false;
  Bytes out(16);
  EXPECT_EQ(rng_.generate(op(RngState::kGenerate, 0, true), class1_, out), kHardware);
}

TEST_F(RngTest, ExtraInputCounts) {
  Counting source2;
  hw_model::KekRegisters keks2;
  Rng other(source2, keks2);
  ClassRegs with = class1_;
  with.context()[5] = 1;
  ASSERT_EQ(instantiate(), CcbError::kNone);
  ASSERT_EQ(other.execute(op(RngState::kInstantiate), with, class2_), CcbError::kNone);
  Bytes a(16), b(16);
  const auto both = [&](unsigned mode) {
    EXPECT_EQ(rng_.generate(op(RngState::kGenerate, mode), class1_, a), CcbError::kNone);
    EXPECT_EQ(other.generate(op(RngState::kGenerate, mode), with, b), CcbError::kNone);
    return a == b;
  };
  EXPECT_TRUE(both(0)) << "the context is not looked at unless asked";
  EXPECT_FALSE(both(aai::kRngAi));
}

TEST_F(RngTest, OutputFilters) {
  ASSERT_EQ(instantiate(), CcbError::kNone);
  const Bytes plain = generate(op(RngState::kGenerate), 70000);
  EXPECT_GT(std::count(plain.begin(), plain.end(), 0), 100);
  const Bytes no_zero = generate(op(RngState::kGenerate, aai::kRngNzb), 70000);
  EXPECT_EQ(std::count(no_zero.begin(), no_zero.end(), 0), 0);
  for (const uint8_t b : generate(op(RngState::kGenerate, aai::kRngObp), 5000)) EXPECT_EQ(std::popcount(b) % 2, 1);
}

TEST_F(RngTest, RunsRepeatWhereverTheOutputIsCut) {
  struct Cut : hw_model::Output {
    explicit Cut(size_t size) : size(size) {}
    std::span<uint8_t> window(size_t want) override {
      bytes.resize(done + std::min(want, size));
      return std::span(bytes).subspan(done);
    }
    void commit(size_t n) override { done += n; }
    size_t size, done = 0;
    Bytes bytes;
  };
  Bytes first;
  for (const size_t size : {1, 7, 64, 5000}) {
    Counting source;
    Rng rng(source, keks_);
    Cut out(size);
    ASSERT_EQ(rng.execute(op(RngState::kInstantiate), class1_, class2_), CcbError::kNone);
    ASSERT_EQ(rng.generate(op(RngState::kGenerate), class1_, 3000, out), CcbError::kNone);
    out.bytes.resize(out.done);
    ASSERT_EQ(out.bytes.size(), 3000u);
    if (first.empty()) first = out.bytes;
    EXPECT_EQ(out.bytes, first) << size;
  }
}

TEST_F(RngTest, SecureKeysOnce) {
  ASSERT_EQ(instantiate(0), CcbError::kNone);
  ASSERT_EQ(instantiate(1), CcbError::kNone);
  EXPECT_FALSE(keks_.loaded);
  EXPECT_EQ(execute(op(RngState::kGenerate, aai::kRngSk | 1)), CcbError::kMode);
  EXPECT_EQ(execute(op(RngState::kGenerate, aai::kRngSk)), CcbError::kNone);
  EXPECT_TRUE(keks_.loaded);
  EXPECT_EQ(rng_.rdsta(), rdsta::kIf0 | rdsta::kIf1 | rdsta::kSkvn | 1u << 16) << "the mode error stays to be read";
  EXPECT_NE(keks_.jdkek, keks_.tdkek);
  EXPECT_NE(keks_.tdkek, keks_.tdsk);
  EXPECT_EQ(execute(op(RngState::kGenerate, aai::kRngSk)), kSecureKey);
}

TEST_F(RngTest, ResetLeavesWhatFirmwareMade) {
  rng_.reset(rdsta::kIf0 | rdsta::kPr0 | rdsta::kIf1 | rdsta::kSkvn);
  EXPECT_EQ(rng_.rdsta(), rdsta::kIf0 | rdsta::kPr0 | rdsta::kIf1 | rdsta::kSkvn);
  EXPECT_TRUE(keks_.loaded);
  EXPECT_TRUE(rng_.ready());
  rng_.reset(0);
  EXPECT_EQ(rng_.rdsta(), 0u);
  EXPECT_FALSE(keks_.loaded);
  EXPECT_FALSE(rng_.ready());
}

TEST_F(RngTest, DeviceBytesNeedNobodyElse) {
  Bytes a(40), b(40);
  rng_.device_bytes(a);
  rng_.device_bytes(b);
  EXPECT_NE(a, b);
  source_.healthy = false;
  Rng dry(source_, keks_);
  dry.device_bytes(a);
  EXPECT_NE(a, Bytes(40));
}

// -- black keys -------------------------------------------------------------------------------------------------------

class BlackKeyTest : public testing::Test {
 protected:
  hw_model::KekRegisters keks_;
  BlackKeys keys_{keks_};
  void SetUp() override {
    const Bytes bytes = filler(96, 3);
    std::copy_n(bytes.begin(), 32, keks_.jdkek.begin());
    std::copy_n(bytes.begin() + 32, 32, keks_.tdkek.begin());
    keks_.loaded = true;
  }
};

TEST_F(BlackKeyTest, SizesAndRoundTrips) {
  for (const BlackForm form : {BlackForm::kEcb, BlackForm::kCcm})
    for (const Kek kek : {Kek::kJob, Kek::kTrusted})
      for (uint32_t len = 1; len <= 130; ++len) {
        const Bytes key = filler(len, len);
        const uint32_t expected = form == BlackForm::kEcb ? (len + 15) / 16 * 16 : (len + 7) / 8 * 8 + 12;
        ASSERT_EQ(black_key_bytes(form, len), expected);
        Bytes black(expected), back(len);
        ASSERT_FALSE(keys_.wrap(form, kek, key, black.data()));
        EXPECT_EQ(std::search(black.begin(), black.end(), key.begin(), key.begin() + std::min(len, 4u)) == black.end(),
                  true)
            << "plain bytes in a black key of " << len;
        ASSERT_FALSE(keys_.unwrap(form, kek, black, len, back.data()));
        EXPECT_EQ(to_hex(back), to_hex(key));
        std::copy(black.begin(), black.end(), black.begin());
        ASSERT_FALSE(keys_.unwrap(form, kek, black, len, black.data())) << "in place";
        EXPECT_EQ(to_hex(slice(black, 0, len)), to_hex(key));
      }
}

TEST_F(BlackKeyTest, EcbIsAesOfThePaddedKey) {
  // Two equal blocks look alike, unlike in CCM, and a wrong KEK gives another key without an error.
  const Bytes key(32, 0x5A);
  Bytes black(32), other(32);
  ASSERT_FALSE(keys_.wrap(BlackForm::kEcb, Kek::kJob, key, black.data()));
  EXPECT_EQ(slice(black, 0, 16), slice(black, 16, 16));
  ASSERT_FALSE(keys_.unwrap(BlackForm::kEcb, Kek::kTrusted, black, 32, other.data()));
  EXPECT_NE(other, key);
}

TEST_F(BlackKeyTest, CcmSeesDamageAndTheWrongKek) {
  const Bytes key = filler(20, 1);
  Bytes black(36), out(20);
  ASSERT_FALSE(keys_.wrap(BlackForm::kCcm, Kek::kJob, key, black.data()));
  for (size_t i = 0; i < black.size(); ++i) {
    Bytes bad = black;
    bad[i] ^= 0x80;
    const auto failure = keys_.unwrap(BlackForm::kCcm, Kek::kJob, bad, 20, out.data());
    EXPECT_EQ(failure.aesa, CcbError::kIcvCheck) << i;
    EXPECT_EQ(failure.deco, DecoError::kNone);
  }
  EXPECT_EQ(keys_.unwrap(BlackForm::kCcm, Kek::kTrusted, black, 20, out.data()).aesa, CcbError::kIcvCheck);
}

TEST_F(BlackKeyTest, NoncesCountAndRunOut) {
  const Bytes key = filler(16, 1);
  Bytes a(28), b(28);
  ASSERT_FALSE(keys_.wrap(BlackForm::kCcm, Kek::kJob, key, a.data()));
  ASSERT_FALSE(keys_.wrap(BlackForm::kCcm, Kek::kJob, key, b.data()));
  EXPECT_EQ(to_hex(slice(a, 0, 6)), "000000000000");
  EXPECT_EQ(to_hex(slice(b, 0, 6)), "000000000001");
  EXPECT_NE(slice(a, 6, 22), slice(b, 6, 22));
  keks_.nonce = hw_model::KekRegisters::kNonceEnd - 1;
  EXPECT_FALSE(keys_.wrap(BlackForm::kCcm, Kek::kJob, key, a.data()));
  EXPECT_EQ(keys_.wrap(BlackForm::kCcm, Kek::kJob, key, a.data()).deco, DecoError::kNonceExhausted);
  EXPECT_FALSE(keys_.wrap(BlackForm::kEcb, Kek::kJob, key, a.data()));
}

TEST_F(BlackKeyTest, TransparentDevice) {
  keks_.transparent = true;
  const Bytes key = filler(40, 1);
  for (const BlackForm form : {BlackForm::kEcb, BlackForm::kCcm}) {
    EXPECT_EQ(keys_.wrapped_bytes(form, 40), 40u);
    Bytes black(64, 0xEE), back(40);
    ASSERT_FALSE(keys_.wrap(form, Kek::kJob, key, black.data()));
    EXPECT_EQ(slice(black, 0, 41), [&] {
      Bytes b = key;
      b.push_back(0xEE);
      return b;
    }());
    ASSERT_FALSE(keys_.unwrap(form, Kek::kJob, black, 40, back.data()));
    EXPECT_EQ(back, key);
  }
}

TEST_F(BlackKeyTest, NoKek) {
  keks_.loaded = false;
  Bytes out(64);
  EXPECT_EQ(keys_.wrap(BlackForm::kEcb, Kek::kJob, filler(16, 1), out.data()).deco, DecoError::kKekNotLoaded);
  EXPECT_EQ(keys_.unwrap(BlackForm::kCcm, Kek::kJob, filler(28, 1), 16, out.data()).deco, DecoError::kKekNotLoaded);
}

}  // namespace
}  // namespace caamlab::tests
