// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See ghash.h. Field elements are bit-reflected as in SP 800-38D: bit 0 is the most significant bit of the first byte.
#include "hw_model/cha/arith/ghash.h"

#include <algorithm>

namespace caamlab::hw_model {
namespace {

// What the four bits shifted out on the right contribute on the left: multiples of x^128 mod the GCM polynomial.
constexpr uint64_t kReduce[16] = {0x0000, 0x1C20, 0x3840, 0x2460, 0x7080, 0x6CA0, 0x48C0, 0x54E0,
                                  0xE100, 0xFD20, 0xD940, 0xC560, 0x9180, 0x8DA0, 0xA9C0, 0xB5E0};

}  // namespace

void Ghash::set_key(const uint8_t h[16]) {
  Element v{desc::load_be64(h), desc::load_be64(h + 8)};
  table_[0] = {0, 0};
  table_[8] = v;
  for (unsigned i = 4; i > 0; i >>= 1) {
    const uint64_t carry = v.lo & 1 ? 0xE100000000000000u : 0;
    v = {v.hi >> 1 ^ carry, v.hi << 63 | v.lo >> 1};
    table_[i] = v;
  }
  for (unsigned i = 2; i < 16; i <<= 1)
    for (unsigned j = 1; j < i; ++j) table_[i + j] = {table_[i].hi ^ table_[j].hi, table_[i].lo ^ table_[j].lo};
}

void Ghash::multiply(uint8_t state[16]) const {
  Element z{0, 0};
  for (int i = 31; i >= 0; --i) {
    const unsigned nibble = i % 2 == 1 ? state[i / 2] & 0xF : state[i / 2] >> 4;
    if (i != 31) {
      const unsigned out = z.lo & 0xF;
      z.lo = z.hi << 60 | z.lo >> 4;
      z.hi = z.hi >> 4 ^ kReduce[out] << 48;
    }
    z.hi ^= table_[nibble].hi;
    z.lo ^= table_[nibble].lo;
  }
  desc::store_be64(state, z.hi);
  desc::store_be64(state + 8, z.lo);
}

void Ghash::update(uint8_t state[16], desc::ByteSpan data) const {
  while (!data.empty()) {
    const size_t n = std::min<size_t>(16, data.size());
    for (size_t i = 0; i < n; ++i) state[i] ^= data[i];
    multiply(state);
    data = data.subspan(n);
  }
}

}  // namespace caamlab::hw_model
