// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// MOVE and MATH: what becomes of numbers, and of the descriptor itself; see step.h.
#include <fmt/format.h>

#include <algorithm>

#include "desc/check/step.h"

namespace caamlab::desc {

uint16_t math_mask(unsigned first, unsigned offset, unsigned bytes) {
  uint16_t mask = 0;
  for (unsigned at = first * 8 + offset; at < first * 8 + offset + bytes && at < 32; ++at)
    mask = static_cast<uint16_t>(mask | 1u << at / 8);
  return mask;
}

namespace {

Reg reg_of(MathSrc0 src) {
  const unsigned n = static_cast<unsigned>(src);
  if (n < 4) return static_cast<Reg>(n);
  switch (src) {
    case MathSrc0::kDpovrd:
      return kDpovrdReg;
    case MathSrc0::kSil:
      return kSil;
    case MathSrc0::kSol:
      return kSol;
    case MathSrc0::kVsil:
      return kVsil;
    case MathSrc0::kVsol:
      return kVsol;
    default:
      return kRegCount;
  }
}
Reg reg_of(MathSrc1 src) {
  const unsigned n = static_cast<unsigned>(src);
  if (n < 4) return static_cast<Reg>(n);
  switch (src) {
    case MathSrc1::kDpovrd:
      return kDpovrdReg;
    case MathSrc1::kVsil:
      return kVsil;
    case MathSrc1::kVsol:
      return kVsol;
    default:
      return kRegCount;
  }
}
Reg reg_of(MathDst dst) {
  const unsigned n = static_cast<unsigned>(dst);
  if (n < 4) return static_cast<Reg>(n);
  switch (dst) {
    case MathDst::kDpovrd:
      return kDpovrdReg;
    case MathDst::kSil:
      return kSil;
    case MathDst::kSol:
      return kSol;
    case MathDst::kVsil:
      return kVsil;
    case MathDst::kVsol:
      return kVsol;
    default:
      return kRegCount;
  }
}

}  // namespace

// -- MOVE -------------------------------------------------------------------------------------------------------------

void Step::exec(const MoveLen& move) {
  use_register(move.math, "the MOVE_LEN");
  move_bytes(move.src, move.dst, move.offset, move.aux, s.r[move.math], move.wait);
}

void Step::move_source(MoveSrc src, unsigned aux) {
  switch (src) {
    case MoveSrc::kClass1Ctx:
    case MoveSrc::kClass2Ctx: {
      const unsigned c = src == MoveSrc::kClass1Ctx ? 0 : 1;
      check_context(c);
      wait_class(c, "the MOVE from its context");
      if (!stop && !s.cls[c].context && s.cls[c].op == 0 && !program.incomplete())
        add(Rule::kReadBeforeWrite, fmt::format("nothing wrote the context of class {}", c + 1));
      return;
    }
    case MoveSrc::kMath0:
    case MoveSrc::kMath1:
    case MoveSrc::kMath2:
    case MoveSrc::kMath3:
      use_register(static_cast<unsigned>(src) - static_cast<unsigned>(MoveSrc::kMath0), "the MOVE", /*by_move=*/true);
      return;
    case MoveSrc::kDescBuf:
    case MoveSrc::kClass1Key:
    case MoveSrc::kClass2Key:
      return;
    default:
      s.output_known = false;  // takes from a FIFO what would have been output or input of a CHA
      if (src == MoveSrc::kInFifoClass) s.cls[aux == 1 ? 0 : 1].moved = true;
      if (src == MoveSrc::kAlignBlock && aux != 0) s.cls[aux == 1 ? 0 : 1].moved = true;
      return;
  }
}

void Step::patch(unsigned first_byte, const Value& len) {
  unsigned bytes = len.known && len.v < kMaxDescWords * 4 ? static_cast<unsigned>(len.v) : 4;
  if (s.copied_bytes != 0 && s.copied_first == first_byte && s.copied_bytes < bytes) {
    // What was read from there goes back; only what lies behind it changes (the idiom of hardware.md 2.9).
    first_byte += s.copied_bytes;
    bytes -= s.copied_bytes;
  }
  s.copied_bytes = 0;
  if (bytes == 0) return;
  const unsigned first = first_byte / 4, end = std::min((first_byte + bytes + 3) / 4, kMaxDescWords);
  if (first >= end) return;
  for (unsigned i = first; i < end; ++i) s.patched |= uint64_t{1} << i;
  s.patch_first = static_cast<uint8_t>(first);
  s.patch_words = static_cast<uint8_t>(end - first);
  s.patch_age = 0;
}

void Step::move_bytes(MoveSrc src, MoveDst dst, unsigned offset, unsigned aux, Value len, bool wait) {
  if (patched_here) len = fresh(6);
  move_source(src, aux);
  if (stop) return;
  switch (dst) {
    case MoveDst::kClass1Ctx:
    case MoveDst::kClass2Ctx: {
      ClassFact& f = s.cls[dst == MoveDst::kClass1Ctx ? 0 : 1];
      if (f.in_flight && f.fed && !f.last) add(Rule::kWriteWhileBusy, "its class is in the middle of an operation");
      f.context = true;
      return;
    }
    case MoveDst::kDescBuf: {
      const unsigned from = static_cast<unsigned>(src) - static_cast<unsigned>(MoveSrc::kMath0);
      if (from != s.copied_reg || aux != 0) s.copied_bytes = 0;
      return patch(offset, len);
    }
    case MoveDst::kMath0:
    case MoveDst::kMath1:
    case MoveDst::kMath2:
    case MoveDst::kMath3: {
      const unsigned first = static_cast<unsigned>(dst) - static_cast<unsigned>(MoveDst::kMath0);
      const unsigned bytes = len.known ? static_cast<unsigned>(std::min<uint64_t>(len.v, 32)) : 8;
      const uint16_t mask = math_mask(first, 0, std::max(bytes, 1u));
      for (unsigned i = 0; i < 4; ++i)
        if ((mask >> i & 1) != 0) set_unknown(static_cast<Reg>(i));
      s.copied_bytes = 0;
      if (src == MoveSrc::kDescBuf && aux == 0 && bytes <= 8) {
        s.copied_reg = static_cast<uint8_t>(first);
        s.copied_first = static_cast<uint8_t>(offset);
        s.copied_bytes = static_cast<uint8_t>(bytes);
      }
      if (wait)
        s.moving = static_cast<uint16_t>(s.moving & ~mask);
      else
        s.moving |= mask;
      return;
    }
    case MoveDst::kClass1InFifo:
    case MoveDst::kClass2InFifo: {
      const unsigned c = dst == MoveDst::kClass1InFifo ? 0 : 1;
      s.output_known = false;
      if (s.auto_nfifo) feed(c, (aux & 1) != 0, FifoLoadType::kMsg);
      return;
    }
    case MoveDst::kClass1Key:
    case MoveDst::kClass2Key: {
      KeyFact& key = s.cls[dst == MoveDst::kClass1Key ? 0 : 1].key;
      key.there = Known::kYes;
      key.this_run = true;
      return;
    }
    default:
      s.output_known = false;
      return;
  }
}

// -- MATH -------------------------------------------------------------------------------------------------------------

// MOVEs run one after the other: only other commands can be too early for one.
void Step::use_register(unsigned reg, std::string_view who, bool by_move) {
  if (reg > 3) return;
  if ((s.loading >> reg & 1) != 0) {
    add(Rule::kLoadWait, fmt::format("{} takes MATH{}, which is being loaded from memory", who, reg));
    s.loading = static_cast<uint16_t>(s.loading & ~(1u << reg));
  }
  if (!by_move && (s.moving >> reg & 1) != 0) {
    add(Rule::kMoveWait, fmt::format("{} takes MATH{}, which a MOVE without WC fills", who, reg));
    s.moving = static_cast<uint16_t>(s.moving & ~(1u << reg));
  }
}

void Step::exec(const Math& math) {
  size_t at = 0;
  const bool wide = math.len == 8 && !math.ifb && !(math.imm0() && math.imm1());
  const auto immediate = [&] {
    uint64_t v = at < node.operands.size() ? node.operands[at++] : 0;
    if (wide && at < node.operands.size()) v = v << 32 | node.operands[at++];
    return (math.len & 1) != 0 && math.len != 1 ? fresh(8) : Value::number(v);
  };
  if (math.stl) s.loading = s.moving = 0;
  const auto read = [&](Reg reg, uint64_t salt) {
    if (reg == kRegCount) return fresh(salt);
    use_register(reg, "the MATH");
    return s.r[reg];
  };
  const Value a = math.imm0()                    ? immediate()
                  : math.src0 == MathSrc0::kZero ? Value::number(0)
                  : math.src0 == MathSrc0::kOne  ? Value::number(1)
                                                 : read(reg_of(math.src0), 9);
  const Value b = math.imm1()                    ? immediate()
                  : math.src1 == MathSrc1::kZero ? Value::number(0)
                  : math.src1 == MathSrc1::kOne  ? Value::number(1)
                                                 : read(reg_of(math.src1), 10);
  if (math.src1 == MathSrc1::kInFifo || math.src1 == MathSrc1::kOutFifo) s.output_known = false;
  const Value result = patched_here ? fresh(11) : math_result(math.fn, a, b, math.len);
  if (const Reg dst = reg_of(math.dst); dst != kRegCount) s.r[dst] = result;
  if (static_cast<unsigned>(math.dst) == s.copied_reg && math.len == 8) s.copied_bytes = 0;
  if (!math.nfu) s.flags = result;
}

void Step::exec(const MathI& math) {
  const Reg reg = math.ssel ? reg_of(static_cast<MathSrc1>(math.src)) : reg_of(static_cast<MathSrc0>(math.src));
  if (reg != kRegCount) use_register(reg, "the MATHI");
  Value from = reg == kRegCount ? fresh(12) : s.r[reg];
  const bool zero = math.ssel ? static_cast<MathSrc1>(math.src) == MathSrc1::kZero
                              : static_cast<MathSrc0>(math.src) == MathSrc0::kZero;
  if (zero) from = Value::number(0);
  const Value imm = (math.len & 1) != 0 && math.len != 1 ? fresh(13) : Value::number(math.imm);
  const MathFn fn = math.fn == MathFn::kZbyt ? MathFn::kBswap : math.fn;  // FBYT: not computed
  const Value result =
      patched_here ? fresh(14) : math_result(fn, math.ssel ? imm : from, math.ssel ? from : imm, math.len);
  if (const Reg dst = reg_of(math.dst); dst != kRegCount) s.r[dst] = result;
  if (!math.nfu) s.flags = result;
}

}  // namespace caamlab::desc
