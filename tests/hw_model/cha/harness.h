// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Drives one CHA as a DECO would: start, begin, data in pieces of chosen sizes, flush, last; output through windows of
// chosen sizes, in place or apart.
#pragma once

#include <string>
#include <vector>

#include "hw_model/cha/cha.h"
#include "tests/hw_model/cha/vectors.h"

namespace caamlab::tests {

// Data of one type and the mark behind it.
enum class Mark { kNone, kFlush, kLast };
struct Step {
  hw_model::DataType type;
  Bytes bytes;
  Mark mark = Mark::kNone;
};

// How data is cut: input pieces and output windows take these sizes in turn, again and again. Empty: whole.
struct Layout {
  std::string name;
  std::vector<size_t> in, out;
  // Output goes over the message input. A window that would overwrite input not yet fed is reported as a failure.
  bool in_place = false;
};
const std::vector<Layout>& layouts();

// Runs an operation; the output is appended to `out`. Returns the first error.
hw_model::CcbError run(hw_model::Cha& cha, hw_model::ClassRegs& regs, const std::vector<Step>& steps,
                       const Layout& layout, Bytes& out);
inline hw_model::CcbError run(hw_model::Cha& cha, hw_model::ClassRegs& regs, const std::vector<Step>& steps,
                              Bytes& out) {
  return run(cha, regs, steps, Layout{}, out);
}

hw_model::ClassRegs make_regs(const desc::AlgOperation& op, const Bytes& key);
void set_key(hw_model::KeyRegister& reg, const Bytes& key);
// Deterministic filler; different seeds give different bytes.
Bytes filler(size_t len, uint32_t seed);

inline Bytes slice(const Bytes& b, size_t from, size_t len) {
  return Bytes(b.begin() + static_cast<ptrdiff_t>(from), b.begin() + static_cast<ptrdiff_t>(from + len));
}
inline std::string context_hex(const hw_model::ClassRegs& regs, size_t from, size_t len) {
  return to_hex(regs.context() + from, len);
}

}  // namespace caamlab::tests
