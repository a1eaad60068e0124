// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Which of the kernel's constructors made a shared descriptor, and from which parameters: keys, sizes and algorithms
// are read off the words, and constructors are run until one gives the same words, whatever the share mode.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

#include "tools/constructor_table.h"

namespace caamlab::tools {

struct Recognized {
  const ConstructorRow* row = nullptr;
  nlohmann::json params;
  std::string options;        // for `caam build`, to make the same
  unsigned changed = 0;       // commands that differ from what the constructor makes; 0: it is that
  bool replaces_key = false;  // an inline split key, of which the HMAC key is not known
};

// The nearest constructor, if no more than kMaxChangedCommands differ.
inline constexpr unsigned kMaxChangedCommands = 4;
std::optional<Recognized> recognize(std::span<const uint32_t> words, const desc::Target& target);

}  // namespace caamlab::tools
