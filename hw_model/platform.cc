// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Register values of a platform, and the list of built-in ones: see platform.h.
#include "hw_model/platform.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "desc/regs.h"
#include "hw_model/platform_data.h"

namespace caamlab::hw_model {
namespace {

using namespace desc::reg;

// Where a unit shows before era 10 (half and lowest bit of its nibble) and in the era 10 block.
struct UnitPlace {
  ChaUnit unit;
  const char* name;
  bool in_nibbles;
  bool most_significant;
  unsigned shift;
  uint32_t vreg;
};
constexpr UnitPlace kUnits[kChaUnits] = {
    {ChaUnit::kAesa, "aesa", true, false, 0, kVregAesa},  {ChaUnit::kDesa, "desa", true, false, 4, kVregDesa},
    {ChaUnit::kAfha, "afha", true, false, 8, kVregAfha},  {ChaUnit::kMdha, "mdha", true, false, 12, kVregMdha},
    {ChaUnit::kRng, "rng", true, false, 16, kVregRng},    {ChaUnit::kSnw8, "snw8", true, false, 20, kVregSnw8a},
    {ChaUnit::kKfha, "kfha", true, false, 24, kVregKfha}, {ChaUnit::kPkha, "pkha", true, false, 28, kVregPkha},
    {ChaUnit::kCrca, "crca", true, true, 0, kVregCrca},   {ChaUnit::kSnw9, "snw9", true, true, 4, kVregSnw9a},
    {ChaUnit::kZuce, "zuce", true, true, 8, kVregZuce},   {ChaUnit::kZuca, "zuca", true, true, 12, kVregZuca},
    {ChaUnit::kCcha, "ccha", false, false, 0, kVregCcha}, {ChaUnit::kPtha, "ptha", false, false, 0, kVregPtha},
};

constexpr struct {
  uint16_t ip_id;
  uint8_t major_rev;
  uint8_t era;
} kEras[] = {
    {0x0A10, 1, 1}, {0x0A10, 2, 2}, {0x0A12, 1, 3}, {0x0A14, 1, 3}, {0x0A14, 2, 4}, {0x0A16, 1, 4}, {0x0A10, 3, 4},
    {0x0A11, 1, 4}, {0x0A18, 1, 4}, {0x0A11, 2, 5}, {0x0A12, 2, 5}, {0x0A13, 1, 5}, {0x0A1C, 1, 5},
};

uint32_t nibble(unsigned value, unsigned shift) { return std::min(value, 15u) << shift; }

uint32_t& vreg_at(PlatformRegs& regs, uint32_t offset) { return regs.vreg[(offset - kVregCrca) / 4]; }

void derive_units(const Platform& p, PlatformRegs& regs) {
  for (const UnitPlace& place : kUnits) {
    const ChaInfo& cha = p.cha(place.unit);
    if (place.in_nibbles && cha.count) {
      (place.most_significant ? regs.chavid_ms : regs.chavid_ls) |= nibble(cha.version, place.shift);
      (place.most_significant ? regs.crnr_ms : regs.crnr_ls) |= nibble(cha.revision, place.shift);
      (place.most_significant ? regs.chanum_ms : regs.chanum_ls) |= nibble(cha.count, place.shift);
    }
    if (p.version_registers && cha.count) {
      vreg_at(regs, place.vreg) = uint32_t{cha.version} << vreg::kVidShift | uint32_t{cha.revision} << vreg::kRevShift |
                                  uint32_t{cha.misc} << vreg::kMiscShift | cha.count;
    }
  }
  constexpr unsigned kDecoShift = 24, kJrShift = 28;
  regs.chanum_ms |= nibble(p.decos, kDecoShift) | nibble(p.job_rings, kJrShift);
  if (p.version_registers) {
    vreg_at(regs, kVregJr) = p.job_rings;
    vreg_at(regs, kVregDeco) = p.decos;
    vreg_at(regs, kVregQi) = p.queue_interface == QueueInterface::kNone ? 0 : 1;
  }
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::string_view stem(std::string_view file_name) { return file_name.substr(0, file_name.rfind('.')); }

}  // namespace

const char* cha_unit_name(ChaUnit unit) { return kUnits[static_cast<unsigned>(unit)].name; }

int era_from_secvid(uint16_t ip_id, uint8_t major_rev) {
  for (const auto& row : kEras) {
    if (row.ip_id == ip_id && row.major_rev == major_rev) return row.era;
  }
  return 0;
}

bool Platform::virt_enabled(uint32_t scfgr) const {
  if (!virt_included) return virt_at_reset;
  return virt_at_reset || (scfgr & scfgr::kVirtEn);
}

PlatformRegs derive_regs(const Platform& p) {
  PlatformRegs regs;
  const bool big = p.target.endian == desc::Endian::kBig;
  regs.ctpr_ms = (p.virt_included ? ctpr_ms::kVirtEnIncl : 0) | (p.virt_at_reset ? ctpr_ms::kVirtEnPor : 0) |
                 (p.page_bytes == 0x10000 ? ctpr_ms::kPage64K : 0) |
                 (p.queue_interface == QueueInterface::kDpaa2 ? ctpr_ms::kDpaa2 : 0) |
                 (p.queue_interface != QueueInterface::kNone ? ctpr_ms::kQi : 0) |
                 (p.pointer_size_selectable ? ctpr_ms::kPs : 0);
  regs.ctpr_ls = p.feature_bits;
  derive_units(p, regs);
  constexpr int kFirstEraInCcbvid = 6;
  regs.ccbvid = p.era >= kFirstEraInCcbvid ? static_cast<uint32_t>(p.era) << ccbvid::kEraShift : 0;
  regs.secvid_ms = uint32_t{p.ip_id} << 16 | uint32_t{p.major_rev} << 8 | p.minor_rev;
  regs.mcfgr =
      (p.mcfgr_at_reset & ~mcfgr::kPs) | (p.pointer_size_selectable && p.target.ptr_bytes == 8 ? mcfgr::kPs : 0);
  regs.csta = csta::kIdle | csta::kTrngIdle | (big ? csta::kPlend : 0);
  return regs;
}

std::vector<std::string> platform_names() {
  std::vector<std::string> names;
  for (size_t i = 0; i < kPlatformFileCount; ++i) names.emplace_back(stem(kPlatformFiles[i].name));
  std::sort(names.begin(), names.end());
  return names;
}

desc::Result<Platform> find_platform(std::string_view name) {
  const std::string wanted = lower(name);
  for (size_t i = 0; i < kPlatformFileCount; ++i) {
    if (stem(kPlatformFiles[i].name) == wanted) return parse_platform(kPlatformFiles[i].text, kPlatformFiles[i].name);
  }
  for (size_t i = 0; i < kPlatformFileCount; ++i) {
    const PlatformFile& file = kPlatformFiles[i];
    desc::Result<Platform> platform = parse_platform(file.text, file.name);
    if (!platform) return platform;
    const auto& aliases = platform->aliases;
    if (std::find(aliases.begin(), aliases.end(), wanted) != aliases.end()) return platform;
  }
  return desc::fail(desc::ErrorCode::kNotFound, fmt::format("no platform \"{}\"; there are: {}; or give a .json file",
                                                            name, fmt::join(platform_names(), ", ")));
}

desc::Result<Platform> resolve_platform(const std::string& name_or_path) {
  const bool is_path = name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".json");
  return is_path ? load_platform_file(name_or_path) : find_platform(name_or_path);
}

}  // namespace caamlab::hw_model
