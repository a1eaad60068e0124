// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See ctrl_rng.h.
#include "driver/caam/ctrl_rng.h"

#include <fmt/format.h>

#include <cerrno>

#include "desc/constructors/rng.h"
#include "desc/jr_status.h"
#include "driver/caam/error.h"

namespace caamlab::driver::caam {
namespace {

using namespace desc::reg;

constexpr unsigned kHandles = 2;
constexpr uint32_t kRdstaMask = rdsta::kIf0 | rdsta::kIf1 | rdsta::kPr0 | rdsta::kPr1;
constexpr unsigned kEntropyDelayMax = 12800, kEntropyDelayStep = 400;  // RTSDCTL_ENT_DLY_*
constexpr unsigned kPollLimit = 100000;
constexpr uint32_t kFrequencyMax = 1u << 20;
constexpr unsigned kRng4 = 4;

uint32_t read_rdsta(const CtrlPriv& priv) { return priv.ctrl.rd_reg32(kRdsta); }

// Polls until `mask` is set in a register of page 0.
bool wait_set(const CtrlPriv& priv, uint32_t offset, uint32_t mask) {
  for (unsigned i = 0; i < kPollLimit; ++i) {
    if ((priv.ctrl.rd_reg32(offset) & mask) != 0) return true;
    priv.cpu_relax();
  }
  return false;
}

// False: the DECO is stuck or has stopped with an error; its status tells.
bool wait_deco_done(const CtrlPriv& priv) {
  for (unsigned i = 0; i < kPollLimit; ++i) {
    const uint32_t ddr = priv.deco.rd_reg32(kDdr);
    const uint32_t state = priv.era < 10 ? (ddr & ddr::kStateMask) >> ddr::kStateShift
                                         : (priv.deco.rd_reg32(kDer) & der::kStateMask) >> der::kStateShift;
    if (state == ddr::kStateHostError || (ddr & ddr::kValid) == 0) return true;
    priv.cpu_relax();
  }
  return false;
}

int run_descriptor_deco0(const CtrlPriv& priv, const desc::Descriptor& desc, uint32_t* status) {
  const Regs& ctrl = priv.ctrl;
  const bool needs_source = priv.virt_en || priv.device.deco_needs_source;
  if (needs_source) {
    ctrl.clrsetbits_32(kDecorsr, 0, decorsr::kJr0);
    wait_set(priv, kDecorsr, decorsr::kValid);
  }
  ctrl.clrsetbits_32(kDecorr, 0, decorr::kRqd0);
  if (!wait_set(priv, kDecorr, decorr::kDen0)) {
    priv.log(LogLevel::kError, "failed to acquire DECO 0");
    ctrl.clrsetbits_32(kDecorr, decorr::kRqd0, 0);
    return -ENODEV;
  }
  for (unsigned i = 0; i < desc.size(); ++i) priv.deco.wr_reg32(kDescbuf + 4 * i, desc[i]);
  priv.deco.clrsetbits_32(kJqcrMs, 0, jqcr::kWhl | (desc.size() >= 4 ? jqcr::kFour : 0));
  const bool done = wait_deco_done(priv);
  *status = priv.deco.rd_reg32(kOpstaMs) & opsta::kErrorMask;
  // The kernel leaves the source behind on i.MX8M, where it set it without virtualization.
  if (needs_source) ctrl.clrsetbits_32(kDecorsr, decorsr::kJr0, 0);
  ctrl.clrsetbits_32(kDecorr, decorr::kRqd0, 0);
  return done ? 0 : -EAGAIN;
}

// A halt on "done" reports the condition flags, of which none is set.
bool ended_well(uint32_t status) { return status == 0 || status == desc::JrStatus::jump_cond(0, 0).word; }

int run_rng_desc(const CtrlPriv& priv, desc::Builder& builder) {
  const auto desc = builder.finish();
  if (!desc) return -EINVAL;
  uint32_t status = 0;
  if (const int err = run_descriptor_deco0(priv, *desc, &status); err != 0) return err;
  if (ended_well(status)) return 0;
  if (priv.options.log) priv.log(LogLevel::kInfo, caam_status_text(status));
  return -EAGAIN;
}

int deinstantiate_rng(const CtrlPriv& priv, uint32_t handles) {
  for (unsigned handle = 0; handle < kHandles; ++handle) {
    if ((handles >> handle & 1) == 0) continue;
    desc::Builder builder(priv.target);
    build_deinstantiation_desc(builder, handle);
    if (const int err = run_rng_desc(priv, builder); err != 0) {
      priv.log(LogLevel::kError, fmt::format("Failed to deinstantiate RNG4 SH{}", handle));
      return err;
    }
    priv.log(LogLevel::kInfo, fmt::format("Deinstantiated RNG4 SH{}", handle));
  }
  return 0;
}

// `present`: RDSTA as found. -EAGAIN: try again with more entropy.
int instantiate_rng(const CtrlPriv& priv, uint32_t present, bool gen_sk) {
  for (unsigned handle = 0; handle < kHandles; ++handle) {
    const uint32_t up = rdsta::kIf0 << handle, resistant = rdsta::kPr0 << handle;
    if ((present & up) != 0) {
      if ((present & resistant) != 0) continue;  // somebody else's, and good
      priv.log(LogLevel::kInfo, fmt::format("RNG4 SH{} was up without prediction resistance: taking it down", handle));
      if (const int err = deinstantiate_rng(priv, up); err != 0) return err;
    }
    desc::Builder builder(priv.target);
    build_instantiation_desc(builder, handle, gen_sk);
    if (const int err = run_rng_desc(priv, builder); err != 0) return err;
    if ((read_rdsta(priv) & (up | resistant)) != (up | resistant)) return -EAGAIN;
    priv.log(LogLevel::kInfo, fmt::format("Instantiated RNG4 SH{}", handle));
  }
  return 0;
}

// Programs the entropy source for a sample every `delay` system clocks, unless it has a longer one.
void kick_trng(const CtrlPriv& priv, uint32_t delay) {
  const Regs& ctrl = priv.ctrl;
  ctrl.clrsetbits_32(kRtmctl, 0, rtmctl::kPrgm | rtmctl::kTrngAcc);
  const uint32_t sdctl = ctrl.rd_reg32(kRtsdctl);
  if (delay > (sdctl & rtsdctl::kEntDly) >> rtsdctl::kEntDlyShift) {
    ctrl.wr_reg32(kRtsdctl, (sdctl & ~rtsdctl::kEntDly) | delay << rtsdctl::kEntDlyShift);
    ctrl.wr_reg32(kRtfrqmin, delay >> 2);
    ctrl.wr_reg32(kRtfrqmax, kFrequencyMax);
  }
  // Raw samples go into the statistical checks and the entropy register.
  ctrl.clrsetbits_32(kRtmctl, rtmctl::kPrgm | rtmctl::kTrngAcc, rtmctl::kSampModeRaw);
}

}  // namespace

int caam_ctrl_rng_init(CtrlPriv& priv) {
  if (priv.cha.rng_vid < kRng4 || priv.device.management_complex) return 0;
  const uint32_t found = read_rdsta(priv);
  int err = -EAGAIN;
  for (unsigned delay = priv.options.first_entropy_delay; err == -EAGAIN && delay < kEntropyDelayMax;
       delay += kEntropyDelayStep) {
    const uint32_t now = read_rdsta(priv);
    // With a handle up, by whomever, the source works, and its settings are not to be touched. (The kernel tries such a
    // part again for ever.)
    if ((now & kRdstaMask) == 0) {
      priv.log(LogLevel::kInfo, fmt::format("Entropy delay = {}", delay));
      kick_trng(priv, delay);
    }
    // The secure keys can be made once between two resets.
    err = instantiate_rng(priv, now, /*gen_sk=*/(now & rdsta::kSkvn) == 0);
  }
  priv.rng4_sh_init = read_rdsta(priv) & ~found & (rdsta::kIf0 | rdsta::kIf1);
  if (err != 0) {
    priv.log(LogLevel::kError, fmt::format("failed to instantiate RNG ({})", err));
    return err;
  }
  priv.rng_ready = true;
  priv.ctrl.clrsetbits_32(kScfgr, 0, scfgr::kRdb);
  return 0;
}

void caam_ctrl_rng_exit(CtrlPriv& priv) {
  if (priv.rng4_sh_init != 0) deinstantiate_rng(priv, priv.rng4_sh_init);
}

}  // namespace caamlab::driver::caam
