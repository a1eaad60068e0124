// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Discrete events: a clock, and what happens when. Events of the same time run in the order in which they were
// scheduled, so that a run repeats exactly. No allocation once as many events have been pending as ever will be.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "timing/units.h"

namespace caamlab::timing {

// Something that events happen to. `what` and `arg` are its own.
class Actor {
 public:
  virtual void on_event(uint32_t what, uint32_t arg) = 0;

 protected:
  ~Actor() = default;
};

// What shall happen to whom.
struct Action {
  Actor* actor = nullptr;
  uint32_t what = 0, arg = 0;
  void run() const { actor->on_event(what, arg); }
};

class EventQueue {
 public:
  EventQueue() { heap_.reserve(64); }
  Time now() const { return now_; }
  uint64_t events() const { return order_; }  // scheduled so far

  void after(Time delay, Action action) {
    heap_.push_back({now_ + delay, order_++, action});
    sift_up(heap_.size() - 1);
  }
  // The next event, if there is one; its time becomes now.
  bool step() {
    if (heap_.empty()) return false;
    const Event next = heap_.front();
    if (const Event last = heap_.back(); heap_.pop_back(), !heap_.empty()) sift_down(last);
    now_ = next.at;
    next.action.run();
    return true;
  }

 private:
  struct Event {
    Time at;
    uint64_t order;
    Action action;
    bool before(const Event& o) const { return at != o.at ? at < o.at : order < o.order; }
  };
  void sift_up(size_t i) {
    const Event e = heap_[i];
    for (size_t parent; i > 0 && e.before(heap_[parent = (i - 1) / 2]); i = parent) heap_[i] = heap_[parent];
    heap_[i] = e;
  }
  void sift_down(const Event& e) {
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < heap_.size(); i = child) {
      if (child + 1 < heap_.size() && heap_[child + 1].before(heap_[child])) ++child;
      if (!heap_[child].before(e)) break;
      heap_[i] = heap_[child];
    }
    heap_[i] = e;
  }

  Time now_ = 0;
  uint64_t order_ = 0;
  std::vector<Event> heap_;
};

}  // namespace caamlab::timing
