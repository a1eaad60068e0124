// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See poly1305.h. The open form works in radix 2^64 with a third limb for the bits above 2^128.
#include "hw_model/cha/arith/poly1305.h"

#include <algorithm>
#include <cstring>

namespace caamlab::hw_model {
namespace {

__extension__ using uint128 = unsigned __int128;

uint64_t load_le64(const uint8_t* p) { return desc::bswap64(desc::load_be64(p)); }
void store_le64(uint8_t* p, uint64_t v) { desc::store_be64(p, desc::bswap64(v)); }

}  // namespace

void Poly1305::start(desc::ByteSpan key) {
  open_ = false;
  pending_bytes_ = 0;
  if (!ctx_) {
    mac_.reset(EVP_MAC_fetch(nullptr, "POLY1305", nullptr));
    ctx_.reset(EVP_MAC_CTX_new(mac_.get()));
  }
  EVP_MAC_init(ctx_.get(), key.data(), key.size(), nullptr);
}

void Poly1305::start_open(desc::ByteSpan key) {
  constexpr uint8_t kZero[kAccumulatorBytes] = {};
  resume(key, kZero);
}

void Poly1305::resume(desc::ByteSpan key, const uint8_t accumulator[kAccumulatorBytes]) {
  open_ = true;
  pending_bytes_ = 0;
  r_[0] = load_le64(key.data()) & 0x0FFFFFFC0FFFFFFF;
  r_[1] = load_le64(key.data() + 8) & 0x0FFFFFFC0FFFFFFC;
  s_[0] = load_le64(key.data() + 16);
  s_[1] = load_le64(key.data() + 24);
  h_[0] = load_le64(accumulator);
  h_[1] = load_le64(accumulator + 8);
  h_[2] = accumulator[16];
}

// h = (h + block) * r mod 2^130 - 5, left partly reduced. r_[1] is a multiple of 4, so 2^128 * r_[1] = 5/4 * r_[1].
void Poly1305::block(const uint8_t* data, uint64_t high_bit) {
  uint128 t = uint128{h_[0]} + load_le64(data);
  const uint64_t h0 = static_cast<uint64_t>(t);
  t = uint128{h_[1]} + load_le64(data + 8) + static_cast<uint64_t>(t >> 64);
  const uint64_t h1 = static_cast<uint64_t>(t);
  const uint64_t h2 = h_[2] + static_cast<uint64_t>(t >> 64) + high_bit;
  const uint64_t folded_r1 = r_[1] + (r_[1] >> 2);

  const uint128 d0 = uint128{h0} * r_[0] + uint128{h1} * folded_r1;
  const uint128 d1 = uint128{h0} * r_[1] + uint128{h1} * r_[0] + h2 * folded_r1 + static_cast<uint64_t>(d0 >> 64);
  const uint64_t top = h2 * r_[0] + static_cast<uint64_t>(d1 >> 64);

  t = uint128{static_cast<uint64_t>(d0)} + (top >> 2) + (top & ~uint64_t{3});
  h_[0] = static_cast<uint64_t>(t);
  t = uint128{static_cast<uint64_t>(d1)} + static_cast<uint64_t>(t >> 64);
  h_[1] = static_cast<uint64_t>(t);
  h_[2] = (top & 3) + static_cast<uint64_t>(t >> 64);
}

void Poly1305::update(desc::ByteSpan data) {
  if (!open_) {
    pending_bytes_ = (pending_bytes_ + data.size()) % 16;
    EVP_MAC_update(ctx_.get(), data.data(), data.size());
    return;
  }
  while (!data.empty()) {
    if (pending_bytes_ == 0 && data.size() >= 16) {
      block(data.data(), 1);
      data = data.subspan(16);
      continue;
    }
    const size_t n = std::min<size_t>(16 - pending_bytes_, data.size());
    std::memcpy(pending_ + pending_bytes_, data.data(), n);
    pending_bytes_ += static_cast<unsigned>(n);
    data = data.subspan(n);
    if (pending_bytes_ == 16) {
      block(pending_, 1);
      pending_bytes_ = 0;
    }
  }
}

void Poly1305::pad() {
  constexpr uint8_t kZero[16] = {};
  if (pending_bytes_ != 0) update({kZero, 16 - pending_bytes_});
}

void Poly1305::finish(uint8_t tag[16]) {
  if (open_) return finish_open(tag);
  size_t n = 0;
  EVP_MAC_final(ctx_.get(), tag, &n, 16);
}

void Poly1305::finish_open(uint8_t tag[16]) {
  if (pending_bytes_ != 0) {
    std::memset(pending_ + pending_bytes_, 0, 16 - pending_bytes_);
    pending_[pending_bytes_] = 1;
    block(pending_, 0);
  }
  // Once more without the modulus, if that does not go below zero.
  uint128 t = uint128{h_[0]} + 5;
  const uint64_t g0 = static_cast<uint64_t>(t);
  t = uint128{h_[1]} + static_cast<uint64_t>(t >> 64);
  const uint64_t g1 = static_cast<uint64_t>(t);
  const bool reduce = (h_[2] + static_cast<uint64_t>(t >> 64)) >> 2 != 0;
  t = uint128{reduce ? g0 : h_[0]} + s_[0];
  store_le64(tag, static_cast<uint64_t>(t));
  store_le64(tag + 8, (reduce ? g1 : h_[1]) + s_[1] + static_cast<uint64_t>(t >> 64));
}

void Poly1305::suspend(uint8_t accumulator[kAccumulatorBytes]) const {
  store_le64(accumulator, h_[0]);
  store_le64(accumulator + 8, h_[1]);
  accumulator[16] = static_cast<uint8_t>(h_[2]);
}

}  // namespace caamlab::hw_model
