// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Checks a descriptor without running it: its form, then every path through it with what is known about registers,
// lengths and classes on the way. What the model (hw_model) ends with an error or a hang is an error here, as far as
// words alone can tell; what depends on data (ICVs, padding, values of keys) is not looked at.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "desc/check/finding.h"
#include "desc/check/program.h"

namespace caamlab::desc {

// An S/G table whose contents are known: bytes that its entries hold in all.
struct KnownTable {
  uint64_t addr = 0;
  uint64_t bytes = 0;
};

struct CheckOptions {
  std::optional<int> era{};
  // Why an operation cannot run on a platform; nothing if it can.
  std::function<std::optional<std::string>(const Command&)> missing_on_platform{};
  std::span<const KnownTable> tables{};
};

// Findings in the order of the buffer, one a rule and command.
std::vector<Finding> check(const ProgramInput& input, const CheckOptions& options = {});

// The parts of words in one piece: a shared descriptor with the job behind it, one of both, or neither.
ProgramInput program_input(std::span<const uint32_t> words, const Target& target);

}  // namespace caamlab::desc
