// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Threads: throughput of two workers against one, one key, 16 KiB of AES-GCM. `ratio` is what to read: never ought to
// reach 1.8 where two cores are free, serial stays at 1. Both sides run in one process, turn about, and the fastest of
// each counts.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "tools/lab.h"
#include "tools/requests.h"

namespace caamlab {
namespace {

constexpr unsigned kInFlight = 64;

class Side final : public tools::Requests::Sink {
 public:
  Side(unsigned workers, desc::ShareMode share, size_t bytes) {
    tools::LabOptions options;
    options.driver.share = share;
    options.hardware.workers = workers;
    options.memory.concurrent = true;
    options.generic_drivers = options.cpu_drivers = false;
    lab_ = std::move(*tools::Lab::make("lx2160a", options));
    requests_ =
        std::move(*tools::Requests::make(lab_->registry(), {"gcm-aes-caam", 128, bytes, kInFlight, 1, true}, *this));
  }
  void request_done(unsigned, int err) override {
    if (err != 0) std::abort();
    ++done_;
  }
  double seconds_for_a_round() {
    const auto start = std::chrono::steady_clock::now();
    done_ = 0;
    for (unsigned i = 0; i < kInFlight; ++i) requests_->submit(i);
    while (done_ < kInFlight) lab_->run();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  uint64_t out_of_order() const { return lab_->caam().scheduler().stats().completed_out_of_order; }

 private:
  std::unique_ptr<tools::Lab> lab_;
  std::unique_ptr<tools::Requests> requests_;
  unsigned done_ = 0;
};

void two_workers(benchmark::State& state, desc::ShareMode share, double wanted) {
  const auto bytes = static_cast<size_t>(state.range(0));
  Side one(1, share, bytes), two(2, share, bytes);
  double best_one = 1e18, best_two = 1e18;
  for (auto _ : state) {
    best_one = std::min(best_one, one.seconds_for_a_round());
    best_two = std::min(best_two, two.seconds_for_a_round());
  }
  state.counters["ratio"] = best_one / best_two;
  state.counters["wanted"] = wanted;
  state.counters["MB_per_s"] = static_cast<double>(bytes) * kInFlight / best_two / 1e6;
  state.counters["out_of_order"] = static_cast<double>(two.out_of_order());
}
BENCHMARK_CAPTURE(two_workers, never, desc::ShareMode::kNever, 1.8)->Arg(16384)->Arg(65536)->Iterations(300);
BENCHMARK_CAPTURE(two_workers, serial, desc::ShareMode::kSerial, 1.0)->Arg(16384)->Arg(65536)->Iterations(300);

}  // namespace
}  // namespace caamlab

BENCHMARK_MAIN();
