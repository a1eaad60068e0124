// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Registers as data: a row gives name, offset, reset value, writable bits, write-1-to-clear bits and, where a register
// does more than hold bits, hooks. RegBank is one page of them; RegisterSpace is the whole window that software sees,
// with the part's byte order. Access is one table lookup by offset / 4. Source: hardware.md 8.
// 64-bit registers are two rows. Software in the field writes their halves in either order (kernel: lower address
// first; U-Boot: more significant half first on all parts), so each half takes effect when written.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "desc/bits.h"
#include "desc/regs.h"
#include "hw_model/bus.h"

namespace caamlab::hw_model {

// A register of a bank. The default behaviour holds bits: a write changes `writable`, clears `w1c`.
struct RegSpec {
  const char* name = "";
  uint32_t offset = 0;  // within the page, a multiple of 4 below 0x1000
  uint32_t reset = 0;
  uint32_t writable = 0;
  uint32_t w1c = 0;
};

// Hooks: an object and a plain function, so that a call is one indirect jump and needs no allocation.
struct ReadHook {
  uint32_t (*fn)(void* object, uint32_t offset) = nullptr;
  void* object = nullptr;
};
struct WriteHook {
  void (*fn)(void* object, uint32_t offset, uint32_t value) = nullptr;
  void* object = nullptr;
};
// Method: `uint32_t T::f(uint32_t offset)` (const or not).
template <auto Method, class T>
ReadHook read_hook(T* object) {
  return {[](void* o, uint32_t offset) -> uint32_t { return (static_cast<T*>(o)->*Method)(offset); },
          const_cast<void*>(static_cast<const void*>(object))};
}
// Method: `void T::f(uint32_t offset, uint32_t value)`.
template <auto Method, class T>
WriteHook write_hook(T* object) {
  return {[](void* o, uint32_t offset, uint32_t value) { (static_cast<T*>(o)->*Method)(offset, value); }, object};
}

class RegBank {
 public:
  // Rows must have distinct aligned offsets below kBankBytes (checked by assert). The names must outlive the bank.
  RegBank() { index_.fill(0); }
  RegBank(const RegBank&) = delete;
  RegBank& operator=(const RegBank&) = delete;

  void add(const RegSpec& spec);
  void add(std::span<const RegSpec> specs);
  // `count` rows of the same kind, 4 bytes apart.
  void add_array(const RegSpec& first, unsigned count);

  // A read hook replaces the stored value. A write hook replaces the default behaviour: it gets the whole word written
  // and stores what it wants with set().
  void on_read(uint32_t offset, ReadHook hook);
  void on_write(uint32_t offset, WriteHook hook);

  // As software does it, in logical words. Offsets without a row read 0 and ignore writes.
  uint32_t read(uint32_t offset) const {
    const Cell& cell = cells_[index_[slot(offset)]];
    return cell.read.fn ? cell.read.fn(cell.read.object, offset) : cell.value;
  }
  void write(uint32_t offset, uint32_t value) {
    Cell& cell = cells_[index_[slot(offset)]];
    if (cell.write.fn) return cell.write.fn(cell.write.object, offset, value);
    cell.value = ((cell.value & ~cell.spec.writable) | (value & cell.spec.writable)) & ~(value & cell.spec.w1c);
  }

  // As the device does it, without hooks. Of registers that exist only (asserted).
  uint32_t get(uint32_t offset) const;
  void set(uint32_t offset, uint32_t value);
  bool has(uint32_t offset) const { return index_[slot(offset)] != 0; }
  const RegSpec* spec(uint32_t offset) const;  // null if there is none

  // Every stored value back to its reset value. Hooks are not called.
  void reset();
  // All rows, in the order they were added, for listings.
  std::vector<RegSpec> rows() const;

 private:
  struct Cell {
    uint32_t value = 0;
    RegSpec spec;
    ReadHook read;
    WriteHook write;
  };
  static constexpr uint32_t slot(uint32_t offset) { return (offset & (desc::reg::kBankBytes - 1)) / 4; }
  Cell& cell_at(uint32_t offset);

  std::array<uint16_t, desc::reg::kBankBytes / 4> index_;
  std::vector<Cell> cells_{Cell{}};  // 0 stands for "no register"
};

// RegisterSpace routes register accesses to the pages of the block and swaps bytes on big-endian parts.
class RegisterSpace final : public RegisterBus {
 public:
  static constexpr unsigned kMaxPages = 32;

  // page_bytes: 4096 or 65536.
  RegisterSpace(uint32_t page_bytes, desc::Endian endian);

  // Puts a bank (not owned, may be null: reads 0, ignores writes) at a page. Banks may be exchanged at run time.
  void set_page(unsigned page, RegBank* bank);
  RegBank* page(unsigned page) const { return page < kMaxPages ? pages_[page] : nullptr; }
  // The bank behind kCommonFirst and up of every page, whether or not the page has a bank of its own.
  void set_common(RegBank* bank) { common_ = bank; }
  uint32_t page_offset(unsigned page) const { return page << page_shift_; }
  uint32_t size_bytes() const { return kMaxPages << page_shift_; }

  // An offset outside the block, or not a multiple of 4, reads 0 and ignores writes (a bus would answer with an error,
  // which a RegisterBus cannot express).
  uint32_t read32(uint32_t offset) override {
    const RegBank* bank = bank_at(offset);
    return bank ? order(bank->read(offset & (desc::reg::kBankBytes - 1))) : 0;
  }
  void write32(uint32_t offset, uint32_t value) override {
    if (RegBank* bank = bank_at(offset)) bank->write(offset & (desc::reg::kBankBytes - 1), order(value));
  }

 private:
  RegBank* bank_at(uint32_t offset) const {
    const uint32_t page = offset >> page_shift_;
    const uint32_t inside = offset & page_mask_;
    if (page >= kMaxPages || inside >= desc::reg::kBankBytes || (offset & 3) != 0) return nullptr;
    return inside < desc::reg::kCommonFirst ? pages_[page] : common_;
  }
  uint32_t order(uint32_t word) const { return swap_ ? desc::bswap32(word) : word; }

  const unsigned page_shift_;
  const uint32_t page_mask_;
  const bool swap_;
  std::array<RegBank*, kMaxPages> pages_{};
  RegBank* common_ = nullptr;
};

}  // namespace caamlab::hw_model
