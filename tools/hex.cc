// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See hex.h.
#include "tools/hex.h"

#include <fmt/format.h>

#include <charconv>

namespace caamlab::tools {
namespace {

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool has_prefix(std::string_view text) {
  return text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
}

}  // namespace

desc::Result<std::vector<uint8_t>> parse_hex(std::string_view text) {
  std::vector<uint8_t> out;
  int high = -1;
  for (size_t i = has_prefix(text) ? 2 : 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ' ' || c == ':' || c == '\n' || c == '\r' || c == '\t') continue;
    const int d = digit(c);
    if (d < 0)
      return desc::fail(desc::ErrorCode::kMalformed,
                        fmt::format("character {} ('{}') is not a hexadecimal digit", i + 1, c));
    if (high < 0) {
      high = d;
    } else {
      out.push_back(static_cast<uint8_t>(high << 4 | d));
      high = -1;
    }
  }
  if (high >= 0)
    return desc::fail(desc::ErrorCode::kMalformed,
                      fmt::format("an odd number of hexadecimal digits ({}): two make a byte", out.size() * 2 + 1));
  return out;
}

desc::Result<uint64_t> parse_number(std::string_view text) {
  const bool hex = has_prefix(text);
  const std::string_view digits = hex ? text.substr(2) : text;
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, hex ? 16 : 10);
  if (error == std::errc::result_out_of_range)
    return desc::fail(desc::ErrorCode::kOutOfRange, fmt::format("\"{}\" has more than 64 bits", text));
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size())
    return desc::fail(desc::ErrorCode::kMalformed,
                      fmt::format("\"{}\" is not a number (decimal, or hexadecimal with 0x)", text));
  return value;
}

std::string to_hex(desc::ByteSpan bytes) {
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const uint8_t b : bytes) fmt::format_to(std::back_inserter(out), "{:02x}", b);
  return out;
}

}  // namespace caamlab::tools
