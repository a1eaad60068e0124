// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam status, as a user calls it.
#include <gtest/gtest.h>

#include <sstream>

#include "tools/subcommands.h"

namespace caamlab::tools {
namespace {

using nlohmann::json;

struct Outcome {
  int code;
  std::string out, err;
};
Outcome status(std::vector<std::string> arguments, const std::string& input = {}) {
  static constexpr AddSubcommand kSubcommands[] = {add_status};
  std::istringstream in(input);
  std::ostringstream out, err;
  Session session{in, out, err};
  arguments.insert(arguments.begin(), "status");
  const int code = run_cli(kSubcommands, std::move(arguments), session);
  return {code, out.str(), err.str()};
}

struct Case {
  std::vector<std::string> arguments;
  std::string input;
  int code;
  std::vector<std::string> says;
};
const Case kCases[] = {
    {{"20000254"}, "", 0, {"20000254: CCB: desc idx 2: RNG: Not instantiated\n", "causes   Nobody instantiated"}},
    {{"0x2000", "081A"}, "", 0, {"AES: ICV check failed", "two halves"}},
    {{"20000254", "40000013"}, "", 0, {"RNG: Not inst", "DECO: desc idx 0: Header error"}},
    {{"0"}, "", 0, {"No error", "the job was done"}},
    {{"--", "-22"}, "", 0, {"EINVAL"}},
    {{"80000000"}, "", 1, {"unknown error source 8", "!  "}},
    {{"nothing at all"}, "", 1, {"no status word there"}},
    {{"-"}, "caam_jr x.jr: 2000081a: CCB: desc idx 8: AES: a\nstatus 2000081a\n", 0, {"line 1", "again    on line 2"}},
    {{}, "40001210: DECO: desc idx 13: a\n", 1, {"!  ", "index 13, the word says 18"}},
    {{"--log", "tests/dumps/15-status-lines.txt"}, "", 0, {"line 11", "not a job's status", "again    on line 3"}},
    {{"40000006", "--desc", "tests/dumps/01-boot-loader-words.txt"}, "", 1, {"--->   0  b080000a", "!  "}},
    {{"40000106", "--desc", "tests/dumps/01-boot-loader-words.txt"}, "", 0, {"--->   1  04000010"}},
    {{"40000106", "--desc", "no/such/file"}, "", 2, {}},
    {{"--log", "no/such/file"}, "", 2, {}},
};

TEST(StatusCommand, Says) {
  for (const Case& c : kCases) {
    const Outcome got = status(c.arguments, c.input);
    const std::string title = c.arguments.empty() ? "stdin" : c.arguments[0];
    EXPECT_EQ(got.code, c.code) << title << got.out << got.err;
    EXPECT_EQ(got.err.empty(), c.code != 2) << title;
    for (const std::string& part : c.says) EXPECT_NE(got.out.find(part), std::string::npos) << part << "\n" << got.out;
  }
}

TEST(StatusCommand, Json) {
  const json got = json::parse(status({"--json", "--log", "tests/dumps/15-status-lines.txt"}).out)["found"];
  ASSERT_EQ(got.size(), 11u);
  EXPECT_EQ(got[0]["source"], "ccb");
  EXPECT_EQ(got[0]["unit"], 0);
  EXPECT_EQ(got[0]["index"], 11);
  EXPECT_EQ(got[0]["error"], 15);
  EXPECT_EQ(got[4]["cha"], "RNG");
  EXPECT_EQ(got[4]["means"], "Not instantiated");
  EXPECT_EQ(got[9]["source"], "deco");
  EXPECT_EQ(got[9]["error"], 0x89);
  EXPECT_TRUE(got[10]["status"].is_null());
  EXPECT_EQ(got[10]["kind"], "ring_interrupt");

  const json placed =
      json::parse(status({"--json", "40000106", "--desc", "tests/dumps/01-boot-loader-words.txt"}).out)["found"][0];
  EXPECT_EQ(placed["place"]["command"]["mnemonic"], "KEY");
  EXPECT_TRUE(placed["place"]["contradictions"].empty());
}

}  // namespace
}  // namespace caamlab::tools
