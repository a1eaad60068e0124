// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Rows of caam speed as a picture: MB/s against whatever varies most (size, depth, CPUs or keys), a line for each of
// the rest, published figures as points. Drawn by gnuplot.
#pragma once

#include <string>
#include <vector>

#include "tools/speed.h"

namespace caamlab::tools {

// The script. `output` ends in .svg or .png.
std::string gnuplot_script(const timing::Profile& profile, const std::vector<SpeedRow>& rows,
                           const std::string& output);
// Draws; fails with a sentence when gnuplot is not there or does not like it. A file that ends in .gp gets the script.
[[nodiscard]] desc::Result<void> plot(const timing::Profile& profile, const std::vector<SpeedRow>& rows,
                                      const std::string& output);
// A page that needs nothing else: pictures and table.
[[nodiscard]] desc::Result<std::string> html_report(const timing::Profile& profile, const std::vector<SpeedRow>& rows);

}  // namespace caamlab::tools
