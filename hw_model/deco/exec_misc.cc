// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Commands that end, refuse or redirect: headers met as commands, SIGNATURE, EXTERNAL KEY TRANSFER, unknown words
// (hardware.md 2.1, 2.2, 2.12).
#include "hw_model/deco/deco.h"

namespace caamlab::hw_model {

Flow exec(Deco& d, const desc::InvalidCommand& cmd) {
  return d.fail(desc::ctype(cmd.word) == 0x10 ? DecoError::kOperation : DecoError::kInvalidCommand);
}

// A shared header reached by execution is an absolute jump to its START INDEX; computed jumps are built on that.
Flow exec(Deco& d, const desc::SharedHeader& cmd) {
  if (cmd.start > d.total_words()) return d.fail(DecoError::kSharedHeader);
  d.goto_index(cmd.start == 0 ? 1 : cmd.start);
  return Flow::kNext;
}

Flow exec(Deco& d, const desc::JobHeader&) { return d.fail(DecoError::kJobHeader); }

// Only trusted descriptors are signed, and none runs here.
Flow exec(Deco& d, const desc::Signature&) { return d.fail(DecoError::kSignature); }

Flow exec(Deco& d, const desc::ExternalKey&) { return d.fail(DecoError::kInvalidCommand); }

}  // namespace caamlab::hw_model
