// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// SEQ IN PTR and SEQ OUT PTR (hardware.md 2.8).
#pragma once

#include "desc/commands/common.h"

namespace caamlab::desc {

struct SeqInPtr {
  static constexpr uint32_t kMask = 0xF8000000, kMatch = 0xF0000000;
  static constexpr std::string_view kMnemonic = "SEQ IN PTR", kAbout = "Define, extend or restore the input sequence.";
  static constexpr bool kHasSeq = false;
  bool rbs = false;
  bool inl = false;
  bool sgf = false;
  bool pre = false;
  bool ext = false;
  bool rto = false;
  bool rjd = false;
  bool sop = false;
  uint16_t len = 0;
  constexpr bool has_pointer() const { return !pre && !rto && !sop; }
  constexpr Operands operands() const {
    return {.pointers = static_cast<uint8_t>(has_pointer()), .ext_words = static_cast<uint8_t>(ext)};
  }
};
constexpr auto fields_of(const SeqInPtr*) {
  return std::tuple{flag("rbs", 26, &SeqInPtr::rbs, "release buffers of the input frame"),
                    flag("inl", 25, &SeqInPtr::inl, "the data is an in-line descriptor"),
                    flag("sgf", 24, &SeqInPtr::sgf, "S/G table"),
                    flag("pre", 23, &SeqInPtr::pre, "append the length to the current sequence"),
                    flag("ext", 22, &SeqInPtr::ext, "32-bit length word follows"),
                    flag("rto", 21, &SeqInPtr::rto, "restore the start, add the length"),
                    flag("rjd", 20, &SeqInPtr::rjd, "the data is a replacement job descriptor (era 2+)"),
                    flag("sop", 19, &SeqInPtr::sop, "read what the output sequence wrote (era 5+)"),
                    number("len", 15, 0, &SeqInPtr::len, "bytes")};
}

struct SeqOutPtr {
  static constexpr uint32_t kMask = 0xF8000000, kMatch = 0xF8000000;
  static constexpr std::string_view kMnemonic = "SEQ OUT PTR",
                                    kAbout = "Define, extend or restore the output sequence.";
  static constexpr bool kHasSeq = false;
  bool sgf = false;
  bool pre = false;
  bool ext = false;
  bool rto = false;
  bool rst = false;
  bool ews = false;
  uint16_t len = 0;
  constexpr bool has_pointer() const { return !pre && !rto; }
  constexpr Operands operands() const {
    return {.pointers = static_cast<uint8_t>(has_pointer()), .ext_words = static_cast<uint8_t>(ext)};
  }
};
constexpr auto fields_of(const SeqOutPtr*) {
  return std::tuple{flag("sgf", 24, &SeqOutPtr::sgf, "S/G table"),
                    flag("pre", 23, &SeqOutPtr::pre, "append the length to the current sequence"),
                    flag("ext", 22, &SeqOutPtr::ext, "32-bit length word follows"),
                    flag("rto", 21, &SeqOutPtr::rto, "restore the start, add the length (era 2+)"),
                    flag("rst", 20, &SeqOutPtr::rst, "with rto: give back the bytes written so far"),
                    flag("ews", 19, &SeqOutPtr::ews, "allow write-safe transactions"),
                    number("len", 15, 0, &SeqOutPtr::len, "bytes")};
}

}  // namespace caamlab::desc
