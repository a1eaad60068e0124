// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Requests of one kind on a platform, without their data: how fast, at what CPU time, in which order (docs/timing.md).
#pragma once

#include "desc/commands/header.h"
#include "timing/profile.h"
#include "timing/spans.h"
#include "timing/stream.h"

namespace caamlab::timing {

enum class CompletionCpu : uint8_t { kSame, kOther };

struct Scenario {
  Load load = Load::kPipe;
  desc::ShareMode share = desc::ShareMode::kSerial;
  uint64_t bytes = 4096;  // of a request, above 0
  unsigned depth = 1;     // requests in flight of each submitting CPU
  unsigned cpus = 1;      // that submit, one stream each
  unsigned keys = 1;      // shared descriptors, dealt out over the streams and their slots
  CompletionCpu completion = CompletionCpu::kSame;
  double rate = 0;        // of a DECO, MB/s; 0: the profile's
  uint64_t requests = 0;  // to measure, after a warm-up; 0: enough for steady figures
};
inline constexpr unsigned kMaxInFlight = 1u << 20;  // depth * cpus
inline constexpr unsigned kMaxKeys = 1u << 20;

struct Outcome {
  uint64_t requests = 0;
  double elapsed_us = 0;
  double mb_per_s = 0, requests_per_s = 0;
  double cores = 0;  // CPU time / elapsed
  double cpu_us_per_request = 0, cpu_ns_per_byte = 0;
  double interrupts_per_request = 0;
  double engine_busy = 0;  // DECOs at work, on average
  double latency_us = 0, latency_p50_us = 0, latency_p90_us = 0, latency_p99_us = 0, latency_p999_us = 0,
         latency_max_us = 0;
  uint64_t out_of_order = 0;  // requests that ended after a later one of their key
  uint64_t overtaken_by = 0;  // how far, at most
  uint64_t events = 0;        // of the whole run
};

// kInvalidArgument when the scenario cannot be: depth, cpus, keys or bytes of 0 or too large.
[[nodiscard]] desc::Result<Outcome> simulate(const Profile& profile, const Scenario& scenario,
                                             SpanSink* spans = nullptr);
// A driver that computes on the core, on `cpus` of them: closed form.
Outcome on_core(const CoreDriver& driver, uint64_t bytes, unsigned cpus);

// Most that any number of CPUs can get: min(n_deco S / T, cap), or S / T for one key in serial.
double engine_limit_mbps(const Profile& profile, const Scenario& scenario);

}  // namespace caamlab::timing
