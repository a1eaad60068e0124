// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The AES block function for whoever needs single blocks or a counter stream with its counter in the open.
#pragma once

#include <openssl/evp.h>

#include <array>
#include <cstdint>
#include <memory>

#include "desc/bits.h"

namespace caamlab::hw_model {

class AesBlock {
 public:
  // 16, 24 or 32 bytes. Setting the key that is set already costs a comparison.
  void set_key(desc::ByteSpan key);
  // `len` is a multiple of 16; in and out may be the same.
  void encrypt(uint8_t* out, const uint8_t* in, size_t len);

  // CTR with a counter in the last `counter_bytes` of `counter`, big endian, that wraps without touching the rest.
  // `used`: bytes of the current block's keystream already used (0: none); both are updated, so that calls continue
  // each other. While used != 0 the counter is still that of the block in work.
  void ctr(uint8_t* out, const uint8_t* in, size_t len, uint8_t counter[16], unsigned& used, unsigned counter_bytes);

 private:
  struct FreeCtx {
    void operator()(EVP_CIPHER_CTX* ctx) const { EVP_CIPHER_CTX_free(ctx); }
  };
  std::unique_ptr<EVP_CIPHER_CTX, FreeCtx> ctx_;
  std::array<uint8_t, 32> key_{};
  size_t key_len_ = 0;
  uint8_t keystream_[16] = {};
};

// Adds `n` to the last `bytes` bytes of a block, big endian.
void add_to_counter(uint8_t block[16], uint64_t n, unsigned bytes);

}  // namespace caamlab::hw_model
