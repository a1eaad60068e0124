// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Paged memory at given addresses with a record of writes: see sparse_memory.h.
#include "hw_model/sparse_memory.h"

#include <algorithm>

namespace caamlab::hw_model {

SparseMemory::Page* SparseMemory::find_page(BusAddr addr) const {
  const auto it = pages_.find(addr >> kPageShift);
  return it == pages_.end() ? nullptr : it->second.get();
}

SparseMemory::Page& SparseMemory::page_for(BusAddr addr) {
  std::unique_ptr<Page>& page = pages_[addr >> kPageShift];
  if (!page) page = std::make_unique<Page>();
  return *page;
}

bool SparseMemory::give(BusAddr addr, std::span<const uint8_t> bytes) {
  bool agrees = true;
  for (const uint8_t byte : bytes) {
    Page& page = page_for(addr);
    const size_t at = addr++ % kPageBytes;
    if (page.readable[at]) {
      agrees = agrees && page.bytes[at] == byte;
    } else {
      page.bytes[at] = byte;
      page.readable[at] = true;
    }
  }
  return agrees;
}

void SparseMemory::allow_write(BusAddr addr, size_t len) {
  for (; len; --len, ++addr) page_for(addr).writable[addr % kPageBytes] = true;
}

std::span<uint8_t> SparseMemory::window(BusAddr addr, size_t len, DmaDirection dir) {
  const bool reads = dir != DmaDirection::kFromDevice;
  const bool writes = dir != DmaDirection::kToDevice;
  const bool anywhere = writes && policy_ == WritePolicy::kAnywhere;
  Page* page = anywhere ? &page_for(addr) : find_page(addr);
  const size_t at = addr % kPageBytes;
  const size_t limit = std::min(len, kPageBytes - at);
  size_t run = 0;
  while (page && run < limit && (!reads || page->readable[at + run]) &&
         (!writes || anywhere || page->writable[at + run])) {
    ++run;
  }
  if (run == 0) {
    if (len) refusals_.push_back({addr, len, dir});
    return {};
  }
  if (writes) {
    note_write(addr, run);
    for (size_t i = 0; i < run; ++i) page->readable[at + i] = true;
  }
  return {page->bytes.data() + at, run};
}

void SparseMemory::note_write(BusAddr addr, size_t len) {
  for (Record& record : writes_) {
    const bool overlaps = addr < record.addr + record.len && record.addr < addr + len;
    if (overlaps && record.kept.empty()) record.kept = peek(record.addr, record.len);
  }
  if (!writes_.empty()) {
    Record& last = writes_.back();
    if (last.kept.empty() && last.addr + last.len == addr) {
      last.len += len;
      return;
    }
  }
  writes_.push_back({addr, len, {}});
}

std::vector<SparseMemory::Write> SparseMemory::writes() const {
  std::vector<Write> out;
  for (const Record& record : writes_) {
    out.push_back({record.addr, record.kept.empty() ? peek(record.addr, record.len) : record.kept});
  }
  return out;
}

std::vector<uint8_t> SparseMemory::peek(BusAddr addr, size_t len) const {
  std::vector<uint8_t> out(len);
  for (size_t i = 0; i < len; ++i) {
    if (const Page* page = find_page(addr + i)) out[i] = page->bytes[(addr + i) % kPageBytes];
  }
  return out;
}

}  // namespace caamlab::hw_model
