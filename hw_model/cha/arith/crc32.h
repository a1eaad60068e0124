// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// CRC of 32 bits over any polynomial, most significant bit first; eight tables, eight bytes a step.
#pragma once

#include <array>
#include <cstdint>

#include "desc/bits.h"

namespace caamlab::hw_model {

class Crc32 {
 public:
  // The polynomial without x^32. reflect_input: bytes enter least significant bit first. Setting what is set already
  // costs a comparison.
  void set_polynomial(uint32_t polynomial, bool reflect_input);
  uint32_t update(uint32_t state, desc::ByteSpan data) const;

 private:
  uint32_t polynomial_ = 0;
  bool reflect_ = false, ready_ = false;
  std::array<std::array<uint32_t, 256>, 8> table_{};
};

constexpr uint32_t reflect32(uint32_t v) {
  v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
  v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
  v = (v >> 4 & 0x0F0F0F0F) | (v & 0x0F0F0F0F) << 4;
  return desc::bswap32(v);
}

}  // namespace caamlab::hw_model
