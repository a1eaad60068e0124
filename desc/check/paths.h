// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Runs commands on states: one function a command, as in the DECO, but with what is known instead of what is.
#pragma once

#include <functional>
#include <set>
#include <vector>

#include "desc/check/report.h"
#include "desc/check/state.h"

namespace caamlab::desc {

class Paths {
 public:
  Paths(const Program& program, const CheckOptions& options, Report& report)
      : program_(program), options_(options), report_(report) {}

  // Follows every path from `first`; keys holds what is in the key registers wherever a path ends.
  void run(const State& first, bool shrd);
  State initial(bool shrd) const;

 private:
  friend struct Step;
  void push(State state);
  void end(const State& state, unsigned index, bool complete);

  const Program& program_;
  const CheckOptions& options_;
  Report& report_;
  std::set<State> seen_;
  std::vector<State> todo_;
  bool ended_ = false;
  std::array<KeyFact, 2> keys_at_end_{};
};

}  // namespace caamlab::desc
