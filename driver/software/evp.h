// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// libcrypto contexts for transforms that many requests use at once, and running them over scatterlists. The arithmetic
// of the software drivers is libcrypto's; nothing here allocates per request once as many requests have run at once as
// ever will.
#pragma once

#include <openssl/evp.h>

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "api/scatterlist.h"

namespace caamlab::driver::software {

struct CipherCtxFree {
  void operator()(EVP_CIPHER_CTX* ctx) const { EVP_CIPHER_CTX_free(ctx); }
};
using CipherCtx = std::unique_ptr<EVP_CIPHER_CTX, CipherCtxFree>;

enum class Direction : uint8_t { kDecrypt = 0, kEncrypt = 1 };

// CipherPool holds keyed cipher contexts of one key and direction. A request takes one for its duration; acquire() is
// thread safe, set_key() is not (crypto-api.md 2.1: concurrent setkey is the caller's fault).
class CipherPool {
 public:
  CipherPool() = default;
  ~CipherPool();
  CipherPool(const CipherPool&) = delete;
  CipherPool& operator=(const CipherPool&) = delete;

  // Forgets the old key. 0, -EINVAL when libcrypto refuses the key, -ENOMEM.
  int set_key(const EVP_CIPHER* cipher, std::span<const uint8_t> key, Direction direction);

  class Lease {
   public:
    Lease(CipherPool* pool, CipherCtx ctx) : pool_(pool), ctx_(std::move(ctx)) {}
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease();
    EVP_CIPHER_CTX* get() const { return ctx_.get(); }
    explicit operator bool() const { return ctx_ != nullptr; }

   private:
    CipherPool* pool_;
    CipherCtx ctx_;
  };
  // A context with the key set; empty without a key or memory. It still needs its IV.
  Lease acquire();

 private:
  CipherCtx make() const;

  const EVP_CIPHER* cipher_ = nullptr;
  Direction direction_ = Direction::kEncrypt;
  std::array<uint8_t, EVP_MAX_KEY_LENGTH> key_{};
  std::mutex mutex_;
  std::vector<CipherCtx> idle_;
};

// Starts a message: IV and direction, the key stays. Only for ciphers that use one key schedule both ways (GCM, CTR,
// ...).
bool cipher_start(EVP_CIPHER_CTX* ctx, const uint8_t* iv, Direction direction);

// Feeds `len` bytes at `src` as associated data and moves the cursor on. False when libcrypto fails or src ends early.
bool cipher_aad(EVP_CIPHER_CTX* ctx, api::SgCursor* src, size_t len);

// Runs `len` bytes from src to dst, in the longest pieces that both lists allow. For stream ciphers and modes that give
// as many bytes as they take. In place is fine. False when libcrypto fails or a list ends early.
bool cipher_stream(EVP_CIPHER_CTX* ctx, api::SgCursor* dst, api::SgCursor* src, size_t len);

// The same without a cipher.
bool copy_bytes(api::SgCursor* dst, api::SgCursor* src, size_t len);

}  // namespace caamlab::driver::software
