// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See des.h.
#include "hw_model/cha/arith/des.h"

#include <algorithm>
#include <cstring>

namespace caamlab::hw_model {

void Des::set_key(desc::ByteSpan key) {
  if (key.size() == key_len_ && std::equal(key.begin(), key.end(), key_.begin())) return;
  key_len_ = key.size();
  std::copy(key.begin(), key.end(), key_.begin());
  for (size_t i = 0; i < 3; ++i) {
    DES_cblock k;
    std::memcpy(k, key_.data() + (8 * i < key_len_ ? 8 * i : 0), 8);
    DES_set_key_unchecked(&k, &schedule_[i]);
  }
}

void Des::start(DesMode mode, bool encrypt, const uint8_t iv[8]) {
  mode_ = mode;
  encrypt_ = encrypt ? DES_ENCRYPT : DES_DECRYPT;
  used_ = 0;
  std::memcpy(iv_, iv, 8);
}

void Des::crypt(uint8_t* out, const uint8_t* in, size_t len) {
  if (key_len_ == 8)
    crypt_single(out, in, static_cast<long>(len));
  else
    crypt_triple(out, in, static_cast<long>(len));
}

void Des::crypt_single(uint8_t* out, const uint8_t* in, long len) {
  DES_key_schedule* k = schedule_;
  switch (mode_) {
    case DesMode::kEcb:
      for (; len > 0; len -= 8, in += 8, out += 8) {
        DES_cblock b;
        std::memcpy(b, in, 8);
        DES_ecb_encrypt(&b, &b, k, encrypt_);
        std::memcpy(out, b, 8);
      }
      return;
    case DesMode::kCbc:
      return DES_ncbc_encrypt(in, out, len, k, &iv_, encrypt_);
    case DesMode::kCfb:
      return DES_cfb64_encrypt(in, out, len, k, &iv_, &used_, encrypt_);
    case DesMode::kOfb:
      return DES_ofb64_encrypt(in, out, len, k, &iv_, &used_);
  }
}

void Des::crypt_triple(uint8_t* out, const uint8_t* in, long len) {
  DES_key_schedule* k = schedule_;
  switch (mode_) {
    case DesMode::kEcb:
      for (; len > 0; len -= 8, in += 8, out += 8) {
        DES_cblock b;
        std::memcpy(b, in, 8);
        DES_ecb3_encrypt(&b, &b, k, k + 1, k + 2, encrypt_);
        std::memcpy(out, b, 8);
      }
      return;
    case DesMode::kCbc:
      return DES_ede3_cbc_encrypt(in, out, len, k, k + 1, k + 2, &iv_, encrypt_);
    case DesMode::kCfb:
      return DES_ede3_cfb64_encrypt(in, out, len, k, k + 1, k + 2, &iv_, &used_, encrypt_);
    case DesMode::kOfb:
      return DES_ede3_ofb64_encrypt(in, out, len, k, k + 1, k + 2, &iv_, &used_);
  }
}

}  // namespace caamlab::hw_model
