// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// AES-XTS (IEEE 1619) of one data unit in pieces. libcrypto takes a data unit only whole; a piece in the middle is made
// to look like the beginning of one, with the tweak that encrypts to the running one.
#pragma once

#include "hw_model/cha/arith/evp_cipher.h"

namespace caamlab::hw_model {

class AesXts {
 public:
  // Two keys of 16 or 32 bytes. They may be equal.
  void set_keys(desc::ByteSpan key1, desc::ByteSpan key2, Direction direction);
  // A data unit begins.
  void start(const uint8_t tweak[16]);
  // Whole blocks, but for the last whole one of a unit with a partial block. In place or apart.
  void crypt(uint8_t* out, const uint8_t* in, size_t len);
  // The end of a unit that has a partial block: its last whole block and the rest, 17 to 31 bytes. In place or apart.
  void steal(uint8_t* out, const uint8_t* in, size_t len);

 private:
  void running_tweak();
  void one_block(uint8_t* out, const uint8_t* in, const uint8_t tweak[16]);

  Direction direction_ = Direction::kEncrypt;
  bool library_refuses_ = false;  // equal keys in encryption
  EvpCipher bulk_, block1_, encrypt2_, decrypt2_;
  uint8_t tweak_[16] = {};    // as given
  uint8_t running_[16] = {};  // encrypted, times x for each block before running_block_
  uint64_t running_block_ = 0, block_ = 0;
  bool running_valid_ = false;
};

}  // namespace caamlab::hw_model
