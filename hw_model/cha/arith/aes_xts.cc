// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See aes_xts.h.
#include "hw_model/cha/arith/aes_xts.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace caamlab::hw_model {
namespace {

// Below this a piece costs less in ECB with tweaks of our own than by starting the library anew.
constexpr size_t kBulkBytes = 192;
constexpr size_t kBatchBytes = 128;

// tweak * x^n in GF(2^128), little endian, 64 steps of x at once, then the rest.
void advance(uint8_t tweak[16], uint64_t n) {
  uint64_t lo, hi;
  std::memcpy(&lo, tweak, 8);
  std::memcpy(&hi, tweak + 8, 8);
  for (; n >= 64; n -= 64) {
    const uint64_t out = hi;
    hi = lo ^ out >> 63 ^ out >> 62 ^ out >> 57;
    lo = out ^ out << 1 ^ out << 2 ^ out << 7;
  }
  while (n != 0) {
    const unsigned k = static_cast<unsigned>(std::min<uint64_t>(n, 32));
    const uint64_t out = hi >> (64 - k);
    hi = hi << k | lo >> (64 - k);
    lo = lo << k ^ out ^ out << 1 ^ out << 2 ^ out << 7;
    n -= k;
  }
  std::memcpy(tweak, &lo, 8);
  std::memcpy(tweak + 8, &hi, 8);
}

}  // namespace

void AesXts::set_keys(desc::ByteSpan key1, desc::ByteSpan key2, Direction direction) {
  direction_ = direction;
  library_refuses_ = direction == Direction::kEncrypt && std::equal(key1.begin(), key1.end(), key2.begin());
  if (!library_refuses_) {
    std::array<uint8_t, 64> both;
    std::copy(key1.begin(), key1.end(), both.begin());
    std::copy(key2.begin(), key2.end(), both.begin() + static_cast<ptrdiff_t>(key1.size()));
    bulk_.set_key(aes_cipher(AesMode::kXts, 2 * key1.size()), {both.data(), 2 * key1.size()}, direction);
  }
  const EVP_CIPHER* ecb = aes_cipher(AesMode::kEcb, key1.size());
  block1_.set_key(ecb, key1, direction);
  encrypt2_.set_key(ecb, key2, Direction::kEncrypt);
  decrypt2_.set_key(ecb, key2, Direction::kDecrypt);
}

void AesXts::start(const uint8_t tweak[16]) {
  std::memcpy(tweak_, tweak, 16);
  block_ = 0;
  running_valid_ = false;
}

void AesXts::running_tweak() {
  if (!running_valid_) {
    encrypt2_.update(running_, tweak_, 16);
    running_block_ = 0;
    running_valid_ = true;
  }
  advance(running_, block_ - running_block_);
  running_block_ = block_;
}

void AesXts::one_block(uint8_t* out, const uint8_t* in, const uint8_t tweak[16]) {
  uint8_t b[16];
  for (unsigned i = 0; i < 16; ++i) b[i] = in[i] ^ tweak[i];
  block1_.update(b, b, 16);
  for (unsigned i = 0; i < 16; ++i) out[i] = b[i] ^ tweak[i];
}

void AesXts::crypt(uint8_t* out, const uint8_t* in, size_t len) {
  if (len >= kBulkBytes && !library_refuses_) {
    if (block_ == 0) {
      bulk_.set_iv(tweak_);
    } else {
      running_tweak();
      uint8_t as_if_first[16];
      decrypt2_.update(as_if_first, running_, 16);
      bulk_.set_iv(as_if_first);
    }
    bulk_.update(out, in, len);
    block_ += len / 16;
    return;
  }
  while (len != 0) {
    const size_t n = std::min(len, kBatchBytes);
    uint8_t tweaks[kBatchBytes], work[kBatchBytes];
    for (size_t i = 0; i < n; i += 16, ++block_) {
      running_tweak();
      std::memcpy(tweaks + i, running_, 16);
    }
    for (size_t i = 0; i < n; ++i) work[i] = in[i] ^ tweaks[i];
    block1_.update(work, work, n);
    for (size_t i = 0; i < n; ++i) out[i] = work[i] ^ tweaks[i];
    in += n;
    out += n;
    len -= n;
  }
}

void AesXts::steal(uint8_t* out, const uint8_t* in, size_t len) {
  const size_t rest = len - 16;
  running_tweak();
  uint8_t next[16];
  std::memcpy(next, running_, 16);
  advance(next, 1);
  // Decryption takes the two tweaks in the opposite order.
  const bool encrypt = direction_ == Direction::kEncrypt;
  uint8_t whole[16], mixed[16];
  one_block(whole, in, encrypt ? running_ : next);
  std::memcpy(mixed, in + 16, rest);
  std::memcpy(mixed + rest, whole + rest, 16 - rest);
  std::memcpy(out + 16, whole, rest);
  one_block(out, mixed, encrypt ? next : running_);
  block_ += 2;
}

}  // namespace caamlab::hw_model
