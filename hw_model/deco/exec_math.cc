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

Flow finish(Deco& d, MathFn fn, uint64_t a, uint64_t b, MathDst dst, unsigned len, bool keep_flags, bool find_byte) {
  const auto result = compute(fn, a, b, len, d.r.c, find_byte);
  if (!result || !write_math_dst(d, dst, result->value, len)) return d.fail(DecoError::kMath);
  if (keep_flags) return Flow::kNext;
  d.r.n = result->n;
  d.r.z = result->z;
  d.r.c = result->c;
  d.r.nv = result->nv;
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

Flow exec(Deco& d, const Math& cmd) {
  if (!length_ok(cmd.len)) return d.fail(DecoError::kMath);
  const uint64_t mask = cmd.len == 8 ? ~uint64_t{0} : (uint64_t{1} << cmd.len * 8) - 1;
  uint64_t imm0 = 0, imm1 = 0;
  const bool both = cmd.imm0() && cmd.imm1();
  const bool wide = cmd.len == 8 && !cmd.ifb && !both;
  if ((cmd.imm0() && !take_immediate(d, wide, imm0)) || (cmd.imm1() && !take_immediate(d, wide, imm1)))
    return d.fail(DecoError::kMath);

  std::optional<uint64_t> a = imm0 & mask, b = imm1 & mask;
  if (!cmd.imm0()) a = read_math_src0(d, cmd.src0, cmd.len);
  if (!a) return d.fail(DecoError::kMath);
  if (!cmd.imm1()) b = read_math_src1(d, cmd.src1, cmd.len);
  if (!b) return no_source(d, is_fifo(cmd.src1));
  // SHLD takes the upper half of source 1 whatever the length.
  return finish(d, cmd.fn, *a, *b, cmd.dst, cmd.len, cmd.nfu, /*find_byte=*/false);
}

Flow exec(Deco& d, const MathI& cmd) {
  const bool swap = (cmd.len & 1) != 0 && cmd.len != 1;
  const unsigned len = swap ? cmd.len - 1u : cmd.len;
  if (!length_ok(len) || (cmd.fn == MathFn::kZbyt && cmd.ssel)) return d.fail(DecoError::kMath);
  uint64_t imm = cmd.imm;
  if (swap) imm <<= len * 8 - 8;
  std::optional<uint64_t> reg;
  if (cmd.ssel) {
    const auto src = static_cast<MathSrc1>(cmd.src);
    reg = read_math_src1(d, src, len);
    if (!reg) return no_source(d, is_fifo(src));
  } else {
    reg = read_math_src0(d, static_cast<MathSrc0>(cmd.src), len);
    if (!reg) return d.fail(DecoError::kMath);
  }
  const uint64_t a = cmd.ssel ? imm : *reg, b = cmd.ssel ? *reg : imm;
  return finish(d, cmd.fn, a, b, cmd.dst, len, cmd.nfu, /*find_byte=*/true);
}

}  // namespace caamlab::hw_model
