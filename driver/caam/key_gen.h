// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Jobs that setkey waits for: split keys of HMAC, hashing of keys longer than a block (kernel key_gen.c, caamhash.c
// hash_digest_key, 6.1; crypto-api.md 7.3).
#pragma once

#include <span>

#include "desc/algs.h"
#include "driver/caam/jr.h"

namespace caamlab::driver::caam {

inline constexpr unsigned kMaxHashBlockSize = 128;

// Bytes of a block and of a digest of an MDHA algorithm.
unsigned hash_block_size(desc::Alg alg);
unsigned hash_digest_size(desc::Alg alg);

// Makes the split key of `key` (at most a block), encrypted for this power-on cycle, in split_key_out:
// split_key_pad_len() bytes. 0, -EINVAL when the job fails (logged), or as caam_jr_run(), -ENOMEM.
int gen_split_key(Jr& jr, desc::Alg alg, std::span<const uint8_t> key, std::span<uint8_t> split_key_out);

// Copies an HMAC key to `out` (a block long), or its digest when it is longer than a block. Returns the length, or an
// error as gen_split_key().
int reduce_hmac_key(Jr& jr, desc::Alg alg, std::span<const uint8_t> key, std::span<uint8_t> out);

}  // namespace caamlab::driver::caam
