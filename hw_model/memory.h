// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// DMA memory behind an I/O MMU that maps every buffer by itself: a driver's map_single() gives the device a bus address
// that works for exactly the bytes, the direction and the time it was mapped for.
// Bus addresses: one region per power-of-two size, cut into slots, so that map, unmap and window are a few shifts. A
// freed slot rests before it is used again, and every slot keeps a byte of gap, so use after unmap and overruns are
// seen. Left out: cache maintenance (dma_sync_*), DMA masks, IOMMU groups.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "hw_model/bus.h"

namespace caamlab::hw_model {

// A driver's misuse of the DMA API (what the kernel's dma-debug would report). Found at unmap, map or device access.
struct DmaBug {
  enum class Kind : uint8_t {
    kMapInvalid,      // null pointer, zero or too great a length
    kUnmapUnknown,    // no mapping starts at this address
    kDoubleUnmap,     // it did, until it was unmapped
    kUnmapLength,     // length differs from the mapped one; unmapped all the same
    kUnmapDirection,  // direction differs; unmapped all the same
    kUnmapCoherent,   // coherent memory given to unmap_single, or the reverse; left mapped
  };
  Kind kind = Kind::kMapInvalid;
  BusAddr addr = kDmaMappingError;  // as given by the caller
  size_t len = 0;
  DmaDirection dir = DmaDirection::kBidirectional;
  size_t mapped_len = 0;  // of the mapping found, 0 if none
};
const char* dma_bug_name(DmaBug::Kind kind);

// An access of the device that was refused: the bus error behind DECO error 0x16.
struct DmaFault {
  enum class Reason : uint8_t { kNotMapped, kAfterUnmap, kOutOfBounds, kDirection, kInjected };
  Reason reason = Reason::kNotMapped;
  BusAddr addr = 0;
  size_t len = 0;
  DmaDirection dir = DmaDirection::kToDevice;
};
const char* dma_fault_name(DmaFault::Reason reason);

class DmaSpace final : public DmaMemory, public BusMemory {
 public:
  struct Options {
    unsigned addr_bits = 64;  // 32: every bus address is below 4 GiB; more: every one is above
    bool concurrent = false;  // map/unmap from several threads; window() may always run beside them
    size_t quarantine = 64;   // further maps of the same size class before a freed slot is used again
  };
  struct Mapping {
    BusAddr addr = 0;
    size_t len = 0;
    DmaDirection dir = DmaDirection::kBidirectional;
    bool coherent = false;
  };

  DmaSpace() : DmaSpace(Options{}) {}
  explicit DmaSpace(const Options& options);
  ~DmaSpace() override;
  DmaSpace(const DmaSpace&) = delete;
  DmaSpace& operator=(const DmaSpace&) = delete;

  // The bus address keeps the low six bits of the CPU address. Returns kDmaMappingError when the space is
  // full, the arguments are no buffer (a DmaBug), or a fault was injected.
  BusAddr map_single(void* cpu, size_t len, DmaDirection dir) override;
  void unmap_single(BusAddr addr, size_t len, DmaDirection dir) override;
  Coherent alloc_coherent(size_t len) override;
  void free_coherent(const Coherent& mem) override;
  std::span<uint8_t> window(BusAddr addr, size_t len, DmaDirection dir) override;

  // --- injected faults ---
  // The n-th map_single or alloc_coherent from now fails, once. 1 is the next, 0 cancels.
  void fail_map_after(uint64_t n) { fail_map_in_ = n; }
  // Device accesses to [addr, addr + len) are bus errors until clear_refusals().
  void refuse(BusAddr addr, size_t len);
  void clear_refusals();

  // --- what happened ---
  size_t live() const { return live_; }                      // mappings and coherent areas in force
  uint64_t maps() const { return maps_; }                    // successful map_single calls
  std::vector<Mapping> leaks() const;                        // everything in force, by address
  const std::vector<DmaBug>& bugs() const { return bugs_; }  // the first kMaxRecords
  const std::vector<DmaFault>& faults() const { return faults_; }
  size_t bug_count() const { return bug_count_; }
  size_t fault_count() const { return fault_count_; }
  void clear_records();

  static constexpr size_t kMaxRecords = 1024;

 private:
  struct Slot {
    uintptr_t base;  // CPU address of the slot's first byte, mapped or not
    uint32_t begin;  // first and one past the last mapped byte, from the slot's start; both 0 when free
    uint32_t end;
    uint32_t next;  // free list
    uint8_t dir;    // 0 when free
    bool coherent;
  };
  struct Class {
    Slot* slots = nullptr;  // in table_
    uint32_t capacity = 0;
    uint32_t fresh = 0;  // slots from here on were never used
    uint32_t free_head = 0, free_tail = 0, free_count = 0;
  };
  struct Place {
    Class* cls;
    Slot* slot;  // null when `addr` lies outside every region
    uint32_t offset;
  };
  class Lock;

  static constexpr unsigned kMinShift = 6;
  static constexpr unsigned kRegionShift = 27;
  static constexpr unsigned kClasses = 22;                                           // slots of 2^6 .. 2^27 bytes
  static constexpr size_t kMaxLen = (size_t{1} << (kMinShift + kClasses - 1)) - 64;  // with 63 bytes of skew

  BusAddr map(void* cpu, size_t len, DmaDirection dir, bool coherent);
  bool unmap(BusAddr addr, size_t len, DmaDirection dir, bool coherent);
  static bool is_mapping(const Place& place, size_t len, DmaDirection dir, bool coherent);
  bool report_unmap(const Place& place, BusAddr addr, size_t len, DmaDirection dir, bool coherent);
  bool injected_map_failure();
  Slot* take_slot(Class& cls);
  void release_slot(Class& cls, Slot* slot);
  Place find(BusAddr addr);
  void record(const DmaBug& bug);
  std::span<uint8_t> unusual_window(BusAddr addr, size_t len, DmaDirection dir);
  std::span<uint8_t> refuse_access(const DmaFault& fault);
  size_t bytes_before_refusal(BusAddr addr) const;

  const BusAddr base_;
  const size_t quarantine_;
  const bool concurrent_;
  std::array<Class, kClasses> classes_;
  void* table_ = nullptr;  // the slots of all classes, one range of address space
  size_t table_bytes_ = 0;
  std::atomic_flag lock_ = ATOMIC_FLAG_INIT;
  size_t live_ = 0;
  uint64_t maps_ = 0;
  uint64_t fail_map_in_ = 0;
  std::vector<std::pair<BusAddr, BusAddr>> refusals_;
  std::vector<DmaBug> bugs_;
  std::vector<DmaFault> faults_;
  size_t bug_count_ = 0;
  size_t fault_count_ = 0;
};

// Copies between the bus and a buffer, across windows. False on a bus error; what came before it has been copied.
bool bus_read(BusMemory& bus, BusAddr addr, std::span<uint8_t> out);
bool bus_write(BusMemory& bus, BusAddr addr, std::span<const uint8_t> in);

}  // namespace caamlab::hw_model
