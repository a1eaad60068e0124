// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See registers.h.
#include "hw_model/deco/registers.h"

namespace caamlab::hw_model {

uint32_t math_word(const Deco& d, unsigned word) {
  const uint64_t reg = d.r.math[word / 2];
  return static_cast<uint32_t>(word % 2 == 0 ? reg >> 32 : reg);
}

void set_math_word(Deco& d, unsigned word, uint32_t value) {
  uint64_t& reg = d.r.math[word / 2];
  reg = word % 2 == 0 ? uint64_t{value} << 32 | (reg & 0xFFFFFFFF) : (reg & ~uint64_t{0xFFFFFFFF}) | value;
}

void read_math_bytes(const Deco& d, unsigned offset, std::span<uint8_t> out) {
  for (uint8_t& byte : out) {
    byte = offset < 32 ? static_cast<uint8_t>(d.r.math[offset / 8] >> (56 - offset % 8 * 8)) : 0;
    ++offset;
  }
}

void write_math_bytes(Deco& d, unsigned offset, ByteSpan in) {
  for (const uint8_t byte : in) {
    if (offset < 32) {
      const unsigned shift = 56 - offset % 8 * 8;
      uint64_t& reg = d.r.math[offset / 8];
      reg = (reg & ~(uint64_t{0xFF} << shift)) | uint64_t{byte} << shift;
    }
    ++offset;
  }
}

}  // namespace caamlab::hw_model
