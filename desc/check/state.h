// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What is known at one point of one path. Two paths that come to the same command with the same state go on the same
// way, so states are compared.
#pragma once

#include <array>
#include <compare>
#include <cstdint>

#include "desc/check/value.h"
#include "desc/command.h"

namespace caamlab::desc {

// Registers that MATH knows, and JUMP's counting forms.
enum Reg : uint8_t { kMathReg0, kMathReg1, kMathReg2, kMathReg3, kSil, kSol, kVsil, kVsol, kDpovrdReg, kRegCount };

enum class Known : uint8_t { kNo, kMaybe, kYes };

struct KeyFact {
  Known there = Known::kNo;
  bool split = false, from_kek = false;
  bool this_run = false;  // loaded by this job and not cleared since
  uint16_t len = 0;       // 0: not known
  friend auto operator<=>(const KeyFact&, const KeyFact&) = default;
};

struct ClassFact {
  KeyFact key;
  uint32_t op = 0;  // the OPERATION, 0 if there was none
  uint8_t op_index = 0;
  bool in_flight = false;  // until it has had data marked LAST and somebody waited
  bool fed = false;        // data has come since the OPERATION
  bool last = false;       // and it was marked LAST
  bool mode_set = false;   // not cleared since
  bool context = false;    // written, or left by an operation
  bool checked_context = false;
  bool queued = false;  // data waits that came without an OPERATION
  bool queued_last = false;
  bool moved = false;     // MOVEs take data out of its alignment block
  bool from_job = false;  // the job descriptor, which is not here, may have queued data
  uint8_t queued_index = 0;
  friend auto operator<=>(const ClassFact&, const ClassFact&) = default;
};

struct State {
  unsigned pc = 0;
  bool second_part = false;
  bool shrd = false;
  bool job_ran = false;  // the job's commands, whichever they are, have run or may have
  bool auto_nfifo = true;
  bool in_defined = false, out_defined = false;
  bool output_known = true;    // produced and wanted are exact
  bool pk_flags_known = true;  // no PKHA operation has set them
  bool flags_known = true;     // the last flags are those of `flags`
  uint8_t gosub_return = 0;
  uint8_t patch_first = 0, patch_words = 0, patch_age = 0;        // the last change of the descriptor buffer
  uint8_t copied_reg = 0xFF, copied_first = 0, copied_bytes = 0;  // a MATH register that holds part of the buffer
  uint64_t patched = 0;                                           // words that were changed, a bit each
  uint16_t loading = 0;               // MATH registers with a load from memory under way, a bit each
  uint16_t moving = 0;                // the same for MOVEs without WC
  uint64_t produced = 0, wanted = 0;  // bytes of output
  Value flags{};                      // the number that Z and N speak of
  std::array<Value, kRegCount> r{};
  std::array<ClassFact, 2> cls{};
  friend auto operator<=>(const State&, const State&) = default;
};

}  // namespace caamlab::desc
