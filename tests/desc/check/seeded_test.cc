// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Mistakes put into the kernel's descriptors, one at a time: each is found, at its command, under its name.
#include <gtest/gtest.h>

#include "tests/desc/check/golden_entries.h"

namespace caamlab::desc {
namespace {

using Words = std::vector<uint32_t>;

// gcm(aes), 16-byte inline key: see the listing in README.md for the indices.
const Words kGcmEncap{0xb8800217, 0xa1004006, 0x02800010, 0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c, 0x8210090d,
                      0xa8280b04, 0xa000040d, 0xa80c3a04, 0xa0000406, 0xa80c3b04, 0x693f0000, 0xa8283b04, 0xa0000406,
                      0x2b310000, 0xa8280a04, 0x69300000, 0x2b120000, 0xa0000002, 0x2b320000, 0x5a200010};
// cbc(aes) encryption, with the IV from the input sequence.
const Words kCbcEncap{0xb880120e, 0xa1004006, 0x02800010, 0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c,
                      0x1a200010, 0x82100105, 0xa8080b04, 0xa8080a04, 0x2b120000, 0x69300000, 0x5a200010};
// A job for it: 16 bytes in at 0x1000, out at 0x2000; 4-byte pointers.
const Words kCbcJob{0xb08e1c08, 0x00008000, 0xf0000020, 0x00001000, 0xf8000020, 0x00002000, 0xa0000001, 0xa0000001};
// A blob of 16 bytes of data.
const Words kBlobJob{0xb080000f, 0x04800010, 0x01020304, 0x05060708, 0x090a0b0c, 0x0d0e0f10, 0xf0000010, 0x00001000,
                     0xf8000040, 0x00002000, 0x870d0000, 0xa0000001, 0xa0000001, 0xa0000001, 0xa0000001};
// sha256 of 64 bytes at 0x1000 to 0x2000.
const Words kHashJob{0xb080000a, 0xf0000040, 0x00001000, 0xf8000020, 0x00002000,
                     0x8443000c, 0x2c140040, 0x5c200020, 0xa0000001, 0xa0000001};

struct Mistake {
  const char* what;
  const Words* shared;
  const Words* job;
  std::vector<std::pair<unsigned, uint32_t>> changes;  // word of the shared descriptor (of the job if there is none)
  Rule rule;
  unsigned index;
  Severity severity = Severity::kError;
  std::optional<int> era = {};
  std::vector<std::pair<unsigned, uint32_t>> job_changes = {};
};

using enum Severity;

const Mistake kMistakes[] = {
    {"the header says one word too many", &kGcmEncap, nullptr, {{0, 0xb8800218}}, Rule::kLength, 0},
    {"bit 23 of the header is missing", &kGcmEncap, nullptr, {{0, 0xb8000217}}, Rule::kHeader, 0},
    {"start index behind the end", &kGcmEncap, nullptr, {{0, 0xb8990217}}, Rule::kHeader, 0},
    {"a jump beyond the end", &kGcmEncap, nullptr, {{9, 0xa000047d}}, Rule::kJumpTarget, 9},
    {"a jump before the beginning", &kGcmEncap, nullptr, {{20, 0xa0000080}}, Rule::kJumpTarget, 20},
    {"a jump into the key", &kGcmEncap, nullptr, {{1, 0xa1004003}}, Rule::kJumpTarget, 1},
    {"a loop with no exit", &kGcmEncap, nullptr, {{20, 0xa00000fe}, {15, 0xa0000001}}, Rule::kEndlessLoop, 20},
    {"LAST is missing", &kGcmEncap, nullptr, {{19, 0x2b100000}}, Rule::kDeadlock, 22},
    {"LAST is missing, and nobody waits",
     &kCbcEncap,
     nullptr,
     {{11, 0x2b100000}, {13, 0xa0000001}},
     Rule::kMissingLast,
     8},
    {"LAST1 on data of class 2", &kCbcEncap, nullptr, {{11, 0x2d120000}}, Rule::kFifoOperand, 11, kWarning},
    {"message after the last message", &kGcmEncap, nullptr, {{16, 0x2b330000}}, Rule::kDataAfterLast, 19, kWarning},
    {"the key goes to the other class", &kGcmEncap, nullptr, {{2, 0x04800010}}, Rule::kNoKey, 7},
    {"the IV goes to the other class", &kCbcEncap, nullptr, {{7, 0x1c200010}}, Rule::kContextUnset, 8, kWarning},
    {"a key that is too long", &kCbcEncap, nullptr, {{2, 0x02000041}}, Rule::kKeyLength, 2},
    {"a key of a length that AES does not have", &kCbcEncap, nullptr, {{2, 0x0280000f}}, Rule::kKeySize, 8},
    {"a split key for class 1", &kCbcEncap, nullptr, {{2, 0x02830010}}, Rule::kKeyOperand, 2},
    {"KEY while the CHA is busy", &kHashJob, nullptr, {}, Rule::kDeadlock, 6},
    {"AES in class 2", &kCbcEncap, nullptr, {{8, 0x84100105}}, Rule::kOperation, 8},
    {"an AES mode that does not exist", &kCbcEncap, nullptr, {{8, 0x82100f05}}, Rule::kOperation, 8},
    {"context behind its end", &kCbcEncap, nullptr, {{13, 0x5a203820}}, Rule::kContextLength, 13},
    {"a register that cannot be loaded", &kCbcEncap, nullptr, {{7, 0x1a500010}}, Rule::kRegisterAccess, 7},
    {"a MATH of three bytes", &kCbcEncap, nullptr, {{9, 0xa8080b03}}, Rule::kMathOperand, 9},
    {"variable length without a length", &kCbcEncap, nullptr, {{10, 0xa0000001}}, Rule::kLengthUnset, 11, kWarning},
    {"data of a class that runs nothing",
     nullptr,
     &kHashJob,
     {{5, 0xa0000001}, {7, 0xa0000001}},
     Rule::kDataWithoutOperation,
     6,
     kWarning},
    {"more than the input has", nullptr, &kHashJob, {{6, 0x2c140041}}, Rule::kSequenceUnderflow, 6},
    {"more than the output takes", nullptr, &kHashJob, {{3, 0xf800001f}}, Rule::kSequenceUnderflow, 7},
    {"input that nobody reads", nullptr, &kHashJob, {{6, 0x2c140030}}, Rule::kInputLeft, 9, kNote},
    {"no input sequence", nullptr, &kHashJob, {{1, 0xa0000002}}, Rule::kSequenceUndefined, 6},
    {"flags of a pointer that exclude each other",
     nullptr,
     &kHashJob,
     {{1, 0xf0a00040}, {2, 0xa0000001}},
     Rule::kSeqPointer,
     1},
    {"S/G flag on no data", nullptr, &kHashJob, {{1, 0xf1000000}, {6, 0x2c140000}}, Rule::kSgZeroLength, 1, kWarning},
    {"too little room for a blob", nullptr, &kBlobJob, {{8, 0xf800003f}}, Rule::kBlobLength, 10},
    {"a blob without a key modifier", nullptr, &kBlobJob, {{1, 0xa0000005}}, Rule::kNoKey, 10, kWarning},
    {"a second key without clearing", nullptr, &kBlobJob, {{11, 0x04800004}, {12, 0}}, Rule::kKeyReload, 11, kWarning},
    {"a second operation without clearing", nullptr, &kHashJob, {{8, 0x8443000c}}, Rule::kModeNotCleared, 8, kWarning},
    {"both descriptors are too long", &kCbcEncap, &kCbcJob, {}, Rule::kLength, 0, kError, {}, {{0, 0xb0b81c08 + 4}}},
    {"the job has another length for the shared one",
     &kCbcEncap,
     &kCbcJob,
     {},
     Rule::kSharedLength,
     0,
     kError,
     {},
     {{0, 0xb08d1c08}}},
    {"more is stored than comes out",
     &kCbcEncap,
     &kCbcJob,
     {{12, 0x69300010}},
     Rule::kOutputShort,
     13,
     kError,
     {},
     {{4, 0xf8000040}}},
    {"MATHI before era 6", nullptr, &kHashJob, {{8, 0xe8000014}}, Rule::kEra, 8, kError, 5},
    {"a word that is no command", nullptr, &kHashJob, {{8, 0xffffffff & 0x4fffffff}}, Rule::kInvalidCommand, 8},
    {"operands cut off", nullptr, &kHashJob, {{9, 0x02800010}}, Rule::kTruncated, 9},
    {"reserved bits", nullptr, &kHashJob, {{5, 0x8443400c}}, Rule::kReservedBits, 5, kWarning},
    {"a MOVE from descriptor to descriptor", nullptr, &kHashJob, {{8, 0x78330004}}, Rule::kMoveOperand, 8},
    {"a patch right before the patched word", nullptr, &kHashJob, {{8, 0x79432404}}, Rule::kPatchDistance, 9, kWarning},
    {"MATH on what is being loaded",
     nullptr,
     &kHashJob,
     {{1, 0xf0000048}, {5, 0x1e080008}, {6, 0xa8000104}, {7, 0xa0000001}},
     Rule::kLoadWait,
     6,
     kWarning},
    {"MATH on what a MOVE brings",
     nullptr,
     &kHashJob,
     {{8, 0x78140008}, {9, 0xa8000104}},
     Rule::kMoveWait,
     9,
     kWarning},
    {"commands that nothing reaches", nullptr, &kHashJob, {{8, 0xa0c00000}}, Rule::kUnreachable, 9, kNote},
    {"DNR", nullptr, &kHashJob, {{0, 0xb180000a}}, Rule::kDoNotRun, 0, kWarning},
};

void apply(Words& words, const std::vector<std::pair<unsigned, uint32_t>>& changes) {
  for (const auto& [index, word] : changes) words.at(index) = word;
}

std::vector<Finding> findings_of(const Mistake& m) {
  Words shared, job;
  if (m.what == std::string_view("KEY while the CHA is busy")) {
    // OPERATION, KEY, and only then the data.
    job = {0xb080000c, 0xf0000040, 0x00001000, 0xf8000020, 0x00002000, 0x8443000c,
           0x04000020, 0x00003000, 0x2c140040, 0x5c200020, 0xa0000001, 0xa0000001};
  } else {
    if (m.shared != nullptr) shared = *m.shared;
    if (m.job != nullptr) job = *m.job;
    apply(m.shared != nullptr ? shared : job, m.changes);
    apply(job, m.job_changes);
  }
  return check({.shared = shared, .job = job, .target = {.ptr_bytes = 4}}, {.era = m.era});
}

TEST(Check, SeededMistakesAreFound) {
  for (const Mistake& m : kMistakes) {
    bool found = false;
    std::string all;
    for (const Finding& f : findings_of(m)) {
      found = found || (f.rule == m.rule && f.index == m.index && f.severity == m.severity);
      all += "\n  " + text_of(f);
    }
    EXPECT_TRUE(found) << m.what << ": wanted " << rule_row(m.rule).name << " at " << m.index << ", found:" << all;
  }
}

// Without the mistake nothing is found: it is the mistake that the finding speaks of.
TEST(Check, WithoutThemNothingIsFound) {
  const ProgramInput kGood[] = {{.shared = kGcmEncap},
                                {.shared = kCbcEncap},
                                {.shared = kCbcEncap, .job = kCbcJob, .target = {.ptr_bytes = 4}},
                                {.job = kBlobJob, .target = {.ptr_bytes = 4}},
                                {.job = kHashJob, .target = {.ptr_bytes = 4}}};
  for (const ProgramInput& input : kGood)
    for (const Finding& f : check(input)) ADD_FAILURE() << text_of(f);
}

TEST(Check, ATableThatIsTooShort) {
  Words job = kHashJob;
  job[1] = 0xf1000040;
  const KnownTable table{.addr = 0x1000, .bytes = 63};
  const auto found = check({.job = job, .target = {.ptr_bytes = 4}}, {.tables = {&table, 1}});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].rule, Rule::kSgTooShort);
  EXPECT_EQ(found[0].index, 1u);
}

// What the descriptor itself puts into its buffer is not there yet.
TEST(Check, WordsThatAreFilledInAreNotJudged) {
  Words job = kHashJob;
  job[8] = 0x79432404;  // MOVE MATH0 to word 9
  job[9] = 0;           // a KEY of nothing, until then
  for (const Finding& f : check({.job = job, .target = {.ptr_bytes = 4}}))
    EXPECT_EQ(f.rule, Rule::kPatchDistance) << text_of(f);
}

TEST(Check, WhatIsMissingOnAPlatform) {
  CheckOptions options;
  options.missing_on_platform = [](const Command& c) -> std::optional<std::string> {
    return std::holds_alternative<AlgOperation>(c) ? std::optional<std::string>("no MDHA") : std::nullopt;
  };
  const auto found = check({.job = kHashJob, .target = {.ptr_bytes = 4}}, options);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].rule, Rule::kPlatform);
}

TEST(Check, EveryRuleHasItsTexts) {
  for (const RuleRow& row : rule_table()) {
    EXPECT_FALSE(row.name.empty() || row.about.empty() || row.why.empty() || row.fix.empty()) << row.name;
    EXPECT_EQ(row.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), std::string_view::npos) << row.name;
  }
}

// Any words: an answer, and no end of it.
TEST(Check, AnyWords) {
  uint32_t x = 12345;
  for (int round = 0; round < 1000; ++round) {
    Words words;
    for (int i = 0; i < 40; ++i) words.push_back(x = x * 1664525 + 1013904223);
    for (unsigned i = 1; i < words.size(); i += 3) words[i] = 0xa0000000 | (words[i] & 0xFFFF);  // many jumps
    if (round % 2 == 0) words[0] = 0xb0800028;
    if (round % 4 == 1) words[0] = 0xb8800028;
    const auto input = program_input(words, {});
    for (const Finding& f : check(input)) EXPECT_LT(f.index, words.size());
  }
}

}  // namespace
}  // namespace caamlab::desc
