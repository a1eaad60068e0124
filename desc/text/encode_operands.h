// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The words behind a command from what a listing shows of them. The listing uses it to see whether it shows all there
// is, the assembler to make the words.
#pragma once

#include <optional>
#include <vector>

#include "desc/command.h"
#include "desc/result.h"

namespace caamlab::desc {

struct OperandValues {
  std::optional<uint64_t> pointer{};
  std::optional<uint32_t> ext_len{};
  std::optional<uint64_t> value{};
  std::vector<uint8_t> data{};
  bool has_data = false;  // data was given, be it empty
};

// Fails when the command has other operands than the values, or data of another length.
Result<std::vector<uint32_t>> encode_operands(const Command& command, const OperandValues& values,
                                              const Target& target);

}  // namespace caamlab::desc
