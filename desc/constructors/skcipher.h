// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Shared descriptors of ciphers without authentication and the job descriptor that goes with them.
// Source: caamalg_desc.c (cnstr_shdsc_skcipher_*, _xts_skcipher_*) and caamalg.c (init_skcipher_job), Linux 6.12; equal
// to them word for word (tests/golden/skcipher.json, misc.json, endian.json).
#pragma once

#include "desc/constructors/alg_info.h"
#include "desc/constructors/job.h"

namespace caamlab::desc {

// What the XTS descriptors load as sector size: longer texts would step to the next tweak.
inline constexpr uint32_t kXtsSectorBytes = 1u << 15;

struct SkcipherParams {
  unsigned ivsize = 16;      // bytes; 0 for ECB
  bool rfc3686 = false;      // CTR with nonce | IV | counter; the nonce lies behind cdata's key
  unsigned ctx1_iv_off = 0;  // of the IV in the class 1 context: 0 CBC, 16 CTR, 20 rfc3686
  ShareMode share = ShareMode::kSerial;
};

// AES, 3DES, DES in CBC, ECB; AES in CTR; ChaCha20 (16-byte IV). The key is always inline.
// Input sequence: IV, source; output sequence: destination, then the IV for the next request (not for ChaCha20).
void cnstr_shdsc_skcipher_encap(Builder& d, const AlgInfo& cdata, const SkcipherParams& p);
void cnstr_shdsc_skcipher_decap(Builder& d, const AlgInfo& cdata, const SkcipherParams& p);

// AES-XTS, keys of 32 or 64 bytes inline, 16-byte tweak, sectors of 32 KiB: larger than what callers hand in, so that
// one request is one sector.
void cnstr_shdsc_xts_skcipher_encap(Builder& d, const AlgInfo& cdata, ShareMode share = ShareMode::kSerial);
void cnstr_shdsc_xts_skcipher_decap(Builder& d, const AlgInfo& cdata, ShareMode share = ShareMode::kSerial);

// One request on a job ring. in: {IV, source}, out: {destination, IV}; without an IV the data alone.
struct SkcipherJob {
  SharedJob shared{};
  SeqLocation in{}, out{};
};
void init_skcipher_job(Builder& d, const SkcipherJob& job);

}  // namespace caamlab::desc
