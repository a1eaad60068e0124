// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Time in the simulation: whole picoseconds, so that sums are exact and runs repeat bit for bit. 2^63 ps are 106 days.
// Data and results are in microseconds and in MB/s (10^6 bytes per second, a byte per microsecond).
#pragma once

#include <cstdint>

namespace caamlab::timing {

using Time = int64_t;

inline constexpr double kPsPerUs = 1e6;
constexpr Time from_us(double us) { return static_cast<Time>(us * kPsPerUs + 0.5); }
constexpr double to_us(Time t) { return static_cast<double>(t) / kPsPerUs; }

}  // namespace caamlab::timing
