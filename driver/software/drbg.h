// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// stdrng in software: the deterministic random bit generators of SP 800-90A (crypto-api.md 1.7, 2.6; kernel
// crypto/drbg.c, 6.1). Entropy comes from the registry, so that a run repeats.
#pragma once

#include "driver/software/algorithms.h"

namespace caamlab::driver::software {

struct DrbgRow {
  const char* suffix;     // of the driver name: "hmac_sha512"
  const char* rand;       // libcrypto's name: "HMAC-DRBG"
  const char* primitive;  // digest or cipher: "SHA512"
};

// All cores of the kernel, first with prediction resistance, then without, in the order that gives them their
// priorities (from 200 upward).
void add_drbgs(Algorithms* algorithms);

}  // namespace caamlab::driver::software
