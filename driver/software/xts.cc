// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The data goes through a buffer on the stack, 32 blocks at a time.
#include "driver/software/xts.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace caamlab::driver::software {
namespace {

constexpr size_t kBlock = 16;
constexpr size_t kBatch = 32 * kBlock;
using Block = std::array<uint8_t, kBlock>;

bool ecb(EVP_CIPHER_CTX* ctx, uint8_t* data, size_t len) {
  int done = 0;
  return EVP_CipherUpdate(ctx, data, &done, data, static_cast<int>(len)) == 1 && static_cast<size_t>(done) == len;
}

// Times x in GF(2^128), least significant byte first.
void next_tweak(Block* tweak) {
  uint8_t carry = 0;
  for (uint8_t& byte : *tweak) {
    const uint8_t out = byte >> 7;
    byte = static_cast<uint8_t>(byte << 1 | carry);
    carry = out;
  }
  if (carry != 0) (*tweak)[0] ^= 0x87;
}

void xor_block(uint8_t* data, const Block& tweak) {
  for (size_t i = 0; i < kBlock; ++i) data[i] ^= tweak[i];
}

bool one_block(EVP_CIPHER_CTX* data, uint8_t* block, const Block& tweak) {
  xor_block(block, tweak);
  const bool ok = ecb(data, block, kBlock);
  xor_block(block, tweak);
  return ok;
}

// `len` bytes, whole blocks; leaves *tweak at the block that follows.
bool whole_blocks(EVP_CIPHER_CTX* data, api::SgCursor* dst, api::SgCursor* src, size_t len, Block* tweak) {
  std::array<uint8_t, kBatch> batch;
  std::array<Block, kBatch / kBlock> tweaks;
  while (len > 0) {
    const size_t step = std::min(len, kBatch);
    if (src->read(std::span(batch).first(step)) != step) return false;
    for (size_t i = 0; i < step / kBlock; ++i) {
      tweaks[i] = *tweak;
      xor_block(batch.data() + i * kBlock, tweaks[i]);
      next_tweak(tweak);
    }
    if (!ecb(data, batch.data(), step)) return false;
    for (size_t i = 0; i < step / kBlock; ++i) xor_block(batch.data() + i * kBlock, tweaks[i]);
    if (dst->write(std::span(batch).first(step)) != step) return false;
    len -= step;
  }
  return true;
}

// The last whole block and the `rest` bytes behind it. Encrypting, the whole block uses its own tweak and the stolen
// one the next; decrypting, the other way round.
bool steal(EVP_CIPHER_CTX* data, Direction direction, api::SgCursor* dst, api::SgCursor* src, size_t rest,
           Block tweak) {
  std::array<uint8_t, 2 * kBlock> tail{};
  const auto used = std::span(tail).first(kBlock + rest);
  if (src->read(used) != used.size()) return false;
  Block first = tweak;
  next_tweak(&tweak);
  Block second = tweak;
  if (direction == Direction::kDecrypt) std::swap(first, second);
  if (!one_block(data, tail.data(), first)) return false;
  std::swap_ranges(tail.begin(), tail.begin() + rest, tail.begin() + kBlock);
  if (!one_block(data, tail.data(), second)) return false;
  return dst->write(used) == used.size();
}

}  // namespace

bool xts_crypt(EVP_CIPHER_CTX* data, EVP_CIPHER_CTX* tweak_ctx, Direction direction, api::SgCursor* dst,
               api::SgCursor* src, size_t len, const uint8_t* iv) {
  Block tweak;
  std::copy_n(iv, kBlock, tweak.begin());
  if (!ecb(tweak_ctx, tweak.data(), kBlock)) return false;
  const size_t rest = len % kBlock;
  const size_t whole = rest == 0 ? len : len - rest - kBlock;
  if (!whole_blocks(data, dst, src, whole, &tweak)) return false;
  return rest == 0 || steal(data, direction, dst, src, rest, tweak);
}

}  // namespace caamlab::driver::software
