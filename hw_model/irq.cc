// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Level-triggered interrupt line: see irq.h.
#include "hw_model/irq.h"

#include <utility>

namespace caamlab::hw_model {

void LevelIrq::request_irq(Handler handler) { handler_ = std::make_shared<const Handler>(std::move(handler)); }

void LevelIrq::free_irq() { handler_.reset(); }

bool LevelIrq::deliver() {
  if (!deliverable()) return false;
  const std::shared_ptr<const Handler> handler = handler_;
  running_ = true;
  ++delivered_;
  (*handler)();
  running_ = false;
  return true;
}

}  // namespace caamlab::hw_model
