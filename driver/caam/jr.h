// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// A job ring: descriptors in, (descriptor, status) out, in any order (kernel drivers/crypto/caam/jr.c, 6.1;
// crypto-api.md 7.1, 7.2). Differences: results are taken in the interrupt itself (there is no tasklet), and a flush or
// a ring error gives every outstanding job its callback, where the kernel loses them or stops the machine.
#pragma once

#include <atomic>
#include <memory>
#include <span>

#include "api/engine.h"
#include "driver/caam/intern.h"
#include "driver/caam/sg_pool.h"

namespace caamlab::driver::caam {

// Runs once for each accepted job, from the dequeue of its ring. desc: as enqueued. status: untranslated.
using JrDone = void (*)(Jr& jr, uint8_t* desc, uint32_t status, void* arg);

// What a job gets that a reset overtook (DECO error 0x1A).
inline constexpr uint32_t kStatusJrReset = 0x4000001A;

class Jr {
 public:
  // `ridx`: ring number of the device; its registers are on page 1 + ridx.
  Jr(CtrlPriv& ctrl, unsigned ridx, hw_model::IrqLine& irq);
  ~Jr();
  Jr(const Jr&) = delete;
  Jr& operator=(const Jr&) = delete;

  CtrlPriv& ctrl() const { return ctrl_; }
  hw_model::DmaMemory& dma() const { return dma_; }
  unsigned ridx() const { return ridx_; }
  unsigned depth() const { return mask_ + 1; }
  unsigned outstanding() const { return (head_.load() - tail_.load()) & mask_; }  // accepted and not called back
  unsigned room() const { return mask_ - outstanding(); }                         // jobs that it would accept now
  bool dead() const { return stopped_.load(std::memory_order_relaxed); }
  int tfm_count() const { return tfm_count_.load(); }
  api::CryptoEngine& engine() { return engine_; }
  SgPool& sg_pool() { return sg_pool_; }

 private:
  friend int caam_jr_init(Jr& jr);
  friend int caam_jr_enqueue(Jr& jr, std::span<uint8_t> desc, JrDone done, void* arg);
  friend unsigned caam_jr_dequeue(Jr& jr, unsigned budget);
  friend int caam_jr_run(Jr& jr, std::span<uint8_t> desc, uint32_t* status);
  friend void caam_jr_interrupt(Jr& jr);
  friend int caam_jr_shutdown(Jr& jr);
  friend int caam_jr_restart(Jr& jr);
  friend Jr* caam_jr_alloc(CtrlPriv& ctrl);
  friend void caam_jr_free(Jr& jr);

  struct Entry {
    JrDone done;
    void* arg;
    uint8_t* desc;
    BusAddr desc_dma;  // kDmaMappingError: called back already
    uint32_t desc_bytes;
  };

  int alloc_rings();
  void program_rings();
  int reset_hw();
  void set_irq_mask(bool masked);
  int stop();
  void fail_outstanding();
  void take_result(unsigned slot);
  void finish(unsigned index, uint32_t status);
  uint64_t input_available();

  CtrlPriv& ctrl_;
  hw_model::DmaMemory& dma_;
  hw_model::IrqLine& irq_;
  const Regs regs_;
  const desc::Target target_;
  const unsigned ridx_;
  const unsigned mask_;  // depth - 1
  const unsigned out_entry_bytes_;
  uint32_t config_ = 0;  // JRCFG_LS as written last
  std::unique_ptr<Entry[]> entinfo_;
  hw_model::DmaMemory::Coherent inpring_, outring_;
  std::atomic<bool> stopped_{true};
  std::atomic<int> tfm_count_{0};

  // Enqueuers, under the lock; dequeue only reads head_.
  alignas(64) std::atomic_flag inplock_ = ATOMIC_FLAG_INIT;
  std::atomic<unsigned> head_{0};
  uint32_t inpring_avail_ = 0;
  // The one that dequeues; enqueuers only read tail_.
  alignas(64) std::atomic<unsigned> tail_{0};
  unsigned out_ring_read_index_ = 0;
  bool dequeuing_ = false;

  api::CryptoEngine engine_;
  SgPool sg_pool_;
};

// Memory, registers, interrupt. 0, -EIO when the ring does not answer, -ENOMEM.
int caam_jr_init(Jr& jr);

// Puts the job descriptor `desc` (device byte order, in memory the device may read) at the head of the input ring and
// rings the doorbell. It and all it points to stay untouched until `done` runs, which is never from inside this call.
// Returns -EINPROGRESS, -ENOSPC when the ring is full, -EIO when `desc` cannot be mapped or the ring is dead.
int caam_jr_enqueue(Jr& jr, std::span<uint8_t> desc, JrDone done, void* arg);

// Takes finished jobs off the output ring, at most `budget` (0: as long as there are any), and calls their callbacks.
// For one caller at a time. Returns how many. Called by the interrupt; a polling thread may call it instead.
unsigned caam_jr_dequeue(Jr& jr, unsigned budget);

// Runs one job and waits for its end (kernel: enqueue, wait_for_completion). 0: it ran, *status says how. -EIO as
// caam_jr_enqueue(); -EBUSY from inside a completion callback, where nobody may wait; -ETIMEDOUT when the device is
// stuck (the ring has been restarted then).
int caam_jr_run(Jr& jr, std::span<uint8_t> desc, uint32_t* status);

// The handler of the ring's interrupt. A ring error stops the ring: everything outstanding fails with kStatusJrReset,
// later enqueues get -EIO until caam_jr_restart().
void caam_jr_interrupt(Jr& jr);

// Stops the ring: flush, every outstanding job called back (with its own status if it ran, else kStatusJrReset), reset.
// -EIO when the ring does not answer; the callbacks have run all the same.
int caam_jr_shutdown(Jr& jr);
// After a shutdown or a ring error: ready again, or -EIO.
int caam_jr_restart(Jr& jr);

// The ring with the fewest transforms, which counts one more; null when there is none (kernel: -ENODEV).
Jr* caam_jr_alloc(CtrlPriv& ctrl);
void caam_jr_free(Jr& jr);

}  // namespace caamlab::driver::caam
