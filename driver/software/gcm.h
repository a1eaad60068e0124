// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// gcm(aes), rfc4106(gcm(aes)) and rfc4543(gcm(aes)) over libcrypto, synchronous (crypto-api.md 2.4; kernel crypto/gcm.c
// and arch/arm64/crypto/ghash-ce-glue.c, 6.1).
#pragma once

#include "driver/software/algorithms.h"

namespace caamlab::driver::software {

enum class GcmForm : uint8_t { kGcm, kRfc4106, kRfc4543 };

struct GcmRow {
  AlgNames names;
  GcmForm form;
};

void add_gcm(Algorithms* algorithms, const GcmRow& row);

}  // namespace caamlab::driver::software
