// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See sharing.h.
#include "hw_model/sharing.h"

namespace caamlab::hw_model {

using desc::ShareMode;

ShareMode effective_share(const desc::JobHeader& job, ShareMode of_shared) {
  return job.share == ShareMode::kDefer ? of_shared : job.share;
}

ShareDecision decide_sharing(ShareMode mode, const FlowView& flow, SerialPolicy policy) {
  constexpr ShareDecision kWait{Verdict::kWait, ShareState::kFresh};
  constexpr ShareDecision kFresh{Verdict::kStart, ShareState::kFresh};
  const ShareState after = policy == SerialPolicy::kCross ? ShareState::kCross : ShareState::kSelf;
  switch (mode) {
    case ShareMode::kNever:
      return kFresh;
    case ShareMode::kAlways:
      // Only the descriptor is promised; behind a job of its own flow on the same DECO the rest is there as well.
      return flow.just_ended && !flow.ended_in_error ? ShareDecision{Verdict::kStart, ShareState::kSelf} : kFresh;
    case ShareMode::kWait:
      if (flow.earlier_waiting) return kWait;
      if (flow.running) return flow.ok_to_share ? ShareDecision{Verdict::kStart, ShareState::kCross} : kWait;
      break;
    default:
      if (flow.earlier_waiting || flow.running) return kWait;
      break;
  }
  if (!flow.just_ended) return kFresh;
  if (!flow.ended_in_error) return {Verdict::kStart, after};
  // A failed job's DECO is cleared. On it the follower starts afresh; one that would copy from it fails.
  return after == ShareState::kCross ? ShareDecision{Verdict::kShareError, ShareState::kFresh} : kFresh;
}

}  // namespace caamlab::hw_model
