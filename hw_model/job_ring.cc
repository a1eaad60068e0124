// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The job ring's queue, results, halt handshake and interrupt: see job_ring.h. Register writes: job_ring_regs.cc.
#include "hw_model/job_ring.h"

#include <array>
#include <cassert>
#include <span>
#include <utility>

#include "desc/regs.h"
#include "hw_model/memory.h"

namespace caamlab::hw_model {
namespace {

using namespace desc::reg;

constexpr unsigned kClocksPerTimerUnit = 64;
constexpr uint32_t kStatusBytes = 4;
constexpr uint32_t kStatusJobRing = 0x60000000;  // SSRC 6

}  // namespace

const char* ring_error_name(RingError error) {
  switch (error) {
    case RingError::kNone:
      return "no error";
    case RingError::kOutputWrite:
      return "error writing a result to the output ring";
    case RingError::kInputBase:
      return "bad input ring base address";
    case RingError::kOutputBase:
      return "bad output ring base address";
    case RingError::kInputRegister:
      return "IRBA or IRS written with jobs in the input ring";
    case RingError::kOutputRegister:
      return "ORBA or ORS written with results or jobs under way";
    case RingError::kResetEarly:
      return "reset before the ring was halted";
    case RingError::kRemovedTooMany:
      return "more results removed than there are";
    case RingError::kAddedTooMany:
      return "more jobs added than there is room";
    case RingError::kOrsfRange:
      return "ORSF above ORS";
    case RingError::kIrsaRange:
      return "IRSA above IRS";
    case RingError::kOrwiRange:
      return "ORWI beyond the output ring";
    case RingError::kIrriRange:
      return "IRRI beyond the input ring";
    case RingError::kIrsaActive:
      return "IRSA written while the ring is active";
    case RingError::kIrriActive:
      return "IRRI written while the ring is active";
    case RingError::kOrsfActive:
      return "ORSF written while the ring is active";
    case RingError::kOrwiActive:
      return "ORWI written while the ring is active";
  }
  return "unknown";
}

BusAddr JobRing::base(uint32_t offset) const {
  const uint32_t words[2] = {bank_.get(offset), bank_.get(offset + 4)};
  const unsigned low = wiring_.target->ptr_low_word_first() ? 0 : 1;
  return BusAddr{words[1 - low]} << 32 | words[low];
}

bool JobRing::read_entry(BusAddr* desc) {
  const desc::Target& target = *wiring_.target;
  const BusAddr addr = in_base_ + BusAddr{in_index_} * target.ptr_bytes;
  std::array<uint8_t, 8> copy;
  const uint8_t* raw = nullptr;
  const std::span<uint8_t> view = wiring_.bus->window(addr, target.ptr_bytes, DmaDirection::kToDevice);
  if (view.size() == target.ptr_bytes) {
    raw = view.data();
  } else if (!view.empty() && bus_read(*wiring_.bus, addr, std::span(copy).first(target.ptr_bytes))) {
    raw = copy.data();
  } else {
    if (wiring_.on_fault) wiring_.on_fault(addr, false, target.ptr_bytes);
    return false;
  }
  uint32_t words[2] = {desc::load32(raw, target.endian), 0};
  if (target.ptr_bytes == 8) words[1] = desc::load32(raw + 4, target.endian);
  *desc = desc::pointer_from_words(words, target);
  return true;
}

// Keeps the next entry at hand, so that has_job() costs nothing and take() cannot fail.
void JobRing::fetch_next() {
  if (next_valid_ || queued_ == 0 || halt_ != Halt::kRunning) return;
  next_valid_ = read_entry(&next_);
  if (next_valid_) return;
  // Assumed: the manual names no error for an input ring that cannot be read; the ring reports its base and halts, so
  // that software can repair it and resume.
  error(RingError::kInputBase);
  halt_ = Halt::kParking;
  progress_halt();
}

BusAddr JobRing::take() {
  assert(has_job());
  const BusAddr desc = next_;
  next_valid_ = false;
  if (++in_index_ == in_size_) in_index_ = 0;
  --queued_;
  ++in_flight_;
  fetch_next();
  return desc;
}

void JobRing::complete(BusAddr desc, uint32_t status, uint32_t out_bytes) {
  assert(in_flight_ > 0);
  --in_flight_;
  put_result(desc, status, out_bytes);
  if (halt_ != Halt::kRunning) progress_halt();
  update_interrupt();
}

void JobRing::put_result(BusAddr desc, uint32_t status, uint32_t out_bytes) {
  const desc::Target& target = *wiring_.target;
  const uint32_t entry_bytes = out_entry_bytes();
  const BusAddr addr = out_base_ + BusAddr{out_index_} * entry_bytes;
  std::array<uint8_t, 16> copy;
  const std::span<uint8_t> view = wiring_.bus->window(addr, entry_bytes, DmaDirection::kFromDevice);
  const bool direct = view.size() == entry_bytes;
  uint8_t* raw = direct ? view.data() : copy.data();

  uint32_t words[2];
  desc::pointer_to_words(words, desc, target);
  desc::store32(raw, words[0], target.endian);
  if (target.ptr_bytes == 8) desc::store32(raw + 4, words[1], target.endian);
  desc::store32(raw + target.ptr_bytes, status, target.endian);
  if (entry_bytes > target.ptr_bytes + 4u) desc::store32(raw + target.ptr_bytes + 4, out_bytes, target.endian);

  bank_.set(kJrsta, status);
  if (!direct && (view.empty() || !bus_write(*wiring_.bus, addr, std::span(copy).first(entry_bytes)))) {
    // Assumed: the result is lost, and the index stays where the next one may succeed.
    if (wiring_.on_fault) wiring_.on_fault(addr, true, entry_bytes);
    error(RingError::kOutputWrite);
    return;
  }
  if (++out_index_ == out_size_) out_index_ = 0;
  ++full_;
  if (config_ & jrcfg::kIcen) timer_ = uint64_t{config_ >> jrcfg::kIcttShift} * kClocksPerTimerUnit;
  if (completion_due()) jri_ = true;
}

// Jobs that never reached a DECO are reported in ring order, after those that did, as far as there is room.
void JobRing::flush_queue() {
  next_valid_ = false;
  while (queued_ && full_ < out_size_) {
    BusAddr desc = 0;
    const bool known = read_entry(&desc);
    if (++in_index_ == in_size_) in_index_ = 0;
    --queued_;
    if (known) {
      put_result(desc, kStatusJrReset, 0);
    } else {
      error(RingError::kInputBase);
    }
  }
}

void JobRing::progress_halt() {
  if (in_flight_) return;
  if (halt_ == Halt::kParking) halt_ = Halt::kParked;
  if (halt_ != Halt::kFlushing) return;
  flush_queue();
  if (queued_ == 0) halt_ = Halt::kFlushed;
}

void JobRing::reset_ring() {
  for (const uint32_t offset : {kIrba, kIrba + 4, kIrs, kOrba, kOrba + 4, kOrs, kJrsta}) bank_.set(offset, 0);
  in_base_ = out_base_ = 0;
  in_size_ = out_size_ = queued_ = in_index_ = in_flight_ = full_ = out_index_ = 0;
  next_valid_ = false;
  halt_ = Halt::kRunning;
  jri_ = jri_again_ = timer_fired_ = false;
  error_ = 0;
  timer_ = 0;
  update_interrupt();
}

void JobRing::hard_reset() {
  bank_.reset();
  config_ = 0;
  result_bytes_ = kStatusBytes;
  reset_ring();
}

// Assumed: the first error stays until software clears JRE.
void JobRing::error(RingError type) {
  bank_.set(kJrsta, kStatusJobRing | static_cast<uint32_t>(type));
  if (error_ == 0) {
    error_ = jrint::kJre | static_cast<uint32_t>(type) << jrint::kErrTypeShift |
             ((out_index_ * out_entry_bytes()) << jrint::kErrOrwiShift & jrint::kErrOrwiMask);
  }
  update_interrupt();
}

void JobRing::tick(uint64_t clocks) {
  if (timer_ == 0) return;
  timer_ -= clocks < timer_ ? clocks : timer_;
  if (timer_ || full_ == 0) return;
  timer_fired_ = true;
  jri_ = true;
  update_interrupt();
}

std::optional<uint64_t> JobRing::next_deadline() const {
  return timer_ && full_ ? std::optional(timer_) : std::nullopt;
}

}  // namespace caamlab::hw_model
