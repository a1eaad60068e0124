// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See sg_pool.h.
#include "driver/caam/sg_pool.h"

#include <bit>
#include <new>

#include "desc/sec4_sg.h"

namespace caamlab::driver::caam {
namespace {

constexpr std::align_val_t kAlign{64};

}  // namespace

SgPool::~SgPool() {
  for (Free* block : free_) {
    while (block != nullptr) {
      Free* next = block->next;
      ::operator delete(block, kAlign);
      block = next;
    }
  }
}

unsigned SgPool::size_class(unsigned entries) {
  const unsigned bits = static_cast<unsigned>(std::bit_width(entries == 0 ? 0u : entries - 1));
  return bits <= kMinShift ? 0 : bits - kMinShift;
}

uint8_t* SgPool::alloc(unsigned entries) {
  const unsigned cls = size_class(entries);
  if (cls >= kClasses) return nullptr;
  {
    SpinGuard guard(lock_);
    if (Free* block = free_[cls]; block != nullptr) {
      free_[cls] = block->next;
      return reinterpret_cast<uint8_t*>(block);
    }
  }
  const size_t bytes = size_t{desc::kSgEntryBytes} << (kMinShift + cls);
  return static_cast<uint8_t*>(::operator new(bytes, kAlign, std::nothrow));
}

void SgPool::free(uint8_t* table, unsigned entries) {
  SpinGuard guard(lock_);
  Free*& list = free_[size_class(entries)];
  list = new (table) Free{list};
}

}  // namespace caamlab::driver::caam
