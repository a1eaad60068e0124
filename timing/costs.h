// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What everything costs on a platform: the only place where parameters become durations. Simulation without data and
// the real driver in virtual time both charge from here (docs/timing.md 1.1, 1.3).
#pragma once

#include <algorithm>

#include "timing/profile.h"
#include "timing/units.h"

namespace caamlab::timing {

// What a job did in its DECO, as far as it costs time.
struct JobWork {
  uint64_t bytes = 0;      // through the CHA that had most of them
  bool key_again = false;  // a key was loaded that a job of the same shared descriptor had loaded before (never)
};

class Costs {
 public:
  // rate: of one DECO for the algorithm, MB/s (Profile::rate_for).
  Costs(const Params& p, double rate)
      : n_deco(p.n_deco),
        napi_budget(p.napi_budget),
        submit(from_us(p.c_sub)),
        complete(from_us(p.c_cmp)),
        interrupt(from_us(p.c_irq)),
        wake(from_us(p.c_wake)),
        irq_delay(from_us(p.coalesce + p.l_irq)),
        wake_delay(from_us(p.l_wake)),
        t_fix_(from_us(p.t_fix)),
        t_key_(from_us(p.t_key)),
        t_share_(from_us(p.t_share)),
        ps_per_byte_(kPsPerUs / rate),
        bus_ps_per_byte_(p.cap > 0 ? kPsPerUs / p.cap : 0) {}

  // A polling driver: no interrupts, nobody sleeps.
  Costs polled() const {
    Costs c = *this;
    c.interrupt = c.wake = c.irq_delay = c.wake_delay = 0;
    return c;
  }

  // A job in its DECO, with the bus to itself.
  Time deco(const JobWork& w) const { return t_fix_ + (w.key_again ? t_key_ : 0) + duration(w.bytes, ps_per_byte_); }
  // Its share of the engine's bus; 0 without a cap.
  Time bus(const JobWork& w) const { return duration(w.bytes, bus_ps_per_byte_); }
  // From its start until the next job of its shared descriptor may start (wait); a job that has ended waits for
  // nothing.
  Time share(Time job) const { return std::min(t_share_, job); }

  unsigned n_deco, napi_budget;
  Time submit, complete;       // CPU time of a request
  Time interrupt, wake;        // CPU time
  Time irq_delay, wake_delay;  // result to interrupt; completion to runnable thread

 private:
  static Time duration(uint64_t bytes, double ps_per_byte) {
    return static_cast<Time>(static_cast<double>(bytes) * ps_per_byte + 0.5);
  }
  Time t_fix_, t_key_, t_share_;
  double ps_per_byte_, bus_ps_per_byte_;
};

// CPU time of a call of a driver that computes on the core, in us.
inline double core_call_us(const CoreDriver& d, uint64_t bytes) { return d.a + static_cast<double>(bytes) / d.rate; }

// The engine's clockwork: how long a job that starts now keeps its DECO, with the bus booked for it.
class EngineClock {
 public:
  explicit EngineClock(const Costs& costs) : costs_(costs) {}
  Time start(Time now, const JobWork& work) {
    bus_free_ = std::max(bus_free_, now) + costs_.bus(work);
    const Time took = std::max(costs_.deco(work), bus_free_ - now);
    busy_ += took;
    return took;
  }
  Time bus_free() const { return bus_free_; }  // when the last byte booked leaves
  Time busy() const { return busy_; }          // DECO time given out so far, of all DECOs

 private:
  const Costs costs_;
  Time bus_free_ = 0, busy_ = 0;
};

}  // namespace caamlab::timing
