// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Rows of page 0, of the common version block and of the queue interface page (hardware.md 8.1), with their hooks.
#include <utility>

#include "desc/regs.h"
#include "hw_model/controller.h"

namespace caamlab::hw_model {
namespace {

using namespace desc::reg;

constexpr uint32_t kMcfgrWritable = mcfgr::kWde | mcfgr::kWdf | mcfgr::kWrhd | mcfgr::kDwt | mcfgr::kArcache |
                                    mcfgr::kAwcache | mcfgr::kAxipipe | mcfgr::kAxipri | mcfgr::kLargeBurst |
                                    mcfgr::kBurst64;
constexpr uint32_t kScfgrWritable = scfgr::kPriblob | scfgr::kRngsh0 | scfgr::kRdb | scfgr::kLockTrng | scfgr::kMpmrl |
                                    scfgr::kMppkrc | scfgr::kMpcurve;
constexpr uint32_t kAllBits = 0xFFFFFFFF;
constexpr unsigned kRticBlocks = 4;

}  // namespace

Controller::Controller(const Platform& platform, Hooks hooks)
    : platform_(platform),
      regs_(derive_regs(platform_)),
      hooks_(std::move(hooks)),
      target_(platform_.target),
      space_(platform_.page_bytes, platform_.target.endian),
      trng_(page0_) {
  add_page0_rows();
  hook_page0();
  add_version_rows();
  space_.set_common(&common_);
  space_.set_page(kPageController, &page0_);
  if (platform_.queue_interface != QueueInterface::kNone) {
    qi_page_.add({.name = "QICTL_MS", .offset = kQictlMs, .writable = kAllBits});
    qi_page_.add({.name = "QICTL_LS", .offset = kQictlLs, .writable = qictl::kDqen | qictl::kStop | qictl::kSoe});
    qi_page_.add({.name = "QISTA", .offset = kQista});
    space_.set_page(kPageQi, &qi_page_);
  }
  for (unsigned i = 0; i < platform_.decos; ++i) {
    deco_pages_.push_back(std::make_unique<DecoPage>(i, platform_.era, nullptr));
    space_.set_page(kPageDeco + i, &deco_pages_.back()->bank());
  }
}

void Controller::add_page0_rows() {
  const uint32_t ps = platform_.pointer_size_selectable ? mcfgr::kPs : 0;
  const uint32_t virt = platform_.virt_included ? scfgr::kVirtEn : 0;
  page0_.add({.name = "MCFGR", .offset = kMcfgr, .reset = regs_.mcfgr, .writable = kMcfgrWritable | ps});
  page0_.add({.name = "PAGE0_SDID", .offset = kPage0Sdid, .writable = 0x7FFF});
  page0_.add({.name = "SCFGR", .offset = kScfgr, .writable = kScfgrWritable | virt});
  page0_.add_array({.name = "JRDID", .offset = kJrDidMs}, 2 * kMaxJobRings);
  page0_.add({.name = "DEBUGCTL", .offset = kDebugCtl});
  page0_.add({.name = "JRSTART", .offset = kJrStart, .writable = (1u << platform_.job_rings) - 1});
  page0_.add({.name = "RTICOWN", .offset = kRticOwner, .writable = kAllBits});
  page0_.add_array({.name = "RTICDID", .offset = kRticDid, .writable = kAllBits}, 2 * kRticBlocks);
  page0_.add({.name = "DECORSR", .offset = kDecorsr});
  page0_.add({.name = "DECORR", .offset = kDecorr});
  page0_.add_array({.name = "DECODID", .offset = kDecoDidMs}, 2 * platform_.decos);
  page0_.add({.name = "DAR", .offset = kDar, .writable = (1u << platform_.decos) - 1});
  page0_.add({.name = "DRR", .offset = kDrr});
  page0_.add_array({.name = "JDKEKR", .offset = kJdkekr}, 8);
  page0_.add_array({.name = "TDKEKR", .offset = kTdkekr}, 8);
  page0_.add_array({.name = "TDSKR", .offset = kTdskr}, 8);
  page0_.add_array({.name = "SKNR", .offset = kSknr}, 2);
  page0_.add({.name = "RDSTA", .offset = kRdsta});
  page0_.add({.name = "RDINT0", .offset = kRdint0, .writable = kAllBits});
  page0_.add({.name = "RDINT1", .offset = kRdint1, .writable = kAllBits});
}

void Controller::hook_page0() {
  page0_.on_write(kMcfgr, write_hook<&Controller::write_mcfgr>(this));
  page0_.on_write(kScfgr, write_hook<&Controller::write_scfgr>(this));
  for (unsigned i = 0; i < 2 * kMaxJobRings; ++i) {
    page0_.on_write(kJrDidMs + 4 * i, write_hook<&Controller::write_did>(this));
  }
  for (unsigned i = 0; i < 2 * platform_.decos; ++i) {
    page0_.on_write(kDecoDidMs + 4 * i, write_hook<&Controller::write_did>(this));
  }
  page0_.on_write(kDebugCtl, write_hook<&Controller::write_debugctl>(this));
  page0_.on_write(kJrStart, write_hook<&Controller::write_jrstart>(this));
  page0_.on_write(kDecorsr, write_hook<&Controller::write_decorsr>(this));
  page0_.on_read(kDecorr, read_hook<&Controller::read_decorr>(this));
  page0_.on_write(kDecorr, write_hook<&Controller::write_decorr>(this));
  page0_.on_read(kDar, read_hook<&Controller::read_dar>(this));
  page0_.on_write(kDrr, write_hook<&Controller::write_drr>(this));
  for (uint32_t offset = kJdkekr; offset < kTdskr + 32; offset += 4) {
    page0_.on_read(offset, read_hook<&Controller::read_key>(this));
    page0_.on_write(offset, write_hook<&Controller::write_key>(this));
  }
  for (const uint32_t offset : {kSknr, kSknr + 4}) {
    page0_.on_read(offset, read_hook<&Controller::read_nonce>(this));
    page0_.on_write(offset, write_hook<&Controller::write_nonce>(this));
  }
  page0_.on_read(kRdsta, read_hook<&Controller::read_rdsta>(this));
}

void Controller::add_version_rows() {
  for (uint32_t i = 0; i < regs_.vreg.size(); ++i) {
    common_.add({.name = "VREG", .offset = kVregCrca + 4 * i, .reset = regs_.vreg[i]});
  }
  common_.add_array({.name = "PC", .offset = kPcReqDeq}, 14);
  for (unsigned i = 0; i < 14; ++i) common_.on_read(kPcReqDeq + 4 * i, read_hook<&Controller::read_counter>(this));
  const RegSpec rows[] = {
      {.name = "CRNR_MS", .offset = kCrnrMs, .reset = regs_.crnr_ms},
      {.name = "CRNR_LS", .offset = kCrnrLs, .reset = regs_.crnr_ls},
      {.name = "CTPR_MS", .offset = kCtprMs, .reset = regs_.ctpr_ms},
      {.name = "CTPR_LS", .offset = kCtprLs, .reset = regs_.ctpr_ls},
      {.name = "FAR", .offset = kFar},
      {.name = "FAR+4", .offset = kFar + 4},
      {.name = "FADID", .offset = kFadid},
      {.name = "FADR", .offset = kFadr},
      {.name = "CSTA", .offset = kCsta, .reset = regs_.csta},
      {.name = "SMVID_MS", .offset = kSmvidMs},
      {.name = "SMVID_LS", .offset = kSmvidLs},
      {.name = "RVID", .offset = kRvid},
      {.name = "CCBVID", .offset = kCcbvid, .reset = regs_.ccbvid},
      {.name = "CHAVID_MS", .offset = kChavidMs, .reset = regs_.chavid_ms},
      {.name = "CHAVID_LS", .offset = kChavidLs, .reset = regs_.chavid_ls},
      {.name = "CHANUM_MS", .offset = kChanumMs, .reset = regs_.chanum_ms},
      {.name = "CHANUM_LS", .offset = kChanumLs, .reset = regs_.chanum_ls},
      {.name = "SECVID_MS", .offset = kSecvidMs, .reset = regs_.secvid_ms},
      {.name = "SECVID_LS", .offset = kSecvidLs, .reset = regs_.secvid_ls},
  };
  common_.add(rows);
  common_.on_read(kCsta, read_hook<&Controller::read_csta>(this));
}

}  // namespace caamlab::hw_model
