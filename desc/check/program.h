// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// A job as the DECO has it: shared and job descriptor in one buffer of 64 words, and where execution goes from each
// command (the control-flow graph). Nothing here depends on values: both ways of every conditional jump are edges.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "desc/bits.h"
#include "desc/check/finding.h"
#include "desc/command.h"
#include "desc/descriptor.h"

namespace caamlab::desc {

struct ProgramInput {
  std::span<const uint32_t> shared{}, job{};  // either may be missing
  bool fragment = false;                      // `job` is a piece without a header
  Target target{};
};

// One command in the buffer.
struct Node {
  unsigned index = 0;
  Command command{};
  std::span<const uint32_t> operands{};
  unsigned missing = 0;  // operand words beyond the end of its part
  unsigned next() const { return index + 1 + static_cast<unsigned>(operands.size()) + missing; }
};

enum class EdgeKind : uint8_t {
  kNext,   // the command behind it
  kJump,   // a jump taken
  kCall,   // GOSUB
  kPart,   // from one descriptor to the other
  kEnd,    // the job is done
  kHalt,   // JUMP halt
  kLeave,  // to a descriptor that is not here: non-local jump, replaced job, the other half of a pair
  kBad,    // to no command
};
struct Edge {
  EdgeKind kind;
  unsigned to = 0;           // buffer index, unless kEnd, kHalt, kLeave
  bool conditional = false;  // taken only if the jump's condition says so
};

class Program {
 public:
  explicit Program(const ProgramInput& input);

  bool has_shared() const { return sd_len_ != 0; }
  bool has_job() const { return sd_len_ < total_; }
  bool fragment() const { return fragment_; }
  // The other descriptor of the pair exists but is not here: what it does is unknown.
  bool incomplete() const { return fragment_ || !has_job() || (wants_shared_ && !has_shared()); }
  const Target& target() const { return target_; }
  unsigned size() const { return total_; }
  uint32_t word(unsigned index) const { return words_[index]; }
  unsigned entry() const { return entry_; }
  const std::optional<JobHeader>& job_header() const { return job_header_; }
  const std::optional<SharedHeader>& shared_header() const { return shared_header_; }
  unsigned shared_words() const { return sd_len_; }
  unsigned job_first() const { return job_first_; }
  unsigned shared_first() const { return shared_first_; }
  bool runs_job_first() const { return job_header_ && job_header_->reo; }

  Node node(unsigned index) const;
  Part part(unsigned index) const;
  unsigned index_in_part(unsigned index) const { return index < sd_len_ ? index : index - sd_len_; }
  // The same place where a part ends: 0 both parts still to run, 1 the second one runs.
  std::vector<Edge> edges(const Node& node, bool second_part) const;
  // Where execution goes on from `index` when that is the end of a part, or `index` itself.
  Edge arrive(unsigned from, unsigned index, bool second_part) const;

 private:
  std::array<uint32_t, 2 * kMaxDescWords> words_{};
  unsigned sd_len_ = 0, total_ = 0, entry_ = 0;
  unsigned job_first_ = 1, shared_first_ = 1;
  bool fragment_ = false, wants_shared_ = false;
  Target target_;
  std::optional<JobHeader> job_header_;
  std::optional<SharedHeader> shared_header_;
};

// Every command that some path reaches, in the order of the buffer.
struct FlowNode {
  Node node;
  std::vector<Edge> edges;
};
std::vector<FlowNode> flow_graph(const Program& program);

// Words of the buffer that commands of the graph write to, a bit each: what stands there now may not be what runs.
uint64_t patched_words(std::span<const FlowNode> graph);

}  // namespace caamlab::desc
