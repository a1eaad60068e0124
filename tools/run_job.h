// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam run --job: one descriptor from elsewhere (U-Boot, OP-TEE, DPDK, a log) on the model, with the memory it needs.
#pragma once

#include <string>
#include <vector>

#include "tools/cli.h"
#include "tools/replay.h"

namespace caamlab::tools {

struct RunJobOptions {
  std::string job, shared;  // files with words; shared: empty if the job has none, or --mem holds it
  std::string job_addr = "0xf0000000";
  std::vector<std::string> mem;  // ADDR=HEX or ADDR=@FILE: what lies there, data and tables
  TargetOptions target;
  int era = 10;
  bool trace = false, json = false;
};

void add_run_job_options(CLI::App& sub, RunJobOptions& options);
void run_job(Session& session, const RunJobOptions& options);

}  // namespace caamlab::tools
