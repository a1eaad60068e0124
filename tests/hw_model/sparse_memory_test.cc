// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Memory at recorded addresses: what may be read and written, and the record of writes.
#include "hw_model/sparse_memory.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

#include "hw_model/memory.h"

namespace caamlab::hw_model {
namespace {

using Bytes = std::vector<uint8_t>;
using Dir = DmaDirection;

TEST(SparseMemory, OnlyGivenBytesCanBeRead) {
  SparseMemory memory;
  EXPECT_TRUE(memory.give(0x4358'2000, Bytes{1, 2, 3, 4}));
  const auto window = memory.window(0x4358'2001, 100, Dir::kToDevice);
  EXPECT_EQ(Bytes(window.begin(), window.end()), (Bytes{2, 3, 4}));
  EXPECT_TRUE(memory.window(0x4358'2004, 1, Dir::kToDevice).empty());
  EXPECT_TRUE(memory.window(0x4358'1FFF, 1, Dir::kToDevice).empty());
  EXPECT_TRUE(memory.window(0x9'0000'0000, 1, Dir::kToDevice).empty());
  EXPECT_EQ(memory.refusals().size(), 3u);
}

TEST(SparseMemory, DataMayBeGivenTwiceIfItAgrees) {
  SparseMemory memory;
  EXPECT_TRUE(memory.give(100, Bytes{1, 2, 3}));
  EXPECT_TRUE(memory.give(102, Bytes{3, 4}));
  EXPECT_FALSE(memory.give(101, Bytes{2, 9}));
  EXPECT_EQ(memory.peek(99, 6), (Bytes{0, 1, 2, 3, 4, 0}));
}

TEST(SparseMemory, WritesNeedADeclaredRegion) {
  SparseMemory memory;
  memory.give(0x1000, Bytes{1, 2, 3, 4});
  EXPECT_FALSE(bus_write(memory, 0x1000, Bytes{9}));  // readable is not writable
  memory.allow_write(0x1002, 4);
  EXPECT_EQ(memory.window(0x1003, 100, Dir::kFromDevice).size(), 3u);
  EXPECT_TRUE(memory.window(0x1006, 1, Dir::kFromDevice).empty());
}

TEST(SparseMemory, WritesAnywhereOnDemand) {
  SparseMemory memory(SparseMemory::WritePolicy::kAnywhere);
  EXPECT_TRUE(bus_write(memory, 0xFFFE, Bytes{1, 2, 3, 4}));  // crosses a page
  EXPECT_EQ(memory.peek(0xFFFE, 4), (Bytes{1, 2, 3, 4}));
  std::array<uint8_t, 4> back;
  EXPECT_TRUE(bus_read(memory, 0xFFFE, back));  // what was written can be read
  EXPECT_FALSE(bus_read(memory, 0xFFFF, back));
}

TEST(SparseMemory, AdjacentWritesAreJoined) {
  SparseMemory memory(SparseMemory::WritePolicy::kAnywhere);
  bus_write(memory, 0x1FF0, Bytes(16, 1));
  bus_write(memory, 0x2000, Bytes(8, 2));
  bus_write(memory, 0x3000, Bytes(4, 3));
  bus_write(memory, 0x2008, Bytes(4, 4));
  const auto writes = memory.writes();
  ASSERT_EQ(writes.size(), 3u);
  EXPECT_EQ(writes[0].addr, 0x1FF0u);
  EXPECT_EQ(writes[0].bytes.size(), 24u);
  EXPECT_EQ(writes[0].bytes[15], 1);
  EXPECT_EQ(writes[0].bytes[16], 2);
  EXPECT_EQ(writes[1].addr, 0x3000u);
  EXPECT_EQ(writes[2].addr, 0x2008u);
}

TEST(SparseMemory, ALaterWriteKeepsTheEarlierRecord) {
  SparseMemory memory(SparseMemory::WritePolicy::kAnywhere);
  bus_write(memory, 0x1000, Bytes{1, 2, 3, 4});
  bus_write(memory, 0x1002, Bytes{9, 9});
  bus_write(memory, 0x1002, Bytes{8, 8});
  const auto writes = memory.writes();
  ASSERT_EQ(writes.size(), 3u);
  EXPECT_EQ(writes[0].bytes, (Bytes{1, 2, 3, 4}));
  EXPECT_EQ(writes[1].bytes, (Bytes{9, 9}));
  EXPECT_EQ(writes[2].bytes, (Bytes{8, 8}));
  EXPECT_EQ(memory.peek(0x1000, 4), (Bytes{1, 2, 8, 8}));
  memory.clear_writes();
  EXPECT_TRUE(memory.writes().empty());
}

}  // namespace
}  // namespace caamlab::hw_model
