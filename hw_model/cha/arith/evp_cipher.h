// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// A libcrypto cipher kept ready under its key, so that the next message under it costs no key expansion.
#pragma once

#include <openssl/evp.h>

#include <array>
#include <cstdint>
#include <memory>

#include "desc/bits.h"

namespace caamlab::hw_model {

enum class Direction : uint8_t { kDecrypt, kEncrypt };

class EvpCipher {
 public:
  // Up to 64 bytes of key. What is set already costs a comparison. Padding is off.
  void set_key(const EVP_CIPHER* cipher, desc::ByteSpan key, Direction direction);
  // A new message; `iv` as long as the cipher takes.
  void set_iv(const uint8_t* iv);
  // Block modes: whole blocks. in and out may be the same.
  void update(uint8_t* out, const uint8_t* in, size_t len);
  // The chaining value after the last update.
  void chaining_value(uint8_t* out, size_t len) const;

 private:
  struct FreeCtx {
    void operator()(EVP_CIPHER_CTX* ctx) const { EVP_CIPHER_CTX_free(ctx); }
  };
  std::unique_ptr<EVP_CIPHER_CTX, FreeCtx> ctx_;
  const EVP_CIPHER* cipher_ = nullptr;
  std::array<uint8_t, 64> key_{};
  size_t key_len_ = 0;
  Direction direction_ = Direction::kEncrypt;
};

// AES by key length (16, 24, 32; XTS: 32 or 64).
enum class AesMode : uint8_t { kEcb, kCbc, kCfb, kOfb, kCtr, kXts };
const EVP_CIPHER* aes_cipher(AesMode mode, size_t key_len);

}  // namespace caamlab::hw_model
