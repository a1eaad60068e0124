// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// AES-GCM over libcrypto's EVP. EVP never shows the tag of a decryption, it only checks one.
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "hw_model/cha/arith/aes_gcm.h"

namespace caamlab::hw_model {
namespace {

struct FreeCtx {
  void operator()(EVP_CIPHER_CTX* ctx) const { EVP_CIPHER_CTX_free(ctx); }
};
using Ctx = std::unique_ptr<EVP_CIPHER_CTX, FreeCtx>;

const EVP_CIPHER* cipher_for(size_t key_len) {
  return key_len == 16 ? EVP_aes_128_gcm() : key_len == 24 ? EVP_aes_192_gcm() : EVP_aes_256_gcm();
}

class LibcryptoAesGcm : public AesGcm {
 public:
  const char* library() const override { return "libcrypto"; }

  void set_key(desc::ByteSpan key) override {
    if (key.size() == key_len_ && std::equal(key.begin(), key.end(), key_.begin())) return;
    key_len_ = key.size();
    std::copy(key.begin(), key.end(), key_.begin());
    for (Ctx& ctx : ctx_) ctx.reset(EVP_CIPHER_CTX_new());
    ready_.fill(false);
  }

  // One context a direction: changing the direction of a context makes EVP expand the key again.
  void start(desc::ByteSpan iv, bool encrypt) override {
    current_ = ctx_[encrypt].get();
    if (!ready_[encrypt]) {
      EVP_CipherInit_ex(current_, cipher_for(key_len_), nullptr, key_.data(), nullptr, encrypt);
      ready_[encrypt] = true;
      iv_len_[encrypt] = 12;
    }
    if (iv.size() != iv_len_[encrypt]) {
      EVP_CIPHER_CTX_ctrl(current_, EVP_CTRL_AEAD_SET_IVLEN, static_cast<int>(iv.size()), nullptr);
      iv_len_[encrypt] = iv.size();
    }
    EVP_CipherInit_ex(current_, nullptr, nullptr, nullptr, iv.data(), -1);
  }

  void aad(desc::ByteSpan data) override { update(nullptr, data.data(), data.size()); }
  void crypt(uint8_t* out, const uint8_t* in, size_t len) override { update(out, in, len); }

  void tag(uint8_t out[16]) override {
    int n = 0;
    EVP_CipherFinal_ex(current_, out, &n);
    EVP_CIPHER_CTX_ctrl(current_, EVP_CTRL_AEAD_GET_TAG, 16, out);
  }
  bool tag_in_decrypt() const override { return false; }

  bool verify(desc::ByteSpan icv) override {
    uint8_t expected[16], unused[16];
    std::copy(icv.begin(), icv.end(), expected);
    int n = 0;
    EVP_CIPHER_CTX_ctrl(current_, EVP_CTRL_AEAD_SET_TAG, static_cast<int>(icv.size()), expected);
    return EVP_CipherFinal_ex(current_, unused, &n) == 1;
  }

 private:
  void update(uint8_t* out, const uint8_t* in, size_t len) {
    constexpr size_t kChunk = size_t{1} << 30;  // EVP counts in int
    for (; len != 0;) {
      const size_t n = std::min(len, kChunk);
      int done = 0;
      EVP_CipherUpdate(current_, out, &done, in, static_cast<int>(n));
      if (out != nullptr) out += n;
      in += n;
      len -= n;
    }
  }

  std::array<uint8_t, 32> key_{};
  size_t key_len_ = 0;
  std::array<Ctx, 2> ctx_;
  std::array<bool, 2> ready_{};
  std::array<size_t, 2> iv_len_{};
  EVP_CIPHER_CTX* current_ = nullptr;
};

}  // namespace

std::unique_ptr<AesGcm> make_aes_gcm_libcrypto() { return std::make_unique<LibcryptoAesGcm>(); }

}  // namespace caamlab::hw_model
