// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// /proc/crypto: written as the kernel writes it, and read back from a real machine (crypto-api.md 4.1). The file does
// not show NEED_FALLBACK, KERN_DRIVER_ONLY and ALLOCATES_MEMORY; a reader gets them from the driver of that name in the
// sets.
#pragma once

#include "api/machine/machine.h"

namespace caamlab::api {

struct ProcCryptoError {
  size_t line = 0;  // from 1
  std::string what;
};

struct ProcCrypto {
  Machine machine;
  std::vector<std::string> unknown_flags;  // drivers that no set knows
};

// Newest first, as the file has it. Parts of instances are found again by their composed driver names.
tl::expected<ProcCrypto, ProcCryptoError> read_proc_crypto(std::string_view text);
std::string proc_crypto_text(const Machine& machine);
// One block without the empty line behind it.
std::string proc_crypto_block(const ListedAlg& alg);

}  // namespace caamlab::api
