// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The aead algorithms that libcrypto has as one cipher: gcm(aes) and rfc7539(chacha20,poly1305) with their IPsec forms,
// synchronous (crypto-api.md 2.4; kernel crypto/gcm.c, crypto/chacha20poly1305.c,
// arch/arm64/crypto/ghash-ce-glue.c, 6.1).
#pragma once

#include "driver/software/algorithms.h"

namespace caamlab::driver::software {

enum class EvpAeadForm : uint8_t { kGcm, kRfc4106, kRfc4543, kRfc7539, kRfc7539Esp };

struct EvpAeadRow {
  AlgNames names;
  EvpAeadForm form;
};

void add_evp_aead(Algorithms* algorithms, const EvpAeadRow& row);

}  // namespace caamlab::driver::software
