// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The device: built from a platform, it owns controller, job rings, scheduler and DECOs, and shows software registers,
// interrupt lines and nothing else. Execution is inline: run() does what the silicon would do by itself; or in threads
// of the device's own (CaamOptions::workers).
#pragma once

#include <memory>
#include <vector>

#include "hw_model/controller.h"
#include "hw_model/irq.h"
#include "hw_model/job_ring.h"
#include "hw_model/scheduler.h"
#include "hw_model/workers.h"

namespace caamlab::hw_model {

struct CaamOptions {
  DecoOptions deco;
  SchedulerOptions scheduler;
  // Threads that run jobs, as many as DECOs at most; 0: run() and step() do. The caller's thread then delivers
  // interrupts only, in run(); it has to be one thread.
  unsigned workers = 0;
  uint64_t random_seed = 1;  // of all its randomness, the RNG's too: runs repeat exactly
};

class Caam : private DirectDecoAccess {
 public:
  // `memory` is what the device masters; it must outlive the device.
  Caam(const Platform& platform, BusMemory& memory, CaamOptions options = {});
  ~Caam();
  Caam(const Caam&) = delete;
  Caam& operator=(const Caam&) = delete;

  const Platform& platform() const { return controller_->platform(); }
  RegisterBus& registers() { return workers_ ? static_cast<RegisterBus&>(*workers_) : controller_->registers(); }
  // Job ring `n`, 0 to platform().job_rings - 1 from the first that is not firmware's.
  LevelIrq& irq(unsigned ring) { return *irqs_[ring]; }
  unsigned num_rings() const { return static_cast<unsigned>(rings_.size()); }

  // Runs queued jobs, then delivers interrupts, until neither is left or `max_jobs` have run. Jobs that handlers
  // enqueue run too. Returns the number of jobs run.
  uint64_t run(uint64_t max_jobs = ~uint64_t{0});
  // One job, no interrupts.
  bool step() { return workers_ ? workers_->nap() : !controller_->stopped() && scheduler_->step(); }
  bool deliver_interrupts();

  Scheduler& scheduler() { return *scheduler_; }
  Controller& controller() { return *controller_; }
  void set_trace(TraceSink* trace);

 private:
  class Entropy;
  class TrngEntropy;
  // DirectDecoAccess
  void request(unsigned deco) override;
  void release(unsigned deco) override;
  bool granted(unsigned deco) const override;
  bool idle(unsigned deco) const override;
  void reset(unsigned deco) override;
  void write_word(unsigned deco, unsigned index, uint32_t word) override;
  uint32_t read_word(unsigned deco, unsigned index) const override;
  void start(unsigned deco, uint32_t jqcr_ms) override;
  Status status(unsigned deco) const override;
  uint32_t read_reg(unsigned deco, uint32_t offset) const override;
  void write_reg(unsigned deco, uint32_t offset, uint32_t value) override;

  struct Direct {
    bool requested = false;
    std::array<uint32_t, desc::kMaxDescWords> words{};
    Status status;
  };

  std::unique_ptr<Entropy> entropy_;
  std::unique_ptr<Controller> controller_;
  std::unique_ptr<TrngEntropy> trng_entropy_;
  std::unique_ptr<DeviceUnits> units_;
  std::vector<std::unique_ptr<LevelIrq>> irqs_;
  std::vector<std::unique_ptr<JobRing>> rings_;
  std::unique_ptr<Scheduler> scheduler_;
  std::vector<Direct> direct_;
  std::unique_ptr<Workers> workers_;  // the first to go
};

}  // namespace caamlab::hw_model
