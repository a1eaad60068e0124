// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See aes_key.h.
#include "hw_model/cha/arith/aes_key.h"

#include <algorithm>
#include <bit>

namespace caamlab::hw_model {
namespace {

constexpr uint8_t times_x(uint8_t a) { return static_cast<uint8_t>(a << 1 ^ (a & 0x80 ? 0x1B : 0)); }

// S-box: the inverse in GF(2^8) followed by the affine map; inverses are found by stepping through the powers of the
// generator 3 and of its inverse together.
constexpr std::array<uint8_t, 256> make_sbox() {
  std::array<uint8_t, 256> sbox{};
  uint8_t p = 1, q = 1;
  do {
    p = static_cast<uint8_t>(p ^ times_x(p));  // p * 3
    q ^= static_cast<uint8_t>(q << 1);         // q / 3
    q ^= static_cast<uint8_t>(q << 2);
    q ^= static_cast<uint8_t>(q << 4);
    if (q & 0x80) q ^= 0x09;
    sbox[p] = static_cast<uint8_t>(q ^ std::rotl(q, 1) ^ std::rotl(q, 2) ^ std::rotl(q, 3) ^ std::rotl(q, 4) ^ 0x63);
  } while (p != 1);
  sbox[0] = 0x63;
  return sbox;
}
constexpr std::array<uint8_t, 256> kSbox = make_sbox();
static_assert(kSbox[0x53] == 0xED && kSbox[0xFF] == 0x16, "FIPS 197, figure 7");

constexpr uint32_t sub_word(uint32_t w) {
  return uint32_t{kSbox[w >> 24]} << 24 | uint32_t{kSbox[w >> 16 & 0xFF]} << 16 | uint32_t{kSbox[w >> 8 & 0xFF]} << 8 |
         kSbox[w & 0xFF];
}

struct Rcon {
  uint32_t word[11];
  constexpr Rcon() : word{} {
    uint8_t r = 1;
    for (unsigned i = 1; i < 11; ++i, r = times_x(r)) word[i] = uint32_t{r} << 24;
  }
};
constexpr Rcon kRcon;

// What word i of the expansion is XORed with besides word i - nk.
uint32_t contribution(unsigned i, unsigned nk, uint32_t previous) {
  if (i % nk == 0) return sub_word(std::rotl(previous, 8)) ^ kRcon.word[i / nk];
  if (nk > 6 && i % nk == 4) return sub_word(previous);
  return previous;
}

constexpr unsigned total_words(unsigned nk) { return 4 * (nk + 7); }

}  // namespace

void aes_decryption_form(uint8_t* out, desc::ByteSpan cipher_key) {
  uint32_t w[60];
  const unsigned nk = static_cast<unsigned>(cipher_key.size() / 4), total = total_words(nk);
  for (unsigned i = 0; i < nk; ++i) w[i] = desc::load_be32(&cipher_key[4 * i]);
  for (unsigned i = nk; i < total; ++i) w[i] = w[i - nk] ^ contribution(i, nk, w[i - 1]);
  for (unsigned i = 0; i < nk; ++i) desc::store_be32(out + 4 * i, w[total - nk + i]);
}

void aes_cipher_key(uint8_t* out, desc::ByteSpan decryption_form) {
  uint32_t w[60];
  const unsigned nk = static_cast<unsigned>(decryption_form.size() / 4), total = total_words(nk);
  for (unsigned i = 0; i < nk; ++i) w[total - nk + i] = desc::load_be32(&decryption_form[4 * i]);
  for (unsigned i = total - 1; i >= nk; --i) w[i - nk] = w[i] ^ contribution(i, nk, w[i - 1]);
  for (unsigned i = 0; i < nk; ++i) desc::store_be32(out + 4 * i, w[i]);
}

desc::ByteSpan AesKeyForms::decryption_form(desc::ByteSpan cipher_key) {
  if (cipher_key.size() != len_ || !std::equal(cipher_key.begin(), cipher_key.end(), cipher_.begin())) {
    len_ = cipher_key.size();
    std::copy(cipher_key.begin(), cipher_key.end(), cipher_.begin());
    aes_decryption_form(decrypt_.data(), cipher_key);
  }
  return {decrypt_.data(), len_};
}

desc::ByteSpan AesKeyForms::cipher_key(desc::ByteSpan decryption_form) {
  if (decryption_form.size() != len_ || !std::equal(decryption_form.begin(), decryption_form.end(), decrypt_.begin())) {
    len_ = decryption_form.size();
    std::copy(decryption_form.begin(), decryption_form.end(), decrypt_.begin());
    aes_cipher_key(cipher_.data(), decryption_form);
  }
  return {cipher_.data(), len_};
}

}  // namespace caamlab::hw_model
