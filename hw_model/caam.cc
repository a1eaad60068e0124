// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See caam.h.
#include "hw_model/caam.h"

#include <algorithm>
#include <mutex>

#include "hw_model/deco/deco_page.h"

namespace caamlab::hw_model {

// Deterministic bytes for padding (splitmix64): the device's own noise, not its DRBG.
class Caam::Entropy final : public PadRandom {
 public:
  explicit Entropy(uint64_t seed) : state_(seed) {}
  void random_bytes(std::span<uint8_t> out) override {
    const std::lock_guard lock(mutex_);
    for (size_t i = 0; i < out.size(); ++i) {
      if (i % 8 == 0) next();
      out[i] = static_cast<uint8_t>(value_ >> i % 8 * 8);
    }
  }

 private:
  void next() {
    state_ += 0x9E3779B97F4A7C15;
    uint64_t z = state_;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    value_ = z ^ z >> 31;
  }
  std::mutex mutex_;  // DECOs may run in threads
  uint64_t state_, value_ = 0;
};

// The TRNG as the RNG sees it: nothing in program mode, after a failed test, or sampled faster than the part can. Parts
// before RNG4 have no such registers, and entropy at any time.
class Caam::TrngEntropy final : public EntropySource {
 public:
  TrngEntropy(Trng& trng, const Platform& platform)
      : trng_(trng),
        min_delay_(platform.rng_min_entropy_delay),
        controlled_(platform.cha(ChaUnit::kRng).version >= kRng4) {}
  bool entropy(std::span<uint8_t> out) override {
    if (controlled_ && (!trng_.healthy() || trng_.entropy_delay() < min_delay_)) return false;
    while (!out.empty()) {
      const auto block = trng_.next_entropy();
      const size_t n = std::min(out.size(), block.size());
      std::copy_n(block.begin(), n, out.begin());
      out = out.subspan(n);
    }
    return true;
  }

 private:
  Trng& trng_;
  const uint32_t min_delay_;
  const bool controlled_;
};

Caam::Caam(const Platform& platform, BusMemory& memory, CaamOptions options)
    : entropy_(std::make_unique<Entropy>(options.random_seed)) {
  Controller::Hooks hooks;
  hooks.busy = [this] { return scheduler_ && scheduler_->busy(); };
  hooks.software_reset = [this] {
    if (workers_) workers_->quiesce();
    scheduler_->reset();
  };
  hooks.rdsta = [this] { return units_->rng.rdsta(); };
  controller_ = std::make_unique<Controller>(platform, std::move(hooks));
  const Platform& p = controller_->platform();
  controller_->trng().set_seed(options.random_seed);
  trng_entropy_ = std::make_unique<TrngEntropy>(controller_->trng(), p);
  units_ = std::make_unique<DeviceUnits>(p, *trng_entropy_);
  controller_->attach_keys(&units_->keks);
  units_->secure_ring = [this](unsigned ring) { return controller_->ring_is_secure(ring); };
  const desc::Target& target = controller_->target();

  std::vector<std::unique_ptr<Deco>> decos;
  for (unsigned n = 0; n < p.decos; ++n) {
    decos.push_back(std::make_unique<Deco>(n, memory, p, target, *entropy_, options.deco));
    decos.back()->units.attach(*units_);
  }
  scheduler_ = std::make_unique<Scheduler>(std::move(decos), Dma(memory, p.sg_format, target), options.scheduler);
  direct_.resize(p.decos);

  for (unsigned n = p.first_job_ring; n < p.first_job_ring + p.job_rings && n < desc::reg::kMaxJobRings; ++n) {
    irqs_.push_back(std::make_unique<LevelIrq>());
    JobRing::Wiring wiring;
    wiring.index = n;
    wiring.target = &target;
    wiring.bus = &memory;
    wiring.irq = irqs_.back().get();
    wiring.doorbell = [this, source = static_cast<unsigned>(rings_.size())] { scheduler_->notify(source); };
    wiring.on_fault = [this, n](BusAddr addr, bool write, size_t len) {
      controller_->record_fault({.addr = addr,
                                 .len = static_cast<uint32_t>(len),
                                 .write = write,
                                 .block = desc::reg::fadr::kBlockJobRing,
                                 .source = n,
                                 .control_data = true});
    };
    rings_.push_back(std::make_unique<JobRing>(std::move(wiring)));
    controller_->attach_ring(*rings_.back(), n);
    scheduler_->add_source(*rings_.back());
  }
  controller_->attach_deco_access(this);
  if (options.workers == 0) return;
  scheduler_->options().concurrent = true;
  Workers::Wiring threads;
  threads.registers = &controller_->registers();
  threads.scheduler = scheduler_.get();
  threads.stopped = [this] { return controller_->stopped(); };
  threads.interrupt_pending = [this] {
    return std::ranges::any_of(irqs_, [](const auto& irq) { return irq->deliverable(); });
  };
  workers_ = std::make_unique<Workers>(std::move(threads), std::min(options.workers, p.decos));
}

Caam::~Caam() {
  workers_.reset();
  controller_->attach_deco_access(nullptr);
  controller_->attach_keys(nullptr);
}

uint64_t Caam::run(uint64_t max_jobs) {
  if (workers_) {
    const uint64_t before = workers_->jobs();
    while (deliver_interrupts() || workers_->wait()) {
    }
    return workers_->jobs() - before;
  }
  uint64_t jobs = 0;
  do {
    while (jobs < max_jobs && step()) ++jobs;
  } while (deliver_interrupts() && jobs < max_jobs);
  return jobs;
}

bool Caam::deliver_interrupts() {
  bool any = false;
  for (auto& irq : irqs_) any = irq->deliver() || any;
  return any;
}

void Caam::set_trace(TraceSink* trace) {
  for (unsigned n = 0; n < scheduler_->num_decos(); ++n) scheduler_->deco(n).set_trace(trace);
}

void Caam::request(unsigned deco) {
  direct_[deco].requested = true;
  scheduler_->withhold(deco, true);
}

void Caam::release(unsigned deco) {
  direct_[deco].requested = false;
  scheduler_->withhold(deco, false);
}

bool Caam::granted(unsigned deco) const { return direct_[deco].requested && scheduler_->idle(deco); }
bool Caam::idle(unsigned deco) const { return scheduler_->idle(deco); }

// Inline execution never finds a DECO in the middle of a job, so there is nothing to stop.
void Caam::reset(unsigned deco) { direct_[deco].status = {}; }

void Caam::write_word(unsigned deco, unsigned index, uint32_t word) { direct_[deco].words[index] = word; }
uint32_t Caam::read_word(unsigned deco, unsigned index) const { return scheduler_->deco_at(deco).buffer()[index]; }

void Caam::start(unsigned deco, uint32_t) {
  Direct& direct = direct_[deco];
  JobFetch job;
  job.words = direct.words;
  job.len = desc::kMaxDescWords;
  Deco& unit = scheduler_->deco(deco);
  check_job(controller_->target(), unit.options().era, job);
  unit.begin(job, ShareState::kFresh);
  const JrStatus status = unit.run();
  // VALID stays set only while the descriptor runs, and inline that is over.
  direct.status = {
      .valid = false,
      .host_error = status.source() == desc::StatusSource::kDeco || status.source() == desc::StatusSource::kCcb,
      .index = static_cast<uint8_t>(unit.index()),
      .op_status = status.word,
      .out_bytes = unit.out_bytes()};
}

DirectDecoAccess::Status Caam::status(unsigned deco) const { return direct_[deco].status; }

uint32_t Caam::read_reg(unsigned deco, uint32_t offset) const {
  return read_deco_page(scheduler_->deco_at(deco), offset);
}

void Caam::write_reg(unsigned deco, uint32_t offset, uint32_t value) {
  write_deco_page(scheduler_->deco(deco), offset, value);
}

}  // namespace caamlab::hw_model
