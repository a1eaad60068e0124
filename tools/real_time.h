// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Speed on this host, by its clock: a software driver, or the CAAM driver with the model behind it. Says what caamlab
// costs, nothing about the speed of a CAAM.
#pragma once

#include <string>

#include "desc/result.h"
#include "timing/simulate.h"

namespace caamlab::tools {

struct RealRun {
  std::string platform = "lx2160a";  // of hw_model
  std::string driver = "gcm-aes-caam";
  unsigned key_bits = 0;
  timing::Scenario scenario = {};  // one CPU; bytes, depth, keys, share and load
  double seconds = 1;
  unsigned workers = 0;  // threads that run the device's jobs; 0: the caller's runs everything
};
// Latency is from submission to callback. interrupts_per_request is the device's.
[[nodiscard]] desc::Result<timing::Outcome> run_real(const RealRun& run);

}  // namespace caamlab::tools
