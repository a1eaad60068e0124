// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Word-type registers as LOAD, STORE and MOVE see them: 32-bit words in a row, the more significant half of a dword
// first, with the byte lanes of hardware.md 0.3 rule 4 between a register and memory.
#pragma once

#include <optional>

#include "hw_model/deco/deco.h"

namespace caamlab::hw_model {

// MATH0..MATH3 as eight words.
uint32_t math_word(const Deco& d, unsigned word);
void set_math_word(Deco& d, unsigned word, uint32_t value);

// MATH registers as bytes, most significant first (MOVE, byte view).
void read_math_bytes(const Deco& d, unsigned offset, std::span<uint8_t> out);
void write_math_bytes(Deco& d, unsigned offset, ByteSpan in);

// Bytes of memory to and from word registers: byte `k` of the register sits in word k/4, at bits 8*(3-k%4) on a
// big-endian part and 8*(k%4) on a little-endian one.
inline unsigned lane_shift(unsigned k, desc::Endian e) { return 8 * (e == desc::Endian::kBig ? 3 - k % 4 : k % 4); }

// The three ways LOAD and STORE look at the MATH registers. Memory holds platform-order words; platform-order dwords
// (assumed from the name: OP-TEE has only the codes); or plain bytes, most significant first.
enum class MathView : uint8_t { kWords, kDwords, kBytes };
inline std::optional<MathView> math_view(uint8_t code) {
  if (code >= desc::kRegMath0 && code <= desc::kRegMath3) return MathView::kWords;
  if (code >= desc::kRegMath0Dword && code < desc::kRegMath0Dword + 4) return MathView::kDwords;
  if (code >= desc::kRegMath0Byte && code < desc::kRegMath0Byte + 4) return MathView::kBytes;
  return std::nullopt;
}
// Where in its MATH register byte `k` (counted from MATH0) is.
inline unsigned math_shift(unsigned k, MathView view, desc::Endian e) {
  switch (view) {
    case MathView::kWords:
      return (k % 8 < 4 ? 32 : 0) + lane_shift(k, e);
    case MathView::kDwords:
      return 8 * (e == desc::Endian::kBig ? 7 - k % 8 : k % 8);
    default:
      return 8 * (7 - k % 8);
  }
}

}  // namespace caamlab::hw_model
