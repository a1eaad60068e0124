// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Aead requests: what those of all families have in common (kernel caamalg.c: aead_edesc_alloc, init_aead_job,
// aead_enqueue_req, 6.1; crypto-api.md 7.4).
#pragma once

#include "driver/caam/alg_ctx.h"
#include "driver/caam/edesc.h"

namespace caamlab::driver::caam {

struct AeadPath {
  using Request = api::AeadRequest;
  static Edesc& edesc(Request& req) { return *api::aead_request_ctx<Edesc>(req); }
  static void unmap(Request&, Edesc& edesc) { edesc_unmap(edesc); }
  static void finish(Request&, Edesc&, int) {}
};

// Checks and maps the lists and fills in what the job descriptors of all aeads have in common. -EINVAL when a list is
// too short, -ENOMEM.
int aead_edesc_alloc(api::AeadRequest& req, bool encrypt, desc::AeadJob& job);

// Whether AAD and text together fit the 16-bit length of the one MOVE that copies them to the output in the descriptors
// of rfc4543 and of authenc with the null cipher. A longer request would wait in the DECO for its watchdog; the kernel
// submits it (hardware.md 2.9).
bool aead_fits_one_move(const api::AeadRequest& req, bool encrypt);

// Stores the job descriptor and submits the request. -EINVAL when the descriptor has an error.
int aead_submit(api::AeadRequest& req, desc::Builder& builder);

// The whole of a request: map, job descriptor by init_job(Builder&, const AeadJob&, CaamCtx&), submit.
template <class InitJob>
int aead_crypt_common(api::AeadRequest& req, bool encrypt, InitJob init_job) {
  desc::AeadJob job;
  if (const int err = aead_edesc_alloc(req, encrypt, job); err != 0) return err;
  CaamCtx& ctx = *api::crypto_aead_ctx<CaamCtx>(api::crypto_aead_reqtfm(req));
  desc::Builder builder(ctx.ctrl().target);
  init_job(builder, job, ctx);
  return aead_submit(req, builder);
}

}  // namespace caamlab::driver::caam
