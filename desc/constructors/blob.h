// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Job descriptor of blobs. Source: blob_gen.c (caam_process_blob), Linux 6.12; equal to it word for word
// (tests/golden/misc.json).
#pragma once

#include "desc/builder.h"

namespace caamlab::desc {

inline constexpr unsigned kBlobOverhead = 48;     // encrypted blob key 32, MAC 16
inline constexpr unsigned kBlobKeyModBytes = 16;  // key modifier of blobs in general memory

// Wraps the `input_len` bytes at bus address `in` into a blob at `out`, or unwraps them: the output is longer or
// shorter by kBlobOverhead. key_mod: up to 16 bytes, the same for both.
struct BlobJob {
  bool encap = true;
  ByteSpan key_mod{};
  uint64_t in = 0;
  uint32_t input_len = 0;
  uint64_t out = 0;
  constexpr uint32_t output_len() const { return encap ? input_len + kBlobOverhead : input_len - kBlobOverhead; }
};
void caam_process_blob(Builder& d, const BlobJob& job);

}  // namespace caamlab::desc
