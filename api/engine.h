// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The software queue with backlog, and the crypto engine that feeds a device from it (crypto-api.md 2.2, 7.2; kernel
// crypto_queue of crypto/algapi.c and crypto/crypto_engine.c, 6.1). Left out: batches, preparing, the worker thread -
// whoever owns an engine calls pump().
#pragma once

#include <atomic>
#include <boost/intrusive/list.hpp>
#include <mutex>

#include "api/errno.h"
#include "api/request.h"

namespace caamlab::api {

// A queue of requests of a limited length (at least 1), which requests with MAY_BACKLOG may exceed. Not thread safe.
class CryptoQueue {
 public:
  explicit CryptoQueue(unsigned int max_qlen) : max_qlen_(max_qlen != 0 ? max_qlen : 1) {}

  // -EINPROGRESS: queued. -EBUSY: queued, over the limit (MAY_BACKLOG). -ENOSPC: full, not queued. `room`: how many the
  // device behind the queue would take now, another limit. What is queued behind an -EBUSY gets that too.
  int enqueue(CryptoAsyncRequest& req, unsigned int room = ~0u);
  CryptoAsyncRequest* dequeue();  // null when empty
  // The oldest request that was answered -EBUSY and has not moved up yet. To be asked *before* dequeue(): the one to
  // notify with -EINPROGRESS once that has made room.
  CryptoAsyncRequest* backlog();
  // Takes a dequeue() back: what it gave, and what backlog() said before it. (The kernel's crypto_enqueue_request_head
  // moves the backlog pointer by one instead, so that the same request is notified once per attempt.)
  void put_back(CryptoAsyncRequest& req, CryptoAsyncRequest* backlog);
  unsigned int qlen() const { return qlen_; }

 private:
  using List = boost::intrusive::list<CryptoAsyncRequest, boost::intrusive::constant_time_size<false>>;
  List list_;
  List::iterator backlog_ = list_.end();
  unsigned int qlen_ = 0;
  unsigned int max_qlen_;
};

// CryptoEngine takes requests that may wait and hands them to a device, in order, as long as it takes them. Thread
// safe.
class CryptoEngine {
 public:
  // 0: the device has it, and finalize() will be called with it. -ENOSPC: the device is full; the request is tried
  // again by a later pump(). Any other error: the request is completed with it.
  using DoOneRequest = int (*)(CryptoEngine& engine, CryptoAsyncRequest& req);

  // owner: for the operations (which device this engine feeds).
  CryptoEngine(unsigned int qlen, void* owner) : queue_(qlen), owner_(owner) {}
  void* owner() const { return owner_; }

  int start();  // -EBUSY when it runs already
  int stop();   // -EBUSY while requests are queued; afterwards transfer() answers -ESHUTDOWN

  // crypto_transfer_*_request_to_engine: -EINPROGRESS, -EBUSY, -ENOSPC as CryptoQueue::enqueue, or -ESHUTDOWN. Nothing
  // runs from inside it.
  int transfer(CryptoAsyncRequest& req, DoOneRequest do_one_request, unsigned int room = ~0u);

  // Feeds the device until the queue is empty or the device full, and sends the backlog notices. To be called when
  // transfer() has queued something and when the device has room again; never from inside a submission. Returns whether
  // anything was handed over.
  bool pump();

  // crypto_finalize_*_request: completes a request the device is done with, then pumps.
  void finalize(CryptoAsyncRequest& req, int err);

 private:
  CryptoAsyncRequest* take(CryptoAsyncRequest** backlog);

  std::mutex mutex_;
  std::atomic<bool> queued_{false};  // something may be in queue_; pump() looks here first, without the lock
  CryptoQueue queue_;
  void* owner_;
  bool running_ = false;
  bool pumping_ = false;
  bool pump_again_ = false;
};

}  // namespace caamlab::api
