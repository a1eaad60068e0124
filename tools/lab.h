// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// A whole machine: a platform's CAAM, memory, a registry, the CAAM driver bound to the device and the software drivers
// beside it. What tests, benchmarks and the command line start from.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/registry.h"
#include "desc/result.h"
#include "driver/caam/ctrl.h"
#include "driver/software/software.h"
#include "hw_model/caam.h"
#include "hw_model/memory.h"
#include "hw_model/platform.h"

namespace caamlab::tools {

struct LabOptions {
  driver::caam::CaamOptions driver;    // share mode, ring depth, ...; its log is kept as well as passed on
  hw_model::CaamOptions hardware;      // serial policy, random seed, ...
  hw_model::DmaSpace::Options memory;  // addr_bits: set from the platform
  api::Registry::Options registry;
  bool caam_driver = true;      // bind the CAAM driver
  bool generic_drivers = true;  // the portable software implementations and their compositions
  bool cpu_drivers = true;      // those with CPU instructions
  // Runs while the driver polls or waits, in place of the device's next step; returns false when it is not in charge
  // (yet), and the step is taken as usual.
  std::function<bool()> relax;
};

// The device as the driver may see it, from a model and what a device tree would say about its platform.
driver::caam::CaamDevice caam_device(hw_model::Caam& caam, hw_model::DmaMemory& memory);

// Lab owns everything in it. Requests make progress inside crypto_wait_req() (the registry's idle function runs the
// device), run(), or caam().run(). Destroy transforms first.
class Lab {
 public:
  // Fails when the platform is not known (a name, an alias or a file, see resolve_platform), with a sentence; or when
  // a driver does not come up.
  [[nodiscard]] static desc::Result<std::unique_ptr<Lab>> make(const std::string& platform, LabOptions options = {});
  [[nodiscard]] static desc::Result<std::unique_ptr<Lab>> make(const hw_model::Platform& platform,
                                                               LabOptions options = {});
  ~Lab();
  Lab(const Lab&) = delete;
  Lab& operator=(const Lab&) = delete;

  api::Registry& registry() { return registry_; }
  hw_model::Caam& caam() { return caam_; }
  hw_model::DmaSpace& dma() { return dma_; }
  driver::caam::CaamHandle& driver() { return driver_; }  // null when not bound
  const hw_model::Platform& platform() const { return caam_.platform(); }
  // What the driver logged, one line each, oldest first; at most kMaxLog.
  const std::vector<std::string>& log() const { return log_; }
  void clear_log() { log_.clear(); }

  // Runs the device and the driver's queues until nothing moves any more. Returns the number of jobs run.
  uint64_t run();
  // Binds the CAAM driver (again). 0 or what caam_probe() said.
  int probe();

  static constexpr size_t kMaxLog = 1000;

 private:
  Lab(const hw_model::Platform& platform, LabOptions options);
  int start_software();

  LabOptions options_;
  std::vector<std::string> log_;
  hw_model::DmaSpace dma_;
  hw_model::Caam caam_;
  api::Registry registry_;
  std::vector<driver::software::Algorithms> software_;
  driver::caam::CaamHandle driver_;
};

}  // namespace caamlab::tools
