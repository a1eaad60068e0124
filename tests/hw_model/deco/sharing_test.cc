// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The rules of sharing (hardware.md 5.2, 5.3, 5.5, 11 questions 1 to 6) as a table: every state of a flow under every
// share mode and both policies.
#include "hw_model/sharing.h"

#include <gtest/gtest.h>

namespace caamlab::tests {
namespace {

using desc::ShareMode;
using hw_model::FlowView;
using hw_model::SerialPolicy;
using hw_model::ShareDecision;
using hw_model::ShareState;
using hw_model::Verdict;

TEST(Sharing, JobOverridesSharedDescriptorUnlessItDefers) {
  for (const ShareMode of_shared : {ShareMode::kNever, ShareMode::kWait, ShareMode::kSerial, ShareMode::kAlways})
    for (const ShareMode of_job :
         {ShareMode::kNever, ShareMode::kWait, ShareMode::kSerial, ShareMode::kAlways, ShareMode::kDefer}) {
      const ShareMode want = of_job == ShareMode::kDefer ? of_shared : of_job;
      EXPECT_EQ(hw_model::effective_share({.share = of_job}, of_shared), want);
    }
}

// What a follower gets, as a word: "wait", "fresh", "self", "cross" or "error".
std::string word(const ShareDecision& d) {
  if (d.verdict == Verdict::kWait) return "wait";
  if (d.verdict == Verdict::kShareError) return "error";
  return d.state == ShareState::kFresh ? "fresh" : d.state == ShareState::kSelf ? "self" : "cross";
}

struct Row {
  const char* what;
  FlowView flow;
  // NEVER, WAIT, SERIAL, ALWAYS; then WAIT, SERIAL and ALWAYS under the cross policy
  const char *never, *wait, *serial, *always, *wait_cross, *serial_cross, *always_cross;
};
constexpr Row kRows[] = {
    {"nobody active", {}, "fresh", "fresh", "fresh", "fresh", "fresh", "fresh", "fresh"},
    {"one runs", {.running = true}, "fresh", "wait", "wait", "fresh", "wait", "wait", "fresh"},
    {"one runs and says OK",
     {.running = true, .ok_to_share = true},
     "fresh",
     "cross",
     "wait",
     "fresh",
     "cross",
     "wait",
     "fresh"},
    {"the predecessor ended", {.just_ended = true}, "fresh", "self", "self", "self", "cross", "cross", "self"},
    {"it ended in an error",
     {.just_ended = true, .ended_in_error = true},
     "fresh",
     "fresh",
     "fresh",
     "fresh",
     "error",
     "error",
     "fresh"},
    {"an earlier one waits, too", {.earlier_waiting = true}, "fresh", "wait", "wait", "fresh", "wait", "wait", "fresh"},
    {"... while one runs and says OK",
     {.running = true, .ok_to_share = true, .earlier_waiting = true},
     "fresh",
     "wait",
     "wait",
     "fresh",
     "wait",
     "wait",
     "fresh"},
    {"... and the predecessor ended",
     {.just_ended = true, .earlier_waiting = true},
     "fresh",
     "wait",
     "wait",
     "self",
     "wait",
     "wait",
     "self"},
    {"one runs, an older one ended",
     {.running = true, .just_ended = true},
     "fresh",
     "wait",
     "wait",
     "self",
     "wait",
     "wait",
     "self"},
};

TEST(Sharing, Decisions) {
  for (const Row& row : kRows) {
    const auto decide = [&](ShareMode mode, SerialPolicy policy) {
      return word(decide_sharing(mode, row.flow, policy));
    };
    for (const SerialPolicy policy : {SerialPolicy::kSelf, SerialPolicy::kCross})
      EXPECT_EQ(decide(ShareMode::kNever, policy), row.never) << row.what;
    EXPECT_EQ(decide(ShareMode::kWait, SerialPolicy::kSelf), row.wait) << row.what;
    EXPECT_EQ(decide(ShareMode::kSerial, SerialPolicy::kSelf), row.serial) << row.what;
    EXPECT_EQ(decide(ShareMode::kAlways, SerialPolicy::kSelf), row.always) << row.what;
    EXPECT_EQ(decide(ShareMode::kWait, SerialPolicy::kCross), row.wait_cross) << row.what;
    EXPECT_EQ(decide(ShareMode::kSerial, SerialPolicy::kCross), row.serial_cross) << row.what;
    EXPECT_EQ(decide(ShareMode::kAlways, SerialPolicy::kCross), row.always_cross) << row.what;
  }
}

// Whatever the state: SHRD only where there is somebody to have it from, and never in a flow's first job.
TEST(Sharing, NothingIsSharedWithoutASource) {
  for (unsigned bits = 0; bits < 32; ++bits)
    for (const ShareMode mode : {ShareMode::kNever, ShareMode::kWait, ShareMode::kSerial, ShareMode::kAlways})
      for (const SerialPolicy policy : {SerialPolicy::kSelf, SerialPolicy::kCross}) {
        const FlowView flow{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0, (bits & 16) != 0};
        const ShareDecision d = decide_sharing(mode, flow, policy);
        if (d.verdict != Verdict::kStart || d.state == ShareState::kFresh) continue;
        EXPECT_NE(mode, ShareMode::kNever);
        EXPECT_TRUE(flow.just_ended || (flow.running && flow.ok_to_share)) << bits;
        if (d.state == ShareState::kSelf) {
          EXPECT_TRUE(flow.just_ended) << "a DECO at work cannot be had";
        }
      }
}

}  // namespace
}  // namespace caamlab::tests
