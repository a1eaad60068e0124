// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What a request of the GCM family must give, by direct calls of libcrypto's EVP and nothing of ours: no driver,
// descriptor or CHA code. From NIST SP 800-38D, RFC 4106 and RFC 4543 and the buffer rules of crypto-api.md 2.4.
#pragma once

#include <openssl/evp.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "tests/api/runner.h"

namespace caamlab::tests {

enum class GcmForm : uint8_t { kGcm, kRfc4106, kRfc4543 };
inline constexpr std::array kGcmForms{GcmForm::kGcm, GcmForm::kRfc4106, GcmForm::kRfc4543};

const char* gcm_driver(GcmForm form);  // in the CAAM driver
std::span<const unsigned> gcm_tag_sizes(GcmForm form);
inline size_t gcm_salt_len(GcmForm form) { return form == GcmForm::kGcm ? 0 : 4; }
inline size_t gcm_iv_len(GcmForm form) { return form == GcmForm::kGcm ? 12 : 8; }

// One key. `key` ends with the salt, where the form has one.
class GcmReference {
 public:
  GcmReference(GcmForm form, const Bytes& key);

  // Text and tag as they stand in dst behind the AAD. `aad`: the whole AAD area.
  Bytes seal(const Bytes& iv, const Bytes& aad, const Bytes& text, size_t tag_len);
  // The text of `cipher` (without tag), whatever the tag would be.
  Bytes decrypt_only(const Bytes& iv, const Bytes& aad, const Bytes& cipher);

 private:
  Bytes run(bool encrypt, const Bytes& iv, const Bytes& aad, const Bytes& text);
  struct Free {
    void operator()(EVP_CIPHER_CTX* ctx) const { EVP_CIPHER_CTX_free(ctx); }
  };
  const GcmForm form_;
  Bytes salt_;
  std::array<std::unique_ptr<EVP_CIPHER_CTX, Free>, 2> ctx_;  // decrypt, encrypt
};

}  // namespace caamlab::tests
