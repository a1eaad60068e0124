// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See guest_device.h.
#include "tools/qemu/guest_device.h"

#include <fmt/format.h>

#include <utility>

namespace caamlab::tools::qemu {

std::span<uint8_t> GuestMemory::window(hw_model::BusAddr addr, size_t len, hw_model::DmaDirection dir) {
  const bool write = dir != hw_model::DmaDirection::kToDevice;
  uint64_t run = len;
  void* memory = run != 0 ? host_.map(addr, &run, write) : nullptr;
  if (memory == nullptr || run == 0) return {};
  mapped_.push_back({memory, run, write});
  return {static_cast<uint8_t*>(memory), static_cast<size_t>(run)};
}

void GuestMemory::release() {
  for (const Mapped& m : mapped_) host_.unmap(m.memory, m.len, m.write);
  mapped_.clear();
}

desc::Result<std::unique_ptr<GuestDevice>> GuestDevice::make(const Options& options, Host& host) {
  auto platform = hw_model::resolve_platform(options.platform);
  if (!platform) return tl::unexpected<desc::Error>(platform.error());
  std::unique_ptr<GuestDevice> device(new GuestDevice(std::move(*platform), options, host));
  if (device->recorder_ && !device->recorder_->is_open())
    return desc::fail(desc::ErrorCode::kNotFound, "CAAM_QEMU_TRACE: cannot write " + options.trace);
  return device;
}

GuestDevice::GuestDevice(hw_model::Platform platform, const Options& options, Host& host)
    : platform_(std::move(platform)),
      options_(options),
      host_(host),
      memory_(host),
      watch_(memory_),
      fault_(options.fault, options.fault_job) {
  watch_.add(fault_);
  watch_.add(counter_);
  if (!options_.trace.empty()) {
    recorder_ =
        std::make_unique<JobRecorder>(options_.trace, platform_.name, platform_.era, target_, platform_.sg_format);
    watch_.add(*recorder_);
    watch_.keep_reads(true);
  }
  power_on();
}

void GuestDevice::power_on() {
  caam_ = std::make_unique<hw_model::Caam>(platform_, watch_);
  caam_->set_trace(&watch_);
  irq_.resize(caam_->num_rings());
}

uint32_t GuestDevice::read(uint32_t offset) {
  ++reads_;
  return caam_->registers().read32(offset);
}

void GuestDevice::write(uint32_t offset, uint32_t value) {
  ++writes_;
  target_ = caam_->controller().target();
  caam_->registers().write32(offset, value);
  settle();
  host_.run_soon();
}

void GuestDevice::run() {
  target_ = caam_->controller().target();
  if (options_.fault == Fault::kNothing)
    while (report_without_running()) {
    }
  else
    caam_->run();
  settle();
}

// Fault::kNothing: a job goes the way of every job, but no DECO runs it.
bool GuestDevice::report_without_running() {
  hw_model::Scheduler& scheduler = caam_->scheduler();
  scheduler.dispatch();
  hw_model::Deco* deco = scheduler.next_dispatched();
  if (deco == nullptr) return false;
  counter_.count(static_cast<unsigned>(deco->source()), 0);
  scheduler.complete(*deco, {});
  return true;
}

void GuestDevice::reset() {
  ++resets_;
  power_on();
  settle();
}

void GuestDevice::settle() {
  memory_.release();
  for (unsigned ring = 0; ring < irq_.size(); ++ring) {
    const bool level = caam_->irq(ring).level();
    if (level == irq_[ring]) continue;
    irq_[ring] = level;
    host_.set_irq(ring, level);
  }
}

std::string GuestDevice::report() const {
  return fmt::format("platform {}\n{}injected {}\nreads {}\nwrites {}\nresets {}\n", platform_.name, counter_.report(),
                     fault_.injected(), reads_, writes_, resets_);
}

}  // namespace caamlab::tools::qemu
