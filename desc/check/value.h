// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// A number as the checks know it: its value, or a name for an unknown one. Equal names are equal numbers, so that
// what a jump on zero says about a sum holds for every register with the same sum.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>

#include "desc/commands/math.h"

namespace caamlab::desc {

struct Value {
  bool known = true;
  bool nonzero = false;  // of unknown ones: it is certainly not zero
  bool written = false;  // somebody set it; registers begin as zeros that nobody wrote
  uint64_t v = 0;        // the value, or the name

  static Value number(uint64_t v) { return {.written = true, .v = v}; }
  static Value unknown(uint64_t name) { return {.known = false, .written = true, .v = name}; }
  std::optional<bool> is_zero() const {
    if (known) return v == 0;
    return nonzero ? std::optional(false) : std::nullopt;
  }
  friend auto operator<=>(const Value&, const Value&) = default;
};

// The result of a MATH on `len` bytes.
Value math_result(MathFn fn, const Value& a, const Value& b, unsigned len);
// A name made of two others.
uint64_t name_of(uint64_t a, uint64_t b);

}  // namespace caamlab::desc
