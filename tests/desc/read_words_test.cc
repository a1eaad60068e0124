// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Words out of text: the layouts of tests/dumps, small pieces of each kind, and what is refused.
#include "desc/text/read_words.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace caamlab::desc {
namespace {

using Words = std::vector<uint32_t>;
const Words kFourteen{0xb080000e, 0xf0000200, 0x01234567, 0xf8000200, 0x06123475, 0x12200010, 0x11223344,
                      0x02000020, 0x778899aa, 0xa808fa04, 0xa809fb04, 0x82100101, 0x2b120000, 0x69300000};

struct FileCase {
  const char* name;
  const char* note = "";  // part of one
};
const FileCase kFiles[] = {
    {"fmt-address-colon-word", "1 lines without words"},
    {"fmt-boot-loader-md"},
    {"fmt-desc-bracket-no-zeros"},
    {"fmt-index-upper"},
    {"fmt-kernel-be-engine-on-le-host", "byte-swapped"},
    {"fmt-kernel-be-host-group4"},
    {"fmt-kernel-bytes-group1", "bytes, read as little-endian words"},
    {"fmt-kernel-le-group4"},
    {"fmt-mail-quoted"},
    {"fmt-size-then-no-zeros", "1 lines without words"},
    {"08-plain-blkcipher-seq"},
};

TEST(ReadWords, OneDescriptorInAllLayouts) {
  for (const FileCase& c : kFiles) {
    std::stringstream text;
    text << std::ifstream(std::string("tests/dumps/") + c.name + ".txt").rdbuf();
    const auto read = read_words(text.str(), Endian::kLittle);
    ASSERT_TRUE(read) << c.name << ": " << read.error().to_string();
    EXPECT_EQ(read->words, kFourteen) << c.name;
    EXPECT_EQ(read->first_index, 0u) << c.name;
    std::string notes;
    for (const std::string& note : read->notes) notes += note + "\n";
    EXPECT_NE(notes.find(c.note), std::string::npos) << c.name << ": " << notes;
  }
}

struct TextCase {
  const char* name;
  const char* text;
  Words words;
  unsigned first_index = 0;
};
const TextCase kTexts[] = {
    {"one word", "b0800002", {0xb0800002}},
    {"a run of words", "b0800002a0000001", {0xb0800002, 0xa0000001}},
    {"commas and 0x", "0xb0800002,0xa0000001, 0x5", {0xb0800002, 0xa0000001, 5}},
    {"suffixes", "0xb0800002U 0xa0000001UL 0x5ul", {0xb0800002, 0xa0000001, 5}},
    {"C array", "static const u32 desc[] = {\n\t0xb0800002, 0xa0000001,\n};\n", {0xb0800002, 0xa0000001}},
    {"C array on one line", "{ 0xb0800002, 0xa0000001 }", {0xb0800002, 0xa0000001}},
    {"tabs, upper case, Windows line ends", "\tB0800002\r\n\tA0000001\r\n", {0xb0800002, 0xa0000001}},
    {"comments", "# a job\nb0800002\n// a jump\na0000001\n", {0xb0800002, 0xa0000001}},
    {"empty lines", "\n\nb0800002\n\na0000001\n\n", {0xb0800002, 0xa0000001}},
    {"a piece with indices", "[36] A8080A04\n[37] A1000401\n", {0xa8080a04, 0xa1000401}, 36},
    {"index and no leading zeros", "[0] b0800002\n[1] 5\n", {0xb0800002, 5}},
    {"index with equals sign", "desc[0] = 0xb0800002\ndesc[1] = 0xa0000001\n", {0xb0800002, 0xa0000001}},
    {"prose around indexed words", "it says CCB: bad 12345678\nWord[0]: b0800001\nthat was it\n", {0xb0800001}},
    {"two columns of indices stop", "[0] b0800002\n[1] a0000001\n[0] b0800001\n", {0xb0800002, 0xa0000001}},
    {"a column of characters like words", "00001000: b0800002 a0000001  deadbeef\n", {0xb0800002, 0xa0000001}},
    {"addresses that jump", "00001000: b0800002\n00001004: a0000001\n00002000: b0800001\n", {0xb0800002, 0xa0000001}},
    {"byte pairs", "02 00 80 b0 01 00 00 a0", {0xb0800002, 0xa0000001}},
    {"a short word with 0x", "0x5", {5}},
    {"swapped", "020080b0 010000a0", {0xb0800002, 0xa0000001}},
    {"text between words", "b0800002\nCPU: hot\na0000001\n", {0xb0800002, 0xa0000001}},
    {"JSON", "{\"words\": [\"b0800002\", \"a0000001\"]}", {0xb0800002, 0xa0000001}},
    {"JSON over lines", "{\n \"words\": [\n  \"0xb0800002\",\n  \"0xa0000001\"\n ]\n}", {0xb0800002, 0xa0000001}},
    {"C array in one line", "static const u32 d[2] = { 0xb0800002, 0xa0000001 };", {0xb0800002, 0xa0000001}},
    {"words of two halves", "00001000: 0002 b080 0001 a000", {0xb0800002, 0xa0000001}},
    {"pairs of words", "00001000: a0000001b0800002", {0xb0800002, 0xa0000001}},
    {"a gap", "[0] b0800003\n[2] a0000001\n", {0xb0800003}},
};

TEST(ReadWords, Texts) {
  for (const TextCase& c : kTexts) {
    const auto read = read_words(c.text, Endian::kLittle);
    ASSERT_TRUE(read) << c.name << ": " << read.error().to_string();
    EXPECT_EQ(read->words, c.words) << c.name;
    EXPECT_EQ(read->first_index, c.first_index) << c.name;
  }
}

struct DumpsCase {
  const char* name;
  const char* text;
  std::vector<size_t> sizes;
  std::vector<unsigned> lines;
};
const DumpsCase kDumps[] = {
    {"plain", "job:\nb0800002\na0000001\nanother:\nb0800001\n", {2, 1}, {2, 5}},
    {"a message in the middle", "b0800003\n[  1.5] usb: hub\na0000001\na0000001\n", {3}, {1}},
    {"addresses", "00001000: b0800002 a0000001\n00002000: b0800001\n", {2, 1}, {1, 2}},
    {"numbers from 0 again", "[0] b0800002\n[1] a0000001\n[0] b0800001\n", {2, 1}, {1, 3}},
    {"words left out", "[0] b0800005\n[3] a0000001\n[4] a0000001\n", {1, 2}, {1, 2}},
};
TEST(ReadDumps, AllOfAText) {
  for (const DumpsCase& c : kDumps) {
    const auto dumps = read_dumps(c.text);
    ASSERT_TRUE(dumps) << c.name;
    ASSERT_EQ(dumps->size(), c.sizes.size()) << c.name;
    for (size_t i = 0; i < c.sizes.size(); ++i) {
      EXPECT_EQ((*dumps)[i].numbers.size(), c.sizes[i]) << c.name;
      EXPECT_EQ((*dumps)[i].line, c.lines[i]) << c.name;
    }
  }
  EXPECT_TRUE((*read_dumps(kDumps[4].text))[1].apart);
  EXPECT_EQ((*read_dumps(kDumps[4].text))[1].first_index, 3u);
}

TEST(ReadWords, BytesInBigEndian) {
  const auto read = read_words("b0 80 00 02 a0 00 00 01", Endian::kBig);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->words, (Words{0xb0800002, 0xa0000001}));
}

struct RefusedCase {
  const char* text;
  const char* message;
};
const RefusedCase kRefused[] = {
    {"", "no words"},
    {"\n \n", "no words"},
    {"nothing here\n", "no words"},
    {"b0800002 xyz", "no words"},
    {"b08000", "no words"},
    {"b0800002\na000\n", "line 2"},
    {"0x123456789", "no words"},
    {"b0 80 00", "3 bytes"},
};

TEST(ReadWords, Refused) {
  for (const RefusedCase& c : kRefused) {
    const auto read = read_words(c.text, Endian::kLittle);
    ASSERT_FALSE(read) << c.text;
    EXPECT_EQ(read.error().code, ErrorCode::kMalformed) << c.text;
    EXPECT_NE(read.error().message.find(c.message), std::string::npos) << c.text << ": " << read.error().message;
  }
}

TEST(ReadWords, Binary) {
  const uint8_t bytes[] = {0xb0, 0x80, 0x00, 0x02, 0xa0, 0x00, 0x00, 0x01};
  EXPECT_EQ(read_binary(bytes, Endian::kBig)->words, (Words{0xb0800002, 0xa0000001}));
  EXPECT_EQ(read_binary(bytes, Endian::kLittle)->words, (Words{0x020080b0, 0x010000a0}));
  EXPECT_FALSE(read_binary(std::span(bytes).first(6), Endian::kBig));
  EXPECT_FALSE(read_binary({}, Endian::kBig));
}

}  // namespace
}  // namespace caamlab::desc
