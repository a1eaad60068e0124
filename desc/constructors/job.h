// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Job descriptors of requests: what all of them share, and what all AEAD requests share. Source: caamalg.c
// (init_aead_job, init_skcipher_job) and caamhash.c (ahash_edesc_alloc and its callers), Linux 6.12.
#pragma once

#include "desc/builder.h"

namespace caamlab::desc {

// Where a sequence lies: one buffer or an S/G table.
struct SeqLocation {
  uint64_t addr = 0;  // bus address of the data or of the table
  uint32_t len = 0;   // bytes the sequence may take
  bool sgf = false;   // addr is a table
};

// A job that runs its shared descriptor after itself.
struct SharedJob {
  uint64_t sh_desc = 0;  // bus address of the shared descriptor
  unsigned sh_len = 0;   // its length, words
};

// Job header (SHARE_DEFER, REVERSE) with the shared descriptor.
inline void init_request_job(Builder& d, const SharedJob& job) {
  d.init_job_desc_shared(job.sh_desc, job.sh_len, {.reo = true, .share = ShareMode::kDefer});
}
inline void append_request_input(Builder& d, const SeqLocation& in) {
  d.append_seq_in_ptr_extlen(in.addr, in.len, {.sgf = in.sgf});
}
inline void append_request_output(Builder& d, const SeqLocation& out) {
  d.append_seq_out_ptr_extlen(out.addr, out.len, {.sgf = out.sgf});
}

struct AeadJob {
  uint64_t sh_desc = 0;  // bus address of the shared descriptor
  unsigned sh_len = 0;   // its length, words
  SeqLocation in{}, out{};
  uint32_t assoclen = 0;  // bytes
  bool encrypt = true;
  int era = 10;
};

// Header, both sequences with extended lengths; assoclen into `assoclen_reg`.
[[gnu::always_inline]] inline void init_aead_job(Builder& d, const AeadJob& job, MathReg assoclen_reg) {
  init_request_job(d, {.sh_desc = job.sh_desc, .sh_len = job.sh_len});
  append_request_input(d, job.in);
  append_request_output(d, job.out);
  d.append_math_add_imm_u32(assoclen_reg, MathReg::kZero, MathReg::kImm, job.assoclen);
}

}  // namespace caamlab::desc
