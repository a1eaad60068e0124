// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Job ring: entries in every byte order, counters, every error type, flush / reset / park, stalls, interrupts.
#include "hw_model/job_ring.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "tests/hw_model/ring_fixture.h"

namespace caamlab::hw_model {
namespace {

using namespace desc::reg;
using Result = RingRig::Result;

constexpr uint32_t kRunningHalt = 0, kHalting = 1, kHaltedHalt = 2;

TEST(JobRing, EntriesInEveryByteOrder) {
  struct Row {
    const char* what;
    desc::Target target;
    BusAddr desc;
    std::vector<uint8_t> in, out;
  };
  const Row rows[] = {
      {"big, 8",
       kBig64,
       0x4'5678'9ABC,
       {0, 0, 0, 4, 0x56, 0x78, 0x9A, 0xBC},
       {0, 0, 0, 4, 0x56, 0x78, 0x9A, 0xBC, 0x20, 0, 0x14, 0x1A}},
      {"big, 4", kBig32, 0x5678'9ABC, {0x56, 0x78, 0x9A, 0xBC}, {0x56, 0x78, 0x9A, 0xBC, 0x20, 0, 0x14, 0x1A}},
      {"little, 8",
       kLittle64,
       0x4'5678'9ABC,
       {0xBC, 0x9A, 0x78, 0x56, 4, 0, 0, 0},
       {0xBC, 0x9A, 0x78, 0x56, 4, 0, 0, 0, 0x1A, 0x14, 0, 0x20}},
      {"little, 4", kLittle32, 0x5678'9ABC, {0xBC, 0x9A, 0x78, 0x56}, {0xBC, 0x9A, 0x78, 0x56, 0x1A, 0x14, 0, 0x20}},
      {"i.MX, 8",
       kImx64,
       0x4'5678'9ABC,
       {4, 0, 0, 0, 0xBC, 0x9A, 0x78, 0x56},
       {4, 0, 0, 0, 0xBC, 0x9A, 0x78, 0x56, 0x1A, 0x14, 0, 0x20}},
      {"i.MX, 4", kImx32, 0x5678'9ABC, {0xBC, 0x9A, 0x78, 0x56}, {0xBC, 0x9A, 0x78, 0x56, 0x1A, 0x14, 0, 0x20}},
  };
  for (const Row& row : rows) {
    RingRig rig(row.target);
    std::copy(row.in.begin(), row.in.end(), rig.in.cpu);
    rig.write(kIrja, 1);
    EXPECT_EQ(rig.run_all(0x2000141A), std::vector{row.desc}) << row.what;
    EXPECT_EQ(std::vector<uint8_t>(rig.out.cpu, rig.out.cpu + row.out.size()), row.out) << row.what;
    EXPECT_EQ(rig.read(kIrri), row.in.size()) << row.what;
    EXPECT_EQ(rig.read(kOrwi), row.out.size()) << row.what;
    EXPECT_EQ(rig.read(kJrsta), 0x2000141Au) << row.what;
  }
}

// The pointer order of a part holds for its base registers too; halves may be written in either order.
TEST(JobRing, BaseRegistersFollowPointerOrder) {
  for (const desc::Target& target : {kBig64, kLittle64, kImx64}) {
    for (const bool high_first : {false, true}) {
      RingRig rig(target);
      const uint32_t low = target.ptr_low_word_first() ? 0 : 4;
      const uint32_t order[2] = {high_first ? 4 - low : low, high_first ? low : 4 - low};
      for (const uint32_t half : order) {
        rig.write(kIrba + half,
                  half == low ? static_cast<uint32_t>(rig.in.addr) : static_cast<uint32_t>(rig.in.addr >> 32));
      }
      rig.add({0x1000});
      EXPECT_EQ(rig.run_all(), std::vector<BusAddr>{0x1000});
      EXPECT_EQ(rig.read(kIrba + low), static_cast<uint32_t>(rig.in.addr));
    }
  }
}

TEST(JobRing, SecondOutputEntryFollowsWithoutPadding) {
  for (const desc::Target& target : {kBig64, kBig32, kLittle64, kLittle32}) {
    RingRig rig(target);
    rig.add({0x1000, 0x2000});
    rig.run_all(0x40000013);
    EXPECT_EQ(rig.result(0), (Result{0x1000, 0x40000013}));
    EXPECT_EQ(rig.result(1), (Result{0x2000, 0x40000013}));
    EXPECT_EQ(rig.read(kOrwi), 2 * (target.ptr_bytes + 4u));
  }
}

TEST(JobRing, InclSeqOutAppendsTheLength) {
  RingRig rig(kLittle64);
  rig.write(kJrcfgMs, jrcfg::kInclSeqOut);
  rig.add({0x1000, 0x2000});
  for (const uint32_t bytes : {1480u, 96u}) rig.ring.complete(rig.ring.take(), 0, bytes);
  EXPECT_EQ(rig.result(1, 4), (Result{0x2000, 0}));
  EXPECT_EQ(desc::load32(rig.out.cpu + 12, desc::Endian::kLittle), 1480u);
  EXPECT_EQ(desc::load32(rig.out.cpu + 16 + 12, desc::Endian::kLittle), 96u);
  EXPECT_EQ(rig.read(kOrwi), 32u);
}

TEST(JobRing, CountersMoveAtTheDocumentedMoments) {
  RingRig rig(kBig64, 4);
  EXPECT_EQ(rig.read(kIrsa), 4u);
  rig.add({0x1000, 0x2000, 0x3000});
  EXPECT_EQ(rig.read(kIrsa), 1u);  // at IRJA
  EXPECT_EQ(rig.ring.queued(), 3u);
  const BusAddr first = rig.ring.take();
  EXPECT_EQ(rig.read(kIrsa), 2u);  // at the fetch of the entry
  EXPECT_EQ(rig.read(kOrsf), 0u);
  EXPECT_EQ(rig.ring.in_flight(), 1u);
  rig.ring.complete(first, 0, 0);
  EXPECT_EQ(rig.read(kIrsa), 2u);
  EXPECT_EQ(rig.read(kOrsf), 1u);
  rig.write(kOrjr, 1);
  EXPECT_EQ(rig.read(kOrsf), 0u);
  EXPECT_EQ(rig.ring.id(), SourceId::kJr1);
}

TEST(JobRing, WrapsAroundManyTimes) {
  RingRig rig(kLittle64, 3);
  BusAddr next = 0x10000;
  for (int round = 0; round < 20; ++round) {
    const std::vector<BusAddr> descs = {next, next + 64};
    rig.add(descs);
    EXPECT_EQ(rig.run_all(), descs);
    for (uint32_t i = 0; i < 2; ++i) {
      EXPECT_EQ(rig.result((2 * static_cast<uint32_t>(round) + i) % 3).desc, descs[i]);
    }
    rig.write(kOrjr, 2);
    next += 128;
  }
  EXPECT_EQ(rig.error(), RingError::kNone);
}

TEST(JobRing, CompletionInAnyOrder) {
  RingRig rig(kLittle64);
  rig.add({0x1000, 0x2000, 0x3000});
  rig.ring.take();
  rig.ring.take();
  rig.ring.take();
  rig.ring.complete(0x3000, 3, 0);
  rig.ring.complete(0x1000, 1, 0);
  rig.ring.complete(0x2000, 2, 0);
  EXPECT_EQ(rig.result(0), (Result{0x3000, 3}));
  EXPECT_EQ(rig.result(1), (Result{0x1000, 1}));
  EXPECT_EQ(rig.result(2), (Result{0x2000, 2}));
}

TEST(JobRing, StallsWhileTheOutputRingHasNoRoom) {
  RingRig rig(kLittle64, 4);
  rig.write(kOrs, 2);
  rig.add({0x1000, 0x2000, 0x3000});
  EXPECT_EQ(rig.doorbells, 1);
  const BusAddr first = rig.ring.take();
  EXPECT_TRUE(rig.ring.has_job());
  rig.ring.take();
  EXPECT_FALSE(rig.ring.has_job());  // both slots are spoken for
  rig.ring.complete(first, 0, 0);
  rig.ring.complete(0x2000, 0, 0);
  EXPECT_FALSE(rig.ring.has_job());
  EXPECT_EQ(rig.read(kIrsa), 3u);
  rig.write(kOrjr, 1);
  EXPECT_TRUE(rig.ring.has_job());
  EXPECT_EQ(rig.doorbells, 2);  // room is news
  EXPECT_EQ(rig.ring.take(), 0x3000u);
}

TEST(JobRing, EveryErrorTypeIgnoresTheOffendingWrite) {
  struct Row {
    RingError error;
    std::function<void(RingRig&)> before;
    uint32_t offset;
    std::function<uint32_t(RingRig&)> value;
  };
  const auto idle = [](RingRig&) {};
  const auto queued = [](RingRig& r) { r.add({0x1000}); };
  const auto taken = [](RingRig& r) {
    r.add({0x1000});
    r.ring.take();
  };
  const auto reported = [](RingRig& r) {
    r.add({0x1000});
    r.run_all();
  };
  const auto v = [](uint32_t value) { return [value](RingRig&) { return value; }; };
  const Row rows[] = {
      {RingError::kInputBase, idle, kIrba + 4, v(0x1002)},
      {RingError::kOutputBase, idle, kOrba + 4, v(0x1001)},
      {RingError::kInputRegister, queued, kIrba + 4, v(0x1000)},
      {RingError::kInputRegister, queued, kIrs, v(4)},
      {RingError::kOutputRegister, taken, kOrba + 4, v(0x1000)},
      {RingError::kOutputRegister, reported, kOrba, v(1)},
      {RingError::kOutputRegister, reported, kOrs, v(4)},
      {RingError::kRemovedTooMany, idle, kOrjr, v(1)},
      {RingError::kRemovedTooMany, reported, kOrjr, v(2)},
      {RingError::kAddedTooMany, idle, kIrja, v(9)},
      {RingError::kAddedTooMany, queued, kIrja, v(8)},
      {RingError::kOrsfRange, idle, kOrsf, v(9)},
      {RingError::kIrsaRange, idle, kIrsa, v(9)},
      {RingError::kOrwiRange, idle, kOrwi, v(8 * 12 + 12)},
      {RingError::kOrwiRange, idle, kOrwi, v(8)},  // between entries
      {RingError::kIrriRange, idle, kIrri, v(8 * 8 + 8)},
      {RingError::kIrsaActive, queued, kIrsa, v(1)},
      {RingError::kIrriActive, queued, kIrri, v(8)},
      {RingError::kOrsfActive, reported, kOrsf, v(0)},
      {RingError::kOrwiActive, taken, kOrwi, v(12)},
  };
  for (const Row& row : rows) {
    RingRig rig(kBig64);
    row.before(rig);
    rig.write(kJrint, jrint::kJri);
    std::vector<uint32_t> registers;
    const uint32_t watched[] = {kIrba, kIrba + 4, kIrs, kIrsa, kOrba, kOrba + 4, kOrs, kOrsf, kIrri, kOrwi};
    for (const uint32_t offset : watched) registers.push_back(rig.read(offset));
    const uint32_t orwi = rig.read(kOrwi);
    const char* name = ring_error_name(row.error);

    rig.write(row.offset, row.value(rig));
    EXPECT_EQ(rig.error(), row.error) << name;
    EXPECT_EQ((rig.read(kJrint) & jrint::kErrOrwiMask) >> jrint::kErrOrwiShift, orwi) << name;
    EXPECT_EQ(rig.read(kJrsta), 0x60000000u | static_cast<uint32_t>(row.error)) << name;
    EXPECT_TRUE(rig.irq.level()) << name;
    for (size_t i = 0; i < std::size(watched); ++i) EXPECT_EQ(rig.read(watched[i]), registers[i]) << name;

    rig.write(kJrcfgLs, jrcfg::kImsk);
    EXPECT_FALSE(rig.irq.level()) << name;
    rig.write(kJrint, jrint::kJre);
    EXPECT_EQ(rig.error(), RingError::kNone) << name;
    EXPECT_STRNE(name, "unknown");
  }
}

TEST(JobRing, TheFirstErrorStaysUntilCleared) {
  RingRig rig(kBig64);
  rig.write(kOrjr, 1);
  rig.write(kIrja, 9);
  EXPECT_EQ(rig.error(), RingError::kRemovedTooMany);
  rig.write(kJrint, jrint::kJre);
  rig.write(kIrja, 9);
  EXPECT_EQ(rig.error(), RingError::kAddedTooMany);
}

TEST(JobRing, RegistersMayBeWrittenWhenTheRingAllowsIt) {
  RingRig rig(kLittle64);
  rig.add({0x1000});
  rig.run_all();
  rig.write(kIrs, 4);  // no job in the input ring
  EXPECT_EQ(rig.read(kIrsa), 4u);
  rig.write(kOrjr, 1);
  rig.write(kOrs, 4);  // no result, no job under way
  rig.write(kIrri, 16);
  rig.write(kOrwi, 24);
  rig.write(kIrsa, 3);
  EXPECT_EQ(rig.error(), RingError::kNone);
  EXPECT_EQ(rig.read(kOrwi), 24u);
  EXPECT_TRUE(rig.ring.has_job());  // IRSA < IRS: one job is there
  EXPECT_EQ(rig.read(kIrri), 16u);
  rig.run_all();
  EXPECT_EQ(rig.read(kIrri), 24u);
  EXPECT_EQ(rig.read(kOrwi), 36u);
}

TEST(JobRing, SizesAreTenBits) {
  RingRig rig(kLittle64);
  rig.write(kIrs, 0xFFFFFFFF);
  EXPECT_EQ(rig.read(kIrs), 1023u);
  EXPECT_EQ(rig.read(kIrsa), 1023u);
}

// As caam_reset_hw_jr() does it before it sets the ring up.
TEST(JobRing, KernelResetOfAnIdleRing) {
  for (const bool configured : {false, true}) {
    RingRig rig(kBig64);
    if (!configured) rig.ring.hard_reset();
    rig.write(kJrcfgLs, rig.read(kJrcfgLs) | jrcfg::kImsk);
    rig.write(kJrcr, jrcr::kReset);
    EXPECT_EQ(rig.halt(), kHaltedHalt);
    EXPECT_EQ(rig.read(kJrcr), 0u);
    rig.write(kJrcr, jrcr::kReset);
    EXPECT_EQ(rig.read(kJrcr), 0u);
    EXPECT_EQ(rig.read(kJrint), 0u);
    for (const uint32_t offset : {kIrba, kIrba + 4, kIrs, kIrsa, kOrba, kOrba + 4, kOrs, kOrsf, kIrri, kOrwi}) {
      EXPECT_EQ(rig.read(offset), 0u) << offset;
    }
    rig.write(kJrcfgLs, rig.read(kJrcfgLs) & ~jrcfg::kImsk);
    EXPECT_FALSE(rig.irq.level());
    rig.configure(8);
    rig.add({0x1000});
    EXPECT_EQ(rig.run_all(), std::vector<BusAddr>{0x1000});
    EXPECT_EQ(rig.result(0), (Result{0x1000, 0}));
  }
}

TEST(JobRing, FlushWaitsForJobsInDecosThenReportsTheRest) {
  RingRig rig(kBig64);
  rig.add({0x1000, 0x2000, 0x3000, 0x4000});
  rig.ring.take();
  rig.ring.take();
  rig.write(kJrcr, jrcr::kReset);
  EXPECT_EQ(rig.halt(), kHalting);
  EXPECT_EQ(rig.read(kJrcr), jrcr::kReset);
  EXPECT_FALSE(rig.ring.has_job());
  rig.ring.complete(0x2000, 0, 0);
  EXPECT_EQ(rig.halt(), kHalting);
  rig.write(kJrcr, jrcr::kReset);  // too early
  EXPECT_EQ(rig.error(), RingError::kResetEarly);
  EXPECT_EQ(rig.halt(), kHalting);
  rig.ring.complete(0x1000, 0, 0);
  EXPECT_EQ(rig.halt(), kHaltedHalt);
  EXPECT_EQ(rig.read(kOrsf), 4u);
  EXPECT_EQ(rig.result(0), (Result{0x2000, 0}));
  EXPECT_EQ(rig.result(1), (Result{0x1000, 0}));
  EXPECT_EQ(rig.result(2), (Result{0x3000, kStatusJrReset}));
  EXPECT_EQ(rig.result(3), (Result{0x4000, kStatusJrReset}));
  EXPECT_EQ(rig.read(kIrsa), 8u);
}

TEST(JobRing, FlushNeedsRoomInTheOutputRing) {
  RingRig rig(kBig64, 4);
  rig.write(kOrs, 2);
  rig.add({0x1000, 0x2000, 0x3000});
  rig.write(kJrcr, jrcr::kReset);
  EXPECT_EQ(rig.halt(), kHalting);
  EXPECT_EQ(rig.read(kOrsf), 2u);
  rig.write(kOrjr, 2);
  EXPECT_EQ(rig.halt(), kHaltedHalt);
  EXPECT_EQ(rig.result(0), (Result{0x3000, kStatusJrReset}));
}

TEST(JobRing, AFlushedRingCanBeResumed) {
  RingRig rig(kBig64);
  rig.add({0x1000});
  rig.write(kJrcr, jrcr::kReset);
  rig.add({0x2000});
  EXPECT_FALSE(rig.ring.has_job());
  rig.write(kJrint, jrint::kHaltComplete);
  EXPECT_EQ(rig.halt(), kRunningHalt);
  EXPECT_EQ(rig.run_all(), std::vector<BusAddr>{0x2000});
}

TEST(JobRing, ParkKeepsTheEntries) {
  RingRig rig(kBig64);
  rig.add({0x1000, 0x2000});
  rig.ring.take();
  rig.write(kJrcr, jrcr::kPark);
  EXPECT_EQ(rig.halt(), kHalting);
  EXPECT_EQ(rig.read(kJrcr), jrcr::kPark);
  rig.ring.complete(0x1000, 0, 0);
  EXPECT_EQ(rig.halt(), kHaltedHalt);
  EXPECT_TRUE(rig.ring.halted());
  EXPECT_EQ(rig.ring.queued(), 1u);
  EXPECT_EQ(rig.read(kOrsf), 1u);
  EXPECT_FALSE(rig.ring.has_job());
  const int doorbells = rig.doorbells;
  rig.write(kJrint, jrint::kHaltComplete);
  EXPECT_EQ(rig.doorbells, doorbells + 1);
  EXPECT_EQ(rig.run_all(), std::vector<BusAddr>{0x2000});
}

// A parked ring still needs both RESET writes, and its entries are reported.
TEST(JobRing, ResetOfAParkedRingFlushesFirst) {
  RingRig rig(kBig64);
  rig.add({0x1000});
  rig.write(kJrcr, jrcr::kPark);
  rig.write(kJrcr, jrcr::kReset);
  EXPECT_EQ(rig.halt(), kHaltedHalt);
  EXPECT_EQ(rig.result(0), (Result{0x1000, kStatusJrReset}));
  EXPECT_EQ(rig.read(kIrs), 8u);
  rig.write(kJrcr, jrcr::kReset);
  EXPECT_EQ(rig.halt(), kRunningHalt);
  EXPECT_EQ(rig.read(kIrs), 0u);
}

TEST(JobRing, InputRingThatCannotBeReadHaltsAndRecovers) {
  RingRig rig(kLittle64);
  rig.space.refuse(rig.in.addr + 8, 8);
  rig.add({0x1000, 0x2000, 0x3000});
  EXPECT_EQ(rig.ring.take(), 0x1000u);
  EXPECT_EQ(rig.error(), RingError::kInputBase);
  EXPECT_EQ(rig.faults, std::vector<BusAddr>{rig.in.addr + 8});
  EXPECT_EQ(rig.halt(), kHalting);
  rig.ring.complete(0x1000, 0, 0);
  EXPECT_EQ(rig.halt(), kHaltedHalt);
  rig.space.clear_refusals();
  rig.write(kJrint, jrint::kJre | jrint::kHaltComplete);
  EXPECT_EQ(rig.run_all(), (std::vector<BusAddr>{0x2000, 0x3000}));
}

// A driver that frees its rings without a reset gets errors, not a crash.
TEST(JobRing, RingsFreedUnderTheDevice) {
  RingRig rig(kLittle64);
  rig.add({0x1000, 0x2000});
  rig.ring.take();
  rig.space.free_coherent(rig.in);
  rig.space.free_coherent(rig.out);
  rig.ring.complete(0x1000, 0, 0);
  EXPECT_EQ(rig.error(), RingError::kOutputWrite);
  EXPECT_EQ(rig.read(kOrsf), 0u);
  rig.ring.take();  // was fetched before
  rig.ring.complete(0x2000, 0, 0);
  rig.write(kIrja, 1);
  EXPECT_FALSE(rig.ring.has_job());
  rig.write(kJrcr, jrcr::kReset);
  EXPECT_EQ(rig.halt(), kHaltedHalt);
  EXPECT_EQ(rig.faults.size(), 4u);
}

// Ring memory in pieces: an entry may lie across two windows.
TEST(JobRing, EntriesAcrossWindows) {
  class Pieces final : public BusMemory {
   public:
    std::span<uint8_t> window(BusAddr addr, size_t len, DmaDirection) override {
      constexpr size_t kPiece = 10;
      return std::span(bytes).subspan(addr, std::min(len, kPiece - addr % kPiece));
    }
    std::array<uint8_t, 400> bytes{};
  } memory;
  const desc::Target target = kBig64;
  LevelIrq irq;
  JobRing ring({.index = 0, .target = &target, .bus = &memory, .irq = &irq, .doorbell = {}, .on_fault = {}});
  ring.bank().write(kOrba + 4, 200);
  ring.bank().write(kIrs, 8);
  ring.bank().write(kOrs, 8);
  for (unsigned i = 0; i < 8; ++i) desc::store_be64(&memory.bytes[8 * i], 0x4'0000'1000 + i);
  ring.bank().write(kIrja, 8);
  for (unsigned i = 0; i < 8; ++i) {
    ASSERT_TRUE(ring.has_job());
    const BusAddr desc = ring.take();
    EXPECT_EQ(desc, 0x4'0000'1000 + i);
    ring.complete(desc, i, 0);
    EXPECT_EQ(desc::load_be64(&memory.bytes[200 + 12 * i]), desc);
    EXPECT_EQ(desc::load_be32(&memory.bytes[200 + 12 * i + 8]), i);
  }
}

// The sequence of caam_jr_interrupt() and caam_jr_dequeue().
TEST(JobRing, KernelInterruptSequence) {
  RingRig rig(kLittle64);
  rig.add({0x1000, 0x2000});
  EXPECT_FALSE(rig.irq.level());
  rig.ring.complete(rig.ring.take(), 0, 0);
  EXPECT_TRUE(rig.irq.level());
  const uint32_t status = rig.read(kJrint);
  EXPECT_EQ(status, jrint::kJri);
  rig.write(kJrcfgLs, jrcfg::kImsk);
  EXPECT_FALSE(rig.irq.level());
  rig.write(kJrint, status);
  EXPECT_EQ(rig.read(kJrint), jrint::kJri);  // a result is left: asserted again
  rig.write(kOrjr, rig.read(kOrsf));
  rig.write(kJrcfgLs, 0);
  EXPECT_FALSE(rig.irq.level());
  rig.run_all();
  EXPECT_TRUE(rig.irq.level());
}

TEST(JobRing, UnacknowledgedInterruptStaysHigh) {
  RingRig rig(kLittle64);
  rig.add({0x1000});
  rig.run_all();
  rig.write(kOrjr, 1);
  EXPECT_TRUE(rig.irq.level());
  rig.write(kJrint, jrint::kJri);
  EXPECT_FALSE(rig.irq.level());
}

TEST(JobRing, CoalescingByCount) {
  RingRig rig(kLittle64);
  rig.write(kJrcfgLs, jrcfg::kIcen | 3u << jrcfg::kIcdctShift);
  rig.add({0x1000, 0x2000, 0x3000, 0x4000});
  for (const bool expected : {false, false, true, true}) {
    rig.ring.complete(rig.ring.take(), 0, 0);
    EXPECT_EQ(rig.irq.level(), expected);
  }
  rig.write(kOrjr, 1);
  rig.write(kJrint, jrint::kJri);
  EXPECT_TRUE(rig.irq.level());  // three are still there
  rig.write(kOrjr, 1);
  EXPECT_FALSE(rig.irq.level());
  rig.write(kJrcfgLs, 0);  // coalescing off: two results wait
  EXPECT_TRUE(rig.irq.level());
}

TEST(JobRing, CoalescingByTime) {
  RingRig rig(kLittle64);
  rig.write(kJrcfgLs, jrcfg::kIcen | 200u << jrcfg::kIcdctShift | 10u << jrcfg::kIcttShift);
  EXPECT_EQ(rig.ring.next_deadline(), std::nullopt);
  rig.add({0x1000, 0x2000});
  rig.ring.complete(rig.ring.take(), 0, 0);
  EXPECT_EQ(rig.ring.next_deadline(), 640u);
  rig.ring.tick(600);
  EXPECT_FALSE(rig.irq.level());
  rig.ring.complete(rig.ring.take(), 0, 0);  // restarts the timer
  EXPECT_EQ(rig.ring.next_deadline(), 640u);
  rig.ring.tick(639);
  EXPECT_FALSE(rig.irq.level());
  rig.ring.tick(1);
  EXPECT_TRUE(rig.irq.level());
  EXPECT_EQ(rig.ring.next_deadline(), std::nullopt);
  rig.write(kJrint, jrint::kJri);
  EXPECT_FALSE(rig.irq.level());
  rig.ring.tick(100000);
  EXPECT_FALSE(rig.irq.level());
}

TEST(JobRing, HardResetForgetsEverything) {
  RingRig rig(kLittle64);
  rig.write(kJrcfgLs, jrcfg::kIcen);
  rig.write(kJrcfgMs, jrcfg::kInclSeqOut);
  rig.add({0x1000, 0x2000});
  rig.ring.take();
  rig.ring.hard_reset();
  for (const RegSpec& row : rig.ring.bank().rows()) EXPECT_EQ(rig.read(row.offset), 0u) << row.name;
  EXPECT_EQ(rig.ring.in_flight() + rig.ring.queued(), 0u);
}

}  // namespace
}  // namespace caamlab::hw_model
