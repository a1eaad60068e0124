// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Bytes as test messages show them.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace caamlab::tests {

inline std::string hex(std::span<const uint8_t> bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const uint8_t b : bytes) {
    text += kDigits[b >> 4];
    text += kDigits[b & 15];
  }
  return text;
}

}  // namespace caamlab::tests
