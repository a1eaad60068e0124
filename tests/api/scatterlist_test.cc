// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Scatterlists: lengths, copies over every split, cursors.
#include "api/scatterlist.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <numeric>

namespace caamlab::api {
namespace {

std::vector<uint8_t> counting(size_t len) {
  std::vector<uint8_t> bytes(len);
  std::iota(bytes.begin(), bytes.end(), uint8_t{1});
  return bytes;
}

struct NentsCase {
  std::vector<size_t> lens;
  uint64_t len;
  int nents;
};

TEST(Scatterlist, NentsForLen) {
  const NentsCase cases[] = {
      {{}, 0, 0},
      {{}, 1, -EINVAL},
      {{5}, 0, 0},
      {{5}, 5, 1},
      {{5}, 6, -EINVAL},
      {{1, 2, 3}, 1, 1},
      {{1, 2, 3}, 2, 2},
      {{1, 2, 3}, 3, 2},
      {{1, 2, 3}, 4, 3},
      {{1, 2, 3}, 7, -EINVAL},
      {{0, 4}, 4, 2},
      {{4, 0}, 4, 1},
      {{4}, uint64_t{1} << 40, -EINVAL},
  };
  for (const NentsCase& c : cases) {
    std::vector<uint8_t> bytes(16);
    std::vector<Segment> segs;
    for (size_t len : c.lens) segs.push_back({bytes.data(), len});
    EXPECT_EQ(sg_nents_for_len(segs, c.len), c.nents) << c.lens.size() << " segments, len " << c.len;
  }
}

TEST(Scatterlist, CopyOverEverySplitAndOffset) {
  for (size_t piece : {0, 1, 2, 3, 7, 64}) {
    for (size_t skip = 0; skip <= 20; ++skip) {
      std::vector<uint8_t> bytes = counting(20);
      const SgTable table = SgTable::split_every(bytes, piece);
      EXPECT_EQ(sg_total_len(table), 20u);
      std::vector<uint8_t> out(8);
      const size_t copied = sg_copy_to_buffer(out, table, skip);
      ASSERT_EQ(copied, std::min<size_t>(8, 20 - skip));
      EXPECT_TRUE(std::equal(out.begin(), out.begin() + copied, bytes.begin() + skip));

      std::vector<uint8_t> target(20);
      const SgTable into = SgTable::split_every(target, piece + 1);
      ASSERT_EQ(sg_copy(into, skip, table, skip, 100), 20 - skip);
      for (size_t i = 0; i < 20; ++i) EXPECT_EQ(target[i], i < skip ? 0 : bytes[i]);

      const std::vector<uint8_t> in(8, 0xaa);
      ASSERT_EQ(sg_copy_from_buffer(table, in, skip), copied);
      for (size_t i = 0; i < 20; ++i) EXPECT_EQ(bytes[i], i >= skip && i < skip + copied ? 0xaa : i + 1);
    }
  }
}

TEST(Scatterlist, SplitAtRepeatsItsLengthsAndSkipsEmptyOnes) {
  std::vector<uint8_t> bytes = counting(10);
  const size_t lens[] = {1, 0, 3};
  const SgTable table = SgTable::split_at(bytes, lens);
  const size_t expected[] = {1, 0, 3, 1, 0, 3, 1, 0, 1};
  ASSERT_EQ(table.list().size(), std::size(expected));
  for (size_t i = 0; i < std::size(expected); ++i) EXPECT_EQ(table.list()[i].len, expected[i]);
  std::vector<uint8_t> out(10);
  EXPECT_EQ(sg_copy_to_buffer(out, table), 10u);
  EXPECT_EQ(out, bytes);
  EXPECT_EQ(SgTable::split_at(bytes, {}).list().size(), 1u);
}

TEST(Scatterlist, CursorEndsAndSkipsEmptySegments) {
  std::vector<uint8_t> bytes = counting(6);
  const Segment segs[] = {{bytes.data(), 0}, {bytes.data(), 2}, {nullptr, 0}, {bytes.data() + 2, 4}, {nullptr, 0}};
  SgCursor cursor(segs);
  EXPECT_EQ(cursor.run().size(), 2u);
  EXPECT_EQ(cursor.advance(3), 3u);
  EXPECT_EQ(cursor.run().size(), 3u);
  EXPECT_EQ(cursor.run()[0], 4);
  EXPECT_EQ(cursor.advance(9), 3u);
  EXPECT_TRUE(cursor.at_end());
  EXPECT_EQ(cursor.advance(1), 0u);
  EXPECT_TRUE(SgCursor(Scatterlist()).at_end());
}

TEST(Scatterlist, SameMeansTheSameArray) {
  std::vector<uint8_t> bytes(4);
  const SgTable a = SgTable::of(std::span<uint8_t>(bytes));
  const SgTable b = SgTable::of(std::span<uint8_t>(bytes));
  EXPECT_TRUE(sg_same(a, a));
  EXPECT_FALSE(sg_same(a, b));
}

TEST(Scatterlist, AppendJoinsLists) {
  std::vector<uint8_t> aad = counting(3);
  std::vector<uint8_t> text = counting(5);
  SgTable table = SgTable::of(std::span<uint8_t>(aad));
  table.append(SgTable::split_every(text, 2));
  EXPECT_EQ(table.list().size(), 4u);
  EXPECT_EQ(sg_total_len(table), 8u);
}

}  // namespace
}  // namespace caamlab::api
