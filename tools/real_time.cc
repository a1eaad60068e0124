// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See real_time.h.
#include "tools/real_time.h"

#include <fmt/format.h>

#include <chrono>
#include <ctime>

#include "api/errno.h"
#include "timing/meter.h"
#include "timing/window.h"
#include "tools/lab.h"
#include "tools/requests.h"

namespace caamlab::tools {
namespace {

using timing::Time;

Time nanoseconds(std::chrono::steady_clock::duration d) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(d).count() * 1000;
}

class HostRun final : public Requests::Sink {
 public:
  explicit HostRun(const RealRun& run) : run_(run), submitted_(run.scenario.depth), start_(Clock::now()) {}

  std::optional<desc::Error> set_up() {
    LabOptions options;
    options.driver.share = run_.scenario.share;
    options.hardware.workers = run_.workers;
    options.memory.concurrent = run_.workers != 0;
    auto lab = Lab::make(run_.platform, options);
    if (!lab) return lab.error();
    lab_ = std::move(*lab);
    const RequestPlan plan{run_.driver,         run_.key_bits,      run_.scenario.bytes,
                           run_.scenario.depth, run_.scenario.keys, true};
    auto requests = Requests::make(lab_->registry(), plan, *this);
    if (!requests) return requests.error();
    requests_ = std::move(*requests);
    return std::nullopt;
  }

  desc::Result<timing::Outcome> go() {
    const double warm_up = run_.seconds / 10;
    for (unsigned i = 0; i < run_.scenario.depth; ++i) ready_.push_back(i);
    run_until(warm_up);
    latency_.clear();
    const timing::Reading from = reading();
    const uint64_t done_before = done_, overtaken_before = overtaken();
    run_until(warm_up + run_.seconds);
    timing::Outcome o = timing::outcome_between(from, reading(), done_ - done_before, run_.scenario.bytes);
    o.out_of_order = overtaken() - overtaken_before;
    o.latency_us = latency_.mean_us();
    o.latency_p50_us = latency_.quantile_us(0.5);
    o.latency_p90_us = latency_.quantile_us(0.9);
    o.latency_p99_us = latency_.quantile_us(0.99);
    o.latency_p999_us = latency_.quantile_us(0.999);
    o.latency_max_us = latency_.max_us();
    lab_->run();
    if (error_ != 0)
      return desc::fail(desc::ErrorCode::kInvalidArgument,
                        fmt::format("{}: a request failed with {}", run_.driver, api::errno_text(error_)));
    return o;
  }

  void request_done(unsigned slot, int err) override { finish(slot, err); }

 private:
  using Clock = std::chrono::steady_clock;

  Time now() const { return nanoseconds(Clock::now() - start_); }
  void finish(unsigned slot, int err) {
    if (err != 0 && error_ == 0) error_ = err;
    ++done_;
    latency_.add(now() - submitted_[slot]);
    ready_.push_back(slot);
  }
  void submit(unsigned slot) {
    submitted_[slot] = now();
    const int err = requests_->submit(slot);
    if (err != -EINPROGRESS && err != -EBUSY) finish(slot, err);
  }
  void run_until(double seconds) {
    const Time end = timing::from_us(seconds * 1e6);
    const bool batch = run_.scenario.load == timing::Load::kBatch;
    std::vector<unsigned> round;
    while (now() < end && error_ == 0) {
      // A batch waits for all of its requests, a pipe for any.
      while (batch ? ready_.size() < run_.scenario.depth : ready_.empty())
        if (lab_->run() == 0 && ready_.empty()) {
          error_ = -EIO;
          return;
        }
      round.swap(ready_);
      ready_.clear();
      for (unsigned slot : round) submit(slot);
    }
  }
  timing::Reading reading() const {
    timespec cpu{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
    timing::Reading r;
    r.now = now();
    r.cpu_work = (Time{cpu.tv_sec} * 1'000'000'000 + cpu.tv_nsec) * 1000;
    for (unsigned i = 0; i < lab_->caam().num_rings(); ++i) r.interrupts += lab_->caam().irq(i).delivered();
    return r;
  }
  uint64_t overtaken() const { return lab_->caam().scheduler().stats().completed_out_of_order; }

  const RealRun& run_;
  std::unique_ptr<Lab> lab_;
  std::unique_ptr<Requests> requests_;
  std::vector<Time> submitted_;
  std::vector<unsigned> ready_;
  timing::Histogram latency_;
  const Clock::time_point start_;
  uint64_t done_ = 0;
  int error_ = 0;
};

}  // namespace

desc::Result<timing::Outcome> run_real(const RealRun& run) {
  const timing::Scenario& s = run.scenario;
  if (s.bytes == 0 || s.depth == 0 || s.keys == 0 || run.seconds <= 0)
    return desc::fail(desc::ErrorCode::kInvalidArgument, "size, requests in flight, keys and seconds must be above 0");
  if (s.cpus != 1)
    return desc::fail(desc::ErrorCode::kInvalidArgument,
                      fmt::format("{} CPUs: on this host one thread runs everything", s.cpus));
  HostRun host(run);
  if (auto error = host.set_up()) return tl::unexpected<desc::Error>(*error);
  return host.go();
}

}  // namespace caamlab::tools
