// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What a descriptor word does, settled when it is decoded and not each time it runs. Every word has exec() of its
// command; the forms that shared descriptors are made of (four-byte ADD and SUB between registers, local JUMPs on one
// condition, keys, data and context in their usual ways) have functions without the questions that their fields have
// answered, here or beside exec(). tests/hw_model/deco holds
// both to one independent statement of what they do.
#include <bit>
#include <cstddef>
#include <cstring>

#include "hw_model/deco/deco.h"

namespace caamlab::hw_model {
namespace {

using namespace desc;

template <class Cmd>
Flow run_exec(Deco& d, const Decoded& self) {
  return exec(d, *std::get_if<Cmd>(&self.command));
}

// -- MATH ---------------------------------------------------------------------------------------------------------

constexpr uint16_t kNoField = 0xFFFF;

uint16_t math_register(unsigned n) { return static_cast<uint16_t>(offsetof(DecoRegs, math) + n * sizeof(uint64_t)); }

// Where the low four bytes of a source are, on this little-endian machine; kNoField for one that is no register.
uint16_t field_of(MathSrc0 src) {
  switch (src) {
    case MathSrc0::kMath0:
    case MathSrc0::kMath1:
    case MathSrc0::kMath2:
    case MathSrc0::kMath3:
      return math_register(static_cast<unsigned>(src));
    case MathSrc0::kSil:
      return offsetof(DecoRegs, sil);
    case MathSrc0::kSol:
      return offsetof(DecoRegs, sol);
    case MathSrc0::kVsil:
      return offsetof(DecoRegs, vsil);
    case MathSrc0::kVsol:
      return offsetof(DecoRegs, vsol);
    case MathSrc0::kDpovrd:
      return offsetof(DecoRegs, dpovrd);
    case MathSrc0::kZero:
      return offsetof(DecoRegs, zero);
    case MathSrc0::kOne:
      return offsetof(DecoRegs, one);
    default:
      return kNoField;
  }
}

uint16_t field_of(MathSrc1 src) {
  switch (src) {
    case MathSrc1::kMath0:
    case MathSrc1::kMath1:
    case MathSrc1::kMath2:
    case MathSrc1::kMath3:
      return math_register(static_cast<unsigned>(src));
    case MathSrc1::kVsil:
      return offsetof(DecoRegs, vsil);
    case MathSrc1::kVsol:
      return offsetof(DecoRegs, vsol);
    case MathSrc1::kDpovrd:
      return offsetof(DecoRegs, dpovrd);
    case MathSrc1::kZero:
      return offsetof(DecoRegs, zero);
    case MathSrc1::kOne:
      return offsetof(DecoRegs, one);
    default:
      return kNoField;
  }
}

uint16_t field_of(MathDst dst) {
  switch (dst) {
    case MathDst::kMath0:
    case MathDst::kMath1:
    case MathDst::kMath2:
    case MathDst::kMath3:
      return math_register(static_cast<unsigned>(dst));
    case MathDst::kSil:
      return offsetof(DecoRegs, sil);
    case MathDst::kSol:
      return offsetof(DecoRegs, sol);
    case MathDst::kVsil:
      return offsetof(DecoRegs, vsil);
    case MathDst::kVsol:
      return offsetof(DecoRegs, vsol);
    case MathDst::kDpovrd:
      return offsetof(DecoRegs, dpovrd);
    case MathDst::kNone:
      return offsetof(DecoRegs, none);
  }
  return kNoField;
}

uint32_t load_field(const DecoRegs& r, uint16_t at) {
  uint32_t value;
  std::memcpy(&value, reinterpret_cast<const uint8_t*>(&r) + at, sizeof(value));
  return value;
}

// kWide: the destination is a MATH register, whose upper half becomes zero.
template <bool kSubtract, bool kWide>
Flow run_math4(Deco& d, const Decoded& self) {
  DecoRegs& r = d.r;
  const uint32_t a = load_field(r, self.src0), b = load_field(r, self.src1);
  const uint32_t value = kSubtract ? a - b : a + b;
  const uint32_t overflow = (kSubtract ? (a ^ b) : ~(a ^ b)) & (a ^ value);
  const std::conditional_t<kWide, uint64_t, uint32_t> stored = value;
  std::memcpy(reinterpret_cast<uint8_t*>(&r) + self.dst, &stored, sizeof(stored));
  r.n = value >> 31 != 0;
  r.z = value == 0;
  r.c = kSubtract ? a < b : value < a;
  r.nv = ((value ^ overflow) >> 31) != 0;
  return Flow::kNext;
}

void choose(Decoded& out, const Math& cmd) {
  if (std::endian::native != std::endian::little || cmd.len != 4 || cmd.nfu) return;
  if (cmd.fn != MathFn::kAdd && cmd.fn != MathFn::kSub) return;
  out.src0 = field_of(cmd.src0);
  out.src1 = field_of(cmd.src1);
  out.dst = field_of(cmd.dst);
  if (out.src0 == kNoField || out.src1 == kNoField || out.dst == kNoField) return;
  const bool wide = static_cast<unsigned>(cmd.dst) < 4;
  if (cmd.fn == MathFn::kSub)
    out.run = wide ? run_math4<true, true> : run_math4<true, false>;
  else
    out.run = wide ? run_math4<false, true> : run_math4<false, false>;
}

// -- JUMP ---------------------------------------------------------------------------------------------------------

Flow run_goto(Deco& d, const Decoded& self) { return d.jump_by(std::get_if<Jump>(&self.command)->offset); }

template <bool DecoRegs::*kFlag, bool kWanted>
Flow run_jump_if(Deco& d, const Decoded& self) {
  return d.r.*kFlag == kWanted ? run_goto(d, self) : Flow::kNext;
}

template <bool kWanted>
Flow run_jump_if_shared(Deco& d, const Decoded& self) {
  return d.shrd() == kWanted ? run_goto(d, self) : Flow::kNext;
}

template <bool DecoRegs::*kFlag>
Decoded::Run jump_if(bool wanted) {
  return wanted ? run_jump_if<kFlag, true> : run_jump_if<kFlag, false>;
}

// With one condition selected, all and any ask for it, none-of and any-false for its opposite.
void choose(Decoded& out, const Jump& cmd) {
  if (cmd.type != JumpType::kLocal || cmd.cls != ClassSel::kNone) return;
  const bool wanted = cmd.test == JumpTest::kAll || cmd.test == JumpTest::kAny;
  if (cmd.cond == 0 && cmd.test == JumpTest::kAll) out.run = run_goto;
  if (cmd.jsl) {
    if (cmd.cond == kCondShrd) out.run = wanted ? run_jump_if_shared<true> : run_jump_if_shared<false>;
    return;
  }
  switch (cmd.cond) {
    case kCondMathN:
      out.run = jump_if<&DecoRegs::n>(wanted);
      break;
    case kCondMathZ:
      out.run = jump_if<&DecoRegs::z>(wanted);
      break;
    case kCondMathC:
      out.run = jump_if<&DecoRegs::c>(wanted);
      break;
    case kCondMathNv:
      out.run = jump_if<&DecoRegs::nv>(wanted);
      break;
    default:
      break;
  }
}

// -- FIFO LOAD ----------------------------------------------------------------------------------------------------

void choose(Decoded& out, const FifoLoad& cmd) {
  const bool sequence = is_plain_sequence(cmd);
  if (!sequence && !is_plain_immediate(cmd)) return;
  out.data = nfifo_data(cmd.data_type());
  const uint8_t actions = cmd.actions();
  out.flush = cmd.cls == ClassSel::kClass1 && (actions & kFifoLoadFlush1) != 0;
  out.last = (actions & (cmd.cls == ClassSel::kClass1 ? kFifoLoadLast1 : kFifoLoadLast2)) != 0;
  out.run = sequence ? run_plain_sequence : run_plain_immediate;
}

// -- KEY, STORE, FIFO STORE -----------------------------------------------------------------------------------------

void choose(Decoded& out, const Key& cmd) {
  if (is_plain(cmd)) out.run = run_plain_key;
}
void choose(Decoded& out, const Store& cmd) {
  if (is_plain(cmd)) out.run = run_plain_store;
}
void choose(Decoded& out, const FifoStore& cmd) {
  if (is_plain(cmd)) out.run = cmd.type == FifoStoreType::kMsg ? run_plain_message_store : run_plain_skip;
}

// -- SEQ IN PTR, SEQ OUT PTR ----------------------------------------------------------------------------------------

void choose(Decoded& out, const SeqInPtr& cmd) {
  if (is_plain(cmd)) out.run = run_plain_seq_in;
}
void choose(Decoded& out, const SeqOutPtr& cmd) {
  if (is_plain(cmd)) out.run = run_plain_seq_out;
}

template <class Cmd>
void choose(Decoded&, const Cmd&) {}

}  // namespace

Decoded predecode(uint32_t word) {
  Decoded out{.word = word, .command = decode(word)};
  std::visit(
      [&out]<class Cmd>(const Cmd& cmd) {
        out.run = run_exec<Cmd>;
        choose(out, cmd);
      },
      out.command);
  return out;
}

}  // namespace caamlab::hw_model
