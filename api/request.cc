// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Waiting for a request.
#include "api/request.h"

#include "api/registry.h"
#include "api/tfm.h"

namespace caamlab::api {

void crypto_req_done(void* data, int err) {
  if (err == -EINPROGRESS) return;
  auto* wait = static_cast<CryptoWait*>(data);
  wait->err = err;
  wait->done.store(true, std::memory_order_release);
}

namespace {

template <class Idle>
int wait_with(int err, CryptoWait& wait, Idle idle) {
  if (err != -EINPROGRESS && err != -EBUSY) return err;
  while (!wait.done.load(std::memory_order_acquire)) {
    // Nothing can happen any more, unless it just did.
    if (!idle() && !wait.done.load(std::memory_order_acquire)) return -ETIMEDOUT;
  }
  wait.done.store(false, std::memory_order_relaxed);
  return wait.err;
}

}  // namespace

int crypto_wait_req(int err, CryptoWait& wait, const IdleFunction& idle) {
  return wait_with(err, wait, [&idle] { return idle && idle(); });
}

int crypto_wait_req(int err, CryptoWait& wait, const CryptoTfm& tfm) {
  return wait_with(err, wait, [&tfm] { return tfm.registry->idle(); });
}

}  // namespace caamlab::api
