// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The two ends of the AES key expansion (FIPS 197, 5.2). The AESA walks it backwards while it decrypts and is left with
// the last words of the expanded key, the "decryption form" (hardware.md 2.13, DK).
#pragma once

#include <array>
#include <cstdint>

#include "desc/bits.h"

namespace caamlab::hw_model {

// 16, 24 or 32 bytes, `out` as many.
void aes_decryption_form(uint8_t* out, desc::ByteSpan cipher_key);
void aes_cipher_key(uint8_t* out, desc::ByteSpan decryption_form);

// Both, with the last pair remembered.
class AesKeyForms {
 public:
  // The results are valid until the next call.
  desc::ByteSpan decryption_form(desc::ByteSpan cipher_key);
  desc::ByteSpan cipher_key(desc::ByteSpan decryption_form);

 private:
  std::array<uint8_t, 32> cipher_{}, decrypt_{};
  size_t len_ = 0;
};

}  // namespace caamlab::hw_model
