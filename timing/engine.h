// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The engine without data: DECOs, the queue before them, and the share modes (docs/timing.md 1.3). The device itself
// takes these decisions in hw_model/scheduler.h; costs come from the same place (costs.h), and a test compares the two.
#pragma once

#include <vector>

#include "desc/commands/header.h"
#include "timing/costs.h"
#include "timing/event_queue.h"
#include "timing/spans.h"

namespace caamlab::timing {

class JobSink {
 public:
  virtual void job_done(uint32_t job) = 0;

 protected:
  ~JobSink() = default;
};

class Engine final : public Actor {
 public:
  // jobs: numbers 0 to jobs - 1 may be under way. flows: shared descriptors.
  Engine(EventQueue& events, const Costs& costs, desc::ShareMode share, unsigned flows, unsigned jobs, JobSink& sink,
         SpanSink* spans)
      : events_(events),
        costs_(costs),
        clock_(costs),
        sink_(sink),
        spans_(spans),
        exclusive_(share == desc::ShareMode::kSerial || share == desc::ShareMode::kWait),
        early_release_(share == desc::ShareMode::kWait),
        key_again_(share == desc::ShareMode::kNever),
        free_(costs.n_deco),
        flows_(flows),
        jobs_(jobs) {
    for (unsigned n = costs.n_deco; spans_ != nullptr && n-- > 0;) idle_.push_back(n);
  }

  void enqueue(uint32_t job, uint32_t flow, uint64_t bytes) {
    jobs_[job].flow = flow;
    jobs_[job].bytes = bytes;
    if (exclusive_) {
      Flow& f = flows_[flow];
      if (f.busy) return f.waiting.push(jobs_, job);
      f.busy = true;
    }
    ready_.push(jobs_, job);
    start();
  }
  Time busy() const { return clock_.busy(); }

  void on_event(uint32_t what, uint32_t arg) override {
    if (what == kRelease) return release(arg);
    ++free_;
    if (spans_ != nullptr) idle_.push_back(jobs_[arg].deco);
    if (exclusive_ && !early_release_) release(jobs_[arg].flow);
    sink_.job_done(arg);
    start();
  }

 private:
  enum What : uint32_t { kDone, kRelease };
  static constexpr uint32_t kNone = ~uint32_t{0};
  struct Job {
    uint32_t flow = 0, next = kNone, deco = 0;
    uint64_t bytes = 0;
  };
  // A queue of jobs, linked through them.
  struct Fifo {
    uint32_t first = kNone, last = kNone;
    bool empty() const { return first == kNone; }
    void push(std::vector<Job>& jobs, uint32_t job) {
      jobs[job].next = kNone;
      (first == kNone ? first : jobs[last].next) = job;
      last = job;
    }
    uint32_t pop(const std::vector<Job>& jobs) {
      const uint32_t job = first;
      first = jobs[job].next;
      return job;
    }
  };
  struct Flow {
    bool busy = false;
    Fifo waiting;
  };

  void release(uint32_t flow) {
    Flow& f = flows_[flow];
    if (f.waiting.empty()) {
      f.busy = false;
      return;
    }
    ready_.push(jobs_, f.waiting.pop(jobs_));
    start();
  }
  void start() {
    for (; free_ != 0 && !ready_.empty(); --free_) {
      const uint32_t job = ready_.pop(jobs_);
      const Time now = events_.now();
      const Time took = clock_.start(now, {jobs_[job].bytes, key_again_});
      if (spans_ != nullptr) {
        jobs_[job].deco = idle_.back();
        idle_.pop_back();
        spans_->span(Track::kDeco, jobs_[job].deco, "job", job, now, now + took);
        if (const Time sent = costs_.bus({jobs_[job].bytes, false}); sent != 0)
          spans_->span(Track::kBus, 0, "transfer", job, clock_.bus_free() - sent, clock_.bus_free());
      }
      // A release comes before an end of the same time.
      if (early_release_) events_.after(costs_.share(took), {this, kRelease, jobs_[job].flow});
      events_.after(took, {this, kDone, job});
    }
  }

  EventQueue& events_;
  const Costs& costs_;
  EngineClock clock_;
  JobSink& sink_;
  SpanSink* const spans_;
  const bool exclusive_;      // a flow has one job at a time ...
  const bool early_release_;  // ... until it lets the next one go
  const bool key_again_;
  unsigned free_;
  Fifo ready_;
  std::vector<Flow> flows_;
  std::vector<Job> jobs_;
  std::vector<uint32_t> idle_;  // DECO numbers, for pictures only
};

}  // namespace caamlab::timing
