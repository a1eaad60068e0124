// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What all parts of the driver share: the handle of a device, its options, and what the probe found out (kernel
// drivers/crypto/caam/intern.h, struct caam_drv_private, 6.1). A port to real hardware replaces what CaamDevice points
// to and nothing else.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "api/registry.h"
#include "desc/bits.h"
#include "desc/commands/header.h"
#include "desc/regs.h"
#include "desc/sec4_sg.h"
#include "hw_model/bus.h"

namespace caamlab::driver::caam {

using hw_model::BusAddr;
using hw_model::DmaDirection;

// What the driver has to say (kernel: dev_err, dev_warn, dev_info). Never on a path that succeeds per request.
enum class LogLevel : uint8_t { kError, kWarning, kInfo };
using LogSink = std::function<void(LogLevel level, std::string_view text)>;  // text: one line, no newline

// The device as the platform hands it over: what it can reach, and what a device tree would say about it. All of it
// must outlive the driver.
struct CaamDevice {
  hw_model::RegisterBus* regs = nullptr;
  hw_model::DmaMemory* dma = nullptr;
  std::vector<hw_model::IrqLine*> irqs;  // one for each job ring the driver may use
  unsigned first_ring = 0;               // page of irqs[0]; lower rings belong to firmware
  bool imx = false;                      // i.MX: the high word of a two-word pointer comes first
  bool imx6 = false;                     // erratum ERR005766: one outstanding AXI transaction
  bool deco_needs_source = false;        // i.MX8M: direct DECO access needs a ring's identity in any case
  bool management_complex = false;       // its firmware owns MCFGR and the RNG
  int era = 0;                           // fsl,sec-era; 0: to be found out from registers
  // Runs while the driver polls or waits (cpu_relax, schedule): lets the device move and deliver interrupts. Empty on
  // real hardware.
  std::function<void()> relax;
};

struct CaamOptions {
  desc::ShareMode share = desc::ShareMode::kSerial;  // of every shared descriptor; the kernel's
  unsigned ring_depth_log2 = 9;                      // 2..9: CONFIG_CRYPTO_DEV_FSL_CAAM_RINGSIZE
  unsigned dequeue_budget = 0;                       // results an interrupt takes at most; 0: all there are
  bool coalesce = false;                             // interrupt coalescing (CONFIG_.._INTC)
  uint8_t coalesce_count = 255;
  uint16_t coalesce_time = 2048;  // 64-clock units
  unsigned first_entropy_delay = 3200;
  bool require_rng = true;  // no RNG, no device, as the kernel; else the probe goes on without
  LogSink log;              // may be empty
};

// Registers from a base offset on, as numbers: the part's byte order is applied here.
class Regs {
 public:
  Regs() = default;
  Regs(hw_model::RegisterBus* bus, bool big_endian, uint32_t base = 0)
      : bus_(bus), base_(base), big_endian_(big_endian) {}
  Regs at(uint32_t offset) const { return {bus_, big_endian_, base_ + offset}; }

  uint32_t rd_reg32(uint32_t offset) const {
    const uint32_t raw = bus_->read32(base_ + offset);
    return big_endian_ ? desc::bswap32(raw) : raw;
  }
  void wr_reg32(uint32_t offset, uint32_t value) const {
    bus_->write32(base_ + offset, big_endian_ ? desc::bswap32(value) : value);
  }
  void clrsetbits_32(uint32_t offset, uint32_t clear, uint32_t set) const {
    wr_reg32(offset, (rd_reg32(offset) & ~clear) | set);
  }
  // Words in the order of two-word pointers, whatever the pointer size.
  void wr_reg64(uint32_t offset, uint64_t value, const desc::Target& target) const {
    uint32_t words[2];
    desc::pointer_to_words(words, value, {.ptr_bytes = 8, .endian = target.endian, .imx = target.imx});
    wr_reg32(offset, words[0]);
    wr_reg32(offset + 4, words[1]);
  }

 private:
  hw_model::RegisterBus* bus_ = nullptr;
  uint32_t base_ = 0;
  bool big_endian_ = false;
};

// What the version registers say is there (kernel: read in caam_algapi_init and its like).
struct ChaVersions {
  unsigned aes = 0, des = 0, md = 0, pk = 0, rng = 0, ccha = 0, ptha = 0;  // number of units
  unsigned aes_vid = 0, md_vid = 0, rng_vid = 0;
  bool gcm = false;
  bool pk_crypt = false;  // RSA is possible: not the variant without encryption
};
inline constexpr unsigned kChaVerVidAesLp = 3, kChaVerVidMdLp256 = 0;

class Jr;
class AlgSet;
class CaamRng;

// The controller. Lives as long as the driver is bound to the device; transforms refer to it.
struct CtrlPriv {
  CtrlPriv(const CaamDevice& device_in, api::Registry& registry_in, const CaamOptions& options_in);
  ~CtrlPriv();
  CtrlPriv(const CtrlPriv&) = delete;
  CtrlPriv& operator=(const CtrlPriv&) = delete;

  CaamDevice device;
  CaamOptions options;
  api::Registry& registry;
  api::Module module;  // of the algorithms

  Regs ctrl;  // page 0
  Regs deco;  // DECO 0
  uint32_t page_bytes = 0;
  desc::Target target;
  desc::SgFormat sg_format = desc::SgFormat::kSec4;
  int era = 0;  // 0: not known
  bool dpaa2 = false;
  bool qi_present = false;
  bool virt_en = false;
  bool blob_present = false;
  bool rng_ready = false;     // both state handles are up
  uint32_t rng4_sh_init = 0;  // RDSTA bits of the handles this driver brought up
  uint64_t caam_id = 0;
  ChaVersions cha;

  std::vector<std::unique_ptr<Jr>> rings;
  std::unique_ptr<AlgSet> algs;
  std::unique_ptr<CaamRng> hwrng;  // null without an RNG
  int idle_id = 0;

  void log(LogLevel level, std::string_view text) const {
    if (options.log) options.log(level, text);
  }
  void cpu_relax() const {
    if (device.relax) device.relax();
  }
};

}  // namespace caamlab::driver::caam
