// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The program `caam`: a list of subcommands.
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string_view>

#include "tools/subcommands.h"

namespace {

// https://no-color.org: set to anything but the empty string, it asks for none.
bool wants_colours() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return isatty(STDOUT_FILENO) != 0 && (no_color == nullptr || *no_color == '\0') && term != nullptr &&
         std::string_view(term) != "dumb";
}

}  // namespace

int main(int argc, char** argv) {
  using namespace caamlab::tools;
  static constexpr AddSubcommand kSubcommands[] = {
      add_run,   add_replay, add_dump,   add_asm, add_diff,  add_check, add_status, add_build,  add_verify,
      add_share, add_speed,  add_advise, add_fit, add_which, add_algs,  add_config, add_policy,
  };
  Session session{.in = std::cin, .out = std::cout, .err = std::cerr, .colours = wants_colours()};
  return run_cli(kSubcommands, std::vector<std::string>(argv + 1, argv + argc), session);
}
