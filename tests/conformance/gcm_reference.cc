// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See gcm_reference.h.
#include "tests/conformance/gcm_reference.h"

#include <stdexcept>

namespace caamlab::tests {
namespace {

constexpr size_t kEspIvLen = 8;

void must(int ok, const char* what) {
  if (ok != 1) throw std::runtime_error(std::string("libcrypto: ") + what);
}

void feed(EVP_CIPHER_CTX* ctx, uint8_t* out, std::span<const uint8_t> in) {
  int n = 0;
  if (!in.empty()) must(EVP_CipherUpdate(ctx, out, &n, in.data(), static_cast<int>(in.size())), "update");
}

}  // namespace

const char* gcm_driver(GcmForm form) {
  constexpr const char* kNames[] = {"gcm-aes-caam", "rfc4106-gcm-aes-caam", "rfc4543-gcm-aes-caam"};
  return kNames[static_cast<size_t>(form)];
}

std::span<const unsigned> gcm_tag_sizes(GcmForm form) {
  static constexpr unsigned kGcm[] = {4, 8, 12, 13, 14, 15, 16}, kRfc4106[] = {8, 12, 16}, kRfc4543[] = {16};
  switch (form) {
    case GcmForm::kGcm:
      return kGcm;
    case GcmForm::kRfc4106:
      return kRfc4106;
    case GcmForm::kRfc4543:
      break;
  }
  return kRfc4543;
}

GcmReference::GcmReference(GcmForm form, const Bytes& key) : form_(form) {
  const size_t key_len = key.size() - gcm_salt_len(form);
  salt_.assign(key.begin() + static_cast<ptrdiff_t>(key_len), key.end());
  const EVP_CIPHER* cipher = key_len == 16 ? EVP_aes_128_gcm() : key_len == 24 ? EVP_aes_192_gcm() : EVP_aes_256_gcm();
  for (int encrypt : {0, 1}) {
    ctx_[encrypt].reset(EVP_CIPHER_CTX_new());
    must(EVP_CipherInit_ex(ctx_[encrypt].get(), cipher, nullptr, key.data(), nullptr, encrypt), "key");
  }
}

Bytes GcmReference::run(bool encrypt, const Bytes& iv, const Bytes& aad, const Bytes& text) {
  EVP_CIPHER_CTX* ctx = ctx_[encrypt].get();
  Bytes nonce = salt_;
  nonce.insert(nonce.end(), iv.begin(), iv.end());
  must(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, static_cast<int>(nonce.size()), nullptr), "IV length");
  must(EVP_CipherInit_ex(ctx, nullptr, nullptr, nullptr, nonce.data(), -1), "IV");
  Bytes out(text.size());
  // RFC 4106: the IV at the end of the AAD area is not part of the AAD. RFC 4543: it is, and so is the text.
  feed(ctx, nullptr, std::span(aad).first(aad.size() - (form_ == GcmForm::kRfc4106 ? kEspIvLen : 0)));
  if (form_ == GcmForm::kRfc4543) {
    feed(ctx, nullptr, text);
    out = text;
  } else {
    feed(ctx, out.data(), text);
  }
  return out;
}

Bytes GcmReference::seal(const Bytes& iv, const Bytes& aad, const Bytes& text, size_t tag_len) {
  Bytes out = run(true, iv, aad, text);
  uint8_t rest[16], tag[16];
  int n = 0;
  must(EVP_CipherFinal_ex(ctx_[1].get(), rest, &n), "final");
  must(EVP_CIPHER_CTX_ctrl(ctx_[1].get(), EVP_CTRL_AEAD_GET_TAG, 16, tag), "tag");
  out.insert(out.end(), tag, tag + tag_len);
  return out;
}

Bytes GcmReference::decrypt_only(const Bytes& iv, const Bytes& aad, const Bytes& cipher) {
  return run(false, iv, aad, cipher);
}

}  // namespace caamlab::tests
