// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See jr.h. Only the enqueuers move head_, only the dequeuer tail_; a job keeps its software slot, whatever the order
// in which the device finishes, until all older ones are done.
#include "driver/caam/jr.h"

#include <fmt/format.h>

#include <algorithm>

namespace caamlab::driver::caam {
namespace {

using namespace desc::reg;
using hw_model::kDmaMappingError;

constexpr unsigned kPollLimit = 100000;
// Requests that may wait in the engine: CRYPTO_ENGINE_MAX_QLEN is the ring's depth less this.
constexpr unsigned kThreshold = 15;

unsigned depth_of(const CaamOptions& options) { return 1u << std::clamp(options.ring_depth_log2, 2u, 9u); }
unsigned engine_qlen(const CaamOptions& options) {
  const unsigned depth = depth_of(options);
  return depth > kThreshold ? depth - kThreshold : 1;
}

}  // namespace

Jr::Jr(CtrlPriv& ctrl, unsigned ridx, hw_model::IrqLine& irq)
    : ctrl_(ctrl),
      dma_(*ctrl.device.dma),
      irq_(irq),
      regs_(ctrl.ctrl.at((kPageJobRing + ridx) * ctrl.page_bytes)),
      target_(ctrl.target),
      ridx_(ridx),
      mask_(depth_of(ctrl.options) - 1),
      out_entry_bytes_(ctrl.target.ptr_bytes + 4u),
      engine_(engine_qlen(ctrl.options), this) {}

Jr::~Jr() {
  caam_jr_shutdown(*this);
  irq_.free_irq();
  if (inpring_.cpu != nullptr) dma_.free_coherent(inpring_);
  if (outring_.cpu != nullptr) dma_.free_coherent(outring_);
}

int Jr::alloc_rings() {
  inpring_ = dma_.alloc_coherent(size_t{depth()} * target_.ptr_bytes);
  outring_ = dma_.alloc_coherent(size_t{depth()} * out_entry_bytes_);
  if (inpring_.cpu == nullptr || outring_.cpu == nullptr) return -ENOMEM;
  entinfo_ = std::make_unique<Entry[]>(depth());
  return 0;
}

void Jr::set_irq_mask(bool masked) {
  config_ = (config_ & ~jrcfg::kImsk) | (masked ? jrcfg::kImsk : 0);
  regs_.wr_reg32(kJrcfgLs, config_);
}

// Flush, with the results taken as they come (a full output ring would hold the flush up), then reset. Masked after it.
int Jr::reset_hw() {
  set_irq_mask(true);
  regs_.wr_reg32(kJrcr, jrcr::kReset);
  unsigned timeout = kPollLimit;
  while ((regs_.rd_reg32(kJrint) & jrint::kHaltMask) == jrint::kHaltInProgress && --timeout != 0) {
    if (outring_.cpu != nullptr) caam_jr_dequeue(*this, 0);
    ctrl_.cpu_relax();
  }
  if ((regs_.rd_reg32(kJrint) & jrint::kHaltMask) != jrint::kHaltComplete) {
    ctrl_.log(LogLevel::kError, fmt::format("failed to flush job ring {}", ridx_));
    return -EIO;
  }
  if (outring_.cpu != nullptr) caam_jr_dequeue(*this, 0);

  timeout = kPollLimit;
  regs_.wr_reg32(kJrcr, jrcr::kReset);
  while ((regs_.rd_reg32(kJrcr) & jrcr::kReset) != 0 && --timeout != 0) ctrl_.cpu_relax();
  if (timeout == 0) {
    ctrl_.log(LogLevel::kError, fmt::format("failed to reset job ring {}", ridx_));
    return -EIO;
  }
  return 0;
}

void Jr::program_rings() {
  out_ring_read_index_ = 0;
  head_ = 0;
  tail_ = 0;
  inpring_avail_ = depth();
  regs_.wr_reg64(kIrba, inpring_.addr, target_);
  regs_.wr_reg64(kOrba, outring_.addr, target_);
  regs_.wr_reg32(kIrs, depth());
  regs_.wr_reg32(kOrs, depth());
  if (const CaamOptions& o = ctrl_.options; o.coalesce)
    config_ |= jrcfg::kIcen | uint32_t{o.coalesce_count} << jrcfg::kIcdctShift |
               uint32_t{o.coalesce_time} << jrcfg::kIcttShift;
  stopped_ = false;
  set_irq_mask(false);
}

int caam_jr_init(Jr& jr) {
  jr.config_ = jr.regs_.rd_reg32(kJrcfgLs);
  if (const int err = jr.reset_hw(); err != 0) return err;
  if (const int err = jr.alloc_rings(); err != 0) return err;
  jr.irq_.request_irq([&jr] { caam_jr_interrupt(jr); });
  jr.program_rings();
  return jr.engine_.start();
}

int caam_jr_enqueue(Jr& jr, std::span<uint8_t> desc, JrDone done, void* arg) {
  const BusAddr desc_dma = jr.dma_.map_single(desc.data(), desc.size(), DmaDirection::kToDevice);
  if (hw_model::dma_mapping_error(desc_dma)) {
    jr.ctrl_.log(LogLevel::kError, "caam_jr_enqueue(): can't map jobdesc");
    return -EIO;
  }
  int err = -ENOSPC;
  {
    SpinGuard guard(jr.inplock_);
    const unsigned head = jr.head_.load(std::memory_order_relaxed);
    const unsigned next = (head + 1) & jr.mask_;
    if (jr.stopped_.load(std::memory_order_relaxed)) {
      err = -EIO;
    } else if (next != jr.tail_.load(std::memory_order_acquire) &&
               (jr.inpring_avail_ != 0 || (jr.inpring_avail_ = jr.regs_.rd_reg32(kIrsa)) != 0)) {
      jr.entinfo_[head] = {done, arg, desc.data(), desc_dma, static_cast<uint32_t>(desc.size())};
      uint32_t words[2];
      desc::pointer_to_words(words, desc_dma, jr.target_);
      uint8_t* slot = jr.inpring_.cpu + size_t{head} * jr.target_.ptr_bytes;
      desc::store32(slot, words[0], jr.target_.endian);
      if (jr.target_.ptr_bytes == 8) desc::store32(slot + 4, words[1], jr.target_.endian);
      jr.head_.store(next, std::memory_order_release);
      jr.regs_.wr_reg32(kIrja, 1);
      --jr.inpring_avail_;
      return -EINPROGRESS;
    }
  }
  jr.dma_.unmap_single(desc_dma, desc.size(), DmaDirection::kToDevice);
  return err;
}

// Called with a result's software slot: everything is in order before the callback runs, which may enqueue.
void Jr::finish(unsigned index, uint32_t status) {
  Entry& entry = entinfo_[index];
  const Entry job = entry;
  entry.desc_dma = kDmaMappingError;
  dma_.unmap_single(job.desc_dma, job.desc_bytes, DmaDirection::kToDevice);
  unsigned tail = tail_.load(std::memory_order_relaxed);
  if (index == tail) {
    const unsigned head = head_.load(std::memory_order_acquire);
    do {
      tail = (tail + 1) & mask_;
    } while (tail != head && entinfo_[tail].desc_dma == kDmaMappingError);
    tail_.store(tail, std::memory_order_release);
  }
  job.done(*this, job.desc, status, job.arg);
}

void Jr::take_result(unsigned slot) {
  const uint8_t* raw = outring_.cpu + size_t{slot} * out_entry_bytes_;
  uint32_t words[2] = {desc::load32(raw, target_.endian), 0};
  if (target_.ptr_bytes == 8) words[1] = desc::load32(raw + 4, target_.endian);
  const BusAddr addr = desc::pointer_from_words(words, target_);
  const uint32_t status = desc::load32(raw + target_.ptr_bytes, target_.endian);
  const unsigned head = head_.load(std::memory_order_acquire);
  for (unsigned index = tail_.load(std::memory_order_relaxed); index != head; index = (index + 1) & mask_) {
    if (entinfo_[index].desc_dma == addr) return finish(index, status);
  }
  // The kernel stops the machine here.
  ctrl_.log(LogLevel::kError, fmt::format("job ring {}: result for unknown descriptor {:#x}", ridx_, addr));
}

unsigned caam_jr_dequeue(Jr& jr, unsigned budget) {
  unsigned taken = 0;
  jr.dequeuing_ = true;
  while (budget == 0 || taken < budget) {
    unsigned used = jr.regs_.rd_reg32(kOrsf);
    if (used == 0) break;
    if (budget != 0) used = std::min(used, budget - taken);
    for (unsigned i = 0; i < used; ++i) {
      const unsigned slot = jr.out_ring_read_index_;
      jr.out_ring_read_index_ = (slot + 1) & jr.mask_;
      jr.take_result(slot);
    }
    // Once for all of them: until then the device keeps these slots, so the callbacks may enqueue.
    jr.regs_.wr_reg32(kOrjr, used);
    taken += used;
  }
  jr.dequeuing_ = false;
  return taken;
}

int caam_jr_run(Jr& jr, std::span<uint8_t> desc, uint32_t* status) {
  struct Wait {
    bool done = false;
    uint32_t status = 0;
  } wait;
  const JrDone done = [](Jr&, uint8_t*, uint32_t result, void* arg) { *static_cast<Wait*>(arg) = {true, result}; };
  if (jr.dequeuing_) return -EBUSY;
  int err = -ENOSPC;
  for (unsigned i = 0; i < kPollLimit && err == -ENOSPC; ++i) {
    err = caam_jr_enqueue(jr, desc, done, &wait);
    if (err == -ENOSPC) jr.ctrl_.cpu_relax();
  }
  if (err != -EINPROGRESS) return err;
  for (unsigned i = 0; i < kPollLimit && !wait.done; ++i) jr.ctrl_.cpu_relax();
  if (!wait.done) {
    jr.ctrl_.log(LogLevel::kError, fmt::format("job ring {} does not finish a job", jr.ridx_));
    caam_jr_shutdown(jr);  // after it the job is certain to be over
    caam_jr_restart(jr);
    return -ETIMEDOUT;
  }
  *status = wait.status;
  return 0;
}

void caam_jr_interrupt(Jr& jr) {
  const uint32_t irqstate = jr.regs_.rd_reg32(kJrint);
  if (irqstate == 0) return;
  if ((irqstate & jrint::kJre) != 0) {
    jr.ctrl_.log(LogLevel::kError, fmt::format("job ring error: irqstate: {:08x}", irqstate));
    jr.regs_.wr_reg32(kJrint, irqstate);
    jr.stop();
    return;
  }
  jr.regs_.wr_reg32(kJrint, irqstate);
  caam_jr_dequeue(jr, jr.ctrl_.options.dequeue_budget);
}

// Jobs the device says nothing about any more. Oldest first.
void Jr::fail_outstanding() {
  while (tail_.load() != head_.load()) finish(tail_.load(), kStatusJrReset);
}

int Jr::stop() {
  {
    SpinGuard guard(inplock_);
    stopped_ = true;
  }
  const int err = reset_hw();
  fail_outstanding();
  return err;
}

int caam_jr_shutdown(Jr& jr) {
  if (jr.inpring_.cpu == nullptr) return 0;
  const int err = jr.stop();
  while (jr.engine_.pump()) {  // what waits there is refused by the stopped ring
  }
  return err;
}

int caam_jr_restart(Jr& jr) {
  if (!jr.dead()) return 0;
  if (const int err = jr.reset_hw(); err != 0) return err;
  jr.program_rings();
  return 0;
}

Jr* caam_jr_alloc(CtrlPriv& ctrl) {
  Jr* least = nullptr;
  for (const auto& jr : ctrl.rings)
    if (least == nullptr || jr->tfm_count() < least->tfm_count()) least = jr.get();
  if (least != nullptr) ++least->tfm_count_;
  return least;
}

void caam_jr_free(Jr& jr) { --jr.tfm_count_; }

}  // namespace caamlab::driver::caam
