// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The job ring's registers: rows, and what a write does. Error conditions and their texts: RT1170 register header.
#include <cassert>
#include <utility>

#include "desc/regs.h"
#include "hw_model/job_ring.h"

namespace caamlab::hw_model {
namespace {

using namespace desc::reg;

constexpr uint32_t kConfigMsBits = jrcfg::kSwapMask | jrcfg::kFailMode | jrcfg::kInclSeqOut;
constexpr uint32_t kConfigLsBits = jrcfg::kImsk | jrcfg::kIcen | jrcfg::kSoe | jrcfg::kIcdctMask | jrcfg::kIcttMask;

constexpr RegSpec kRows[] = {
    {.name = "IRBA", .offset = kIrba},
    {.name = "IRBA+4", .offset = kIrba + 4},
    {.name = "IRS", .offset = kIrs},
    {.name = "IRSA", .offset = kIrsa},
    {.name = "IRJA", .offset = kIrja},
    {.name = "ORBA", .offset = kOrba},
    {.name = "ORBA+4", .offset = kOrba + 4},
    {.name = "ORS", .offset = kOrs},
    {.name = "ORJR", .offset = kOrjr},
    {.name = "ORSF", .offset = kOrsf},
    {.name = "JRSTA", .offset = kJrsta},
    {.name = "JRINT", .offset = kJrint},
    {.name = "JRCFG_MS", .offset = kJrcfgMs, .writable = kConfigMsBits},
    {.name = "JRCFG_LS", .offset = kJrcfgLs, .writable = kConfigLsBits},
    {.name = "IRRI", .offset = kIrri},
    {.name = "ORWI", .offset = kOrwi},
    {.name = "JRCR", .offset = kJrcr},
};

}  // namespace

JobRing::JobRing(Wiring wiring) : wiring_(std::move(wiring)) {
  assert(wiring_.target && wiring_.bus && wiring_.irq && wiring_.index < kMaxJobRings);
  bank_.add(kRows);
  for (const uint32_t offset : {kIrba, kIrba + 4, kOrba, kOrba + 4}) {
    bank_.on_write(offset, write_hook<&JobRing::write_base>(this));
  }
  for (const uint32_t offset : {kIrsa, kIrri, kOrsf, kOrwi}) {
    bank_.on_write(offset, write_hook<&JobRing::write_index>(this));
  }
  bank_.on_write(kIrs, write_hook<&JobRing::write_in_size>(this));
  bank_.on_write(kOrs, write_hook<&JobRing::write_out_size>(this));
  bank_.on_write(kIrja, write_hook<&JobRing::write_jobs_added>(this));
  bank_.on_write(kOrjr, write_hook<&JobRing::write_jobs_removed>(this));
  bank_.on_write(kJrint, write_hook<&JobRing::write_int_status>(this));
  bank_.on_write(kJrcfgMs, write_hook<&JobRing::write_config>(this));
  bank_.on_write(kJrcfgLs, write_hook<&JobRing::write_config>(this));
  bank_.on_write(kJrcr, write_hook<&JobRing::write_command>(this));
  bank_.on_read(kIrsa, read_hook<&JobRing::read_in_available>(this));
  bank_.on_read(kOrsf, read_hook<&JobRing::read_out_full>(this));
  bank_.on_read(kIrri, read_hook<&JobRing::read_in_index>(this));
  bank_.on_read(kOrwi, read_hook<&JobRing::read_out_index>(this));
  bank_.on_read(kJrint, read_hook<&JobRing::read_int_status>(this));
  bank_.on_read(kJrcr, read_hook<&JobRing::read_command>(this));
}

void JobRing::write_base(uint32_t offset, uint32_t value) {
  const bool input = offset < kOrba;
  if (!halted() && (input ? queued_ != 0 : full_ || in_flight_)) {
    return error(input ? RingError::kInputRegister : RingError::kOutputRegister);
  }
  const bool low_half = (offset % 8 == 0) == wiring_.target->ptr_low_word_first();
  if (low_half && value % 4) return error(input ? RingError::kInputBase : RingError::kOutputBase);
  bank_.set(offset, value);
  (input ? in_base_ : out_base_) = base(input ? kIrba : kOrba);
  if (input) next_valid_ = false;
}

// The ring starts empty with all slots available.
void JobRing::write_in_size(uint32_t offset, uint32_t value) {
  if (!halted() && queued_) return error(RingError::kInputRegister);
  in_size_ = value & kRingSizeMask;
  bank_.set(offset, in_size_);
  queued_ = 0;
  next_valid_ = false;
  if (in_index_ >= in_size_) in_index_ = 0;
}

void JobRing::write_out_size(uint32_t offset, uint32_t value) {
  if (!halted() && (full_ || in_flight_)) return error(RingError::kOutputRegister);
  if (full_ > (value & kRingSizeMask)) return error(RingError::kOrsfRange);
  out_size_ = value & kRingSizeMask;
  bank_.set(offset, out_size_);
  if (out_index_ >= out_size_) out_index_ = 0;
}

void JobRing::write_jobs_added(uint32_t, uint32_t value) {
  const uint32_t added = value & kRingSizeMask;
  if (added > in_size_ - queued_) return error(RingError::kAddedTooMany);
  queued_ += added;
  fetch_next();
  if (next_valid_ && wiring_.doorbell) wiring_.doorbell();
}

void JobRing::write_jobs_removed(uint32_t, uint32_t value) {
  const uint32_t removed = value & kRingSizeMask;
  if (removed > full_) return error(RingError::kRemovedTooMany);
  const bool was_stalled = next_valid_ && !has_job();
  full_ -= removed;
  if (halt_ == Halt::kFlushing) progress_halt();
  update_interrupt();
  if (was_stalled && has_job() && wiring_.doorbell) wiring_.doorbell();
}

// Software may place the ring's state (power management) while nothing is in it, or while it is halted.
void JobRing::write_index(uint32_t offset, uint32_t value) {
  const bool input = offset == kIrsa || offset == kIrri;
  const uint32_t size = input ? in_size_ : out_size_;
  const uint32_t entry = input ? in_entry_bytes() : out_entry_bytes();
  const bool count = offset == kIrsa || offset == kOrsf;
  if (active()) {
    return error(count ? (input ? RingError::kIrsaActive : RingError::kOrsfActive)
                       : (input ? RingError::kIrriActive : RingError::kOrwiActive));
  }
  if (count ? value > size : value > size * entry || value % entry) {
    return error(count ? (input ? RingError::kIrsaRange : RingError::kOrsfRange)
                       : (input ? RingError::kIrriRange : RingError::kOrwiRange));
  }
  const uint32_t index = count || value / entry == size ? 0 : value / entry;
  if (offset == kIrsa) queued_ = in_size_ - value;
  if (offset == kOrsf) full_ = value;
  if (offset == kIrri) in_index_ = index;
  if (offset == kOrwi) out_index_ = index;
  next_valid_ = false;
  fetch_next();
  update_interrupt();
  if (has_job() && wiring_.doorbell) wiring_.doorbell();
}

uint32_t JobRing::read_int_status(uint32_t) const {
  uint32_t value = error_;
  if (jri_ || jri_again_) value |= jrint::kJri;
  if (halted()) value |= jrint::kHaltComplete;
  if (halt_ == Halt::kParking || halt_ == Halt::kFlushing) value |= jrint::kHaltInProgress;
  return value;
}

void JobRing::write_int_status(uint32_t, uint32_t value) {
  if (value & jrint::kJre) error_ = 0;
  if (value & jrint::kJri) {
    jri_ = timer_fired_ = false;
    // "Reasserts on the next clock cycle" while results are left. Assumed: it then falls with the last of them, so a
    // handler that acknowledges first and removes afterwards is not called once more for nothing.
    jri_again_ = completion_due();
  }
  const bool resume = halted() && (value & jrint::kHaltMask) == jrint::kHaltComplete;
  if (resume) {
    halt_ = Halt::kRunning;
    fetch_next();
  }
  update_interrupt();
  if (resume && has_job() && wiring_.doorbell) wiring_.doorbell();
}

void JobRing::write_config(uint32_t offset, uint32_t value) {
  const uint32_t kept = value & (offset == kJrcfgLs ? kConfigLsBits : kConfigMsBits);
  bank_.set(offset, kept);
  if (offset == kJrcfgLs) {
    config_ = kept;
  } else {
    // Assumed: INCL_SEQ_OUT appends one word (hardware.md 11, question 43).
    result_bytes_ = kept & jrcfg::kInclSeqOut ? 8 : 4;
  }
  jri_again_ = jri_again_ || completion_due();
  update_interrupt();
}

uint32_t JobRing::read_command(uint32_t) const {
  return (halt_ == Halt::kFlushing ? jrcr::kReset : 0u) | (halt_ == Halt::kParking ? jrcr::kPark : 0u);
}

void JobRing::write_command(uint32_t, uint32_t value) {
  if (value & jrcr::kReset) {
    if (halt_ == Halt::kFlushed) return reset_ring();
    if (halt_ == Halt::kFlushing) return error(RingError::kResetEarly);
    halt_ = Halt::kFlushing;
  } else if (value & jrcr::kPark && halt_ == Halt::kRunning) {
    halt_ = Halt::kParking;
  }
  progress_halt();
  update_interrupt();
}

}  // namespace caamlab::hw_model
