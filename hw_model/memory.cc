// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// DMA mappings in segregated bus address regions: see memory.h.
#include "hw_model/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

namespace caamlab::hw_model {
namespace {

// Most mappings of one size at a time; beyond it the next size serves.
constexpr unsigned kMaxSlotsShift = 18;
constexpr size_t kLineBytes = 64;  // low bits kept from the CPU address
constexpr size_t kCoherentAlign = 64;

// Both layouts leave page zero unmapped and fit the pointers they are for (36 bits is the least above 32).
constexpr BusAddr kLowBase = 0x1000'0000;
constexpr BusAddr kHighBase = 0x4'0000'0000;

}  // namespace

// Holds the space's spin lock where options asked for one. What waits is kept out of the functions that rarely do.
class DmaSpace::Lock {
 public:
  explicit Lock(DmaSpace& space) : flag_(space.concurrent_ ? &space.lock_ : nullptr) {
    if (flag_) [[unlikely]]
      acquire(*flag_);
  }
  ~Lock() {
    if (flag_) [[unlikely]]
      release(*flag_);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  [[gnu::noinline]] static void acquire(std::atomic_flag& flag) {
    while (flag.test_and_set(std::memory_order_acquire)) flag.wait(true, std::memory_order_relaxed);
  }
  [[gnu::noinline]] static void release(std::atomic_flag& flag) {
    flag.clear(std::memory_order_release);
    flag.notify_one();
  }
  std::atomic_flag* flag_;
};

const char* dma_bug_name(DmaBug::Kind kind) {
  switch (kind) {
    case DmaBug::Kind::kMapInvalid:
      return "map of something that is no buffer";
    case DmaBug::Kind::kUnmapUnknown:
      return "unmap of an address that no mapping starts at";
    case DmaBug::Kind::kDoubleUnmap:
      return "unmap of a mapping that is gone";
    case DmaBug::Kind::kUnmapLength:
      return "unmap with another length than map";
    case DmaBug::Kind::kUnmapDirection:
      return "unmap with another direction than map";
    case DmaBug::Kind::kUnmapCoherent:
      return "coherent and streaming memory mixed up";
  }
  return "unknown";
}

const char* dma_fault_name(DmaFault::Reason reason) {
  switch (reason) {
    case DmaFault::Reason::kNotMapped:
      return "address was never mapped";
    case DmaFault::Reason::kAfterUnmap:
      return "address was unmapped before";
    case DmaFault::Reason::kOutOfBounds:
      return "address is outside the mapped bytes";
    case DmaFault::Reason::kDirection:
      return "mapping does not allow this direction";
    case DmaFault::Reason::kInjected:
      return "refused on request";
  }
  return "unknown";
}

DmaSpace::DmaSpace(const Options& options)
    : base_(options.addr_bits > 32 ? kHighBase : kLowBase),
      quarantine_(options.quarantine),
      concurrent_(options.concurrent) {
  size_t slots = 0;
  for (unsigned i = 0; i < kClasses; ++i) {
    classes_[i].capacity = 1u << std::min(kRegionShift - (kMinShift + i), kMaxSlotsShift);
    slots += classes_[i].capacity;
  }
  // Straight from the kernel: pages of the table exist once they are touched, and read as zero, that is, free.
  table_bytes_ = slots * sizeof(Slot);
  table_ = mmap(nullptr, table_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (table_ == MAP_FAILED) throw std::bad_alloc();
  Slot* next = static_cast<Slot*>(table_);
  for (Class& cls : classes_) {
    cls.slots = next;
    next += cls.capacity;
  }
}

DmaSpace::~DmaSpace() {
  for (Class& cls : classes_) {
    for (uint32_t i = 0; i < cls.fresh; ++i) {
      const Slot& slot = cls.slots[i];
      if (slot.dir && slot.coherent) {
        ::operator delete (reinterpret_cast<void*>(slot.base + slot.begin), std::align_val_t{kCoherentAlign});
      }
    }
  }
  munmap(table_, table_bytes_);
}

inline DmaSpace::Place DmaSpace::find(BusAddr addr) {
  const BusAddr rel = addr - base_;  // wraps to something huge below base_
  const BusAddr index = rel >> kRegionShift;
  if (index >= kClasses) return {nullptr, nullptr, 0};
  Class& cls = classes_[index];
  const unsigned shift = kMinShift + static_cast<unsigned>(index);
  const BusAddr in_region = rel & ((BusAddr{1} << kRegionShift) - 1);
  const BusAddr slot = in_region >> shift;
  if (slot >= cls.capacity) return {nullptr, nullptr, 0};
  return {&cls, cls.slots + slot, static_cast<uint32_t>(in_region & ((BusAddr{1} << shift) - 1))};
}

// Oldest freed slot first, once enough of them rest; a slot never used otherwise; at the end of the region whatever is
// free.
inline DmaSpace::Slot* DmaSpace::take_slot(Class& cls) {
  const bool exhausted = cls.fresh == cls.capacity;
  if (cls.free_count > quarantine_ || (exhausted && cls.free_count)) {
    Slot* slot = &cls.slots[cls.free_head];
    cls.free_head = slot->next;
    --cls.free_count;
    return slot;
  }
  return exhausted ? nullptr : &cls.slots[cls.fresh++];
}

inline void DmaSpace::release_slot(Class& cls, Slot* slot) {
  const auto index = static_cast<uint32_t>(slot - cls.slots);
  slot->begin = slot->end = 0;
  slot->dir = 0;
  slot->coherent = false;
  if (cls.free_count++) {
    cls.slots[cls.free_tail].next = index;
  } else {
    cls.free_head = index;
  }
  cls.free_tail = index;
}

bool DmaSpace::injected_map_failure() { return fail_map_in_ && --fail_map_in_ == 0; }

inline BusAddr DmaSpace::map(void* cpu, size_t len, DmaDirection dir, bool coherent) {
  const auto address = reinterpret_cast<uintptr_t>(cpu);
  const size_t offset = address % kLineBytes;
  // 2^shift > offset + len, so that at least one byte behind the mapping belongs to nobody.
  constexpr size_t kLeast = (size_t{1} << kMinShift) - 1;
  const auto shift = static_cast<unsigned>(std::bit_width((offset + len) | kLeast));
  for (unsigned i = shift - kMinShift; i < kClasses; ++i) {
    Class& cls = classes_[i];
    Slot* slot = take_slot(cls);
    if (!slot) continue;
    *slot = {.base = address - offset,
             .begin = static_cast<uint32_t>(offset),
             .end = static_cast<uint32_t>(offset + len),
             .next = 0,
             .dir = static_cast<uint8_t>(dir),
             .coherent = coherent};
    ++live_;
    const auto index = static_cast<BusAddr>(slot - cls.slots);
    return base_ + (BusAddr{i} << kRegionShift) + (index << (kMinShift + i)) + offset;
  }
  return kDmaMappingError;
}

BusAddr DmaSpace::map_single(void* cpu, size_t len, DmaDirection dir) {
  Lock lock(*this);
  if (fail_map_in_ != 0 && injected_map_failure()) [[unlikely]]
    return kDmaMappingError;
  if (!cpu || len == 0 || len > kMaxLen) [[unlikely]] {
    record({.kind = DmaBug::Kind::kMapInvalid, .addr = kDmaMappingError, .len = len, .dir = dir});
    return kDmaMappingError;
  }
  const BusAddr addr = map(cpu, len, dir, false);
  maps_ += !dma_mapping_error(addr);
  return addr;
}

// A mapping that was asked for in the same words.
inline bool DmaSpace::is_mapping(const Place& place, size_t len, DmaDirection dir, bool coherent) {
  const Slot* slot = place.slot;
  return slot && slot->dir == static_cast<uint8_t>(dir) && place.offset == slot->begin &&
         slot->end - slot->begin == len && slot->coherent == coherent;
}

inline bool DmaSpace::unmap(BusAddr addr, size_t len, DmaDirection dir, bool coherent) {
  const Place place = find(addr);
  if (!is_mapping(place, len, dir, coherent) && !report_unmap(place, addr, len, dir, coherent)) [[unlikely]]
    return false;
  release_slot(*place.cls, place.slot);
  --live_;
  return true;
}

// What is wrong with an unmap; true when there is something to unmap all the same.
[[gnu::noinline, gnu::cold]] bool DmaSpace::report_unmap(const Place& place, BusAddr addr, size_t len, DmaDirection dir,
                                                         bool coherent) {
  const Slot* slot = place.slot;
  DmaBug bug{.kind = DmaBug::Kind::kUnmapUnknown, .addr = addr, .len = len, .dir = dir};
  if (!slot || !slot->dir || place.offset != slot->begin) {
    if (slot && !slot->dir && slot->base) bug.kind = DmaBug::Kind::kDoubleUnmap;
    record(bug);
    return false;
  }
  bug.mapped_len = slot->end - slot->begin;
  if (slot->coherent != coherent) {
    bug.kind = DmaBug::Kind::kUnmapCoherent;
    record(bug);
    return false;
  }
  if (bug.mapped_len != len) {
    bug.kind = DmaBug::Kind::kUnmapLength;
    record(bug);
  }
  if (slot->dir != static_cast<uint8_t>(dir)) {
    bug.kind = DmaBug::Kind::kUnmapDirection;
    record(bug);
  }
  return true;
}

void DmaSpace::unmap_single(BusAddr addr, size_t len, DmaDirection dir) {
  Lock lock(*this);
  unmap(addr, len, dir, false);
}

DmaMemory::Coherent DmaSpace::alloc_coherent(size_t len) {
  Lock lock(*this);
  if (injected_map_failure()) return {};
  if (len == 0 || len > kMaxLen) {
    record({.kind = DmaBug::Kind::kMapInvalid, .addr = kDmaMappingError, .len = len});
    return {};
  }
  void* cpu = ::operator new (len, std::align_val_t{kCoherentAlign}, std::nothrow);
  if (!cpu) return {};
  std::memset(cpu, 0, len);
  const BusAddr addr = map(cpu, len, DmaDirection::kBidirectional, true);
  if (dma_mapping_error(addr)) {
    ::operator delete (cpu, std::align_val_t{kCoherentAlign});
    return {};
  }
  return {static_cast<uint8_t*>(cpu), addr, len};
}

void DmaSpace::free_coherent(const Coherent& mem) {
  Lock lock(*this);
  const Place place = find(mem.addr);
  const uintptr_t cpu = place.slot ? place.slot->base + place.slot->begin : 0;
  if (unmap(mem.addr, mem.len, DmaDirection::kBidirectional, true)) {
    ::operator delete (reinterpret_cast<void*>(cpu), std::align_val_t{kCoherentAlign});
  }
}

std::span<uint8_t> DmaSpace::window(BusAddr addr, size_t len, DmaDirection dir) {
  const Place place = find(addr);
  const Slot* slot = place.slot;
  // A free slot has begin == end, so the bounds refuse it too; unsigned arithmetic covers both ends at once.
  if (!slot || place.offset - slot->begin >= slot->end - slot->begin ||
      (slot->dir & static_cast<uint8_t>(dir)) != static_cast<uint8_t>(dir) || !refusals_.empty()) [[unlikely]] {
    return unusual_window(addr, len, dir);
  }
  const size_t rest = slot->end - place.offset;
  return {reinterpret_cast<uint8_t*>(slot->base + place.offset), rest < len ? rest : len};
}

// A refused access, or one beside injected bus errors.
[[gnu::noinline, gnu::cold]] std::span<uint8_t> DmaSpace::unusual_window(BusAddr addr, size_t len, DmaDirection dir) {
  const Place place = find(addr);
  const Slot* slot = place.slot;
  const bool used = slot && slot->base;
  if (!used) return refuse_access({DmaFault::Reason::kNotMapped, addr, len, dir});
  if (!slot->dir) return refuse_access({DmaFault::Reason::kAfterUnmap, addr, len, dir});
  if (place.offset < slot->begin || place.offset >= slot->end) {
    return refuse_access({DmaFault::Reason::kOutOfBounds, addr, len, dir});
  }
  if ((slot->dir & static_cast<uint8_t>(dir)) != static_cast<uint8_t>(dir)) {
    return refuse_access({DmaFault::Reason::kDirection, addr, len, dir});
  }
  const size_t rest = std::min<size_t>(slot->end - place.offset, bytes_before_refusal(addr));
  if (rest == 0) return refuse_access({DmaFault::Reason::kInjected, addr, len, dir});
  return {reinterpret_cast<uint8_t*>(slot->base + place.offset), std::min(rest, len)};
}

void DmaSpace::refuse(BusAddr addr, size_t len) { refusals_.emplace_back(addr, addr + len); }
void DmaSpace::clear_refusals() { refusals_.clear(); }

size_t DmaSpace::bytes_before_refusal(BusAddr addr) const {
  BusAddr bytes = ~BusAddr{0};
  for (const auto& [begin, end] : refusals_) {
    if (addr < end) bytes = std::min(bytes, addr < begin ? begin - addr : 0);
  }
  return bytes;
}

std::vector<DmaSpace::Mapping> DmaSpace::leaks() const {
  std::vector<Mapping> out;
  for (unsigned i = 0; i < kClasses; ++i) {
    const Class& cls = classes_[i];
    for (uint32_t index = 0; index < cls.fresh; ++index) {
      const Slot& slot = cls.slots[index];
      if (!slot.dir) continue;
      const BusAddr start = base_ + (BusAddr{i} << kRegionShift) + (BusAddr{index} << (kMinShift + i));
      out.push_back({start + slot.begin, slot.end - slot.begin, static_cast<DmaDirection>(slot.dir), slot.coherent});
    }
  }
  return out;
}

[[gnu::noinline, gnu::cold]] void DmaSpace::record(const DmaBug& bug) {
  ++bug_count_;
  if (bugs_.size() < kMaxRecords) bugs_.push_back(bug);
}

std::span<uint8_t> DmaSpace::refuse_access(const DmaFault& fault) {
  Lock lock(*this);
  ++fault_count_;
  if (faults_.size() < kMaxRecords) faults_.push_back(fault);
  return {};
}

void DmaSpace::clear_records() {
  bugs_.clear();
  faults_.clear();
  bug_count_ = fault_count_ = 0;
}

bool bus_read(BusMemory& bus, BusAddr addr, std::span<uint8_t> out) {
  while (!out.empty()) {
    const std::span<uint8_t> part = bus.window(addr, out.size(), DmaDirection::kToDevice);
    if (part.empty()) return false;
    std::memcpy(out.data(), part.data(), part.size());
    addr += part.size();
    out = out.subspan(part.size());
  }
  return true;
}

bool bus_write(BusMemory& bus, BusAddr addr, std::span<const uint8_t> in) {
  while (!in.empty()) {
    const std::span<uint8_t> part = bus.window(addr, in.size(), DmaDirection::kFromDevice);
    if (part.empty()) return false;
    std::memcpy(part.data(), in.data(), part.size());
    addr += part.size();
    in = in.subspan(part.size());
  }
  return true;
}

}  // namespace caamlab::hw_model
