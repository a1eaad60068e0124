// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// skcipher algorithms in software: a row is names, a cipher and the walk size.
#pragma once

#include "driver/software/algorithms.h"
#include "driver/software/cipher.h"

namespace caamlab::driver::software {

struct SkcipherRow {
  AlgNames names;
  const CipherSpec& spec;
  uint32_t walksize = 0;  // 0: the chunk size
};

void add_skcipher(Algorithms* algorithms, const SkcipherRow& row);

}  // namespace caamlab::driver::software
