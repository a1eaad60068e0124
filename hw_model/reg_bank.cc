// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Register rows and the window of pages: see reg_bank.h.
#include "hw_model/reg_bank.h"

#include <bit>
#include <cassert>

namespace caamlab::hw_model {

void RegBank::add(const RegSpec& spec) {
  assert(spec.offset < desc::reg::kBankBytes && spec.offset % 4 == 0);
  assert(!has(spec.offset));
  index_[slot(spec.offset)] = static_cast<uint16_t>(cells_.size());
  cells_.push_back({spec.reset, spec, {}, {}});
}

void RegBank::add(std::span<const RegSpec> specs) {
  for (const RegSpec& spec : specs) add(spec);
}

void RegBank::add_array(const RegSpec& first, unsigned count) {
  RegSpec spec = first;
  for (unsigned i = 0; i < count; ++i, spec.offset += 4) add(spec);
}

RegBank::Cell& RegBank::cell_at(uint32_t offset) {
  assert(has(offset));
  return cells_[index_[slot(offset)]];
}

void RegBank::on_read(uint32_t offset, ReadHook hook) { cell_at(offset).read = hook; }
void RegBank::on_write(uint32_t offset, WriteHook hook) { cell_at(offset).write = hook; }
void RegBank::set(uint32_t offset, uint32_t value) { cell_at(offset).value = value; }

uint32_t RegBank::get(uint32_t offset) const {
  assert(has(offset));
  return cells_[index_[slot(offset)]].value;
}

const RegSpec* RegBank::spec(uint32_t offset) const {
  return has(offset) ? &cells_[index_[slot(offset)]].spec : nullptr;
}

void RegBank::reset() {
  for (Cell& cell : cells_) cell.value = cell.spec.reset;
}

std::vector<RegSpec> RegBank::rows() const {
  std::vector<RegSpec> out;
  for (size_t i = 1; i < cells_.size(); ++i) out.push_back(cells_[i].spec);
  return out;
}

RegisterSpace::RegisterSpace(uint32_t page_bytes, desc::Endian endian)
    : page_shift_(std::countr_zero(page_bytes)), page_mask_(page_bytes - 1), swap_(endian == desc::Endian::kBig) {
  assert(page_bytes == 0x1000 || page_bytes == 0x10000);
}

void RegisterSpace::set_page(unsigned page, RegBank* bank) {
  assert(page < kMaxPages);
  pages_[page] = bank;
}

}  // namespace caamlab::hw_model
