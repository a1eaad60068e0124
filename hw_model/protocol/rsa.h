// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The arithmetic of the RSA protocols (hardware.md 2.15.4): encryption, the three private forms, PKCS#1 v1.5 encryption
// padding, and the end of key generation. Numbers are big endian.
// Assumed: an input longer than n is a PKHA A size error, one of its length but not below it is reduced; d is the
// inverse of e modulo lcm(p - 1, q - 1); numbers that have no such inverse are a PKHA divide by zero.
#pragma once

#include <array>
#include <vector>

#include "hw_model/cha/arith/bn.h"
#include "hw_model/protocol/status.h"

namespace caamlab::hw_model {

using desc::ByteSpan;

// Form 3, by the Chinese remainder theorem; c = q^-1 mod p.
struct RsaCrtKey {
  ByteSpan p, q, dp, dq, c;
};

// Exponentiation. Keeps what libcrypto derives from a modulus for the moduli used last: jobs of a flow repeat theirs.
class RsaPower {
 public:
  // out = in^exponent mod n, as long as n.
  ProtocolStatus power(ByteSpan n, ByteSpan exponent, ByteSpan in, std::span<uint8_t> out);
  // Form 2: n is p * q. out: as long as the caller says n is.
  ProtocolStatus power_pq(ByteSpan p, ByteSpan q, ByteSpan d, ByteSpan in, std::span<uint8_t> out);
  ProtocolStatus power_crt(const RsaCrtKey& key, ByteSpan in, std::span<uint8_t> out);

 private:
  struct FreeMont {
    void operator()(BN_MONT_CTX* mont) const { BN_MONT_CTX_free(mont); }
  };
  struct Modulus {
    std::vector<uint8_t> bytes;
    Bn n;
    std::unique_ptr<BN_MONT_CTX, FreeMont> mont;
  };
  static constexpr size_t kKept = 8;

  Modulus& modulus(ByteSpan bytes);
  void raise(Bn& result, const Bn& in, ByteSpan exponent, const Modulus& m);

  std::array<Modulus, kKept> kept_;
  size_t next_ = 0;  // to be replaced
  BnScratch scratch_;
  Bn in_, exponent_, reduced_, c_, mp_, mq_, h_, result_;
};

// 00 02 PS 00 message, PS of eight or more non-zero random bytes. kProtocolSize: the message does not fit.
ProtocolStatus pkcs1_pad(ByteSpan message, const RandomBytes& random, std::span<uint8_t> out);
// The message within a padded block. kProtocolFormat: not such a block.
ProtocolStatus pkcs1_strip(ByteSpan block, ByteSpan& message);

// What is left of a key once its primes are found; spans give the lengths, d its largest.
struct RsaFinish {
  std::span<uint8_t> n, d, dp, dq, c;  // dp, dq, c may be empty: not wanted
  uint32_t d_len = 0;                  // out: bytes of d without zeros in front
};
ProtocolStatus rsa_finish_key(ByteSpan p, ByteSpan q, ByteSpan e, RsaFinish& key);

}  // namespace caamlab::hw_model
