// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// rfc7539(chacha20,poly1305) and its IPsec form in software: published vectors, layouts, key, tag and length rules.
#include <algorithm>

#include "tests/driver/software/machine.h"

namespace caamlab::driver::software {
namespace {

using api::AeadHandle;
using tests::AeadInput;
using tests::Bytes;
using tests::Crypt;
using tests::expect_both_ways;
using tests::joined;
using tests::Machine;
using tests::random_bytes;

const char kPlain[] = "rfc7539(chacha20,poly1305)";
const char kEsp[] = "rfc7539esp(chacha20,poly1305)";

struct Names {
  const char* file;
  const char *nonce, *aad, *text, *cipher;
};
const Names kFiles[] = {{"boringssl.txt", "NONCE", "AD", "IN", "CT"},
                        {"openssl.txt", "IV", "AAD", "PLAINTEXT", "CIPHERTEXT"}};

TEST(ChaChaPoly, Vectors) {
  Machine machine;
  size_t run = 0;
  size_t esp = 0;
  for (const Names& n : kFiles) {
    for (const auto& v : tests::read_vectors(std::string("ciphers/ChaCha20Poly1305/") + n.file)) {
      const Bytes nonce = v.bytes(n.nonce);
      const Bytes tag = v.bytes("TAG");
      if (nonce.size() != 12 || tag.size() != 16) continue;
      AeadHandle tfm = machine.aead(kPlain);
      ASSERT_EQ(crypto_aead_setkey(*tfm, v.bytes("KEY")), 0) << v.where();
      const AeadInput input{nonce, v.bytes(n.aad), v.bytes(n.text)};
      const Bytes sealed = joined(v.bytes(n.cipher), tag);
      if (v.has("RESULT")) {  // a wrong tag
        const AeadInput closed{nonce, input.aad, sealed};
        EXPECT_EQ(run_aead(*tfm, Crypt::kDecrypt, closed, tests::plain_layout()).err, -EBADMSG) << v.where();
        continue;
      }
      expect_both_ways(*tfm, input, sealed, v.where());
      ++run;
      // The same with the first 4 bytes of the nonce in the key, and the IV repeated behind the associated data.
      const Bytes iv(nonce.begin() + 4, nonce.end());
      AeadHandle esp_tfm = machine.aead(kEsp);
      ASSERT_EQ(crypto_aead_setkey(*esp_tfm, joined(v.bytes("KEY"), Bytes(nonce.begin(), nonce.begin() + 4))), 0);
      expect_both_ways(*esp_tfm, AeadInput{iv, joined(input.aad, iv), input.text}, sealed, v.where());
      ++esp;
    }
  }
  EXPECT_GE(run, 40u);
  EXPECT_EQ(esp, run);
}

TEST(ChaChaPoly, EspLeavesOutTheIvCopyOnly) {
  Machine machine;
  AeadHandle tfm = machine.aead(kEsp);
  ASSERT_EQ(crypto_aead_setkey(*tfm, random_bytes(36, 1)), 0);
  AeadInput input{random_bytes(8, 2), random_bytes(20, 3), random_bytes(30, 4)};
  input.text = run_aead(*tfm, Crypt::kEncrypt, input, tests::plain_layout()).out;
  for (size_t i = 0; i < 20; ++i) {
    input.aad[i] ^= 1;
    EXPECT_EQ(run_aead(*tfm, Crypt::kDecrypt, input, tests::plain_layout()).err, i < 12 ? -EBADMSG : 0) << i;
    input.aad[i] ^= 1;
  }
}

TEST(ChaChaPoly, Rules) {
  Machine machine;
  for (const auto& [name, keylen, min_aad] : {std::tuple{kPlain, 32, 0}, std::tuple{kEsp, 36, 8}}) {
    AeadHandle tfm = machine.aead(name);
    for (int len = 0; len <= 40; ++len) {
      EXPECT_EQ(crypto_aead_setkey(*tfm, Bytes(len, 1)), len == keylen ? 0 : -EINVAL) << name << len;
    }
    for (unsigned int tag = 0; tag <= 20; ++tag) {
      EXPECT_EQ(crypto_aead_setauthsize(*tfm, tag), tag == 16 ? 0 : -EINVAL) << name << tag;
    }
    ASSERT_EQ(crypto_aead_setkey(*tfm, Bytes(keylen, 1)), 0);
    for (int assoclen = 0; assoclen <= 24; ++assoclen) {
      const AeadInput input{Bytes(12, 1), Bytes(assoclen, 2), Bytes(33, 3)};
      const int err = run_aead(*tfm, Crypt::kEncrypt, input, tests::plain_layout()).err;
      EXPECT_EQ(err, assoclen >= min_aad ? 0 : -EINVAL) << name << assoclen;
    }
    for (size_t cryptlen = 0; cryptlen < 16; ++cryptlen) {
      const AeadInput input{Bytes(12, 1), Bytes(16, 2), Bytes(cryptlen, 3)};
      EXPECT_EQ(run_aead(*tfm, Crypt::kDecrypt, input, tests::plain_layout()).err, -EINVAL);
    }
  }
}

}  // namespace
}  // namespace caamlab::driver::software
