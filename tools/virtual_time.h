// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The real driver, rings and DECOs in virtual time: jobs run with their data, and what each did is charged by the
// platform's costs (timing/costs.h): the bytes that went through a CHA, an IV and associated data among them. Shares
// all but the engine's queueing with timing/simulate.h: that is the scheduler's own here.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "desc/result.h"
#include "timing/simulate.h"

namespace caamlab::tools {

enum class FaultKind : uint8_t {
  kLostInterrupt,  // one interrupt is never delivered
  kDecoStall,      // the next job that starts takes `for_us` longer
  kDecoHang,       // the next job that starts never ends by itself
  kReset,          // the driver resets all rings with requests in flight
};
struct Fault {
  FaultKind kind = FaultKind::kLostInterrupt;
  double at_us = 0;
  double for_us = 0;  // stall
};

struct VirtualRun {
  std::string driver = "gcm-aes-caam";
  unsigned key_bits = 0;
  timing::Scenario scenario = {};  // streams need a ring each: at most as many CPUs as rings
  unsigned ring_depth_log2 = 9;
  bool may_backlog = false;
  std::vector<Fault> faults = {};
};

struct VirtualOutcome {
  timing::Outcome outcome;
  std::string driver;             // who it was
  uint64_t submitted = 0;         // accepted by the API
  uint64_t completed = 0;         // with success
  uint64_t failed = 0;            // with an error
  uint64_t refused = 0;           // -ENOSPC, and tried again later
  uint64_t waited_for_reset = 0;  // came back only when the driver reset its rings at the end
  uint64_t never_completed = 0;   // not even then: always 0, or the driver has lost a request
  uint64_t keys_loaded = 0, keys_reused = 0, words_fetched = 0;
  size_t leaked_mappings = 0;  // DMA mappings that the run left behind
  // Output of the last round of each slot.
  std::vector<std::vector<uint8_t>> outputs;
};

// Runs the scenario on the platform that the profile names, with the faults, then lets everything drain; what does not
// come back by itself is reset. Fails with a sentence when the platform or the driver is not known.
[[nodiscard]] desc::Result<VirtualOutcome> run_virtual(const timing::Profile& profile, const VirtualRun& run);

}  // namespace caamlab::tools
