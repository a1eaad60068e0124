// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Which driver for a workload: every candidate of a platform measured in virtual time, under each reading of the
// platform's figures, and what the present priorities would give (docs/timing.md 6.3).
#pragma once

#include <string>
#include <vector>

#include "desc/result.h"
#include "tools/speed.h"

namespace caamlab::tools {

struct Workload {
  std::string algorithm = "gcm(aes)";
  uint64_t size = 4096;
  unsigned inflight = 1;
  unsigned keys = 1, cpus = 1;
  bool sync = false;  // the caller waits for each request
};
// "size=4096 inflight=1 sync"; also keys=, cpus=, alg=, async. Fails with what it does not understand.
[[nodiscard]] desc::Result<Workload> parse_workload(const std::string& text);

struct Candidate {
  std::string driver;
  std::string share;  // empty: on the core
  int priority = 0;
  timing::Outcome outcome;
};
// What one reading of the figures says. Indexes into `candidates`.
struct Advice {
  std::string profile;
  std::vector<Candidate> candidates;
  size_t fastest = 0;
  size_t cheapest = 0;   // least CPU time per byte
  size_t preferred = 0;  // least CPU time among those that carry at least 90 % of the fastest
};
struct AdviceReport {
  Workload workload;
  std::vector<Advice> readings;  // the profile's own first
  std::string present;           // driver that the priorities give today, with the share mode as it is
  bool agreed = true;            // all readings prefer the same driver
  std::string change;            // line for crconf, or empty: nothing has to change
};
// share: of the CAAM's shared descriptors as the system is now. engine_priority 0: the profile's generation, 3000 for
// job rings and 2000 for queue interfaces (100 from 2026 on: give it).
[[nodiscard]] desc::Result<AdviceReport> advise(const timing::Profile& profile, const Workload& workload,
                                                const std::string& share, int engine_priority);
std::string advice_text(const AdviceReport& report);
nlohmann::json advice_json(const AdviceReport& report);

}  // namespace caamlab::tools
