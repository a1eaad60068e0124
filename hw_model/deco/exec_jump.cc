// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// JUMP (hardware.md 2.11).
#include "hw_model/deco/deco.h"
#include "hw_model/deco/math_unit.h"

namespace caamlab::hw_model {
namespace {

using namespace desc;

constexpr uint8_t kWaited = kCondCalm | kCondNip | kCondNifp | kCondNop | kCondNcp;
constexpr uint16_t kKnownTypes = [] {
  uint16_t known = 0;
  for (const ValueName& v : kJumpTypeNames) known = static_cast<uint16_t>(known | 1u << v.value);
  return known;
}();

uint8_t math_conditions(const Deco& d) {
  const DecoRegs& r = d.r;
  return static_cast<uint8_t>((r.pk_zero ? kCondPkZero : 0) | (r.pk_gcd1 ? kCondPkGcd1 : 0) |
                              (r.pk_prime ? kCondPkPrime : 0) | (r.n ? kCondMathN : 0) | (r.z ? kCondMathZ : 0) |
                              (r.c ? kCondMathC : 0) | (r.nv ? kCondMathNv : 0));
}

bool test(JumpTest test, uint8_t selected, uint8_t actual) {
  const uint8_t true_ones = selected & actual;
  switch (test) {
    case JumpTest::kAll:
      return true_ones == selected;
    case JumpTest::kNotAll:
      return true_ones == 0;
    case JumpTest::kAny:
      return true_ones != 0;
    default:
      return true_ones != selected;
  }
}

// Idle conditions always come true in the end and every known user waits for them, so the JUMP does.
Flow wait_idle(Deco& d, uint8_t selected) {
  if ((selected & kWaited) == 0) return Flow::kNext;
  if (!d.settle()) return Flow::kStop;
  if ((selected & (kCondNop | kCondCalm)) != 0 && d.ccb.out().store_pending() != 0) return d.hang();
  if ((selected & kCondNifp) != 0 && !d.ccb.nfifo_empty()) return d.hang();
  return Flow::kNext;
}

uint8_t sharing_conditions(const Deco& d) {
  return static_cast<uint8_t>(kWaited | (d.shrd() ? kCondShrd : 0) | (d.self() ? kCondSelf : 0) |
                              (d.more_work() ? kCondJqp : 0));
}

Flow jump_local(Deco& d, const Jump& cmd) {
  if (cmd.type == JumpType::kGosub) d.gosub_return = d.next_index();
  return d.jump_by(cmd.offset);
}

// Increment and decrement: bits 15:12 the register, 11:8 the math conditions.
bool count(Deco& d, const Jump& cmd, uint8_t& selected) {
  selected = cmd.cond & 0xF;
  const auto reg = static_cast<MathSrc0>(cmd.cond >> 4);
  return count_register(d, reg, cmd.type == JumpType::kLocalInc ? 1 : -1);
}

}  // namespace

Flow exec(Deco& d, const Jump& cmd) {
  if ((kKnownTypes >> static_cast<unsigned>(cmd.type) & 1) == 0) return d.fail(DecoError::kJump);
  if (cmd.cls != ClassSel::kNone && !d.wait_class(cmd.cls)) return Flow::kStop;
  BusAddr addr = 0;
  if (cmd.type == JumpType::kNonLocal && !d.take_pointer(addr)) return d.fail(DecoError::kJump);

  uint8_t selected = cmd.cond, actual;
  if (cmd.counts()) {
    if (!count(d, cmd, selected)) return d.fail(DecoError::kJump);
    actual = math_conditions(d);
  } else if (cmd.jsl) {
    if (wait_idle(d, cmd.cond) == Flow::kStop) return Flow::kStop;
    actual = sharing_conditions(d);
  } else {
    actual = math_conditions(d);
  }
  if (!test(cmd.test, selected, actual)) return Flow::kNext;

  switch (cmd.type) {
    case JumpType::kLocal:
    case JumpType::kLocalInc:
    case JumpType::kLocalDec:
    case JumpType::kGosub:
      return jump_local(d, cmd);
    case JumpType::kReturn:
      if (d.gosub_return == 0) return d.fail(DecoError::kJump);
      d.goto_index(d.gosub_return);
      return Flow::kNext;
    case JumpType::kNonLocal:
      if (!d.settle()) return Flow::kStop;
      return d.replace_job(addr, /*jumped=*/true);
    case JumpType::kHalt:
      return d.halt(JrStatus::jump_cond(math_conditions(d), d.index()));
    case JumpType::kHaltUser:
      return d.halt(JrStatus::jump_user(static_cast<uint8_t>(cmd.offset), d.index()));
  }
  return d.fail(DecoError::kJump);
}

}  // namespace caamlab::hw_model
