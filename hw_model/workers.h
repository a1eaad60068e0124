// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Threads that run dispatched jobs, several DECOs at a time. One lock per device is held around registers, job sources
// and the scheduler's decisions; a job itself runs without it. What a job finds preloaded is decided as inline, so jobs
// of one serial shared descriptor run one after the other.
// Left out: reading the registers of a DECO while it runs a job (debugging).
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "hw_model/bus.h"
#include "hw_model/scheduler.h"

namespace caamlab::hw_model {

// The device's registers for software, under the lock; a write wakes a worker.
class Workers final : public RegisterBus {
 public:
  struct Wiring {
    RegisterBus* registers = nullptr;
    Scheduler* scheduler = nullptr;
    std::function<bool()> stopped;            // the device takes no jobs; called under the lock
    std::function<bool()> interrupt_pending;  // one can be delivered
  };
  Workers(Wiring wiring, unsigned threads);
  ~Workers() override;

  uint32_t read32(uint32_t offset) override;
  void write32(uint32_t offset, uint32_t value) override;

  // Until an interrupt can be delivered (true), or no job runs and none can start (false).
  bool wait();
  // As wait(), a millisecond at most. True when something happened or is going on.
  bool nap();
  // Until no job runs. For hooks of register writes, which hold the lock.
  void quiesce();
  uint64_t jobs() const;

 private:
  void work();
  bool wait_for(std::unique_lock<std::mutex>& lock, bool briefly);
  void wake_worker() {
    if (sleeping_ != 0) work_there_.notify_one();
  }

  const Wiring wiring_;
  mutable std::mutex mutex_;
  std::condition_variable work_there_, changed_;
  std::unique_lock<std::mutex>* held_ = nullptr;  // of the register write in progress
  unsigned sleeping_ = 0, running_ = 0;
  bool stop_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace caamlab::hw_model
