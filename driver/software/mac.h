// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// cmac(aes) (SP 800-38B) and xcbc(aes) (RFC 3566) in software (kernel crypto/cmac.c, crypto/xcbc.c, 6.1).
#pragma once

#include "driver/software/algorithms.h"

namespace caamlab::driver::software {

enum class MacForm : uint8_t { kCmac, kXcbc };

struct MacRow {
  AlgNames names;
  MacForm form;
};

void add_mac(Algorithms* algorithms, const MacRow& row);

}  // namespace caamlab::driver::software
