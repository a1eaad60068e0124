// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Deliberate faults in what jobs do to memory (options.h). Fault::kNothing is the run loop's (guest_device.cc).
#pragma once

#include "tools/qemu/job_watch.h"
#include "tools/qemu/options.h"

namespace caamlab::tools::qemu {

class FaultListener final : public JobListener {
 public:
  FaultListener(Fault fault, uint64_t job) : fault_(fault), refused_job_(job) {}
  bool allow(const SeenJob& job) override;
  void job_done(const SeenJob& job) override;
  uint64_t injected() const { return injected_; }  // jobs whose result was spoiled

 private:
  const Fault fault_;
  const uint64_t refused_job_;
  uint64_t ring_jobs_ = 0;  // done
  uint64_t injected_ = 0;
};

}  // namespace caamlab::tools::qemu
