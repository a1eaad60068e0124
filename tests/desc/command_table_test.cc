// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// docs/descriptor-language.md is what the tables give now.
#include "desc/text/command_table.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace caamlab::desc {
namespace {

TEST(CommandTable, TheCheckedInPageIsFresh) {
  std::ifstream in("docs/descriptor-language.md");
  ASSERT_TRUE(in) << "docs/descriptor-language.md is missing";
  std::stringstream page;
  page << in.rdbuf();
  EXPECT_TRUE(page.str() == command_table()) << "docs/descriptor-language.md is out of date: bazel run "
                                                "//tools:gen_command_table -- $PWD/docs/descriptor-language.md";
}

TEST(CommandTable, HasEveryCommandAndRegister) {
  const std::string page = command_table();
  for (const char* text :
       {"### KEY\n", "### SEQ OUT PTR\n", "| 22:16 | dst |", "| 0x7e | ccb | ofifo |", "msg1out2", "| 25 | csd |",
        "chacha20", "### NFIFO entry\n", "| 0x1c | DECO watchdog timeout |", "| 0x5 | RNG |"})
    EXPECT_NE(page.find(text), std::string::npos) << text;
}

}  // namespace
}  // namespace caamlab::desc
