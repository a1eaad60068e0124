// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Arithmetic of MATH, MATHI and counting JUMPs on the DECO's registers (hardware.md 2.10).
#pragma once

#include "hw_model/deco/deco.h"

namespace caamlab::hw_model {

constexpr uint64_t width_mask(unsigned len) { return len == 8 ? ~uint64_t{0} : (uint64_t{1} << len * 8) - 1; }

// A source at `len` bytes; false when there is no such register.
inline bool read_math_src0(const Deco& d, desc::MathSrc0 src, unsigned len, uint64_t& value) {
  using enum desc::MathSrc0;
  const DecoRegs& r = d.r;
  switch (src) {
    case kMath0:
    case kMath1:
    case kMath2:
    case kMath3:
      value = r.math[static_cast<unsigned>(src)] & width_mask(len);
      return true;
    case kDpovrd:
      value = r.dpovrd & width_mask(len);
      return true;
    case kSil:
      value = r.sil & width_mask(len);
      return true;
    case kSol:
      value = r.sol & width_mask(len);
      return true;
    case kVsil:
      value = (uint64_t{r.uvsil} << 32 | r.vsil) & width_mask(len);
      return true;
    case kVsol:
      value = (uint64_t{r.uvsol} << 32 | r.vsol) & width_mask(len);
      return true;
    case kZero:
      value = 0;
      return true;
    case kOne:
      value = 1;
      return true;
    default:
      return false;
  }
}

// Also false when a FIFO has not enough data and none can come.
bool read_math_fifo(Deco& d, desc::MathSrc1 src, unsigned len, uint64_t& value);
inline bool read_math_src1(Deco& d, desc::MathSrc1 src, unsigned len, uint64_t& value) {
  using enum desc::MathSrc1;
  const DecoRegs& r = d.r;
  switch (src) {
    case kMath0:
    case kMath1:
    case kMath2:
    case kMath3:
      value = r.math[static_cast<unsigned>(src)] & width_mask(len);
      return true;
    case kDpovrd:
      value = r.dpovrd & width_mask(len);
      return true;
    case kVsil:
      value = (uint64_t{r.uvsil} << 32 | r.vsil) & width_mask(len);
      return true;
    case kVsol:
      value = (uint64_t{r.uvsol} << 32 | r.vsol) & width_mask(len);
      return true;
    case kZero:
      value = 0;
      return true;
    case kOne:
      value = 1;
      return true;
    case kJobSrc:
      value = static_cast<uint64_t>(d.source());
      return true;
    case kInFifo:
    case kOutFifo:
      return read_math_fifo(d, src, len, value);
    default:
      return false;
  }
}

inline bool write_math_dst(Deco& d, desc::MathDst dst, uint64_t value, unsigned len) {
  using enum desc::MathDst;
  DecoRegs& r = d.r;
  const uint32_t low = static_cast<uint32_t>(value), high = static_cast<uint32_t>(value >> 32);
  switch (dst) {
    case kMath0:
    case kMath1:
    case kMath2:
    case kMath3:
      r.math[static_cast<unsigned>(dst)] = value;
      return true;
    case kDpovrd:
      r.dpovrd = low;
      return true;
    case kSil:
      r.sil = low;
      return true;
    case kSol:
      r.sol = low;
      return true;
    case kVsil:
      r.vsil = low;
      if (len == 8) r.uvsil = high;
      return true;
    case kVsol:
      r.vsol = low;
      if (len == 8) r.uvsol = high;
      return true;
    case kNone:
      return true;
  }
  return false;
}

// Adds +1 or -1 to a register as a JUMP does, flags included; false for a register that cannot count.
bool count_register(Deco& d, desc::MathSrc0 reg, int step);

struct MathResult {
  uint64_t value = 0;
  bool n = false, z = false, c = false, nv = false;
};
// Functions other than ADD and SUB; false for one that does not exist.
bool compute_rest(desc::MathFn fn, uint64_t a, uint64_t b, unsigned len, bool carry, bool find_byte, MathResult& out);

// fn on `len`-byte operands. `carry`: the C flag before. find_byte: MATHI's meaning of function 0xA.
inline bool compute(desc::MathFn fn, uint64_t a, uint64_t b, unsigned len, bool carry, bool find_byte,
                    MathResult& out) {
  using enum desc::MathFn;
  const uint64_t mask = width_mask(len), sign = uint64_t{1} << (len * 8 - 1);
  bool overflow = false;
  if (fn == kAdd) {
    out.value = (a + b) & mask;
    out.c = out.value < a;
    overflow = (~(a ^ b) & (a ^ out.value) & sign) != 0;
  } else if (fn == kSub) {
    out.value = (a - b) & mask;
    out.c = a < b;
    overflow = ((a ^ b) & (a ^ out.value) & sign) != 0;
  } else {
    return compute_rest(fn, a, b, len, carry, find_byte, out);
  }
  out.n = (out.value & sign) != 0;
  out.z = out.value == 0;
  out.nv = out.n != overflow;
  return true;
}

inline void set_math_flags(Deco& d, const MathResult& result) {
  d.r.n = result.n;
  d.r.z = result.z;
  d.r.c = result.c;
  d.r.nv = result.nv;
}

}  // namespace caamlab::hw_model
