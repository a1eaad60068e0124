// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See simulate.h: CPUs, streams, completion queues and the engine put together.
#include "timing/simulate.h"

#include <fmt/format.h>

#include <deque>

#include "timing/completion_queue.h"
#include "timing/engine.h"
#include "timing/meter.h"
#include "timing/window.h"

namespace caamlab::timing {
namespace {

class Simulation final : public Port, public JobSink {
 public:
  Simulation(const Profile& profile, const Scenario& s, SpanSink* spans)
      : scenario_(s),
        costs_(costs_of(profile, s)),
        spans_(spans),
        engine_(events_, costs_, s.share, s.keys, s.cpus * s.depth, *this, spans),
        jobs_(size_t{s.cpus} * s.depth),
        order_(s.keys),
        window_(Window::of(jobs_.size(), s.requests)) {
    make_cpus(profile.cpus);
    for (unsigned n = 0; n < s.cpus; ++n) {
      Lane& lane = lanes_.emplace_back(*this, n);
      for (unsigned slot = 0; slot < s.depth; ++slot) jobs_[n * s.depth + slot].key = key_of(n, slot);
      lane.stream.start();
    }
  }

  Outcome run() {
    while (completed_ < window_.warm_up && events_.step()) {
    }
    latency_.clear();
    order_.clear();
    const Reading from = reading();
    while (completed_ < window_.warm_up + window_.measured && events_.step()) {
    }
    Outcome o = outcome_between(from, reading(), completed_ - window_.warm_up, scenario_.bytes);
    o.latency_us = latency_.mean_us();
    o.latency_p50_us = latency_.quantile_us(0.5);
    o.latency_p90_us = latency_.quantile_us(0.9);
    o.latency_p99_us = latency_.quantile_us(0.99);
    o.latency_p999_us = latency_.quantile_us(0.999);
    o.latency_max_us = latency_.max_us();
    o.out_of_order = order_.overtaken();
    o.overtaken_by = order_.furthest();
    o.events = events_.events();
    return o;
  }

  // Port
  void submit(unsigned stream, unsigned slot) override {
    const uint32_t number = stream * scenario_.depth + slot;
    Job& job = jobs_[number];
    job.submitted = events_.now();
    job.number = order_.submitted(job.key);
    engine_.enqueue(number, job.key, scenario_.bytes);
  }
  // JobSink
  void job_done(uint32_t number) override {
    order_.done(jobs_[number].key, jobs_[number].number);
    lanes_[number / scenario_.depth].result(number);
  }

 private:
  struct Job {
    uint32_t key = 0, next = 0;
    Time submitted = 0;
    uint64_t number = 0;
  };

  // A stream and its way back.
  class Lane final : public ResultSource {
   public:
    Lane(Simulation& sim, unsigned n)
        : stream(sim.events_, sim.cpus_[n], sim.costs_, sim, sim.scenario_.load, n, sim.scenario_.depth),
          queue(sim.events_, sim.cpus_[sim.completion_cpu(n)], sim.costs_, *this),
          sim_(sim),
          first_(n * sim.scenario_.depth) {}
    void result(uint32_t number) {
      (pending_++ == 0 ? head_ : sim_.jobs_[tail_].next) = number;
      tail_ = number;
      queue.notify();
    }
    bool has_result() const override { return pending_ != 0; }
    Time take_cost() const override { return stream.take_cost(); }
    void take_result() override {
      const uint32_t number = head_;
      const Job& job = sim_.jobs_[number];
      head_ = job.next;
      --pending_;
      ++sim_.completed_;
      const Time now = sim_.events_.now();
      sim_.latency_.add(now - job.submitted);
      if (sim_.spans_ != nullptr)
        sim_.spans_->span(Track::kQueue, first_ / sim_.scenario_.depth, "in flight", number, job.submitted, now);
      stream.completed(number - first_);
    }

    Stream stream;
    CompletionQueue queue;

   private:
    Simulation& sim_;
    const uint32_t first_;
    uint32_t head_ = 0, tail_ = 0, pending_ = 0;
  };

  static Costs costs_of(const Profile& profile, const Scenario& s) {
    const Costs costs(profile.params, s.rate > 0 ? s.rate : profile.params.rate);
    return s.load == Load::kPoll ? costs.polled() : costs;
  }
  // Submitting CPUs, and as many others for completion as the platform has.
  void make_cpus(unsigned platform_cpus) {
    unsigned n = scenario_.cpus;
    if (scenario_.completion == CompletionCpu::kOther) n = std::max(n, std::min(2 * n, platform_cpus));
    for (unsigned i = 0; i < n; ++i) cpus_.emplace_back(events_, i, spans_);
  }
  unsigned completion_cpu(unsigned stream) const {
    if (scenario_.completion == CompletionCpu::kSame) return stream;
    const auto all = static_cast<unsigned>(cpus_.size());
    const unsigned other = stream + scenario_.cpus;
    return other < all ? other : (stream + 1) % all;
  }
  // Keys are dealt out over the streams first, then over the slots of each.
  uint32_t key_of(unsigned stream, unsigned slot) const {
    const unsigned keys = scenario_.keys, streams = scenario_.cpus;
    if (keys <= streams) return stream % keys;
    const unsigned own = (keys - 1 - stream) / streams + 1;  // keys of this stream
    return stream + slot % own * streams;
  }
  Reading reading() const {
    Reading r{.now = events_.now(), .engine_busy = engine_.busy()};
    for (const Cpu& cpu : cpus_) r.cpu_work += cpu.work();
    if (scenario_.load != Load::kPoll)
      for (const Lane& lane : lanes_) r.interrupts += lane.queue.interrupts();
    return r;
  }

  const Scenario scenario_;
  const Costs costs_;
  SpanSink* const spans_;
  EventQueue events_;
  Engine engine_;
  std::vector<Job> jobs_;
  std::deque<Cpu> cpus_;
  std::deque<Lane> lanes_;
  Histogram latency_;
  OrderMeter order_;
  const Window window_;
  uint64_t completed_ = 0;
};

desc::Result<void> check(const Scenario& s) {
  const auto bad = [](std::string text) { return desc::fail(desc::ErrorCode::kInvalidArgument, std::move(text)); };
  if (s.bytes == 0 || s.bytes > 1'000'000'000)
    return bad(fmt::format("a request of {} bytes; 1 to 10^9 is possible", s.bytes));
  if (s.depth == 0 || s.cpus == 0 || uint64_t{s.depth} * s.cpus > kMaxInFlight)
    return bad(
        fmt::format("{} in flight on each of {} CPUs; 1 to {} together is possible", s.depth, s.cpus, kMaxInFlight));
  if (s.keys == 0 || s.keys > kMaxKeys) return bad(fmt::format("{} keys; 1 to {} is possible", s.keys, kMaxKeys));
  if (s.share > desc::ShareMode::kAlways) return bad("share mode: never, wait, serial or always");
  return {};
}

}  // namespace

desc::Result<Outcome> simulate(const Profile& profile, const Scenario& scenario, SpanSink* spans) {
  if (auto ok = check(scenario); !ok) return tl::unexpected<desc::Error>(ok.error());
  return Simulation(profile, scenario, spans).run();
}

Outcome on_core(const CoreDriver& driver, uint64_t bytes, unsigned cpus) {
  const double us = core_call_us(driver, bytes);
  const Window window = Window::of(cpus, 0);
  // `cpus` calls at a time, each as long as its CPU.
  const Time elapsed = from_us(us * static_cast<double>(window.measured) / cpus);
  Outcome o = outcome_between({}, {.now = elapsed, .cpu_work = elapsed * cpus}, window.measured, bytes);
  o.latency_us = o.latency_p50_us = o.latency_p90_us = o.latency_p99_us = o.latency_p999_us = o.latency_max_us = us;
  return o;
}

double engine_limit_mbps(const Profile& profile, const Scenario& s) {
  const Params& p = profile.params;
  const Costs costs(p, s.rate > 0 ? s.rate : p.rate);
  const JobWork work{s.bytes, s.share == desc::ShareMode::kNever};
  const Time alone = std::max(costs.deco(work), costs.bus(work));
  const double one = static_cast<double>(s.bytes) / to_us(alone);
  const unsigned at_once = s.share == desc::ShareMode::kSerial ? std::min(s.keys, p.n_deco) : p.n_deco;
  double limit = one * at_once;
  if (s.share == desc::ShareMode::kWait && costs.share(alone) > 0)
    limit = std::min(limit, s.keys * static_cast<double>(s.bytes) / to_us(costs.share(alone)));
  return p.cap > 0 ? std::min(limit, p.cap) : limit;
}

}  // namespace caamlab::timing
