// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// MOVE, MOVEB, MOVEDW and MOVE_LEN (hardware.md 2.9).
#pragma once

#include "desc/commands/common.h"

namespace caamlab::desc {

enum class MoveSrc : uint8_t {
  kClass1Ctx = 0,
  kClass2Ctx,
  kOutFifo,
  kDescBuf,
  kMath0,
  kMath1,
  kMath2,
  kMath3,
  kInFifoDeco,
  kInFifoClass,
  kAlignBlock,
  kClass1Key = 0xD,
  kClass2Key = 0xE,
};
enum class MoveDst : uint8_t {
  kClass1Ctx = 0,
  kClass2Ctx,
  kOutFifo,
  kDescBuf,
  kMath0,
  kMath1,
  kMath2,
  kMath3,
  kClass1InFifo,
  kClass2InFifo,
  kInFifo,
  kPkhaA = 0xC,
  kClass1Key = 0xD,
  kClass2Key = 0xE,
  kAuxFifo = 0xF,
};
inline constexpr std::array kMoveSrcNames{
    ValueName{0x0, "class1ctx"},
    ValueName{0x1, "class2ctx"},
    ValueName{0x2, "ofifo"},
    ValueName{0x3, "descbuf"},
    ValueName{0x4, "math0"},
    ValueName{0x5, "math1"},
    ValueName{0x6, "math2"},
    ValueName{0x7, "math3"},
    ValueName{0x8, "ififo-deco", "through ABD, makes an NFIFO entry"},
    ValueName{0x9, "ififo-class", "through AB1 (AUX 1) or AB2 (AUX 0), makes an NFIFO entry"},
    ValueName{0xA, "ab", "alignment block without an entry: AUX 0 ABD, 1 AB1, 2 AB2"},
    ValueName{0xD, "class1key"},
    ValueName{0xE, "class2key"}};
inline constexpr std::array kMoveDstNames{ValueName{0x0, "class1ctx"},
                                          ValueName{0x1, "class2ctx"},
                                          ValueName{0x2, "ofifo"},
                                          ValueName{0x3, "descbuf"},
                                          ValueName{0x4, "math0"},
                                          ValueName{0x5, "math1"},
                                          ValueName{0x6, "math2"},
                                          ValueName{0x7, "math3"},
                                          ValueName{0x8, "class1in", "class 1 input FIFO, makes a message entry"},
                                          ValueName{0x9, "class2in", "class 2 input FIFO, makes a message entry"},
                                          ValueName{0xA, "ififo", "no entry"},
                                          ValueName{0xC, "pkha-a"},
                                          ValueName{0xD, "class1key"},
                                          ValueName{0xE, "class2key"},
                                          ValueName{0xF, "aux"}};

// The three forms with a literal length differ only in how bytes are ordered on little-endian parts (0.3 rule 6).
enum class MoveKind : uint8_t { kMove = 0x0F, kMoveB = 0x07, kMoveDw = 0x06 };

template <MoveKind kKind>
struct MoveOf {
  static constexpr uint32_t kMask = 0xF8000000, kMatch = static_cast<uint32_t>(kKind) << 27;
  static constexpr std::string_view kMnemonic = kKind == MoveKind::kMove    ? "MOVE"
                                                : kKind == MoveKind::kMoveB ? "MOVEB"
                                                                            : "MOVEDW";
  static constexpr std::string_view kAbout =
      kKind == MoveKind::kMove    ? "Move bytes between registers, FIFOs and the descriptor buffer."
      : kKind == MoveKind::kMoveB ? "MOVE with bytes of a word reversed on little-endian parts (era 7+)."
                                  : "MOVE with words of a dword swapped on little-endian parts (era 7+).";
  static constexpr bool kHasSeq = false;
  uint8_t aux = 0;
  bool wait = false;
  MoveSrc src = MoveSrc::kClass1Ctx;
  MoveDst dst = MoveDst::kClass1Ctx;
  uint8_t offset = 0;
  uint8_t len = 0;

  constexpr bool from_input() const { return src >= MoveSrc::kInFifoDeco && src <= MoveSrc::kAlignBlock; }
  // From the IFIFO or an alignment block to OFIFO the length takes the place of the offset too.
  constexpr uint32_t length() const {
    return from_input() && dst == MoveDst::kOutFifo ? uint32_t{offset} << 8 | len : len;
  }
  constexpr Operands operands() const { return {}; }
};
template <MoveKind kKind>
constexpr auto fields_of(const MoveOf<kKind>*) {
  using M = MoveOf<kKind>;
  return std::tuple{number("aux", 26, 25, &M::aux),
                    flag("wc", 24, &M::wait, "wait for completion"),
                    choice("src", 23, 20, &M::src, kMoveSrcNames),
                    choice("dst", 19, 16, &M::dst, kMoveDstNames),
                    number("offset", 15, 8, &M::offset, "bytes; to OFIFO from an input the upper half of the length"),
                    number("len", 7, 0, &M::len, "bytes")};
}
using Move = MoveOf<MoveKind::kMove>;
using MoveB = MoveOf<MoveKind::kMoveB>;
using MoveDw = MoveOf<MoveKind::kMoveDw>;

inline constexpr std::array kMoveLenSizeNames{ValueName{0, "default"}, ValueName{1, "word"}, ValueName{2, "byte"},
                                              ValueName{3, "dword"}};
struct MoveLen {
  static constexpr uint32_t kMask = 0xF8000000, kMatch = 0x70000000;
  static constexpr std::string_view kMnemonic = "MOVE_LEN",
                                    kAbout = "MOVE whose length is in a MATH register (low 32 bits).";
  static constexpr bool kHasSeq = false;
  uint8_t aux = 0;
  bool wait = false;
  MoveSrc src = MoveSrc::kClass1Ctx;
  MoveDst dst = MoveDst::kClass1Ctx;
  uint8_t offset = 0;
  uint8_t size = 0;
  uint8_t math = 0;
  constexpr Operands operands() const { return {}; }
};
constexpr auto fields_of(const MoveLen*) {
  return std::tuple{number("aux", 26, 25, &MoveLen::aux),
                    flag("wc", 24, &MoveLen::wait, "wait for completion"),
                    choice("src", 23, 20, &MoveLen::src, kMoveSrcNames),
                    choice("dst", 19, 16, &MoveLen::dst, kMoveDstNames),
                    number("offset", 15, 8, &MoveLen::offset, "bytes"),
                    choice("size", 7, 6, &MoveLen::size, kMoveLenSizeNames, "unit of the swap (era 7+)"),
                    number("mathreg", 1, 0, &MoveLen::math, "MATH register with the length")};
}

}  // namespace caamlab::desc
