// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See virtual_time.h.
#include "tools/virtual_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "api/errno.h"
#include "driver/caam/jr.h"
#include "timing/completion_queue.h"
#include "timing/meter.h"
#include "timing/window.h"
#include "tools/lab.h"
#include "tools/requests.h"

namespace caamlab::tools {
namespace {

using hw_model::Deco;
using timing::Action;
using timing::Costs;
using timing::EventQueue;
using timing::Time;

constexpr unsigned kTanks = 1024;  // a job that waits for its shared descriptor holds up no other (docs/timing.md 1.3)

// The device's side: starts what may start, and ends it when its time is over.
class VirtualDevice final : public timing::Actor {
 public:
  VirtualDevice(hw_model::Caam& caam, EventQueue& events, const Costs& costs, std::function<void()> results)
      : scheduler_(caam.scheduler()),
        events_(events),
        clock_(costs),
        results_(std::move(results)),
        ends_(scheduler_.num_decos()) {}

  // After everything that may have given the device work.
  void kick() {
    scheduler_.dispatch();
    while (Deco* deco = scheduler_.next_dispatched()) start(*deco);
  }
  Time busy() const { return clock_.busy(); }
  void stall_next(Time more) { stall_ = more; }
  void hang_next() { hang_ = true; }
  // The job that hangs is given up (a reset of the hardware would end it).
  void end_hanging() {
    for (unsigned n = 0; n < ends_.size(); ++n)
      if (ends_[n].hanging) {
        ends_[n].hanging = false;
        end(n);
      }
  }

  void on_event(uint32_t, uint32_t deco) override { end(deco); }

 private:
  struct End {
    hw_model::JrStatus status;
    bool hanging = false;
  };
  void start(Deco& deco) {
    End& end = ends_[deco.number()];
    end.status = deco.run();
    const hw_model::JobStats& did = deco.stats();
    const bool again =
        did.keys_loaded != 0 && deco.has_shared() && deco.shared_header().share == desc::ShareMode::kNever;
    const Time took = clock_.start(events_.now(), {std::max(did.class1_bytes, did.class2_bytes), again});
    if (hang_) {
      hang_ = false;
      end.hanging = true;
      return;
    }
    events_.after(took + stall_, {this, 0, deco.number()});
    stall_ = 0;
  }
  void end(uint32_t deco) {
    scheduler_.complete(scheduler_.deco(deco), ends_[deco].status);
    results_();
    kick();
  }

  hw_model::Scheduler& scheduler_;
  EventQueue& events_;
  timing::EngineClock clock_;
  const std::function<void()> results_;
  std::vector<End> ends_;
  Time stall_ = 0;
  bool hang_ = false;
};

class Runner final : public timing::Port, public Requests::Sink, public timing::Actor {
 public:
  Runner(const timing::Profile& profile, const VirtualRun& run)
      : run_(run),
        s_(run.scenario),
        costs_(costs_of(profile, run)),
        window_(timing::Window::of(slots(), s_.requests)),
        jobs_(slots()) {}

  std::optional<desc::Error> set_up(const hw_model::Platform& platform) {
    LabOptions options;
    options.driver.share = s_.share;
    options.driver.ring_depth_log2 = run_.ring_depth_log2;
    options.driver.dequeue_budget = 1;  // results are charged one by one
    options.hardware.scheduler.tanks = kTanks;
    options.generic_drivers = true;  // XTS may need its fallback
    options.cpu_drivers = false;
    options.relax = [this] { return relax(); };
    auto lab = Lab::make(platform, std::move(options));
    if (!lab) return lab.error();
    lab_ = std::move(*lab);
    const RequestPlan plan{run_.driver, run_.key_bits, s_.bytes, slots(), s_.cpus, run_.may_backlog};
    auto requests = Requests::make(lab_->registry(), plan, *this);
    if (!requests) return requests.error();
    requests_ = std::move(*requests);
    live_before_ = lab_->dma().live();
    device_ = std::make_unique<VirtualDevice>(lab_->caam(), events_, costs_, [this] { notify(); });
    const unsigned cpus = s_.completion == timing::CompletionCpu::kOther ? 2 * s_.cpus : s_.cpus;
    for (unsigned n = 0; n < cpus; ++n) cpus_.emplace_back(events_, n, nullptr);
    for (unsigned n = 0; n < s_.cpus; ++n) lanes_.emplace_back(*this, n);
    for (const Fault& f : run_.faults)
      events_.after(timing::from_us(f.at_us), {this, kFault, static_cast<uint32_t>(&f - run_.faults.data())});
    return std::nullopt;
  }

  VirtualOutcome go() {
    const hw_model::SchedulerStats stats_before = lab_->caam().scheduler().stats();
    for (Lane& lane : lanes_) lane.stream.start();
    device_->kick();
    run_until(window_.warm_up);
    latency_.clear();
    const timing::Reading from = reading();
    const uint64_t done_before = finished(), overtaken_before = overtaken();
    run_until(window_.warm_up + window_.measured);
    out_.outcome = timing::outcome_between(from, reading(), finished() - done_before, s_.bytes);
    fill_latency();
    out_.outcome.out_of_order = overtaken() - overtaken_before;
    drain();
    out_.driver = requests_->tfm(0).alg->cra_driver_name;
    const hw_model::SchedulerStats& stats = lab_->caam().scheduler().stats();
    out_.keys_loaded = stats.keys_loaded - stats_before.keys_loaded;
    out_.keys_reused = stats.jobs_with_shared_keys - stats_before.jobs_with_shared_keys;
    out_.words_fetched = stats.words_fetched - stats_before.words_fetched;
    out_.leaked_mappings = lab_->dma().live() - std::min(live_before_, lab_->dma().live());
    for (unsigned i = 0; i < slots(); ++i) {
      const desc::ByteSpan bytes = requests_->output(i);
      out_.outputs.emplace_back(bytes.begin(), bytes.end());
    }
    return std::move(out_);
  }

  // Port
  void submit(unsigned stream, unsigned slot) override {
    const unsigned request = request_of(stream, slot);
    if (draining_) return;
    send(request);
  }
  // Sink: the callback of the crypto API.
  void request_done(unsigned request, int err) override {
    Job& job = jobs_[request];
    job.in_flight = false;
    ++(err == 0 ? out_.completed : out_.failed);
    latency_.add(events_.now() - job.submitted);
    retry();
    lanes_[request % s_.cpus].stream.completed(request / s_.cpus);
  }
  void on_event(uint32_t what, uint32_t arg) override {
    if (what == kFault) inject(run_.faults[arg]);
  }

 private:
  enum What : uint32_t { kFault };
  struct Job {
    bool in_flight = false;
    Time submitted = 0;
  };
  // A stream, and its ring's interrupt.
  struct Lane final : timing::ResultSource {
    Lane(Runner& r, unsigned n)
        : runner(r),
          irq(r.lab_->caam().irq(n)),
          stream(r.events_, r.cpus_[n], r.costs_, r, r.s_.load, n, r.s_.depth),
          queue(r.events_, r.cpus_[r.s_.completion == timing::CompletionCpu::kOther ? r.s_.cpus + n : n], r.costs_,
                *this) {}
    bool has_result() const override { return irq.level(); }
    timing::Time take_cost() const override { return stream.take_cost(); }
    void take_result() override {
      irq.deliver();
      runner.progress();
    }
    Runner& runner;
    hw_model::LevelIrq& irq;
    timing::Stream stream;
    timing::CompletionQueue queue;
  };

  static Costs costs_of(const timing::Profile& profile, const VirtualRun& run) {
    const double rate = run.scenario.rate > 0 ? run.scenario.rate : profile.rate_for(run.driver, run.key_bits);
    const Costs costs(profile.params, rate);
    return run.scenario.load == timing::Load::kPoll ? costs.polled() : costs;
  }
  unsigned slots() const { return s_.cpus * s_.depth; }
  // Requests are numbered so that request i has key i % cpus: a stream's own.
  unsigned request_of(unsigned stream, unsigned slot) const { return slot * s_.cpus + stream; }
  uint64_t finished() const { return out_.completed + out_.failed; }
  uint64_t overtaken() const { return lab_->caam().scheduler().stats().completed_out_of_order; }

  void send(unsigned request) {
    Job& job = jobs_[request];
    job.submitted = events_.now();
    const int err = requests_->submit(request);
    if (err == -EINPROGRESS || (err == -EBUSY && run_.may_backlog)) {
      job.in_flight = true;
      ++out_.submitted;
      progress();
      return;
    }
    // Not taken: again when another one is back.
    ++out_.refused;
    refused_.push_back(request);
  }
  // The queues before the rings, which the kernel feeds from a thread of their own, and the device.
  void progress() {
    for (const auto& jr : lab_->driver()->rings) jr->engine().pump();
    device_->kick();
  }
  void retry() {
    if (refused_.empty() || draining_) return;
    const unsigned request = refused_.front();
    refused_.pop_front();
    send(request);
  }
  void notify() {
    for (Lane& lane : lanes_)
      if (lane.irq.level()) {
        if (lose_interrupt_ && !lane.queue.active()) {
          lose_interrupt_ = false;
          continue;
        }
        lane.queue.notify();
      }
  }
  void run_until(uint64_t count) {
    while (finished() < count && events_.step()) {
    }
  }
  // While the driver waits for a register to change, time passes. In a reset nobody else ends a job that hangs.
  bool relax() {
    if (device_ == nullptr) return false;  // still being set up
    if (!events_.step()) device_->end_hanging();
    return true;
  }

  void inject(const Fault& fault) {
    switch (fault.kind) {
      case FaultKind::kLostInterrupt:
        lose_interrupt_ = true;
        break;
      case FaultKind::kDecoStall:
        device_->stall_next(timing::from_us(fault.for_us));
        break;
      case FaultKind::kDecoHang:
        device_->hang_next();
        break;
      case FaultKind::kReset:
        reset_rings();
    }
  }
  void reset_rings() {
    for (const auto& jr : lab_->driver()->rings) {
      driver::caam::caam_jr_shutdown(*jr);
      driver::caam::caam_jr_restart(*jr);
    }
    for (size_t n = refused_.size(); n > 0; --n) retry();
    progress();
  }
  uint64_t outstanding() const {
    return static_cast<uint64_t>(std::ranges::count_if(jobs_, [](const Job& j) { return j.in_flight; }));
  }
  // No new requests; what is on its way comes back, by a reset of the rings if need be.
  void drain() {
    draining_ = true;
    while (events_.step()) {
    }
    out_.waited_for_reset = outstanding();
    if (out_.waited_for_reset != 0) reset_rings();
    while (events_.step()) {
    }
    out_.never_completed = outstanding();
  }
  timing::Reading reading() const {
    timing::Reading r{.now = events_.now(), .engine_busy = device_->busy()};
    for (const timing::Cpu& cpu : cpus_) r.cpu_work += cpu.work();
    if (s_.load != timing::Load::kPoll)
      for (const Lane& lane : lanes_) r.interrupts += lane.queue.interrupts();
    return r;
  }
  void fill_latency() {
    timing::Outcome& o = out_.outcome;
    o.latency_us = latency_.mean_us();
    o.latency_p50_us = latency_.quantile_us(0.5);
    o.latency_p90_us = latency_.quantile_us(0.9);
    o.latency_p99_us = latency_.quantile_us(0.99);
    o.latency_p999_us = latency_.quantile_us(0.999);
    o.latency_max_us = latency_.max_us();
  }

  const VirtualRun& run_;
  const timing::Scenario& s_;
  const Costs costs_;
  const timing::Window window_;
  EventQueue events_;
  std::unique_ptr<Lab> lab_;
  std::unique_ptr<Requests> requests_;
  std::unique_ptr<VirtualDevice> device_;
  std::deque<timing::Cpu> cpus_;
  std::deque<Lane> lanes_;
  std::vector<Job> jobs_;
  std::deque<unsigned> refused_;
  timing::Histogram latency_;
  VirtualOutcome out_;
  size_t live_before_ = 0;
  bool lose_interrupt_ = false, draining_ = false;
};

}  // namespace

desc::Result<VirtualOutcome> run_virtual(const timing::Profile& profile, const VirtualRun& run) {
  auto platform = hw_model::resolve_platform(profile.device.empty() ? profile.name : profile.device);
  if (!platform) return tl::unexpected<desc::Error>(platform.error());
  const timing::Scenario& s = run.scenario;
  const auto bad = [](std::string text) { return desc::fail(desc::ErrorCode::kInvalidArgument, std::move(text)); };
  if (s.bytes == 0 || s.depth == 0 || s.cpus == 0) return bad("size, requests in flight and CPUs must be above 0");
  if (s.cpus > platform->job_rings)
    return bad(fmt::format("{} CPUs: the job ring driver runs a stream on each ring, and {} has {}", s.cpus,
                           platform->name, platform->job_rings));
  if (s.keys != 1 && s.keys != s.cpus)
    return bad(fmt::format("{} keys: each of the {} CPUs has its own here", s.keys, s.cpus));
  platform->decos = profile.params.n_deco;
  platform->job_rings = s.cpus;
  Runner runner(profile, run);
  if (auto error = runner.set_up(*platform)) return tl::unexpected<desc::Error>(*error);
  return runner.go();
}

}  // namespace caamlab::tools
