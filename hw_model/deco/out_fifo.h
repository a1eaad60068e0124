// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The output side of the data path (hardware.md 3.1): one byte stream, fed by the class 1 CHA and by MOVE and LOAD,
// drained in command order by FIFO STORE, MOVE and MATH. While a FIFO STORE waits for data, producers write straight
// into its memory; bytes pass through the buffer only when nobody waits for them yet.
#pragma once

#include <optional>

#include "hw_model/cha/cha.h"
#include "hw_model/deco/fifo.h"

namespace caamlab::hw_model {

class OutFifo final : public Output {
 public:
  // More than this without a taker counts as a hung DECO: real FIFOs block much earlier.
  static constexpr size_t kMaxBuffered = size_t{64} << 20;

  std::span<uint8_t> window(size_t want) override;
  void commit(size_t n) override;

  // One run of memory that a FIFO STORE fills.
  void add_store(std::span<uint8_t> run);
  uint64_t store_pending() const { return store_pending_; }

  // MOVE or MATH from OFIFO: takes `out` bytes; false, and nothing taken, when stores issued earlier still wait, an
  // NFIFO entry issued earlier has not copied them yet, or too few are there.
  bool pop(std::span<uint8_t> out);

  // An NFIFO entry with source OFIFO copies what its head will be after the stores issued so far (hardware.md 3.1).
  uint64_t head_after_stores() const { return claimed_; }
  // Bytes from stream position `at` on; empty when not there yet. Valid until the next output.
  ByteSpan peek(uint64_t at, size_t len) const;
  // Keeps bytes from stream position `at` on in the buffer until released, whoever claims them.
  void hold(std::optional<uint64_t> at);

  // For class 2 snooping class 1: the window given out last, what the last commit wrote, and whether that is the memory
  // of a store (which stays) or the buffer (which moves).
  ByteSpan current_window() const { return window_; }
  ByteSpan last_output() const { return last_output_; }
  bool last_was_direct() const { return direct_; }

  uint64_t produced() const { return produced_; }
  bool overflowed() const { return overflowed_; }
  void reset_data();  // CLRW, DECO control: buffered bytes are dropped
  void reset_job();

 private:
  void drain();
  size_t buffered() const { return end_ - head_; }
  uint64_t popped() const { return produced_ - buffered(); }

  Fifo<std::span<uint8_t>> stores_;
  uint64_t store_pending_ = 0;
  std::vector<uint8_t> buffer_;
  size_t head_ = 0, end_ = 0;
  uint64_t produced_ = 0, claimed_ = 0;
  std::optional<uint64_t> hold_;
  ByteSpan last_output_;
  std::span<uint8_t> window_;
  bool direct_ = false, overflowed_ = false;
};

}  // namespace caamlab::hw_model
