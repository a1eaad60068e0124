// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Speed of a driver: what is to be measured, and the row that comes out. Virtual time here; real time: speed_real.h.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "desc/result.h"
#include "timing/figures.h"
#include "timing/simulate.h"

namespace caamlab::tools {

struct SpeedPoint {
  std::string driver = {};  // such as gcm-aes-caam-qi2, gcm-aes-ce
  unsigned key_bits = 0;    // 0: whatever the profile's figures are for
  timing::Scenario scenario;
};

struct SpeedRow {
  SpeedPoint point;
  bool on_core = false;  // a driver that computes on the core: share, depth and load do not matter
  timing::Outcome outcome = {};
  std::vector<std::pair<std::string, timing::Outcome>> readings =
      {};                      // by other profiles that read the same figures differently
  nlohmann::json counts = {};  // what jobs did, where they ran with their data
  std::string note = {};       // what is assumed; empty: nothing beyond the profile
};

// Drivers that the profile can say something about; fails with a sentence otherwise. `stem` + "-caam" has to be a
// driver of the kernel's.
[[nodiscard]] desc::Result<void> check_driver(const timing::Profile& profile, const std::string& driver,
                                              unsigned key_bits);
// Name of the engine's driver for an algorithm by cra_name ("gcm(aes)" -> "gcm-aes-caam-qi2"); empty if it has none.
std::string engine_driver(const timing::Profile& profile, const std::string& algorithm);

// In virtual time. The readings of the profile are measured too.
[[nodiscard]] desc::Result<SpeedRow> measure(const timing::Profile& profile, const SpeedPoint& point);

// Where two points change places as the size grows: `scenario.bytes` of each is replaced. 0: they never do.
struct Crossover {
  uint64_t bytes = 0;  // smallest size from which `winner` is ahead; 0 with a winner: at every size
  std::string winner;  // "a", "b" or empty: neither is ahead anywhere
};
// better(a, b): whether b's outcome is ahead of a's.
using Ahead = bool (*)(const timing::Outcome& a, const timing::Outcome& b);
[[nodiscard]] desc::Result<Crossover> find_crossover(const timing::Profile& profile, SpeedPoint a, SpeedPoint b,
                                                     Ahead ahead);
bool carries_more(const timing::Outcome& a, const timing::Outcome& b);
bool costs_less_cpu(const timing::Outcome& a, const timing::Outcome& b);

nlohmann::json outcome_json(const timing::Outcome& outcome);
nlohmann::json row_json(const SpeedRow& row);
std::string table_text(const std::vector<SpeedRow>& rows);
std::string csv_text(const std::vector<SpeedRow>& rows);

}  // namespace caamlab::tools
