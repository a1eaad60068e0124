// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// A level-triggered interrupt line between a part of the device and the software's handler. Raising the line only
// records the level; the device's run loop calls deliver(), so a handler never runs inside a register write.
// Left out: the interrupt controller (affinity, priorities).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "hw_model/bus.h"

namespace caamlab::hw_model {

class LevelIrq final : public IrqLine {
 public:
  void request_irq(Handler handler) override;
  void free_irq() override;

  // Device side. Any thread.
  void set_level(bool high) { level_.store(high, std::memory_order_release); }
  bool level() const { return level_.load(std::memory_order_acquire); }

  // Would deliver() call the handler?
  bool deliverable() const { return level() && !running_ && handler_ != nullptr && *handler_ != nullptr; }
  // Calls the handler once if the line is high, somebody listens and no handler of this line is running. True if it
  // was called; if the handler left the line high, the next call delivers again, as a level does.
  bool deliver();

  uint64_t delivered() const { return delivered_; }  // handler calls so far

 private:
  std::shared_ptr<const Handler> handler_;  // shared with a call in progress: a handler may free its own line
  std::atomic<bool> level_{false};
  bool running_ = false;
  uint64_t delivered_ = 0;
};

}  // namespace caamlab::hw_model
