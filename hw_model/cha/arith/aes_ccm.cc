// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See aes_ccm.h.
#include "hw_model/cha/arith/aes_ccm.h"

#include <algorithm>
#include <cstring>

namespace caamlab::hw_model {

void AesCcm::set_key(desc::ByteSpan key) {
  block_.set_key(key);
  mac_.set_key(key);
}

void AesCcm::start(desc::ByteSpan nonce, size_t mac_len, size_t message_len) {
  const unsigned length_bytes = static_cast<unsigned>(15 - nonce.size());
  uint8_t b0[16] = {}, zero[16] = {};
  b0[0] = static_cast<uint8_t>((mac_len - 2) / 2 << 3 | (length_bytes - 1));
  std::copy(nonce.begin(), nonce.end(), b0 + 1);
  for (unsigned i = 0; i < length_bytes; ++i) b0[15 - i] = static_cast<uint8_t>(uint64_t{message_len} >> 8 * i);
  mac_.start(zero);
  mac_.update(b0, false);
  std::memset(counter_, 0, sizeof(counter_));
  counter_[0] = static_cast<uint8_t>(length_bytes - 1);
  std::copy(nonce.begin(), nonce.end(), counter_ + 1);
  block_.encrypt(mask_, counter_, 16);
  add_to_counter(counter_, 1, length_bytes);
}

void AesCcm::crypt(uint8_t* out, desc::ByteSpan in) {
  unsigned used = 0;
  block_.ctr(out, in.data(), in.size(), counter_, used, counter_[0] + 1u);
}

void AesCcm::finish(std::span<uint8_t> mac) {
  mac_.pad();
  for (size_t i = 0; i < mac.size(); ++i) mac[i] = mac_.value()[i] ^ mask_[i];
}

void AesCcm::seal(desc::ByteSpan nonce, desc::ByteSpan plain, uint8_t* cipher, std::span<uint8_t> mac) {
  start(nonce, mac.size(), plain.size());
  mac_.update(plain, false);
  crypt(cipher, plain);
  finish(mac);
}

bool AesCcm::open(desc::ByteSpan nonce, desc::ByteSpan cipher, uint8_t* plain, desc::ByteSpan mac) {
  start(nonce, mac.size(), cipher.size());
  crypt(plain, cipher);
  mac_.update({plain, cipher.size()}, false);
  uint8_t computed[16];
  finish({computed, mac.size()});
  return std::equal(mac.begin(), mac.end(), computed);
}

}  // namespace caamlab::hw_model
