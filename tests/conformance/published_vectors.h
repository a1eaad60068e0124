// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The published vectors of each row of the driver, in the form of a request. Where none are published (authenc with a
// cipher): the published ones of the cipher, with the HMAC computed by libcrypto.
#pragma once

#include "tests/driver/caam/rows.h"

namespace caamlab::tests {

struct CipherVector {
  std::string where;
  Bytes key, iv, plain, cipher;
};
// Empty when the row is no skcipher with published vectors.
std::vector<CipherVector> cipher_vectors(const AlgRow& row);

struct AeadVector {
  std::string where;
  Bytes key;
  AeadInput plain;
  Bytes sealed;  // text and tag
  size_t tag_len;
  bool fails;  // the tag is wrong; plain.text means nothing
};
std::vector<AeadVector> aead_vectors(const AlgRow& row);

// authenc(hmac(HASH),CIPHER) and its forms that generate IVs.
struct AuthencVector {
  std::string where;
  Bytes auth_key, cipher_key, iv, aad, plain, cipher;
  Bytes key() const;
  // The tag over AAD, IV if `with_iv`, and ciphertext.
  Bytes tag(const AlgRow& row, bool with_iv) const;
};
std::vector<AuthencVector> authenc_vectors(const AlgRow& row);

struct HashVector {
  std::string where;
  Bytes key, message, digest;
};
std::vector<HashVector> hash_vectors(const AlgRow& row);

}  // namespace caamlab::tests
