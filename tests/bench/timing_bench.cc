// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The simulation without data: simulated requests per second of one core (items_per_second), and the same per event.
#include <benchmark/benchmark.h>

#include "timing/simulate.h"

namespace caamlab::timing {
namespace {

void simulate_requests(benchmark::State& state, const Scenario& base) {
  const Profile profile = *resolve_profile("lx2160a");
  Scenario s = base;
  s.requests = 1'000'000;
  uint64_t requests = 0, events = 0;
  for (auto _ : state) {
    const Outcome o = *simulate(profile, s);
    requests += o.requests;
    events += o.events;
  }
  state.SetItemsProcessed(static_cast<int64_t>(requests));
  state.counters["events/request"] = static_cast<double>(events) / static_cast<double>(requests);
}

BENCHMARK_CAPTURE(simulate_requests, serial_pipe_1_cpu, Scenario{.share = desc::ShareMode::kSerial, .depth = 32});
BENCHMARK_CAPTURE(simulate_requests, never_pipe_1_cpu, Scenario{.share = desc::ShareMode::kNever, .depth = 32});
BENCHMARK_CAPTURE(simulate_requests, never_pipe_16_cpus,
                  Scenario{.share = desc::ShareMode::kNever, .depth = 32, .cpus = 16});
BENCHMARK_CAPTURE(simulate_requests, serial_batch_32,
                  Scenario{.load = Load::kBatch, .depth = 32, .completion = CompletionCpu::kOther});
BENCHMARK_CAPTURE(simulate_requests, one_in_flight, Scenario{.load = Load::kBatch, .depth = 1});

}  // namespace
}  // namespace caamlab::timing

BENCHMARK_MAIN();
