// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Calls of the builder out of words: run, they give the words again; as text they compile and give them too.
#include "desc/text/builder_calls.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "tests/desc/generated_calls.h"

namespace caamlab::desc {
namespace {

using Words = std::vector<uint32_t>;
using nlohmann::json;

Words words_of(const json& list) {
  Words words;
  for (const auto& word : list)
    words.push_back(static_cast<uint32_t>(std::stoul(word.get<std::string>(), nullptr, 16)));
  return words;
}

// A piece is appended to a builder with a header of its own, which is taken off again.
Words run(const BuilderCalls& made, const Target& target) {
  Builder d(target);
  CallLabels labels{};
  if (!made.has_header) d.init_job_desc({});
  for (const BuilderCall& call : made.calls) call.run(d, labels);
  const auto result = d.finish();
  EXPECT_TRUE(result) << result.error().to_string();
  if (!result) return {};
  const auto words = result->words();
  return {words.begin() + (made.has_header ? 0 : 1), words.end()};
}

std::string text_of(const BuilderCalls& made, const Target& target) { return to_cpp(made, target, "make"); }

void expect_same(const Words& words, const Target& target, const std::string& title) {
  const BuilderCalls made = builder_calls(words, target);
  ASSERT_EQ(run(made, target), words) << title << "\n" << text_of(made, target);
  ASSERT_TRUE(made.notes.empty()) << title << ": " << made.notes[0];
}

TEST(BuilderCalls, EveryGoldenDescriptor) {
  size_t n = 0, plain = 0;
  for (const char* file : {"gcm", "aead", "skcipher", "hash", "pkc", "misc", "endian"}) {
    const json all = json::parse(std::ifstream(fmt::format("tests/golden/{}.json", file)));
    for (const json& entry : all["entries"]) {
      const json& p = entry["params"];
      const Target target{.ptr_bytes = p["caam_ptr_sz"],
                          .endian = p["caam_little_end"] ? Endian::kLittle : Endian::kBig,
                          .imx = p["caam_imx"]};
      const Words words = words_of(entry["words"]);
      expect_same(words, target, entry["name"]);
      if (HasFatalFailure()) return;
      for (const BuilderCall& call : builder_calls(words, target).calls)
        if (call.text.find("append_cmd(") != std::string::npos) ++plain;
      ++n;
    }
  }
  EXPECT_GT(n, 5000u);
  // The kernel has a call for each of its commands, and so have we; only its jumps without a label have none.
  EXPECT_LT(plain, n / 2) << "calls say less than they could";
}

TEST(BuilderCalls, EveryRecordedJob) {
  std::ifstream in("tests/replay/kernel-jobs.jsonl");
  size_t n = 0;
  for (std::string line; std::getline(in, line);) {
    const json job = json::parse(line);
    const Target target{.ptr_bytes = job["ptr_bytes"],
                        .endian = job["endian"] == "big" ? Endian::kBig : Endian::kLittle,
                        .imx = job["imx_ptr_order"]};
    const Words words = words_of(job["job"]);
    const BuilderCalls made = builder_calls(words, target);
    ASSERT_EQ(run(made, target), Words(words.begin(), words.begin() + made.words)) << "job " << n;
    ++n;
  }
  EXPECT_GT(n, 100u);
}

// Whatever the words are: all but the length in the header, and bits of it that no command has.
TEST(BuilderCalls, RandomWords) {
  std::mt19937 random(7);
  for (int i = 0; i < 5000; ++i) {
    Words words(random() % 20 + 1);
    for (uint32_t& word : words) word = static_cast<uint32_t>(random());
    if (i % 2 == 0) words[0] = (i % 4 == 0 ? 0xb0800000 : 0xb8800000) | (words[0] & 0x0000077F);
    for (const Target& target : {Target{.ptr_bytes = 4}, Target{.ptr_bytes = 8}}) {
      const BuilderCalls made = builder_calls(words, target);
      Words wanted(words.begin(), words.begin() + made.words);
      Words got = run(made, target);
      if (made.has_header) {
        ASSERT_FALSE(got.empty());
        EXPECT_TRUE(wanted[0] == got[0] || !made.notes.empty()) << "seed 7, " << i;
        wanted[0] = got[0];
      }
      ASSERT_EQ(got, wanted) << "seed 7, " << i << "\n" << text_of(made, target);
    }
  }
}

TEST(BuilderCalls, SaysWhatItCannotGiveBack) {
  const Target target{.ptr_bytes = 4};
  const BuilderCalls shorter = builder_calls(Words{0xb0800010, 0xa0000001}, target);
  ASSERT_EQ(shorter.notes.size(), 1u);
  EXPECT_EQ(shorter.notes[0], "the header says 16 words, the builder counts 2");
  const BuilderCalls trailing = builder_calls(Words{0xb0800002, 0xa0000001, 0x41424344}, target);
  EXPECT_EQ(trailing.words, 2u);
  ASSERT_EQ(trailing.notes.size(), 1u);
  EXPECT_EQ(trailing.notes[0], "1 words behind the descriptor are left out");
  const BuilderCalls far = builder_calls(Words(70, 0xa0000001), target);
  EXPECT_TRUE(far.calls.empty());
  ASSERT_EQ(far.notes.size(), 1u);
}

TEST(BuilderCalls, ReadsLikeAConstructor) {
  const Target target{};
  const std::string text = text_of(
      builder_calls(Words{0xb8800207, 0xa1004003, 0x02800004, 0x03020100, 0xa8280b04, 0xa00c08fe, 0x5a200010}, target),
      target);
  EXPECT_EQ(text,
            "desc::Result<desc::Descriptor> make() {\n"
            "  using namespace desc;\n"
            "  Builder d({.ptr_bytes = 8, .endian = Endian::kLittle});\n"
            "  d.init_sh_desc({.share = ShareMode::kSerial});\n"
            "  const auto jump1 = d.append_jump({.jsl = true, .cond = kCondShrd});\n"
            "  static constexpr uint8_t data2[] = {0x00, 0x01, 0x02, 0x03};\n"
            "  d.append_key_as_imm(data2, 4, {.cls = ClassSel::kClass1});\n"
            "  d.set_jump_tgt_here(jump1);\n"
            "  d.append_math(MathFn::kSub, MathReg::kVarSeqOutLen, MathReg::kSeqInLen, MathReg::kReg0);\n"
            "  d.append_word(0xa00c08fe);\n"
            "  d.append_seq_store(16, {.cls = ClassSel::kClass1, .src = kRegContext});\n"
            "  return d.finish();\n"
            "}\n");
}

// Descriptors that between them have every shape of call, printed by the generator beside this file and compiled.
TEST(BuilderCalls, CompiledTextGivesTheSameWords) {
  ASSERT_GT(std::size(generated_cases()), 20u);
  for (const GeneratedCase& c : generated_cases()) {
    const auto made = c.make();
    ASSERT_TRUE(made) << c.name << ": " << made.error().to_string();
    EXPECT_TRUE(std::ranges::equal(made->words(), c.words)) << c.name;
  }
}

}  // namespace
}  // namespace caamlab::desc
