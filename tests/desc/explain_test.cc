// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What commands do, in words.
#include "desc/text/explain.h"

#include <gtest/gtest.h>

#include <random>

namespace caamlab::desc {
namespace {

using Texts = std::vector<std::string>;

Texts texts_of(const std::vector<uint32_t>& words) { return explain(disassemble(words, {.target = {.ptr_bytes = 4}})); }

struct Case {
  uint32_t word;
  const char* text;
};
// Single commands behind a header.
const Case kCases[] = {
    {0x02000010, "key of class 1"},
    {0x04030040, "HMAC key as a pair of hash states (split key)"},
    {0x02500010, "key of class 1; black, AES-CCM under the JDKEK"},
    {0x12200010, "IV or saved state of class 1"},
    {0x8210090f, "in the end compares the ICVs: CCB error 0xA if they differ"},
    {0x82500000, ""},
    {0xa8280b04, "length of the next SEQ commands with vlf that write"},
    {0xa8280a04, "length of the next SEQ commands with vlf that read"},
    {0xa82c0f04, "only for the conditions of the next JUMP"},
    {0xa8280304, ""},
    {0x2b310000, "associated data to class 1"},
    {0x2b120000, "message to class 1, the last of it"},
    {0x2f160000, "message to both classes, its last for both"},
    {0x2f1e0000, "message to class 1, and what class 1 makes of it to class 2, its last for both"},
    {0x2b3a0000, "expected ICV to class 1, the last of it"},
    {0x29000010, "input passed over"},
    {0x693f0000, "leaves so many bytes of the output as they are"},
    {0x69300000, "output, as it comes"},
    {0x5a200010, "the context of class 1: ICV, digest, IV or saved state"},
    {0xa2000001, "waits until class 1 is done"},
    {0xa1000401, "waits until the NFIFO is empty"},
    {0xa00000ff, "a loop"},
    {0x78530408, "changes the descriptor: the MOVE at 1"},
    {0xf1000010, "the input, in pieces that a table names"},
    {0xf8000010, "room for the output"},
};

TEST(Explain, Commands) {
  for (const Case& c : kCases) {
    const Texts texts = texts_of({0xb0800003, c.word, 0x00001000});
    ASSERT_GE(texts.size(), 2u);
    EXPECT_EQ(texts[1], c.text) << std::hex << c.word;
  }
}

TEST(Explain, HeadersAndWhatIsSkipped) {
  const Texts texts = texts_of({0xb8800205, 0xa1004003, 0x02800004, 0x03020100, 0x8210090d});
  ASSERT_EQ(texts.size(), 4u);
  EXPECT_EQ(texts[0], "a job may find the keys of the one before, and starts when that is done");
  EXPECT_EQ(texts[1], "what a shared job finds already is not done again: past KEY");
  EXPECT_EQ(texts_of({0xb8800001})[0], "every job of this flow loads its keys itself");
  EXPECT_EQ(texts_of({0xb0821c02, 0x1000})[0], "the job's own commands run first, then the shared descriptor's");
}

TEST(Explain, OneTextALineWhateverTheWords) {
  std::mt19937 random(3);
  for (int i = 0; i < 5000; ++i) {
    std::vector<uint32_t> words(random() % 20 + 1);
    for (uint32_t& word : words) word = static_cast<uint32_t>(random());
    const Listing listing = disassemble(words, {});
    ASSERT_EQ(explain(listing).size(), listing.lines.size());
  }
}

}  // namespace
}  // namespace caamlab::desc
