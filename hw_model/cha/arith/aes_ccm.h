// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// AES-CCM (SP 800-38C) of a whole message without AAD, for what the device wraps itself: black keys and blobs.
#pragma once

#include <span>

#include "hw_model/cha/arith/aes_block.h"
#include "hw_model/cha/arith/aes_mac.h"

namespace caamlab::hw_model {

class AesCcm {
 public:
  // 16, 24 or 32 bytes. Setting the key that is set already costs a comparison.
  void set_key(desc::ByteSpan key);
  // nonce: 7 to 13 bytes; mac: 4 to 16 bytes, an even number. In place or apart.
  void seal(desc::ByteSpan nonce, desc::ByteSpan plain, uint8_t* cipher, std::span<uint8_t> mac);
  // Writes the plaintext whatever the answer: is the MAC right?
  bool open(desc::ByteSpan nonce, desc::ByteSpan cipher, uint8_t* plain, desc::ByteSpan mac);

 private:
  void start(desc::ByteSpan nonce, size_t mac_len, size_t message_len);
  void finish(std::span<uint8_t> mac);
  void crypt(uint8_t* out, desc::ByteSpan in);

  AesBlock block_;
  CbcMacStream mac_;
  uint8_t counter_[16] = {};
  uint8_t mask_[16] = {};  // E(K, CTR0)
};

}  // namespace caamlab::hw_model
