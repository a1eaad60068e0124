// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// OPERATION (hardware.md 2.13 to 2.15).
#include "hw_model/deco/deco.h"
#include "hw_model/deco/protocol.h"

namespace caamlab::hw_model {

using namespace desc;

Flow exec(Deco& d, const AlgOperation& cmd) {
  const Ccb::Class c = cmd.cls == ClassSel::kClass1 ? Ccb::kClass1 : Ccb::kClass2;
  if (!d.wait_class(cmd.cls)) return Flow::kStop;
  if (d.ccb.regs(c).mode_written) {
    if (d.options().strict_mode_clear) return d.fail(cha_of(cmd.alg), CcbError::kClass1NotReset);
    d.ccb.clear_mode(c);
  }
  if (cmd.alg == Alg::kRng) return d.start_rng(cmd);
  if (const Ccb::Fault fault = d.ccb.start(cmd)) return d.fail(fault.cha, fault.error);
  return Flow::kNext;
}

// PKHA works on memory that earlier FIFO LOADs filled, so it runs to its end here.
Flow exec(Deco& d, const PkOperation& cmd) {
  if (!d.settle()) return Flow::kStop;
  return d.run_pkha(cmd);
}

Flow exec(Deco& d, const ProtocolOperation& cmd) {
  if (!d.settle()) return Flow::kStop;
  const ProtocolFn run = find_protocol(cmd);
  return run != nullptr ? run(d, cmd) : d.fail(DecoError::kProtocolUndefined);
}

}  // namespace caamlab::hw_model
