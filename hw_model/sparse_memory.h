// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Bus memory at addresses that somebody else chose: a recorded job, a dump. The device may read what was given and
// write what was declared (or anywhere), and every write is kept in order, to be compared with what was recorded.
// Left out: speed. Memory is kept in small pages, a window never crosses one.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "hw_model/bus.h"

namespace caamlab::hw_model {

class SparseMemory final : public BusMemory {
 public:
  enum class WritePolicy : uint8_t { kDeclaredOnly, kAnywhere };
  struct Write {
    BusAddr addr = 0;
    std::vector<uint8_t> bytes;
  };
  struct Refusal {
    BusAddr addr = 0;
    size_t len = 0;
    DmaDirection dir = DmaDirection::kToDevice;
  };

  explicit SparseMemory(WritePolicy policy = WritePolicy::kDeclaredOnly) : policy_(policy) {}
  SparseMemory(const SparseMemory&) = delete;
  SparseMemory& operator=(const SparseMemory&) = delete;

  // Makes bytes readable. False if some of them were given before with another value (the earlier value stays).
  bool give(BusAddr addr, std::span<const uint8_t> bytes);
  // Lets the device write [addr, addr + len). Bytes never given become readable once written.
  void allow_write(BusAddr addr, size_t len);

  // A write window counts as written as a whole, as bus.h has it: take no more than will be filled.
  std::span<uint8_t> window(BusAddr addr, size_t len, DmaDirection dir) override;

  // All writes in order. One that continues where the one before it ended is joined to it; a later write over the
  // same bytes is a record of its own and does not change the earlier one.
  std::vector<Write> writes() const;
  void clear_writes() { writes_.clear(); }

  // What is in memory now; bytes never given nor written are 0.
  std::vector<uint8_t> peek(BusAddr addr, size_t len) const;
  const std::vector<Refusal>& refusals() const { return refusals_; }

 private:
  static constexpr unsigned kPageShift = 12;
  static constexpr size_t kPageBytes = size_t{1} << kPageShift;
  struct Page {
    std::array<uint8_t, kPageBytes> bytes{};
    std::bitset<kPageBytes> readable, writable;
  };
  // The bytes are read from memory until something is about to overwrite them.
  struct Record {
    BusAddr addr = 0;
    size_t len = 0;
    std::vector<uint8_t> kept;
  };

  Page& page_for(BusAddr addr);
  Page* find_page(BusAddr addr) const;
  void note_write(BusAddr addr, size_t len);

  const WritePolicy policy_;
  std::unordered_map<BusAddr, std::unique_ptr<Page>> pages_;
  std::vector<Record> writes_;
  std::vector<Refusal> refusals_;
};

}  // namespace caamlab::hw_model
