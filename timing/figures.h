// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Figures against the model: what a published or required figure comes to on a profile.
#pragma once

#include "timing/simulate.h"

namespace caamlab::timing {

// The scenario of a figure; fails with what it does not understand.
[[nodiscard]] desc::Result<Scenario> scenario_of(const Figure& figure);
// Runs it, on the engine or on the core. `profile` is the figure's.
[[nodiscard]] desc::Result<Outcome> outcome_of(const Figure& figure, const Profile& profile);

// One value of a figure beside what the model says.
struct Compared {
  const char* metric;  // "mbps", "cores", "irq_per_req", "latency_us", "engine_busy"
  double figure, model;
  double off;        // relative; irq_per_req: absolute
  double tolerance;  // of `off`
  bool ok() const { return off <= tolerance && off >= -tolerance; }
};
// Each value the figure has. tolerance 0 in the figure: that of a reference row (docs/timing.md 8).
std::vector<Compared> compare(const Figure& figure, const Outcome& outcome);

std::optional<Load> load_of(std::string_view name);
std::optional<desc::ShareMode> share_of(std::string_view name);
const char* load_name(Load load);

}  // namespace caamlab::timing
