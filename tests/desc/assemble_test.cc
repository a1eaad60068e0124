// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The assembler: every listing gives back its words, and what people write by hand.
#include "desc/text/assemble.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "desc/text/disassemble.h"

namespace caamlab::desc {
namespace {

using Words = std::vector<uint32_t>;
using nlohmann::json;

void expect_round_trip(const Words& words, const DisassembleOptions& options, const std::string& title) {
  const std::string text = to_text(disassemble(words, options));
  const auto again = assemble(text, {.target = options.target, .single = options.single});
  ASSERT_TRUE(again) << title << ": " << again.error().to_string() << "\n" << text;
  ASSERT_EQ(again->words, words) << title << "\n" << text;
}
void expect_all_round_trips(const Words& words, const std::string& title) {
  for (const Target& target : {Target{.ptr_bytes = 4, .endian = Endian::kLittle}, Target{.ptr_bytes = 8},
                               Target{.ptr_bytes = 8, .endian = Endian::kBig}, Target{.ptr_bytes = 8, .imx = true}})
    expect_round_trip(words, {.target = target}, title);
}

Words words_of(const json& list) {
  Words words;
  for (const auto& word : list)
    words.push_back(static_cast<uint32_t>(std::stoul(word.get<std::string>(), nullptr, 16)));
  return words;
}

// -- dump and back --------------------------------------------------------------------------------------------------

TEST(RoundTrip, RandomWords) {
  std::mt19937 random(5);
  for (int i = 0; i < 20000; ++i) {
    Words words(random() % 12 + 1);
    for (uint32_t& word : words) word = static_cast<uint32_t>(random());
    if (i % 2 == 0) words[0] = (i % 4 == 0 ? 0xb0800000 : 0xb8800000) | (words[0] & 0x007F1F7F);
    expect_all_round_trips(words, fmt::format("seed 5, {}", i));
    expect_round_trip(words, {.first_index = 36}, "from 36");
    expect_round_trip(words, {.single = true}, "single");
    if (HasFatalFailure()) return;
  }
}

// Every command with every value of its fields that differs in few bits from a plain one.
TEST(RoundTrip, EachCommandBitByBit) {
  for (uint32_t top = 0; top < 256; ++top)
    for (unsigned a = 0; a < 24; ++a)
      for (unsigned b = 0; b <= a; ++b) {
        Words words{top << 24 | 1u << a | 1u << b};
        words.resize(words[0] % 3 == 0 ? 4 : 80, 0x01020304);
        expect_round_trip(words, {.target = {.ptr_bytes = 4}}, "bits");
        if (HasFatalFailure()) return;
      }
}

TEST(RoundTrip, GoldenDescriptors) {
  size_t count = 0;
  for (const char* file : {"gcm", "aead", "hash", "skcipher", "pkc", "misc", "endian"}) {
    const json all = json::parse(std::ifstream(std::string("tests/golden/") + file + ".json"));
    for (const json& entry : all["entries"]) {
      expect_all_round_trips(words_of(entry["words"]), entry["name"]);
      if (HasFatalFailure()) return;
      ++count;
    }
  }
  EXPECT_GT(count, 500u);
}

TEST(RoundTrip, RecordedJobs) {
  std::ifstream in("tests/replay/kernel-jobs.jsonl");
  size_t count = 0;
  for (std::string line; std::getline(in, line);) {
    const json job = json::parse(line);
    for (const char* name : {"job", "shared"}) {
      if (!job.contains(name)) continue;
      ++count;
      expect_all_round_trips(words_of(job[name]), fmt::format("{} of line {}", name, count));
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(count, 500u);
}

// -- by hand --------------------------------------------------------------------------------------------------------

struct TextCase {
  const char* text;
  Words words;
};
const TextCase kTexts[] = {
    {"JOB HDR share=never\nJUMP -> 2\n", {0xb0800002, 0xa0000001}},
    {"job hdr share=never len=2\njump -> 2\n", {0xb0800002, 0xa0000001}},
    {".target ptr=4\nJOB HDR\nKEY class1 len=16 ptr=0x1000 ; the key\n", {0xb0800003, 0x02000010, 0x1000}},
    {".target ptr=8 endian=big\nKEY class1 len=16 ptr=0x1000\n", {0x02000010, 0, 0x1000}},
    {"# nothing\n\n   ! note\nKEY class1 imm len=2 data=0102\n", {0x02800002, 0x0201}},
    {"again: MATH fn=sub src0=sil src1=math0 dst=vsil len=4\nJUMP test=all cond=math_n -> again\n",
     {0xa8280a04, 0xa00008ff}},
    {"JUMP -> end\nLOAD ccb imm dst=clrw len=4 value=0x1\nend:\n", {0xa0000003, 0x10880004, 1}},
    {"?  bits=0x48000000", {0x48000000}},
    {"PDB 0x1 2\n-  0x206d6574", {1, 2, 0x206d6574}},
    // A line put into a listing: jumps follow.
    {"  0  a0000002  JUMP -> 2\n  JUMP jsl test=all cond=nifp -> +1\n", {}},
    {"  0  a0000002  JUMP            -> 2\n               JUMP            jsl test=all cond=calm -> next\nnext:\n"
     "  1  a0000001  JUMP            -> 2\n  2  a0000001  JUMP -> 3\n",
     {0xa0000003, 0xa1001001, 0xa0000001, 0xa0000001}},
    {"OPERATION class1 alg=aes aai=ctr+cmac as=initfinal encrypt", {0x82100e0d}},
    {"OPERATION class1 alg=aes aai=ctr as=initfinal decrypt", {0x8210000c}},
    {"MOVE src=ififo-deco dst=ofifo len=300", {0x7882012c}},
};

TEST(Assemble, Texts) {
  for (const TextCase& c : kTexts) {
    const auto got = assemble(c.text, {.target = {.ptr_bytes = 4}});
    if (c.words.empty()) {
      EXPECT_FALSE(got) << c.text;
      continue;
    }
    ASSERT_TRUE(got) << c.text << ": " << got.error().to_string();
    EXPECT_EQ(got->words, c.words) << c.text;
  }
}

struct RefusedCase {
  const char* text;
  const char* message;
};
const RefusedCase kRefused[] = {
    {"FROB class1", "line 1: no command begins with \"FROB class1\""},
    {"\nKEY class1 len=16", "line 2: ptr= is missing"},
    {"KEY class1 len=16 ptr=0x123456789", "an address of 4 bytes"},
    {"KEY class1 imm len=16 data=00", "16 bytes of data are wanted, data has 1"},
    {"KEY class1 imm len=2000 data=00", "len: 2000 is more than 1023"},
    {"KEY class1 colour=red len=1", "KEY has no field \"colour\""},
    {"OPERATION class1 alg=rot13", "alg has no such value; there are aes"},
    {"LOAD class1 imm dst=clrw len=4 value=1", "class class1 has no register \"clrw\""},
    {"JUMP -> nowhere", "no label nowhere"},
    {"JUMP -> 500", "500 words away"},
    {"a: JUMP -> a\na: JUMP -> a", "label a is there already"},
    {".origin 5", "the only directive is .target"},
    {".target ptr=5", "not ptr=5"},
    {"PDB", "words are missing"},
    {"PDB x", "no 32-bit number"},
    {"MOVE_LEN src=math0 dst=ofifo len=4", "math0 to math3"},
    {"KEY class1 len=16 words=xyz", "8 hexadecimal digits"},
    {"JUMP ->", "a label or a number"},
};

TEST(Assemble, Refused) {
  for (const RefusedCase& c : kRefused) {
    const auto got = assemble(c.text, {.target = {.ptr_bytes = 4}});
    ASSERT_FALSE(got) << c.text;
    EXPECT_NE(got.error().message.find(c.message), std::string::npos) << c.text << ": " << got.error().message;
  }
}

TEST(Assemble, Notes) {
  const auto length = assemble("JOB HDR share=never len=5\nJUMP -> 2", {});
  ASSERT_TRUE(length && length->notes.size() == 1);
  EXPECT_NE(length->notes[0].find("says 5 words, there are 2"), std::string::npos);
  const auto column = assemble("0 02800001 KEY class2 imm len=1 data=00", {});
  ASSERT_TRUE(column && column->notes.size() == 1);
  EXPECT_EQ(column->words[0], 0x04800001u);
  EXPECT_NE(column->notes[0].find("line 1 first"), std::string::npos);
}

// Broken text is refused or read, never more.
TEST(AnyText, IsReadOrRefused) {
  const std::string listing =
      to_text(disassemble(Words{0xb0800006, 0x02800002, 0x0201, 0x16860000, 0xa8280a04, 0xa00008ff}, {}));
  std::mt19937 random(9);
  for (int i = 0; i < 20000; ++i) {
    std::string text = listing;
    for (unsigned n = random() % 4 + 1; n != 0; --n) {
      const size_t at = random() % text.size();
      if (random() % 2 == 0)
        text[at] = static_cast<char>(" =+->0xz:.;,\n"[random() % 13]);
      else
        text.erase(at, random() % 5);
    }
    const auto got = assemble(text, {});
    if (!got) {
      EXPECT_NE(got.error().message.find("line "), std::string::npos) << text;
    }
  }
}

}  // namespace
}  // namespace caamlab::desc
