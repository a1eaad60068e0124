// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Every command through encode and decode: all values of all fields, reserved bits, random words.
#include "desc/codec.h"

#include <gtest/gtest.h>

#include <random>

#include "desc/command.h"
#include "desc/nfifo.h"
#include "desc/pdb.h"
#include "desc/reg_bits.h"

namespace caamlab::desc {
namespace {

// Calls fn for each command and each other word that has a field list.
template <class Fn>
void for_each_layout(Fn&& fn) {
  for_each_command(fn);
  fn.template operator()<NfifoEntry>();
  fn.template operator()<DecoCtrl>();
  fn.template operator()<RsaPubWord>();
  fn.template operator()<RsaPrivWord>();
  fn.template operator()<RsaPrimeLengths>();
}

TEST(Codec, EveryValueOfEveryFieldComesBack) {
  for_each_layout([]<class C>() {
    const uint32_t others = encode(C{});
    for_each_field<C>([&](const auto& f) {
      const unsigned width = f.hi - f.lo + 1u;
      ASSERT_LE(width, 16u);
      for (uint32_t v = 0; v < (1u << width); ++v) {
        const uint32_t word = (others & ~f.mask()) | put_bits(v, f.hi, f.lo);
        const C c = decode_as<C>(word);
        ASSERT_EQ(encode(c), word) << C::kMnemonic << " " << f.name << " " << v;
        ASSERT_TRUE(fits(c)) << C::kMnemonic << " " << f.name << " " << v;
        // No other field moved.
        ASSERT_EQ(encode(c) & ~f.mask(), others & ~f.mask());
      }
    });
  });
}

TEST(Codec, ValuesTooWideDoNotFit) {
  EXPECT_FALSE(fits(Key{.len = 0x400}));
  EXPECT_TRUE(fits(Key{.len = 0x3FF}));
  EXPECT_FALSE(fits(MoveLen{.math = 4}));
  EXPECT_FALSE(fits(JobHeader{.start = 0x80}));
  EXPECT_FALSE(fits(JobHeader{.len = 0x80}));
  EXPECT_FALSE(fits(AlgOperation{.aai = 0x400}));
  EXPECT_FALSE(fits(Math{.len = 16}));
  EXPECT_FALSE(fits(FifoLoad{.type = 0x40}));
  EXPECT_TRUE(fits(Jump{.offset = -128}));
  EXPECT_TRUE(fits(Jump{.offset = 127}));
}

TEST(Codec, FieldsCoverTheirNamedValues) {
  for_each_layout([]<class C>() {
    for_each_field<C>([&](const auto& f) {
      const uint32_t limit = f.mask() >> f.lo;
      for (size_t i = 0; i < f.values.size(); ++i) {
        EXPECT_LE(f.values[i].value, limit) << C::kMnemonic << " " << f.name;
        EXPECT_FALSE(f.values[i].name.empty());
        for (size_t k = 0; k < i; ++k) {
          EXPECT_NE(f.values[i].value, f.values[k].value) << C::kMnemonic << " " << f.name;
          EXPECT_NE(f.values[i].name, f.values[k].name) << C::kMnemonic << " " << f.name;
        }
      }
    });
  });
}

TEST(Codec, ReservedBitsAreFoundAndIgnored) {
  unsigned reserved = 0;
  for_each_layout([&]<class C>() {
    for (uint32_t bits = reserved_bits<C>(); bits != 0; bits &= bits - 1) {
      const uint32_t bit = bits & -bits;
      const uint32_t word = encode(C{}) | bit;
      EXPECT_FALSE(well_formed<C>(word)) << C::kMnemonic << " " << std::hex << bit;
      EXPECT_EQ(encode(decode_as<C>(word)), encode(C{})) << C::kMnemonic << " " << std::hex << bit;
      ++reserved;
    }
  });
  EXPECT_GT(reserved, 50u);
}

TEST(Codec, UnnamedValuesAreNotWellFormed) {
  EXPECT_TRUE(well_formed<Math>(encode(Math{})));
  EXPECT_FALSE(well_formed<Math>(encode(Math{.fn = MathFn{0xC}})));
  EXPECT_FALSE(well_formed<Math>(encode(Math{.len = 3})));
  EXPECT_FALSE(well_formed<Math>(encode(Math{.src0 = MathSrc0{5}})));
  EXPECT_FALSE(well_formed<Jump>(encode(Jump{.type = JumpType{5}})));
  EXPECT_FALSE(well_formed<FifoStore>(encode(FifoStore{.type = FifoStoreType{0x09}})));
  EXPECT_FALSE(well_formed<AlgOperation>(encode(AlgOperation{.alg = Alg{0x11}})));
}

// Any word is one command or none; what its fields hold comes back.
TEST(Decode, RandomWords) {
  std::mt19937 random(1);
  unsigned invalid = 0;
  for (int i = 0; i < 400000; ++i) {
    const auto word = static_cast<uint32_t>(random());
    const Command cmd = decode(word);
    unsigned claims = 0;
    for_each_command([&]<class C>() { claims += is_command<C>(word); });
    std::visit(
        [&](const auto& c) {
          using C = std::decay_t<decltype(c)>;
          if constexpr (std::is_same_v<C, InvalidCommand>) {
            EXPECT_EQ(claims, 0u) << std::hex << word;
            EXPECT_EQ(c.word, word);
            ++invalid;
          } else {
            EXPECT_EQ(claims, 1u) << std::hex << word;
            EXPECT_EQ(encode(c), word & ~reserved_bits<C>()) << std::hex << word;
          }
        },
        cmd);
    EXPECT_LE(operand_words(cmd, 2), 0x4000u + 3);
  }
  EXPECT_GT(invalid, 0u);
}

struct DecodeCase {
  uint32_t word;
  std::string_view mnemonic;
  unsigned operands4, operands8;  // words behind it with 4- and 8-byte pointers
};
const DecodeCase kDecodeCases[] = {
    {0x04000010, "KEY", 1, 2},
    {0x02800010, "KEY", 4, 4},
    {0x04c00014, "KEY", 8, 8},  // black, ECB: 20 bytes are 32 in the descriptor
    {0x04d00014, "KEY", 9, 9},  // black, CCM: 24 + 12
    {0x0a000010, "KEY", 0, 0},
    {0x12200010, "LOAD", 1, 2},
    {0x12a00010, "LOAD", 4, 4},
    {0x1a200010, "LOAD", 0, 0},
    {0x16860800, "LOAD", 0, 0},  // DECO control
    {0x10f10003, "LOAD", 1, 1},  // length is the number of a MATH register
    {0x22a1000c, "FIFO LOAD", 3, 3},
    {0x22100010, "FIFO LOAD", 1, 2},
    {0x22500000, "FIFO LOAD", 2, 3},
    {0x2a120000, "FIFO LOAD", 0, 0},
    {0x22a80009, "FIFO LOAD", 1, 1},  // bits
    {0x54200020, "STORE", 1, 2},
    {0x5c200020, "STORE", 0, 0},
    {0x56410408, "STORE", 0, 0},  // job descriptor: no pointer
    {0x64260028, "FIFO STORE", 1, 2},
    {0x60350010, "FIFO STORE", 0, 0},
    {0x603f0010, "FIFO STORE", 0, 0},
    {0x78360006, "MOVE", 0, 0},
    {0x38360006, "MOVEB", 0, 0},
    {0x30360006, "MOVEDW", 0, 0},
    {0x72a20003, "MOVE_LEN", 0, 0},
    {0x8210090d, "OPERATION", 0, 0},
    {0x8443004d, "OPERATION", 0, 0},
    {0x81800006, "PKHA OP", 0, 0},
    {0x870d0000, "PROTOCOL", 0, 0},
    {0x80230020, "PROTOCOL", 16, 16},  // DKP in place: the split key is the longer
    {0x80230050, "PROTOCOL", 20, 20},
    {0x8022a01c, "PROTOCOL", 1, 2},
    {0x9000000, "KEY", 0, 0},
    {0x90000000, "SIGNATURE", 8, 8},
    {0x900a0000, "SIGNATURE", 2, 2},
    {0x40010010, "EXT KEY", 0, 0},
    {0xa1004006, "JUMP", 0, 0},
    {0xa0400000, "JUMP", 1, 2},
    {0xa8284b04, "MATH", 1, 1},
    {0xa8204b08, "MATH", 2, 2},
    {0xac204b08, "MATH", 1, 1},
    {0xa8244b04, "MATH", 2, 2},
    {0xa8280b04, "MATH", 0, 0},
    {0xe8000b04, "MATHI", 0, 0},
    {0xb0800008, "JOB HDR", 0, 0},
    {0xb0971c11, "JOB HDR", 1, 2},
    {0xb8800217, "SHR HDR", 0, 0},
    {0xf0400000, "SEQ IN PTR", 2, 3},
    {0xf0000010, "SEQ IN PTR", 1, 2},
    {0xf0200010, "SEQ IN PTR", 0, 0},
    {0xf8800010, "SEQ OUT PTR", 0, 0},
    {0xf9400000, "SEQ OUT PTR", 2, 3},
    {0x48000000, "", 0, 0},
    {0x88000000, "", 0, 0},
    {0x83000000, "", 0, 0},
    {0x81000006, "", 0, 0},
};

TEST(Decode, CommandsAndTheirOperands) {
  for (const DecodeCase& c : kDecodeCases) {
    const Command cmd = decode(c.word);
    const std::string_view mnemonic = std::visit(
        [](const auto& x) -> std::string_view {
          using C = std::decay_t<decltype(x)>;
          if constexpr (std::is_same_v<C, InvalidCommand>)
            return "";
          else
            return C::kMnemonic;
        },
        cmd);
    EXPECT_EQ(mnemonic, c.mnemonic) << std::hex << c.word;
    EXPECT_EQ(operand_words(cmd, 1), c.operands4) << std::hex << c.word;
    EXPECT_EQ(operand_words(cmd, 2), c.operands8) << std::hex << c.word;
  }
}

TEST(Registers, EveryRowIsFound) {
  for (const RegRow& row : kRegTable)
    for (unsigned cls = 0; cls < 4; ++cls) {
      if ((row.classes >> cls & 1) == 0) continue;
      const RegRow* found = find_reg(static_cast<ClassSel>(cls), row.code);
      ASSERT_NE(found, nullptr);
      EXPECT_EQ(found, &row) << row.name << ": two rows of class " << cls << " have its code";
    }
  EXPECT_EQ(find_reg(ClassSel::kNone, 0x3F), nullptr);
  EXPECT_EQ(find_reg(ClassSel::kClass1, kRegNfifo), nullptr);
}

}  // namespace
}  // namespace caamlab::desc
