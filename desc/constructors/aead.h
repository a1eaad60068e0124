// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Shared descriptors of authenc() (HMAC with a cipher or without) and the job descriptor that goes with them.
// Source: caamalg_desc.c (cnstr_shdsc_aead_*) and caamalg.c (init_authenc_job), Linux 6.12; equal to them word for word
// (tests/golden/aead.json, misc.json, endian.json).
#pragma once

#include "desc/constructors/alg_info.h"
#include "desc/constructors/job.h"

namespace caamlab::desc {

struct AeadParams {
  unsigned ivsize = 16;      // bytes
  unsigned icvsize = 16;     // bytes, truncated or full
  bool geniv = false;        // decapsulation: the IV stands in the text, where givencap put it
  bool rfc3686 = false;      // CTR with nonce | IV | counter; cdata.keylen counts the nonce
  ByteSpan nonce{};          // 4 bytes, of rfc3686
  unsigned ctx1_iv_off = 0;  // of the IV in the class 1 context: 0 CBC, 16 CTR, 20 rfc3686
  Via via = Via::kJobRing;
  int era = 10;
  ShareMode share = ShareMode::kSerial;
};

// cdata: AES, DES, 3DES in CBC or AES in CTR. adata: HMAC (op.aai kHmacPrecomp); before era 6 a split key (keylen) with
// its padding (keylen_pad), from era 6 on the HMAC key (keylen), keylen_pad the length of the split key.
// Frame: AAD, text [, tag]; AAD length in DPOVRD (job ring, era 3+) or MATH3.
void cnstr_shdsc_aead_encap(Builder& d, const AlgInfo& cdata, const AlgInfo& adata, const AeadParams& p);
void cnstr_shdsc_aead_decap(Builder& d, const AlgInfo& cdata, const AlgInfo& adata, const AeadParams& p);
// As encap, the SEC makes the IV and puts it in front of the ciphertext (rfc3686: the caller's IV is put there).
void cnstr_shdsc_aead_givencap(Builder& d, const AlgInfo& cdata, const AlgInfo& adata, const AeadParams& p);

struct AeadNullParams {
  unsigned icvsize = 16;  // bytes
  int era = 10;
  ShareMode share = ShareMode::kSerial;
};
// Authentication alone: AAD and text are copied.
void cnstr_shdsc_aead_null_encap(Builder& d, const AlgInfo& adata, const AeadNullParams& p);
void cnstr_shdsc_aead_null_decap(Builder& d, const AlgInfo& adata, const AeadNullParams& p);

// One request of the family on a job ring.
struct AuthencJob {
  AeadJob aead{};
  ByteSpan iv{};             // empty: none to load (null encryption, or the IV is generated or part of the text)
  unsigned ctx1_iv_off = 0;  // as in AeadParams
};
void init_authenc_job(Builder& d, const AuthencJob& job);

}  // namespace caamlab::desc
