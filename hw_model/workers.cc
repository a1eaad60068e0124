// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See workers.h.
#include "hw_model/workers.h"

#include <chrono>

namespace caamlab::hw_model {

Workers::Workers(Wiring wiring, unsigned threads) : wiring_(std::move(wiring)) {
  for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  work_there_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Workers::work() {
  Scheduler& scheduler = *wiring_.scheduler;
  std::unique_lock lock(mutex_);
  while (!stop_) {
    Deco* deco = nullptr;
    if (!wiring_.stopped()) {
      scheduler.dispatch();
      deco = scheduler.next_dispatched();
    }
    if (deco == nullptr) {
      ++sleeping_;
      changed_.notify_all();
      work_there_.wait(lock);
      --sleeping_;
      continue;
    }
    ++running_;
    if (scheduler.has_dispatched()) wake_worker();
    lock.unlock();
    const JrStatus status = deco->run();
    lock.lock();
    --running_;
    scheduler.complete(*deco, status);
    changed_.notify_all();
  }
}

uint32_t Workers::read32(uint32_t offset) {
  const std::lock_guard lock(mutex_);
  return wiring_.registers->read32(offset);
}

void Workers::write32(uint32_t offset, uint32_t value) {
  std::unique_lock lock(mutex_);
  held_ = &lock;
  wiring_.registers->write32(offset, value);
  held_ = nullptr;
  wake_worker();
}

void Workers::quiesce() {
  if (held_ == nullptr) return;
  std::unique_lock<std::mutex>& lock = *held_;
  changed_.wait(lock, [this] { return running_ == 0; });
}

bool Workers::wait_for(std::unique_lock<std::mutex>& lock, bool briefly) {
  for (;;) {
    if (wiring_.interrupt_pending()) return true;
    if (!wiring_.stopped()) wiring_.scheduler->dispatch();
    if (running_ == 0 && !wiring_.scheduler->has_dispatched()) return false;
    if (wiring_.scheduler->has_dispatched()) wake_worker();
    if (briefly) {
      changed_.wait_for(lock, std::chrono::milliseconds(1));
      return true;
    }
    changed_.wait(lock);
  }
}

bool Workers::wait() {
  std::unique_lock lock(mutex_);
  return wait_for(lock, false);
}

bool Workers::nap() {
  std::unique_lock lock(mutex_);
  return wait_for(lock, true);
}

uint64_t Workers::jobs() const {
  const std::lock_guard lock(mutex_);
  return wiring_.scheduler->stats().jobs;
}

}  // namespace caamlab::hw_model
