// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Every descriptor of the kernel's driver against ours, and that a difference anywhere would be seen.
#include "tools/golden.h"

#include <gtest/gtest.h>

#include <fstream>

namespace caamlab::tools {
namespace {

using nlohmann::json;

struct File {
  const char* name;
  unsigned entries;
};
std::string path_of(const char* name) { return std::string("tests/golden/") + name + ".json"; }
std::ostream& operator<<(std::ostream& out, const File& file) { return out << file.name; }

class GoldenFile : public testing::TestWithParam<File> {};

TEST_P(GoldenFile, EveryEntryIsIdentical) {
  const auto report = check_golden_file(path_of(GetParam().name));
  ASSERT_TRUE(report) << report.error().to_string();
  EXPECT_EQ(report->entries, GetParam().entries);
  EXPECT_EQ(report->identical, GetParam().entries);
  for (const Mismatch& m : report->mismatches) ADD_FAILURE() << m.name << ": " << m.what << ": " << m.reason;
}

// Flips one bit of one word of each entry, a different one each time.
TEST_P(GoldenFile, AFlippedBitIsSeen) {
  const json file = json::parse(std::ifstream(path_of(GetParam().name)));
  unsigned n = 0, seen = 0;
  for (json entry : file["entries"]) {
    const unsigned index = n % entry["words"].size(), bit = n * 7 % 32;
    bool unwritten = false;
    for (const auto& u : entry.value("unwritten", json::array()))
      unwritten = unwritten || (index >= u[0].get<unsigned>() && index < u[0].get<unsigned>() + u[1].get<unsigned>());
    ++n;
    if (unwritten) continue;
    const auto word = std::stoul(entry["words"][index].get<std::string>(), nullptr, 16) ^ (1ul << bit);
    char text[16];
    std::snprintf(text, sizeof(text), "0x%08lx", word);
    entry["words"][index] = text;
    const auto mismatch = check_golden_entry(entry);
    ASSERT_TRUE(mismatch) << entry["name"];
    EXPECT_EQ(mismatch->what, "words");
    EXPECT_EQ(mismatch->word, index) << mismatch->reason;
    ++seen;
  }
  EXPECT_GT(seen, GetParam().entries / 2);
}

INSTANTIATE_TEST_SUITE_P(, GoldenFile,
                         testing::Values(File{"gcm", 623}, File{"endian", 423}, File{"misc", 911}, File{"aead", 2115},
                                         File{"hash", 554}, File{"skcipher", 192}, File{"pkc", 250}),
                         [](const auto& info) { return info.param.name; });

json gcm_entry() {
  static const json kEntry = json::parse(std::ifstream(path_of("gcm")))["entries"][0];
  return kEntry;
}
json job_entry() {
  const json file = json::parse(std::ifstream(path_of("misc")));
  for (const json& e : file["entries"])
    if (e.contains("sec4_sg") && e["sec4_sg"].size() > 1) return e;
  return {};
}

TEST(Golden, OtherWordsUnderShareNeverAreSeen) {
  json entry = gcm_entry();
  ASSERT_TRUE(entry.contains("words_share_never"));
  entry["words_share_never"] = entry["words"];
  const auto mismatch = check_golden_entry(entry);
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->what, "words_share_never");
  EXPECT_EQ(mismatch->word, 0u);
  EXPECT_NE(mismatch->reason.find("share=never"), std::string::npos) << mismatch->reason;
  EXPECT_NE(mismatch->reason.find("share=serial"), std::string::npos) << mismatch->reason;
}

TEST(Golden, AnotherScatterGatherEntryIsSeen) {
  json entry = job_entry();
  ASSERT_FALSE(entry.is_null());
  entry["sec4_sg"][1][1] = "0x40000001";
  auto mismatch = check_golden_entry(entry);
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->what, "sec4_sg");
  EXPECT_NE(mismatch->reason.find("S/G entry 1"), std::string::npos) << mismatch->reason;

  entry = job_entry();
  entry["sec4_sg"].erase(entry["sec4_sg"].size() - 1);
  mismatch = check_golden_entry(entry);
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->what, "sec4_sg");
}

TEST(Golden, FewerOrMoreWordsAreSeen) {
  json entry = gcm_entry();
  entry["words"].push_back("0x00000000");
  auto mismatch = check_golden_entry(entry);
  ASSERT_TRUE(mismatch);
  EXPECT_NE(mismatch->reason.find("words instead of"), std::string::npos) << mismatch->reason;
  entry["words"] = json::array();
  mismatch = check_golden_entry(entry);
  ASSERT_TRUE(mismatch);
}

TEST(Golden, OnlyUnwrittenBitsAreLeftOut) {
  json entry = gcm_entry();
  entry["words"][3] = "0xffffffff";
  ASSERT_TRUE(check_golden_entry(entry));
  entry["unwritten"].push_back({3u, 1u, "0xffffffff"});
  entry.erase("words_share_never");
  EXPECT_FALSE(check_golden_entry(entry));
}

TEST(Golden, AnEntryThatCannotBeBuiltIsNotIdentical) {
  struct Case {
    const char* what;
    void (*change)(json&);
    const char* reason;
  };
  const Case kCases[] = {
      {"constructor", [](json& e) { e["constructor"] = "cnstr_shdsc_nothing"; }, "no constructor"},
      {"no words", [](json& e) { e.erase("words"); }, "`words`"},
      {"missing parameter", [](json& e) { e["params"].erase("icvsize"); }, "params.icvsize: missing"},
      {"missing key", [](json& e) { e["params"]["cdata"].erase("key"); }, "params.cdata.key: missing"},
      {"short key", [](json& e) { e["params"]["cdata"]["key"] = "00"; }, "params.cdata.key: 1 bytes"},
      {"odd key", [](json& e) { e["params"]["cdata"]["key"] = "000"; }, "params.cdata.key"},
      {"text for a number", [](json& e) { e["params"]["icvsize"] = "many"; }, "params.icvsize"},
      {"number for a truth", [](json& e) { e["params"]["is_qi"] = 1; }, "params.is_qi"},
      {"pointer size", [](json& e) { e["params"]["caam_ptr_sz"] = 6; }, "caam_ptr_sz"},
      {"no alginfo", [](json& e) { e["params"]["cdata"] = 3; }, "params.cdata"},
      {"no parameters", [](json& e) { e["params"] = json::array(); }, "params"},
      {"words of no digits", [](json& e) { e["words"][0] = "b8"; }, "words"},
      {"a number for a word", [](json& e) { e["words"][0] = 5; }, "words"},
      {"unwritten", [](json& e) { e["unwritten"] = json::array({1}); }, "unwritten"},
  };
  for (const Case& c : kCases) {
    json entry = gcm_entry();
    c.change(entry);
    const auto mismatch = check_golden_entry(entry);
    ASSERT_TRUE(mismatch) << c.what;
    EXPECT_NE(mismatch->reason.find(c.reason), std::string::npos) << c.what << ": " << mismatch->reason;
  }
}

TEST(Golden, FilesThatAreNone) {
  EXPECT_FALSE(check_golden_file("tests/golden/no_such_file.json"));
  EXPECT_FALSE(check_golden(json::object(), "empty"));
  EXPECT_FALSE(check_golden(json::array(), "list"));
  const auto report = check_golden(json{{"entries", json::array({5})}}, "odd");
  ASSERT_TRUE(report);
  EXPECT_EQ(report->entries, 1u);
  EXPECT_EQ(report->identical, 0u);
  EXPECT_FALSE(report->ok());
}

}  // namespace
}  // namespace caamlab::tools
