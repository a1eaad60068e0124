// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// CRCA: catalogued check values ("123456789"), pieces and operations, custom polynomials, and a bitwise CRC as witness.
#include "hw_model/cha/crca.h"

#include <gtest/gtest.h>

#include "tests/hw_model/cha/harness.h"

namespace caamlab::tests {
namespace {

using desc::AlgState;
using hw_model::CcbError;
using hw_model::ClassRegs;
using hw_model::Crca;
using hw_model::DataType;
namespace aai = desc::aai;

desc::AlgOperation crc(unsigned mode, AlgState as, bool icv = false) {
  return {
      .cls = desc::ClassSel::kClass2, .alg = desc::Alg::kCrc, .aai = static_cast<uint16_t>(mode), .as = as, .icv = icv};
}
std::vector<Step> message(const Bytes& data) { return {{DataType::kMsg, data, Mark::kLast}}; }

constexpr unsigned kRaw = aai::kCrcDis | aai::kCrcDos | aai::kCrcDoc;

struct Check {
  const char* name;
  unsigned mode;
  const char *polynomial, *value;
};
// The catalogue of parametrised CRC algorithms (reveng); a narrow CRC is aligned to the top.
constexpr Check kChecks[] = {
    {"CRC-32/ISO-HDLC", aai::kCrc802, "", "cbf43926"},
    {"CRC-32/JAMCRC", aai::kCrc802 | aai::kCrcDoc, "", "340bc6d9"},
    {"CRC-32/BZIP2", aai::kCrc802 | aai::kCrcDis | aai::kCrcDos, "", "fc891918"},
    {"CRC-32/MPEG-2", aai::kCrc802 | kRaw, "", "0376e6e7"},
    {"CRC-32/CKSUM without length", aai::kCrc802 | aai::kCrcDis | aai::kCrcDos | aai::kCrcIvz, "", "765e7680"},
    {"CRC-32/ISCSI", aai::kCrc3385, "", "e3069283"},
    {"CRC-32/XFER", aai::kCrcCust | kRaw | aai::kCrcIvz, "000000af", "bd0be338"},
    {"CRC-16/XMODEM", aai::kCrcCust | kRaw | aai::kCrcIvz, "10210000", "31c30000"},
    {"CRC-16/IBM-3740", aai::kCrcCust | kRaw, "10210000", "29b10000"},
};

TEST(Crca, CatalogueCheckValues) {
  Crca cha;
  Bytes none;
  const Bytes data = from_hex("313233343536373839");
  for (const Check& c : kChecks)
    for (const Layout& layout : layouts()) {
      ClassRegs regs = make_regs(crc(c.mode, AlgState::kInitFinal), from_hex(c.polynomial));
      ASSERT_EQ(run(cha, regs, message(data), layout, none), CcbError::kNone) << c.name;
      EXPECT_EQ(context_hex(regs, 0, 4), c.value) << c.name << " " << layout.name;
    }
}

uint32_t bitwise(uint32_t polynomial, uint32_t state, const Bytes& data, bool reflect) {
  for (const uint8_t byte : data)
    for (int i = 0; i < 8; ++i) {
      const uint32_t bit = reflect ? byte >> i & 1 : byte >> (7 - i) & 1;
      state = state << 1 ^ ((state >> 31 ^ bit) != 0 ? polynomial : 0);
    }
  return state;
}

TEST(Crca, EqualsABitwiseCrc) {
  Crca cha;
  Bytes none;
  for (const unsigned dis : {0u, unsigned{aai::kCrcDis}})
    for (size_t len = 0; len < 70; ++len) {
      const Bytes data = filler(len, 1);
      Bytes key = filler(4, static_cast<uint32_t>(len));
      key[3] |= 1;  // 32 bits wide
      ClassRegs regs = make_regs(crc(aai::kCrcCust | aai::kCrcDos | aai::kCrcDoc | dis, AlgState::kInitFinal), key);
      ASSERT_EQ(run(cha, regs, message(data), none), CcbError::kNone);
      EXPECT_EQ(desc::load_be32(regs.context()), bitwise(desc::load_be32(key.data()), 0xFFFFFFFF, data, dis == 0))
          << len;
    }
}

TEST(Crca, SplitOperationsEqualTheWhole) {
  Crca cha;
  Bytes none;
  const Bytes data = filler(40, 1);
  for (const unsigned mode : {unsigned{aai::kCrc802}, unsigned{aai::kCrc3385} | aai::kCrcDoc}) {
    ClassRegs whole = make_regs(crc(mode, AlgState::kInitFinal), {});
    ASSERT_EQ(run(cha, whole, message(data), none), CcbError::kNone);
    for (size_t at = 0; at <= data.size(); ++at) {
      ClassRegs regs = make_regs(crc(mode, AlgState::kInit), {});
      ASSERT_EQ(run(cha, regs, message(slice(data, 0, at / 2)), none), CcbError::kNone);
      regs.op.as = AlgState::kUpdate;
      ASSERT_EQ(run(cha, regs, message(slice(data, at / 2, at - at / 2)), none), CcbError::kNone);
      regs.op.as = AlgState::kFinal;
      ASSERT_EQ(run(cha, regs, message(slice(data, at, data.size() - at)), none), CcbError::kNone);
      EXPECT_EQ(context_hex(regs, 0, 4), context_hex(whole, 0, 4)) << at;
    }
    // As caamflib does it: FINALIZE over a fresh context.
    ClassRegs fresh = make_regs(crc(mode, AlgState::kFinal), {});
    ASSERT_EQ(run(cha, fresh, message(data), none), CcbError::kNone);
    EXPECT_EQ(context_hex(fresh, 0, 4), context_hex(whole, 0, 4));
  }
}

TEST(Crca, IcvCheckAndErrors) {
  Crca cha;
  Bytes none;
  const Bytes data = from_hex("313233343536373839");
  for (const char* icv : {"cbf43926", "cbf43927"}) {
    ClassRegs regs = make_regs(crc(aai::kCrc802, AlgState::kInitFinal, true), {});
    EXPECT_EQ(run(cha, regs, {{DataType::kMsg, data, Mark::kLast}, {DataType::kIcv, from_hex(icv), Mark::kLast}}, none),
              std::string(icv) == "cbf43926" ? CcbError::kNone : CcbError::kIcvCheck);
  }
  for (const unsigned mode : {0u, 0x03u, 0x07u, 0x08u, 0x101u, 0x10u}) {
    ClassRegs regs = make_regs(crc(mode, AlgState::kInitFinal), {});
    EXPECT_EQ(run(cha, regs, message(data), none), CcbError::kMode) << mode;
  }
  ClassRegs regs = make_regs(crc(aai::kCrcCust, AlgState::kInitFinal), filler(3, 1));
  EXPECT_EQ(run(cha, regs, message(data), none), CcbError::kKeySize);
  regs = make_regs(crc(aai::kCrc802, AlgState::kInitFinal), {});
  EXPECT_EQ(run(cha, regs, {{DataType::kIv, data, Mark::kLast}}, none), CcbError::kSequence);
}

}  // namespace
}  // namespace caamlab::tests
