// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What is measured of requests: latency (from submission to the end of the completion), and order. The memory is fixed.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "timing/units.h"

namespace caamlab::timing {

// Durations in classes of less than 1 % width.
class Histogram {
 public:
  void add(Time t) {
    const auto v = static_cast<uint64_t>(std::max<Time>(t, 0));
    ++counts_[index_of(v)];
    ++count_;
    sum_ += static_cast<double>(v);
    max_ = std::max(max_, t);
  }
  void clear() { *this = {}; }
  uint64_t count() const { return count_; }
  double mean_us() const { return count_ == 0 ? 0 : sum_ / static_cast<double>(count_) / kPsPerUs; }
  double max_us() const { return to_us(max_); }
  // The duration that a share `q` of them does not exceed.
  double quantile_us(double q) const;

 private:
  static constexpr unsigned kSubBits = 7;
  static constexpr unsigned kSub = 1u << kSubBits;
  static size_t index_of(uint64_t v) {
    if (v < kSub) return v;
    const unsigned shift = static_cast<unsigned>(std::bit_width(v)) - 1 - kSubBits;
    return (shift + 1) * kSub + (v >> shift) - kSub;
  }
  static uint64_t middle_of(size_t index) {
    if (index < kSub) return index;
    const unsigned shift = static_cast<unsigned>(index / kSub) - 1;
    return ((index % kSub + kSub) << shift) + (uint64_t{1} << shift) / 2;
  }

  std::array<uint64_t, kSub*(64 - kSubBits + 1)> counts_{};
  uint64_t count_ = 0;
  double sum_ = 0;
  Time max_ = 0;
};

inline double Histogram::quantile_us(double q) const {
  if (count_ == 0) return 0;
  const auto wanted = static_cast<uint64_t>(q * static_cast<double>(count_ - 1)) + 1;
  uint64_t seen = 0;
  for (size_t i = 0; i < counts_.size(); ++i)
    if ((seen += counts_[i]) >= wanted) return std::min(to_us(static_cast<Time>(middle_of(i))), max_us());
  return max_us();
}

// In which order the jobs of each key end, against the order of their submission.
class OrderMeter {
 public:
  explicit OrderMeter(unsigned keys) : keys_(keys) {}
  uint64_t submitted(unsigned key) { return ++keys_[key].submitted; }  // its number
  void done(unsigned key, uint64_t number) {
    uint64_t& highest = keys_[key].highest_done;
    if (number < highest) {
      ++overtaken_;
      furthest_ = std::max(furthest_, highest - number);
    }
    highest = std::max(highest, number);
  }
  void clear() { overtaken_ = furthest_ = 0; }
  uint64_t overtaken() const { return overtaken_; }  // jobs that ended after a later one of their key
  uint64_t furthest() const { return furthest_; }    // largest distance to the latest that had ended before

 private:
  struct Key {
    uint64_t submitted = 0, highest_done = 0;
  };
  std::vector<Key> keys_;
  uint64_t overtaken_ = 0, furthest_ = 0;
};

}  // namespace caamlab::timing
