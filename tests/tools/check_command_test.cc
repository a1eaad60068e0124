// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam check, as a user calls it.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "tests/tools/command.h"

namespace caamlab::tools {
namespace {

using nlohmann::json;

const char* const kShared =
    "b880120e a1004006 02800010 03020100 07060504 0b0a0908 0f0e0d0c 1a200010 82100105 a8080b04 a8080a04 2b120000 "
    "69300000 5a200010\n";
const char* const kJob = "b08e1c06 00008000 f0000020 00001000 f8000020 00002000\n";

Said run(std::vector<std::string> arguments, const std::string& input = {}) {
  static constexpr AddSubcommand kSubcommands[] = {add_check};
  arguments.insert(arguments.begin(), "check");
  return run_command(kSubcommands, std::move(arguments), input);
}

std::string without_last() {
  std::string text = kShared;
  return text.replace(text.find("2b120000"), 8, "2b100000");
}
std::string written(const std::string& name, const std::string& text) {
  const std::string path = testing::TempDir() + "/" + name;
  std::ofstream(path) << text;
  return path;
}

TEST(CheckCommand, NothingToComplainAbout) {
  const Said got = run({}, kShared);
  EXPECT_EQ(got.code, 0) << got.out << got.err;
  EXPECT_NE(got.out.find("a shared descriptor of 14 words"), std::string::npos) << got.out;
  EXPECT_NE(got.out.find("0 errors, 0 warnings, 0 notes"), std::string::npos) << got.out;
}

TEST(CheckCommand, SaysWhatWhereWhyAndWhatToDo) {
  const Said got = run({}, without_last());
  EXPECT_EQ(got.code, 1);
  for (const char* part : {"shared 13  error: the STORE of its context waits", "[deadlock]", "SEQ STORE", "why  ",
                           "fix  ", "1 errors, 0 warnings"})
    EXPECT_NE(got.out.find(part), std::string::npos) << part << "\n" << got.out;
}

// The job and its shared descriptor together: in one buffer, as two dumps, by --shared.
TEST(CheckCommand, Pairs) {
  std::string too_short = kJob;
  too_short.replace(too_short.find("f0000020"), 8, "f0000008");
  const std::string shared_file = written("shared.txt", kShared);
  const Said kSaids[] = {run({"--ptr", "4", "--json"}, std::string(kShared) + too_short),
                         run({"--ptr", "4", "--json", "--shared", shared_file}, too_short),
                         run({"--ptr", "4", "--json"}, std::string("shared:\n") + kShared + "job:\n" + too_short)};
  for (const Said& got : kSaids) {
    EXPECT_EQ(got.code, 1);
    const json j = json::parse(got.out);
    EXPECT_EQ(j["descriptors"], 1);
    ASSERT_EQ(j["errors"], 1) << got.out;
    const json& f = j["findings"][0];
    EXPECT_EQ(f["rule"], "sequence-underflow");
    EXPECT_EQ(f["part"], "shared");
    EXPECT_EQ(f["index"], 7);
    EXPECT_NE(f["message"].get<std::string>().find("16 bytes are wanted, the input sequence has 8 left"),
              std::string::npos)
        << f["message"];
  }
}

TEST(CheckCommand, PlatformAndEra) {
  const char* const kChaCha = "b8800002 82d0000d\n";
  EXPECT_NE(run({"--era", "9"}, kChaCha).out.find("[era]"), std::string::npos);
  const Said got = run({"--platform", "ls1046a"}, kChaCha);
  EXPECT_EQ(got.code, 1);
  EXPECT_NE(got.out.find("[platform]"), std::string::npos) << got.out;
  EXPECT_EQ(run({"--platform", "ls1046a"}, kShared).code, 0);
  EXPECT_EQ(run({"--platform", "no such soc"}, kShared).code, 2);
}

TEST(CheckCommand, StrictCountsWarnings) {
  std::string text = kShared;
  text.replace(text.find("1a200010"), 8, "1c200010");
  EXPECT_EQ(run({}, text).code, 0);
  EXPECT_EQ(run({"--strict"}, text).code, 1);
}

TEST(CheckCommand, Rules) {
  const Said got = run({"--rules"});
  EXPECT_EQ(got.code, 0);
  EXPECT_NE(got.out.find("missing-last"), std::string::npos);
}

// What SARIF 2.1.0 requires of a log, its runs, tools, rules and results (sections 3.13, 3.14, 3.18, 3.19, 3.27, 3.49).
TEST(CheckCommand, Sarif) {
  const Said got = run({"--sarif", written("bad.txt", "\n" + without_last())});
  EXPECT_EQ(got.code, 1);
  const json log = json::parse(got.out);
  EXPECT_EQ(log["version"], "2.1.0");
  EXPECT_TRUE(log["$schema"].get<std::string>().ends_with("sarif-schema-2.1.0.json"));
  ASSERT_EQ(log["runs"].size(), 1u);
  const json& driver = log["runs"][0]["tool"]["driver"];
  EXPECT_TRUE(driver["name"].is_string());
  const std::set<std::string> kLevels{"none", "note", "warning", "error"};
  std::set<std::string> ids;
  for (const json& rule : driver["rules"]) {
    EXPECT_TRUE(ids.insert(rule["id"]).second) << rule;
    for (const char* part : {"shortDescription", "fullDescription", "help"})
      EXPECT_FALSE(rule[part]["text"].get<std::string>().empty());
    EXPECT_TRUE(kLevels.count(rule["defaultConfiguration"]["level"]));
  }
  const json& results = log["runs"][0]["results"];
  ASSERT_EQ(results.size(), 1u);
  for (const json& result : results) {
    EXPECT_EQ(driver["rules"][result["ruleIndex"].get<size_t>()]["id"], result["ruleId"]);
    EXPECT_TRUE(kLevels.count(result["level"]));
    EXPECT_FALSE(result["message"]["text"].get<std::string>().empty());
    ASSERT_EQ(result["locations"].size(), 1u);
    const json& place = result["locations"][0];
    EXPECT_TRUE(place["physicalLocation"]["artifactLocation"]["uri"].get<std::string>().ends_with("bad.txt"));
    EXPECT_EQ(place["physicalLocation"]["region"]["startLine"], 2);
    EXPECT_EQ(place["logicalLocations"][0]["name"], "word 13");
  }
  EXPECT_EQ(json::parse(run({"--sarif"}, kShared).out)["runs"][0]["results"], json::array());
  EXPECT_EQ(run({"--sarif", "--json"}, kShared).code, 2);
}

}  // namespace
}  // namespace caamlab::tools
