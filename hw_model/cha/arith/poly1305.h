// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Poly1305 (RFC 8439, 2.5) as a whole over libcrypto, and with its accumulator in the open for operations that are
// continued. libcrypto's is several times faster and shows no state.
#pragma once

#include <openssl/evp.h>

#include <array>
#include <cstdint>
#include <memory>

#include "desc/bits.h"

namespace caamlab::hw_model {

class Poly1305 {
 public:
  static constexpr unsigned kAccumulatorBytes = 17;  // 130 bits, little endian

  // A new message. key: r and s, 32 bytes.
  void start(desc::ByteSpan key);
  // A message whose whole blocks so far gave `accumulator`.
  void resume(desc::ByteSpan key, const uint8_t accumulator[kAccumulatorBytes]);
  // Begins a message that suspend() can end.
  void start_open(desc::ByteSpan key);

  void update(desc::ByteSpan data);
  // Zeros up to the next multiple of 16 of all that was updated.
  void pad();
  void finish(uint8_t tag[16]);
  // The accumulator of an open message; all data so far were whole blocks.
  void suspend(uint8_t accumulator[kAccumulatorBytes]) const;

 private:
  void block(const uint8_t* data, uint64_t high_bit);
  void finish_open(uint8_t tag[16]);

  struct FreeMac {
    void operator()(EVP_MAC* mac) const { EVP_MAC_free(mac); }
    void operator()(EVP_MAC_CTX* ctx) const { EVP_MAC_CTX_free(ctx); }
  };
  std::unique_ptr<EVP_MAC, FreeMac> mac_;
  std::unique_ptr<EVP_MAC_CTX, FreeMac> ctx_;
  bool open_ = false;
  uint64_t r_[2] = {}, s_[2] = {}, h_[3] = {};
  uint8_t pending_[16] = {};
  unsigned pending_bytes_ = 0;
};

}  // namespace caamlab::hw_model
