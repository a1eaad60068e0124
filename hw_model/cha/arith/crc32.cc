// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See crc32.h. With reflected input the working state is kept reflected too, so that one loop serves both.
#include "hw_model/cha/arith/crc32.h"

namespace caamlab::hw_model {

void Crc32::set_polynomial(uint32_t polynomial, bool reflect_input) {
  if (ready_ && polynomial == polynomial_ && reflect_input == reflect_) return;
  polynomial_ = polynomial;
  reflect_ = reflect_input;
  ready_ = true;
  const uint32_t reflected = reflect32(polynomial);
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t v = reflect_ ? byte : byte << 24;
    for (int i = 0; i < 8; ++i) {
      if (reflect_)
        v = v >> 1 ^ (v & 1 ? reflected : 0);
      else
        v = v << 1 ^ (v & 0x80000000 ? polynomial : 0);
    }
    table_[0][byte] = v;
  }
  // table_[k]: the same byte with k zero bytes behind it.
  for (unsigned k = 1; k < 8; ++k)
    for (unsigned byte = 0; byte < 256; ++byte) {
      const uint32_t v = table_[k - 1][byte];
      table_[k][byte] = reflect_ ? v >> 8 ^ table_[0][v & 0xFF] : v << 8 ^ table_[0][v >> 24];
    }
}

uint32_t Crc32::update(uint32_t state, desc::ByteSpan data) const {
  uint32_t s = reflect_ ? reflect32(state) : state;
  const uint8_t* p = data.data();
  size_t n = data.size();
  for (; n >= 8; n -= 8, p += 8) {
    // The four state bytes in the order in which they meet the data.
    const uint32_t first = s ^ desc::load32(p, reflect_ ? desc::Endian::kLittle : desc::Endian::kBig);
    const unsigned b0 = reflect_ ? first & 0xFF : first >> 24, b1 = first >> (reflect_ ? 8 : 16) & 0xFF,
                   b2 = first >> (reflect_ ? 16 : 8) & 0xFF, b3 = reflect_ ? first >> 24 : first & 0xFF;
    s = table_[7][b0] ^ table_[6][b1] ^ table_[5][b2] ^ table_[4][b3] ^ table_[3][p[4]] ^ table_[2][p[5]] ^
        table_[1][p[6]] ^ table_[0][p[7]];
  }
  for (; n != 0; --n, ++p) s = reflect_ ? s >> 8 ^ table_[0][(s ^ *p) & 0xFF] : s << 8 ^ table_[0][s >> 24 ^ *p];
  return reflect_ ? reflect32(s) : s;
}

}  // namespace caamlab::hw_model
