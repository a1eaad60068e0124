// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// STORE and SEQ STORE (hardware.md 2.5).
#pragma once

#include "desc/commands/reg_table.h"

namespace caamlab::desc {

struct Store {
  static constexpr uint32_t kMask = 0xF0000000, kMatch = 0x50000000;
  static constexpr std::string_view kMnemonic = "STORE", kAbout = "Store a register or immediate data to memory.";
  static constexpr bool kHasSeq = true;
  bool seq = false;
  ClassSel cls = ClassSel::kNone;
  bool sgf_vlf = false;
  bool imm = false;
  uint8_t src = 0;
  uint8_t offset = 0;
  uint8_t len = 0;

  // STORE of the job or shared descriptor goes where that descriptor came from.
  constexpr bool to_descriptor() const {
    return cls == ClassSel::kDeco &&
           (src == kRegJobDesc || src == kRegSharedDesc || src == kRegJobDescWe || src == kRegSharedDescWe);
  }
  constexpr Operands operands() const {
    const uint16_t data = static_cast<uint16_t>(imm ? words_for_bytes(len) : 0);
    if (seq) return {.imm_words = data};
    if (to_descriptor()) return {};
    return {.pointers = 1, .imm_words = data};
  }
};
constexpr auto fields_of(const Store*) {
  return std::tuple{flag("seq", 27, &Store::seq, "data goes to the output sequence"),
                    choice("class", 26, 25, &Store::cls, kRegClassNames),
                    flag("sgf_vlf", 24, &Store::sgf_vlf, "STORE: S/G table; SEQ STORE: length is VSOL"),
                    flag("imm", 23, &Store::imm, "the data to store follows"),
                    number("src", 22, 16, &Store::src, "see registers"),
                    number("offset", 15, 8, &Store::offset, "bytes (words for descriptor buffers)"),
                    number("len", 7, 0, &Store::len, "bytes (words for descriptor buffers)")};
}

}  // namespace caamlab::desc
