// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See share_paths.h.
#include "tools/share_paths.h"

#include <vector>

#include "desc/reg_bits.h"

namespace caamlab::tools {
namespace {

using desc::Jump;
using desc::JumpTest;
using desc::JumpType;

enum class Tri : uint8_t { kNo, kYes, kMaybe };

Tri taken(const Jump& jump, Signals s) {
  bool any_true = false, any_false = false, unknown = false;
  const auto look = [&](uint8_t bit, bool value) {
    if ((jump.cond & bit) != 0) (value ? any_true : any_false) = true;
  };
  if (jump.jsl) {
    look(desc::kCondShrd, s.shrd);
    look(desc::kCondSelf, s.self);
    unknown = (jump.cond & ~(desc::kCondShrd | desc::kCondSelf)) != 0;
  } else {
    unknown = jump.cond != 0;
  }
  const auto all = [unknown](bool refuted) { return refuted ? Tri::kNo : unknown ? Tri::kMaybe : Tri::kYes; };
  const auto any = [unknown](bool found) { return found ? Tri::kYes : unknown ? Tri::kMaybe : Tri::kNo; };
  switch (jump.test) {
    case JumpTest::kAll:
      return all(any_false);
    case JumpTest::kNotAll:
      return all(any_true);
    case JumpTest::kAny:
      return any(any_true);
    default:
      return any(any_false);
  }
}

bool drops_signals(const desc::Item& item) {
  const auto* load = std::get_if<desc::Load>(&item.command);
  return load != nullptr && load->imm && load->cls == desc::ClassSel::kNone && load->dst == desc::kRegClrw &&
         !item.operands.empty() && (item.operands[0] & desc::clrw::kSharedSignal) != 0;
}

struct Place {
  unsigned index;
  bool dropped;
  auto operator<=>(const Place&) const = default;
};

void push_jump(const Jump& jump, const Place& at, unsigned next, Signals s, std::vector<Place>& todo) {
  const Tri tri = jump.counts() ? Tri::kMaybe : taken(jump, s);
  const int target = static_cast<int>(at.index) + jump.offset;
  if (tri != Tri::kNo && jump.is_local() && target >= 0) todo.push_back({static_cast<unsigned>(target), at.dropped});
  // What a subroutine returns to is found by going past its call.
  if (tri != Tri::kYes || jump.type == JumpType::kGosub) todo.push_back({next, at.dropped});
}

}  // namespace

CommandMap commands_of(std::span<const uint32_t> words, unsigned ptr_words) {
  CommandMap out;
  desc::walk(words, ptr_words, [&](const desc::Item& item) {
    if (item.kind == desc::ItemKind::kCommand && item.start == 0) out.emplace(item.index, item);
  });
  return out;
}

std::set<unsigned> reachable(const CommandMap& commands, Signals signals) {
  std::set<Place> seen;
  std::set<unsigned> out;
  std::vector<Place> todo;
  if (!commands.empty()) todo.push_back({commands.begin()->first, false});
  while (!todo.empty()) {
    Place at = todo.back();
    todo.pop_back();
    const auto it = commands.find(at.index);  // a jump out of the descriptor, or into data, goes on elsewhere
    if (it == commands.end() || !seen.insert(at).second) continue;
    out.insert(at.index);
    const desc::Item& item = it->second;
    const unsigned next = at.index + 1 + static_cast<unsigned>(item.operands.size());
    if (drops_signals(item)) at.dropped = true;
    if (const auto* jump = std::get_if<Jump>(&item.command))
      push_jump(*jump, at, next, at.dropped ? Signals{} : signals, todo);
    else
      todo.push_back({next, at.dropped});
  }
  return out;
}

}  // namespace caamlab::tools
