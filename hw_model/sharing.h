// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The rules of descriptor sharing (hardware.md 5), free of any machinery: given a waiting job and what the DECOs do,
// may it start, where, and what does it find there? Assumptions are those of hardware.md 5.6 and 11 (1 to 7).
#pragma once

#include "hw_model/deco/fetch.h"

namespace caamlab::hw_model {

enum class ShareState : uint8_t {
  kFresh,  // nothing: descriptors come from memory; SHRD = SELF = 0
  kCross,  // shared descriptor and keys copied from another DECO; SHRD = 1, SELF = 0
  kSelf,   // the DECO that ran the predecessor; SHRD = SELF = 1, context kept with SAVECTX
};

// Where a serial follower goes. kSelf is how LS1046A measurements explain themselves; kCross is the stress mode in
// which descriptors that rely on kept context go wrong.
enum class SerialPolicy : uint8_t { kSelf, kCross };

// What a job asks for: the job descriptor's SHARE, or with DEFER the shared descriptor's.
desc::ShareMode effective_share(const desc::JobHeader& job, desc::ShareMode of_shared);

// The state of the flow (jobs of one shared descriptor) that a waiting job belongs to.
struct FlowView {
  bool running = false;          // a DECO runs a job of the flow
  bool ok_to_share = false;      // and has said that it may be shared (DECO control, or a protocol)
  bool just_ended = false;       // the predecessor ended while this job waited, and its DECO still holds everything
  bool ended_in_error = false;   // ... with an error it wants to pass on
  bool earlier_waiting = false;  // an earlier job of the flow waits too
};

enum class Verdict : uint8_t { kWait, kStart, kShareError };
struct ShareDecision {
  Verdict verdict = Verdict::kWait;
  ShareState state = ShareState::kFresh;
};
ShareDecision decide_sharing(desc::ShareMode mode, const FlowView& flow, SerialPolicy policy);

}  // namespace caamlab::hw_model
