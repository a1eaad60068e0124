// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Arithmetic of MATH, MATHI and counting JUMPs on the DECO's registers (hardware.md 2.10).
#pragma once

#include <optional>

#include "hw_model/deco/deco.h"

namespace caamlab::hw_model {

// A source at `len` bytes; empty when there is no such register, or its FIFO has not enough data (blocked()).
std::optional<uint64_t> read_math_src0(Deco& d, desc::MathSrc0 src, unsigned len);
std::optional<uint64_t> read_math_src1(Deco& d, desc::MathSrc1 src, unsigned len);
bool write_math_dst(Deco& d, desc::MathDst dst, uint64_t value, unsigned len);

// Adds +1 or -1 to a register as a JUMP does, flags included; false for a register that cannot count.
bool count_register(Deco& d, desc::MathSrc0 reg, int step);

struct MathResult {
  uint64_t value = 0;
  bool n = false, z = false, c = false, nv = false;
};
// fn on `len`-byte operands. `carry`: the C flag before. find_byte: MATHI's meaning of function 0xA.
std::optional<MathResult> compute(desc::MathFn fn, uint64_t a, uint64_t b, unsigned len, bool carry, bool find_byte);

}  // namespace caamlab::hw_model
