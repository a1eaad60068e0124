// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Job descriptors that prepare HMAC keys. Source: key_gen.c (gen_split_key) and caamhash.c (hash_digest_key), Linux
// 6.12; equal to them word for word (tests/golden/misc.json).
#pragma once

#include "desc/builder.h"

namespace caamlab::desc {

// Bytes of memory that an encrypted split key takes: its length in whole AES blocks.
constexpr unsigned split_key_pad_len(Alg alg) { return (split_key_len(alg) + 15u) / 16 * 16; }

// Eras before 6: makes the split key of the `keylen`-byte HMAC key at bus address `key` and writes it, encrypted under
// JDKEK, over that key: split_key_pad_len() bytes.
void gen_split_key(Builder& d, Alg alg, uint64_t key, unsigned keylen);

// An HMAC key longer than a block: hashes the `keylen` bytes at `key` and writes the digest over them.
void hash_digest_key(Builder& d, Alg alg, uint64_t key, unsigned keylen, unsigned digestsize);

}  // namespace caamlab::desc
