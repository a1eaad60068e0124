// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// docs/commands.md is what the tables give now.
#include "desc/text/command_table.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace caamlab::desc {
namespace {

TEST(CommandTable, TheCheckedInPageIsFresh) {
  std::ifstream in("docs/commands.md");
  ASSERT_TRUE(in) << "docs/commands.md is missing";
  std::stringstream page;
  page << in.rdbuf();
  EXPECT_TRUE(page.str() == command_table())
      << "docs/commands.md is out of date: bazel run //tools:gen_command_table -- $PWD/docs/commands.md";
}

TEST(CommandTable, HasEveryCommandAndRegister) {
  const std::string page = command_table();
  for (const char* text : {"### KEY\n", "### SEQ OUT PTR\n", "| 22:16 | dst |", "| 0x7e | ccb | ofifo |", "msg1out2",
                           "| 25 | csd |", "chacha20", "### NFIFO entry\n"})
    EXPECT_NE(page.find(text), std::string::npos) << text;
}

}  // namespace
}  // namespace caamlab::desc
