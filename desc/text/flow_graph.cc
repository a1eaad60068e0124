// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See flow_graph.h.
#include "desc/text/flow_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace caamlab::desc {
namespace {

std::optional<Jump> jump_of(const ListedLine& line) {
  if (line.kind != ItemKind::kCommand || !is_command<Jump>(line.word)) return std::nullopt;
  return decode_as<Jump>(line.word);
}
// With no condition selected a test has one outcome only.
bool always(const Jump& j) {
  return !j.counts() && j.cond == 0 && (j.test == JumpTest::kAll || j.test == JumpTest::kNotAll);
}
bool never(const Jump& j) {
  return !j.counts() && j.cond == 0 && (j.test == JumpTest::kAny || j.test == JumpTest::kNotAny);
}

unsigned behind(const ListedLine& line) { return line.index + 1 + static_cast<unsigned>(line.operand_words.size()); }

// A jump to the next command only waits; it parts nothing.
bool only_waits(const ListedLine& line, const Jump& j) {
  return j.is_local() && line.target && *line.target == static_cast<int>(behind(line));
}

std::string condition(const ListedLine& line) {
  std::string text;
  for (const ListedField& f : line.fields) {
    if (f.name != "test" && f.name != "cond" && f.name != "reg") continue;
    text += text.empty() ? "" : " ";
    text += f.text;
  }
  return text;
}

// Lines of commands in the order in which they run: that of the words, or the job's first.
std::vector<size_t> in_order(const Listing& listing) {
  std::vector<std::vector<size_t>> parts(1);
  bool reverse = false;
  for (size_t i = 0; i < listing.lines.size(); ++i) {
    const ListedLine& line = listing.lines[i];
    if (line.kind == ItemKind::kHeader && !parts.back().empty()) {
      parts.emplace_back();
      if (is_command<JobHeader>(line.word)) {
        const auto job = decode_as<JobHeader>(line.word);
        reverse = reverse || (job.shr && job.reo);
      }
    }
    if (line.kind == ItemKind::kCommand) parts.back().push_back(i);
  }
  if (reverse && parts.size() == 2) std::swap(parts[0], parts[1]);
  std::vector<size_t> order;
  for (const auto& part : parts) order.insert(order.end(), part.begin(), part.end());
  return order;
}

class Grapher {
 public:
  explicit Grapher(const Listing& listing) : listing_(listing), order_(in_order(listing)) {
    for (size_t i = 0; i < order_.size(); ++i) position_[line(i).index] = i;
    cut();
  }

  FlowGraph graph() {
    for (size_t b = 0; b < graph_.blocks.size(); ++b) join(b);
    return std::move(graph_);
  }

 private:
  const ListedLine& line(size_t position) const { return listing_.lines[order_[position]]; }

  // Blocks begin where something lands and behind whatever parts the way.
  void cut() {
    std::vector<bool> begins(order_.size() + 1, false);
    for (size_t i = 0; i < order_.size(); ++i) {
      const auto jump = jump_of(line(i));
      if (!jump || only_waits(line(i), *jump) || never(*jump)) continue;
      begins[i + 1] = true;
      if (const auto at = target_of(line(i), *jump)) begins[*at] = true;
    }
    for (size_t i = 0; i < order_.size(); ++i) {
      if (i == 0 || begins[i]) graph_.blocks.emplace_back();
      block_of_.push_back(graph_.blocks.size() - 1);
      graph_.blocks.back().lines.push_back(order_[i]);
      last_.resize(graph_.blocks.size());
      last_.back() = i;
    }
  }

  FlowEdge at_position(size_t position) const {
    if (position < order_.size()) return {.to = block_of_[position]};
    return {.end = FlowEnd::kDone};
  }

  // Where a local jump goes on: a position, or the number of them at the end. Behind the last word of a descriptor it
  // is as behind its last command.
  std::optional<size_t> target_of(const ListedLine& from, const Jump& jump) const {
    if (!from.target || *from.target < 0 || !jump.is_local()) return std::nullopt;
    const auto target = static_cast<unsigned>(*from.target);
    if (const auto at = position_.find(target); at != position_.end()) return at->second;
    for (size_t i = 0; i < order_.size(); ++i)
      if (behind(line(i)) == target) return i + 1;
    return std::nullopt;
  }

  FlowEdge landing(const ListedLine& from, const Jump& jump) const {
    switch (jump.type) {
      case JumpType::kHalt:
      case JumpType::kHaltUser:
        return {.end = FlowEnd::kHalt};
      case JumpType::kReturn:
        return {.end = FlowEnd::kReturn};
      case JumpType::kNonLocal:
        return {.end = FlowEnd::kOtherDescriptor};
      default:
        break;
    }
    if (const auto at = target_of(from, jump)) return at_position(*at);
    return {.end = FlowEnd::kOutside};
  }

  void join(size_t block) {
    const size_t at = last_[block];
    auto& edges = graph_.blocks[block].edges;
    const auto jump = jump_of(line(at));
    if (!jump || only_waits(line(at), *jump) || never(*jump)) return edges.push_back(at_position(at + 1));
    FlowEdge taken = landing(line(at), *jump);
    taken.taken = true;
    const bool call = jump->type == JumpType::kGosub;
    taken.label = always(*jump) ? "" : condition(line(at));
    if (call) taken.label += taken.label.empty() ? "call" : ", call";
    edges.push_back(std::move(taken));
    if (always(*jump) && !call) return;
    FlowEdge on = at_position(at + 1);
    on.label = call ? "on return" : "else";
    edges.push_back(std::move(on));
  }

  const Listing& listing_;
  std::vector<size_t> order_;
  std::map<unsigned, size_t> position_;  // in order_, by index of the word
  std::vector<size_t> block_of_;         // by position
  std::vector<size_t> last_;             // position of the last command, by block
  FlowGraph graph_;
};

std::string escaped(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

constexpr size_t kLongestLine = 72;
std::string block_label(const Listing& listing, const FlowBlock& block) {
  std::string text;
  for (size_t i : block.lines) {
    const ListedLine& line = listing.lines[i];
    std::string one = fmt::format("{:3}  {}  {}", line.index, line.mnemonic, operands_text(line));
    if (one.size() > kLongestLine) one = one.substr(0, kLongestLine - 3) + "...";
    text += escaped(one) + "\\l";
  }
  return text;
}

// Names and labels of the ends that are no blocks.
struct EndNode {
  FlowEnd end;
  std::string_view name, label;
};
constexpr EndNode kEnds[] = {{FlowEnd::kDone, "done", "done"},
                             {FlowEnd::kHalt, "halt", "halt"},
                             {FlowEnd::kReturn, "back", "return"},
                             {FlowEnd::kOtherDescriptor, "other", "another descriptor"},
                             {FlowEnd::kOutside, "outside", "no command there"}};
std::string node_name(const FlowEdge& edge) {
  for (const EndNode& n : kEnds)
    if (n.end == edge.end) return std::string(n.name);
  return fmt::format("b{}", edge.to);
}

}  // namespace

FlowGraph flow_graph(const Listing& listing) { return Grapher(listing).graph(); }

std::string to_dot(const Listing& listing, const FlowGraph& graph, std::string_view title) {
  std::string text = fmt::format("digraph \"{}\" {{\n", escaped(title));
  text += "  node [shape=box, fontname=\"monospace\", fontsize=10];\n  edge [fontname=\"monospace\", fontsize=9];\n";
  for (size_t b = 0; b < graph.blocks.size(); ++b)
    text += fmt::format("  b{} [label=\"{}\"];\n", b, block_label(listing, graph.blocks[b]));
  for (const EndNode& n : kEnds) {
    const bool used = std::ranges::any_of(graph.blocks, [&](const FlowBlock& b) {
      return std::ranges::any_of(b.edges, [&](const FlowEdge& e) { return e.end == n.end; });
    });
    if (used) text += fmt::format("  {} [label=\"{}\", shape=oval];\n", n.name, n.label);
  }
  for (size_t b = 0; b < graph.blocks.size(); ++b)
    for (const FlowEdge& edge : graph.blocks[b].edges) {
      const std::string label = edge.label.empty() ? "" : fmt::format(" [label=\"{}\"]", escaped(edge.label));
      text += fmt::format("  b{} -> {}{};\n", b, node_name(edge), label);
    }
  return text + "}\n";
}

}  // namespace caamlab::desc
