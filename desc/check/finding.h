// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What the checks find: a rule, a place, and what is wrong there. The rules are rows of one table (rules.cc), so that
// texts, SARIF and documentation say the same.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace caamlab::desc {

enum class Severity : uint8_t {
  kNote,     // worth knowing
  kWarning,  // works on some parts, by chance, or not as it looks
  kError,    // the job ends with an error or never ends
};
std::string_view severity_name(Severity s);  // "note", "warning", "error": SARIF's levels

enum class Rule : uint8_t {
  kHeader,
  kLength,
  kSharedLength,
  kDoNotRun,
  kInvalidCommand,
  kTruncated,
  kReservedBits,
  kUndefinedValue,
  kJumpTarget,
  kEndlessLoop,
  kUnreachable,
  kKeyOperand,
  kKeyLength,
  kRegisterAccess,
  kContextLength,
  kFifoOperand,
  kSgZeroLength,
  kMathOperand,
  kMoveOperand,
  kOperation,
  kSeqPointer,
  kEra,
  kPlatform,
  kDeadlock,
  kMissingLast,
  kDataAfterLast,
  kDataWithoutOperation,
  kNoKey,
  kKeySize,
  kKeyReload,
  kModeNotCleared,
  kContextUnset,
  kReadBeforeWrite,
  kLengthUnset,
  kWriteWhileBusy,
  kSequenceUndefined,
  kSequenceUnderflow,
  kInputLeft,
  kSgTooShort,
  kOutputShort,
  kBlobLength,
  kLoadWait,
  kMoveWait,
  kPatchDistance,
  kEarlyFlush,
  kTooManyPaths,
};

struct RuleRow {
  Rule rule;
  std::string_view name;   // as reports and SARIF have it
  Severity severity;       // of its findings; lower where the other descriptor could make it right
  std::string_view about;  // what it looks for
  std::string_view why;    // what happens otherwise
  std::string_view fix;    // what to do
};
std::span<const RuleRow> rule_table();  // in the order of Rule
const RuleRow& rule_row(Rule rule);

enum class Part : uint8_t { kJob, kShared, kFragment };
std::string_view part_name(Part p);

struct Finding {
  Rule rule;
  Severity severity;
  Part part;
  unsigned index;         // of the command, in its part
  unsigned buffer_index;  // the same in the DECO's buffer, as status words count
  std::string message;    // what is wrong, with the numbers
};

}  // namespace caamlab::desc
