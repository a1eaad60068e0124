// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// RSA keys in BER, PKCS #1 v1.5 encoding, and the published signatures that bare exponentiations are checked with.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace caamlab::tests {

// SEQUENCE of INTEGERs; an empty number is 0 (RFC 8017 A.1: RSAPublicKey {n, e}, RSAPrivateKey {0, n, e, d, ...}).
std::vector<uint8_t> ber_sequence(const std::vector<std::vector<uint8_t>>& numbers);

// EMSA-PKCS1-v1_5 (RFC 8017 9.2) of a message. digest: "SHA1", "SHA256", ...; len: bytes of the modulus.
std::vector<uint8_t> emsa_pkcs1(const std::string& digest, const std::vector<uint8_t>& message, size_t len);

// One key pair of pkcs1v15sign-vectors.txt, with its messages and their signatures over SHA-1.
struct PublishedRsaPair {
  std::map<std::string, std::vector<uint8_t>> parts;  // by the names of the file: "Modulus", "Prime 1", ...
  std::vector<std::pair<std::vector<uint8_t>, std::vector<uint8_t>>> signatures;

  const std::vector<uint8_t>& modulus() const { return parts.at("Modulus"); }
  // RSAPrivateKey with its first `members` members behind the version, the others 0: 8 has all, 5 no CRT exponents,
  // 3 no primes either.
  std::vector<uint8_t> private_key(size_t members = 8) const;
};
std::vector<PublishedRsaPair> published_rsa_pairs();

// SigGen15_186-3.rsp: signature and what it opens to under the public key.
struct PublishedRsaSignature {
  std::string where;
  std::vector<uint8_t> n, e, signature, encoded;
};
std::vector<PublishedRsaSignature> nist_rsa_signatures();

}  // namespace caamlab::tests
