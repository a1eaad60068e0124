// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The part of a run that is measured: after a warm-up, over a number of completions, in whole batches.
#pragma once

#include <algorithm>

#include "timing/simulate.h"

namespace caamlab::timing {

struct Window {
  uint64_t warm_up, measured;
  // in_flight: depth * cpus. requests 0: as many as steady figures need (docs/timing.md 1.4).
  static Window of(uint64_t in_flight, uint64_t requests) {
    const auto whole = [&](uint64_t n) { return (n + in_flight - 1) / in_flight * in_flight; };
    const uint64_t wanted = requests != 0 ? requests : std::max<uint64_t>(4000, 40 * in_flight);
    return {whole(std::max<uint64_t>(600, 10 * in_flight)), whole(wanted)};
  }
};

// Counters at one moment.
struct Reading {
  Time now = 0, cpu_work = 0, engine_busy = 0;
  uint64_t interrupts = 0;
};

// What lies between two readings; latency and order are the caller's to add.
inline Outcome outcome_between(const Reading& from, const Reading& to, uint64_t requests, uint64_t bytes) {
  Outcome o;
  const double us = to_us(to.now - from.now), n = static_cast<double>(requests), size = static_cast<double>(bytes);
  const double work = to_us(to.cpu_work - from.cpu_work);
  o.requests = requests;
  o.elapsed_us = us;
  if (us <= 0 || requests == 0) return o;
  o.mb_per_s = n * size / us;
  o.requests_per_s = n / us * 1e6;
  o.cores = work / us;
  o.cpu_us_per_request = work / n;
  o.cpu_ns_per_byte = bytes == 0 ? 0 : work / n / size * 1e3;
  o.interrupts_per_request = static_cast<double>(to.interrupts - from.interrupts) / n;
  o.engine_busy = to_us(to.engine_busy - from.engine_busy) / us;
  return o;
}

}  // namespace caamlab::timing
