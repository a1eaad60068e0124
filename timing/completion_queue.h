// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The way back of results: one interrupt, then a poll loop that takes results until there are none (NAPI), on one CPU
// (docs/timing.md 1.3).
#pragma once

#include "timing/costs.h"
#include "timing/cpu.h"

namespace caamlab::timing {

// Where results lie: a list of the simulation, or the output ring of a device.
class ResultSource {
 public:
  virtual bool has_result() const = 0;
  virtual Time take_cost() const = 0;  // CPU time to take the next one, callback included
  virtual void take_result() = 0;      // at the end of that time

 protected:
  ~ResultSource() = default;
};

class CompletionQueue final : public Actor {
 public:
  CompletionQueue(EventQueue& events, Cpu& cpu, const Costs& costs, ResultSource& source)
      : events_(events), cpu_(cpu), costs_(costs), source_(source) {}

  // A result has come.
  void notify() {
    if (state_ != State::kIdle) return;
    state_ = State::kArmed;
    events_.after(costs_.irq_delay, {this, kInterrupt, 0});
  }
  bool active() const { return state_ != State::kIdle; }  // an interrupt is on its way, or the poll loop runs
  uint64_t interrupts() const { return interrupts_; }

  void on_event(uint32_t what, uint32_t) override {
    switch (what) {
      case kInterrupt:
        state_ = State::kPoll;
        ++interrupts_;
        taken_ = 0;
        return cpu_.post(Level::kInterrupt, costs_.interrupt, "interrupt", {this, kPoll, 0});
      case kTaken:
        source_.take_result();
        [[fallthrough]];
      default:
        return poll();
    }
  }

 private:
  enum What : uint32_t { kInterrupt, kPoll, kTaken };
  enum class State : uint8_t { kIdle, kArmed, kPoll };
  void poll() {
    if (!source_.has_result()) {
      state_ = State::kIdle;
      return;
    }
    if (taken_ == costs_.napi_budget) {
      taken_ = 0;
      cpu_.let_thread_run();
    }
    ++taken_;
    cpu_.post(Level::kInterrupt, source_.take_cost(), "complete", {this, kTaken, 0});
  }

  EventQueue& events_;
  Cpu& cpu_;
  const Costs& costs_;
  ResultSource& source_;
  State state_ = State::kIdle;
  unsigned taken_ = 0;  // since threads had a turn
  uint64_t interrupts_ = 0;
};

}  // namespace caamlab::timing
