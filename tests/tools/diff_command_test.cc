// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam diff, as a user calls it.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tools/subcommands.h"

namespace caamlab::tools {
namespace {

using nlohmann::json;

struct Outcome {
  int code;
  std::string out, err;
};
Outcome diff(const std::string& before, const std::string& after, std::vector<std::string> options = {}) {
  static constexpr AddSubcommand kSubcommands[] = {add_diff};
  const std::string path = testing::TempDir() + "/before.txt";
  std::ofstream(path) << before;
  std::istringstream in(after);
  std::ostringstream out, err;
  Session session{in, out, err};
  options.insert(options.begin(), {"diff", path, "-"});
  const int code = run_cli(kSubcommands, std::move(options), session);
  return {code, out.str(), err.str()};
}
std::string read_dump(const std::string& name) {
  std::stringstream text;
  text << std::ifstream("tests/dumps/" + name + ".txt").rdbuf();
  return text.str();
}

struct Case {
  const char* before;
  const char* after;
  int changed, removed, added;
  const char* says;  // part of the output
};
const Case kCases[] = {
    {"b8800202 a0000001", "b8800202 a0000001", 0, 0, 0, "identical: 2 words"},
    {"b8800202 a0000001", "b8800002 a0000001", 1, 0, 0, "share: serial -> never"},
    {"b8800202 a0000001", "b8800002 a0000001", 1, 0, 0, "now: nothing is shared"},
    // A command put in: the jump over it goes where it went.
    {"b8800204 a0000002 a1001001 78040008", "b8800205 a0000003 78420008 a1001001 78040008", 1, 0, 1, "len: 4 -> 5"},
    {"b8800204 a0000002 a1001001 78040008", "b8800204 a0000003 a1001001 78040008", 1, 0, 0, "target: 3 -> 4"},
    {"b8800204 02800004 01020304 a0000001", "b8800204 02800004 01020305 a0000001", 1, 0, 0, "data: 04030201 ->"},
    {"b8800203 82100101 a0000001", "b8800203 82100100 a0000001", 1, 0, 0, "enc: encrypt -> decrypt"},
    {"b8800203 82100101 a0000001", "b8800202 82100101", 1, 1, 0, "- "},
    {"b8800203 16860800 a0000001", "b8800203 16860400 a0000001", 1, 0, 0, "auto_nfifo_on: not set -> set"},
    {"b8800203 48000000 a0000001", "b8800203 48000001 a0000001", 1, 0, 0, "bits: 0x48000000 -> 0x48000001"},
};

TEST(Diff, Says) {
  for (const Case& c : kCases) {
    const Outcome got = diff(c.before, c.after);
    const bool same = c.changed + c.removed + c.added == 0;
    EXPECT_EQ(got.code, same ? 0 : 1) << c.before << " " << c.after << got.err;
    EXPECT_NE(got.out.find(c.says), std::string::npos) << c.says << "\n" << got.out;
    const json j = json::parse(diff(c.before, c.after, {"--json"}).out);
    EXPECT_EQ(j["changed"], c.changed) << got.out;
    EXPECT_EQ(j["removed"], c.removed) << got.out;
    EXPECT_EQ(j["added"], c.added) << got.out;
    EXPECT_EQ(j["identical"], same);
  }
}

// The end of a descriptor before and after a wait was put in; their first words have different numbers.
TEST(Diff, PiecesWithNumbers) {
  const json j =
      json::parse(diff(read_dump("05-indexed-tail-before"), read_dump("05-indexed-tail-after"), {"--json"}).out);
  EXPECT_EQ(j["added"], 1);
  EXPECT_EQ(j["changed"], 0);
  for (const json& line : j["lines"])
    if (line["kind"] == "added") {
      EXPECT_EQ(line["after"]["index"], 37);
      EXPECT_EQ(line["after"]["word"], "a1000401");
      EXPECT_EQ(line["after"]["gloss"], "wait");
    }
}

TEST(Diff, All) {
  const Outcome got = diff("b8800202 a0000001", "b8800002 a0000001", {"--all"});
  EXPECT_NE(got.out.find("    1  a0000001  JUMP"), std::string::npos) << got.out;
  EXPECT_EQ(diff("no words", "b8800202").code, 2);
}

}  // namespace
}  // namespace caamlab::tools
