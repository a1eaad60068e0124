// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Register rows, hooks, pages and byte order.
#include "hw_model/reg_bank.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace caamlab::hw_model {
namespace {

TEST(RegBank, RowsHoldTheirBits) {
  RegBank bank;
  bank.add({.name = "A", .offset = 0x10, .reset = 0xF0F0F0F0, .writable = 0x0000FFFF});
  bank.add({.name = "B", .offset = 0x14, .reset = 0xFF, .writable = 0xF00, .w1c = 0x0F});
  bank.add({.name = "C", .offset = 0xFFC, .reset = 7});
  EXPECT_EQ(bank.read(0x10), 0xF0F0F0F0u);
  bank.write(0x10, 0x12345678);
  EXPECT_EQ(bank.read(0x10), 0xF0F05678u);
  bank.write(0x14, 0xF03);
  EXPECT_EQ(bank.read(0x14), 0xFFCu);
  bank.write(0xFFC, 0);
  EXPECT_EQ(bank.read(0xFFC), 7u);
  bank.set(0xFFC, 9);
  EXPECT_EQ(bank.get(0xFFC), 9u);
  bank.reset();
  EXPECT_EQ(bank.read(0x10), 0xF0F0F0F0u);
  EXPECT_EQ(bank.read(0xFFC), 7u);
}

TEST(RegBank, OffsetsWithoutARowReadZeroAndIgnoreWrites) {
  RegBank bank;
  bank.add({.name = "A", .offset = 0});
  bank.write(4, 0xFFFFFFFF);
  EXPECT_EQ(bank.read(4), 0u);
  EXPECT_FALSE(bank.has(4));
  EXPECT_EQ(bank.spec(4), nullptr);
  EXPECT_STREQ(bank.spec(0)->name, "A");
}

TEST(RegBank, ArraysAndListing) {
  RegBank bank;
  bank.add_array({.name = "KEY", .offset = 0x100, .writable = 0xFF}, 3);
  bank.write(0x108, 0xABCD);
  EXPECT_EQ(bank.read(0x108), 0xCDu);
  EXPECT_FALSE(bank.has(0x10C));
  std::vector<uint32_t> offsets;
  for (const RegSpec& row : bank.rows()) offsets.push_back(row.offset);
  EXPECT_EQ(offsets, (std::vector<uint32_t>{0x100, 0x104, 0x108}));
}

struct Counter {
  uint32_t read(uint32_t offset) const { return offset + base; }
  void write(uint32_t offset, uint32_t value) { writes.emplace_back(offset, value); }
  uint32_t base = 1000;
  std::vector<std::pair<uint32_t, uint32_t>> writes;
};

TEST(RegBank, HooksReplaceTheStoredValue) {
  RegBank bank;
  Counter counter;
  bank.add_array({.name = "X", .offset = 8, .writable = 0xFFFFFFFF}, 2);
  bank.on_read(12, read_hook<&Counter::read>(&counter));
  bank.on_write(12, write_hook<&Counter::write>(&counter));
  bank.write(12, 5);
  EXPECT_EQ(bank.read(12), 1012u);
  EXPECT_EQ(bank.get(12), 0u);  // the hook stores what it wants
  EXPECT_EQ(counter.writes, (std::vector<std::pair<uint32_t, uint32_t>>{{12, 5}}));
  bank.write(8, 6);
  EXPECT_EQ(bank.read(8), 6u);
}

TEST(RegisterSpace, RoutesPagesOfBothSizes) {
  for (const uint32_t page_bytes : {0x1000u, 0x10000u}) {
    RegisterSpace space(page_bytes, desc::Endian::kLittle);
    RegBank first, third, common;
    first.add({.name = "A", .offset = 4, .reset = 0xA});
    third.add({.name = "B", .offset = 4, .reset = 0xB, .writable = 0xFF00});
    common.add({.name = "V", .offset = desc::reg::kCsta, .reset = 0xC});
    space.set_page(0, &first);
    space.set_page(2, &third);
    space.set_common(&common);
    RegisterBus& bus = space;
    EXPECT_EQ(bus.read32(4), 0xAu);
    bus.write32(2 * page_bytes + 4, 0x1200);
    EXPECT_EQ(bus.read32(2 * page_bytes + 4), 0x120Bu);
    EXPECT_EQ(bus.read32(page_bytes + 4), 0u);  // nobody there
    for (unsigned page = 0; page < 4; ++page) {
      EXPECT_EQ(bus.read32(space.page_offset(page) + desc::reg::kCsta), 0xCu);
    }
    space.set_page(2, nullptr);
    EXPECT_EQ(bus.read32(2 * page_bytes + 4), 0u);
    EXPECT_EQ(space.page(0), &first);
    EXPECT_EQ(space.page(99), nullptr);
  }
}

TEST(RegisterSpace, StrayAccessesAreHarmless) {
  RegisterSpace space(0x10000, desc::Endian::kLittle);
  RegBank bank;
  bank.add({.name = "A", .offset = 4, .reset = 0xA, .writable = 0xFF});
  space.set_page(0, &bank);
  for (const uint32_t offset : {1u, 2u, 3u, 5u, 6u, 7u, 0x1004u, 0xF004u, space.size_bytes(), 0xFFFFFFFCu}) {
    EXPECT_EQ(space.read32(offset), 0u) << offset;
    space.write32(offset, 0xFF);
  }
  EXPECT_EQ(bank.read(4), 0xAu);
}

TEST(RegisterSpace, BigEndianPartsShowSwappedWords) {
  RegisterSpace space(0x1000, desc::Endian::kBig);
  RegBank bank;
  bank.add({.name = "A", .offset = 0, .reset = 0x00000406, .writable = 0xFFFFFFFF});
  space.set_page(0, &bank);
  EXPECT_EQ(space.read32(0), 0x06040000u);
  space.write32(0, 0x11223344);
  EXPECT_EQ(bank.read(0), 0x44332211u);
}

// The map of desc/regs.h has no two registers of a page at one place (a bank asserts it; here for all pages at once).
TEST(RegisterMap, CommonBlockLeavesTheOtherPagesAlone) {
  using namespace desc::reg;
  EXPECT_LT(kDer, kCommonFirst);
  EXPECT_LT(kRdint1, kCommonFirst);
  EXPECT_LT(kJrcr, kCommonFirst);
  EXPECT_EQ(kDecoDidMs + 8 * kMaxDecos, kDar);
  EXPECT_EQ(kJrDidMs + 8 * kMaxJobRings, 0x30u);
}

}  // namespace
}  // namespace caamlab::hw_model
