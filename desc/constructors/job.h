// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The part of a job descriptor that all AEAD requests share. Source: caamalg.c init_aead_job, Linux 6.12.
#pragma once

#include "desc/builder.h"

namespace caamlab::desc {

// Where a sequence lies: one buffer or an S/G table.
struct SeqLocation {
  uint64_t addr = 0;  // bus address of the data or of the table
  uint32_t len = 0;   // bytes the sequence may take
  bool sgf = false;   // addr is a table
};

struct AeadJob {
  uint64_t sh_desc = 0;  // bus address of the shared descriptor
  unsigned sh_len = 0;   // its length, words
  SeqLocation in, out;
  uint32_t assoclen = 0;  // bytes
  bool encrypt = true;
  int era = 10;
};

// Job header (SHARE_DEFER, REVERSE) with the shared descriptor; both sequences with extended lengths; assoclen in MATH3
// (before era 3) or where `assoclen_reg` says.
void init_aead_job(Builder& d, const AeadJob& job, MathReg assoclen_reg);

}  // namespace caamlab::desc
