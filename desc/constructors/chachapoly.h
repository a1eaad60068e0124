// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Shared descriptor of ChaCha20-Poly1305 and the job descriptor that goes with it (era 10).
// Source: caamalg_desc.c (cnstr_shdsc_chachapoly) and caamalg.c (init_chachapoly_job), Linux 6.12; equal to them word
// for word (tests/golden/aead.json, misc.json, endian.json).
#pragma once

#include "desc/constructors/alg_info.h"
#include "desc/constructors/job.h"

namespace caamlab::desc {

inline constexpr unsigned kChaChaPolyIvSize = 12;  // rfc7539; another size means rfc7539esp with a 4-byte salt

struct ChaChaPolyParams {
  unsigned ivsize = kChaChaPolyIvSize;  // bytes: 12 rfc7539, 8 rfc7539esp
  unsigned icvsize = 16;                // bytes
  bool encrypt = true;
  Via via = Via::kJobRing;
  ShareMode share = ShareMode::kSerial;
};

// cdata: ChaCha20 with op.aai kAead, key inline, behind it the salt of rfc7539esp. adata: Poly1305, without a key.
// Frame: AAD [, IV of ESP], text [, tag]; length of the AAD alone in MATH3. AAD and IV are copied to the output.
void cnstr_shdsc_chachapoly(Builder& d, const AlgInfo& cdata, const AlgInfo& adata, const ChaChaPolyParams& p);

// One request on a job ring. aead.assoclen is the caller's: with ESP it counts the IV, which the job leaves out.
struct ChaChaPolyJob {
  AeadJob aead{};
  ByteSpan iv{};  // 12 bytes, or 8 for ESP
};
void init_chachapoly_job(Builder& d, const ChaChaPolyJob& job);

}  // namespace caamlab::desc
