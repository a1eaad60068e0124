// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// AES-GCM over the Intel multi-buffer library (libipsec_mb, x86-64): no per-message set-up beyond the IV, which is what
// short messages are made of. The whole file is empty where the build does not have it.
#include "hw_model/cha/arith/aes_gcm.h"

#ifdef CAAMLAB_HAVE_IPSEC_MB

#include <algorithm>
#include <array>
#include <vector>

#include "hw_model/cha/arith/ipsec_mb.h"

namespace caamlab::hw_model {
namespace {

class IpsecMbAesGcm : public AesGcm {
 public:
  explicit IpsecMbAesGcm(IpsecMb mgr) : mgr_(std::move(mgr)) {}
  const char* library() const override { return "libipsec_mb"; }

  void set_key(desc::ByteSpan key) override {
    if (key.size() == key_len_ && std::equal(key.begin(), key.end(), key_.begin())) return;
    key_len_ = key.size();
    std::copy(key.begin(), key.end(), key_.begin());
    switch (key_len_) {
      case 16:
        IMB_AES128_GCM_PRE(mgr_.get(), key_.data(), &expanded_);
        ops_ = {mgr_->gcm128_init,       mgr_->gcm128_init_var_iv,  mgr_->gcm128_enc_update,
                mgr_->gcm128_dec_update, mgr_->gcm128_enc_finalize, mgr_->gcm128_dec_finalize};
        break;
      case 24:
        IMB_AES192_GCM_PRE(mgr_.get(), key_.data(), &expanded_);
        ops_ = {mgr_->gcm192_init,       mgr_->gcm192_init_var_iv,  mgr_->gcm192_enc_update,
                mgr_->gcm192_dec_update, mgr_->gcm192_enc_finalize, mgr_->gcm192_dec_finalize};
        break;
      default:
        IMB_AES256_GCM_PRE(mgr_.get(), key_.data(), &expanded_);
        ops_ = {mgr_->gcm256_init,       mgr_->gcm256_init_var_iv,  mgr_->gcm256_enc_update,
                mgr_->gcm256_dec_update, mgr_->gcm256_enc_finalize, mgr_->gcm256_dec_finalize};
        break;
    }
  }

  void start(desc::ByteSpan iv, bool encrypt) override {
    encrypt_ = encrypt;
    std::copy(iv.begin(), iv.end(), iv_.begin());
    iv_len_ = iv.size();
    started_ = false;
    aad_len_ = 0;
  }

  // The library takes the AAD whole and at once, and a caller's bytes are gone after the call.
  void aad(desc::ByteSpan data) override {
    if (data.empty()) return;
    if (aad_.size() < aad_len_ + data.size()) aad_.resize((aad_len_ + data.size()) * 2);
    std::copy(data.begin(), data.end(), aad_.begin() + static_cast<ptrdiff_t>(aad_len_));
    aad_len_ += data.size();
  }

  void crypt(uint8_t* out, const uint8_t* in, size_t len) override {
    ensure_started();
    (encrypt_ ? ops_.encrypt : ops_.decrypt)(&expanded_, &ctx_, out, in, len);
  }

  void tag(uint8_t out[16]) override {
    ensure_started();
    (encrypt_ ? ops_.finish_encrypt : ops_.finish_decrypt)(&expanded_, &ctx_, out, 16);
  }
  bool tag_in_decrypt() const override { return true; }

  bool verify(desc::ByteSpan icv) override {
    uint8_t computed[16];
    tag(computed);
    return std::equal(icv.begin(), icv.end(), computed);
  }

 private:
  struct Ops {
    aes_gcm_init_t init;
    aes_gcm_init_var_iv_t init_var_iv;
    aes_gcm_enc_dec_update_t encrypt, decrypt;
    aes_gcm_enc_dec_finalize_t finish_encrypt, finish_decrypt;
  };

  void ensure_started() {
    if (started_) return;
    started_ = true;
    // A null pointer would be refused even for no bytes.
    const uint8_t* aad = aad_len_ == 0 ? iv_.data() : aad_.data();
    if (iv_len_ == 12)
      ops_.init(&expanded_, &ctx_, iv_.data(), aad, aad_len_);
    else
      ops_.init_var_iv(&expanded_, &ctx_, iv_.data(), iv_len_, aad, aad_len_);
  }

  IpsecMb mgr_;
  alignas(64) gcm_key_data expanded_;
  alignas(64) gcm_context_data ctx_;
  Ops ops_{};
  std::array<uint8_t, 32> key_{};
  size_t key_len_ = 0;
  std::array<uint8_t, kMaxIvBytes> iv_{};
  size_t iv_len_ = 0;
  std::vector<uint8_t> aad_;  // never shrinks: no allocation after the first message
  size_t aad_len_ = 0;
  bool encrypt_ = true, started_ = false;
};

}  // namespace

std::unique_ptr<AesGcm> make_aes_gcm() {
  if (auto mgr = make_ipsec_mb()) return std::make_unique<IpsecMbAesGcm>(std::move(mgr));
  return make_aes_gcm_libcrypto();
}

}  // namespace caamlab::hw_model

#else

namespace caamlab::hw_model {
std::unique_ptr<AesGcm> make_aes_gcm() { return make_aes_gcm_libcrypto(); }
}  // namespace caamlab::hw_model

#endif
