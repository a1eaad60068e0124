// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Scatterlists to the device: mapping their segments, and tables of them in the form the SEC reads (kernel
// drivers/crypto/caam/sg_sw_sec4.h, 6.1; hardware.md 7). A mapped list of one segment needs no table; for longer ones
// the table itself remembers what was mapped.
#pragma once

#include "api/scatterlist.h"
#include "desc/sec4_sg.h"
#include "driver/caam/jr.h"

namespace caamlab::driver::caam {

inline void dma_to_sec4_sg_one(const Jr& jr, uint8_t* entry, BusAddr addr, uint32_t len, bool final) {
  desc::store_sg_entry(entry, {.addr = addr, .len = len, .final = final}, jr.ctrl().sg_format, jr.ctrl().target);
}

// The part of a list that is meant: `len` bytes behind the first `skip`.
struct SgRange {
  api::Scatterlist list{};
  uint64_t len = 0;
  uint64_t skip = 0;
};

// How many entries a range takes: segments, without empty ones. -EINVAL when the list is shorter.
int sg_nents_for_map(const SgRange& range);

// Maps a range, entry by entry, to `table`; `final` marks the last one. 0, or -ENOMEM with nothing left mapped.
int dma_map_sg_table(Jr& jr, const SgRange& range, DmaDirection dir, uint8_t* table, bool final);
void dma_unmap_sg_table(Jr& jr, const uint8_t* table, unsigned nents, DmaDirection dir);

// The table of a request: in memory of its own, or, when that is too small, from the ring's pool.
struct SgTable {
  uint8_t* mem = nullptr;
  BusAddr dma = 0;
  uint32_t entries = 0;  // with padding; 0: none
  bool pooled = false;

  uint8_t* entry(unsigned index) const { return mem + size_t{index} * desc::kSgEntryBytes; }
  BusAddr entry_dma(unsigned index) const { return dma + BusAddr{index} * desc::kSgEntryBytes; }
  uint32_t bytes() const { return entries * desc::kSgEntryBytes; }

  // Memory for `count` entries; false when there is none.
  bool alloc(Jr& jr, unsigned count, std::span<uint8_t> own);
  // Shows it to the device, when it is filled; false when it cannot be mapped.
  bool map(Jr& jr);
  // Undoes what was done of these two.
  void release(Jr& jr);
  bool mapped = false;
};

// A list shown to the device: one buffer, or entries of a table from `first` on.
struct MappedSg {
  BusAddr addr = 0;    // of the one buffer
  uint32_t len = 0;    // of the one buffer, bytes
  uint32_t nents = 0;  // 0: nothing is mapped
  uint32_t first = 0;
  bool in_table = false;
};

}  // namespace caamlab::driver::caam
