// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// A CPU: interrupt and poll work before threads, each item to its end (docs/timing.md 1.2).
#pragma once

#include <boost/circular_buffer.hpp>

#include "timing/event_queue.h"
#include "timing/spans.h"

namespace caamlab::timing {

enum class Level : uint8_t { kInterrupt, kThread };

class Cpu final : public Actor {
 public:
  Cpu(EventQueue& events, unsigned number, SpanSink* spans) : events_(events), number_(number), spans_(spans) {}
  Cpu(const Cpu&) = delete;
  Cpu& operator=(const Cpu&) = delete;

  // `then` runs when the CPU has spent `cost` on this; `label` is a literal.
  void post(Level level, Time cost, const char* label, Action then) {
    auto& list = lists_[static_cast<int>(level)];
    if (list.full()) list.set_capacity(2 * list.capacity() + 8);
    list.push_back({cost, label, then});
    if (!running_) start_next();
  }
  // The next item is a thread's, if one waits.
  void let_thread_run() { thread_first_ = true; }

  // CPU time spent up to now.
  Time work() const { return work_ + (spending_ ? events_.now() - started_ : 0); }
  unsigned number() const { return number_; }

  void on_event(uint32_t, uint32_t) override {
    work_ += current_.cost;
    spending_ = false;
    if (spans_ != nullptr && current_.cost != 0)
      spans_->span(Track::kCpu, number_, current_.label, 0, started_, events_.now());
    current_.then.run();  // what it posts stands in line
    running_ = false;
    start_next();
  }

 private:
  struct Item {
    Time cost = 0;
    const char* label = nullptr;
    Action then;
  };
  void start_next() {
    auto& [interrupts, threads] = lists_;
    auto* list = !interrupts.empty() && !(thread_first_ && !threads.empty()) ? &interrupts : &threads;
    thread_first_ = false;
    if (list->empty()) return;
    current_ = list->front();
    list->pop_front();
    running_ = spending_ = true;
    started_ = events_.now();
    events_.after(current_.cost, {this, 0, 0});
  }

  EventQueue& events_;
  const unsigned number_;
  SpanSink* const spans_;
  boost::circular_buffer<Item> lists_[2];
  Item current_;
  bool running_ = false;   // an item or its action
  bool spending_ = false;  // an item
  bool thread_first_ = false;
  Time started_ = 0, work_ = 0;
};

}  // namespace caamlab::timing
