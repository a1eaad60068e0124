// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Shared descriptor of hashes and HMAC and the job descriptor of all ahash requests.
// Source: caamhash_desc.c (cnstr_shdsc_ahash) and caamhash.c, Linux 6.12; equal to them word for word
// (tests/golden/hash.json, misc.json, endian.json).
#pragma once

#include "desc/constructors/alg_info.h"
#include "desc/constructors/job.h"

namespace caamlab::desc {

struct AhashParams {
  AlgState state = AlgState::kInitFinal;  // kInit update_first, kUpdate update, kFinal final, kInitFinal digest
  unsigned digestsize = 0;                // bytes to store: the digest, or the context of an unfinished hash
  unsigned ctx_len = 0;                   // bytes of saved context in front of the input
  bool import_ctx = false;                // the input starts with it
  int era = 10;
  ShareMode share = ShareMode::kSerial;
};

// adata: MDHA algorithm; keylen 0: hash, else HMAC with a key as for cnstr_shdsc_aead_encap (before era 6 inline
// whatever key_inline says).
void cnstr_shdsc_ahash(Builder& d, const AlgInfo& adata, const AhashParams& p);

// One request on a job ring, whatever part of a hash it is. in: {saved context, buffered bytes, source} as far as there
// are any; without `in` (the hash of nothing) the job has no input sequence. out: digest or context.
struct AhashJob {
  SharedJob shared{};
  std::optional<SeqLocation> in{};
  SeqLocation out{};
};
void init_ahash_job(Builder& d, const AhashJob& job);

}  // namespace caamlab::desc
