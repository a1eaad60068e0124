// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Cuts data that comes in any pieces into whole blocks for a block cipher and puts the results out. Bulk goes straight
// from the input to the output window; only blocks that lie across pieces are copied.
#pragma once

#include <algorithm>
#include <cstring>

#include "hw_model/cha/cha.h"

namespace caamlab::hw_model {

template <unsigned kBlock>
class BlockCutter {
 public:
  void reset() { held_ = 0; }
  // Bytes of a block not yet full.
  unsigned held() const { return held_; }

  // crypt(out, in, len) handles whole blocks, len > 0; out and in may be the same.
  template <typename Crypt>
  void feed(ByteSpan in, Output& out, Crypt&& crypt) {
    if (held_ != 0) {
      const size_t n = std::min<size_t>(kBlock - held_, in.size());
      std::memcpy(block_ + held_, in.data(), n);
      held_ += static_cast<unsigned>(n);
      in = in.subspan(n);
      if (held_ < kBlock) return;
      held_ = 0;
      crypt(block_, block_, kBlock);
      out.put({block_, kBlock});
    }
    while (in.size() >= kBlock) {
      const std::span<uint8_t> to = out.window(in.size() / kBlock * kBlock);
      size_t n = std::min(to.size(), in.size()) / kBlock * kBlock;
      if (n != 0) {
        crypt(to.data(), in.data(), n);
        out.commit(n);
      } else {
        n = kBlock;
        crypt(block_, in.data(), kBlock);
        out.put({block_, kBlock});
      }
      in = in.subspan(n);
    }
    std::memcpy(block_, in.data(), in.size());
    held_ = static_cast<unsigned>(in.size());
  }

 private:
  uint8_t block_[kBlock] = {};
  unsigned held_ = 0;
};

}  // namespace caamlab::hw_model
