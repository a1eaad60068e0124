// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See aes_bulk.h. Without the library nothing is available.
#include "hw_model/cha/arith/aes_bulk.h"

#include <algorithm>
#include <array>

#ifdef CAAMLAB_HAVE_IPSEC_MB
#include "hw_model/cha/arith/ipsec_mb.h"

namespace caamlab::hw_model {

struct AesBulk::State {
  IpsecMb mgr;
  std::array<uint8_t, 32> key{};
  size_t key_len = 0;
  alignas(64) uint32_t enc_keys[4 * 15];
  alignas(64) uint32_t dec_keys[4 * 15];

  // One job, which these ciphers finish at once.
  void run(IMB_CIPHER_MODE mode, bool encrypt, uint8_t* out, const uint8_t* in, size_t len, const uint8_t* iv) {
    IMB_JOB* job = IMB_GET_NEXT_JOB(mgr.get());
    job->cipher_mode = mode;
    job->cipher_direction = encrypt ? IMB_DIR_ENCRYPT : IMB_DIR_DECRYPT;
    job->chain_order = IMB_ORDER_CIPHER_HASH;
    job->hash_alg = IMB_AUTH_NULL;
    job->key_len_in_bytes = key_len;
    job->enc_keys = enc_keys;
    job->dec_keys = dec_keys;
    job->iv = iv;
    job->iv_len_in_bytes = iv != nullptr ? 16 : 0;
    job->src = in;
    job->dst = out;
    job->cipher_start_src_offset_in_bytes = 0;
    job->msg_len_to_cipher_in_bytes = len;
    IMB_SUBMIT_JOB_NOCHECK(mgr.get());
  }
};

bool AesBulk::available() {
  if (!tried_) {
    tried_ = true;
    if (IpsecMb mgr = make_ipsec_mb()) {
      state_ = std::make_unique<State>();
      state_->mgr = std::move(mgr);
    }
  }
  return state_ != nullptr;
}

void AesBulk::set_key(desc::ByteSpan key) {
  State& s = *state_;
  if (key.size() == s.key_len && std::equal(key.begin(), key.end(), s.key.begin())) return;
  s.key_len = key.size();
  std::copy(key.begin(), key.end(), s.key.begin());
  const auto expand = s.key_len == 16 ? s.mgr->keyexp_128 : s.key_len == 24 ? s.mgr->keyexp_192 : s.mgr->keyexp_256;
  expand(s.key.data(), s.enc_keys, s.dec_keys);
}

void AesBulk::ecb(uint8_t* out, const uint8_t* in, size_t len, bool encrypt) {
  state_->run(IMB_CIPHER_ECB, encrypt, out, in, len, nullptr);
}

void AesBulk::ctr(uint8_t* out, const uint8_t* in, size_t len, const uint8_t counter[16]) {
  state_->run(IMB_CIPHER_CNTR, true, out, in, len, counter);
}

AesBulk::AesBulk() = default;
AesBulk::~AesBulk() = default;

}  // namespace caamlab::hw_model

#else

namespace caamlab::hw_model {

struct AesBulk::State {};
bool AesBulk::available() { return false; }
void AesBulk::set_key(desc::ByteSpan) {}
void AesBulk::ecb(uint8_t*, const uint8_t*, size_t, bool) {}
void AesBulk::ctr(uint8_t*, const uint8_t*, size_t, const uint8_t*) {}
AesBulk::AesBulk() = default;
AesBulk::~AesBulk() = default;

}  // namespace caamlab::hw_model

#endif
