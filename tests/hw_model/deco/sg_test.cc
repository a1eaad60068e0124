// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Scatter/gather tables as a DECO reads them (hardware.md 7.1, 7.3): links, offsets, final entries, what is not looked
// at, and tables that are wrong; in both formats.
#include "tests/hw_model/deco/fixture.h"

namespace caamlab::tests {
namespace {

using desc::ClassSel;
using desc::DecoError;
using desc::SgEntry;
using desc::SgFormat;

struct Part {
  desc::Target target;
  SgFormat format;
};
std::string part_name(const testing::TestParamInfo<Part>& info) {
  return target_name(info.param.target) + (info.param.format == SgFormat::kDpaa2 ? "_dpaa2" : "");
}

class SgTest : public testing::TestWithParam<Part> {
 protected:
  // LOADs `len` bytes of the table into the class 2 context.
  JrStatus load(const Buffer& table, uint8_t len) {
    Builder b = rig.job();
    b.append_load(table.addr, {.cls = ClassSel::kClass2, .sgf_vlf = true, .dst = desc::kRegContext, .len = len});
    return rig.run(b);
  }
  std::string loaded(size_t len) { return hex({rig.c2().context(), len}); }

  Rig rig{GetParam().target, {.sg_format = GetParam().format}};
  const Bytes bytes_ = filler(48, 1);
  const Buffer data_ = rig.mem.input(bytes_);
};

TEST_P(SgTest, EntriesOfAnyLengthAndAlignment) {
  const Buffer table = rig.mem.table({Memory::entry(data_, 0, 1), Memory::entry(data_, 1, 30),
                                      Memory::entry(data_, 31, 3), Memory::entry(data_, 34, 14)});
  for (uint8_t len = 0; len <= 48; ++len) {
    EXPECT_EQ(load(table, len), ok());
    EXPECT_EQ(loaded(len), hex({bytes_.data(), len}));
  }
}

TEST_P(SgTest, OffsetMovesTheStart) {
  std::vector<SgEntry> entries = {Memory::entry(data_, 0, 5), Memory::entry(data_, 0, 7)};
  entries[0].offset = 3;
  entries[1].offset = 40;
  EXPECT_EQ(load(rig.mem.table(entries), 12), ok());
  EXPECT_EQ(loaded(12), hex({&bytes_[3], 5}) + hex({&bytes_[40], 7})) << "the length counts from there";
}

TEST_P(SgTest, Extension) {
  const Buffer last = rig.mem.table({Memory::entry(data_, 20, 10)});
  const Buffer middle =
      rig.mem.table({Memory::entry(data_, 10, 10), {.addr = last.addr, .len = 99, .ext = true}}, /*open=*/true);
  for (const bool final : {false, true}) {
    const Buffer first = rig.mem.table({Memory::entry(data_, 0, 10),
                                        {.addr = middle.addr, .ext = true, .final = final},
                                        Memory::entry(data_, 40, 8)});  // never looked at
    EXPECT_EQ(load(first, 30), ok());
    EXPECT_EQ(loaded(30), hex({bytes_.data(), 30}));
    EXPECT_EQ(load(first, 31), deco(DecoError::kSgLength, 1)) << "the final entry of the last table ends it";
  }
  const Buffer only_links = rig.mem.table({{.addr = last.addr, .ext = true}}, true);
  EXPECT_EQ(load(only_links, 10), ok());
}

TEST_P(SgTest, CommandLengthWins) {
  // Behind the bytes asked for there may be anything.
  const Buffer table = rig.mem.table({Memory::entry(data_, 0, 8), {}, {.addr = 0x10, .len = 5, .ext = true}}, true);
  EXPECT_EQ(load(table, 8), ok());
  EXPECT_EQ(load(table, 9), deco(DecoError::kSgNullEntry, 1));
}

TEST_P(SgTest, NothingBehindTheFinalEntryIsInterpreted) {
  std::vector<SgEntry> entries = {Memory::entry(data_, 0, 8), Memory::entry(data_, 8, 40)};
  entries[0].final = true;
  const Buffer table = rig.mem.table(entries);
  EXPECT_EQ(load(table, 8), ok());
  EXPECT_EQ(load(table, 9), deco(DecoError::kSgLength, 1));
}

TEST_P(SgTest, NullEntries) {
  for (const SgEntry& null :
       {SgEntry{.addr = data_.addr, .len = 0}, SgEntry{.addr = 0, .len = 8}, SgEntry{.addr = 0, .len = 0}}) {
    const Buffer first = rig.mem.table({null, Memory::entry(data_)});
    EXPECT_EQ(load(first, 1), deco(DecoError::kSgNullEntry, 1));
    const Buffer second = rig.mem.table({Memory::entry(data_, 0, 4), null, Memory::entry(data_)});
    EXPECT_EQ(load(second, 4), ok());
    EXPECT_EQ(load(second, 5), deco(DecoError::kSgNullEntry, 1));
  }
}

TEST_P(SgTest, LoopsEnd) {
  // A table of nothing but a link to itself.
  const Buffer table = rig.mem.both(Bytes(4 * desc::kSgEntryBytes));
  desc::store_sg_entry(table.data, {.addr = table.addr, .ext = true}, GetParam().format, GetParam().target);
  EXPECT_EQ(load(table, 1), deco(DecoError::kSgLength, 1));
  // A loop with data serves any length, as hardware would.
  desc::store_sg_entry(table.data, Memory::entry(data_, 0, 5), GetParam().format, GetParam().target);
  desc::store_sg_entry(table.data + desc::kSgEntryBytes, {.addr = table.addr, .ext = true}, GetParam().format,
                       GetParam().target);
  EXPECT_EQ(load(table, 12), ok());
  EXPECT_EQ(loaded(12), hex({bytes_.data(), 5}) + hex({bytes_.data(), 5}) + hex({bytes_.data(), 2}));
  // But not for ever.
  Builder b = rig.job();
  b.append_fifo_load_extlen(table.addr, 0xFFFFFFFF, {.cls = ClassSel::kClass1, .sgf_vlf = true, .type = 0x10});
  EXPECT_EQ(rig.run(b), deco(DecoError::kWatchdog, 1));
}

TEST_P(SgTest, UnreachableTableOrData) {
  EXPECT_EQ(load({.addr = 0x20}, 1), deco(DecoError::kDma, 1));
  EXPECT_EQ(load({.addr = 0x20}, 0), deco(DecoError::kDma, 1)) << "the table is fetched though nothing is wanted";
  const Buffer nowhere = rig.mem.table({Memory::entry(data_, 0, 4), {.addr = 0x20, .len = 4}});
  EXPECT_EQ(load(nowhere, 5), deco(DecoError::kDma, 1));
  const Buffer beyond = rig.mem.table({{.addr = data_.addr + 40, .len = 9}});
  EXPECT_EQ(load(beyond, 9), deco(DecoError::kDma, 1));
  const Buffer linked = rig.mem.table({{.addr = 0x20, .ext = true}}, true);
  EXPECT_EQ(load(linked, 1), deco(DecoError::kDma, 1));
  EXPECT_EQ(rig.mem.take_faults(), 5u);
}

// Four entries at a time: a table of n entries is read up to a multiple of four of them, and with it what lies behind.
TEST_P(SgTest, ReadInBurstsOfFour) {
  for (size_t entries = 1; entries <= 9; ++entries)
    for (size_t room = entries; room <= 12; ++room) {
      Bytes raw(room * desc::kSgEntryBytes, 0xff);  // uninitialised, in the kernel
      for (size_t i = 0; i < entries; ++i) {
        SgEntry entry = Memory::entry(data_, static_cast<uint32_t>(4 * i), 4);
        entry.final = i + 1 == entries;
        desc::store_sg_entry(&raw[i * desc::kSgEntryBytes], entry, GetParam().format, GetParam().target);
      }
      const Buffer table = rig.mem.input(raw);
      const auto len = static_cast<uint8_t>(4 * entries);
      // Bytes that the bursts within the room give.
      const size_t reachable = std::min(room / 4 * 16, size_t{len});
      EXPECT_EQ(load(table, static_cast<uint8_t>(reachable)), room < 4 ? deco(DecoError::kDma, 1) : ok()) << entries;
      const bool all = (entries + 3) / 4 * 4 <= room;
      EXPECT_EQ(load(table, len), all ? ok() : deco(DecoError::kDma, 1)) << entries << " in " << room;
      EXPECT_EQ(rig.mem.take_faults() != 0, !all);
      if (all) {
        EXPECT_EQ(loaded(len), hex({bytes_.data(), len}));
      }
    }
}

// A sequence pointer fetches at once, also for a length of 0; without a table it fetches nothing.
TEST_P(SgTest, EmptySequencesFetchTheirTable) {
  const Buffer three = rig.mem.input(Bytes(3 * desc::kSgEntryBytes)), four = rig.mem.input(Bytes(4 * 16));
  for (const bool output : {false, true})
    for (const uint32_t ext : {0u, 1u}) {
      const auto run = [&](BusAddr addr, bool sgf) {
        Builder b = rig.job();
        if (output)
          b.append_seq_out_ptr(addr, ext << 16, {.sgf = sgf});
        else
          b.append_seq_in_ptr(addr, ext << 16, {.sgf = sgf});
        return rig.run(b);
      };
      EXPECT_EQ(run(three.addr, true), deco(DecoError::kDma, 1));
      EXPECT_EQ(rig.mem.take_faults(), 1u);
      EXPECT_EQ(run(four.addr, true), ok());
      EXPECT_EQ(run(three.addr, false), ok());
      EXPECT_EQ(run(0, false), ok());
      EXPECT_EQ(rig.mem.take_faults(), 0u);
    }
}

// Each table of a chain in bursts of its own.
TEST_P(SgTest, BurstsBeginAnewBehindALink) {
  for (const size_t room : {3, 4}) {
    Bytes raw(room * desc::kSgEntryBytes, 0xff);
    desc::store_sg_entry(raw.data(), Memory::entry(data_, 8, 8), GetParam().format, GetParam().target);
    const Buffer last = rig.mem.input(raw);
    const Buffer first = rig.mem.table({Memory::entry(data_, 0, 8), {.addr = last.addr, .ext = true}}, true);
    EXPECT_EQ(load(first, 8), ok());
    EXPECT_EQ(load(first, 16), room == 4 ? ok() : deco(DecoError::kDma, 1));
    rig.mem.take_faults();
  }
}

TEST_P(SgTest, SequenceContinuesWhereItStopped) {
  const Buffer table =
      rig.mem.table({Memory::entry(data_, 0, 7), Memory::entry(data_, 7, 1), Memory::entry(data_, 8, 40)});
  Builder b = rig.job();
  b.append_seq_in_ptr(table.addr, 48, {.sgf = true});
  uint8_t at = 0;
  for (const unsigned n : {3, 4, 1, 2, 6}) {
    b.append_seq_load(n, {.cls = ClassSel::kClass2, .dst = desc::kRegContext, .offset = at});
    at = static_cast<uint8_t>(at + n);
  }
  EXPECT_EQ(rig.run(b), ok());
  EXPECT_EQ(loaded(16), hex({bytes_.data(), 16}));
}

std::vector<Part> parts() {
  std::vector<Part> out;
  for (const desc::Target& t : kTargets) out.push_back({t, SgFormat::kSec4});
  out.push_back({kLittle64, SgFormat::kDpaa2});
  return out;
}
INSTANTIATE_TEST_SUITE_P(Parts, SgTest, testing::ValuesIn(parts()), part_name);

}  // namespace
}  // namespace caamlab::tests
