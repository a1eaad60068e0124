// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Built-in protocols (hardware.md 2.15). A protocol runs to its end inside its OPERATION: it reads its PDB from the
// descriptor buffer, its data through d.dma and the sequences, and returns d.fail(...) or Flow::kNext. Each sits in a
// file of its own in hw_model/protocol/ and has one row in hw_model/protocol/table.cc.
#pragma once

#include "hw_model/deco/deco.h"

namespace caamlab::hw_model {

using ProtocolFn = Flow (*)(Deco& d, const desc::ProtocolOperation& cmd);

// Null: this type and PROTID are not a protocol here (DECO error 0x81).
ProtocolFn find_protocol(const desc::ProtocolOperation& cmd);

}  // namespace caamlab::hw_model
