// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// SIGNATURE and EXTERNAL KEY TRANSFER (hardware.md 2.12).
#pragma once

#include "desc/commands/common.h"

namespace caamlab::desc {

inline constexpr std::array kSignatureTypeNames{ValueName{0x0, "final"},         ValueName{0x1, "final-restore"},
                                                ValueName{0x2, "final-nonzero"}, ValueName{0xA, "imm2"},
                                                ValueName{0xB, "imm3"},          ValueName{0xC, "imm4"}};

struct Signature {
  static constexpr uint32_t kMask = 0xF8000000, kMatch = 0x90000000;
  static constexpr std::string_view kMnemonic = "SIGNATURE", kAbout = "Signature of a trusted descriptor.";
  static constexpr bool kHasSeq = false;
  uint8_t type = 0;
  constexpr bool is_final() const { return type <= 2; }
  constexpr Operands operands() const {
    if (is_final()) return {.imm_words = 8};
    return {.imm_words = static_cast<uint16_t>(type >= 0xA && type <= 0xC ? type - 8 : 0)};
  }
};
constexpr auto fields_of(const Signature*) {
  return std::tuple{choice("type", 19, 16, &Signature::type, kSignatureTypeNames)};
}

inline constexpr std::array kExternalKeySrcNames{ValueName{1, "class1key"}, ValueName{2, "class2key"},
                                                 ValueName{3, "pkha-e"}};
struct ExternalKey {
  static constexpr uint32_t kMask = 0xF8000000, kMatch = 0x40000000;
  static constexpr std::string_view kMnemonic = "EXT KEY", kAbout = "Hand a key to another block (i.MX RT1170).";
  static constexpr bool kHasSeq = false;
  uint8_t src = 0;
  uint16_t len = 0;
  constexpr Operands operands() const { return {}; }
};
constexpr auto fields_of(const ExternalKey*) {
  return std::tuple{choice("src", 17, 16, &ExternalKey::src, kExternalKeySrcNames),
                    number("len", 9, 0, &ExternalKey::len, "bytes")};
}

}  // namespace caamlab::desc
