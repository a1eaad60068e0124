// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Keyed contexts and streaming.
#include "driver/software/evp.h"

#include <openssl/crypto.h>
#include <openssl/err.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace caamlab::driver::software {
namespace {

constexpr size_t kMaxStep = size_t{1} << 30;  // libcrypto counts in int

}  // namespace

CipherPool::~CipherPool() { OPENSSL_cleanse(key_.data(), key_.size()); }

CipherCtx CipherPool::make() const {
  CipherCtx ctx(EVP_CIPHER_CTX_new());
  if (ctx == nullptr) return nullptr;
  const bool ok =
      EVP_CipherInit_ex(ctx.get(), cipher_, nullptr, key_.data(), nullptr, static_cast<int>(direction_)) == 1 &&
      EVP_CIPHER_CTX_set_padding(ctx.get(), 0) == 1;
  if (!ok) ERR_clear_error();
  return ok ? std::move(ctx) : nullptr;
}

int CipherPool::set_key(const EVP_CIPHER* cipher, std::span<const uint8_t> key, Direction direction) {
  idle_.clear();
  cipher_ = nullptr;
  if (cipher == nullptr || key.size() != static_cast<size_t>(EVP_CIPHER_get_key_length(cipher))) return -EINVAL;
  cipher_ = cipher;
  direction_ = direction;
  std::copy(key.begin(), key.end(), key_.begin());
  CipherCtx first = make();
  if (first == nullptr) {
    cipher_ = nullptr;
    return -ENOMEM;
  }
  idle_.push_back(std::move(first));
  return 0;
}

CipherPool::Lease CipherPool::acquire() {
  {
    std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      CipherCtx ctx = std::move(idle_.back());
      idle_.pop_back();
      return Lease(this, std::move(ctx));
    }
  }
  return Lease(this, cipher_ != nullptr ? make() : nullptr);
}

CipherPool::Lease::~Lease() {
  if (ctx_ == nullptr) return;
  std::lock_guard lock(pool_->mutex_);
  pool_->idle_.push_back(std::move(ctx_));
}

bool cipher_start(EVP_CIPHER_CTX* ctx, const uint8_t* iv, Direction direction) {
  return EVP_CipherInit_ex(ctx, nullptr, nullptr, nullptr, iv, static_cast<int>(direction)) == 1;
}

bool cipher_aad(EVP_CIPHER_CTX* ctx, api::SgCursor* src, size_t len) {
  while (len > 0) {
    const size_t step = std::min({len, src->run().size(), kMaxStep});
    int done = 0;
    if (step == 0 || EVP_CipherUpdate(ctx, nullptr, &done, src->run().data(), static_cast<int>(step)) != 1)
      return false;
    len -= src->advance(step);
  }
  return true;
}

bool cipher_stream(EVP_CIPHER_CTX* ctx, api::SgCursor* dst, api::SgCursor* src, size_t len) {
  while (len > 0) {
    const size_t step = std::min({len, src->run().size(), dst->run().size(), kMaxStep});
    int done = 0;
    if (step == 0) return false;
    if (EVP_CipherUpdate(ctx, dst->run().data(), &done, src->run().data(), static_cast<int>(step)) != 1) return false;
    if (static_cast<size_t>(done) != step) return false;
    dst->advance(step);
    len -= src->advance(step);
  }
  return true;
}

bool copy_bytes(api::SgCursor* dst, api::SgCursor* src, size_t len) {
  while (len > 0) {
    const size_t step = std::min({len, src->run().size(), dst->run().size()});
    if (step == 0) return false;
    if (dst->run().data() != src->run().data()) std::memcpy(dst->run().data(), src->run().data(), step);
    dst->advance(step);
    len -= src->advance(step);
  }
  return true;
}

}  // namespace caamlab::driver::software
