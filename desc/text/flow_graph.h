// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The ways through a listing: runs of commands that are entered at the top only, and what leads from one to another.
// A graph to look at; it follows jumps as they are written and knows nothing of values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "desc/text/disassemble.h"

namespace caamlab::desc {

enum class FlowEnd : uint8_t { kBlock, kDone, kHalt, kReturn, kOtherDescriptor, kOutside };

struct FlowEdge {
  FlowEnd end = FlowEnd::kBlock;
  size_t to = 0;        // a block, of kBlock
  std::string label{};  // on what condition; empty: always, or in order
  bool taken = false;   // by a jump, not by going on
};

struct FlowBlock {
  std::vector<size_t> lines;  // of the listing
  std::vector<FlowEdge> edges;
};

struct FlowGraph {
  std::vector<FlowBlock> blocks;  // in the order of execution; [0] is entered first
};

// A buffer with a shared descriptor and the job behind it runs in the order that the job's REO says.
FlowGraph flow_graph(const Listing& listing);

// In the language of Graphviz. `title`: of the graph.
std::string to_dot(const Listing& listing, const FlowGraph& graph, std::string_view title);

}  // namespace caamlab::desc
