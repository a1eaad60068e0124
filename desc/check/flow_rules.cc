// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Rules on the control-flow graph: targets of jumps, loops without a way out, commands that nothing reaches.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "desc/check/report.h"

namespace caamlab::desc {
namespace {

const FlowNode* inside_operands(std::span<const FlowNode> graph, unsigned index) {
  for (const FlowNode& f : graph)
    if (index > f.node.index && index < f.node.next()) return &f;
  return nullptr;
}

void check_target(const Program& program, std::span<const FlowNode> graph, const FlowNode& flow, const Edge& edge,
                  Report& report) {
  const auto* jump = std::get_if<Jump>(&flow.node.command);
  if (jump == nullptr) return;
  if (edge.kind == EdgeKind::kBad) {
    report.add(Rule::kJumpTarget, flow.node.index,
               fmt::format("it goes {:+} words, out of the buffer's {}", jump->offset, program.size()));
    return;
  }
  if (edge.kind != EdgeKind::kJump && edge.kind != EdgeKind::kCall) return;
  if (edge.to != flow.node.index + static_cast<unsigned>(jump->offset)) return;
  const Part part = program.part(edge.to);
  const unsigned first = part == Part::kShared ? program.shared_first() : program.job_first();
  const unsigned header = part == Part::kJob ? program.shared_words() : 0;
  const unsigned to = program.index_in_part(edge.to);
  if (!program.fragment() && edge.to > header && edge.to < first) {
    report.add(Rule::kJumpTarget, flow.node.index,
               fmt::format("its target, word {}, lies before the first command (header, pointer or PDB)", to));
  } else if (const FlowNode* other = inside_operands(graph, edge.to)) {
    report.add(Rule::kJumpTarget, flow.node.index,
               fmt::format("its target, word {}, is an operand of the command at {}", to,
                           program.index_in_part(other->node.index)));
  }
}

// Nodes from which an end can be reached, backwards from the ends.
void check_loops(std::span<const FlowNode> graph, Report& report) {
  std::map<unsigned, std::vector<unsigned>> from;
  std::map<unsigned, bool> ends;
  std::vector<unsigned> todo;
  for (const FlowNode& f : graph)
    for (const Edge& e : f.edges) {
      if (e.kind <= EdgeKind::kPart) {
        from[e.to].push_back(f.node.index);
      } else if (!ends[f.node.index]) {
        ends[f.node.index] = true;
        todo.push_back(f.node.index);
      }
    }
  while (!todo.empty()) {
    const unsigned at = todo.back();
    todo.pop_back();
    for (unsigned before : from[at])
      if (!ends[before]) {
        ends[before] = true;
        todo.push_back(before);
      }
  }
  const auto stuck = std::ranges::find_if(graph, [&](const FlowNode& f) { return !ends[f.node.index]; });
  if (stuck == graph.end()) return;
  // Named at the jump that closes it.
  const auto closing = std::ranges::find_if(graph, [&](const FlowNode& f) {
    return !ends[f.node.index] && std::ranges::any_of(f.edges, [&](const Edge& e) {
      return e.kind == EdgeKind::kJump && e.to <= f.node.index;
    });
  });
  const unsigned at = closing != graph.end() ? closing->node.index : stuck->node.index;
  report.add(Rule::kEndlessLoop, at, "from here no path leads to the end of the job");
}

void check_reached(const Program& program, std::span<const FlowNode> graph, Report& report) {
  // Commands that are brought in while it runs may jump anywhere.
  const uint64_t patched = patched_words(graph);
  if (program.fragment() || (program.size() < kMaxDescWords && patched >> program.size() != 0)) return;
  const auto part = [&](unsigned first, unsigned end) {
    unsigned at = first, gap = end, count = 0;
    const auto close = [&] {
      if (count != 0) report.add(Rule::kUnreachable, gap, fmt::format("{} words that no path reaches", count));
      count = 0;
    };
    while (at < end) {
      const auto f = std::ranges::find(graph, at, [](const FlowNode& n) { return n.node.index; });
      if (f != graph.end()) {
        close();
        at = std::max(f->node.next(), at + 1);
        continue;
      }
      if (count++ == 0) gap = at;
      ++at;
    }
    close();
  };
  if (program.shared_header()) part(program.shared_first(), program.shared_words());
  if (program.job_header()) part(program.job_first(), program.size());
}

}  // namespace

void check_flow(const Program& program, std::span<const FlowNode> graph, Report& report) {
  for (const FlowNode& flow : graph)
    for (const Edge& edge : flow.edges) check_target(program, graph, flow, edge, report);
  check_loops(graph, report);
  check_reached(program, graph, report);
}

}  // namespace caamlab::desc
