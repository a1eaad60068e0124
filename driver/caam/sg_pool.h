// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Memory for scatter/gather tables that do not fit in their request: blocks of 2^n entries that come back to a free
// list, so that a load that has been seen once needs no allocation again. (The kernel allocates per request.)
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace caamlab::driver::caam {

// Thread safe.
class SgPool {
 public:
  SgPool() = default;
  ~SgPool();
  SgPool(const SgPool&) = delete;
  SgPool& operator=(const SgPool&) = delete;

  // Memory for at least `entries` table entries, on a 64-byte boundary; null when there is none.
  uint8_t* alloc(unsigned entries);
  void free(uint8_t* table, unsigned entries);  // entries: as given to alloc

 private:
  struct Free {
    Free* next;
  };
  static constexpr unsigned kMinShift = 4;  // 16 entries
  static constexpr unsigned kClasses = 20;
  static unsigned size_class(unsigned entries);

  std::atomic_flag lock_ = ATOMIC_FLAG_INIT;
  std::array<Free*, kClasses> free_{};
};

// A lock for a few instructions.
class SpinGuard {
 public:
  explicit SpinGuard(std::atomic_flag& flag) : flag_(flag) {
    while (flag_.test_and_set(std::memory_order_acquire)) {
    }
  }
  ~SpinGuard() { flag_.clear(std::memory_order_release); }
  SpinGuard(const SpinGuard&) = delete;
  SpinGuard& operator=(const SpinGuard&) = delete;

 private:
  std::atomic_flag& flag_;
};

}  // namespace caamlab::driver::caam
