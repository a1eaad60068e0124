// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The controller: page 0, the version and performance monitor block that every page shows, the DECO pages, and the
// gating of job ring pages by JRSTART when virtualization is on (hardware.md 8). Everything the kernel's probe reads.
// Left out: RTIC, secure memory, manufacturing protection, recoverable error interrupts (their registers read 0).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "hw_model/cha/kek_registers.h"
#include "hw_model/direct_deco.h"
#include "hw_model/job_ring.h"
#include "hw_model/platform.h"
#include "hw_model/reg_bank.h"
#include "hw_model/trng.h"

namespace caamlab::hw_model {

// Performance monitor, 64 bits each; whoever does the work counts.
struct PerfCounters {
  uint64_t requests_dequeued = 0;
  uint64_t outbound_encrypt_requests = 0, inbound_decrypt_requests = 0;
  uint64_t outbound_bytes_encrypted = 0, outbound_bytes_protected = 0;
  uint64_t inbound_bytes_decrypted = 0, inbound_bytes_validated = 0;
};

// One refused bus access, for FAR / FADR.
struct BusFault {
  BusAddr addr = 0;
  uint32_t len = 0;
  bool write = false;
  uint32_t block = 0;         // fadr::kBlock*; kBlockDeco0 + n for DECO n (8 values: higher DECOs wrap)
  uint32_t source = 0;        // id of the job's source
  bool control_data = false;  // descriptor, ring or table, as opposed to message data
  bool key = false;
};

class Controller {
 public:
  // All may be empty. They run inside register accesses.
  struct Hooks {
    std::function<uint32_t()> rdsta;           // RNG state; without it the platform's reset value
    std::function<bool()> busy;                // CSTA.BSY; without it idle
    std::function<void()> software_reset;      // MCFGR.SWRST, after controller and rings are back at power-on values
    std::function<void()> dma_reset;           // MCFGR.DMA_RST
    std::function<void()> debug_stop_changed;  // DEBUGCTL.STOP written
  };

  Controller(const Platform& platform, Hooks hooks);
  Controller(const Controller&) = delete;
  Controller& operator=(const Controller&) = delete;

  // The whole register window, to be handed to software.
  RegisterSpace& registers() { return space_; }
  // Puts a ring (not owned) at its page. On a part with virtualization its registers appear when JRSTART says so.
  void attach_ring(JobRing& ring, unsigned index);
  void attach_deco_access(DirectDecoAccess* access);
  // What JDKEKR, TDKEKR, TDSKR and SKNR show (not owned; null: they read 0). Software reset leaves the keys alone.
  void attach_keys(KekRegisters* keys) { keys_ = keys; }
  KekRegisters* keys() { return keys_; }

  const Platform& platform() const { return platform_; }
  // Byte order and the pointer size in force (MCFGR[PS]). The reference stays valid; the value follows the register.
  const desc::Target& target() const { return target_; }
  bool virtualization_on() const;
  bool ring_started(unsigned index) const;
  // The secure world owns the ring (JRxDID.TZ_OWN).
  bool ring_is_secure(unsigned index) const;
  bool stopped() const;             // DEBUGCTL.STOP: JQC takes no jobs
  bool qi_dequeue_enabled() const;  // QICTL.DQEN and not STOP

  Trng& trng() { return trng_; }
  PerfCounters& counters() { return counters_; }
  void record_fault(const BusFault& fault);
  RegBank& page0() { return page0_; }

  // Power-on values everywhere, as MCFGR.SWRST does.
  void reset();

 private:
  void add_page0_rows();
  void add_version_rows();
  void hook_page0();
  uint32_t read_rdsta(uint32_t) const;
  uint32_t read_csta(uint32_t) const;
  uint32_t read_counter(uint32_t offset);
  uint32_t read_key(uint32_t offset);
  void write_key(uint32_t offset, uint32_t value);
  uint32_t read_nonce(uint32_t offset) const;
  void write_nonce(uint32_t offset, uint32_t value);
  void write_mcfgr(uint32_t, uint32_t value);
  void write_scfgr(uint32_t, uint32_t value);
  void write_jrstart(uint32_t, uint32_t value);
  void write_did(uint32_t offset, uint32_t value);
  void write_debugctl(uint32_t, uint32_t value);
  void write_decorsr(uint32_t, uint32_t value);
  uint32_t read_decorr(uint32_t) const;
  void write_decorr(uint32_t, uint32_t value);
  uint32_t read_dar(uint32_t) const;
  void write_drr(uint32_t, uint32_t value);
  uint8_t* key_byte(uint32_t offset);
  void update_pointer_size();
  void update_ring_pages();
  void update_deco_requests();

  const Platform platform_;
  const PlatformRegs regs_;
  const Hooks hooks_;
  desc::Target target_;
  RegisterSpace space_;
  RegBank page0_, common_, qi_page_;
  Trng trng_;
  std::array<JobRing*, desc::reg::kMaxJobRings> rings_{};
  std::vector<std::unique_ptr<DecoPage>> deco_pages_;
  DirectDecoAccess* access_ = nullptr;
  uint32_t requested_decos_ = 0;  // RQDn passed on to access_
  PerfCounters counters_;
  KekRegisters* keys_ = nullptr;
  uint32_t counter_latch_ = 0;  // less significant half, taken when the other was read
  uint32_t latched_offset_ = 0;
};

}  // namespace caamlab::hw_model
