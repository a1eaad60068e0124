// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Detection on the kernel's own descriptors, rendered in every layout: the byte order is always right, the pointer
// width nearly always, and never wrong when it is said to be sure.
#include "desc/text/detect.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace caamlab::desc {
namespace {

using Words = std::vector<uint32_t>;
using nlohmann::json;

struct Golden {
  std::string name;
  Words words;
  Target target;
};
std::vector<Golden> read_golden() {
  std::vector<Golden> all;
  for (const char* file : {"gcm", "aead", "hash", "skcipher", "pkc", "misc", "endian"}) {
    const json entries = json::parse(std::ifstream(std::string("tests/golden/") + file + ".json"))["entries"];
    for (const json& entry : entries) {
      Golden g{.name = entry["name"], .words = {}, .target = {}};
      for (const auto& word : entry["words"])
        g.words.push_back(static_cast<uint32_t>(std::stoul(word.get<std::string>(), nullptr, 16)));
      const json& params = entry["params"];
      g.target.ptr_bytes = params["caam_ptr_sz"];
      g.target.endian = params.value("caam_little_end", true) ? Endian::kLittle : Endian::kBig;
      g.target.imx = params.value("caam_imx", false);
      all.push_back(std::move(g));
    }
  }
  return all;
}

// The words as numbers of `group` bytes read by a core of order `core` out of the memory of a SEC of order `sec`.
std::string render(const Words& words, unsigned group, Endian core, Endian sec) {
  std::vector<uint8_t> bytes(words.size() * 4);
  for (size_t i = 0; i < words.size(); ++i) store32(&bytes[i * 4], words[i], sec);
  std::string text;
  for (size_t at = 0; at < bytes.size(); at += 16) {
    text += fmt::format("[   12.{:06}] jobdesc@1: 00000000d1f3c{:03x}:", at, at);
    for (size_t i = at; i < bytes.size() && i < at + 16; i += group) {
      uint64_t number = 0;
      for (unsigned k = 0; k < group; ++k)
        number |=
            i + k < bytes.size() ? uint64_t{bytes[i + k]} << 8 * (core == Endian::kLittle ? k : group - 1 - k) : 0;
      text += fmt::format(" {:0{}x}", number, group * 2);
    }
    text += "  ....\n";
  }
  return text;
}
std::string render_lines(const Words& words, const char* form) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) text += fmt::format(fmt::runtime(form), i, words[i]) + "\n";
  return text;
}

Detected detect_text(const std::string& text) {
  const auto dumps = read_dumps(text);
  EXPECT_TRUE(dumps) << text;
  EXPECT_EQ(dumps->size(), 1u) << text;
  return detect((*dumps)[0], {});
}

// Every descriptor in some layout, every 32nd in all of them.
TEST(Detect, ByteOrder) {
  unsigned number = 0;
  for (const Golden& g : read_golden()) {
    ++number;
    for (unsigned group : {1u, 2u, 4u, 8u})
      for (Endian core : {Endian::kLittle, Endian::kBig})
        for (Endian sec : {Endian::kLittle, Endian::kBig}) {
          const unsigned layout = group * 4 + (core == Endian::kLittle) * 2 + (sec == Endian::kLittle);
          if (number % 32 != 0 && layout % 17 != number % 17) continue;
          if (group == 8 && g.words.size() % 2 != 0) continue;
          const std::string text = render(g.words, group, core, sec);
          const Detected got = detect_text(text);
          ASSERT_EQ(got.words, g.words) << g.name << " group " << group << "\n" << text << got.reading.why;
          ASSERT_EQ(got.reading.sure, Sureness::kSure) << g.name;
        }
    if (number % 32 != 0) continue;
    for (const char* form : {"[{:02}] {:08X}", "Word[{}]: {:08x}", "\tDESC[{}]:0x{:x}", "> > [{}] {:08x}"})
      ASSERT_EQ(detect_text(render_lines(g.words, form)).words, g.words) << g.name << form;
  }
}

// And which word of a pointer comes first, where that is said to be sure.
TEST(Detect, PointerWidth) {
  unsigned right = 0, wrong = 0, unknown = 0, irrelevant = 0;
  for (const Golden& g : read_golden()) {
    const Detected got = detect_text(render_lines(g.words, "[{}] {:08x}"));
    if (got.ptr.sure == Sureness::kIrrelevant) {
      ++irrelevant;
    } else if (got.target.ptr_bytes == g.target.ptr_bytes) {
      ++right;
    } else {
      ++wrong;
      EXPECT_NE(got.ptr.sure, Sureness::kSure) << g.name << ": " << got.ptr.why;
    }
    if (got.ptr_order.sure == Sureness::kSure && g.target.ptr_bytes == 8 && got.target.ptr_bytes == 8) {
      EXPECT_EQ(got.target.ptr_low_word_first(), g.target.ptr_low_word_first()) << g.name << got.ptr_order.why;
    }
    unknown += got.ptr.sure == Sureness::kUnknown;
  }
  std::printf("pointer width: %u right, %u wrong, %u of these unsaid, %u without pointers\n", right, wrong, unknown,
              irrelevant);
  EXPECT_GE(right * 100, (right + wrong) * 99) << wrong;
  EXPECT_GT(right, 300u);
}

struct DumpCase {
  const char* name;
  uint8_t ptr_bytes;
  bool upper_first = false;
};
const DumpCase kDumps[] = {
    {"01-boot-loader-words", 4},   {"03-bare-words-black-key", 4},         {"08-plain-blob-example", 4},
    {"08-plain-blkcipher-seq", 4}, {"08-plain-hmac-1", 8, true},           {"08-plain-hmac-2", 8, true},
    {"08-plain-dual-1", 8, true},  {"fmt-kernel-be-engine-on-le-host", 4}, {"fmt-kernel-bytes-group1", 4},
    {"fmt-mail-quoted", 4},
};
TEST(Detect, DumpsFromTheField) {
  for (const DumpCase& c : kDumps) {
    std::stringstream text;
    text << std::ifstream(std::string("tests/dumps/") + c.name + ".txt").rdbuf();
    const Detected got = detect_text(text.str());
    EXPECT_EQ(got.target.ptr_bytes, c.ptr_bytes) << c.name << ": " << got.ptr.why;
    if (c.upper_first) {
      EXPECT_FALSE(got.target.ptr_low_word_first()) << c.name << ": " << got.ptr_order.why;
    }
  }
}

TEST(Detect, WhatIsGivenCounts) {
  const auto dumps = read_dumps("b0800003 02000010 00001000");
  const Detected got = detect((*dumps)[0], {.ptr_bytes = 8, .endian = Endian::kBig});
  EXPECT_EQ(got.target.ptr_bytes, 8);
  EXPECT_EQ(got.target.endian, Endian::kBig);
  EXPECT_EQ(got.ptr.sure, Sureness::kGiven);
  const auto bytes = read_dumps("02 00 80 b0 01 00 00 a0");
  EXPECT_EQ(detect((*bytes)[0], {.endian = Endian::kBig}).words, (Words{0x020080b0, 0x010000a0}));
  EXPECT_EQ(detect((*bytes)[0], {}).words, (Words{0xb0800002, 0xa0000001}));
}

}  // namespace
}  // namespace caamlab::desc
