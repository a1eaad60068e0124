// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Queue and engine. Callbacks and device run without the lock.
#include "api/engine.h"

namespace caamlab::api {

int CryptoQueue::enqueue(CryptoAsyncRequest& req, unsigned int room) {
  const bool full = qlen_ >= max_qlen_ || qlen_ >= room || backlog_ != list_.end();
  if (full && (req.flags & CRYPTO_TFM_REQ_MAY_BACKLOG) == 0) return -ENOSPC;
  list_.push_back(req);
  ++qlen_;
  if (full && backlog_ == list_.end()) backlog_ = list_.iterator_to(req);
  return full ? -EBUSY : -EINPROGRESS;
}

void CryptoQueue::put_back(CryptoAsyncRequest& req, CryptoAsyncRequest* backlog) {
  if (backlog != nullptr) backlog_ = list_.iterator_to(*backlog);
  list_.push_front(req);
  ++qlen_;
}

CryptoAsyncRequest* CryptoQueue::dequeue() {
  if (qlen_ == 0) return nullptr;
  --qlen_;
  if (backlog_ != list_.end()) ++backlog_;
  CryptoAsyncRequest& req = list_.front();
  list_.pop_front();
  return &req;
}

CryptoAsyncRequest* CryptoQueue::backlog() { return backlog_ == list_.end() ? nullptr : &*backlog_; }

int CryptoEngine::start() {
  std::lock_guard lock(mutex_);
  if (running_) return -EBUSY;
  running_ = true;
  return 0;
}

int CryptoEngine::stop() {
  std::lock_guard lock(mutex_);
  if (queue_.qlen() != 0) return -EBUSY;
  running_ = false;
  return 0;
}

int CryptoEngine::transfer(CryptoAsyncRequest& req, DoOneRequest do_one_request, unsigned int room) {
  std::lock_guard lock(mutex_);
  if (!running_) return -ESHUTDOWN;
  req.do_one_request = do_one_request;
  queued_.store(true, std::memory_order_release);
  return queue_.enqueue(req, room);
}

CryptoAsyncRequest* CryptoEngine::take(CryptoAsyncRequest** backlog) {
  std::lock_guard lock(mutex_);
  *backlog = queue_.backlog();
  CryptoAsyncRequest* req = queue_.dequeue();
  if (req == nullptr) {
    queued_.store(false, std::memory_order_release);
    pumping_ = pump_again_;
    pump_again_ = false;
  }
  return req;
}

bool CryptoEngine::pump() {
  if (!queued_.load(std::memory_order_acquire)) return false;
  {
    std::lock_guard lock(mutex_);
    // One at a time, or requests would overtake each other; whoever pumps looks again.
    pump_again_ = pumping_;
    if (pumping_) return false;
    pumping_ = true;
  }
  bool handed_over = false;
  for (;;) {
    CryptoAsyncRequest* backlog = nullptr;
    CryptoAsyncRequest* req = take(&backlog);
    if (req == nullptr) {
      std::lock_guard lock(mutex_);
      if (!pumping_) return handed_over;
      continue;
    }
    const int err = req->do_one_request(*this, *req);
    if (err == -ENOSPC) {
      std::lock_guard lock(mutex_);
      queue_.put_back(*req, backlog);
      const bool again = pump_again_;  // the device may have finished something meanwhile
      pump_again_ = false;
      if (again) continue;
      pumping_ = false;
      return handed_over;
    }
    handed_over = true;
    if (backlog != nullptr) crypto_request_complete(*backlog, -EINPROGRESS);
    if (err != 0) crypto_request_complete(*req, err);
  }
}

void CryptoEngine::finalize(CryptoAsyncRequest& req, int err) {
  crypto_request_complete(req, err);
  pump();
}

}  // namespace caamlab::api
