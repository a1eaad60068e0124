// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Settings of the attached device. QEMU knows nothing of it, so they come from the environment.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "desc/result.h"

namespace caamlab::tools::qemu {

// Deliberate faults, to show that a guest's self-tests notice them.
enum class Fault : uint8_t {
  kNone,
  kNothing,  // jobs are reported as done and are not run
  kGcmTag,   // a bit of every AES-GCM tag written is wrong
  kCbcIv,    // a bit of every IV that a CBC job writes back is wrong
  kDma,      // the bus refuses the data of one job
};

struct Options {
  std::string platform = "ls1046a";  // name, or path of a platform file
  Fault fault = Fault::kNone;
  uint64_t fault_job = 0;   // with kDma: which job of the rings, counted from 1
  std::string trace = {};   // file for the jobs seen, one a line in the format of tests/replay; empty: none
  std::string report = {};  // file for the counts at exit; empty: none
};

// CAAM_QEMU_PLATFORM, CAAM_QEMU_FAULT (none, nothing, gcm-tag, cbc-iv, dma:JOB), CAAM_QEMU_TRACE, CAAM_QEMU_REPORT.
// `get` is getenv() or a stand-in. The error names the variable and what it may hold.
desc::Result<Options> options_from(const std::function<const char*(const char*)>& get);

}  // namespace caamlab::tools::qemu
