// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The device model as a guest sees it: registers, DMA into guest memory, one interrupt line a ring. Register accesses
// never run jobs; they ask the host to call run(). Nothing here knows QEMU.
// Not thread safe: the host holds one lock around every call (QEMU's big lock).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hw_model/caam.h"
#include "tools/qemu/fault_listener.h"
#include "tools/qemu/host.h"
#include "tools/qemu/job_recorder.h"
#include "tools/qemu/job_watch.h"
#include "tools/qemu/options.h"

namespace caamlab::tools::qemu {

// Guest memory through the host. Windows stay usable until release().
class GuestMemory final : public hw_model::BusMemory {
 public:
  explicit GuestMemory(Host& host) : host_(host) {}
  ~GuestMemory() override { release(); }
  GuestMemory(const GuestMemory&) = delete;
  GuestMemory& operator=(const GuestMemory&) = delete;
  std::span<uint8_t> window(hw_model::BusAddr addr, size_t len, hw_model::DmaDirection dir) override;
  void release();

 private:
  struct Mapped {
    void* memory;
    uint64_t len;
    bool write;
  };
  Host& host_;
  std::vector<Mapped> mapped_;
};

class GuestDevice {
 public:
  static constexpr unsigned kPages = 16;  // of the register window

  // Fails when the platform is not known or a file cannot be written, with a sentence.
  static desc::Result<std::unique_ptr<GuestDevice>> make(const Options& options, Host& host);

  // `offset`: bytes from the window's base, a multiple of 4. Values as a little-endian CPU reads them.
  uint32_t read(uint32_t offset);
  void write(uint32_t offset, uint32_t value);
  // Runs what is queued and settles the interrupt lines.
  void run();
  // Power-on state.
  void reset();

  uint32_t window_bytes() const { return kPages * platform_.page_bytes; }
  unsigned rings() const { return caam_->num_rings(); }
  // Counts so far, one a line: "platform NAME", "jobs RING N", "status WORD N", "injected N", "resets N", ...
  std::string report() const;
  const Options& options() const { return options_; }

 private:
  GuestDevice(hw_model::Platform platform, const Options& options, Host& host);
  void power_on();
  void settle();
  bool report_without_running();

  const hw_model::Platform platform_;
  const Options options_;
  Host& host_;
  GuestMemory memory_;
  JobWatch watch_;
  FaultListener fault_;
  JobCounter counter_;
  std::unique_ptr<JobRecorder> recorder_;
  std::unique_ptr<hw_model::Caam> caam_;
  desc::Target target_;  // in force, for the recorder
  std::vector<bool> irq_;
  uint64_t reads_ = 0, writes_ = 0, resets_ = 0;
};

}  // namespace caamlab::tools::qemu
