// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// FIFO LOAD and SEQ FIFO LOAD (hardware.md 2.6).
#pragma once

#include "desc/commands/common.h"

namespace caamlab::desc {

// TYPE 21:16. From kMsg on, bits 2:0 are actions: LAST2, LAST1, FLUSH1.
enum class FifoLoadType : uint8_t {
  kPkhaA0 = 0x00,
  kPkhaA1,
  kPkhaA2,
  kPkhaA3,
  kPkhaB0,
  kPkhaB1,
  kPkhaB2,
  kPkhaB3,
  kPkhaN = 0x08,
  kPkhaA = 0x0C,
  kPkhaB = 0x0D,
  kNoInfoFifo = 0x0F,
  kMsg = 0x10,
  kMsg1Out2 = 0x18,
  kIv = 0x20,
  kBitData = 0x28,
  kAad = 0x30,
  kIcv = 0x38,
};
inline constexpr uint8_t kFifoLoadFlush1 = 1, kFifoLoadLast1 = 2, kFifoLoadLast2 = 4, kFifoLoadActions = 7;
inline constexpr uint8_t kFifoLoadLastBoth = kFifoLoadLast1 | kFifoLoadLast2;

// TYPE with its actions: fifo_load_type(FifoLoadType::kIv, kFifoLoadFlush1).
constexpr uint8_t fifo_load_type(FifoLoadType type, uint8_t actions = 0) {
  return static_cast<uint8_t>(static_cast<uint8_t>(type) | actions);
}

inline constexpr std::array kFifoLoadTypeNames{
    ValueName{0x00, "pkha-a0"}, ValueName{0x01, "pkha-a1"},
    ValueName{0x02, "pkha-a2"}, ValueName{0x03, "pkha-a3"},
    ValueName{0x04, "pkha-b0"}, ValueName{0x05, "pkha-b1"},
    ValueName{0x06, "pkha-b2"}, ValueName{0x07, "pkha-b3"},
    ValueName{0x08, "pkha-n"},  ValueName{0x0C, "pkha-a"},
    ValueName{0x0D, "pkha-b"},  ValueName{0x0F, "noinfo", "data without an NFIFO entry"},
    ValueName{0x10, "msg"},     ValueName{0x18, "msg1out2", "class 2 snoops the output of class 1"},
    ValueName{0x20, "iv"},      ValueName{0x28, "bitdata", "length in bits"},
    ValueName{0x30, "aad"},     ValueName{0x38, "icv"}};

struct FifoLoad {
  static constexpr uint32_t kMask = 0xF0000000, kMatch = 0x20000000;
  static constexpr std::string_view kMnemonic = "FIFO LOAD", kAbout = "Queue data for the CHAs or PKHA memory.";
  static constexpr bool kHasSeq = true;
  bool seq = false;
  ClassSel cls = ClassSel::kNone;
  bool sgf_vlf = false;
  bool imm_aidf = false;
  bool ext = false;
  uint8_t type = 0;
  uint16_t len = 0;

  constexpr bool has_actions() const { return type >= 0x10; }
  constexpr uint8_t actions() const { return has_actions() ? type & kFifoLoadActions : 0; }
  constexpr FifoLoadType data_type() const {
    return static_cast<FifoLoadType>(has_actions() ? type & ~kFifoLoadActions : type);
  }
  constexpr bool is_pkha() const { return type <= 0x08 || type == 0x0C || type == 0x0D; }
  constexpr Operands operands() const {
    const uint8_t ext_words = ext ? 1 : 0;
    if (seq) return {.ext_words = ext_words};
    if (!imm_aidf) return {.pointers = 1, .ext_words = ext_words};
    const uint32_t bytes = data_type() == FifoLoadType::kBitData ? (len + 7u) / 8 : len;
    return {.ext_words = ext_words, .imm_words = static_cast<uint16_t>(words_for_bytes(bytes))};
  }
};
constexpr auto fields_of(const FifoLoad*) {
  return std::tuple{
      flag("seq", 27, &FifoLoad::seq, "data comes from the input sequence"),
      choice("class", 26, 25, &FifoLoad::cls, kClassNames, "none: skip (SEQ only)"),
      flag("sgf_vlf", 24, &FifoLoad::sgf_vlf, "S/G table; SEQ: length is VSIL"),
      flag("imm_aidf", 23, &FifoLoad::imm_aidf, "data follows; SEQ: data is in the IFIFO already"),
      flag("ext", 22, &FifoLoad::ext, "32-bit length word follows"),
      number("type", 21, 16, &FifoLoad::type, "data type; from 0x10 on bits 2:0 are LAST2, LAST1, FLUSH1"),
      number("len", 15, 0, &FifoLoad::len, "bytes")};
}

}  // namespace caamlab::desc
