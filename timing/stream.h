// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// A load: requests that one CPU keeps submitting, a fixed number in flight (docs/timing.md 1.4).
#pragma once

#include <vector>

#include "timing/costs.h"
#include "timing/cpu.h"

namespace caamlab::timing {

enum class Load : uint8_t {
  kBatch,  // a thread submits `depth`, then waits for each in order: tcrypt's num_mb; depth 1 is the synchronous caller
  kPipe,   // `depth` outstanding for ever, the completion submits the next
  kPoll,   // pipe without interrupts
};

// Where requests go: the simulated engine, or the real driver. `slot`: 0 to depth - 1, free for this request.
class Port {
 public:
  virtual void submit(unsigned stream, unsigned slot) = 0;

 protected:
  ~Port() = default;
};

class Stream final : public Actor {
 public:
  Stream(EventQueue& events, Cpu& cpu, const Costs& costs, Port& port, Load load, unsigned number, unsigned depth)
      : events_(events),
        cpu_(cpu),
        costs_(costs),
        port_(port),
        batch_(load == Load::kBatch),
        number_(number),
        depth_(depth),
        done_(batch_ ? depth : 0) {}

  // A pipe begins full: filling it is not what is measured, and its thread would not get a turn among the completions.
  void start() {
    if (batch_) return post_submit();
    for (unsigned slot = 0; slot < depth_; ++slot) port_.submit(number_, slot);
  }
  // CPU time of a completion, with all that its callback does.
  Time take_cost() const { return batch_ ? costs_.complete : costs_.complete + costs_.submit; }
  // The request of `slot` is back: the callback.
  void completed(unsigned slot) {
    if (!batch_) return port_.submit(number_, slot);
    done_[slot] = true;
    if (!asleep_ || slot != next_) return;
    asleep_ = false;
    events_.after(costs_.wake_delay, {this, kRunnable, 0});
  }

  void on_event(uint32_t what, uint32_t) override {
    switch (what) {
      case kSubmitted: {
        const unsigned slot = next_++;
        done_[slot] = false;
        port_.submit(number_, slot);
        if (next_ < depth_) return post_submit();
        next_ = 0;
        return wait();
      }
      case kRunnable:
        return cpu_.post(Level::kThread, costs_.wake, "wake-up", {this, kAwake, 0});
      default:
        return wait();
    }
  }

 private:
  enum What : uint32_t { kSubmitted, kRunnable, kAwake };
  void post_submit() { cpu_.post(Level::kThread, costs_.submit, "submit", {this, kSubmitted, 0}); }
  void wait() {
    while (next_ < depth_ && done_[next_]) ++next_;
    if (next_ < depth_) {
      asleep_ = true;
      return;
    }
    next_ = 0;
    post_submit();
  }

  EventQueue& events_;
  Cpu& cpu_;
  const Costs& costs_;
  Port& port_;
  const bool batch_;
  const unsigned number_, depth_;
  std::vector<bool> done_;
  unsigned next_ = 0;  // slot to submit, or to wait for
  bool asleep_ = false;
};

}  // namespace caamlab::timing
