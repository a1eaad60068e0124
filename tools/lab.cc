// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See lab.h.
#include "tools/lab.h"

#include <fmt/format.h>

#include "api/errno.h"

namespace caamlab::tools {
namespace {

hw_model::DmaSpace::Options memory_options(const hw_model::Platform& platform, hw_model::DmaSpace::Options options) {
  options.addr_bits = platform.dma_bits();
  return options;
}

// 0, or what registration said.
template <class Result>
int keep(std::vector<driver::software::Algorithms>& list, Result result) {
  if (!result) return result.error();
  list.push_back(std::move(*result));
  return 0;
}

}  // namespace

driver::caam::CaamDevice caam_device(hw_model::Caam& caam, hw_model::DmaMemory& memory) {
  const hw_model::Platform& platform = caam.platform();
  driver::caam::CaamDevice device;
  device.regs = &caam.registers();
  device.dma = &memory;
  for (unsigned i = 0; i < caam.num_rings(); ++i) device.irqs.push_back(&caam.irq(i));
  device.first_ring = platform.first_job_ring;
  device.imx = platform.target.imx;
  device.imx6 = platform.name == "imx6";
  device.deco_needs_source = platform.direct_deco_needs_source;
  device.relax = [&caam] {
    caam.step();
    caam.deliver_interrupts();
  };
  return device;
}

Lab::Lab(const hw_model::Platform& platform, LabOptions options)
    : options_(std::move(options)),
      dma_(memory_options(platform, options_.memory)),
      caam_(platform, dma_, options_.hardware),
      registry_(options_.registry) {
  registry_.add_idle([this] { return caam_.run() != 0; });
}

Lab::~Lab() = default;

int Lab::start_software() {
  using driver::software::Compositions;
  int err = 0;
  if (options_.generic_drivers)
    err = keep(software_, driver::software::register_generic(registry_, Compositions::kGeneric));
  if (err == 0 && options_.cpu_drivers) err = keep(software_, driver::software::register_cpu_instructions(registry_));
  return err;
}

int Lab::probe() {
  driver::caam::CaamOptions options = options_.driver;
  options.log = [this](driver::caam::LogLevel level, std::string_view text) {
    if (log_.size() < kMaxLog) log_.emplace_back(text);
    if (options_.driver.log) options_.driver.log(level, text);
  };
  driver_.reset();
  driver::caam::CaamDevice device = caam_device(caam_, dma_);
  if (options_.relax)
    device.relax = [this, inline_step = device.relax] {
      if (!options_.relax()) inline_step();
    };
  auto handle = driver::caam::caam_probe(device, registry_, options);
  if (!handle) return handle.error();
  driver_ = std::move(*handle);
  return 0;
}

uint64_t Lab::run() {
  uint64_t jobs = 0;
  for (;;) {
    const uint64_t now = caam_.run();
    jobs += now;
    if (now == 0 && !registry_.idle()) return jobs;
  }
}

desc::Result<std::unique_ptr<Lab>> Lab::make(const std::string& platform, LabOptions options) {
  auto found = hw_model::resolve_platform(platform);
  if (!found) return tl::unexpected<desc::Error>(found.error());
  return make(*found, std::move(options));
}

desc::Result<std::unique_ptr<Lab>> Lab::make(const hw_model::Platform& platform, LabOptions options) {
  std::unique_ptr<Lab> lab(new Lab(platform, std::move(options)));
  if (const int err = lab->start_software(); err != 0)
    return desc::fail(desc::ErrorCode::kInvalidArgument,
                      fmt::format("the software drivers do not register: {}", api::errno_text(err)));
  if (!lab->options_.caam_driver) return lab;
  if (const int err = lab->probe(); err != 0)
    return desc::fail(desc::ErrorCode::kInvalidArgument,
                      fmt::format("the CAAM driver does not come up on {}: {}{}", platform.name, api::errno_text(err),
                                  lab->log_.empty() ? "" : "; last said: " + lab->log_.back()));
  return lab;
}

}  // namespace caamlab::tools
