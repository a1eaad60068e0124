// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// AES-GCM as a whole message: the arithmetic behind AESA's GCM mode, with one implementation per library. What only the
// CAAM has (context between operations, status, data order) is in aesa_gcm.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "desc/bits.h"

namespace caamlab::hw_model {

class AesGcm {
 public:
  static constexpr size_t kMaxIvBytes = 128;
  virtual ~AesGcm() = default;
  virtual const char* library() const = 0;

  // 16, 24 or 32 bytes. Setting the key that is set already costs a comparison.
  virtual void set_key(desc::ByteSpan key) = 0;
  // A new message under the key; 1 to kMaxIvBytes bytes of IV.
  virtual void start(desc::ByteSpan iv, bool encrypt) = 0;
  virtual void aad(desc::ByteSpan data) = 0;
  // In place (out == in) or apart; any length, calls continue each other.
  virtual void crypt(uint8_t* out, const uint8_t* in, size_t len) = 0;
  // Ends the message. The tag: always in encryption, in decryption where tag_in_decrypt().
  virtual void tag(uint8_t out[16]) = 0;
  virtual bool tag_in_decrypt() const = 0;
  // Ends a decryption: does the tag begin with `icv` (1 to 16 bytes)?
  virtual bool verify(desc::ByteSpan icv) = 0;
};

std::unique_ptr<AesGcm> make_aes_gcm_libcrypto();
// The fastest library that this build and this CPU have.
std::unique_ptr<AesGcm> make_aes_gcm();

}  // namespace caamlab::hw_model
