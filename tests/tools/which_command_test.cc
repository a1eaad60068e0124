// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam which and caam algs, as a user calls them.
#include <gtest/gtest.h>

#include <sstream>

#include "tests/tools/command.h"

namespace caamlab::tools {
namespace {

using nlohmann::json;

Said caam(std::vector<std::string> arguments, const std::string& input = "") {
  static constexpr AddSubcommand kSubcommands[] = {add_which, add_algs};
  return run_command(kSubcommands, std::move(arguments), input);
}
json answer(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "which");
  arguments.push_back("--json");
  return json::parse(caam(std::move(arguments)).out);
}

TEST(Which, SaysWhoAndWhy) {
  const Said o = caam({"which", "gcm(aes)", "--machine", "lx2160a-qi2-100"});
  EXPECT_EQ(o.code, kExitOk);
  EXPECT_NE(o.out.find("-> gcm-aes-ce (300)"), std::string::npos);
  EXPECT_NE(o.out.find("priority 100 is below 300 of gcm-aes-ce"), std::string::npos);
}

TEST(Which, ConsumersAskInTheirOwnWay) {
  const json dm = answer({"xts(aes)", "--for", "dm-crypt", "--machine", "lx2160a-qi2-2000"});
  EXPECT_EQ(dm["driver"], "xts-aes-ce");
  EXPECT_EQ(dm["mask"], "0x10000");
  EXPECT_EQ(answer({"xts(aes)", "--machine", "lx2160a-qi2-2000"})["driver"], "xts-aes-caam-qi2");
  EXPECT_EQ(answer({"xts(aes)", "--mask", "ALLOCATES_MEMORY", "--machine", "lx2160a-qi2-2000"})["driver"],
            "xts-aes-ce");
  EXPECT_NE(caam({"which", "--for", "wireguard"}).out.find("library"), std::string::npos);
}

TEST(Which, MixedCompositionsAreNamed) {
  const json a = answer({"--for", "ipsec-esp-esn", "--machine", "lx2160a-qi2-100"});
  EXPECT_EQ(a["driver"], "echainiv(authencesn(hmac-sha256-caam-qi2,cbc-aes-ce))");
  EXPECT_EQ(a["priority"], 3100);
  EXPECT_EQ(a["created"].size(), 2u);
  EXPECT_NE(a["warnings"][0].get<std::string>().find("mixed"), std::string::npos);
  EXPECT_EQ(a["steps"].size(), 4u);
}

TEST(Which, ChangesAndWhatTheyDoNotMove) {
  const json w = answer({"--machine", "lx2160a-qi2-2000", "--what-if", "priority caam-qi2=100"});
  EXPECT_EQ(w["moved"].size(), 17u);
  EXPECT_EQ(w["unmoved"].size(), 61u);
  // With the job rings there as well only chacha20 moves, which their driver does not register.
  const json both = answer({"--machine", "lx2160a-qi2-100-and-jr", "--what-if", "priority caam-qi2=2000"});
  ASSERT_EQ(both["moved"].size(), 1u);
  EXPECT_EQ(both["moved"][0]["name"], "chacha20");
  const json unload = answer({"gcm(aes)", "--machine", "lx2160a-qi2-100-and-jr", "--what-if", "unload caam-jr"});
  EXPECT_EQ(unload["moved"][0]["after"]["driver"], "gcm-aes-ce");
}

TEST(Which, ASavedListIsAMachine) {
  const Said list = caam({"algs", "--machine", "imx8m-jr"});
  ASSERT_EQ(list.code, kExitOk);
  const Said o = caam({"which", "gcm(aes)", "--machine", "-", "--json"}, list.out);
  ASSERT_EQ(o.code, kExitOk) << o.err;
  EXPECT_EQ(json::parse(o.out)["driver"], "gcm-aes-caam");
  EXPECT_EQ(caam({"algs", "--from", "-"}, list.out).out, list.out);
}

TEST(Which, WrongUsage) {
  EXPECT_EQ(caam({"which", "nosuch(aes)"}).code, kExitNo);
  EXPECT_EQ(caam({"which", "gcm(aes)", "--machine", "none"}).code, kExitUsage);
  EXPECT_NE(caam({"which", "gcm(aes)", "--machine", "none"}).err.find("imx8m-jr"), std::string::npos);
  EXPECT_EQ(caam({"which", "gcm(aes)", "--mask", "NONE"}).code, kExitUsage);
  EXPECT_EQ(caam({"which", "gcm(aes)", "--kind", "none"}).code, kExitUsage);
  EXPECT_EQ(caam({"which", "--for", "nobody"}).code, kExitUsage);
  EXPECT_EQ(caam({"which", "--what-if", "wish"}).code, kExitUsage);
  EXPECT_EQ(caam({"which", "--what-if", "delete gcm-aes-ce"}).code, kExitUsage);
  EXPECT_EQ(caam({"which", "gcm(aes)", "--machine", "-"}, "no list").code, kExitUsage);
  EXPECT_EQ(caam({"algs", "none"}).code, kExitNo);
}

}  // namespace
}  // namespace caamlab::tools
