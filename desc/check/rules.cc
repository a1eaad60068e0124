// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The table of rules. Codes in hexadecimal are those of the status word (DECO 0x.., CCB 0x..).
#include <array>

#include "desc/check/finding.h"

namespace caamlab::desc {
namespace {

using enum Severity;

constexpr std::array kRules{
    RuleRow{Rule::kHeader, "header", kError, "a header whose fields contradict each other",
            "the job is refused before its first command (DECO 0x12 or 0x13)",
            "build it with init_job_desc(), init_job_desc_shared() or init_sh_desc()"},
    RuleRow{Rule::kLength, "length", kError,
            "more than 64 words, shared and job descriptor together, or not as many as "
            "the header says",
            "both have to lie in one buffer of 64 words: DECO 0x13", "give keys by pointer instead of inline"},
    RuleRow{Rule::kSharedLength, "shared-length", kError,
            "the job's header and the shared descriptor disagree on the shared one's length",
            "the job is refused (DECO 0x12)", "take the length from the shared descriptor's header"},
    RuleRow{Rule::kDoNotRun, "do-not-run", kWarning, "a header that says DNR", "the job ends with DECO 0x80",
            "clear DNR unless that is wanted"},
    RuleRow{Rule::kInvalidCommand, "invalid-command", kError, "a word that is no command",
            "the job ends with DECO 0x04 (0x09 for an OPERATION of no type)",
            "look at the lengths before it: one of them sends the DECO into the middle of data"},
    RuleRow{Rule::kTruncated, "truncated", kError, "a command whose operands go beyond the descriptor",
            "the DECO refuses it, or takes what lies behind", "correct its length, or that in the header"},
    RuleRow{Rule::kReservedBits, "reserved-bits", kWarning, "bits set that have no meaning",
            "parts ignore them today; it usually means that a field was shifted to the wrong place", "clear them"},
    RuleRow{Rule::kUndefinedValue, "undefined-value", kError, "a field with a value that is not defined",
            "the command is refused", "use one of the values of docs/descriptor-language.md"},
    RuleRow{Rule::kJumpTarget, "jump-target", kError, "a jump to no command: outside, into operands, into a PDB",
            "outside is DECO 0x0D; elsewhere data is executed as commands", "use labels (set_jump_tgt_here)"},
    RuleRow{Rule::kEndlessLoop, "endless-loop", kError, "a loop that no path leaves",
            "the DECO's watchdog ends the job (0x1B), its queue stands still until then",
            "count a register down and leave on zero"},
    RuleRow{Rule::kUnreachable, "unreachable", kNote, "commands that no path reaches",
            "they cost space, and often a jump goes one word too far", "remove them, or correct the jump before"},
    RuleRow{Rule::kKeyOperand, "key-operand", kError, "a KEY for a class, destination or flags that do not go together",
            "DECO 0x06", "class 1: key, PKHA E, S-box; class 2: key, split key; PTS not with ENC or NWB"},
    RuleRow{Rule::kKeyLength, "key-length", kError, "a key that is empty or longer than its register", "DECO 0x06",
            "at most 64 bytes in class 1, 128 in class 2, 512 in PKHA E; hash longer HMAC keys first"},
    RuleRow{Rule::kRegisterAccess, "register-access", kError,
            "LOAD or STORE of a register that is not there, or not with this offset and length", "DECO 0x07 or 0x08",
            "see the table of registers in docs/descriptor-language.md"},
    RuleRow{Rule::kContextLength, "context-length", kError, "access beyond the end of a context register", "DECO 0x15",
            "class 1 has 64 bytes of context, class 2 has 72"},
    RuleRow{Rule::kFifoOperand, "fifo-operand", kError, "a FIFO command whose class, type and flags do not go together",
            "DECO 0x0A or 0x0B",
            "class 0 only with SEQ (skip); PKHA types only class 1; EXT not with VLF or immediate"},
    RuleRow{Rule::kSgZeroLength, "sg-zero-length", kWarning, "the S/G flag on a length of zero",
            "the DECO reads a table for no data; if there is none, the read fails (DECO 0x1F)",
            "leave the flag out when there is nothing to read"},
    RuleRow{Rule::kMathOperand, "math-operand", kError, "a MATH with an operand or length that is not defined",
            "DECO 0x0E", "lengths are 1, 2, 4 and 8"},
    RuleRow{Rule::kMoveOperand, "move-operand", kError, "a MOVE between places that cannot be connected", "DECO 0x0C",
            "see hardware.md 2.9 for the pairs; offsets to FIFOs are multiples of 4"},
    RuleRow{Rule::kOperation, "operation", kError, "an algorithm or mode that does not exist in this class",
            "CCB 0x1 (mode) or 0xF (no such CHA)",
            "ciphers and AEAD are class 1; hashes, CRC, Poly1305, SNOW f9 and ZUCA class 2"},
    RuleRow{Rule::kSeqPointer, "seq-pointer", kError, "flags of a SEQ pointer that exclude each other", "DECO 0x10",
            "not RTO with PRE, INL with RJD, SOP with RBS, PRE, RTO or EXT, RST without RTO"},
    RuleRow{Rule::kEra, "era", kError, "something that this era does not have",
            "the command is refused, or does "
            "something else",
            "ask the era first, as the driver does for DKP"},
    RuleRow{Rule::kPlatform, "platform", kError, "an accelerator that this platform does not have",
            "CCB 0xF: the job ends with an error", "do not register the algorithm there"},
    RuleRow{Rule::kDeadlock, "deadlock", kError, "a wait for a CHA that has not been given its last data",
            "neither goes on: the watchdog ends the job (DECO 0x1B)",
            "load the data with LAST before it, or move it before the OPERATION"},
    RuleRow{Rule::kMissingLast, "missing-last", kError, "a job that ends while a CHA still waits for data marked LAST",
            "the job never completes", "mark the last data with LAST1 or LAST2, also on the path without data"},
    RuleRow{Rule::kDataAfterLast, "data-after-last", kWarning, "data for a class behind the data marked LAST",
            "the CHA is done and takes no more: the data is lost, and may hold up what comes behind it",
            "mark only the last of them"},
    RuleRow{Rule::kDataWithoutOperation, "data-without-operation", kWarning, "data for a class that runs nothing",
            "nobody takes it out of the FIFO, and what comes behind it waits",
            "start the OPERATION, or load the other class"},
    RuleRow{Rule::kNoKey, "no-key", kError, "an OPERATION whose class has no key", "CCB 0x3 (key size)",
            "load the KEY into the class of the OPERATION, on every path to it"},
    RuleRow{Rule::kKeySize, "key-size", kError, "a key whose length does not suit the algorithm", "CCB 0x3 (key size)",
            "AES 16, 24, 32 (XTS 32, 64), DES 8, 3DES 16 or 24, ChaCha20 32, HMAC the split key"},
    RuleRow{Rule::kKeyReload, "key-reload", kWarning, "a key loaded over another that was not cleared",
            "the key register may only be written again once it is cleared; parts differ in what they say",
            "clear it with CLRW first, and keep in mind that followers share the last key"},
    RuleRow{Rule::kModeNotCleared, "mode-not-cleared", kWarning,
            "a second OPERATION of a class without clearing the mode of the first",
            "CCB 0xD (class 1 not reset) on parts that insist",
            "LOAD CLRW with the mode bit (1 or 0x10000) in between"},
    RuleRow{Rule::kContextUnset, "context-unset", kWarning,
            "a mode that takes IV, counter or state from a context that nothing has written",
            "it takes whatever is there: zeros, or what the job before left", "LOAD the context of the same class"},
    RuleRow{Rule::kReadBeforeWrite, "read-before-write", kWarning, "a register stored before anything wrote it",
            "zeros are stored, or what the job before left", "store it after the OPERATION that fills it"},
    RuleRow{Rule::kLengthUnset, "length-unset", kWarning, "a variable length (VSIL, VSOL) that nothing has set",
            "it is zero: nothing is moved", "set it with MATH before"},
    RuleRow{Rule::kWriteWhileBusy, "write-while-busy", kWarning,
            "a write to key or context of a class whose operation has data already",
            "the CHA may have taken the old value or take the new one in the middle", "wait for done first"},
    RuleRow{Rule::kSequenceUndefined, "sequence-undefined", kError, "a SEQ command without the SEQ pointer it needs",
            "DECO 0x10", "define it with SEQ IN PTR or SEQ OUT PTR first"},
    RuleRow{Rule::kSequenceUnderflow, "sequence-underflow", kError,
            "a SEQ command that wants more than the sequence has", "DECO 0x10",
            "correct the length, or that of the SEQ pointer"},
    RuleRow{Rule::kInputLeft, "input-left", kNote, "input of the sequence that nobody reads",
            "no error, but usually a length is wrong", "compare the SEQ pointer's length with what is loaded"},
    RuleRow{Rule::kSgTooShort, "sg-too-short", kError, "an S/G table whose entries sum up to less than the length",
            "DECO 0x01 or 0x02, when the table runs out", "map as many bytes as the pointer says"},
    RuleRow{Rule::kOutputShort, "output-short", kError, "FIFO STOREs that want more than the CHAs put out",
            "the store waits for ever", "store as many bytes as are loaded as message"},
    RuleRow{Rule::kBlobLength, "blob-length", kError, "lengths of a blob operation that do not go together",
            "the protocol ends with DECO 0x82 or 0x10",
            "a blob is 48 bytes longer than its data: 32 for its key, 16 for the MAC"},
    RuleRow{Rule::kLoadWait, "load-wait", kWarning, "a MATH or MOVE_LEN on a register that is still being loaded",
            "loads from memory are not waited for: the old value may be used",
            "JUMP on CALM, NIP, NCP to the next command first, or STL"},
    RuleRow{Rule::kMoveWait, "move-wait", kWarning, "a command that uses the result of a MOVE without WC",
            "it may run before the data arrives", "set WC in the MOVE"},
    RuleRow{Rule::kPatchDistance, "patch-distance", kWarning, "a command changed too shortly before it runs",
            "the DECO has fetched it already: the old word runs", "put four commands in between"},
    RuleRow{Rule::kEarlyFlush, "early-flush", kWarning,
            "a FLUSH1 load out of the input sequence before there is an OPERATION",
            "hung on LS1046A in a queue-interface GCM descriptor", "load the IV behind the OPERATION"},
    RuleRow{Rule::kTooManyPaths, "too-many-paths", kNote, "a descriptor with more paths than are followed",
            "what happens on the others was not looked at", "nothing"},
};

constexpr bool in_order() {
  for (size_t i = 0; i < kRules.size(); ++i)
    if (static_cast<size_t>(kRules[i].rule) != i) return false;
  return kRules.back().rule == Rule::kTooManyPaths;
}
static_assert(in_order(), "one row a rule, in the order of Rule");

}  // namespace

std::span<const RuleRow> rule_table() { return kRules; }
const RuleRow& rule_row(Rule rule) { return kRules[static_cast<size_t>(rule)]; }

std::string_view severity_name(Severity s) { return s == kError ? "error" : s == kWarning ? "warning" : "note"; }
std::string_view part_name(Part p) { return p == Part::kJob ? "job" : p == Part::kShared ? "shared" : "fragment"; }

}  // namespace caamlab::desc
