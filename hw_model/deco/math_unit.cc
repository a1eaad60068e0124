// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See math_unit.h.
#include "hw_model/deco/math_unit.h"

#include "desc/bits.h"

namespace caamlab::hw_model {
namespace {

using namespace desc;

uint64_t byte_matches(uint64_t a, uint8_t wanted, unsigned len) {
  uint64_t out = 0;
  for (unsigned i = 0; i < len; ++i)
    if (static_cast<uint8_t>(a >> i * 8) == wanted) out |= uint64_t{0xFF} << i * 8;
  return out;
}

uint64_t reverse_bytes(uint64_t a, unsigned len) { return bswap64(a) >> (64 - len * 8); }

}  // namespace

bool read_math_fifo(Deco& d, MathSrc1 src, unsigned len, uint64_t& value) {
  uint8_t bytes[8];
  if (src == MathSrc1::kInFifo) {
    if (!d.ccb.take_from_block(2, bytes)) return false;
  } else {
    d.ccb.pump();
    if (!d.ccb.out().pop(bytes)) return false;
  }
  value = load_be64(bytes) & width_mask(len);
  return true;
}

bool compute_rest(MathFn fn, uint64_t a, uint64_t b, unsigned len, bool carry, bool find_byte, MathResult& out) {
  const uint64_t mask = width_mask(len);
  const unsigned bits = len * 8;
  const uint64_t sign = uint64_t{1} << (bits - 1);
  bool overflow = false;
  switch (fn) {
    case MathFn::kAddC: {
      const uint64_t extra = carry ? 1 : 0;
      const unsigned __int128 sum = static_cast<unsigned __int128>(a) + b + extra;
      out.value = static_cast<uint64_t>(sum) & mask;
      out.c = (sum >> bits) != 0;
      overflow = (~(a ^ b) & (a ^ out.value) & sign) != 0;
      break;
    }
    case MathFn::kSubB: {
      const uint64_t extra = carry ? 1 : 0;
      out.value = (a - b - extra) & mask;
      out.c = static_cast<unsigned __int128>(a) < static_cast<unsigned __int128>(b) + extra;
      overflow = ((a ^ b) & (a ^ out.value) & sign) != 0;
      break;
    }
    case MathFn::kOr:
      out.value = a | b;
      break;
    case MathFn::kAnd:
      out.value = a & b;
      break;
    case MathFn::kXor:
      out.value = a ^ b;
      break;
    case MathFn::kLshift:
      out.value = b >= bits ? 0 : a << b & mask;
      break;
    case MathFn::kRshift:
      out.value = b >= bits ? 0 : a >> b;
      break;
    case MathFn::kShld:
      out.value = (a << 32 | b >> 32) & mask;
      break;
    case MathFn::kZbyt:
      out.value = byte_matches(a, find_byte ? static_cast<uint8_t>(b) : 0, len);
      break;
    case MathFn::kBswap:
      out.value = reverse_bytes(a, len);
      break;
    default:
      return false;
  }
  out.n = (out.value & sign) != 0;
  out.z = out.value == 0;
  out.nv = out.n != overflow;
  return true;
}

bool count_register(Deco& d, MathSrc0 reg, int step) {
  if (reg == MathSrc0::kImm || reg == MathSrc0::kZero || reg == MathSrc0::kOne) return false;
  const bool is_math = static_cast<unsigned>(reg) < 4;
  const unsigned len = is_math ? 8 : 4;
  uint64_t value = 0;
  if (!read_math_src0(d, reg, len, value)) return false;
  MathResult result;
  compute(step > 0 ? MathFn::kAdd : MathFn::kSub, value, 1, len, false, false, result);
  // Source 0 codes of registers are their destination codes.
  write_math_dst(d, static_cast<MathDst>(reg), result.value, len);
  set_math_flags(d, result);
  return true;
}

}  // namespace caamlab::hw_model
