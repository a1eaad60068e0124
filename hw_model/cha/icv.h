// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The ICV an operation is given to check: it may come in pieces, and only its first ICV-size bytes count.
#pragma once

#include <algorithm>
#include <array>

#include "hw_model/cha/cha.h"

namespace caamlab::hw_model {

class IcvCheck {
 public:
  void reset() { bytes_ = 0; }
  bool received() const { return bytes_ != 0; }
  // Anything beyond the longest ICV is dropped.
  void add(ByteSpan in) {
    const size_t n = std::min(in.size(), icv_.size() - bytes_);
    std::copy_n(in.begin(), n, icv_.begin() + static_cast<ptrdiff_t>(bytes_));
    bytes_ += n;
  }
  // The bytes that count. `full`: length of the computed value; an icv_size of 0, or above that, means all of it. What
  // did not come is zero.
  ByteSpan expected(uint32_t icv_size, size_t full) {
    const size_t n = icv_size == 0 || icv_size > full ? full : icv_size;
    if (bytes_ < n) std::fill(icv_.begin() + static_cast<ptrdiff_t>(bytes_), icv_.end(), uint8_t{0});
    return {icv_.data(), n};
  }
  CcbError compare(const uint8_t* computed, uint32_t icv_size, size_t full) {
    const ByteSpan icv = expected(icv_size, full);
    return std::equal(icv.begin(), icv.end(), computed) ? CcbError::kNone : CcbError::kIcvCheck;
  }

 private:
  std::array<uint8_t, 64> icv_{};
  size_t bytes_ = 0;
};

}  // namespace caamlab::hw_model
