// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See sg_sw_sec4.h.
#include "driver/caam/sg_sw_sec4.h"

#include <algorithm>
#include <cerrno>

namespace caamlab::driver::caam {

int sg_nents_for_map(api::Scatterlist list, uint64_t len) {
  int nents = 0;
  for (const api::Segment& segment : list) {
    if (len == 0) break;
    if (segment.len == 0) continue;
    ++nents;
    len -= std::min<uint64_t>(len, segment.len);
  }
  return len == 0 ? nents : -EINVAL;
}

int dma_map_sg_table(Jr& jr, api::Scatterlist list, uint64_t len, DmaDirection dir, uint8_t* table, bool final) {
  unsigned done = 0;
  for (const api::Segment& segment : list) {
    if (len == 0) break;
    const auto part = static_cast<uint32_t>(std::min<uint64_t>(len, segment.len));
    if (part == 0) continue;
    const BusAddr addr = jr.dma().map_single(segment.data, part, dir);
    if (hw_model::dma_mapping_error(addr)) {
      dma_unmap_sg_table(jr, table, done, dir);
      return -ENOMEM;
    }
    len -= part;
    dma_to_sec4_sg_one(jr, table + size_t{done} * desc::kSgEntryBytes, addr, part, final && len == 0);
    ++done;
  }
  return 0;
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
