// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// An aead request on its way: mapped lists, S/G table, job descriptor; in the request's own memory (kernel caamalg.c:
// struct aead_edesc, aead_edesc_alloc, aead_enqueue_req, aead_crypt_done, 6.1; crypto-api.md 7.4).
#pragma once

#include "desc/constructors/job.h"
#include "driver/caam/alg_ctx.h"
#include "driver/caam/sg_sw_sec4.h"

namespace caamlab::driver::caam {

struct AeadEdesc {
  static constexpr unsigned kOwnSgEntries = 16;  // table entries without a further allocation

  CaamCtx* ctx;
  MappedSg src;
  MappedSg dst;  // out of place only
  SgTable sg;
  bool in_place;
  bool bklog;  // went through the engine, which finishes it
  uint32_t hw_desc_bytes;
  alignas(64) uint8_t hw_desc[kMaxJobWords * 4];
  alignas(64) uint8_t own_sg[kOwnSgEntries * desc::kSgEntryBytes];
};

// Checks and maps the lists and fills in what the job descriptors of all aeads have in common. -EINVAL when a list is
// too short, -ENOMEM.
int aead_edesc_alloc(api::AeadRequest& req, bool encrypt, desc::AeadJob& job);
void aead_unmap(AeadEdesc& edesc);

// Submits a request whose job descriptor is ready, to the ring or, with MAY_BACKLOG, to the ring's engine; unmaps when
// it is not taken. hw_desc_bytes 0: -EINVAL.
int aead_enqueue_req(api::AeadRequest& req);

inline AeadEdesc& aead_edesc(api::AeadRequest& req) { return *api::aead_request_ctx<AeadEdesc>(req); }

// The whole of a request: map, job descriptor by init_job(Builder&, const AeadJob&, CaamCtx&), submit.
template <class InitJob>
int aead_crypt_common(api::AeadRequest& req, bool encrypt, InitJob init_job) {
  desc::AeadJob job;
  if (const int err = aead_edesc_alloc(req, encrypt, job); err != 0) return err;
  AeadEdesc& edesc = aead_edesc(req);
  desc::Builder builder(edesc.ctx->ctrl().target);
  init_job(builder, job, *edesc.ctx);
  edesc.hw_desc_bytes = store_job_desc(edesc.ctx->ctrl(), builder, edesc.hw_desc);
  return aead_enqueue_req(req);
}

}  // namespace caamlab::driver::caam
