// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// CBC-MAC and what CMAC (SP 800-38B) and XCBC-MAC (RFC 3566) make of it, with the running value and the constants in
// the open.
#pragma once

#include "hw_model/cha/arith/evp_cipher.h"

namespace caamlab::hw_model {

// CBC-MAC of whole blocks, continued from any value.
class CbcMac {
 public:
  void set_key(desc::ByteSpan key) { cbc_.set_key(aes_cipher(AesMode::kCbc, key.size()), key, Direction::kEncrypt); }
  // value = the MAC so far; continued at the first update().
  void start(const uint8_t value[16]);
  void update(desc::ByteSpan whole_blocks);
  const uint8_t* value() const { return value_; }

 private:
  EvpCipher cbc_;
  uint8_t value_[16] = {};
};

// The same with blocks cut from pieces.
class CbcMacStream {
 public:
  void set_key(desc::ByteSpan key) { mac_.set_key(key); }
  void start(const uint8_t value[16]);
  // hold_last: the last block, full or not, is kept for finish_block().
  void update(desc::ByteSpan data, bool hold_last);
  unsigned held() const { return held_; }
  const uint8_t* held_bytes() const { return block_; }
  // Absorbs `block` in place of what is held.
  void finish_block(const uint8_t block[16]);
  // Zeros fill what is held to a block; nothing if nothing is held.
  void pad();
  const uint8_t* value() const { return mac_.value(); }

 private:
  CbcMac mac_;
  uint8_t block_[16] = {};
  unsigned held_ = 0;
};

}  // namespace caamlab::hw_model
