// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What distinguishes one SoC's CAAM/SEC from another's, read from a data file (hw_model/platforms/*.json), and the
// register values that follow from it (hardware.md 1.3, 8.2, 8.3, 8.5). Nothing here runs.
// Values that no source states are named in `assumed`; the derived registers are composed from field definitions, so
// reset values of real parts may differ in bits that no software reads.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "desc/bits.h"
#include "desc/result.h"
#include "desc/sec4_sg.h"

namespace caamlab::hw_model {

// Crypto hardware accelerators by the names of the version registers.
enum class ChaUnit : uint8_t {
  kAesa,
  kDesa,
  kAfha,
  kMdha,
  kRng,
  kSnw8,
  kKfha,
  kPkha,
  kCrca,
  kSnw9,
  kZuce,
  kZuca,
  kCcha,
  kPtha,
};
inline constexpr unsigned kChaUnits = 14;
const char* cha_unit_name(ChaUnit unit);  // the key in data files: "aesa", "desa", ...

// Version ids that software looks at (hardware.md 1.2).
inline constexpr uint8_t kAesaLowPower = 3, kAesaHighPerformance = 4;
inline constexpr uint8_t kMdhaLp256 = 0, kMdhaLp512 = 1, kMdhaMidPerformance = 2, kMdhaHighPerformance = 3;
inline constexpr uint8_t kRngB = 2, kRng4 = 4;

struct ChaInfo {
  uint8_t count = 0;    // 0: absent
  uint8_t version = 0;  // CHAVID nibble, or version id of the era 10 register
  uint8_t revision = 0;
  uint8_t misc = 0;  // era 10 register bits 15:8
};

// What a scatter/gather table entry looks like to job descriptors (hardware.md 7).
using desc::SgFormat;
enum class QueueInterface : uint8_t { kNone, kDpaa1, kDpaa2 };

// A plain value; a program may fill one in without a file.
struct Platform {
  std::string name;                  // "ls1046a"
  std::string title;                 // "NXP LS1046A"
  std::vector<std::string> aliases;  // other SoCs with the same block
  int era = 0;                       // 1..10
  desc::Target target;               // pointer size at power-on (after boot firmware), byte order, i.MX pointer order
  unsigned address_bits = 32;        // 32, 36, 40 ..: what a bus address may have
  bool pointer_size_selectable = false;  // CTPR.PS: MCFGR[PS] is implemented
  unsigned page_bytes = 4096;            // or 65536
  unsigned job_rings = 1;                // 1..4
  unsigned first_job_ring = 0;           // lower ones belong to firmware (i.MX8QM)
  unsigned decos = 1;                    // 1..16
  std::array<ChaInfo, kChaUnits> chas{};
  QueueInterface queue_interface = QueueInterface::kNone;
  SgFormat sg_format = SgFormat::kSec4;
  bool virt_included = false;      // CTPR.VIRT_EN_INCL
  bool virt_at_reset = false;      // CTPR.VIRT_EN_POR
  bool version_registers = false;  // the era 10 block at 0xE80
  // Direct DECO access is granted only while DECORSR names a ring, even with virtualization off (i.MX8M).
  bool direct_deco_needs_source = false;
  uint32_t mcfgr_at_reset = 0;         // bits besides PS
  uint32_t rng_min_entropy_delay = 0;  // instantiation fails below this ENT_DLY; 0: never
  uint32_t rdsta_at_reset = 0;         // handles left by boot firmware
  uint32_t feature_bits = 0;           // CTPR_LS; the data file names them: "blob", "dkp", ...
  uint16_t ip_id = 0;                  // SECVID
  uint8_t major_rev = 0, minor_rev = 0;
  std::string timing_json = "{}";    // the `timing` object, for the timing layer
  std::vector<std::string> assumed;  // keys whose values no source states
  std::vector<std::string> sources;

  const ChaInfo& cha(ChaUnit unit) const { return chas[static_cast<unsigned>(unit)]; }
  bool has(ChaUnit unit) const { return cha(unit).count != 0; }
  // Width of the addresses a driver may use with the power-on pointer size (its DMA mask).
  unsigned dma_bits() const { return target.ptr_bytes == 4 ? 32 : address_bits; }
  // Virtualization in force, given SCFGR (hardware.md 8.5 step 4).
  bool virt_enabled(uint32_t scfgr) const;
};

// Register values that follow from a platform.
struct PlatformRegs {
  uint32_t ctpr_ms = 0, ctpr_ls = 0;
  uint32_t chavid_ms = 0, chavid_ls = 0;  // counts and versions above 15 show as 15
  uint32_t chanum_ms = 0, chanum_ls = 0;
  uint32_t crnr_ms = 0, crnr_ls = 0;
  uint32_t ccbvid = 0, secvid_ms = 0, secvid_ls = 0;
  uint32_t mcfgr = 0, csta = 0;
  std::array<uint32_t, 32> vreg{};  // 0xE80..0xEFC, zero where not implemented
};
PlatformRegs derive_regs(const Platform& platform);

// The era that software reads from SECVID on parts whose CCBVID has none (before era 6); 0 if the pair is not known.
int era_from_secvid(uint16_t ip_id, uint8_t major_rev);

// Parses a data file. `origin` (a file name) opens every message; the message names the key and what it may hold.
desc::Result<Platform> parse_platform(std::string_view json_text, std::string_view origin);
desc::Result<Platform> load_platform_file(const std::string& path);

// The built-in platforms: by name or alias, not case sensitive. The error lists what there is.
desc::Result<Platform> find_platform(std::string_view name);
std::vector<std::string> platform_names();  // sorted, without aliases

// find_platform(), and a path to a data file where the argument has a '/' or ends in ".json".
desc::Result<Platform> resolve_platform(const std::string& name_or_path);

}  // namespace caamlab::hw_model
