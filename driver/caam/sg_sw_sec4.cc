// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See sg_sw_sec4.h.
#include "driver/caam/sg_sw_sec4.h"

#include <algorithm>
#include <cerrno>

namespace caamlab::driver::caam {

namespace {

// Calls visit(data, len) for each piece of a range; stops when it returns false. Returns the bytes that were not there.
template <class Visit>
uint64_t for_each_piece(const SgRange& range, Visit visit) {
  uint64_t skip = range.skip, left = range.len;
  for (const api::Segment& segment : range.list) {
    if (left == 0) break;
    if (skip >= segment.len) {
      skip -= segment.len;
      continue;
    }
    const auto part = static_cast<uint32_t>(std::min<uint64_t>(left, segment.len - skip));
    if (!visit(segment.data + skip, part)) break;
    left -= part;
    skip = 0;
  }
  return left;
}

}  // namespace

int sg_nents_for_map(const SgRange& range) {
  int nents = 0;
  const uint64_t missing = for_each_piece(range, [&nents](uint8_t*, uint32_t) {
    ++nents;
    return true;
  });
  return missing == 0 ? nents : -EINVAL;
}

int dma_map_sg_table(Jr& jr, const SgRange& range, DmaDirection dir, uint8_t* table, bool final) {
  unsigned done = 0;
  uint64_t left = range.len;
  for_each_piece(range, [&](uint8_t* data, uint32_t len) {
    const BusAddr addr = jr.dma().map_single(data, len, dir);
    if (hw_model::dma_mapping_error(addr)) return false;
    left -= len;
    dma_to_sec4_sg_one(jr, table + size_t{done} * desc::kSgEntryBytes, addr, len, final && left == 0);
    ++done;
    return true;
  });
  if (left == 0) return 0;
  dma_unmap_sg_table(jr, table, done, dir);
  return -ENOMEM;
}

void dma_unmap_sg_table(Jr& jr, const uint8_t* table, unsigned nents, DmaDirection dir) {
  for (unsigned i = 0; i < nents; ++i) {
    const desc::SgEntry entry =
        desc::load_sg_entry(table + size_t{i} * desc::kSgEntryBytes, jr.ctrl().sg_format, jr.ctrl().target);
    jr.dma().unmap_single(entry.addr, entry.len, dir);
  }
}

bool SgTable::alloc(Jr& jr, unsigned count, std::span<uint8_t> own) {
  entries = count;
  pooled = size_t{count} * desc::kSgEntryBytes > own.size();
  mem = pooled ? jr.sg_pool().alloc(count) : own.data();
  if (mem == nullptr) pooled = false;
  return mem != nullptr;
}

bool SgTable::map(Jr& jr) {
  dma = jr.dma().map_single(mem, bytes(), DmaDirection::kToDevice);
  mapped = !hw_model::dma_mapping_error(dma);
  return mapped;
}

void SgTable::release(Jr& jr) {
  if (mapped) jr.dma().unmap_single(dma, bytes(), DmaDirection::kToDevice);
  if (pooled) jr.sg_pool().free(mem, entries);
  mapped = pooled = false;
}

}  // namespace caamlab::driver::caam
