// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The probe, in the order of hardware.md 8.5.
#include "driver/caam/ctrl.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "driver/caam/algset.h"
#include "driver/caam/caamalg.h"
#include "driver/caam/caamhash.h"
#include "driver/caam/caampkc.h"
#include "driver/caam/caamprng.h"
#include "driver/caam/caamrng.h"
#include "driver/caam/ctrl_rng.h"
#include "driver/caam/jr.h"

namespace caamlab::driver::caam {
namespace {

using namespace desc::reg;

constexpr uint32_t kPage4K = 0x1000, kPage64K = 0x10000;

// Eras of parts whose CCBVID has none, by IP id and major revision (kernel: caam_get_era_from_hw).
struct EraOfId {
  uint16_t ip_id;
  uint8_t major_rev;
  int era;
};
constexpr EraOfId kEraOfIds[] = {
    {0x0A10, 1, 1}, {0x0A10, 2, 2}, {0x0A12, 1, 3}, {0x0A14, 1, 3}, {0x0A14, 2, 4}, {0x0A16, 1, 4}, {0x0A10, 3, 4},
    {0x0A11, 1, 4}, {0x0A18, 1, 4}, {0x0A11, 2, 5}, {0x0A12, 2, 5}, {0x0A13, 1, 5}, {0x0A1C, 1, 5},
};

// 0: not known; then the old version registers are read and nothing is relied on that came later.
int caam_get_era(const CtrlPriv& priv) {
  if (priv.device.era != 0) return priv.device.era;
  const uint32_t ccbvid = priv.ctrl.rd_reg32(kCcbvid);
  if (const auto era = static_cast<int>(ccbvid >> ccbvid::kEraShift); era != 0) return era;
  const uint32_t id_ms = priv.ctrl.rd_reg32(kSecvidMs);
  const auto ip_id = static_cast<uint16_t>(desc::get_bits(id_ms, 31, 16));
  const auto major = static_cast<uint8_t>(desc::get_bits(id_ms, 15, 8));
  const auto row =
      std::ranges::find_if(kEraOfIds, [&](const EraOfId& r) { return r.ip_id == ip_id && r.major_rev == major; });
  return row != std::end(kEraOfIds) ? row->era : 0;
}

// Byte order, pointer size, pages.
void find_layout(CtrlPriv& priv) {
  const CaamDevice& dev = priv.device;
  const uint32_t raw_csta = dev.regs->read32(kCsta);
  const bool big = (raw_csta & (csta::kPlend | csta::kAltPlend)) != 0;
  priv.ctrl = Regs(dev.regs, big);
  const uint32_t ctpr = priv.ctrl.rd_reg32(kCtprMs);
  const bool long_pointers = (ctpr & ctpr_ms::kPs) != 0 && (priv.ctrl.rd_reg32(kMcfgr) & mcfgr::kPs) != 0;
  priv.target = {.ptr_bytes = static_cast<uint8_t>(long_pointers ? 8 : 4),
                 .endian = big ? desc::Endian::kBig : desc::Endian::kLittle,
                 .imx = dev.imx};
  priv.dpaa2 = (ctpr & ctpr_ms::kDpaa2) != 0;
  priv.qi_present = (ctpr & ctpr_ms::kQi) != 0;
  priv.sg_format = priv.dpaa2 ? desc::SgFormat::kDpaa2 : desc::SgFormat::kSec4;
  priv.page_bytes = (ctpr & ctpr_ms::kPage64K) != 0 ? kPage64K : kPage4K;
  priv.deco = priv.ctrl.at(kPageDeco * priv.page_bytes);
}

void configure(CtrlPriv& priv) {
  if (!priv.device.management_complex)
    priv.ctrl.clrsetbits_32(kMcfgr, mcfgr::kAwcache,
                            mcfgr::kAwcacheCach | mcfgr::kAwcacheBuff | mcfgr::kWde | mcfgr::kLargeBurst);
  if (priv.device.imx6) priv.ctrl.clrsetbits_32(kMcfgr, mcfgr::kAxipipe, 1u << mcfgr::kAxipipeShift);

  const uint32_t ctpr = priv.ctrl.rd_reg32(kCtprMs);
  const uint32_t scfgr = priv.ctrl.rd_reg32(kScfgr);
  const bool on_at_reset = (ctpr & ctpr_ms::kVirtEnPor) != 0;
  const bool by_software = (ctpr & ctpr_ms::kVirtEnIncl) != 0 && (scfgr & scfgr::kVirtEn) != 0;
  priv.virt_en = on_at_reset || by_software;
  if (priv.virt_en) priv.ctrl.clrsetbits_32(kJrStart, 0, (1u << kMaxJobRings) - 1);
}

unsigned nibble(uint32_t word, unsigned shift) { return word >> shift & 0xF; }

// Before era 10: nibbles of CHAVID, CHANUM, CHA revision (hardware.md 8.3).
ChaVersions read_old_versions(const Regs& ctrl) {
  constexpr unsigned kAes = 0, kDes = 4, kMd = 12, kRng = 16, kPk = 28;
  const uint32_t vid = ctrl.rd_reg32(kChavidLs), num = ctrl.rd_reg32(kChanumLs), rev = ctrl.rd_reg32(kCrnrLs);
  ChaVersions cha{.aes = nibble(num, kAes), .des = nibble(num, kDes), .md = nibble(num, kMd), .pk = nibble(num, kPk)};
  cha.rng = nibble(num, kRng);
  cha.aes_vid = nibble(vid, kAes);
  cha.md_vid = nibble(vid, kMd);
  cha.rng_vid = nibble(vid, kRng);
  cha.gcm = !(cha.aes_vid == kChaVerVidAesLp && nibble(rev, kAes) < 8);
  cha.pk_crypt = true;
  return cha;
}

ChaVersions read_version_registers(const Regs& ctrl) {
  const auto num = [&](uint32_t reg) { return ctrl.rd_reg32(reg) & vreg::kNumMask; };
  const auto vid = [&](uint32_t reg) { return ctrl.rd_reg32(reg) >> vreg::kVidShift; };
  ChaVersions cha{.aes = num(kVregAesa), .des = num(kVregDesa), .md = num(kVregMdha), .pk = num(kVregPkha)};
  cha.rng = num(kVregRng);
  cha.ccha = num(kVregCcha);
  cha.ptha = num(kVregPtha);
  cha.aes_vid = vid(kVregAesa);
  cha.md_vid = vid(kVregMdha);
  cha.rng_vid = vid(kVregRng);
  cha.gcm = (ctrl.rd_reg32(kVregAesa) & vreg::kAesaGcm) != 0;
  cha.pk_crypt = (ctrl.rd_reg32(kVregPkha) & vreg::kPkhaNoCrypt) == 0;
  return cha;
}

void enable_queue_interface(const CtrlPriv& priv) {
  if (priv.qi_present && !priv.dpaa2) priv.ctrl.at(kPageQi * priv.page_bytes).wr_reg32(kQictlLs, qictl::kDqen);
}

int probe_rings(CtrlPriv& priv) {
  const CaamDevice& dev = priv.device;
  for (unsigned i = 0; i < dev.irqs.size() && dev.first_ring + i < kMaxJobRings; ++i) {
    auto jr = std::make_unique<Jr>(priv, dev.first_ring + i, *dev.irqs[i]);
    if (const int err = caam_jr_init(*jr); err != 0) return err;
    priv.rings.push_back(std::move(jr));
  }
  return 0;
}

// What runs while users wait: the engines' pumps (in the kernel a worker thread each).
bool pump_engines(CtrlPriv& priv) {
  bool any = false;
  for (const auto& jr : priv.rings) any = jr->engine().pump() || any;
  return any;
}

void register_algs(CtrlPriv& priv) {
  priv.algs = std::make_unique<AlgSet>(priv);
  caam_algapi_init(priv);
  caam_algapi_hash_init(priv);
  caam_pkc_init(priv);
  priv.hwrng = CaamRng::make(priv);
  caam_prng_register(priv);
}

int probe(CtrlPriv& priv) {
  find_layout(priv);
  configure(priv);
  priv.era = caam_get_era(priv);
  enable_queue_interface(priv);
  if (!priv.qi_present && priv.device.irqs.empty()) {
    priv.log(LogLevel::kError, "no queues configured, terminating");
    return -ENOMEM;
  }
  priv.cha = priv.era < 10 ? read_old_versions(priv.ctrl) : read_version_registers(priv.ctrl);
  // LS1028A without the security option announces blobs but has no AES for them.
  priv.blob_present = (priv.ctrl.rd_reg32(kCtprLs) & ctpr_ls::kBlob) != 0 && priv.cha.aes != 0;
  if (const int err = caam_ctrl_rng_init(priv); err != 0 && priv.options.require_rng) return err;
  priv.caam_id = uint64_t{priv.ctrl.rd_reg32(kSecvidMs)} << 32 | priv.ctrl.rd_reg32(kSecvidLs);
  priv.log(LogLevel::kInfo, fmt::format("device ID = 0x{:016x} (Era {})", priv.caam_id,
                                        priv.era != 0 ? std::to_string(priv.era) : "unknown"));
  priv.log(LogLevel::kInfo, fmt::format("job rings = {}, qi = {}", priv.device.irqs.size(), priv.qi_present ? 1 : 0));
  if (const int err = probe_rings(priv); err != 0) return err;
  priv.idle_id = priv.registry.add_idle([&priv] { return pump_engines(priv); });
  if (!priv.rings.empty()) register_algs(priv);
  return 0;
}

}  // namespace

CtrlPriv::CtrlPriv(const CaamDevice& device_in, api::Registry& registry_in, const CaamOptions& options_in)
    : device(device_in), options(options_in), registry(registry_in), module("caam_jr") {}

// The reverse of the probe.
CtrlPriv::~CtrlPriv() {
  algs.reset();
  hwrng.reset();
  if (idle_id != 0) registry.remove_idle(idle_id);
  rings.clear();
  caam_ctrl_rng_exit(*this);
}

tl::expected<CaamHandle, int> caam_probe(const CaamDevice& device, api::Registry& registry,
                                         const CaamOptions& options) {
  auto priv = std::make_unique<CtrlPriv>(device, registry, options);
  if (const int err = probe(*priv); err != 0) return tl::make_unexpected(err);
  return priv;
}

int caam_remove(CaamHandle& handle) {
  for (const auto& jr : handle->rings) {
    const int own = handle->hwrng != nullptr && &handle->hwrng->jr() == jr.get() ? 1 : 0;
    if (jr->tfm_count() == own) continue;
    handle->log(LogLevel::kError, "Device is busy");
    return -EBUSY;
  }
  handle.reset();
  return 0;
}

}  // namespace caamlab::driver::caam
