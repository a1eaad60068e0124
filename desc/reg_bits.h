// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Bits of the control registers that descriptors write by LOAD: DECO control, CHA control, CHA interrupt control and
// CLRW (hardware.md 2.4).
#pragma once

#include "desc/codec.h"

namespace caamlab::desc {

// LOAD to DECO control carries no data: OFFSET and LENGTH of the command word are the operands.
enum class ChangeShare : uint8_t { kNone = 0, kNever = 1, kOkPropagate = 2, kOkNoPropagate = 3 };
enum class ChangeLiodn : uint8_t { kNone = 0, kSeq = 1, kNonSeq = 2, kTrusted = 3 };
inline constexpr std::array kChangeShareNames{ValueName{0, "none"}, ValueName{1, "never", "never share"},
                                              ValueName{2, "ok-prop", "OK to share, errors go to followers"},
                                              ValueName{3, "ok-noprop", "OK to share, errors do not"}};
inline constexpr std::array kChangeLiodnNames{ValueName{0, "none"}, ValueName{1, "seq"}, ValueName{2, "nonseq"},
                                              ValueName{3, "trusted"}};

struct DecoCtrl {
  static constexpr uint32_t kMask = 0, kMatch = 0;
  static constexpr std::string_view kMnemonic = "DECO CTRL", kAbout = "OFFSET and LENGTH of a LOAD to DECO control.";
  ChangeLiodn seq_liodn = ChangeLiodn::kNone;
  ChangeLiodn nonseq_liodn = ChangeLiodn::kNone;
  bool nfifo_off = false;
  bool nfifo_on = false;
  ChangeShare share = ChangeShare::kNone;
  bool count_output = false;
  bool reset_cha_ofifo = false;
  bool reset_ofifo = false;
  bool ofifo_offset_valid = false;
  uint8_t ofifo_offset = 0;  // bytes of the first OFIFO dword to pass over
};
constexpr auto fields_of(const DecoCtrl*) {
  return std::tuple{
      choice("seq_liodn", 15, 14, &DecoCtrl::seq_liodn, kChangeLiodnNames, "for SEQ commands (era 2+)"),
      choice("nonseq_liodn", 13, 12, &DecoCtrl::nonseq_liodn, kChangeLiodnNames, "for the others (era 2+)"),
      flag("auto_nfifo_off", 11, &DecoCtrl::nfifo_off, "no NFIFO entries by FIFO LOAD and MOVE"),
      flag("auto_nfifo_on", 10, &DecoCtrl::nfifo_on, "NFIFO entries by FIFO LOAD and MOVE"),
      choice("share", 9, 8, &DecoCtrl::share, kChangeShareNames),
      flag("osl_count", 7, &DecoCtrl::count_output, "output sequence length counts"),
      flag("reset_cha_ofifo", 6, &DecoCtrl::reset_cha_ofifo, "realign the CHA's OFIFO pointer"),
      flag("reset_ofifo", 5, &DecoCtrl::reset_ofifo),
      flag("ofifo_offset_valid", 4, &DecoCtrl::ofifo_offset_valid, "era 2+"),
      number("ofifo_offset", 2, 0, &DecoCtrl::ofifo_offset, "bytes of the first dword to skip")};
}

// CLRW: each bit clears a register and its "written" mark.
namespace clrw {
inline constexpr uint32_t kClass1Mode = 1u << 0, kClass1DataSize = 1u << 2, kClass1IcvSize = 1u << 3,
                          kClass1Context = 1u << 5, kClass1Key = 1u << 6, kPkhaASize = 1u << 12, kPkhaBSize = 1u << 13,
                          kPkhaNSize = 1u << 14, kPkhaESize = 1u << 15, kClass2Mode = 1u << 16,
                          kClass2KeySize = 1u << 17, kClass2DataSize = 1u << 18, kClass2Context = 1u << 21,
                          kClass2Key = 1u << 22, kSharedSignal = 1u << 25, kClass2Done = 1u << 26,
                          kClass1Done = 1u << 27, kResetClass2Cha = 1u << 28, kResetClass1Cha = 1u << 29,
                          kResetOutFifo = 1u << 30, kResetInFifo = 1u << 31;
}  // namespace clrw
inline constexpr std::array kClrwNames{ValueName{clrw::kClass1Mode, "c1mode", "returns the CHA to idle"},
                                       ValueName{clrw::kClass1DataSize, "c1datas"},
                                       ValueName{clrw::kClass1IcvSize, "c1icvs"},
                                       ValueName{clrw::kClass1Context, "c1ctx"},
                                       ValueName{clrw::kClass1Key, "c1key"},
                                       ValueName{clrw::kPkhaASize, "pkasz"},
                                       ValueName{clrw::kPkhaBSize, "pkbsz"},
                                       ValueName{clrw::kPkhaNSize, "pknsz"},
                                       ValueName{clrw::kPkhaESize, "pkesz"},
                                       ValueName{clrw::kClass2Mode, "c2mode", "returns the CHA to idle"},
                                       ValueName{clrw::kClass2KeySize, "c2keys"},
                                       ValueName{clrw::kClass2DataSize, "c2datas"},
                                       ValueName{clrw::kClass2Context, "c2ctx"},
                                       ValueName{clrw::kClass2Key, "c2key"},
                                       ValueName{clrw::kSharedSignal, "csd", "SHRD and SELF become false"},
                                       ValueName{clrw::kClass2Done, "c2done", "era 4+"},
                                       ValueName{clrw::kClass1Done, "c1done", "era 4+"},
                                       ValueName{clrw::kResetClass2Cha, "c2rst", "era 4+"},
                                       ValueName{clrw::kResetClass1Cha, "c1rst", "era 4+"},
                                       ValueName{clrw::kResetOutFifo, "rst_ofifo", "era 3+"},
                                       ValueName{clrw::kResetInFifo, "rst_ififo", "IFIFO and NFIFO (era 3+)"}};

// CHA control: bits 0 to 12 reset CHAs (in an order of their own, not that of the ids in status words), bits 16 to 28
// push a PKHA register or the S-box into OFIFO.
inline constexpr std::array kChaCtrlNames{
    ValueName{1u << 0, "all"},       ValueName{1u << 1, "aes"},      ValueName{1u << 2, "des"},
    ValueName{1u << 3, "afha"},      ValueName{1u << 4, "kfha"},     ValueName{1u << 5, "snow-f8"},
    ValueName{1u << 6, "pkha"},      ValueName{1u << 7, "mdha"},     ValueName{1u << 8, "crc"},
    ValueName{1u << 9, "rng"},       ValueName{1u << 10, "snow-f9"}, ValueName{1u << 11, "zuce"},
    ValueName{1u << 12, "zuca"},     ValueName{1u << 16, "unld_a0"}, ValueName{1u << 17, "unld_a1"},
    ValueName{1u << 18, "unld_a2"},  ValueName{1u << 19, "unld_a3"}, ValueName{1u << 20, "unld_b0"},
    ValueName{1u << 21, "unld_b1"},  ValueName{1u << 22, "unld_b2"}, ValueName{1u << 23, "unld_b3"},
    ValueName{1u << 24, "unld_n"},   ValueName{1u << 26, "unld_a"},  ValueName{1u << 27, "unld_b"},
    ValueName{1u << 28, "unld_sbox"}};

// CHA interrupt control: done bits 1..12 and error bits 17..28 in the order of CHA control; writing 1 clears.
inline constexpr std::array kIrqCtrlNames{
    ValueName{1u << 1, "aes_done"},      ValueName{1u << 2, "des_done"},      ValueName{1u << 3, "afha_done"},
    ValueName{1u << 4, "kfha_done"},     ValueName{1u << 5, "snowf8_done"},   ValueName{1u << 6, "pkha_done"},
    ValueName{1u << 7, "mdha_done"},     ValueName{1u << 8, "crc_done"},      ValueName{1u << 9, "rng_done"},
    ValueName{1u << 10, "snowf9_done"},  ValueName{1u << 11, "zuce_done"},    ValueName{1u << 12, "zuca_done"},
    ValueName{1u << 17, "aes_error"},    ValueName{1u << 18, "des_error"},    ValueName{1u << 19, "afha_error"},
    ValueName{1u << 20, "kfha_error"},   ValueName{1u << 21, "snowf8_error"}, ValueName{1u << 22, "pkha_error"},
    ValueName{1u << 23, "mdha_error"},   ValueName{1u << 24, "crc_error"},    ValueName{1u << 25, "rng_error"},
    ValueName{1u << 26, "snowf9_error"}, ValueName{1u << 27, "zuce_error"},   ValueName{1u << 28, "zuca_error"}};

}  // namespace caamlab::desc
