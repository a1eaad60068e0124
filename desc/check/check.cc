// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See check.h. Headers, then commands that are reached, then the graph, then the paths; what is too broken for one step
// is not looked at by the next.
#include "desc/check/check.h"

#include <algorithm>

#include "desc/check/report.h"

namespace caamlab::desc {

std::vector<Finding> check(const ProgramInput& input, const CheckOptions& options) {
  const Program program(input);
  Report report(program);
  if (program.size() == 0) return {};
  check_headers(input, program, report);
  if (program.entry() < program.size()) {
    const std::vector<FlowNode> graph = flow_graph(program);
    const uint64_t patched = patched_words(graph);
    for (const FlowNode& flow : graph)
      if ((patched >> flow.node.index & 1) == 0) check_command(program, flow.node, options, report);
    check_flow(program, graph, report);
    check_paths(program, options, report);
  }
  return report.take();
}

ProgramInput program_input(std::span<const uint32_t> words, const Target& target) {
  ProgramInput input{.target = target};
  if (words.empty()) return input;
  if (is_command<SharedHeader>(words[0])) {
    const size_t len = std::min<size_t>(decode_as<SharedHeader>(words[0]).len, words.size());
    const bool job_behind =
        len != 0 && len < words.size() && is_command<JobHeader>(words[len]) && decode_as<JobHeader>(words[len]).shr;
    input.shared = job_behind ? words.first(len) : words;
    if (job_behind) input.job = words.subspan(len);
    return input;
  }
  input.job = words;
  input.fragment = !is_command<JobHeader>(words[0]);
  return input;
}

}  // namespace caamlab::desc
