// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The command language of crconf, the historical tool for crypto_user (crypto-api.md 3.3), and its listing. Words may
// be cut to a unique beginning. Beyond crconf: types by name or left out, show by name or pattern.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/machine/user_config.h"

namespace caamlab::tools {

struct CrconfCommand {
  api::UserCommand command = api::UserCommand::kGetAlg;
  api::UserAlg which;
  std::optional<uint32_t> priority;
  bool all = false;     // show all, or a pattern
  std::string pattern;  // with * or ?, of names or driver names

  // As crconf takes it.
  std::string text() const;
};

// UsageError says which word is wrong and what may stand there.
CrconfCommand parse_crconf(const std::vector<std::string>& words);
// A line of a file: words apart at blanks, "crconf" in front allowed, quotes around names taken off; empty for a blank
// line or one that begins with #.
std::vector<std::string> crconf_words(const std::string& line);

// What crconf show prints of one algorithm.
std::string crconf_text(const api::ListedAlg& alg);

// The commands that bring `after` back to `before` as far as priorities and instances go; what commands cannot restore
// is a comment.
std::vector<std::string> undo_commands(const api::Machine& before, const api::Machine& after);

}  // namespace caamlab::tools
