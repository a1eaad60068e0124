// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The probe: what it finds out and writes on parts of every kind, RNG instantiation, removal.
#include <algorithm>

#include "api/rng.h"
#include "desc/regs.h"
#include "driver/caam/jr.h"
#include "tests/driver/caam/lab_fixture.h"

namespace caamlab::tests {
namespace {

using namespace desc::reg;
using driver::caam::CtrlPriv;

size_t lines_with(const tools::Lab& lab, const std::string& part) {
  return static_cast<size_t>(
      std::ranges::count_if(lab.log(), [&](const std::string& line) { return line.find(part) != std::string::npos; }));
}

hw_model::Platform platform(const char* name) { return *hw_model::find_platform(name); }

TEST(Probe, FindsTheLayoutOfEveryPlatform) {
  for (const std::string& name : hw_model::platform_names()) {
    const hw_model::Platform p = *hw_model::find_platform(name);
    LabFixture lab(p);
    const CtrlPriv& ctrl = *lab->driver();
    EXPECT_EQ(ctrl.target, p.target) << name;
    EXPECT_EQ(ctrl.era, p.era) << name;
    EXPECT_EQ(ctrl.page_bytes, p.page_bytes) << name;
    EXPECT_EQ(ctrl.sg_format, p.sg_format) << name;
    EXPECT_EQ(ctrl.qi_present, p.queue_interface != hw_model::QueueInterface::kNone) << name;
    EXPECT_EQ(ctrl.virt_en, p.virt_enabled(ctrl.ctrl.rd_reg32(kScfgr))) << name;
    EXPECT_EQ(ctrl.rings.size(), p.job_rings - p.first_job_ring) << name;
    EXPECT_EQ(ctrl.caam_id >> 48, p.ip_id) << name;
  }
}

TEST(Probe, WritesTheControlRegisters) {
  LabFixture lab("ls1046a");
  const auto& ctrl = lab->driver()->ctrl;
  EXPECT_EQ(ctrl.rd_reg32(kMcfgr) & mcfgr::kAwcache, mcfgr::kAwcacheCach | mcfgr::kAwcacheBuff);
  EXPECT_NE(ctrl.rd_reg32(kMcfgr) & mcfgr::kWde, 0u);
  EXPECT_NE(ctrl.rd_reg32(kMcfgr) & mcfgr::kLargeBurst, 0u);
  EXPECT_EQ(ctrl.rd_reg32(kJrStart), 0xFu);
  EXPECT_NE(ctrl.rd_reg32(kScfgr) & scfgr::kRdb, 0u);
  EXPECT_EQ(ctrl.at(kPageQi * lab->driver()->page_bytes).rd_reg32(kQictlLs), qictl::kDqen);
  LabFixture dpaa2("lx2160a");
  EXPECT_EQ(dpaa2->driver()->ctrl.at(kPageQi * dpaa2->driver()->page_bytes).rd_reg32(kQictlLs), 0u);
  LabFixture imx6("imx6");
  EXPECT_EQ(imx6->driver()->ctrl.rd_reg32(kMcfgr) & mcfgr::kAxipipe, 1u << mcfgr::kAxipipeShift);
}

// The device tree's word counts; without it and without a CCBVID the table does; else it is unknown.
TEST(Probe, Era) {
  auto lab = LabFixture("ls1046a");
  EXPECT_EQ(lines_with(*lab, "(Era 8)"), 1u);
  hw_model::Platform odd = platform("imx6");
  odd.ip_id = 0x0BAD;
  LabFixture unknown(odd);
  EXPECT_EQ(unknown->driver()->era, 0);
  EXPECT_EQ(lines_with(*unknown, "(Era unknown)"), 1u);
  EXPECT_TRUE(unknown.has("cbc-aes-caam"));

  auto device = tools::caam_device(lab->caam(), lab->dma());
  lab->driver().reset();
  device.era = 4;
  const auto told = driver::caam::caam_probe(device, lab->registry());
  ASSERT_TRUE(told.has_value());
  EXPECT_EQ((*told)->era, 4);
}

TEST(Probe, TriesLongerEntropyDelays) {
  struct Case {
    unsigned needed, first;
    size_t attempts;
    bool up;
  };
  for (const Case& c : {Case{3200, 3200, 1, true}, Case{4000, 3200, 3, true}, Case{12000, 3200, 23, true},
                        Case{12000, 12000, 1, true}, Case{20000, 3200, 24, false}}) {
    hw_model::Platform p = platform("imx6ul");
    p.rng_min_entropy_delay = c.needed;
    tools::LabOptions options;
    options.driver.first_entropy_delay = c.first;
    options.caam_driver = false;
    LabFixture lab(p, options);
    EXPECT_EQ(lab->probe(), c.up ? 0 : -EAGAIN) << c.needed;
    EXPECT_EQ(lines_with(*lab, "Entropy delay"), c.attempts) << c.needed;
    EXPECT_EQ(lab.has("prng-caam"), c.up);
    EXPECT_EQ(lines_with(*lab, "failed to instantiate RNG"), c.up ? 0u : 1u);
  }
}

TEST(Probe, GoesOnWithoutRngWhenToldSo) {
  hw_model::Platform p = platform("ls1046a");
  p.rng_min_entropy_delay = 20000;
  tools::LabOptions options;
  options.driver.require_rng = false;
  LabFixture lab(p, options);
  EXPECT_FALSE(lab->driver()->rng_ready);
  EXPECT_TRUE(lab.has("gcm-aes-caam"));
  EXPECT_EQ(lab->driver()->hwrng, nullptr);
}

uint32_t handles_up(const CtrlPriv& ctrl) {
  return ctrl.ctrl.rd_reg32(kRdsta) & (rdsta::kIf0 | rdsta::kIf1 | rdsta::kPr0 | rdsta::kPr1);
}
constexpr uint32_t kBothUp = rdsta::kIf0 | rdsta::kIf1 | rdsta::kPr0 | rdsta::kPr1;

TEST(Probe, BringsHandlesUpAndTakesThemDown) {
  for (const char* name : {"ls1046a", "lx2160a", "imx8mq", "imx6"}) {
    LabFixture lab(name);
    const auto regs = lab->driver()->ctrl;
    EXPECT_EQ(handles_up(*lab->driver()), kBothUp) << name;
    EXPECT_EQ(lab->driver()->rng4_sh_init, rdsta::kIf0 | rdsta::kIf1);
    EXPECT_EQ(lines_with(*lab, "Instantiated RNG4"), 2u);
    lab->driver().reset();
    EXPECT_EQ(regs.rd_reg32(kRdsta) & kBothUp, 0u) << name;
    EXPECT_EQ(lab->probe(), 0) << name;  // and again: the secure keys are there already
    EXPECT_EQ(handles_up(*lab->driver()), kBothUp) << name;
  }
}

TEST(Probe, LeavesFirmwaresHandlesAlone) {
  hw_model::Platform p = platform("ls1046a");
  p.rdsta_at_reset = rdsta::kSkvn | kBothUp;
  LabFixture lab(p);
  EXPECT_EQ(lines_with(*lab, "Entropy delay"), 0u);
  EXPECT_EQ(lines_with(*lab, "Instantiated"), 0u);
  const auto regs = lab->driver()->ctrl;
  lab->driver().reset();
  EXPECT_EQ(regs.rd_reg32(kRdsta) & kBothUp, kBothUp);
}

TEST(Probe, RedoesHandlesWithoutPredictionResistance) {
  hw_model::Platform p = platform("ls1046a");
  p.rdsta_at_reset = rdsta::kSkvn | rdsta::kIf0;
  LabFixture lab(p);
  EXPECT_EQ(lines_with(*lab, "without prediction resistance"), 1u);
  EXPECT_EQ(handles_up(*lab->driver()), kBothUp);
}

TEST(Probe, ManagementComplexKeepsControlAndRng) {
  tools::LabOptions options;
  options.caam_driver = false;
  LabFixture lab("lx2160a", options);
  auto device = tools::caam_device(lab->caam(), lab->dma());
  device.management_complex = true;
  const uint32_t mcfgr_before = device.regs->read32(kMcfgr);
  const auto driver = driver::caam::caam_probe(device, lab->registry());
  ASSERT_TRUE(driver.has_value());
  EXPECT_EQ((*driver)->ctrl.rd_reg32(kMcfgr), mcfgr_before);
  EXPECT_EQ(handles_up(**driver), 0u);
}

TEST(Probe, NeedsAQueue) {
  tools::LabOptions options;
  options.caam_driver = false;
  LabFixture lab("imx6ul", options);
  auto device = tools::caam_device(lab->caam(), lab->dma());
  device.irqs.clear();
  const auto driver = driver::caam::caam_probe(device, lab->registry());
  ASSERT_FALSE(driver.has_value());
  EXPECT_EQ(driver.error(), -ENOMEM);
}

TEST(Probe, NoMemoryForRings) {
  // Each ring takes two coherent areas; whichever fails, all is undone.
  for (uint64_t n = 1; n <= 8; ++n) {
    tools::LabOptions options;
    options.caam_driver = false;
    LabFixture lab("ls1046a", options);
    lab->dma().fail_map_after(n);
    EXPECT_EQ(lab->probe(), -ENOMEM) << n;
    EXPECT_EQ(lab->probe(), 0) << n;
  }
}

TEST(Remove, IsRefusedWhileInUse) {
  LabFixture lab("ls1046a");
  auto tfm = lab.aead("gcm-aes-caam");
  EXPECT_EQ(driver::caam::caam_remove(lab->driver()), -EBUSY);
  tfm.reset();
  EXPECT_EQ(driver::caam::caam_remove(lab->driver()), 0);
  EXPECT_EQ(lab->driver(), nullptr);
}

}  // namespace
}  // namespace caamlab::tests
