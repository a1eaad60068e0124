// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See math_unit.h.
#include "hw_model/deco/math_unit.h"

#include "desc/bits.h"

namespace caamlab::hw_model {
namespace {

using namespace desc;

uint64_t width_mask(unsigned len) { return len == 8 ? ~uint64_t{0} : (uint64_t{1} << len * 8) - 1; }
uint64_t join(uint32_t upper, uint32_t lower) { return uint64_t{upper} << 32 | lower; }

uint64_t byte_matches(uint64_t a, uint8_t wanted, unsigned len) {
  uint64_t out = 0;
  for (unsigned i = 0; i < len; ++i)
    if (static_cast<uint8_t>(a >> i * 8) == wanted) out |= uint64_t{0xFF} << i * 8;
  return out;
}

uint64_t reverse_bytes(uint64_t a, unsigned len) { return bswap64(a) >> (64 - len * 8); }

}  // namespace

std::optional<uint64_t> read_math_src0(Deco& d, MathSrc0 src, unsigned len) {
  const DecoRegs& r = d.r;
  uint64_t v = 0;
  switch (src) {
    case MathSrc0::kMath0:
    case MathSrc0::kMath1:
    case MathSrc0::kMath2:
    case MathSrc0::kMath3:
      v = r.math[static_cast<unsigned>(src)];
      break;
    case MathSrc0::kDpovrd:
      v = r.dpovrd;
      break;
    case MathSrc0::kSil:
      v = r.sil;
      break;
    case MathSrc0::kSol:
      v = r.sol;
      break;
    case MathSrc0::kVsil:
      v = join(r.uvsil, r.vsil);
      break;
    case MathSrc0::kVsol:
      v = join(r.uvsol, r.vsol);
      break;
    case MathSrc0::kZero:
      v = 0;
      break;
    case MathSrc0::kOne:
      v = 1;
      break;
    default:
      return std::nullopt;
  }
  return v & width_mask(len);
}

std::optional<uint64_t> read_math_src1(Deco& d, MathSrc1 src, unsigned len) {
  const DecoRegs& r = d.r;
  uint64_t v = 0;
  uint8_t bytes[8];
  switch (src) {
    case MathSrc1::kMath0:
    case MathSrc1::kMath1:
    case MathSrc1::kMath2:
    case MathSrc1::kMath3:
      v = r.math[static_cast<unsigned>(src)];
      break;
    case MathSrc1::kDpovrd:
      v = r.dpovrd;
      break;
    case MathSrc1::kVsil:
      v = join(r.uvsil, r.vsil);
      break;
    case MathSrc1::kVsol:
      v = join(r.uvsol, r.vsol);
      break;
    case MathSrc1::kZero:
      v = 0;
      break;
    case MathSrc1::kOne:
      v = 1;
      break;
    case MathSrc1::kJobSrc:
      v = static_cast<uint64_t>(d.source());
      break;
    case MathSrc1::kInFifo:
      if (!d.ccb.take_from_block(2, bytes)) return std::nullopt;
      v = load_be64(bytes);
      break;
    case MathSrc1::kOutFifo:
      d.ccb.pump();
      if (!d.ccb.out().pop(bytes)) return std::nullopt;
      v = load_be64(bytes);
      break;
    default:
      return std::nullopt;
  }
  return v & width_mask(len);
}

bool write_math_dst(Deco& d, MathDst dst, uint64_t value, unsigned len) {
  DecoRegs& r = d.r;
  const uint32_t low = static_cast<uint32_t>(value), high = static_cast<uint32_t>(value >> 32);
  switch (dst) {
    case MathDst::kMath0:
    case MathDst::kMath1:
    case MathDst::kMath2:
    case MathDst::kMath3:
      r.math[static_cast<unsigned>(dst)] = value;
      return true;
    case MathDst::kDpovrd:
      r.dpovrd = low;
      return true;
    case MathDst::kSil:
      r.sil = low;
      return true;
    case MathDst::kSol:
      r.sol = low;
      return true;
    case MathDst::kVsil:
      r.vsil = low;
      if (len == 8) r.uvsil = high;
      return true;
    case MathDst::kVsol:
      r.vsol = low;
      if (len == 8) r.uvsol = high;
      return true;
    case MathDst::kNone:
      return true;
  }
  return false;
}

std::optional<MathResult> compute(MathFn fn, uint64_t a, uint64_t b, unsigned len, bool carry, bool find_byte) {
  const uint64_t mask = width_mask(len);
  const unsigned bits = len * 8;
  const uint64_t sign = uint64_t{1} << (bits - 1);
  MathResult out;
  bool overflow = false;
  switch (fn) {
    case MathFn::kAdd:
    case MathFn::kAddC: {
      const uint64_t extra = fn == MathFn::kAddC && carry ? 1 : 0;
      const unsigned __int128 sum = static_cast<unsigned __int128>(a) + b + extra;
      out.value = static_cast<uint64_t>(sum) & mask;
      out.c = (sum >> bits) != 0;
      overflow = (~(a ^ b) & (a ^ out.value) & sign) != 0;
      break;
    }
    case MathFn::kSub:
    case MathFn::kSubB: {
      const uint64_t extra = fn == MathFn::kSubB && carry ? 1 : 0;
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
      return std::nullopt;
  }
  out.n = (out.value & sign) != 0;
  out.z = out.value == 0;
  out.nv = out.n != overflow;
  return out;
}

bool count_register(Deco& d, MathSrc0 reg, int step) {
  if (reg == MathSrc0::kImm || reg == MathSrc0::kZero || reg == MathSrc0::kOne) return false;
  const bool is_math = static_cast<unsigned>(reg) < 4;
  const unsigned len = is_math ? 8 : 4;
  const auto value = read_math_src0(d, reg, len);
  if (!value) return false;
  const MathFn fn = step > 0 ? MathFn::kAdd : MathFn::kSub;
  const MathResult result = *compute(fn, *value, 1, len, false, false);
  // Source 0 codes of registers are their destination codes.
  write_math_dst(d, static_cast<MathDst>(reg), result.value, len);
  d.r.n = result.n;
  d.r.z = result.z;
  d.r.c = result.c;
  d.r.nv = result.nv;
  return true;
}

}  // namespace caamlab::hw_model
