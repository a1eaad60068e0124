// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// MATH and MATHI (hardware.md 2.10).
#include "hw_model/deco/math_unit.h"

namespace caamlab::hw_model {
namespace {

using namespace desc;

bool length_ok(unsigned len) { return len == 1 || len == 2 || len == 4 || len == 8; }

// No such register; or the FIFO it reads stays empty.
Flow no_source(Deco& d, bool fifo) {
  if (!fifo) return d.fail(DecoError::kMath);
  return d.ccb.fault() ? d.fail_fault() : d.hang();
}

[[gnu::always_inline]] inline Flow finish(Deco& d, MathFn fn, uint64_t a, uint64_t b, MathDst dst, unsigned len,
                                          bool keep_flags, bool find_byte) {
  MathResult result;
  if (!compute(fn, a, b, len, d.r.c, find_byte, result) || !write_math_dst(d, dst, result.value, len))
    return d.fail(DecoError::kMath);
  if (!keep_flags) set_math_flags(d, result);
  return Flow::kNext;
}

// One immediate word, or two (the more significant first) for eight bytes.
bool take_immediate(Deco& d, bool wide, uint64_t& value) {
  uint32_t word = 0;
  if (!d.take_word(word)) return false;
  value = word;
  if (!wide) return true;
  if (!d.take_word(word)) return false;
  value = value << 32 | word;
  return true;
}

bool is_fifo(MathSrc1 src) { return src == MathSrc1::kInFifo || src == MathSrc1::kOutFifo; }

}  // namespace

namespace {

// `len` is known to the compiler in the calls below: nearly every MATH has four bytes. swap: SWP, the bytes of the one
// immediate are reversed.
[[gnu::always_inline]] inline Flow run_math(Deco& d, const Math& cmd, unsigned len, bool swap) {
  uint64_t a = 0, b = 0;
  const bool wide = len == 8 && !cmd.ifb && !(cmd.imm0() && cmd.imm1());
  if ((cmd.imm0() && !take_immediate(d, wide, a)) || (cmd.imm1() && !take_immediate(d, wide, b)))
    return d.fail(DecoError::kMath);
  if (swap) (cmd.imm0() ? a : b) = bswap64(cmd.imm0() ? a : b) >> (64 - len * 8);
  if (!cmd.imm0() && !read_math_src0(d, cmd.src0, len, a)) return d.fail(DecoError::kMath);
  if (!cmd.imm1() && !read_math_src1(d, cmd.src1, len, b)) return no_source(d, is_fifo(cmd.src1));
  return finish(d, cmd.fn, a & width_mask(len), b & width_mask(len), cmd.dst, len, cmd.nfu, /*find_byte=*/false);
}

}  // namespace

Flow exec(Deco& d, const Math& cmd) {
  if (__builtin_expect(cmd.len == 4, 1)) return run_math(d, cmd, 4, false);
  if (length_ok(cmd.len)) return run_math(d, cmd, cmd.len, false);
  // SWP is bit 0 of LEN; it goes with exactly one immediate, and not with IFB.
  const unsigned len = cmd.len - 1u;
  const bool swaps = (cmd.len & 1) != 0 && length_ok(len) && cmd.imm0() != cmd.imm1() && !cmd.ifb;
  return swaps ? run_math(d, cmd, len, true) : d.fail(DecoError::kMath);
}

Flow exec(Deco& d, const MathI& cmd) {
  const bool swap = (cmd.len & 1) != 0 && cmd.len != 1;
  const unsigned len = swap ? cmd.len - 1u : cmd.len;
  if (!length_ok(len) || (cmd.fn == MathFn::kZbyt && cmd.ssel)) return d.fail(DecoError::kMath);
  uint64_t imm = cmd.imm;
  if (swap) imm <<= len * 8 - 8;
  uint64_t reg = 0;
  if (cmd.ssel) {
    const auto src = static_cast<MathSrc1>(cmd.src);
    if (!read_math_src1(d, src, len, reg)) return no_source(d, is_fifo(src));
  } else if (!read_math_src0(d, static_cast<MathSrc0>(cmd.src), len, reg)) {
    return d.fail(DecoError::kMath);
  }
  const uint64_t a = cmd.ssel ? imm : reg, b = cmd.ssel ? reg : imm;
  return finish(d, cmd.fn, a, b, cmd.dst, len, cmd.nfu, /*find_byte=*/true);
}

}  // namespace caamlab::hw_model
