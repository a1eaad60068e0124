// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// An aead request with its memory, for tests that have many of them on their way at once. Memory and lists are kept
// from one use to the next; buffers are exactly as long as the request needs, with guard bytes around.
#pragma once

#include <string>

#include "tests/api/runner.h"

namespace caamlab::tests {

class AeadSlot {
 public:
  static constexpr uint8_t kFill = 0x5a;  // what dst holds before, and the guards

  // Lays out `input` as `layout` says and submits. The input, but for its AAD, is not looked at again.
  int submit(api::CryptoAead& tfm, Crypt crypt, const AeadInput& input, const Layout& layout);

  int completions() const { return completions_; }
  int err() const { return err_; }  // of the last completion
  std::span<const uint8_t> out() const { return dst_bytes().subspan(aad_len_, out_len_ - aad_len_); }
  // What was written that nobody had asked for: guards, the source, the IV, the AAD in dst. Empty if nothing.
  // copies_aad: the algorithm has the AAD copied into dst.
  std::string damage(const AeadInput& input, bool copies_aad) const;

 private:
  static constexpr size_t kGuardLen = 64;
  struct Memory {
    std::vector<uint8_t> bytes;
    size_t start = 0, len = 0;
    void resize(size_t new_len, size_t offset);
    std::span<uint8_t> span() { return {bytes.data() + start, len}; }
    std::span<const uint8_t> span() const { return {bytes.data() + start, len}; }
    bool guards_intact() const;
  };
  std::span<const uint8_t> dst_bytes() const { return same_memory_ ? src_.span() : dst_.span(); }

  Memory src_, dst_;
  bool same_memory_ = false;
  size_t aad_len_ = 0, out_len_ = 0;
  Bytes iv_;
  api::SgTable src_list_, dst_list_;
  api::AeadRequestHandle req_;
  int completions_ = 0, err_ = 1;
};

}  // namespace caamlab::tests
