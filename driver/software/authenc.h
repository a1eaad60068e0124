// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// authenc(hmac(H),C) and its IV-generating forms in software (crypto-api.md 2.4; kernel
// crypto/{authenc,seqiv,echainiv}.c, 6.1). Encrypt, then HMAC over associated data and ciphertext.
#pragma once

#include "driver/software/algorithms.h"
#include "driver/software/cipher.h"
#include "driver/software/hash.h"

namespace caamlab::driver::software {

// Who makes the IV. kSeqiv: IV = sequence number xor salt. kEchainiv: a block of zeros is encrypted in front of the
// text, under sequence number times odd salt, and what comes out is the IV on the wire (CBC ciphers only). The salt is
// drawn from the registry when the transform is made. Wire format in both: AAD, IV, ciphertext, tag; cryptlen counts
// the IV.
enum class IvForm : uint8_t { kCaller, kSeqiv, kEchainiv };

struct AuthencRow {
  AlgNames names;
  const HashAlgorithm& hash;
  const CipherSpec& cipher;
  IvForm iv_form;
};

void add_authenc(Algorithms* algorithms, const AuthencRow& row);

}  // namespace caamlab::driver::software
