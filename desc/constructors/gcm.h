// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Shared descriptors of the GCM family and the job descriptor that goes with them.
// Source: caamalg_desc.c (cnstr_shdsc_gcm_*, _rfc4106_*, _rfc4543_*) and caamalg.c (init_gcm_job), Linux 6.12; equal to
// them word for word (tests/golden/gcm.json, misc.json, endian.json).
#pragma once

#include "desc/constructors/alg_info.h"
#include "desc/constructors/job.h"

namespace caamlab::desc {

struct GcmParams {
  unsigned ivsize = 12;   // bytes of IV in the frame (queue interface) or, rfc4106, in the AAD area
  unsigned icvsize = 16;  // tag bytes
  Via via = Via::kJobRing;
  ShareMode share = ShareMode::kSerial;  // the kernel's; kNever is the proposed change
};

// gcm(aes). Frame: AAD, text [, tag]; AAD length in MATH3. cdata.key: the AES key.
void cnstr_shdsc_gcm_encap(Builder& d, const AlgInfo& cdata, const GcmParams& p);
void cnstr_shdsc_gcm_decap(Builder& d, const AlgInfo& cdata, const GcmParams& p);

// rfc4106(gcm(aes)). cdata.key: the AES key, then 4 bytes of salt. The last ivsize bytes of the AAD area are the IV
// and are not authenticated.
void cnstr_shdsc_rfc4106_encap(Builder& d, const AlgInfo& cdata, const GcmParams& p);
void cnstr_shdsc_rfc4106_decap(Builder& d, const AlgInfo& cdata, const GcmParams& p);

// rfc4543(gcm(aes)): everything is AAD, the text is copied. cdata.key as for rfc4106.
void cnstr_shdsc_rfc4543_encap(Builder& d, const AlgInfo& cdata, const GcmParams& p);
void cnstr_shdsc_rfc4543_decap(Builder& d, const AlgInfo& cdata, const GcmParams& p);

// One request of the family on a job ring (kernel: init_aead_job, then init_gcm_job).
struct GcmJob {
  AeadJob aead{};
  ByteSpan salt{};  // 4 bytes for rfc4106 and rfc4543, none for gcm
  ByteSpan iv{};    // 12 bytes, or 8 behind a salt
};
// Runs per request: inline, so that the constant parts are folded where it is used.
[[gnu::always_inline]] inline void init_gcm_job(Builder& d, const GcmJob& job) {
  init_aead_job(d, job.aead, MathReg::kReg3);
  const bool rfc = !job.salt.empty();
  // The IV is the last data there is: encryption with neither AAD nor text. (In decryption the ICV still follows.)
  const bool last = !rfc && job.aead.encrypt && job.aead.in.len == 0;
  FifoLoad iv{.cls = ClassSel::kClass1,
              .type = fifo_load_type(FifoLoadType::kIv, kFifoLoadFlush1 | (last ? kFifoLoadLast1 : 0))};
  iv.imm_aidf = true;
  iv.len = static_cast<uint16_t>(job.salt.size() + job.iv.size());
  d.append_cmd(iv);
  if (rfc) d.append_data(job.salt);
  d.append_data(job.iv);
}

}  // namespace caamlab::desc
