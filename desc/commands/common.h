// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Values that several commands share (hardware.md 2.1).
#pragma once

#include <array>
#include <cstdint>

#include "desc/codec.h"

namespace caamlab::desc {

// Bits 26:25. FIFO commands read 3 as "both classes", LOAD and STORE as "DECO".
enum class ClassSel : uint8_t { kNone = 0, kClass1 = 1, kClass2 = 2, kBoth = 3, kDeco = 3 };

inline constexpr std::array kClassNames{ValueName{0, "none"}, ValueName{1, "class1"}, ValueName{2, "class2"},
                                        ValueName{3, "both"}};
inline constexpr std::array kRegClassNames{ValueName{0, "ccb"}, ValueName{1, "class1"}, ValueName{2, "class2"},
                                           ValueName{3, "deco"}};

// What follows a command word in the descriptor: pointers (their width is the target's), one extended length, data.
struct Operands {
  uint8_t pointers = 0;
  uint8_t ext_words = 0;
  uint16_t imm_words = 0;
  constexpr unsigned words(unsigned ptr_words) const { return pointers * ptr_words + ext_words + imm_words; }
};

}  // namespace caamlab::desc
