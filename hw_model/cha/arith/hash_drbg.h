// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Hash_DRBG with SHA-256 (SP 800-90A, 10.1.1), with every input the caller's.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "desc/bits.h"

namespace caamlab::hw_model {

class HashDrbg {
 public:
  static constexpr size_t kSeedBytes = 55, kMaxRequest = 65536;

  void instantiate(desc::ByteSpan entropy, desc::ByteSpan nonce, desc::ByteSpan personalization);
  void reseed(desc::ByteSpan entropy, desc::ByteSpan additional);
  // kMaxRequest bytes at most.
  void generate(std::span<uint8_t> out, desc::ByteSpan additional);
  void clear();

 private:
  using Seed = std::array<uint8_t, kSeedBytes>;
  void set_seed(const Seed& v);
  void add(desc::ByteSpan number);

  Seed v_{}, c_{};
  uint64_t counter_ = 0;
};

}  // namespace caamlab::hw_model
