// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Where rules put what they find: each rule once a command.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "desc/check/check.h"

namespace caamlab::desc {

class Report {
 public:
  explicit Report(const Program& program) : program_(program) {}

  // doubt: what is not here (the other descriptor) could make it right, so it counts one step less.
  void add(Rule rule, unsigned buffer_index, std::string message, bool doubt = false);
  std::vector<Finding> take();

 private:
  const Program& program_;
  std::vector<Finding> findings_;
};

// The sets of rules.
void check_headers(const ProgramInput& input, const Program& program, Report& report);
void check_command(const Program& program, const Node& node, const CheckOptions& options, Report& report);
void check_flow(const Program& program, std::span<const FlowNode> graph, Report& report);
void check_paths(const Program& program, const CheckOptions& options, Report& report);

}  // namespace caamlab::desc
