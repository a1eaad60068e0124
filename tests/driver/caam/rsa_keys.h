// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// RSA keys for tests, made from seeds, and one request run to its end.
#pragma once

#include "api/akcipher.h"
#include "tests/api/runner.h"

namespace caamlab::tests {

struct RsaNumbers {
  Bytes n{}, e{}, d{}, p{}, q{}, dp{}, dq{}, qinv{};
  Bytes pub() const;
  // RSAPrivateKey with what the form needs (hardware.md 4.10): 1 n and d, 2 the primes too, 3 all.
  Bytes priv(int form = 3) const;
  // dp plus a multiple of p - 1: as good an exponent, but longer than p, which CAAM has no room for.
  Bytes longer_dp() const;
};

// e is 65537. Primes of different lengths show what mixes them up. The same for the same sizes.
const RsaNumbers& rsa_numbers(unsigned p_bits, unsigned q_bits);

struct RsaResult {
  int err = 1;
  Bytes out{};
  uint32_t dst_len = 0;
};
using RsaOp = int (*)(api::AkcipherRequest&);

// `room`: bytes of dst. Pieces as in Layout.
RsaResult run_rsa(api::CryptoAkcipher& tfm, RsaOp op, Bytes in, size_t room, const std::vector<size_t>& src_pieces = {},
                  const std::vector<size_t>& dst_pieces = {});

}  // namespace caamlab::tests
