// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Which CHA answers which OPERATION on which platform, and the error when none does.
#include "hw_model/cha/cha_table.h"

#include <gtest/gtest.h>

#include <map>

namespace caamlab::tests {
namespace {

using desc::Alg;
using desc::CcbError;
using desc::ClassSel;
using hw_model::ChaSet;
using hw_model::ChaUnit;
using hw_model::Platform;
namespace aai = desc::aai;

constexpr CcbError kFound = CcbError::kNone;

Platform platform(const char* name) {
  auto p = hw_model::find_platform(name);
  EXPECT_TRUE(p.has_value()) << name;
  return *p;
}

CcbError find(ChaSet& set, Alg alg, uint16_t mode, ClassSel cls = ClassSel::kClass1) {
  CcbError error = CcbError::kNone;
  hw_model::Cha* cha = set.find({.cls = cls, .alg = alg, .aai = mode}, error);
  if (cha == nullptr) return error;
  EXPECT_EQ(cha->id(), desc::cha_of(alg));
  return kFound;
}

TEST(ChaTable, AesModes) {
  const Platform p = platform("lx2160a");
  ChaSet set(p);
  for (unsigned mode = 0; mode <= 0x3FF; ++mode) {
    const unsigned group = mode & 0xF0, flags = mode & 0x300, low = mode & 0x0F;
    bool good = group <= 0xE0 && (low == 0 || group == 0);
    if (flags == aai::kDk) good = good && (group == aai::kCbc || group == aai::kEcb || group == aai::kXts);
    if (flags == aai::kC2k) good = good && (group == aai::kCcm || group == aai::kGcm);
    if (flags == 0x300) good = false;
    EXPECT_EQ(find(set, Alg::kAes, static_cast<uint16_t>(mode)), good ? kFound : CcbError::kMode) << std::hex << mode;
    const bool class2 = mode == aai::kCmac || mode == aai::kXcbcMac;
    EXPECT_EQ(find(set, Alg::kAes, static_cast<uint16_t>(mode), ClassSel::kClass2), class2 ? kFound : CcbError::kMode)
        << std::hex << mode;
  }
}

TEST(ChaTable, LowPowerAesa) {
  Platform p = platform("imx8mq");
  ASSERT_EQ(p.cha(ChaUnit::kAesa).version, hw_model::kAesaLowPower);
  ChaSet set(p);
  for (const uint16_t mode : {aai::kXts, aai::kCbcXcbcMac, aai::kCtrXcbcMac})
    EXPECT_EQ(find(set, Alg::kAes, mode), CcbError::kMode);
  for (const uint16_t mode : {aai::kCbc, aai::kCtrMod128, aai::kCcm, aai::kCmac, aai::kXcbcMac, aai::kGcm})
    EXPECT_EQ(find(set, Alg::kAes, mode), kFound);
}

TEST(ChaTable, GcmOfLowPowerUnitsByRevision) {
  Platform p = platform("imx8mq");
  auto& aesa = p.chas[static_cast<unsigned>(ChaUnit::kAesa)];
  for (unsigned revision = 0; revision < 12; ++revision) {
    aesa.revision = static_cast<uint8_t>(revision);
    ChaSet set(p);
    EXPECT_EQ(find(set, Alg::kAes, aai::kGcm), revision < 8 ? CcbError::kMode : kFound) << revision;
  }
}

TEST(ChaTable, DesAndChaChaModes) {
  const Platform p = platform("lx2160a");
  ChaSet set(p);
  for (unsigned mode = 0; mode <= 0x3FF; ++mode) {
    const unsigned des = mode & ~0x80u;
    const bool good = des == aai::kCbc || des == aai::kEcb || des == aai::kCfb || des == aai::kOfb;
    for (const Alg alg : {Alg::kDes, Alg::k3Des})
      EXPECT_EQ(find(set, alg, static_cast<uint16_t>(mode)), good ? kFound : CcbError::kMode) << std::hex << mode;
  }
  EXPECT_EQ(find(set, Alg::kChaCha20, 0), kFound);
  EXPECT_EQ(find(set, Alg::kPoly1305, aai::kAead, ClassSel::kClass2), kFound);
  EXPECT_EQ(find(set, Alg::kPoly1305, aai::kAead, ClassSel::kClass1), CcbError::kInvalidCha);
  EXPECT_EQ(find(set, Alg::kChaCha20, 0, ClassSel::kClass2), CcbError::kInvalidCha);
}

TEST(ChaTable, MdhaByVersion) {
  Platform p = platform("lx2160a");
  auto& mdha = p.chas[static_cast<unsigned>(ChaUnit::kMdha)];
  for (const uint8_t version :
       {hw_model::kMdhaLp256, hw_model::kMdhaLp512, hw_model::kMdhaMidPerformance, hw_model::kMdhaHighPerformance}) {
    mdha.version = version;
    ChaSet set(p);
    for (unsigned alg = 0x40; alg <= 0x47; ++alg)
      for (unsigned mode = 0; mode <= 8; ++mode) {
        const bool known = mode == aai::kHash || mode == aai::kHmac || mode == aai::kHmacPrecomp ||
                           (mode == aai::kSmac && alg <= 0x41 && version >= hw_model::kMdhaMidPerformance);
        const bool length = alg <= 0x43 || version != hw_model::kMdhaLp256;
        EXPECT_EQ(find(set, static_cast<Alg>(alg), static_cast<uint16_t>(mode), ClassSel::kClass2),
                  known && length ? kFound : CcbError::kMode)
            << int{version} << " " << std::hex << alg << " " << mode;
      }
    EXPECT_EQ(find(set, Alg::kSha256, 0), CcbError::kInvalidCha) << "class 1";
  }
}

TEST(ChaTable, UnitThatIsNotThere) {
  for (const std::string& name : hw_model::platform_names()) {
    const Platform p = platform(name.c_str());
    ChaSet set(p);
    EXPECT_EQ(find(set, Alg::kAes, aai::kCbc), p.has(ChaUnit::kAesa) ? kFound : CcbError::kInvalidCha) << name;
    // Never modelled, wherever it is.
    EXPECT_EQ(find(set, Alg::kArc4, 0), CcbError::kInvalidCha) << name;
    EXPECT_EQ(find(set, Alg::kKasumi, aai::kF8), CcbError::kInvalidCha) << name;
    EXPECT_EQ(find(set, static_cast<Alg>(0xF0), 0), CcbError::kInvalidCha) << name;
  }
  Platform none;
  ChaSet set(none);
  EXPECT_EQ(find(set, Alg::kAes, aai::kCbc), CcbError::kInvalidCha);
}

}  // namespace
}  // namespace caamlab::tests
