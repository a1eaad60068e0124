// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam asm, as a user calls it, and behind caam dump.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tools/subcommands.h"

namespace caamlab::tools {
namespace {

struct Outcome {
  int code;
  std::string out, err;
};
Outcome caam(std::vector<std::string> arguments, const std::string& input = {}) {
  static constexpr AddSubcommand kSubcommands[] = {add_dump, add_asm};
  std::istringstream in(input);
  std::ostringstream out, err;
  Session session{in, out, err};
  const int code = run_cli(kSubcommands, std::move(arguments), session);
  return {code, out.str(), err.str()};
}

TEST(Asm, Formats) {
  const std::string text = ".target ptr=4\nJOB HDR share=never\nKEY class1 len=16 ptr=0x1000\n";
  EXPECT_EQ(caam({"asm"}, text).out, "b0800003\n02000010\n00001000\n");
  EXPECT_EQ(caam({"asm", "--format", "c"}, text).out,
            "static const u32 desc[3] = {\n\t0xb0800003, 0x02000010, 0x00001000,\n};\n");
  EXPECT_EQ(nlohmann::json::parse(caam({"asm", "--format", "json"}, text).out)["words"][1], "02000010");
  // The option goes before the text.
  EXPECT_EQ(caam({"asm", "--ptr", "8"}, text).out, "b0800004\n02000010\n00001000\n00000000\n");
}

TEST(Asm, ExitCodes) {
  EXPECT_EQ(caam({"asm"}, "JUMP -> 1\n").code, 0);
  const Outcome noted = caam({"asm"}, "JOB HDR len=7\n");
  EXPECT_EQ(noted.code, 1);
  EXPECT_NE(noted.err.find("says 7 words"), std::string::npos);
  const Outcome wrong = caam({"asm"}, "JUMP -> 1\nWALK\n");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("line 2"), std::string::npos);
}

// What dump prints of a paste gives back the words that it found.
TEST(Asm, AfterDump) {
  unsigned count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("tests/dumps")) {
    const std::string path = entry.path().string();
    const Outcome dumped = caam({"dump", path, "--json"});
    if (dumped.code == 2) continue;
    std::string words;
    const auto listing = nlohmann::json::parse(dumped.out);
    for (const auto& line : listing["lines"]) {
      words += line["word"].get<std::string>() + "\n";
      for (const auto& operand : line["operand_words"]) words += operand.get<std::string>() + "\n";
    }
    const Outcome again = caam({"asm"}, caam({"dump", path}).out);
    EXPECT_EQ(again.out, words) << path << again.err;
    ++count;
  }
  EXPECT_GE(count, 20u);
}

}  // namespace
}  // namespace caamlab::tools
