// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// A timing profile from measurements of a board: the parameters that figures can determine are changed until the model
// meets them (docs/timing.md 2 says which sums they are; even splits stay conventions).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "desc/result.h"
#include "timing/figures.h"

namespace caamlab::tools {

// CSV with a header. Columns: size, depth, mbps; and if wanted cores, load (pipe), share (serial), cpus (1), keys
// (one), completion (same cpu; of batch other cpu). Lines that begin with # are skipped. Fails with line and column.
[[nodiscard]] desc::Result<std::vector<timing::Figure>> parse_measurements(std::string_view text);

struct Residual {
  timing::Figure figure;
  double model_mbps = 0, model_cores = 0;
};
struct Fit {
  timing::Profile profile;  // provenance "fitted" where a parameter moved
  std::vector<Residual> residuals;
  double rms = 0;                         // relative, over all values
  unsigned values = 0;                    // measured
  std::vector<std::string> fitted, kept;  // parameters; kept: nothing measured depends on them
};
// base: where to start, and everything that is not fitted. Fails when there is nothing to fit to.
[[nodiscard]] desc::Result<Fit> fit_profile(const timing::Profile& base, const std::vector<timing::Figure>& measured);

}  // namespace caamlab::tools
