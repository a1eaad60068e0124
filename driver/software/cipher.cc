// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Keys and modes. Block modes run along the lists in whole blocks; a block that straddles two pieces goes through a
// buffer.
#include "driver/software/cipher.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <cerrno>

#include "api/keys.h"
#include "driver/software/xts.h"

namespace caamlab::driver::software {
namespace {

constexpr size_t kAesBlock = 16;
constexpr size_t kDesKeyLen = 8;

// One column per AES key length.
struct AesCiphers {
  const EVP_CIPHER* (*bits128)();
  const EVP_CIPHER* (*bits192)();
  const EVP_CIPHER* (*bits256)();
  const EVP_CIPHER* of(size_t keylen) const { return keylen == 16 ? bits128() : keylen == 24 ? bits192() : bits256(); }
};
constexpr AesCiphers kAesEcb{EVP_aes_128_ecb, EVP_aes_192_ecb, EVP_aes_256_ecb};
constexpr AesCiphers kAesCbc{EVP_aes_128_cbc, EVP_aes_192_cbc, EVP_aes_256_cbc};
constexpr AesCiphers kAesCtr{EVP_aes_128_ctr, EVP_aes_192_ctr, EVP_aes_256_ctr};

int check_key(const CipherSpec& spec, const api::CryptoTfm& tfm, std::span<const uint8_t> key) {
  switch (spec.kind) {
    case CipherKind::kNull:
      return 0;
    case CipherKind::kDes:
      return api::crypto_des_verify_key(tfm, key);
    case CipherKind::kDes3Ede: {
      // des3_ede-generic reports a degenerate key that is forbidden as -EINVAL, unlike the accelerators' -ENOKEY.
      const int err = api::crypto_des3_ede_verify_key(tfm, key);
      return err == -ENOKEY ? -EINVAL : err;
    }
    case CipherKind::kChaCha20:
      return key.size() == spec.max_keysize ? 0 : -EINVAL;
    case CipherKind::kAes:
      break;
  }
  if (spec.mode != CipherMode::kXts) return api::aes_check_keylen(key.size());
  const int err = api::xts_verify_key(tfm, key);
  return err != 0 ? err : api::aes_check_keylen(key.size() / 2);
}

const EVP_CIPHER* block_cipher(const CipherSpec& spec, size_t keylen) {
  const bool cbc = spec.mode == CipherMode::kCbc;
  if (spec.kind == CipherKind::kAes) return (cbc ? kAesCbc : kAesEcb).of(keylen);
  return cbc ? EVP_des_ede3_cbc() : EVP_des_ede3_ecb();
}

// Whole blocks from src to dst through a context that has its IV.
bool cipher_blocks(EVP_CIPHER_CTX* ctx, api::SgCursor* dst, api::SgCursor* src, size_t len, size_t block) {
  std::array<uint8_t, kAesBlock> straddling;
  while (len > 0) {
    const size_t run = std::min({len, src->run().size(), dst->run().size()}) / block * block;
    if (run > 0) {
      if (!cipher_stream(ctx, dst, src, run)) return false;
      len -= run;
      continue;
    }
    const auto bytes = std::span(straddling).first(block);
    int done = 0;
    if (src->read(bytes) != block) return false;
    if (EVP_CipherUpdate(ctx, bytes.data(), &done, bytes.data(), static_cast<int>(block)) != 1) return false;
    if (dst->write(bytes) != block) return false;
    len -= block;
  }
  return true;
}

}  // namespace

int SymmetricCipher::set_key(const CipherSpec& spec, const api::CryptoTfm& tfm, std::span<const uint8_t> key) {
  if (spec.mode == CipherMode::kRfc3686) {
    if (key.size() < kNonceLen) return -EINVAL;
    std::ranges::copy(key.last(kNonceLen), nonce_.begin());
    key = key.first(key.size() - kNonceLen);
  }
  if (const int err = check_key(spec, tfm, key); err != 0) return err;
  switch (spec.mode) {
    case CipherMode::kCopy:
      return 0;
    case CipherMode::kEcb:
    case CipherMode::kCbc:
      return set_block_key(spec, key);
    case CipherMode::kCtr:
    case CipherMode::kRfc3686:
      return encrypt_.set_key(kAesCtr.of(key.size()), key, Direction::kEncrypt);
    case CipherMode::kXts:
      return set_xts_key(key);
    case CipherMode::kChaCha20:
      return encrypt_.set_key(EVP_chacha20(), key, Direction::kEncrypt);
  }
  return -EINVAL;
}

int SymmetricCipher::set_block_key(const CipherSpec& spec, std::span<const uint8_t> key) {
  // Single DES is triple DES with three equal keys; libcrypto keeps it in a provider that is not always there.
  std::array<uint8_t, 3 * kDesKeyLen> des_key{};
  if (spec.kind == CipherKind::kDes) {
    for (size_t i = 0; i < des_key.size(); ++i) des_key[i] = key[i % kDesKeyLen];
    key = des_key;
  }
  const EVP_CIPHER* cipher = block_cipher(spec, key.size());
  int err = encrypt_.set_key(cipher, key, Direction::kEncrypt);
  if (err == 0) err = decrypt_.set_key(cipher, key, Direction::kDecrypt);
  OPENSSL_cleanse(des_key.data(), des_key.size());
  return err;
}

int SymmetricCipher::set_xts_key(std::span<const uint8_t> key) {
  const size_t half = key.size() / 2;
  const EVP_CIPHER* cipher = kAesEcb.of(half);
  int err = encrypt_.set_key(cipher, key.first(half), Direction::kEncrypt);
  if (err == 0) err = decrypt_.set_key(cipher, key.first(half), Direction::kDecrypt);
  if (err == 0) err = tweak_.set_key(cipher, key.last(half), Direction::kEncrypt);
  return err;
}

int SymmetricCipher::crypt(const CipherSpec& spec, Direction direction, api::SgCursor* dst, api::SgCursor* src,
                           size_t len, uint8_t* iv) {
  switch (spec.mode) {
    case CipherMode::kCopy:
      return copy_bytes(dst, src, len) ? 0 : -EINVAL;
    case CipherMode::kEcb:
    case CipherMode::kCbc:
      return crypt_blocks(spec, direction, dst, src, len, iv);
    case CipherMode::kCtr:
    case CipherMode::kRfc3686:
      return crypt_counter(spec, dst, src, len, iv);
    case CipherMode::kXts: {
      if (len < spec.blocksize) return -EINVAL;
      const CipherPool::Lease data = (direction == Direction::kEncrypt ? encrypt_ : decrypt_).acquire();
      const CipherPool::Lease tweak = tweak_.acquire();
      if (!data || !tweak) return -ENOMEM;
      return xts_crypt(data.get(), tweak.get(), direction, dst, src, len, iv) ? 0 : -EINVAL;
    }
    case CipherMode::kChaCha20:
      return crypt_chacha20(dst, src, len, iv);
  }
  return -EINVAL;
}

int SymmetricCipher::crypt_blocks(const CipherSpec& spec, Direction direction, api::SgCursor* dst, api::SgCursor* src,
                                  size_t len, uint8_t* iv) {
  if (len % spec.blocksize != 0) return -EINVAL;
  if (len == 0) return 0;
  const CipherPool::Lease ctx = (direction == Direction::kEncrypt ? encrypt_ : decrypt_).acquire();
  if (!ctx) return -ENOMEM;
  const bool cbc = spec.mode == CipherMode::kCbc;
  if (!cipher_start(ctx.get(), cbc ? iv : nullptr, direction)) return -EINVAL;
  if (!cipher_blocks(ctx.get(), dst, src, len, spec.blocksize)) return -EINVAL;
  return !cbc || EVP_CIPHER_CTX_get_updated_iv(ctx.get(), iv, spec.ivsize) == 1 ? 0 : -EINVAL;
}

int SymmetricCipher::crypt_counter(const CipherSpec& spec, api::SgCursor* dst, api::SgCursor* src, size_t len,
                                   uint8_t* iv) {
  if (len == 0) return 0;
  std::array<uint8_t, kAesBlock> counter{};
  if (spec.mode == CipherMode::kRfc3686) {
    std::ranges::copy(nonce_, counter.begin());
    std::copy_n(iv, spec.ivsize, counter.begin() + kNonceLen);
    counter.back() = 1;
  } else {
    std::copy_n(iv, spec.ivsize, counter.begin());
  }
  const CipherPool::Lease ctx = encrypt_.acquire();
  if (!ctx) return -ENOMEM;
  if (!cipher_start(ctx.get(), counter.data(), Direction::kEncrypt)) return -EINVAL;
  if (!cipher_stream(ctx.get(), dst, src, len)) return -EINVAL;
  if (spec.mode == CipherMode::kRfc3686) return 0;
  return EVP_CIPHER_CTX_get_updated_iv(ctx.get(), iv, spec.ivsize) == 1 ? 0 : -EINVAL;
}

int SymmetricCipher::crypt_chacha20(api::SgCursor* dst, api::SgCursor* src, size_t len, const uint8_t* iv) {
  constexpr uint64_t kChaChaBlock = 64;
  const CipherPool::Lease ctx = encrypt_.acquire();
  if (!ctx) return -ENOMEM;
  std::array<uint8_t, 16> start;
  std::copy_n(iv, start.size(), start.begin());
  // The kernel's block counter is 32 bits and wraps alone; libcrypto's carries into the nonce.
  uint32_t counter = 0;
  for (size_t i = 0; i < 4; ++i) counter |= static_cast<uint32_t>(start[i]) << (8 * i);
  const size_t to_wrap = ((uint64_t{1} << 32) - counter) * kChaChaBlock;
  for (size_t step = std::min(len, to_wrap); len > 0; step = len) {
    if (!cipher_start(ctx.get(), start.data(), Direction::kEncrypt)) return -EINVAL;
    if (!cipher_stream(ctx.get(), dst, src, step)) return -EINVAL;
    len -= step;
    std::fill_n(start.begin(), 4, uint8_t{0});
  }
  return 0;
}

}  // namespace caamlab::driver::software
