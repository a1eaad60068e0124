// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// JUMP (hardware.md 2.11).
#pragma once

#include "desc/commands/common.h"

namespace caamlab::desc {

enum class JumpType : uint8_t {
  kLocal = 0,
  kLocalInc = 1,
  kGosub = 2,
  kLocalDec = 3,
  kNonLocal = 4,
  kReturn = 6,
  kHalt = 8,
  kHaltUser = 0xC,
};
enum class JumpTest : uint8_t { kAll = 0, kNotAll = 1, kAny = 2, kNotAny = 3 };
inline constexpr std::array kJumpTypeNames{ValueName{0x0, "local"},
                                           ValueName{0x1, "local-inc"},
                                           ValueName{0x2, "gosub"},
                                           ValueName{0x3, "local-dec"},
                                           ValueName{0x4, "nonlocal"},
                                           ValueName{0x6, "return"},
                                           ValueName{0x8, "halt", "with condition codes"},
                                           ValueName{0xC, "halt-user", "with a status byte; 0 is success"}};
inline constexpr std::array kJumpTestNames{
    ValueName{0, "all", "all selected are true"}, ValueName{1, "none-of", "all selected are false"},
    ValueName{2, "any", "any selected is true"}, ValueName{3, "any-false", "any selected is false"}};

// COND 15:8, JSL = 0.
inline constexpr uint8_t kCondPkZero = 0x80, kCondPkGcd1 = 0x40, kCondPkPrime = 0x20, kCondMathN = 0x08,
                         kCondMathZ = 0x04, kCondMathC = 0x02, kCondMathNv = 0x01;
// COND 15:8, JSL = 1.
inline constexpr uint8_t kCondJqp = 0x80, kCondShrd = 0x40, kCondSelf = 0x20, kCondCalm = 0x10, kCondNip = 0x08,
                         kCondNifp = 0x04, kCondNop = 0x02, kCondNcp = 0x01;
inline constexpr std::array kCondMathNames{
    ValueName{0x80, "pk_0"},   ValueName{0x40, "pk_gcd_1"}, ValueName{0x20, "pk_prime"}, ValueName{0x08, "math_n"},
    ValueName{0x04, "math_z"}, ValueName{0x02, "math_c"},   ValueName{0x01, "math_nv"}};
inline constexpr std::array kCondJslNames{ValueName{0x80, "jqp"},  ValueName{0x40, "shrd"}, ValueName{0x20, "self"},
                                          ValueName{0x10, "calm"}, ValueName{0x08, "nip"},  ValueName{0x04, "nifp"},
                                          ValueName{0x02, "nop"},  ValueName{0x01, "ncp"}};
// Register of the increment and decrement forms, bits 15:12 (codes as MATH SRC0).
inline constexpr std::array kJumpRegNames{ValueName{0x0, "math0"}, ValueName{0x1, "math1"},  ValueName{0x2, "math2"},
                                          ValueName{0x3, "math3"}, ValueName{0x7, "dpovrd"}, ValueName{0x8, "sil"},
                                          ValueName{0x9, "sol"},   ValueName{0xA, "vsil"},   ValueName{0xB, "vsol"}};

struct Jump {
  static constexpr uint32_t kMask = 0xF8000000, kMatch = 0xA0000000;
  static constexpr std::string_view kMnemonic = "JUMP", kAbout = "Jump, call, wait or halt, on conditions.";
  static constexpr bool kHasSeq = false;
  ClassSel cls = ClassSel::kNone;  // wait for done of these classes first
  bool jsl = false;                // selects what cond means: math/PKHA (0) or sharing/idle (1)
  JumpType type = JumpType::kLocal;
  JumpTest test = JumpTest::kAll;
  uint8_t cond = 0;
  int8_t offset = 0;  // words from this command; halt-user: the status byte

  constexpr bool counts() const { return type == JumpType::kLocalInc || type == JumpType::kLocalDec; }
  constexpr bool is_local() const { return static_cast<uint8_t>(type) <= 3; }
  constexpr Operands operands() const { return {.pointers = static_cast<uint8_t>(type == JumpType::kNonLocal)}; }
};
constexpr auto fields_of(const Jump*) {
  return std::tuple{choice("class", 26, 25, &Jump::cls, kClassNames, "wait for done"),
                    flag("jsl", 24, &Jump::jsl, "cond selects sharing and idle conditions"),
                    choice("type", 23, 20, &Jump::type, kJumpTypeNames),
                    choice("test", 17, 16, &Jump::test, kJumpTestNames),
                    number("cond", 15, 8, &Jump::cond, "inc/dec: 15:12 register, 11:8 conditions"),
                    signed_number("offset", 7, 0, &Jump::offset, "words; halt-user: status")};
}

}  // namespace caamlab::desc
