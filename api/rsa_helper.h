// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// RSA keys out of their BER encoding (RFC 8017 A.1: RSAPublicKey, RSAPrivateKey), for drivers (kernel
// crypto/rsa_helper.c, rsapubkey.asn1, rsaprivkey.asn1, 6.1). Left out: indefinite lengths, more than two primes.
#pragma once

#include <cstdint>
#include <span>

namespace caamlab::api {

// Views into the encoding, big-endian, without leading zeros (the kernel leaves the sign byte in and its users strip
// it).
struct RsaKey {
  std::span<const uint8_t> n, e;                   // public
  std::span<const uint8_t> d, p, q, dp, dq, qinv;  // private; empty in a public key
};

// 0. -EBADMSG: not such a structure, cut off, or bytes behind it. -EINVAL: a zero or empty number, one longer than the
// modulus, or, in FIPS mode, a modulus below 2048 bits.
int rsa_parse_pub_key(RsaKey* key, std::span<const uint8_t> ber, bool fips_enabled = false);
int rsa_parse_priv_key(RsaKey* key, std::span<const uint8_t> ber, bool fips_enabled = false);

}  // namespace caamlab::api
