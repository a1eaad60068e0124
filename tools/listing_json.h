// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Listings as JSON, for --json of the subcommands that show descriptors.
#pragma once

#include <nlohmann/json.hpp>

#include "desc/text/disassemble.h"

namespace caamlab::tools {

// {"index", "word", "kind", "mnemonic", "fields": {name: number or text, true of a flag}, "operand_words", and as far
// as the command has them "pointer", "ext_len", "value", "data", "target", "gloss", "notes"}
nlohmann::json to_json(const desc::ListedLine& line);
// {"lines", "notes"}
nlohmann::json to_json(const desc::Listing& listing);

}  // namespace caamlab::tools
