// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// DMA mappings: exact bounds, direction, lifetime, misuse reports, quarantine, injected faults, leaks.
#include "hw_model/memory.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace caamlab::hw_model {
namespace {

using Dir = DmaDirection;
constexpr Dir kDirs[] = {Dir::kToDevice, Dir::kFromDevice, Dir::kBidirectional};

std::vector<DmaBug::Kind> bug_kinds(const DmaSpace& space) {
  std::vector<DmaBug::Kind> kinds;
  for (const DmaBug& bug : space.bugs()) kinds.push_back(bug.kind);
  return kinds;
}

std::vector<DmaFault::Reason> fault_reasons(const DmaSpace& space) {
  std::vector<DmaFault::Reason> reasons;
  for (const DmaFault& fault : space.faults()) reasons.push_back(fault.reason);
  return reasons;
}

TEST(DmaSpace, WindowShowsExactlyTheMappedBytes) {
  std::vector<uint8_t> buffer(9000);
  DmaSpace space;
  for (const size_t len : {1u, 2u, 63u, 64u, 65u, 127u, 128u, 4095u, 4096u, 8192u}) {
    for (const size_t skew : {0u, 1u, 17u, 63u}) {
      uint8_t* cpu = buffer.data() + skew;
      const BusAddr addr = space.map_single(cpu, len, Dir::kBidirectional);
      ASSERT_FALSE(dma_mapping_error(addr));
      EXPECT_EQ(addr % 64, reinterpret_cast<uintptr_t>(cpu) % 64);
      EXPECT_EQ(space.window(addr, len, Dir::kToDevice).data(), cpu);
      EXPECT_EQ(space.window(addr, len, Dir::kToDevice).size(), len);
      EXPECT_EQ(space.window(addr, len + 100, Dir::kToDevice).size(), len);
      EXPECT_EQ(space.window(addr + len - 1, 5, Dir::kFromDevice).size(), 1u);
      EXPECT_EQ(space.fault_count(), 0u);
      EXPECT_TRUE(space.window(addr + len, 1, Dir::kToDevice).empty());
      EXPECT_TRUE(space.window(addr - 1, 1, Dir::kToDevice).empty());
      EXPECT_EQ(space.fault_count(), 2u);
      space.clear_records();
      space.unmap_single(addr, len, Dir::kBidirectional);
    }
  }
  EXPECT_EQ(space.bug_count(), 0u);
}

// Neighbours in the same size class never touch, however full their slots are.
TEST(DmaSpace, OverrunNeverReachesANeighbour) {
  alignas(64) std::array<uint8_t, 256> buffer{};
  DmaSpace space;
  std::vector<BusAddr> addrs;
  for (int i = 0; i < 100; ++i) addrs.push_back(space.map_single(buffer.data(), 63, Dir::kBidirectional));
  for (const BusAddr addr : addrs) EXPECT_TRUE(space.window(addr + 63, 1, Dir::kToDevice).empty());
}

TEST(DmaSpace, AddressesFitThePointersOfThePlatform) {
  std::vector<uint8_t> buffer(1 << 20);
  DmaSpace low({.addr_bits = 32});
  DmaSpace high({.addr_bits = 36});
  for (size_t len = 1; len <= buffer.size(); len *= 2) {
    const BusAddr a = low.map_single(buffer.data(), len, Dir::kToDevice);
    const BusAddr b = high.map_single(buffer.data(), len, Dir::kToDevice);
    EXPECT_LT(a + len, BusAddr{1} << 32);
    EXPECT_GT(b, BusAddr{1} << 32);
    EXPECT_LT(b + len, BusAddr{1} << 36);
    EXPECT_EQ(low.window(a, len, Dir::kToDevice).data(), buffer.data());
    EXPECT_EQ(high.window(b, len, Dir::kToDevice).data(), buffer.data());
  }
}

TEST(DmaSpace, DirectionIsChecked) {
  uint8_t byte = 0;
  for (const Dir mapped : kDirs) {
    for (const Dir wanted : kDirs) {
      DmaSpace space;
      const BusAddr addr = space.map_single(&byte, 1, mapped);
      const unsigned missing = static_cast<unsigned>(wanted) & ~static_cast<unsigned>(mapped);
      EXPECT_EQ(space.window(addr, 1, wanted).empty(), missing != 0);
      EXPECT_EQ(fault_reasons(space),
                missing ? std::vector{DmaFault::Reason::kDirection} : std::vector<DmaFault::Reason>{});
    }
  }
}

TEST(DmaSpace, UseAfterUnmapIsABusErrorWhileTheSlotRests) {
  uint8_t bytes[100];
  DmaSpace space({.quarantine = 64});
  const BusAddr addr = space.map_single(bytes, sizeof(bytes), Dir::kToDevice);
  space.unmap_single(addr, sizeof(bytes), Dir::kToDevice);
  for (int i = 0; i < 64; ++i) {
    EXPECT_TRUE(space.window(addr, 1, Dir::kToDevice).empty());
    const BusAddr other = space.map_single(bytes, sizeof(bytes), Dir::kToDevice);
    EXPECT_NE(other, addr);
    space.unmap_single(other, sizeof(bytes), Dir::kToDevice);
  }
  ASSERT_EQ(space.fault_count(), 64u);
  for (const auto reason : fault_reasons(space)) EXPECT_EQ(reason, DmaFault::Reason::kAfterUnmap);
  // The oldest comes back first.
  EXPECT_EQ(space.map_single(bytes, sizeof(bytes), Dir::kToDevice), addr);
}

TEST(DmaSpace, NothingIsMappedAtTheStart) {
  DmaSpace space;
  for (const BusAddr addr : {BusAddr{0}, BusAddr{0x1000}, BusAddr{0x4'0000'0000}, BusAddr{0x7'0000'0000},
                             BusAddr{0xFFFF'FFFF'FFFF'FFF0}, kDmaMappingError}) {
    EXPECT_TRUE(space.window(addr, 1, Dir::kToDevice).empty());
  }
  for (const auto reason : fault_reasons(space)) EXPECT_EQ(reason, DmaFault::Reason::kNotMapped);
}

TEST(DmaSpace, EveryFaultHasAText) {
  using Reason = DmaFault::Reason;
  std::set<std::string> texts;
  for (const Reason reason :
       {Reason::kNotMapped, Reason::kAfterUnmap, Reason::kOutOfBounds, Reason::kDirection, Reason::kInjected}) {
    texts.insert(dma_fault_name(reason));
  }
  EXPECT_EQ(texts.size(), 5u);
  EXPECT_EQ(texts.count("unknown"), 0u);
}

TEST(DmaSpace, DriverBugsAreRecorded) {
  uint8_t bytes[100];
  using Kind = DmaBug::Kind;
  struct Row {
    const char* what;
    void (*act)(DmaSpace&, uint8_t*);
    std::vector<Kind> bugs;
    size_t live;
  };
  const Row rows[] = {
      {"null pointer", [](DmaSpace& s, uint8_t*) { s.map_single(nullptr, 4, Dir::kToDevice); }, {Kind::kMapInvalid}, 0},
      {"no bytes", [](DmaSpace& s, uint8_t* b) { s.map_single(b, 0, Dir::kToDevice); }, {Kind::kMapInvalid}, 0},
      {"too many bytes",
       [](DmaSpace& s, uint8_t* b) { s.map_single(b, size_t{1} << 40, Dir::kToDevice); },
       {Kind::kMapInvalid},
       0},
      {"never mapped",
       [](DmaSpace& s, uint8_t*) { s.unmap_single(0x1234, 4, Dir::kToDevice); },
       {Kind::kUnmapUnknown},
       0},
      {"double unmap",
       [](DmaSpace& s, uint8_t* b) {
         const BusAddr a = s.map_single(b, 10, Dir::kToDevice);
         s.unmap_single(a, 10, Dir::kToDevice);
         s.unmap_single(a, 10, Dir::kToDevice);
       },
       {Kind::kDoubleUnmap},
       0},
      {"inside a mapping",
       [](DmaSpace& s, uint8_t* b) { s.unmap_single(s.map_single(b, 10, Dir::kToDevice) + 1, 9, Dir::kToDevice); },
       {Kind::kUnmapUnknown},
       1},
      {"length",
       [](DmaSpace& s, uint8_t* b) { s.unmap_single(s.map_single(b, 10, Dir::kToDevice), 11, Dir::kToDevice); },
       {Kind::kUnmapLength},
       0},
      {"direction",
       [](DmaSpace& s, uint8_t* b) { s.unmap_single(s.map_single(b, 10, Dir::kToDevice), 10, Dir::kFromDevice); },
       {Kind::kUnmapDirection},
       0},
      {"length and direction",
       [](DmaSpace& s, uint8_t* b) { s.unmap_single(s.map_single(b, 10, Dir::kToDevice), 9, Dir::kBidirectional); },
       {Kind::kUnmapLength, Kind::kUnmapDirection},
       0},
      {"coherent as streaming",
       [](DmaSpace& s, uint8_t*) { s.unmap_single(s.alloc_coherent(10).addr, 10, Dir::kBidirectional); },
       {Kind::kUnmapCoherent},
       1},
      {"streaming as coherent",
       [](DmaSpace& s, uint8_t* b) {
         s.free_coherent({b, s.map_single(b, 10, Dir::kBidirectional), 10});
       },
       {Kind::kUnmapCoherent},
       1},
      {"coherent freed twice",
       [](DmaSpace& s, uint8_t*) {
         const auto mem = s.alloc_coherent(10);
         s.free_coherent(mem);
         s.free_coherent(mem);
       },
       {Kind::kDoubleUnmap},
       0},
      {"coherent of no bytes", [](DmaSpace& s, uint8_t*) { s.alloc_coherent(0); }, {Kind::kMapInvalid}, 0},
  };
  for (const Row& row : rows) {
    DmaSpace space;
    row.act(space, bytes);
    EXPECT_EQ(bug_kinds(space), row.bugs) << row.what;
    EXPECT_EQ(space.bug_count(), row.bugs.size()) << row.what;
    EXPECT_EQ(space.live(), row.live) << row.what;
    for (const DmaBug& bug : space.bugs()) EXPECT_STRNE(dma_bug_name(bug.kind), "unknown");
  }
}

TEST(DmaSpace, BugReportNamesBothLengths) {
  uint8_t bytes[100];
  DmaSpace space;
  const BusAddr addr = space.map_single(bytes, 100, Dir::kToDevice);
  space.unmap_single(addr, 96, Dir::kToDevice);
  ASSERT_EQ(space.bugs().size(), 1u);
  EXPECT_EQ(space.bugs()[0].addr, addr);
  EXPECT_EQ(space.bugs()[0].len, 96u);
  EXPECT_EQ(space.bugs()[0].mapped_len, 100u);
}

TEST(DmaSpace, RecordsAreBounded) {
  DmaSpace space;
  for (size_t i = 0; i < DmaSpace::kMaxRecords + 10; ++i) {
    space.unmap_single(i, 1, Dir::kToDevice);
    space.window(i, 1, Dir::kToDevice);
  }
  EXPECT_EQ(space.bugs().size(), DmaSpace::kMaxRecords);
  EXPECT_EQ(space.faults().size(), DmaSpace::kMaxRecords);
  EXPECT_EQ(space.bug_count(), DmaSpace::kMaxRecords + 10);
  EXPECT_EQ(space.fault_count(), DmaSpace::kMaxRecords + 10);
  space.clear_records();
  EXPECT_EQ(space.bug_count() + space.fault_count() + space.bugs().size() + space.faults().size(), 0u);
}

TEST(DmaSpace, CoherentMemoryIsZeroedAndOpenBothWays) {
  DmaSpace space;
  for (const size_t len : {1u, 64u, 512u * 12u, 100'000u}) {
    const DmaMemory::Coherent mem = space.alloc_coherent(len);
    ASSERT_NE(mem.cpu, nullptr);
    EXPECT_EQ(mem.len, len);
    EXPECT_EQ(std::vector<uint8_t>(mem.cpu, mem.cpu + len), std::vector<uint8_t>(len));
    EXPECT_EQ(space.window(mem.addr, len, Dir::kBidirectional).data(), mem.cpu);
    EXPECT_EQ(space.window(mem.addr, len, Dir::kBidirectional).size(), len);
    std::memset(mem.cpu, 0xFF, len);
    space.free_coherent(mem);
    EXPECT_TRUE(space.window(mem.addr, len, Dir::kToDevice).empty());
  }
  EXPECT_EQ(space.live(), 0u);
  EXPECT_EQ(space.alloc_coherent(size_t{1} << 40).cpu, nullptr);
}

TEST(DmaSpace, LeaksAreListed) {
  uint8_t bytes[100];
  DmaSpace space;
  const BusAddr kept = space.map_single(bytes, 100, Dir::kFromDevice);
  const BusAddr gone = space.map_single(bytes, 50, Dir::kToDevice);
  const DmaMemory::Coherent ring = space.alloc_coherent(4096);
  space.unmap_single(gone, 50, Dir::kToDevice);
  EXPECT_EQ(space.live(), 2u);
  EXPECT_EQ(space.maps(), 2u);
  const std::vector<DmaSpace::Mapping> leaks = space.leaks();
  ASSERT_EQ(leaks.size(), 2u);
  EXPECT_EQ(leaks[0].addr, kept);
  EXPECT_EQ(leaks[0].len, 100u);
  EXPECT_EQ(leaks[0].dir, Dir::kFromDevice);
  EXPECT_FALSE(leaks[0].coherent);
  EXPECT_EQ(leaks[1].addr, ring.addr);
  EXPECT_TRUE(leaks[1].coherent);
}

TEST(DmaSpace, InjectedMapFailure) {
  uint8_t bytes[10];
  for (const uint64_t n : {1u, 2u, 5u}) {
    DmaSpace space;
    space.fail_map_after(n);
    for (uint64_t i = 1; i <= 10; ++i) {
      EXPECT_EQ(dma_mapping_error(space.map_single(bytes, 10, Dir::kToDevice)), i == n) << i;
    }
    space.fail_map_after(1);
    EXPECT_EQ(space.alloc_coherent(10).cpu, nullptr);
    EXPECT_NE(space.alloc_coherent(10).cpu, nullptr);
    EXPECT_EQ(space.bug_count(), 0u);
    EXPECT_EQ(space.maps(), 9u);
  }
}

TEST(DmaSpace, InjectedBusError) {
  uint8_t bytes[100];
  DmaSpace space;
  const BusAddr addr = space.map_single(bytes, 100, Dir::kBidirectional);
  space.refuse(addr + 10, 20);
  EXPECT_EQ(space.window(addr + 9, 1, Dir::kToDevice).size(), 1u);
  EXPECT_TRUE(space.window(addr + 10, 1, Dir::kToDevice).empty());
  EXPECT_TRUE(space.window(addr + 29, 1, Dir::kFromDevice).empty());
  EXPECT_EQ(space.window(addr + 30, 1, Dir::kToDevice).size(), 1u);
  EXPECT_EQ(fault_reasons(space), std::vector(2, DmaFault::Reason::kInjected));
  // A window that starts before the range stops in front of it.
  EXPECT_EQ(space.window(addr, 100, Dir::kToDevice).size(), 10u);
  space.clear_refusals();
  EXPECT_EQ(space.window(addr + 10, 90, Dir::kToDevice).size(), 90u);
}

TEST(DmaSpace, AFullClassSpillsIntoTheNextAndThenFails) {
  uint8_t byte = 0;
  std::vector<uint8_t> large(size_t{1} << 26);
  DmaSpace space({.addr_bits = 32});
  // 32-bit regions hold two slots of 2^26 bytes and one of 2^27.
  std::vector<BusAddr> addrs;
  for (int i = 0; i < 3; ++i) addrs.push_back(space.map_single(large.data(), (size_t{1} << 26) - 100, Dir::kToDevice));
  for (const BusAddr addr : addrs) EXPECT_EQ(space.window(addr, 1, Dir::kToDevice).data(), large.data());
  EXPECT_TRUE(dma_mapping_error(space.map_single(large.data(), (size_t{1} << 26) - 100, Dir::kToDevice)));
  // Other sizes are not concerned, and a freed slot serves at once when there is no other.
  EXPECT_FALSE(dma_mapping_error(space.map_single(&byte, 1, Dir::kToDevice)));
  space.unmap_single(addrs[1], (size_t{1} << 26) - 100, Dir::kToDevice);
  EXPECT_EQ(space.map_single(large.data(), (size_t{1} << 26) - 100, Dir::kToDevice), addrs[1]);
  EXPECT_EQ(space.bug_count(), 0u);
}

TEST(DmaSpace, RandomMapsAgainstAList) {
  std::mt19937 rng(1);
  std::vector<uint8_t> memory(1 << 16);
  DmaSpace space;
  struct Live {
    BusAddr addr;
    uint8_t* cpu;
    size_t len;
    Dir dir;
  };
  std::vector<Live> live;
  for (int step = 0; step < 20'000; ++step) {
    if (live.size() < 50 && rng() % 2) {
      const size_t at = rng() % 60'000;
      const size_t len = 1 + rng() % (rng() % 2 ? 100 : 5000);
      const Dir dir = kDirs[rng() % 3];
      live.push_back({space.map_single(&memory[at], len, dir), &memory[at], len, dir});
    } else if (!live.empty()) {
      std::swap(live[rng() % live.size()], live.back());
      const Live& m = live.back();
      const size_t skip = rng() % m.len;
      const std::span<uint8_t> window = space.window(m.addr + skip, m.len, m.dir);
      ASSERT_EQ(window.data(), m.cpu + skip);
      ASSERT_EQ(window.size(), m.len - skip);
      space.unmap_single(m.addr, m.len, m.dir);
      live.pop_back();
    }
    ASSERT_EQ(space.live(), live.size());
  }
  EXPECT_EQ(space.bug_count() + space.fault_count(), 0u);
}

TEST(DmaSpace, ConcurrentMappers) {
  DmaSpace space({.concurrent = true});
  constexpr int kThreads = 4, kRounds = 5000;
  std::vector<std::thread> threads;
  std::array<int, kThreads> wrong{};
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&space, &wrong, t] {
      uint8_t mine[80];
      for (int i = 0; i < kRounds; ++i) {
        const BusAddr addr = space.map_single(mine, sizeof(mine), Dir::kBidirectional);
        if (space.window(addr, sizeof(mine), Dir::kBidirectional).data() != mine) ++wrong[t];
        space.unmap_single(addr, sizeof(mine), Dir::kBidirectional);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, (std::array<int, kThreads>{}));
  EXPECT_EQ(space.maps(), uint64_t{kThreads} * kRounds);
  EXPECT_EQ(space.live() + space.bug_count() + space.fault_count(), 0u);
}

TEST(BusCopy, CrossesWindowsAndStopsAtErrors) {
  std::vector<uint8_t> memory(64);
  for (size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<uint8_t>(i);
  DmaSpace space;
  const BusAddr addr = space.map_single(memory.data(), memory.size(), Dir::kBidirectional);
  std::array<uint8_t, 8> out{};
  EXPECT_TRUE(bus_read(space, addr + 56, out));
  EXPECT_EQ(out, (std::array<uint8_t, 8>{56, 57, 58, 59, 60, 61, 62, 63}));
  EXPECT_FALSE(bus_read(space, addr + 57, out));
  EXPECT_FALSE(bus_write(space, addr + 60, out));
  EXPECT_EQ(memory[60], 57);  // what came before the error was copied
  EXPECT_TRUE(bus_write(space, addr, out));
}

}  // namespace
}  // namespace caamlab::hw_model
