// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See evp_cipher.h.
#include "hw_model/cha/arith/evp_cipher.h"

#include <algorithm>

namespace caamlab::hw_model {

void EvpCipher::set_key(const EVP_CIPHER* cipher, desc::ByteSpan key, Direction direction) {
  if (cipher == cipher_ && direction == direction_ && key.size() == key_len_ &&
      std::equal(key.begin(), key.end(), key_.begin()))
    return;
  if (!ctx_) ctx_.reset(EVP_CIPHER_CTX_new());
  // A context that holds the cipher already needs no second look-up of it.
  EVP_CipherInit_ex(ctx_.get(), cipher == cipher_ ? nullptr : cipher, nullptr, key.data(), nullptr,
                    direction == Direction::kEncrypt);
  // Encryption of whole blocks puts out all of them, padding or not. Without padding libcrypto looks up a parameter at
  // every new IV, so it is switched off only where a block would be held back.
  if (direction == Direction::kDecrypt && EVP_CIPHER_CTX_get_block_size(ctx_.get()) > 1)
    EVP_CIPHER_CTX_set_padding(ctx_.get(), 0);
  cipher_ = cipher;
  direction_ = direction;
  key_len_ = key.size();
  std::copy(key.begin(), key.end(), key_.begin());
}

void EvpCipher::set_iv(const uint8_t* iv) { EVP_CipherInit_ex(ctx_.get(), nullptr, nullptr, nullptr, iv, -1); }

void EvpCipher::update(uint8_t* out, const uint8_t* in, size_t len) {
  constexpr size_t kChunk = size_t{1} << 30;  // EVP counts in int
  while (len != 0) {
    const size_t n = std::min(len, kChunk);
    int done = 0;
    EVP_CipherUpdate(ctx_.get(), out, &done, in, static_cast<int>(n));
    out += n;
    in += n;
    len -= n;
  }
}

void EvpCipher::chaining_value(uint8_t* out, size_t len) const { EVP_CIPHER_CTX_get_updated_iv(ctx_.get(), out, len); }

const EVP_CIPHER* aes_cipher(AesMode mode, size_t key_len) {
  const auto by_size = [key_len](const EVP_CIPHER* a, const EVP_CIPHER* b, const EVP_CIPHER* c) {
    return key_len == 16 ? a : key_len == 24 ? b : c;
  };
  switch (mode) {
    case AesMode::kEcb:
      return by_size(EVP_aes_128_ecb(), EVP_aes_192_ecb(), EVP_aes_256_ecb());
    case AesMode::kCbc:
      return by_size(EVP_aes_128_cbc(), EVP_aes_192_cbc(), EVP_aes_256_cbc());
    case AesMode::kCfb:
      return by_size(EVP_aes_128_cfb128(), EVP_aes_192_cfb128(), EVP_aes_256_cfb128());
    case AesMode::kOfb:
      return by_size(EVP_aes_128_ofb(), EVP_aes_192_ofb(), EVP_aes_256_ofb());
    case AesMode::kCtr:
      return by_size(EVP_aes_128_ctr(), EVP_aes_192_ctr(), EVP_aes_256_ctr());
    case AesMode::kXts:
      break;
  }
  return key_len == 32 ? EVP_aes_128_xts() : EVP_aes_256_xts();
}

}  // namespace caamlab::hw_model
