// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Job and shared descriptor headers (hardware.md 2.2).
#pragma once

#include "desc/commands/common.h"

namespace caamlab::desc {

enum class ShareMode : uint8_t { kNever = 0, kWait = 1, kSerial = 2, kAlways = 3, kDefer = 4 };
inline constexpr std::array kShareNames{ValueName{0, "never", "nothing is shared"},
                                        ValueName{1, "wait", "shared once the running job says OK to share"},
                                        ValueName{2, "serial", "shared once the running job has completed"},
                                        ValueName{3, "always", "the descriptor is shared any time"},
                                        ValueName{4, "defer", "as the shared descriptor says"}};
inline constexpr std::span<const ValueName> kSharedShareNames = std::span(kShareNames).first(4);

struct JobHeader {
  static constexpr uint32_t kMask = 0xF8000000, kMatch = 0xB0000000;
  static constexpr std::string_view kMnemonic = "JOB HDR", kAbout = "First word of a job descriptor.";
  static constexpr bool kHasSeq = false;
  bool rsls = false;
  bool dnr_ext = false;
  bool one = true;
  uint8_t start = 0;  // SHR 0: first command; SHR 1: length of the shared descriptor, words
  bool zro = false;
  bool td = false;
  bool mtd = false;
  bool shr = false;
  bool reo = false;
  ShareMode share = ShareMode::kNever;
  uint8_t len = 0;  // words
  constexpr Operands operands() const { return {.pointers = shr}; }
};
constexpr auto fields_of(const JobHeader*) {
  return std::tuple{flag("rsls", 25, &JobHeader::rsls, "share only with the same SEQ LIODN (eras 2 to 7)"),
                    flag("dnr", 24, &JobHeader::dnr_ext, "do not run; from era 5 an extension word follows"),
                    flag("one", 23, &JobHeader::one, "always 1"),
                    number("start", 22, 16, &JobHeader::start, "start index, with shr the length of the SD in words"),
                    flag("zro", 15, &JobHeader::zro, "always 0"),
                    flag("td", 14, &JobHeader::td, "trusted descriptor"),
                    flag("mtd", 13, &JobHeader::mtd, "make trusted descriptor"),
                    flag("shr", 12, &JobHeader::shr, "pointer to a shared descriptor follows"),
                    flag("reo", 11, &JobHeader::reo, "job descriptor first, then the shared one"),
                    choice("share", 10, 8, &JobHeader::share, kShareNames),
                    number("len", 6, 0, &JobHeader::len, "words")};
}

struct SharedHeader {
  static constexpr uint32_t kMask = 0xF8000000, kMatch = 0xB8000000;
  static constexpr std::string_view kMnemonic = "SHR HDR", kAbout = "First word of a shared descriptor.";
  static constexpr bool kHasSeq = false;
  bool rif = false;
  bool dnr = false;
  bool one = true;
  uint8_t start = 0;  // first command, words; 0 reads as 1 (no PDB)
  bool zro = false;
  bool cif = false;
  bool savectx = false;
  bool pd = false;
  ShareMode share = ShareMode::kNever;
  uint8_t len = 0;  // words
  constexpr Operands operands() const { return {}; }
};
constexpr auto fields_of(const SharedHeader*) {
  return std::tuple{flag("rif", 25, &SharedHeader::rif, "read the input frame early (era 4+)"),
                    flag("dnr", 24, &SharedHeader::dnr, "do not run"),
                    flag("one", 23, &SharedHeader::one, "always 1"),
                    number("start", 22, 16, &SharedHeader::start, "first command, words"),
                    flag("zro", 15, &SharedHeader::zro, "always 0"),
                    flag("cif", 13, &SharedHeader::cif, "clear the input FIFO first (era 2+)"),
                    flag("savectx", 12, &SharedHeader::savectx, "keep the context if self-shared"),
                    flag("pd", 11, &SharedHeader::pd, "propagate DNR to followers"),
                    choice("share", 9, 8, &SharedHeader::share, kSharedShareNames),
                    number("len", 6, 0, &SharedHeader::len, "words")};
}

}  // namespace caamlab::desc
