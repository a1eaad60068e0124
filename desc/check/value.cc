// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See value.h.
#include "desc/check/value.h"

namespace caamlab::desc {
namespace {

std::optional<uint64_t> compute(MathFn fn, uint64_t a, uint64_t b, unsigned bits) {
  switch (fn) {
    case MathFn::kAdd:
      return a + b;
    case MathFn::kSub:
      return a - b;
    case MathFn::kOr:
      return a | b;
    case MathFn::kAnd:
      return a & b;
    case MathFn::kXor:
      return a ^ b;
    case MathFn::kLshift:
      return b >= bits ? 0 : a << b;
    case MathFn::kRshift:
      return b >= bits ? 0 : a >> b;
    default:
      return std::nullopt;  // with carry, and those that rearrange bytes
  }
}

bool is_copy(MathFn fn, const Value& other) {
  if (!other.known || other.v != 0) return false;
  return fn == MathFn::kAdd || fn == MathFn::kOr || fn == MathFn::kXor;
}

}  // namespace

uint64_t name_of(uint64_t a, uint64_t b) {
  uint64_t h = (a ^ 0x9E3779B97F4A7C15u) * 0xBF58476D1CE4E5B9u;
  h = (h ^ h >> 29 ^ b) * 0x94D049BB133111EBu;
  return h ^ h >> 31;
}

Value math_result(MathFn fn, const Value& a, const Value& b, unsigned len) {
  const uint64_t mask = len >= 8 ? ~uint64_t{0} : (uint64_t{1} << len * 8) - 1;
  if (a.known && b.known)
    if (const auto v = compute(fn, a.v & mask, b.v & mask, len * 8)) return Value::number(*v & mask);
  if (len >= 4) {  // lengths have 32 bits
    const bool first = is_copy(fn, b) || (fn == MathFn::kSub && b.known && b.v == 0);
    const Value* same = first ? &a : is_copy(fn, a) ? &b : nullptr;
    if (same != nullptr) {
      Value copy = *same;
      copy.written = true;
      return copy;
    }
    if (fn == MathFn::kSub && !a.known && !b.known && a.v == b.v) return Value::number(0);
  }
  const uint64_t operands = name_of(a.v + a.known, b.v + b.known);
  return Value::unknown(name_of(operands, static_cast<uint64_t>(fn) << 8 | len));
}

}  // namespace caamlab::desc
