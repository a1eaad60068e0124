// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// One job ring: the input ring of descriptor addresses, the output ring of (address, status), and the registers that
// drive them, with the flush / reset / park handshake, error reporting and interrupt coalescing (hardware.md 6.5).
// Left out: the swap controls of JRCFG_MS (stored, no effect: byte order is the platform's), ENTER_FAIL / EXIT_FAIL
// and FAIL_MODE (the model never enters fail mode), JRAAV / JRAAA.
// Not thread safe: whoever runs jobs in threads holds one lock per device around registers and JobSource calls.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "desc/bits.h"
#include "hw_model/bus.h"
#include "hw_model/irq.h"
#include "hw_model/job_source.h"
#include "hw_model/reg_bank.h"

namespace caamlab::hw_model {

// ERR_TYPE of JRINT.
enum class RingError : uint8_t {
  kNone = 0,
  kOutputWrite = 1,     // a result could not be written
  kInputBase = 3,       // IRBA not on 4 bytes; also, assumed: an input entry could not be read
  kOutputBase = 4,      // ORBA not on 4 bytes
  kInputRegister = 5,   // IRBA or IRS written with jobs in the input ring
  kOutputRegister = 6,  // ORBA or ORS written with results in the output ring or jobs on their way
  kResetEarly = 7,      // reset before the ring was halted
  kRemovedTooMany = 8,  // ORJR > ORSF
  kAddedTooMany = 9,    // IRJA > IRSA
  kOrsfRange = 0xA,     // ORSF written > ORS
  kIrsaRange = 0xB,     // IRSA written > IRS
  kOrwiRange = 0xC,     // ORWI written beyond the output ring
  kIrriRange = 0xD,     // IRRI written beyond the input ring
  kIrsaActive = 0xE,    // written while the ring is active
  kIrriActive = 0xF,
  kOrsfActive = 0x10,
  kOrwiActive = 0x11,
};
const char* ring_error_name(RingError error);

// Status of a job that was flushed before it reached a DECO.
inline constexpr uint32_t kStatusJrReset = 0x4000001A;

class JobRing final : public JobSource {
 public:
  struct Wiring {
    unsigned index = 0;                    // 0..3
    const desc::Target* target = nullptr;  // byte order and the present pointer size (MCFGR[PS]); read at every use
    BusMemory* bus = nullptr;
    LevelIrq* irq = nullptr;
    std::function<void()> doorbell;                             // jobs became runnable, or room appeared; may be empty
    std::function<void(BusAddr, bool write, size_t)> on_fault;  // a ring access was a bus error (FAR); may be empty
  };
  explicit JobRing(Wiring wiring);
  JobRing(const JobRing&) = delete;
  JobRing& operator=(const JobRing&) = delete;

  // The ring's registers, to be put at page 1 + index. Version rows are added by the controller.
  RegBank& bank() { return bank_; }

  // JobSource.
  SourceId id() const override { return static_cast<SourceId>(wiring_.index); }
  bool has_job() const override { return next_valid_ && halt_ == Halt::kRunning && in_flight_ + full_ < out_size_; }
  BusAddr take() override;
  void complete(BusAddr desc, uint32_t status, uint32_t out_bytes) override;

  // Virtual time: `clocks` device clocks have passed since the last call. Drives the coalescing timer.
  void tick(uint64_t clocks);
  // Clocks until the timer raises the interrupt, if it is running.
  std::optional<uint64_t> next_deadline() const;

  // Hardware reset (MCFGR.SWRST): everything to power-on values. Jobs in DECOs are forgotten: their complete() must
  // not come any more.
  void hard_reset();

  unsigned in_flight() const { return in_flight_; }  // taken, not completed
  unsigned queued() const { return queued_; }        // added, not taken
  bool halted() const { return halt_ == Halt::kParked || halt_ == Halt::kFlushed; }

 private:
  // kParked and kFlushed both read HALT = 2; only a flushed ring is reset by a further RESET.
  enum class Halt : uint8_t { kRunning, kParking, kParked, kFlushing, kFlushed };

  // Registers.
  void write_base(uint32_t offset, uint32_t value);
  void write_in_size(uint32_t offset, uint32_t value);
  void write_out_size(uint32_t offset, uint32_t value);
  void write_jobs_added(uint32_t offset, uint32_t value);
  void write_jobs_removed(uint32_t offset, uint32_t value);
  void write_index(uint32_t offset, uint32_t value);
  void write_int_status(uint32_t offset, uint32_t value);
  void write_config(uint32_t offset, uint32_t value);
  void write_command(uint32_t offset, uint32_t value);
  uint32_t read_in_available(uint32_t) const { return in_size_ - queued_; }
  uint32_t read_out_full(uint32_t) const { return full_; }
  uint32_t read_in_index(uint32_t) const { return in_index_ * in_entry_bytes(); }
  uint32_t read_out_index(uint32_t) const { return out_index_ * out_entry_bytes(); }
  uint32_t read_int_status(uint32_t) const;
  uint32_t read_command(uint32_t) const;

  uint32_t in_entry_bytes() const { return wiring_.target->ptr_bytes; }
  uint32_t out_entry_bytes() const { return wiring_.target->ptr_bytes + result_bytes_; }
  BusAddr base(uint32_t offset) const;
  bool active() const { return !halted() && (queued_ || in_flight_ || full_); }

  bool read_entry(BusAddr* desc);
  void fetch_next();
  void put_result(BusAddr desc, uint32_t status, uint32_t out_bytes);
  void flush_queue();
  void progress_halt();
  void reset_ring();
  void error(RingError type);
  bool completion_due() const {
    using namespace desc::reg;
    if (full_ == 0 || !(config_ & jrcfg::kIcen)) return full_ != 0;
    return timer_fired_ || full_ >= (config_ & jrcfg::kIcdctMask) >> jrcfg::kIcdctShift;
  }
  void update_interrupt() {
    if (jri_again_ && !completion_due()) jri_again_ = false;
    wiring_.irq->set_level(!(config_ & desc::reg::jrcfg::kImsk) && (jri_ || jri_again_ || error_));
  }

  Wiring wiring_;
  RegBank bank_;

  // What the registers say, in the form it is used.
  BusAddr in_base_ = 0, out_base_ = 0;
  uint32_t config_ = 0;        // JRCFG_LS
  uint32_t result_bytes_ = 4;  // of an output entry behind the pointer
  // Sizes and indexes in entries; the registers IRRI and ORWI show bytes.
  uint32_t in_size_ = 0, out_size_ = 0;
  uint32_t queued_ = 0;    // added, not taken; the first is at in_index_
  uint32_t in_index_ = 0;  // next entry to take
  uint32_t in_flight_ = 0;
  uint32_t full_ = 0;        // results not removed yet (ORSF)
  uint32_t out_index_ = 0;   // next result goes here
  bool next_valid_ = false;  // next_ holds the entry at in_index_
  BusAddr next_ = 0;

  Halt halt_ = Halt::kRunning;
  bool jri_ = false;        // a result was reported and software has not acknowledged
  bool jri_again_ = false;  // acknowledged while results were left: asserted as long as the condition holds
  uint32_t error_ = 0;      // JRE, ERR_TYPE and ERR_ORWI in place
  uint64_t timer_ = 0;      // clocks to run, 0: stopped
  bool timer_fired_ = false;
};

}  // namespace caamlab::hw_model
