// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// SNOW 3G and ZUC CHAs: the first test sets of 3GPP TS 35.217 / 35.223 and their ZUC counterparts, where there is a
// library for them.
#include "hw_model/cha/wireless.h"

#include <gtest/gtest.h>

#include "tests/hw_model/cha/harness.h"

namespace caamlab::tests {
namespace {

using desc::Alg;
using desc::AlgState;
using desc::ChaId;
using hw_model::CcbError;
using hw_model::ClassRegs;
using hw_model::DataType;

class WirelessTest : public testing::Test {
 protected:
  void SetUp() override {
    library_ = hw_model::make_wireless();
    if (!library_) GTEST_SKIP() << "no library for SNOW 3G and ZUC on this machine";
  }
  std::unique_ptr<hw_model::Wireless> library_;
  Bytes none_;

  ClassRegs regs_for(Alg alg, const std::string& key, const std::string& context, AlgState as = AlgState::kInitFinal,
                     bool icv = false) {
    ClassRegs regs = make_regs({.alg = alg, .as = as, .icv = icv, .enc = true}, from_hex(key));
    const Bytes bytes = from_hex(context);
    std::copy(bytes.begin(), bytes.end(), regs.context());
    return regs;
  }

  // `bits` of the expected output count.
  void expect_f8(ChaId id, Alg alg, const std::string& key, const std::string& context, const std::string& plain,
                 const std::string& cipher, size_t bits) {
    hw_model::WirelessCipher cha(library_.get(), id);
    for (const Layout& layout : layouts()) {
      ClassRegs regs = regs_for(alg, key, context);
      Bytes out, expected = from_hex(cipher);
      ASSERT_EQ(run(cha, regs, {{DataType::kMsg, from_hex(plain), Mark::kLast}}, layout, out), CcbError::kNone);
      ASSERT_EQ(out.size(), expected.size());
      if (bits % 8 != 0) {
        const uint8_t mask = static_cast<uint8_t>(0xFF << (8 - bits % 8));
        out.resize(bits / 8 + 1);
        expected.resize(bits / 8 + 1);
        out.back() &= mask;
        expected.back() &= mask;
      }
      EXPECT_EQ(to_hex(out), to_hex(expected)) << layout.name;
    }
  }

  void expect_f9(ChaId id, Alg alg, const std::string& key, const std::string& context, const std::string& data,
                 unsigned bits, const std::string& mac) {
    hw_model::WirelessMac cha(library_.get(), id);
    for (const Layout& layout : layouts()) {
      ClassRegs regs = regs_for(alg, key, context);
      regs.data_size = uint64_t{bits % 8} << 61;
      Bytes bytes = from_hex(data);
      bytes.resize((bits + 7) / 8);
      ASSERT_EQ(run(cha, regs, {{DataType::kMsg, bytes, Mark::kLast}}, layout, none_), CcbError::kNone);
      EXPECT_EQ(context_hex(regs, 0, 4), mac) << layout.name;
      for (const bool damaged : {false, true}) {
        Bytes icv = from_hex(mac);
        if (damaged) icv[3] ^= 1;
        regs = regs_for(alg, key, context, AlgState::kInitFinal, true);
        regs.data_size = uint64_t{bits % 8} << 61;
        EXPECT_EQ(run(cha, regs, {{DataType::kMsg, bytes, Mark::kLast}, {DataType::kIcv, icv, Mark::kLast}}, none_),
                  damaged ? CcbError::kIcvCheck : CcbError::kNone);
      }
    }
  }
};

TEST_F(WirelessTest, SnowF8) {
  expect_f8(ChaId::kSnowF8, Alg::kSnowF8, "d3c5d592327fb11c4035c6680af8c6d1", "398a59b4ac000000",
            "981ba6824c1bfb1ab485472029b71d808ce33e2cc3c0b5fc1f3de8a6dc66b1f0",
            "5d5bfe75eb04f68ce0a12377ea00b37d47c6a0ba06309155086a859c4341b37c", 253);
}

TEST_F(WirelessTest, SnowF9) {
  expect_f9(ChaId::kSnowF9, Alg::kSnowF9, "2bd6459f82c5b300952c49104881ff48", "38a6f0560000000005d2ec49",
            "6b227737296f393c8079353edc87e2e805d2ec49a4f2d8e0", 189, "2bce1820");
}

TEST_F(WirelessTest, ZucEea3) {
  expect_f8(ChaId::kZuce, Alg::kZucE, "173d14ba5003731d7a60049470f00a29", "66035492780000006603549278000000",
            "6cf65340735552ab0c9752fa6f9025fe0bd675d9005875b200000000",
            "a6c85fc66afb8533aafc2518dfe784940ee1e4b030238cc800000000", 193);
}

TEST_F(WirelessTest, ZucEia3) {
  expect_f9(ChaId::kZuca, Alg::kZucA, "00000000000000000000000000000000", "0000000000000000", "00000000", 1,
            "c8a9595e");
  expect_f9(ChaId::kZuca, Alg::kZucA, "47054125561eb2dda94059da05097850", "561eb2dda0000000",
            "000000000000000000000000", 90, "6719a088");
}

TEST_F(WirelessTest, Errors) {
  hw_model::WirelessCipher cipher(library_.get(), ChaId::kZuce);
  hw_model::WirelessMac mac(library_.get(), ChaId::kZuca);
  for (const char* key : {"00", "0000000000000000000000000000000000"}) {
    ClassRegs regs = regs_for(Alg::kZucE, key, "");
    EXPECT_EQ(run(cipher, regs, {{DataType::kMsg, filler(4, 1), Mark::kLast}}, none_), CcbError::kKeySize);
    regs = regs_for(Alg::kZucA, key, "");
    EXPECT_EQ(run(mac, regs, {{DataType::kMsg, filler(4, 1), Mark::kLast}}, none_), CcbError::kKeySize);
  }
  ClassRegs regs = regs_for(Alg::kZucA, "00000000000000000000000000000000", "", AlgState::kInit);
  EXPECT_EQ(run(mac, regs, {{DataType::kMsg, filler(4, 1), Mark::kLast}}, none_), CcbError::kMode);
  regs = regs_for(Alg::kZucA, "00000000000000000000000000000000", "");
  EXPECT_EQ(run(mac, regs, {{DataType::kAad, filler(4, 1), Mark::kLast}}, none_), CcbError::kSequence);
}

}  // namespace
}  // namespace caamlab::tests
