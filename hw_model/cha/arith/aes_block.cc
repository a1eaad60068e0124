// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See aes_block.h.
#include "hw_model/cha/arith/aes_block.h"

#include <algorithm>
#include <cstring>

namespace caamlab::hw_model {

void AesBlock::set_key(desc::ByteSpan key) {
  if (ctx_ && key.size() == key_len_ && std::equal(key.begin(), key.end(), key_.begin())) return;
  key_len_ = key.size();
  std::copy(key.begin(), key.end(), key_.begin());
  if (!ctx_) ctx_.reset(EVP_CIPHER_CTX_new());
  const EVP_CIPHER* cipher = key_len_ == 16   ? EVP_aes_128_ecb()
                             : key_len_ == 24 ? EVP_aes_192_ecb()
                                              : EVP_aes_256_ecb();
  EVP_EncryptInit_ex(ctx_.get(), cipher, nullptr, key_.data(), nullptr);
  EVP_CIPHER_CTX_set_padding(ctx_.get(), 0);
}

void AesBlock::encrypt(uint8_t* out, const uint8_t* in, size_t len) {
  int n = 0;
  EVP_EncryptUpdate(ctx_.get(), out, &n, in, static_cast<int>(len));
}

void add_to_counter(uint8_t block[16], uint64_t n, unsigned bytes) {
  for (unsigned i = 0; i < bytes && n != 0; ++i) {
    const uint64_t sum = (n & 0xFF) + block[15 - i];
    block[15 - i] = static_cast<uint8_t>(sum);
    n = (n >> 8) + (sum >> 8);
  }
}

namespace {
void step_back(uint8_t block[16], unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i)
    if (block[15 - i]-- != 0) return;
}
}  // namespace

void AesBlock::ctr(uint8_t* out, const uint8_t* in, size_t len, uint8_t counter[16], unsigned& used,
                   unsigned counter_bytes) {
  for (; len != 0 && used != 0; --len) {
    *out++ = *in++ ^ keystream_[used];
    used = (used + 1) % 16;
    if (used == 0) add_to_counter(counter, 1, counter_bytes);
  }
  constexpr size_t kBatch = 32 * 16;
  uint8_t stream[kBatch];
  while (len != 0) {
    const size_t n = std::min(len, kBatch);
    const size_t blocks = (n + 15) / 16;
    for (size_t b = 0; b < blocks; ++b) {
      std::memcpy(stream + b * 16, counter, 16);
      add_to_counter(counter, 1, counter_bytes);
    }
    encrypt(stream, stream, blocks * 16);
    for (size_t i = 0; i < n; ++i) out[i] = in[i] ^ stream[i];
    out += n;
    in += n;
    len -= n;
    used = static_cast<unsigned>(n % 16);
    if (used == 0) continue;
    // While a block is in work the counter stays at it.
    std::memcpy(keystream_, stream + (blocks - 1) * 16, 16);
    step_back(counter, counter_bytes);
  }
}

}  // namespace caamlab::hw_model
