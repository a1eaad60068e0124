// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam speed in parts: its options, and what it can do with them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/cli.h"
#include "tools/real_time.h"
#include "tools/speed.h"
#include "tools/virtual_time.h"

namespace caamlab::tools {

struct SpeedCommand {
  std::string platform = "lx2160a";
  std::vector<std::string> drivers, share{"serial"}, size, inflight, cpus{"1"}, keys{"1"}, compare, tcrypt;
  std::string load, completion, key_bits = "0", requests = "0", workers = "0", figures;
  std::string mode, sec = "0", num_mb = "8", algorithm;
  std::string plot, trace, html;
  std::vector<std::string> faults;
  bool data = false, real = false;
  bool published = false, json = false, csv = false, progress = false;
};

// A bar on the terminal, out of the way of the output.
class Progress {
 public:
  // wanted: even where standard error is no terminal, or there is little to do.
  Progress(Session& session, bool wanted, size_t total);
  ~Progress();
  void step();

 private:
  Session& session_;
  const bool shown_;
  const size_t total_;
  size_t done_ = 0;
};

// Whole numbers above 0.
std::vector<uint64_t> numbers(std::string_view option, const std::vector<std::string>& texts, uint64_t max);
desc::ShareMode share_argument(const std::string& name);
Fault fault_argument(const std::string& text);  // "stall@3000:700"
timing::Scenario base_scenario(const SpeedCommand& c);
// Every combination of the lists given, sizes innermost. More CPUs than the platform has are refused.
std::vector<SpeedPoint> points_of(const SpeedCommand& c, const timing::Profile& profile);

void speed_sweep(Session& session, const SpeedCommand& c, const timing::Profile& profile);
void speed_compare(Session& session, SpeedCommand c, const timing::Profile& profile);        // --compare
void speed_figures(Session& session, const SpeedCommand& c);                                 // --published, --figures
void speed_tcrypt(Session& session, const SpeedCommand& c, const timing::Profile& profile);  // --mode

}  // namespace caamlab::tools
