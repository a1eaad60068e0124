// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// A request on its way through the ring: mapped lists, S/G table, job descriptor; all of it in the request's own
// memory, so that a request that was made needs nothing more (kernel: struct aead_edesc and its like,
// *_enqueue_req, 6.1; crypto-api.md 7.2, 7.4).
#pragma once

#include <optional>

#include "desc/builder.h"
#include "desc/constructors/job.h"
#include "driver/caam/error.h"
#include "driver/caam/sg_sw_sec4.h"

namespace caamlab::driver::caam {

// Words of the job descriptors in this driver, at most.
inline constexpr unsigned kMaxJobWords = 32;

struct Edesc {
  static constexpr unsigned kOwnSgEntries = 16;  // table entries without a further allocation

  Jr* jr;
  MappedSg src;
  MappedSg dst;  // out of place only
  SgTable sg;
  DmaDirection src_dir;
  bool bklog;  // went through the engine, which finishes it
  uint32_t hw_desc_bytes;
  alignas(64) uint8_t hw_desc[kMaxJobWords * 4];
  alignas(64) uint8_t own_sg[kOwnSgEntries * desc::kSgEntryBytes];

  // Starts anew; a request is used again and again.
  void init(Jr& ring) {
    jr = &ring;
    src = {};
    dst = {};
    sg = {};
    src_dir = DmaDirection::kToDevice;
    bklog = false;
    hw_desc_bytes = 0;
  }
};

// A buffer that is mapped already.
struct DmaPiece {
  BusAddr addr = 0;
  uint32_t len = 0;  // bytes; 0: not there
};

// What a sequence pointer is to cover: {before, range, after}.
struct SeqSource {
  std::span<const DmaPiece> before{};
  SgRange range{};
  DmaPiece after{};
};

// Maps the lists of `in` and, out of place, `out`, and makes the table they need. in_place: `in` has both directions.
// The locations cover all pieces. 0; -EINVAL when a list is too short; -ENOMEM; nothing stays mapped then.
int edesc_map(Edesc& edesc, const SeqSource& in, const SeqSource* out, desc::SeqLocation* in_loc,
              desc::SeqLocation* out_loc);
// Undoes edesc_map(); may be called for an edesc that never was mapped.
void edesc_unmap(Edesc& edesc);

// Finishes the builder's job descriptor into the edesc, in device byte order. False when it has an error (logged).
bool edesc_store_desc(Edesc& edesc, desc::Builder& builder);

// The way of a request of type T::Request to the ring and back. T says:
//   static Edesc& edesc(Request&);
//   static void unmap(Request&, Edesc&);            everything the request has mapped
//   static void finish(Request&, Edesc&, int err);  results for the user, after the unmapping
template <class T>
struct RequestPath {
  using Request = typename T::Request;

  // With MAY_BACKLOG to the ring's engine, else to the ring. Unmaps when the request is not taken. What the ring has no
  // room for is in the backlog: -EBUSY. (The kernel's engine answers -EINPROGRESS until its own queue is full as well,
  // so that its callers go on submitting to a ring that takes nothing.)
  static int enqueue(Request& req) {
    Edesc& edesc = T::edesc(req);
    const bool backlog = (req.flags & api::CRYPTO_TFM_REQ_MAY_BACKLOG) != 0;
    const int err = backlog ? edesc.jr->engine().transfer(req, do_one_req, edesc.jr->room())
                            : caam_jr_enqueue(*edesc.jr, {edesc.hw_desc, edesc.hw_desc_bytes}, done, &req);
    if (err != -EINPROGRESS && err != -EBUSY) T::unmap(req, edesc);
    return err;
  }

 private:
  static void done(Jr& jr, uint8_t*, uint32_t status, void* arg) {
    auto& req = *static_cast<Request*>(arg);
    Edesc& edesc = T::edesc(req);
    const int err = status != 0 ? caam_jr_strstatus(jr.ctrl(), status) : 0;
    const bool bklog = edesc.bklog;
    T::unmap(req, edesc);
    T::finish(req, edesc, err);
    if (bklog)
      jr.engine().finalize(req, err);
    else
      api::crypto_request_complete(req, err);
  }

  static int do_one_req(api::CryptoEngine&, api::CryptoAsyncRequest& base) {
    auto& req = static_cast<Request&>(base);
    Edesc& edesc = T::edesc(req);
    edesc.bklog = true;
    const int err = caam_jr_enqueue(*edesc.jr, {edesc.hw_desc, edesc.hw_desc_bytes}, done, &req);
    if (err == -EINPROGRESS) return 0;
    if (err != -ENOSPC) T::unmap(req, edesc);
    return err;
  }
};

// A list of which one segment holds the first `len` bytes; null when it takes more, or there are none.
inline const api::Segment* one_segment(api::Scatterlist list, uint64_t len) {
  return len != 0 && !list.empty() && list[0].len >= len ? &list[0] : nullptr;
}

// The one buffer of a sequence that needs no table. -ENOMEM.
inline int map_one(Jr& jr, uint8_t* data, uint32_t len, DmaDirection dir, MappedSg& mapped) {
  mapped.addr = jr.dma().map_single(data, len, dir);
  mapped.len = len;
  mapped.nents = hw_model::dma_mapping_error(mapped.addr) ? 0 : 1;
  return mapped.nents != 0 ? 0 : -ENOMEM;
}

}  // namespace caamlab::driver::caam
