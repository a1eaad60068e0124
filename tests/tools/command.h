// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// A subcommand of `caam`, run as a user runs it: arguments and standard input in, exit code and text out.
#pragma once

#include <sstream>

#include "tools/subcommands.h"

namespace caamlab::tools {

struct Said {
  int code;
  std::string out, err;
  nlohmann::json parsed() const { return nlohmann::json::parse(out); }
};

inline Said run_command(std::span<const AddSubcommand> subcommands, std::vector<std::string> arguments,
                        const std::string& input = "") {
  std::istringstream in(input);
  std::ostringstream out, err;
  Session session{in, out, err};
  const int code = run_cli(subcommands, std::move(arguments), session);
  return {code, out.str(), err.str()};
}

}  // namespace caamlab::tools
