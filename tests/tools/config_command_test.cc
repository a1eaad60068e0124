// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam config, as a user of crconf calls it.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "tests/tools/command.h"

namespace caamlab::tools {
namespace {

using nlohmann::json;

Said caam(std::vector<std::string> arguments, const std::string& input = "") {
  static constexpr AddSubcommand kSubcommands[] = {add_config, add_which, add_algs};
  return run_command(kSubcommands, std::move(arguments), input);
}
Said config(std::vector<std::string> words, const std::string& input = "") {
  words.insert(words.begin(), "config");
  return caam(std::move(words), input);
}

TEST(Config, ShowIsCrconfs) {
  EXPECT_EQ(config({"show", "driver", "gcm-aes-caam-qi2", "type", "3"}).out,
            "name        : gcm(aes)\n"
            "driver_name : gcm-aes-caam-qi2\n"
            "module_name : dpaa2_caam\n"
            "refcnt      : 1\n"
            "selftest    : passed\n"
            "async       : yes\n"
            "flags       : 0x11483\n"
            "priority    : 100\n"
            "type        : aead\n"
            "blocksize   : 1\n"
            "ivsize      : 12\n"
            "maxauthsize : 16\n"
            "geniv       : <none>\n\n");
}

// Every kind has its lines; one of each.
TEST(Config, ShowOfEveryKind) {
  struct Row {
    const char *driver, *line;
  };
  for (const Row& row :
       {Row{"xts-aes-ce", "max_keysize : 64\n"}, Row{"sha256-ce", "digestsize  : 32\n"},
        Row{"hmac-sha256-caam-qi2", "digestsize  : 32\n"}, Row{"aes-generic", "min_keysize : 16\n"},
        Row{"drbg_nopr_hmac_sha512", "seedsize    : "}, Row{"rsa-generic", "type        : akcipher\n"}}) {
    EXPECT_NE(config({"show", "driver", row.driver}).out.find(row.line), std::string::npos) << row.driver;
  }
}

TEST(Config, AbbreviationsNamesAndPatterns) {
  EXPECT_EQ(config({"s", "d", "gcm-aes-ce", "t", "aead"}).out, config({"show", "driver", "gcm-aes-ce"}).out);
  EXPECT_EQ(config({"show", "alg", "gcm(aes)", "--json"}).parsed()["commands"][0]["algorithms"][0]["driver"],
            "gcm-aes-caam-qi2");  // the newest of that name
  EXPECT_EQ(config({"show", "alg", "*(sm4)*", "type", "5", "--json"}).code, 0);
  const json all = config({"show", "all", "--json"}).parsed()["commands"][0]["algorithms"];
  EXPECT_GT(all.size(), 200u);
}

TEST(Config, Errnos) {
  struct Row {
    std::vector<std::string> words;
    int code;
    const char* error;
  };
  const Row rows[] = {
      {{"update", "driver", "gcm-aes-caam-qi3", "type", "3", "priority", "4"}, 1, "ENOENT"},
      {{"update", "driver", "gcm-aes-ce", "type", "5", "priority", "4"}, 1, "ENOENT"},
      {{"add", "driver", "gcm-aes-ce", "type", "3"}, 1, "EEXIST"},
      {{"add", "alg", "gcm(aes)", "type", "3"}, 1, "EEXIST"},
      {{"add", "alg", "cbc(serpent)", "type", "5", "priority", "7"}, 1, "EINVAL"},
      {{"del", "driver", "gcm-aes-ce", "type", "3"}, 1, "EINVAL"},
      {{"show", "driver", "nothing"}, 1, "ENOENT"},
      {{"delrng"}, 0, nullptr},
      {{"add", "driver", "seqiv(rfc4106-gcm-aes-ce)", "type", "3", "priority", "77"}, 0, nullptr},
  };
  for (const Row& row : rows) {
    std::vector<std::string> words = row.words;
    words.emplace_back("--json");
    const Said said = config(words);
    EXPECT_EQ(said.code, row.code) << row.words[0] << said.err;
    const json error = said.parsed()["commands"][0]["error"];
    EXPECT_EQ(error, row.error == nullptr ? json() : json(row.error)) << row.words[0] << ' ' << row.words.back();
  }
  EXPECT_NE(config({"del", "driver", "gcm-aes-ce"}).err.find("only instances"), std::string::npos);
}

TEST(Config, WrongUsage) {
  const std::vector<std::string> wrong[] = {
      {"paint"},
      {"show"},
      {"show", "driver"},
      {"update"},
      {"del", "alg", "x"},
      {"add", "type", "3"},
      {"add", "driver", "x", "type", "16"},
      {"add", "driver", "x", "type", "shiny"},
      {"update", "driver", "x", "priority", "high"},
      {"del", "driver", "x", "priority", "3"},
      {"update", "driver", "x", "priority", "4294967296"},
      {"d", "driver", "x"},
  };
  for (const auto& words : wrong) {
    const Said said = config(words);
    EXPECT_EQ(said.code, 2) << words[0] << said.out;
    EXPECT_FALSE(said.err.empty());
  }
}

// A pin made in a saved list is what the next question finds; undo takes it back.
TEST(Config, ApplySaveAndUndo) {
  const std::string saved = testing::TempDir() + "/after.txt", back = testing::TempDir() + "/back.txt";
  const std::string script =
      "# pins software for IPsec\n"
      "\n"
      "crconf add driver 'echainiv(authenc(hmac(sha256-ce),cbc-aes-ce))' type 3\n"
      "up driver gcm-aes-caam-qi2 type 3 priority 4294967294\n";
  const Said applied = config({"apply", "-", "--save", saved, "--undo"}, script);
  ASSERT_EQ(applied.code, 0) << applied.err;
  EXPECT_NE(applied.out.find("created hmac(sha256-ce)\n  created authenc(hmac(sha256-ce),cbc-aes-ce)\n"),
            std::string::npos)
      << applied.out;
  const std::string name = "echainiv(authenc(hmac(sha256),cbc(aes)))";
  EXPECT_NE(caam({"which", name, "--machine", saved}).out.find("echainiv(authenc(hmac(sha256-ce),cbc-aes-ce))"),
            std::string::npos);
  EXPECT_NE(config({"show", "driver", "gcm-aes-caam-qi2", "--machine", saved}).out.find("priority    : -2\n"),
            std::string::npos);
  const std::string undo = applied.out.substr(applied.out.find("# brings"));
  const Said undone = config({"apply", "-", "--machine", saved, "--save", back}, undo);
  EXPECT_EQ(undone.code, 0) << undone.err << undo;
  std::ostringstream text;
  text << std::ifstream(back).rdbuf();
  EXPECT_EQ(text.str(), caam({"algs", "--machine", "lx2160a-qi2-100"}).out);
  std::remove(saved.c_str());
  std::remove(back.c_str());
}

TEST(Config, FilesSayWhichLineIsWrong) {
  const Said said = config({"apply", "-"}, "show all\n\nupdate driver x priority much\n");
  EXPECT_EQ(said.code, 2);
  EXPECT_NE(said.err.find("-:3: "), std::string::npos) << said.err;
  EXPECT_EQ(config({"apply", "-"}, "show driver 'x\n").code, 2);
}

TEST(Config, MessagesAreWhatTheKernelTakes) {
  const Said said = config({"update", "driver", "gcm-aes-ce", "type", "3", "priority", "100", "--messages"});
  // 232 bytes, UPDATEALG, REQUEST|ACK; little-endian hosts only.
  EXPECT_TRUE(said.out.starts_with("message e800000012000500")) << said.out;
}

}  // namespace
}  // namespace caamlab::tools
