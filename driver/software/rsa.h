// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// rsa in software: the bare modular exponentiation, no padding scheme (crypto-api.md 2.6; kernel crypto/rsa.c, 6.1).
#pragma once

#include "driver/software/algorithms.h"

namespace caamlab::driver::software {

void add_rsa(Algorithms* algorithms, const AlgNames& names);

}  // namespace caamlab::driver::software
