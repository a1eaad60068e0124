// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The program `caam`: a list of subcommands.
#include <iostream>

#include "tools/subcommands.h"

int main(int argc, char** argv) {
  using namespace caamlab::tools;
  static constexpr AddSubcommand kSubcommands[] = {
      add_run,   add_replay, add_dump,   add_asm, add_diff,  add_check, add_status, add_build,  add_verify,
      add_share, add_speed,  add_advise, add_fit, add_which, add_algs,  add_config, add_policy,
  };
  Session session{std::cin, std::cout, std::cerr};
  return run_cli(kSubcommands, std::vector<std::string>(argv + 1, argv + argc), session);
}
