// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// LOAD and SEQ LOAD (hardware.md 2.4).
#pragma once

#include "desc/commands/reg_table.h"

namespace caamlab::desc {

struct Load {
  static constexpr uint32_t kMask = 0xF0000000, kMatch = 0x10000000;
  static constexpr std::string_view kMnemonic = "LOAD", kAbout = "Load a register from memory or immediate data.";
  static constexpr bool kHasSeq = true;
  bool seq = false;
  ClassSel cls = ClassSel::kNone;
  bool sgf_vlf = false;
  bool imm = false;
  uint8_t dst = 0;
  uint8_t offset = 0;
  uint8_t len = 0;

  constexpr bool is_deco_ctrl() const { return cls == ClassSel::kDeco && dst == kRegControl; }
  constexpr bool length_is_math_number() const {
    return cls == ClassSel::kNone && (dst == kRegNfifoSzm || dst == kRegNfifoM || dst == kRegSizeSzm);
  }
  constexpr Operands operands() const {
    if (seq || is_deco_ctrl()) return {};
    if (!imm) return {.pointers = 1};
    return {.imm_words = static_cast<uint16_t>(length_is_math_number() ? 1 : words_for_bytes(len))};
  }
};
constexpr auto fields_of(const Load*) {
  return std::tuple{flag("seq", 27, &Load::seq, "data comes from the input sequence"),
                    choice("class", 26, 25, &Load::cls, kRegClassNames),
                    flag("sgf_vlf", 24, &Load::sgf_vlf, "LOAD: S/G table; SEQ LOAD: length is VSIL"),
                    flag("imm", 23, &Load::imm, "data follows"),
                    number("dst", 22, 16, &Load::dst, "see registers"),
                    number("offset", 15, 8, &Load::offset, "bytes (words for descbuf)"),
                    number("len", 7, 0, &Load::len, "bytes (words for descbuf)")};
}

}  // namespace caamlab::desc
