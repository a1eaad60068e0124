// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Information FIFO entry (hardware.md 3.2): which bytes of which source go to which CHA. Written by LOAD to the NFIFO
// registers or made by the DECO for data commands; the model and the listings read this one layout.
#pragma once

#include "desc/codec.h"

namespace caamlab::desc {

enum class NfifoDest : uint8_t { kDeco = 0, kClass1 = 1, kClass2 = 2, kBoth = 3 };
enum class NfifoSource : uint8_t {
  kInFifo = 0,
  kOutFifo = 1,
  kPad = 2,
  kSnoop = 3,  // class 1 takes input, class 2 what class 1 puts out
};
// Data types of a class with a symmetric algorithm, and of the DECO (kSkip, kMsg).
enum class NfifoData : uint8_t {
  kSbox = 0x0,
  kAad = 0x1,
  kIv = 0x2,
  kSad = 0x3,
  kIcv = 0xA,
  kPoly = 0xB,
  kSkip = 0xE,
  kMsg = 0xF,
};
// The same field when class 1 is the PKHA.
enum class NfifoPkData : uint8_t {
  kA0 = 0x0,
  kA1,
  kA2,
  kA3,
  kB0,
  kB1,
  kB2,
  kB3,
  kN = 0x8,
  kE = 0x9,
  kA = 0xC,
  kB = 0xD,
};
enum class NfifoPad : uint8_t {
  kZeros = 0,
  kRandomNoZeros = 1,
  kIncrement = 2,
  kRandom = 3,
  kZerosLast = 4,
  kRandomLastZero = 5,
  kAllN = 6,
  kRandomLastN = 7,
};

inline constexpr std::array kNfifoDestNames{ValueName{0, "deco"}, ValueName{1, "class1"}, ValueName{2, "class2"},
                                            ValueName{3, "both"}};
inline constexpr std::array kNfifoSourceNames{ValueName{0, "ififo"}, ValueName{1, "ofifo"}, ValueName{2, "pad"},
                                              ValueName{3, "snoop", "class 2 takes the output of class 1"}};
inline constexpr std::array kNfifoDataNames{ValueName{0x0, "sbox"}, ValueName{0x1, "aad"},
                                            ValueName{0x2, "iv"},   ValueName{0x3, "sad", "AAD that is also output"},
                                            ValueName{0xA, "icv"},  ValueName{0xB, "poly", "AAD of Poly1305"},
                                            ValueName{0xE, "skip"}, ValueName{0xF, "msg"}};
inline constexpr std::array kNfifoPkDataNames{
    ValueName{0x0, "pkha-a0"}, ValueName{0x1, "pkha-a1"}, ValueName{0x2, "pkha-a2"}, ValueName{0x3, "pkha-a3"},
    ValueName{0x4, "pkha-b0"}, ValueName{0x5, "pkha-b1"}, ValueName{0x6, "pkha-b2"}, ValueName{0x7, "pkha-b3"},
    ValueName{0x8, "pkha-n"},  ValueName{0x9, "pkha-e"},  ValueName{0xC, "pkha-a"},  ValueName{0xD, "pkha-b"}};
inline constexpr std::array kNfifoPadNames{ValueName{0, "zeros"},
                                           ValueName{1, "rnd-nozeros", "random, no zero bytes"},
                                           ValueName{2, "increment", "1, 2, ... n-1, n-1"},
                                           ValueName{3, "rnd", "random"},
                                           ValueName{4, "zeros-n", "zeros, last byte n-1"},
                                           ValueName{5, "rnd-nz-lz", "random, no zero bytes, last byte 0"},
                                           ValueName{6, "n", "all bytes n-1"},
                                           ValueName{7, "rnd-nz-n", "random, no zero bytes, last byte n-1"}};

struct NfifoEntry {
  static constexpr uint32_t kMask = 0, kMatch = 0;
  static constexpr std::string_view kMnemonic = "NFIFO", kAbout = "Information FIFO entry.";
  NfifoDest dest = NfifoDest::kDeco;
  bool lc2 = false;
  bool lc1 = false;
  bool fc2 = false;
  bool fc1 = false;
  NfifoSource src = NfifoSource::kInFifo;
  NfifoData data = NfifoData::kSbox;
  bool bnd = false;
  NfifoPad pad = NfifoPad::kZeros;
  bool oc_pr = false;
  bool ast = false;
  uint16_t len = 0;  // bits 11:0 as they stand; use length(), pad_minus_one(), pad_snoop()

  constexpr bool is_pad() const { return src == NfifoSource::kPad; }
  constexpr NfifoPkData pk_data() const { return static_cast<NfifoPkData>(data); }
  // Bytes: DLEN, or PLEN of a pad entry.
  constexpr uint32_t length() const { return is_pad() ? len & 0xFFu : len; }
  // Pad entries only. BM: pad to the boundary less one byte; PS: class 2 snoops the pad from OFIFO.
  constexpr bool pad_minus_one() const { return is_pad() && (len & 0x800) != 0; }
  constexpr bool pad_snoop() const { return is_pad() && (len & 0x400) != 0; }
  // An entry may announce no more than this; longer data takes several (hardware.md 3.3).
  static constexpr uint32_t kMaxLength = 0xFFF;
  friend constexpr bool operator==(const NfifoEntry&, const NfifoEntry&) = default;
};
constexpr auto fields_of(const NfifoEntry*) {
  return std::tuple{
      choice("dest", 31, 30, &NfifoEntry::dest, kNfifoDestNames),
      flag("lc2", 29, &NfifoEntry::lc2, "last data of class 2"),
      flag("lc1", 28, &NfifoEntry::lc1, "last data of class 1"),
      flag("fc2", 27, &NfifoEntry::fc2, "flush class 2"),
      flag("fc1", 26, &NfifoEntry::fc1, "flush class 1"),
      choice("stype", 25, 24, &NfifoEntry::src, kNfifoSourceNames),
      choice("dtype", 23, 20, &NfifoEntry::data, kNfifoDataNames, "PKHA: operand codes"),
      flag("bnd", 19, &NfifoEntry::bnd, "pad to the next boundary (16 bytes; pad entry: of the CHA)"),
      choice("ptype", 18, 16, &NfifoEntry::pad, kNfifoPadNames),
      flag("oc_pr", 15, &NfifoEntry::oc_pr, "ofifo: keep its final dword; random pad: prediction resistance (era 5+)"),
      flag("ast", 14, &NfifoEntry::ast, "alternate source (era 3+)"),
      number("len", 11, 0, &NfifoEntry::len, "bytes; pad entry: 11 minus one, 10 snoop, 7:0 bytes")};
}
static_assert(fields_are_disjoint<NfifoEntry>());

}  // namespace caamlab::desc
