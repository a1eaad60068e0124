// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What a row of the hash table says.
#pragma once

#include <span>

#include "desc/commands/operation.h"

namespace caamlab::driver::caam {

struct HashRow {
  const char* name;  // null: there is no unkeyed form
  const char* driver_name;
  const char* keyed_name;
  const char* keyed_driver_name;
  unsigned blocksize;
  unsigned digestsize;
  unsigned ctx_len;  // bytes of running context
  desc::AlgOperation op;
};
// All hashes of the job ring driver, in the kernel's order.
std::span<const HashRow> driver_hash();

}  // namespace caamlab::driver::caam
