// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Where a path goes on, and what jumps tell about numbers; see step.h.
#include "desc/check/step.h"

#include <fmt/format.h>

namespace caamlab::desc {
namespace {

constexpr uint8_t kWaits = kCondCalm | kCondNip | kCondNifp | kCondNop | kCondNcp;
// Commands that the DECO has fetched ahead (hardware.md 2.9).
constexpr unsigned kPrefetched = 4;

// The test on what is known: each selected condition true, false or unknown.
std::optional<bool> evaluate(JumpTest test, uint8_t selected, uint8_t known, uint8_t value) {
  const bool some_true = (selected & known & value) != 0;
  const bool some_false = (selected & known & ~value) != 0;
  const bool some_unknown = (selected & ~known) != 0;
  const auto all = [&]() -> std::optional<bool> {
    if (some_false) return false;
    return some_unknown ? std::nullopt : std::optional(true);
  };
  const auto any = [&]() -> std::optional<bool> {
    if (some_true) return true;
    return some_unknown ? std::nullopt : std::optional(false);
  };
  const auto negated = [](std::optional<bool> b) { return b ? std::optional(!*b) : b; };
  switch (test) {
    case JumpTest::kAll:
      return all();
    case JumpTest::kNotAll:
      return negated(any());
    case JumpTest::kAny:
      return any();
    default:
      return negated(all());
  }
}

}  // namespace

Step::Step(Paths& p, const State& state) : paths(p), program(p.program_), s(state), node(p.program_.node(state.pc)) {
  patched_here = (s.patched >> node.index & 1) != 0;
}

void Step::add(Rule rule, std::string message, bool doubt) {
  if (s.shrd) message += " (when the keys come by sharing)";
  paths.report_.add(rule, node.index, std::move(message), doubt);
}

void Step::run() {
  if (s.patch_words != 0) {
    if (s.patch_age < kPrefetched && node.index >= s.patch_first &&
        node.index < unsigned{s.patch_first} + s.patch_words)
      add(Rule::kPatchDistance, fmt::format("changed {} commands before", s.patch_age + 1));
    if (s.patch_age < kPrefetched) ++s.patch_age;
  }
  // What a changed JUMP or an unknown word does cannot be told.
  if (patched_here &&
      (std::holds_alternative<Jump>(node.command) || std::holds_alternative<SharedHeader>(node.command) ||
       std::holds_alternative<InvalidCommand>(node.command)))
    return paths.end(s, node.index, false);
  std::visit([&](const auto& command) { exec(command); }, node.command);
  if (!stop) follow();
}

void Step::follow() {
  const auto go = [&](const Edge& edge, State to) {
    switch (edge.kind) {
      case EdgeKind::kEnd:
        return paths.end(to, node.index, true);
      case EdgeKind::kHalt:
      case EdgeKind::kLeave:
        return paths.end(to, node.index, false);
      case EdgeKind::kBad:
        return;
      case EdgeKind::kPart:
        to.second_part = true;
        break;
      case EdgeKind::kCall:
        to.gosub_return = static_cast<uint8_t>(node.next());
        break;
      default:
        break;
    }
    to.pc = edge.to;
    paths.push(std::move(to));
  };
  const std::vector<Edge> edges = program.edges(node, s.second_part);
  const auto* jump = std::get_if<Jump>(&node.command);
  if (jump == nullptr) {
    for (const Edge& edge : edges) go(edge, s);
    return;
  }
  for (const unsigned c : {0u, 1u})
    if ((static_cast<unsigned>(jump->cls) >> c & 1) != 0) wait_class(c, "the JUMP");
  if (stop) return;
  if (jump->counts()) {
    constexpr Reg kCounted[] = {kMathReg0, kMathReg1, kMathReg2, kMathReg3, kRegCount, kRegCount, kRegCount, kDpovrdReg,
                                kSil,      kSol,      kVsil,     kVsol,     kRegCount, kRegCount, kRegCount, kRegCount};
    const Reg reg = kCounted[jump->cond >> 4];
    if (reg == kRegCount) return;
    s.r[reg] =
        math_result(jump->type == JumpType::kLocalInc ? MathFn::kAdd : MathFn::kSub, s.r[reg], Value::number(1), 4);
    s.flags = s.r[reg];
    s.flags_known = true;
  } else if (jump->jsl && (jump->cond & kWaits) != 0) {
    s.loading = s.moving = 0;
  }
  const std::optional<bool> taken = condition(*jump);
  if (jump->type == JumpType::kReturn && taken.value_or(true) && s.gosub_return != 0) {
    State to = s;
    to.pc = s.gosub_return;
    to.gosub_return = 0;
    paths.push(std::move(to));
  }
  for (size_t i = 0; i < edges.size(); ++i) {
    const bool is_taken = i == 0;
    if (jump->type == JumpType::kGosub && !is_taken && taken == std::optional(true)) continue;
    if (taken && *taken != is_taken) continue;
    if (jump->type == JumpType::kReturn && is_taken) continue;
    State to = s;
    if (!taken) refine(*jump, is_taken, to);
    go(edges[i], std::move(to));
  }
}

std::optional<bool> Step::condition(const Jump& jump) const {
  uint8_t selected = jump.cond, known = 0, value = 0;
  if (jump.counts()) selected &= 0xF;
  if (jump.jsl && !jump.counts()) {
    known = kWaits | kCondShrd;
    value = kWaits;
    if (s.shrd)
      value |= kCondShrd;
    else
      known |= kCondSelf;  // false
  } else {
    constexpr uint8_t kPkFlags = kCondPkZero | kCondPkGcd1 | kCondPkPrime;
    if (s.pk_flags_known) known |= kPkFlags;
    if (!s.flags.written) known |= kCondMathN | kCondMathC | kCondMathNv;  // all are 0 at the start
    const std::optional<bool> zero = !s.flags.written ? false : s.flags_known ? s.flags.is_zero() : std::nullopt;
    if (zero) {
      known |= kCondMathZ;
      if (*zero) value |= kCondMathZ;
    }
  }
  return evaluate(jump.test, selected, known, value);
}

// Where the jump asks only whether the last result was zero, both ways know the answer.
void Step::refine(const Jump& jump, bool taken, State& to) const {
  const uint8_t selected = jump.counts() ? jump.cond & 0xF : jump.cond;
  if ((jump.jsl && !jump.counts()) || selected != kCondMathZ || !s.flags_known) return;
  const bool zero_when_taken = jump.test == JumpTest::kAll || jump.test == JumpTest::kAny;
  const bool zero = zero_when_taken == taken;
  const uint64_t name = s.flags.v;
  const auto learn = [&](Value& value) {
    if (value.known || value.v != name) return;
    if (zero)
      value = {.written = value.written, .v = 0};
    else
      value.nonzero = true;
  };
  for (Value& value : to.r) learn(value);
  learn(to.flags);
}

Value Step::fresh(uint64_t salt) const { return Value::unknown(name_of(node.index * 16 + salt, s.flags.v)); }

void Step::set_unknown(Reg reg) { s.r[reg] = fresh(reg); }

}  // namespace caamlab::desc
