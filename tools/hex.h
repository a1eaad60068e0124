// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Hexadecimal text and numbers from users and files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "desc/bits.h"
#include "desc/result.h"

namespace caamlab::tools {

// Bytes from pairs of digits; spaces, colons and line ends between them are skipped, a leading 0x is allowed.
desc::Result<std::vector<uint8_t>> parse_hex(std::string_view text);
// Decimal, or hexadecimal with 0x; 64 bits.
desc::Result<uint64_t> parse_number(std::string_view text);
std::string to_hex(desc::ByteSpan bytes);

}  // namespace caamlab::tools
