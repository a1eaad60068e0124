// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See aes_mac.h.
#include "hw_model/cha/arith/aes_mac.h"

#include <algorithm>
#include <cstring>

namespace caamlab::hw_model {

void CbcMac::start(const uint8_t value[16]) {
  std::memcpy(value_, value, 16);
  cbc_.set_iv(value_);
}

void CbcMac::update(desc::ByteSpan whole_blocks) {
  constexpr size_t kScratch = 1024;
  uint8_t scratch[kScratch];
  while (!whole_blocks.empty()) {
    const size_t n = std::min(whole_blocks.size(), kScratch);
    cbc_.update(scratch, whole_blocks.data(), n);
    whole_blocks = whole_blocks.subspan(n);
    if (whole_blocks.empty()) std::memcpy(value_, scratch + n - 16, 16);
  }
}

void CbcMacStream::start(const uint8_t value[16]) {
  mac_.start(value);
  held_ = 0;
}

void CbcMacStream::update(desc::ByteSpan data, bool hold_last) {
  if (data.empty()) return;
  const size_t keep = hold_last ? 1 : 0;
  if (held_ != 0) {
    const size_t n = std::min<size_t>(16 - held_, data.size());
    std::memcpy(block_ + held_, data.data(), n);
    held_ += static_cast<unsigned>(n);
    data = data.subspan(n);
    if (held_ == 16 && data.size() >= keep) {
      mac_.update({block_, 16});
      held_ = 0;
    }
  }
  if (data.empty()) return;
  const size_t n = (data.size() - keep) / 16 * 16;
  mac_.update(data.first(n));
  data = data.subspan(n);
  std::memcpy(block_, data.data(), data.size());
  held_ = static_cast<unsigned>(data.size());
}

void CbcMacStream::finish_block(const uint8_t block[16]) {
  mac_.update({block, 16});
  held_ = 0;
}

void CbcMacStream::pad() {
  if (held_ == 0) return;
  std::memset(block_ + held_, 0, 16 - held_);
  finish_block(block_);
}

}  // namespace caamlab::hw_model
