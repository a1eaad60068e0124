// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam policy, as a user calls it.
#include <gtest/gtest.h>

#include <sstream>

#include "tests/tools/command.h"

namespace caamlab::tools {
namespace {

using nlohmann::json;

Said caam(std::vector<std::string> arguments, const std::string& input = "") {
  static constexpr AddSubcommand kSubcommands[] = {add_policy, add_config, add_which, add_algs};
  return run_command(kSubcommands, std::move(arguments), input);
}
Said policy(const std::string& rules, std::vector<std::string> options = {}) {
  options.insert(options.begin(), {"policy", "-"});
  return caam(std::move(options), "{\"rules\": [" + rules + "]}");
}

// The 2026 change of one driver as a rule: the machine after it is the profile with the change.
TEST(Policy, ASetsPriorityIsTheOtherProfile) {
  const std::string saved = testing::TempDir() + "/policy-after.txt";
  const Said said = policy(R"j({"priority": 100, "module": "dpaa2_caam"})j", {"--json", "--save", saved});
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.parsed()["steps"].size(), 72u);
  EXPECT_EQ(said.parsed()["undo"].size(), 72u);
  EXPECT_EQ(caam({"algs", "--machine", saved}).out, caam({"algs", "--machine", "lx2160a-qi2-100"}).out);
  // Once done, there is nothing to do.
  const json again = policy(R"j({"priority": 100, "module": "dpaa2_caam"})j", {"--json", "--machine", saved}).parsed();
  EXPECT_TRUE(again["steps"].empty());
  EXPECT_EQ(again["without_effect"], json::array({1}));
  std::remove(saved.c_str());
}

TEST(Policy, TheLastRuleOnADriverCounts) {
  const json steps =
      policy(R"j({"priority": 100, "driver": "gcm-aes-*"}, {"priority": 700, "driver": "gcm-aes-ce"})j", {"--json"})
          .parsed()["steps"];
  ASSERT_EQ(steps.size(), 2u);
  for (const json& step : steps) {
    const bool ce = step["driver"] == "gcm-aes-ce";
    EXPECT_EQ(step["priority"], ce ? 700 : 100);
    EXPECT_EQ(step["rule"], ce ? 2 : 1);
    EXPECT_EQ(step["before"], ce ? 300 : 2000);
  }
}

TEST(Policy, Conditions) {
  struct Row {
    const char* condition;
    bool met;
  };
  for (const Row& row :
       {Row{R"j("present": "gcm-aes-ce")j", true}, Row{R"j("present": ["gcm-aes-ce", "nothing"])j", false},
        Row{R"j("absent": "*-aesni")j", true}, Row{R"j("absent": "gcm-aes-ce")j", false},
        Row{R"j("machine": "lx2160a*")j", true}, Row{R"j("machine": "imx*")j", false}, Row{R"j("type": "aead")j", true},
        Row{R"j("type": "skcipher")j", false}}) {
    const std::string rule = R"j({"priority": 7, "driver": "gcm-aes-caam-qi2", )j" + std::string(row.condition) + "}";
    EXPECT_EQ(policy(rule, {"--json"}).parsed()["steps"].size(), row.met ? 1u : 0u) << rule;
  }
}

TEST(Policy, PinsComeAfterUpdatesAndAreUndone) {
  const std::string pin = "echainiv(authenc(hmac(sha256-ce),cbc-aes-ce))";
  const std::string rules =
      R"j({"pin": ")j" + pin + R"j(", "type": "aead", "priority": 5000}, {"priority": 301, "driver": "cbc-aes-ce"})j";
  const std::string saved = testing::TempDir() + "/policy-pin.txt", back = testing::TempDir() + "/policy-back.txt";
  const Said said = policy(rules, {"--save", saved});
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_LT(said.out.find("crconf update driver 'cbc-aes-ce' type 5 priority 301"),
            said.out.find("crconf add driver '" + pin + "' type 3 priority 5000"));
  EXPECT_NE(caam({"which", "echainiv(authenc(hmac(sha256),cbc(aes)))", "--machine", saved}).out.find(pin),
            std::string::npos);
  const std::string undo = said.out.substr(said.out.find("# undo"));
  ASSERT_EQ(caam({"config", "apply", "-", "--machine", saved, "--save", back}, undo).code, 0) << undo;
  EXPECT_EQ(caam({"algs", "--machine", back}).out, caam({"algs", "--machine", "lx2160a-qi2-2000"}).out);
  const json removed = policy(R"j({"remove": "echainiv(*)"})j", {"--json", "--machine", saved}).parsed();
  ASSERT_EQ(removed["steps"].size(), 1u);
  EXPECT_EQ(removed["steps"][0]["driver"], pin);
  std::remove(saved.c_str());
  std::remove(back.c_str());
}

TEST(Policy, RefusedStepsAreSaid) {
  const Said said = policy(R"j({"pin": "gcm_base(nothing,ghash-neon)", "type": "aead"})j");
  EXPECT_EQ(said.code, 1);
  EXPECT_NE(said.out.find("refused, -ENOENT"), std::string::npos) << said.out;
}

TEST(Policy, CommandsOnly) {
  EXPECT_EQ(policy(R"j({"priority": 9, "driver": "gcm-aes-ce"})j", {"--commands"}).out,
            "crconf update driver 'gcm-aes-ce' type 3 priority 9\n");
}

TEST(Policy, WrongRules) {
  const char* const wrong[] = {
      R"j({"priority": 1})j",
      R"j({"driver": "x"})j",
      R"j({"priority": "high", "driver": "x"})j",
      R"j({"priority": 99999999999, "driver": "x"})j",
      R"j({"priority": 1, "remove": "x"})j",
      R"j({"priority": 1, "driver": 7})j",
      R"j({"priority": 1, "driver": "x", "type": "shiny"})j",
      R"j({"priority": 1, "driver": "x", "present": [1]})j",
      R"j({"priority": 1, "drover": "x"})j",
      R"j(7)j",
      R"j({)j",
  };
  for (const char* rule : wrong) {
    const Said said = policy(rule);
    EXPECT_EQ(said.code, 2) << rule << said.out;
    EXPECT_NE(said.err.find("policy: -"), std::string::npos) << said.err;
  }
  EXPECT_EQ(caam({"policy", "-"}, "[]").code, 2);
}

}  // namespace
}  // namespace caamlab::tools
