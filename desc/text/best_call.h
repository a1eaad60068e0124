// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// For one command: the call of the builder that says most about it. Part of builder_calls.h.
#pragma once

#include <optional>

#include "desc/text/builder_calls.h"

namespace caamlab::desc {

struct CallSource {
  unsigned index = 0;  // of the command, for names
  std::span<const uint32_t> operands{};
  Target target{};
};

// nullopt if there is nothing better than append_cmd(). Whether the call makes the words it came from is to be tried.
std::optional<BuilderCall> best_call(const Command& command, const CallSource& source);

// "d.append_cmd(MoveB{.len = 4});"; nullopt for what is no command.
std::optional<BuilderCall> struct_call(const Command& command);

}  // namespace caamlab::desc
