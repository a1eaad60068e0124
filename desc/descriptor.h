// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// A descriptor: at most 64 logical words (hardware.md 0.3). Byte order is applied only where it meets memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "desc/bits.h"

namespace caamlab::desc {

inline constexpr unsigned kMaxDescWords = 64;  // MAX_CAAM_DESCSIZE

class Descriptor {
 public:
  constexpr Descriptor() = default;

  constexpr unsigned size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr uint32_t operator[](unsigned i) const { return words_[i]; }
  constexpr uint32_t& operator[](unsigned i) { return words_[i]; }
  constexpr std::span<const uint32_t> words() const { return {words_.data(), size_}; }
  constexpr unsigned bytes() const { return size_ * 4; }

  // False, and nothing appended, when it would exceed 64 words.
  constexpr bool push_back(uint32_t word) {
    if (size_ >= kMaxDescWords) return false;
    words_[size_] = word;
    size_ = static_cast<uint16_t>(size_ + 1);
    return true;
  }
  // Room for `n` more words, to be written by the caller; null when they do not fit.
  constexpr uint32_t* extend(unsigned n) {
    if (n > kMaxDescWords - size_) return nullptr;
    uint32_t* at = words_.data() + size_;
    size_ = static_cast<uint16_t>(size_ + n);
    return at;
  }
  // The words as they lie in memory: 4 * size() bytes at `out`.
  void store(uint8_t* out, Endian endian) const {
    if (endian == Endian::kLittle) {
      std::memcpy(out, words_.data(), size_t{size_} * 4);
      return;
    }
    for (unsigned i = 0; i < size_; ++i) store32(out + i * 4, words_[i], endian);
  }
  static Descriptor from_words(std::span<const uint32_t> words) {
    Descriptor d;
    for (uint32_t w : words)
      if (!d.push_back(w)) break;
    return d;
  }
  friend bool operator==(const Descriptor& a, const Descriptor& b) { return std::ranges::equal(a.words(), b.words()); }

 private:
  // Not as wide as the words: so the compiler knows that storing a word leaves it alone, and keeps it in a register.
  uint16_t size_ = 0;
  std::array<uint32_t, kMaxDescWords> words_;  // words past size_ are never read
};

}  // namespace caamlab::desc
