// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What all requests share: completion callback, flags, transform, and waiting for the end (crypto-api.md 2.1, 2.2;
// kernel struct crypto_async_request and crypto_wait_req of include/linux/crypto.h, 6.1; callbacks take the data, as
// from 6.3).
#pragma once

#include <atomic>
#include <boost/intrusive/list.hpp>
#include <cerrno>
#include <cstdint>
#include <functional>

namespace caamlab::api {

struct CryptoTfm;
struct CryptoAsyncRequest;
class CryptoEngine;

// Flags of requests and transforms (crt_flags).
inline constexpr uint32_t CRYPTO_TFM_NEED_KEY = 0x1;  // on a transform: no usable key yet
inline constexpr uint32_t CRYPTO_TFM_REQ_MASK = 0x000fff00;
inline constexpr uint32_t CRYPTO_TFM_REQ_FORBID_WEAK_KEYS = 0x100;
inline constexpr uint32_t CRYPTO_TFM_REQ_MAY_SLEEP = 0x200;
inline constexpr uint32_t CRYPTO_TFM_REQ_MAY_BACKLOG = 0x400;

// Called when an accepted request moves on. err -EINPROGRESS: it left the backlog (only after -EBUSY with
// MAY_BACKLOG) and will be called again; anything else is the final status. May run on another thread, never from
// inside the call that submitted the request; must not block.
using CryptoCompletion = void (*)(void* data, int err);

// Links a request into a driver's or engine's queue while it is accepted and not finished. A request is in one queue.
using RequestHook = boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::normal_link>>;

struct CryptoAsyncRequest : RequestHook {
  CryptoCompletion complete = nullptr;
  void* data = nullptr;
  CryptoTfm* tfm = nullptr;
  uint32_t flags = 0;
  // The engine's, while it has the request (engine.h).
  int (*do_one_request)(CryptoEngine& engine, CryptoAsyncRequest& req) = nullptr;
};

// For drivers: reports progress or the end of an accepted request. After a final status the request is the user's.
inline void crypto_request_complete(CryptoAsyncRequest& req, int err) {
  if (req.complete != nullptr) req.complete(req.data, err);
}

// CryptoWait turns an asynchronous request into a blocking one:
//   CryptoWait wait;
//   aead_request_set_callback(req, CRYPTO_TFM_REQ_MAY_BACKLOG, crypto_req_done, &wait);
//   int err = crypto_wait_req(crypto_aead_encrypt(req), wait, tfm);
struct CryptoWait {
  std::atomic<bool> done{false};
  int err = 0;
};

// The callback for `data` = CryptoWait*. Ignores the -EINPROGRESS notice.
void crypto_req_done(void* data, int err);

// True when a request with `flags` that answered `err` was taken, so that its callback will run.
inline bool crypto_req_accepted(int err, uint32_t flags) {
  return err == -EINPROGRESS || (err == -EBUSY && (flags & CRYPTO_TFM_REQ_MAY_BACKLOG) != 0);
}

// What to run while waiting: moves devices on (an interrupt handler, a model's clock) and returns whether there is
// anything left that could make progress; in a threaded platform it yields or sleeps and returns true.
using IdleFunction = std::function<bool()>;

// Returns `err` at once unless it is -EINPROGRESS or -EBUSY (kernel crypto_wait_req; -EBUSY therefore needs
// MAY_BACKLOG on the request). Otherwise calls `idle` until the callback has run, and returns the final status; `wait`
// can then be used again. -ETIMEDOUT when `idle` is empty or says that nothing will ever happen: the request is lost in
// its driver and its memory must not be reused.
int crypto_wait_req(int err, CryptoWait& wait, const IdleFunction& idle);
// With the idle functions of the registry that `tfm` came from.
int crypto_wait_req(int err, CryptoWait& wait, const CryptoTfm& tfm);

}  // namespace caamlab::api
