// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// One command word from its mnemonic and fields as a listing shows them. The names are those of the field tables.
#pragma once

#include <span>
#include <string_view>

#include "desc/command.h"
#include "desc/result.h"

namespace caamlab::desc {

// "name", "name=value"; `value` is empty for a flag.
struct Token {
  std::string_view name;
  std::string_view value;
  bool has_value = false;
};

// Takes the mnemonic ("SEQ FIFO LOAD", any case) off the front of `text`; empty if there is none there.
std::string_view take_mnemonic(std::string_view& text);

// The word, with jumps still without their target. What belongs to the operands is not to be among the tokens. Fields
// that are not named are 0, but `one` of a header is 1. Fails on an unknown name or value, or one that is too large.
Result<uint32_t> parse_command(std::string_view mnemonic, std::span<const Token> tokens);

// Decimal, or hexadecimal with 0x.
std::optional<uint64_t> parse_number(std::string_view text);

}  // namespace caamlab::desc
