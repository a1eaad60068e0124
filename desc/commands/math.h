// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// MATH and MATHI (hardware.md 2.10).
#pragma once

#include "desc/commands/common.h"

namespace caamlab::desc {

enum class MathFn : uint8_t {
  kAdd = 0,
  kAddC,
  kSub,
  kSubB,
  kOr,
  kAnd,
  kXor,
  kLshift,
  kRshift,
  kShld,
  kZbyt,
  kBswap,
};
enum class MathSrc0 : uint8_t {
  kMath0 = 0,
  kMath1,
  kMath2,
  kMath3,
  kImm = 4,
  kDpovrd = 7,
  kSil = 8,
  kSol = 9,
  kVsil = 0xA,
  kVsol = 0xB,
  kZero = 0xC,
  kOne = 0xF,
};
enum class MathSrc1 : uint8_t {
  kMath0 = 0,
  kMath1,
  kMath2,
  kMath3,
  kImm = 4,
  kDpovrd = 7,
  kVsil = 8,
  kVsol = 9,
  kInFifo = 0xA,
  kOutFifo = 0xB,
  kOne = 0xC,
  kJobSrc = 0xD,
  kZero = 0xF,
};
enum class MathDst : uint8_t {
  kMath0 = 0,
  kMath1,
  kMath2,
  kMath3,
  kDpovrd = 7,
  kSil = 8,
  kSol = 9,
  kVsil = 0xA,
  kVsol = 0xB,
  kNone = 0xF,
};
inline constexpr std::array kMathFnNames{ValueName{0x0, "add"},  ValueName{0x1, "addc"},   ValueName{0x2, "sub"},
                                         ValueName{0x3, "subb"}, ValueName{0x4, "or"},     ValueName{0x5, "and"},
                                         ValueName{0x6, "xor"},  ValueName{0x7, "lshift"}, ValueName{0x8, "rshift"},
                                         ValueName{0x9, "shld"}, ValueName{0xA, "zbyt"},   ValueName{0xB, "bswap"}};
inline constexpr std::array kMathSrc0Names{ValueName{0x0, "math0"}, ValueName{0x1, "math1"}, ValueName{0x2, "math2"},
                                           ValueName{0x3, "math3"}, ValueName{0x4, "imm"},   ValueName{0x7, "dpovrd"},
                                           ValueName{0x8, "sil"},   ValueName{0x9, "sol"},   ValueName{0xA, "vsil"},
                                           ValueName{0xB, "vsol"},  ValueName{0xC, "zero"},  ValueName{0xF, "one"}};
inline constexpr std::array kMathSrc1Names{ValueName{0x0, "math0"}, ValueName{0x1, "math1"}, ValueName{0x2, "math2"},
                                           ValueName{0x3, "math3"}, ValueName{0x4, "imm"},   ValueName{0x7, "dpovrd"},
                                           ValueName{0x8, "vsil"},  ValueName{0x9, "vsol"},  ValueName{0xA, "ififo"},
                                           ValueName{0xB, "ofifo"}, ValueName{0xC, "one"},   ValueName{0xD, "jobsrc"},
                                           ValueName{0xF, "zero"}};
inline constexpr std::array kMathDstNames{ValueName{0x0, "math0"}, ValueName{0x1, "math1"},  ValueName{0x2, "math2"},
                                          ValueName{0x3, "math3"}, ValueName{0x7, "dpovrd"}, ValueName{0x8, "sil"},
                                          ValueName{0x9, "sol"},   ValueName{0xA, "vsil"},   ValueName{0xB, "vsol"},
                                          ValueName{0xF, "none"}};
inline constexpr std::array kMathLenNames{ValueName{1, "1"}, ValueName{2, "2"}, ValueName{4, "4"}, ValueName{8, "8"}};

struct Math {
  static constexpr uint32_t kMask = 0xF8000000, kMatch = 0xA8000000;
  static constexpr std::string_view kMnemonic = "MATH", kAbout = "Arithmetic on MATH and length registers.";
  static constexpr bool kHasSeq = false;
  bool ifb = false;
  bool nfu = false;
  bool stl = false;
  MathFn fn = MathFn::kAdd;
  MathSrc0 src0 = MathSrc0::kMath0;
  MathSrc1 src1 = MathSrc1::kMath0;
  MathDst dst = MathDst::kMath0;
  uint8_t len = 4;

  constexpr bool imm0() const { return src0 == MathSrc0::kImm; }
  constexpr bool imm1() const { return src1 == MathSrc1::kImm; }
  constexpr Operands operands() const {
    if (imm0() && imm1()) return {.imm_words = 2};
    if (!imm0() && !imm1()) return {};
    return {.imm_words = static_cast<uint16_t>(len == 8 && !ifb ? 2 : 1)};
  }
};
constexpr auto fields_of(const Math*) {
  return std::tuple{flag("ifb", 26, &Math::ifb, "4-byte immediate in an 8-byte operation"),
                    flag("nfu", 25, &Math::nfu, "no flag update"),
                    flag("stl", 24, &Math::stl, "stall for pending loads"),
                    choice("fn", 23, 20, &Math::fn, kMathFnNames),
                    choice("src0", 19, 16, &Math::src0, kMathSrc0Names),
                    choice("src1", 15, 12, &Math::src1, kMathSrc1Names),
                    choice("dst", 11, 8, &Math::dst, kMathDstNames),
                    choice("len", 3, 0, &Math::len, kMathLenNames)};
}

// The immediate sits in the command. With SSEL the immediate is the left operand and the source reads as SRC1.
struct MathI {
  static constexpr uint32_t kMask = 0xF8000000, kMatch = 0xE8000000;
  static constexpr std::string_view kMnemonic = "MATHI", kAbout = "MATH with an 8-bit immediate (era 6+).";
  static constexpr bool kHasSeq = false;
  bool nfu = false;
  bool ssel = false;
  MathFn fn = MathFn::kAdd;
  uint8_t src = 0;
  MathDst dst = MathDst::kMath0;
  uint8_t imm = 0;
  uint8_t len = 4;
  constexpr Operands operands() const { return {}; }
};
inline constexpr std::array kMathILenNames{ValueName{1, "1"},    ValueName{2, "2"},     ValueName{3, "2,swp"},
                                           ValueName{4, "4"},    ValueName{5, "4,swp"}, ValueName{8, "8"},
                                           ValueName{9, "8,swp"}};
constexpr auto fields_of(const MathI*) {
  return std::tuple{flag("nfu", 25, &MathI::nfu, "no flag update"),
                    flag("ssel", 24, &MathI::ssel, "the immediate is the left operand"),
                    choice("fn", 23, 20, &MathI::fn, kMathFnNames, "0xA is FBYT here"),
                    choice("src", 19, 16, &MathI::src, kMathSrc0Names, "as SRC0, with ssel as SRC1"),
                    choice("dst", 15, 12, &MathI::dst, kMathDstNames),
                    number("imm", 11, 4, &MathI::imm),
                    choice("len", 3, 0, &MathI::len, kMathILenNames, "bit 0 swaps the immediate (era 7+)")};
}

}  // namespace caamlab::desc
