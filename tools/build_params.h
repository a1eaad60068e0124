// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// From the options of `caam build` to the parameters of a constructor (constructor_table.h). Sizes that follow from an
// algorithm's name or from a key are filled in; what a constructor does not take is an error.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "desc/bits.h"
#include "tools/constructor_table.h"

namespace caamlab::tools {

struct BuildOption {
  std::string_view name;  // with its dashes
  bool is_flag;
  std::string_view about;
};
// All there are; which of them a constructor takes is in options_of().
std::span<const BuildOption> build_options();
std::span<const std::string_view> options_of(ParamSet params);

// Values by option name; flags that are given have an empty list.
using OptionValues = std::map<std::string, std::vector<std::string>, std::less<>>;

// Throws UsageError: an option the constructor does not take, one it needs, a value that makes no sense.
nlohmann::json params_from_options(const ConstructorRow& row, const OptionValues& values, const desc::Target& target);

}  // namespace caamlab::tools
