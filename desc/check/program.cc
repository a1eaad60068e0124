// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See program.h. The order of the two descriptors is that of hardware.md 2.2.
#include "desc/check/program.h"

#include <algorithm>
#include <map>
#include <set>

namespace caamlab::desc {

namespace {

std::optional<size_t> header_length(uint32_t word) {
  if (matches<JobHeader>(word)) return decode_as<JobHeader>(word).len;
  if (matches<SharedHeader>(word)) return decode_as<SharedHeader>(word).len;
  return std::nullopt;
}

}  // namespace

Program::Program(const ProgramInput& input) : fragment_(input.fragment), target_(input.target) {
  // Words behind what the header says are not part of the descriptor.
  const auto take = [&](std::span<const uint32_t> words) {
    size_t n = std::min<size_t>(words.size(), kMaxDescWords);
    if (!fragment_ && n != 0) {
      const auto header = header_length(words[0]);
      if (header && *header != 0 && *header < n) n = *header;
    }
    std::copy_n(words.begin(), n, words_.begin() + total_);
    total_ += static_cast<unsigned>(n);
  };
  take(input.shared);
  sd_len_ = total_;
  take(input.job);
  if (fragment_) {
    job_first_ = 0;
    return;
  }
  const unsigned ptr_words = target_.ptr_words();
  if (sd_len_ != 0 && matches<SharedHeader>(words_[0])) {
    shared_header_ = decode_as<SharedHeader>(words_[0]);
    shared_first_ = std::max<unsigned>(shared_header_->start, 1);
  }
  if (has_job() && matches<JobHeader>(words_[sd_len_])) {
    job_header_ = decode_as<JobHeader>(words_[sd_len_]);
    wants_shared_ = job_header_->shr;
    unsigned first = 1;
    if (job_header_->shr) first += ptr_words;
    if (job_header_->dnr_ext) ++first;
    if (!job_header_->shr && job_header_->start > first) first = job_header_->start;
    job_first_ = sd_len_ + first;
  }
  entry_ = !has_job() || (has_shared() && !runs_job_first()) ? shared_first_ : job_first_;
}

Node Program::node(unsigned index) const {
  Node node{.index = index, .command = decode(words_[index])};
  const unsigned end = index < sd_len_ ? sd_len_ : total_;
  const unsigned wanted = operand_words(node.command, target_.ptr_words());
  const unsigned have = std::min(wanted, end - index - 1);
  node.operands = std::span(words_).subspan(index + 1, have);
  node.missing = wanted - have;
  return node;
}

Part Program::part(unsigned index) const {
  if (fragment_) return Part::kFragment;
  return index < sd_len_ ? Part::kShared : Part::kJob;
}

Edge Program::arrive(unsigned from, unsigned index, bool second_part) const {
  const bool in_shared = from < sd_len_;
  const unsigned end = in_shared ? sd_len_ : total_;
  if (index != end) return {index > total_ ? EdgeKind::kBad : EdgeKind::kNext, index};
  if (fragment_) return {EdgeKind::kLeave};
  if (in_shared && !has_job()) return {EdgeKind::kEnd};
  if (!in_shared && wants_shared_ && !has_shared()) return {EdgeKind::kLeave};
  if (!in_shared && has_shared() && runs_job_first() && !second_part) return {EdgeKind::kPart, shared_first_};
  if (in_shared && has_job() && !runs_job_first()) return {EdgeKind::kPart, job_first_};
  return {EdgeKind::kEnd};
}

namespace {

std::vector<Edge> jump_edges(const Program& p, const Node& node, const Jump& jump, bool second_part) {
  const bool always = jump.cond == 0 && (jump.test == JumpTest::kAll || jump.test == JumpTest::kNotAll);
  std::vector<Edge> out;
  const auto add = [&](Edge edge) {
    edge.conditional = !always && !jump.counts();
    edge.conditional = edge.conditional || jump.counts();
    out.push_back(edge);
  };
  if (jump.is_local()) {
    const int target = static_cast<int>(node.index) + jump.offset;
    if (target < 0 || target > static_cast<int>(p.size())) {
      add({EdgeKind::kBad, 0});
    } else {
      Edge edge = p.arrive(node.index, static_cast<unsigned>(target), second_part);
      if (edge.kind == EdgeKind::kNext) edge.kind = jump.type == JumpType::kGosub ? EdgeKind::kCall : EdgeKind::kJump;
      add(edge);
    }
  } else if (jump.type == JumpType::kHalt || jump.type == JumpType::kHaltUser) {
    add({EdgeKind::kHalt});
  } else {
    add({EdgeKind::kLeave});  // non-local; a RETURN goes behind its GOSUB, which has that edge
  }
  const bool counts_always =
      jump.counts() && (jump.cond & 0xF) == 0 && (jump.test == JumpTest::kAll || jump.test == JumpTest::kNotAll);
  if ((!always && !counts_always) || jump.type == JumpType::kGosub)
    out.push_back(p.arrive(node.index, node.next(), second_part));
  return out;
}

}  // namespace

std::vector<Edge> Program::edges(const Node& node, bool second_part) const {
  if (const auto* jump = std::get_if<Jump>(&node.command)) return jump_edges(*this, node, *jump, second_part);
  if (const auto* header = std::get_if<SharedHeader>(&node.command))  // an absolute jump
    return {header->start > total_ ? Edge{EdgeKind::kBad}
                                   : Edge{EdgeKind::kJump, std::max<unsigned>(header->start, 1)}};
  if (const auto* seq = std::get_if<SeqInPtr>(&node.command); seq != nullptr && (seq->rjd || seq->inl))
    return {Edge{EdgeKind::kLeave}};
  if (std::holds_alternative<InvalidCommand>(node.command) || std::holds_alternative<JobHeader>(node.command))
    return {Edge{EdgeKind::kBad, node.index}};
  return {arrive(node.index, node.next(), second_part)};
}

std::vector<FlowNode> flow_graph(const Program& program) {
  std::map<unsigned, FlowNode> nodes;
  std::set<std::pair<unsigned, bool>> seen;
  std::vector<std::pair<unsigned, bool>> todo{{program.entry(), false}};
  while (!todo.empty()) {
    const auto [index, second] = todo.back();
    todo.pop_back();
    if (index >= program.size() || !seen.insert({index, second}).second) continue;
    const Node node = program.node(index);
    FlowNode& flow = nodes.try_emplace(index, FlowNode{node, {}}).first->second;
    for (const Edge& edge : program.edges(node, second)) {
      const bool known =
          std::ranges::any_of(flow.edges, [&](const Edge& e) { return e.kind == edge.kind && e.to == edge.to; });
      if (!known) flow.edges.push_back(edge);
      if (edge.kind <= EdgeKind::kPart) todo.emplace_back(edge.to, second || edge.kind == EdgeKind::kPart);
    }
  }
  std::vector<FlowNode> out;
  out.reserve(nodes.size());
  for (auto& [index, node] : nodes) out.push_back(std::move(node));
  return out;
}

uint64_t patched_words(std::span<const FlowNode> graph) {
  uint64_t words = 0;
  const auto mark = [&](unsigned first_byte, unsigned bytes) {
    for (unsigned i = first_byte / 4; i < (first_byte + bytes + 3) / 4 && i < kMaxDescWords; ++i)
      words |= uint64_t{1} << i;
  };
  const auto look = [&](const auto& command) {
    using C = std::decay_t<decltype(command)>;
    if constexpr (std::is_same_v<C, Move> || std::is_same_v<C, MoveB> || std::is_same_v<C, MoveDw>) {
      if (command.dst == MoveDst::kDescBuf) mark(command.offset, command.length());
    } else if constexpr (std::is_same_v<C, MoveLen>) {
      if (command.dst == MoveDst::kDescBuf) mark(command.offset, kMaxDescWords * 4);
    } else if constexpr (std::is_same_v<C, Load>) {
      if (command.cls == ClassSel::kDeco && command.dst == kRegDescBuf) mark(command.offset * 4u, command.len * 4u);
    }
  };
  for (const FlowNode& flow : graph) std::visit(look, flow.node.command);
  return words;
}

}  // namespace caamlab::desc
