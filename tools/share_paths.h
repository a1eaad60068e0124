// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Which commands of a descriptor can run, for a given SHRD and SELF.
#pragma once

#include <map>
#include <set>
#include <span>

#include "desc/text/walk.h"

namespace caamlab::tools {

struct Signals {
  bool shrd = false, self = false;
};

// Commands by index, in order; the header is not among them.
using CommandMap = std::map<unsigned, desc::Item>;
CommandMap commands_of(std::span<const uint32_t> words, unsigned ptr_words);

// Indices of those that some way from the first command reaches. Jumps on anything but SHRD and SELF go both ways;
// a CLRW that drops the share signals counts.
std::set<unsigned> reachable(const CommandMap& commands, Signals signals);

}  // namespace caamlab::tools
