// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See black_key.h. A black CCM key is nonce (6 bytes), encrypted key, MAC (6 bytes).
#include "hw_model/cha/black_key.h"

#include <algorithm>
#include <cstring>

namespace caamlab::hw_model {
namespace {

// CCM wants 7 bytes at least.
std::array<uint8_t, 7> ccm_nonce(const uint8_t stored[6]) {
  std::array<uint8_t, 7> nonce{};
  std::copy_n(stored, 6, nonce.begin() + 1);
  return nonce;
}

}  // namespace

BlackKeys::Failure BlackKeys::wrap(BlackForm form, Kek kek, desc::ByteSpan key, uint8_t* out) {
  if (!keks_.loaded) return {.deco = desc::DecoError::kKekNotLoaded};
  if (keks_.transparent) {
    std::copy(key.begin(), key.end(), out);
    return {};
  }
  uint8_t padded[kMaxKeyBytes + 16] = {};
  std::copy(key.begin(), key.end(), padded);
  const size_t len = black_key_bytes(form, static_cast<uint32_t>(key.size()));
  if (form == BlackForm::kEcb) {
    encrypt_.set_key(aes_cipher(AesMode::kEcb, KekRegisters::kBytes), kek_bytes(kek), Direction::kEncrypt);
    encrypt_.update(out, padded, len);
    return {};
  }
  const uint64_t nonce = keks_.nonce++;
  if (nonce >= KekRegisters::kNonceEnd) return {.deco = desc::DecoError::kNonceExhausted};
  uint8_t counter[8];
  desc::store_be64(counter, nonce);
  std::copy_n(counter + 2, kNonceBytes, out);
  ccm_.set_key(kek_bytes(kek));
  const size_t body = len - kNonceBytes - kMacBytes;
  ccm_.seal(ccm_nonce(out), {padded, body}, out + kNonceBytes, {out + kNonceBytes + body, kMacBytes});
  return {};
}

BlackKeys::Failure BlackKeys::unwrap(BlackForm form, Kek kek, desc::ByteSpan black, uint32_t len, uint8_t* out) {
  if (!keks_.loaded) return {.deco = desc::DecoError::kKekNotLoaded};
  if (keks_.transparent) {
    std::memmove(out, black.data(), len);
    return {};
  }
  uint8_t padded[kMaxKeyBytes + 16];
  if (form == BlackForm::kEcb) {
    decrypt_.set_key(aes_cipher(AesMode::kEcb, KekRegisters::kBytes), kek_bytes(kek), Direction::kDecrypt);
    decrypt_.update(padded, black.data(), black.size());
  } else {
    ccm_.set_key(kek_bytes(kek));
    const desc::ByteSpan body = black.subspan(kNonceBytes, black.size() - kNonceBytes - kMacBytes);
    if (!ccm_.open(ccm_nonce(black.data()), body, padded, black.last(kMacBytes)))
      return {.aesa = desc::CcbError::kIcvCheck};
  }
  std::copy_n(padded, len, out);
  return {};
}

}  // namespace caamlab::hw_model
