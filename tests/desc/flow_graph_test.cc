// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Graphs of listings: where a run of commands ends and where it can go.
#include "desc/text/flow_graph.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

namespace caamlab::desc {
namespace {

// "0: 1 3 -> 2(all shrd) 1(else)": indices of the first and last command of each block, and where it leads.
std::string summary(std::vector<uint32_t> words, const Target& target = {.ptr_bytes = 4}) {
  const Listing listing = disassemble(words, {.target = target});
  const FlowGraph graph = flow_graph(listing);
  static constexpr const char* kEnds[] = {"", "done", "halt", "return", "other", "outside"};
  std::string text;
  for (size_t b = 0; b < graph.blocks.size(); ++b) {
    const FlowBlock& block = graph.blocks[b];
    text +=
        fmt::format("{}: {}-{}", b, listing.lines[block.lines.front()].index, listing.lines[block.lines.back()].index);
    for (const FlowEdge& e : block.edges)
      text += fmt::format(" {}{}", e.end == FlowEnd::kBlock ? std::to_string(e.to) : kEnds[static_cast<int>(e.end)],
                          e.label.empty() ? "" : "(" + e.label + ")");
    text += '\n';
  }
  return text;
}

constexpr uint32_t kNop = 0xa0000001;  // a JUMP to the next command

struct Case {
  const char* what;
  std::vector<uint32_t> words;
  const char* blocks;
};
const Case kCases[] = {
    {"nothing to run", {0xb0800001}, ""},
    {"no jumps", {0xb0800003, 0x8210090d, kNop}, "0: 1-2 done\n"},
    {"over a key when shared",
     {0xb8800005, 0xa1004003, 0x02800004, 0x03020100, 0x8210090d},
     "0: 1-1 2(all shrd) 1(else)\n1: 2-2 2\n2: 4-4 done\n"},
    {"to the end", {0xb0800003, 0xa0000002, 0x8210090d}, "0: 1-1 done\n1: 2-2 done\n"},
    {"a loop", {0xb0800003, 0xa8210104, 0xa00108ff}, "0: 1-2 0(none-of math_n) done(else)\n"},
    {"a loop without exit", {0xb0800002, 0xa0000000}, "0: 1-1 0\n"},
    {"halt", {0xb0800003, 0xa0c00000, kNop}, "0: 1-1 halt\n1: 2-2 done\n"},
    {"halt on a condition", {0xb0800003, 0xa0800400, kNop}, "0: 1-1 halt(all math_z) 1(else)\n1: 2-2 done\n"},
    {"call and return",
     {0xb0800005, 0xa0200003, kNop, 0xa0c00000, 0xa0600000},
     "0: 1-1 2(call) 1(on return)\n1: 2-3 halt\n2: 4-4 return\n"},
    {"to another descriptor", {0xb0800003, 0xa0400000, 0x00001000}, "0: 1-1 other\n"},
    {"outside", {0xb0800002, 0xa0000040}, "0: 1-1 outside\n"},
    {"into an operand", {0xb0800004, 0xa0000002, 0x02800004, 0x03020100}, "0: 1-1 outside\n1: 2-2 done\n"},
    {"never", {0xb0800003, 0xa0020002, kNop}, "0: 1-2 done\n"},
    {"shared, then job", {0xb8800002, 0x8210090d, 0xb0821003, 0x00001000, kNop}, "0: 1-4 done\n"},
    {"job, then shared", {0xb8800002, 0x8210090d, 0xb0821803, 0x00001000, kNop}, "0: 4-1 done\n"},
    {"from the end of the shared one into the job",
     {0xb8800003, 0xa0000002, kNop, 0xb0831003, 0x00001000, kNop},
     "0: 1-1 2\n1: 2-2 2\n2: 5-5 done\n"},
};

TEST(FlowGraph, Blocks) {
  for (const Case& c : kCases) EXPECT_EQ(summary(c.words), c.blocks) << c.what;
}

TEST(FlowGraph, Dot) {
  const Listing listing =
      disassemble(std::vector<uint32_t>{0xb8800005, 0xa1004003, 0x02800004, 0x03020100, 0x8210090d}, {});
  EXPECT_EQ(to_dot(listing, flow_graph(listing), "a \"b\""),
            "digraph \"a \\\"b\\\"\" {\n"
            "  node [shape=box, fontname=\"monospace\", fontsize=10];\n"
            "  edge [fontname=\"monospace\", fontsize=9];\n"
            "  b0 [label=\"  1  JUMP  jsl test=all cond=shrd -> 4\\l\"];\n"
            "  b1 [label=\"  2  KEY  class1 imm len=4 data=00010203\\l\"];\n"
            "  b2 [label=\"  4  OPERATION  class1 alg=aes aai=gcm as=initfinal encrypt\\l\"];\n"
            "  done [label=\"done\", shape=oval];\n"
            "  b0 -> b2 [label=\"all shrd\"];\n"
            "  b0 -> b1 [label=\"else\"];\n"
            "  b1 -> b2;\n"
            "  b2 -> done;\n"
            "}\n");
}

// Any words: every command is in one block, and every edge leads somewhere.
TEST(FlowGraph, RandomWords) {
  std::mt19937 random(11);
  for (int i = 0; i < 5000; ++i) {
    std::vector<uint32_t> words(random() % 30 + 1);
    for (uint32_t& word : words)
      word = random() % 2 == 0 ? 0xa0000000 | (random() & 0x07FFFF1F) : static_cast<uint32_t>(random());
    const Listing listing = disassemble(words, {});
    const FlowGraph graph = flow_graph(listing);
    size_t commands = 0, placed = 0;
    for (const ListedLine& line : listing.lines) commands += line.kind == ItemKind::kCommand;
    for (const FlowBlock& block : graph.blocks) {
      placed += block.lines.size();
      EXPECT_FALSE(block.edges.empty());
      for (const FlowEdge& e : block.edges) EXPECT_TRUE(e.end != FlowEnd::kBlock || e.to < graph.blocks.size());
    }
    EXPECT_EQ(placed, commands) << "seed 11, " << i;
  }
}

}  // namespace
}  // namespace caamlab::desc
