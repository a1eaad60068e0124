// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The controller as software meets it: probe sequences through the register window, direct DECO access, TRNG,
// virtualization, resets, counters, fault registers.
#include "hw_model/controller.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <vector>

#include "hw_model/memory.h"

namespace caamlab::hw_model {
namespace {

using namespace desc::reg;

// DECOs that run nothing but remember what they were asked.
class FakeDecos final : public DirectDecoAccess {
 public:
  void request(unsigned deco) override { granted_[deco] = available; }
  void release(unsigned deco) override { granted_[deco] = false; }
  bool granted(unsigned deco) const override { return granted_.count(deco) && granted_.at(deco); }
  bool idle(unsigned deco) const override { return deco != busy; }
  void reset(unsigned deco) override { resets.push_back(deco); }
  void write_word(unsigned deco, unsigned index, uint32_t word) override { words[{deco, index}] = word; }
  uint32_t read_word(unsigned deco, unsigned index) const override {
    return words.count({deco, index}) ? words.at({deco, index}) : 0;
  }
  void start(unsigned deco, uint32_t jqcr_ms) override { starts.emplace_back(deco, jqcr_ms); }
  Status status(unsigned) const override { return now; }
  uint32_t read_reg(unsigned, uint32_t offset) const override { return regs.count(offset) ? regs.at(offset) : 0; }
  void write_reg(unsigned, uint32_t offset, uint32_t value) override { regs[offset] = value; }

  bool available = true;
  unsigned busy = 99;
  Status now;
  std::vector<unsigned> resets;
  std::vector<std::pair<unsigned, uint32_t>> starts;
  std::map<std::pair<unsigned, unsigned>, uint32_t> words;
  std::map<uint32_t, uint32_t> regs;

 private:
  std::map<unsigned, bool> granted_;
};

// A part without DECOs, and a driver's view of it: it finds the byte order out as the kernel does.
struct Part {
  explicit Part(const char* name) : Part(*find_platform(name)) {}
  explicit Part(const Platform& p)
      : platform(p),
        controller(platform, {.rdsta = [this] { return rdsta; },
                              .busy = [this] { return busy; },
                              .software_reset = [this] { ++software_resets; },
                              .dma_reset = [this] { ++dma_resets; },
                              .debug_stop_changed = [this] { ++stop_changes; }}),
        bus(controller.registers()) {
    for (unsigned i = platform.first_job_ring; i < platform.job_rings; ++i) {
      rings.push_back(std::make_unique<JobRing>(JobRing::Wiring{
          .index = i, .target = &controller.target(), .bus = &space, .irq = &irqs[i], .doorbell = {}, .on_fault = {}}));
      controller.attach_ring(*rings.back(), i);
    }
    controller.attach_deco_access(&decos);
    little = !(bus.read32(kCsta) & (csta::kPlend | csta::kAltPlend));
  }
  uint32_t page(unsigned index) const { return controller_page_bytes() * index; }
  uint32_t controller_page_bytes() const { return platform.page_bytes; }
  uint32_t read(uint32_t offset) const { return order(bus.read32(offset)); }
  void write(uint32_t offset, uint32_t value) { bus.write32(offset, order(value)); }
  void set_bits(uint32_t offset, uint32_t bits) { write(offset, read(offset) | bits); }
  void clear_bits(uint32_t offset, uint32_t bits) { write(offset, read(offset) & ~bits); }
  uint32_t order(uint32_t word) const { return little ? word : desc::bswap32(word); }

  Platform platform;
  uint32_t rdsta = 0;
  bool busy = false;
  int software_resets = 0, dma_resets = 0, stop_changes = 0;
  DmaSpace space;
  LevelIrq irqs[4];
  FakeDecos decos;
  Controller controller;
  RegisterBus& bus;
  std::vector<std::unique_ptr<JobRing>> rings;
  bool little = true;
};

// Steps 1 to 9 of the probe (hardware.md 8.5), with what each should come to.
struct Probed {
  bool little = false;
  unsigned ptr_bytes = 0, page_bytes = 0, era = 0, rng_version = 0, aes_count = 0, job_rings = 0, decos = 0;
  bool dpaa2 = false, qi = false, virt = false, blob = false;
};

Probed probe(Part& part) {
  Probed got;
  got.little = part.little;
  const uint32_t params = part.read(kCtprMs);
  got.ptr_bytes = params & ctpr_ms::kPs && part.read(kMcfgr) & mcfgr::kPs ? 8 : 4;
  got.dpaa2 = params & ctpr_ms::kDpaa2;
  got.qi = params & ctpr_ms::kQi;
  got.page_bytes = params & ctpr_ms::kPage64K ? 65536 : 4096;
  part.write(kMcfgr, (part.read(kMcfgr) & ~mcfgr::kAwcache) | mcfgr::kAwcacheCach | mcfgr::kAwcacheBuff | mcfgr::kWde |
                         mcfgr::kLargeBurst);
  const uint32_t scfgr = part.read(kScfgr);
  got.virt = params & ctpr_ms::kVirtEnIncl ? (params & ctpr_ms::kVirtEnPor) || (scfgr & scfgr::kVirtEn)
                                           : params & ctpr_ms::kVirtEnPor;
  if (got.virt) part.set_bits(kJrStart, 0xF);
  got.era = part.read(kCcbvid) >> ccbvid::kEraShift;
  if (!got.era) {
    const uint32_t id = part.read(kSecvidMs);
    got.era = static_cast<unsigned>(era_from_secvid(static_cast<uint16_t>(id >> 16), static_cast<uint8_t>(id >> 8)));
  }
  if (got.era < 10) {
    got.rng_version = part.read(kChavidLs) >> 16 & 0xF;
    got.aes_count = part.read(kChanumLs) & 0xF;
  } else {
    got.rng_version = part.read(kVregRng) >> vreg::kVidShift;
    got.aes_count = part.read(kVregAesa) & vreg::kNumMask;
  }
  got.blob = (part.read(kCtprLs) & ctpr_ls::kBlob) && got.aes_count;
  got.job_rings = part.read(kChanumMs) >> 28;
  got.decos = got.era < 10 ? part.read(kChanumMs) >> 24 & 0xF : part.read(kVregDeco) & vreg::kNumMask;
  part.set_bits(kScfgr, scfgr::kRdb);
  return got;
}

TEST(Probe, Ls1046aBigEndian) {
  Part part("ls1046a");
  EXPECT_EQ(part.bus.read32(kCsta), 0x06040000u);  // as a little-endian CPU reads it
  const Probed got = probe(part);
  EXPECT_FALSE(got.little);
  EXPECT_EQ(got.ptr_bytes, 8u);
  EXPECT_EQ(got.page_bytes, 65536u);
  EXPECT_TRUE(got.qi && !got.dpaa2 && got.virt && got.blob);
  EXPECT_EQ(got.era, 8u);
  EXPECT_EQ(got.rng_version, 4u);
  EXPECT_EQ(got.aes_count, 3u);
  EXPECT_EQ(got.job_rings, 4u);
  EXPECT_EQ(got.decos, 3u);
  EXPECT_EQ(part.read(kMcfgr), 0x40010304u);
  EXPECT_EQ(part.read(kScfgr), 0x400u);
  part.write(part.page(kPageQi) + kQictlLs, qictl::kDqen);
  EXPECT_TRUE(part.controller.qi_dequeue_enabled());
}

TEST(Probe, Lx2160aLittleEndian) {
  Part part("lx2160a");
  EXPECT_EQ(part.bus.read32(kCsta), 0x00000006u);
  const Probed got = probe(part);
  EXPECT_TRUE(got.little && got.dpaa2 && got.virt && got.blob);
  EXPECT_EQ(got.ptr_bytes, 8u);
  EXPECT_EQ(got.era, 10u);
  EXPECT_EQ(got.rng_version, 4u);
  EXPECT_EQ(got.aes_count, 16u);
  EXPECT_EQ(got.decos, 16u);
  EXPECT_EQ(part.controller.target(), (desc::Target{.ptr_bytes = 8, .endian = desc::Endian::kLittle}));
}

TEST(Probe, Imx6) {
  Part part("imx6");
  const Probed got = probe(part);
  EXPECT_TRUE(got.little && !got.dpaa2 && !got.qi && !got.virt);
  EXPECT_EQ(got.ptr_bytes, 4u);
  EXPECT_EQ(got.page_bytes, 4096u);
  EXPECT_EQ(got.era, 4u);
  EXPECT_EQ(got.aes_count, 1u);
  EXPECT_EQ(got.job_rings, 2u);
  part.set_bits(kMcfgr, mcfgr::kPs);  // not implemented
  EXPECT_FALSE(part.read(kMcfgr) & mcfgr::kPs);
  EXPECT_EQ(part.controller.target().ptr_bytes, 4);
  EXPECT_FALSE(part.controller.qi_dequeue_enabled());
}

TEST(Probe, EveryPlatformAndItsRings) {
  for (const std::string& name : platform_names()) {
    Part part(name.c_str());
    const Platform& p = part.platform;
    const Probed got = probe(part);
    EXPECT_EQ(got.little, p.target.endian == desc::Endian::kLittle) << name;
    EXPECT_EQ(got.ptr_bytes, p.target.ptr_bytes) << name;
    EXPECT_EQ(got.page_bytes, p.page_bytes) << name;
    EXPECT_EQ(got.era, static_cast<unsigned>(p.era)) << name;
    EXPECT_EQ(got.job_rings, p.job_rings) << name;
    EXPECT_EQ(got.decos, p.decos) << name;
    EXPECT_EQ(got.aes_count, p.cha(ChaUnit::kAesa).count) << name;
    for (unsigned i = 0; i < p.job_rings; ++i) {
      const uint32_t ring = part.page(kPageJobRing + i);
      EXPECT_EQ(part.read(ring + kCtprMs), part.read(kCtprMs)) << name;  // visible in every page
      part.set_bits(ring + kJrcfgLs, jrcfg::kImsk);
      part.write(ring + kJrcr, jrcr::kReset);
      const uint32_t halted = i >= p.first_job_ring ? jrint::kHaltComplete : 0;
      EXPECT_EQ(part.read(ring + kJrint) & jrint::kHaltMask, halted) << name << " ring " << i;
    }
  }
}

// Whatever software writes where, the device stays within its own rules and within memory.
TEST(Controller, RandomRegisterTraffic) {
  constexpr uint32_t kRingOffsets[] = {kIrba, kIrba + 4, kIrs,   kIrsa,    kIrja,    kOrba, kOrba + 4, kOrs,
                                       kOrjr, kOrsf,     kJrint, kJrcfgMs, kJrcfgLs, kIrri, kOrwi,     kJrcr};
  for (const char* name : {"ls1046a", "lx2160a", "imx6", "imxrt1170"}) {
    Part part(name);
    std::mt19937 rng(7);
    const DmaMemory::Coherent memory = part.space.alloc_coherent(64 * 1024);
    const uint32_t values[] = {
        0, 1, 2, 8, 16, 0xFFFFFFFF, static_cast<uint32_t>(memory.addr), static_cast<uint32_t>(memory.addr >> 32)};
    std::vector<BusAddr> taken[4];
    unsigned completed = 0;
    for (int step = 0; step < 100'000; ++step) {
      const unsigned which = rng() % static_cast<unsigned>(part.rings.size());
      JobRing& ring = *part.rings[which];
      const unsigned page = kPageJobRing + part.platform.first_job_ring + which;
      if (step % 200 == 0) {  // a driver that starts over
        part.write(kJrStart, 0xF);
        const uint32_t low = part.controller.target().ptr_low_word_first() ? 0 : 4;
        for (const uint32_t command : {jrcr::kReset, jrcr::kReset}) part.write(part.page(page) + kJrcr, command);
        for (const uint32_t base : {kIrba, kOrba}) {
          part.write(part.page(page) + base + 4 - low, static_cast<uint32_t>(memory.addr >> 32));
          part.write(part.page(page) + base + low, static_cast<uint32_t>(memory.addr) + 64 * base);
        }
        part.write(part.page(page) + kIrs, 16);
        part.write(part.page(page) + kOrs, 16);
      }
      const uint32_t value = rng() % 4 ? values[rng() % std::size(values)] : rng() % 1100;
      switch (rng() % 8) {
        case 0:
          part.bus.write32((rng() % part.controller.registers().size_bytes()) & ~3u, rng());
          break;
        case 1:
          part.bus.read32((rng() % part.controller.registers().size_bytes()) & ~3u);
          break;
        case 2:
          if (ring.has_job()) taken[which].push_back(ring.take());
          break;
        case 3:
          if (ring.in_flight() == 0) taken[which].clear();  // a reset came between
          if (!taken[which].empty()) {
            ring.complete(taken[which].back(), rng(), rng());
            taken[which].pop_back();
            ++completed;
          }
          break;
        case 4:
          ring.tick(rng() % 1000);
          break;
        default:
          part.write(part.page(page) + kRingOffsets[rng() % std::size(kRingOffsets)], value);
      }
      RegBank& bank = ring.bank();
      ASSERT_LE(bank.read(kIrsa), bank.read(kIrs)) << name << " step " << step;
      ASSERT_LE(bank.read(kOrsf) + ring.in_flight(), bank.read(kOrs)) << name << " step " << step;
      ASSERT_EQ(ring.queued(), bank.read(kIrs) - bank.read(kIrsa)) << name << " step " << step;
    }
    EXPECT_GT(completed, 100u) << name << ": the traffic does reach the ring";
  }
}

TEST(Controller, RingPagesAppearWithJrstart) {
  Part part("ls1046a");
  const uint32_t ring = part.page(kPageJobRing + 1);
  part.write(ring + kIrs, 16);
  EXPECT_EQ(part.read(ring + kIrs), 0u);
  EXPECT_EQ(part.read(ring + kCcbvid), 0x08000000u);
  EXPECT_FALSE(part.controller.ring_started(1));
  part.write(kJrStart, 0x2);
  EXPECT_TRUE(part.controller.ring_started(1));
  part.write(ring + kIrs, 16);
  EXPECT_EQ(part.read(ring + kIrs), 16u);
  EXPECT_EQ(part.read(part.page(kPageJobRing) + kIrs), 0u);
  part.write(kJrStart, 0xFFFFFFFF);
  EXPECT_EQ(part.read(kJrStart), 0xFu);
}

TEST(Controller, VirtualizationBySoftware) {
  Part part("t1040");  // included, off at reset
  EXPECT_TRUE(part.controller.ring_started(0));
  part.set_bits(kScfgr, scfgr::kVirtEn);
  EXPECT_TRUE(part.controller.virtualization_on());
  EXPECT_FALSE(part.controller.ring_started(0));
  Part without("imx6");
  without.set_bits(kScfgr, scfgr::kVirtEn);
  EXPECT_EQ(without.read(kScfgr), 0u);
}

TEST(Controller, RingIdentityLocks) {
  Part part("ls1046a");
  part.write(kJrDidMs, jrdid::kAmtd | 5);
  part.write(kJrStart, 1);
  part.write(kJrDidMs, 0);  // locked while started
  part.write(kJrDidMs + 4, 7);
  EXPECT_EQ(part.read(kJrDidMs), jrdid::kAmtd | 5);
  EXPECT_EQ(part.read(kJrDidMs + 4), 0u);
  part.write(kJrDidMs + 8, jrdid::kLock | 1);
  part.write(kJrDidMs + 8, 2);
  EXPECT_EQ(part.read(kJrDidMs + 8), jrdid::kLock | 1);
  part.write(kDecoDidMs + 8, jrdid::kLock);
  part.write(kDecoDidMs + 12, 3);
  EXPECT_EQ(part.read(kDecoDidMs + 12), 0u);
}

TEST(Controller, PointerSizeFollowsMcfgr) {
  Part part("ls1021a");
  EXPECT_EQ(part.controller.target().ptr_bytes, 4);
  part.set_bits(kMcfgr, mcfgr::kPs);
  EXPECT_EQ(part.controller.target().ptr_bytes, 8);
  part.clear_bits(kMcfgr, mcfgr::kPs);
  EXPECT_EQ(part.controller.target().ptr_bytes, 4);
}

TEST(Controller, SoftwareReset) {
  Part part("lx2160a");
  probe(part);
  const uint32_t ring = part.page(kPageJobRing);
  part.write(ring + kIrs, 16);
  part.write(kJdkekr, 0x11223344);
  part.set_bits(kDecorsr, decorsr::kJr0);
  part.set_bits(kDecorr, decorr::kRqd0);
  part.controller.counters().requests_dequeued = 5;
  part.set_bits(kMcfgr, mcfgr::kSwrst);
  EXPECT_EQ(part.software_resets, 1);
  EXPECT_EQ(part.read(kMcfgr), mcfgr::kPs);  // SWRST has cleared itself
  EXPECT_EQ(part.read(kScfgr), 0u);
  EXPECT_EQ(part.read(kJdkekr), 0u);
  EXPECT_EQ(part.read(kDecorr), 0u);
  EXPECT_FALSE(part.decos.granted(0));
  EXPECT_EQ(part.read(kPcReqDeq), 0u);
  part.set_bits(kJrStart, 1);
  EXPECT_EQ(part.read(ring + kIrs), 0u);
  part.set_bits(kMcfgr, mcfgr::kDmaRst | mcfgr::kWde);
  EXPECT_EQ(part.dma_resets, 1);
  EXPECT_EQ(part.read(kMcfgr), mcfgr::kPs | mcfgr::kWde);
}

// run_descriptor_deco0() of the kernel.
TEST(DirectDeco, KernelSequence) {
  for (const char* name : {"ls1046a", "lx2160a", "imx6", "imx8mm"}) {
    Part part(name);
    const bool needs_source = part.controller.virtualization_on() || part.platform.direct_deco_needs_source;
    const uint32_t deco = part.page(kPageDeco);
    if (needs_source) {
      part.set_bits(kDecorr, decorr::kRqd0);
      EXPECT_FALSE(part.read(kDecorr) & decorr::kDen0) << name;  // nobody lends an identity
      part.set_bits(kDecorsr, decorsr::kJr0);
      EXPECT_TRUE(part.read(kDecorsr) & decorsr::kValid) << name;
    }
    part.write(deco + kDescbuf, 0xFFFFFFFF);
    part.set_bits(kDecorr, decorr::kRqd0);
    EXPECT_TRUE(part.read(kDecorr) & decorr::kDen0) << name;
    const std::vector<uint32_t> words = {0xB0800003, 0x82500016, 0xA2800000};
    for (unsigned i = 0; i < words.size(); ++i) part.write(deco + kDescbuf + 4 * i, words[i]);
    for (unsigned i = 0; i < words.size(); ++i) {
      EXPECT_EQ((part.decos.words[{0, i}]), words[i]) << name << ": logical words";
      EXPECT_EQ(part.read(deco + kDescbuf + 4 * i), words[i]) << name;
    }
    part.set_bits(deco + kJqcrMs, jqcr::kWhl);
    EXPECT_EQ(part.decos.starts, (std::vector<std::pair<unsigned, uint32_t>>{{0, jqcr::kWhl}})) << name;
    EXPECT_FALSE(part.read(deco + kJqcrMs) & jqcr::kWhl) << name;

    part.decos.now = {.valid = true, .host_error = false, .index = 2, .op_status = 0, .out_bytes = 0};
    EXPECT_EQ(part.read(deco + kDdr), ddr::kValid | 2u << ddr::kIndexShift) << name;
    part.decos.now = {.valid = false, .host_error = true, .index = 1, .op_status = 0x2000015B, .out_bytes = 9};
    const bool era10 = part.platform.era >= 10;
    const uint32_t state = era10 ? (part.read(deco + kDer) & der::kStateMask) >> der::kStateShift
                                 : (part.read(deco + kDdr) & ddr::kStateMask) >> ddr::kStateShift;
    EXPECT_EQ(state, ddr::kStateHostError) << name;
    EXPECT_FALSE(part.read(deco + kDdr) & ddr::kValid) << name;
    EXPECT_EQ(part.read(deco + kOpstaMs) & opsta::kErrorMask, 0x2000005Bu) << name;
    EXPECT_EQ(part.read(deco + kOpstaLs), 9u) << name;

    if (needs_source) part.clear_bits(kDecorsr, decorsr::kJr0);
    part.clear_bits(kDecorr, decorr::kRqd0);
    EXPECT_EQ(part.read(kDecorr), 0u) << name;
    EXPECT_EQ(part.read(kDecorsr), 0u) << name;
    EXPECT_EQ(part.read(deco + kOpstaMs), 0u) << name << ": the page is closed";
  }
}

TEST(DirectDeco, DenWaitsUntilTheDecoIsFree) {
  Part part("imx6");
  part.decos.available = false;
  part.set_bits(kDecorr, decorr::kRqd0);
  EXPECT_EQ(part.read(kDecorr), decorr::kRqd0);
  part.decos.available = true;
  part.decos.request(0);
  EXPECT_EQ(part.read(kDecorr), decorr::kRqd0 | decorr::kDen0);
}

TEST(DirectDeco, OnlyDecosThatExist) {
  Part part("t2080");
  part.write(kDecorr, 0xFFFF);
  EXPECT_EQ(part.read(kDecorr), 0x000F000Fu);
  part.decos.busy = 2;
  part.write(kDar, 0xFF);
  EXPECT_EQ(part.read(kDar), 0x4u);
  part.decos.busy = 99;
  EXPECT_EQ(part.read(kDar), 0u);
  part.write(kDrr, 0xF0 | 0x5);
  EXPECT_EQ(part.decos.resets, (std::vector<unsigned>{0, 2}));
}

TEST(DirectDeco, OtherRegistersGoToTheDeco) {
  Part part("t2080");
  const uint32_t deco = part.page(kPageDeco + 3);
  part.write(deco + kMath0 + 4, 77);
  EXPECT_TRUE(part.decos.regs.empty());
  part.write(kDecorr, 1u << 3);
  part.write(deco + kMath0 + 4, 77);
  EXPECT_EQ(part.read(deco + kMath0 + 4), 77u);
  EXPECT_EQ(part.decos.regs[kMath0 + 4], 77u);
  part.decos.regs[kC2keyr + 31 * 4] = 5;
  EXPECT_EQ(part.read(deco + kC2keyr + 31 * 4), 5u);
}

TEST(DirectDeco, WithoutDecosNothingIsGranted) {
  Controller controller(*find_platform("imx6"), {});
  RegisterBus& bus = controller.registers();
  bus.write32(kDecorr, 1);
  EXPECT_EQ(bus.read32(kDecorr), 1u);
  bus.write32(controller.registers().page_offset(kPageDeco) + kDescbuf, 5);
  EXPECT_EQ(bus.read32(controller.registers().page_offset(kPageDeco) + kDescbuf), 0u);
  EXPECT_EQ(bus.read32(kRdsta), 0u);
  bus.write32(kMcfgr, mcfgr::kSwrst | mcfgr::kDmaRst);  // empty hooks
}

// kick_trng() of the kernel, and what it is for.
TEST(Trng, KernelSequence) {
  Part part("ls1046a");
  part.set_bits(kRtmctl, rtmctl::kPrgm | rtmctl::kTrngAcc);
  EXPECT_TRUE(part.controller.trng().program_mode());
  EXPECT_EQ(part.read(kRtsdctl) >> rtsdctl::kEntDlyShift, 3200u);
  part.write(kRtsdctl, (part.read(kRtsdctl) & ~rtsdctl::kEntDly) | 3600u << rtsdctl::kEntDlyShift);
  part.write(kRtfrqmin, 3600 >> 2);
  part.write(kRtfrqmax, 1 << 20);
  part.write(kRtmctl, (part.read(kRtmctl) & ~(rtmctl::kPrgm | rtmctl::kTrngAcc)) | rtmctl::kSampModeRaw);
  EXPECT_FALSE(part.controller.trng().program_mode());
  EXPECT_EQ(part.controller.trng().entropy_delay(), 3600u);
  EXPECT_TRUE(part.controller.trng().healthy());
}

TEST(Trng, ProgramModeShowsLimitsRunModeStatistics) {
  Part part("ls1046a");
  part.set_bits(kRtmctl, rtmctl::kPrgm | rtmctl::kTrngAcc);
  EXPECT_EQ(part.read(kRtpkrmax), 0x6920u);
  EXPECT_EQ(part.read(kRtfrqmax), 0x6400u);
  EXPECT_EQ(part.read(kRtent), 0u);
  EXPECT_FALSE(part.read(kRtmctl) & (rtmctl::kEntVal | rtmctl::kFctVal));
  part.clear_bits(kRtmctl, rtmctl::kPrgm);
  EXPECT_TRUE(part.read(kRtmctl) & rtmctl::kEntVal);
  EXPECT_EQ(part.read(kRtsblim), 2500u);   // total samples
  EXPECT_EQ(part.read(kRtfrqmax), 3200u);  // frequency count
  EXPECT_EQ(part.read(kRtscml), 1250u);
  EXPECT_EQ(part.read(kRtscml + 4), 312u << 16 | 312);
  EXPECT_EQ(part.read(kRtfrqmin), 0x640u);
  part.write(kRtsdctl, 0);  // limits are fixed in run mode
  EXPECT_EQ(part.read(kRtsdctl), 0x0C8009C4u);
}

TEST(Trng, EntropyRepeatsAcrossRunsAndRenewsAfterTheLastWord) {
  std::vector<uint32_t> runs[2];
  for (std::vector<uint32_t>& words : runs) {
    Part part("imx6");
    part.set_bits(kRtmctl, rtmctl::kPrgm | rtmctl::kTrngAcc);
    part.clear_bits(kRtmctl, rtmctl::kPrgm);
    for (unsigned i = 0; i < 32; ++i) words.push_back(part.read(kRtent + 4 * (i % 16)));
    EXPECT_NE(std::vector(words.begin(), words.begin() + 16), std::vector(words.begin() + 16, words.end()));
    EXPECT_NE(part.controller.trng().next_entropy(), part.controller.trng().next_entropy());
    part.clear_bits(kRtmctl, rtmctl::kTrngAcc);
    EXPECT_EQ(part.read(kRtent), 0u);
  }
  EXPECT_EQ(runs[0], runs[1]);
}

TEST(Trng, FrequencyLimitsAreEnforced) {
  Part part("imx6");
  part.set_bits(kRtmctl, rtmctl::kPrgm | rtmctl::kTrngAcc);
  part.write(kRtfrqmin, 4000);  // the sample is 3200 clocks long
  part.clear_bits(kRtmctl, rtmctl::kPrgm);
  EXPECT_EQ(part.read(kRtmctl) & (rtmctl::kErr | rtmctl::kFctFail | rtmctl::kEntVal), rtmctl::kErr | rtmctl::kFctFail);
  EXPECT_FALSE(part.controller.trng().healthy());
  part.set_bits(kRtmctl, rtmctl::kErr);
  EXPECT_FALSE(part.read(kRtmctl) & rtmctl::kErr);
  part.set_bits(kRtmctl, rtmctl::kPrgm | rtmctl::kRstDef);
  EXPECT_EQ(part.read(kRtfrqmin), 0x640u);
  part.clear_bits(kRtmctl, rtmctl::kPrgm);
  EXPECT_TRUE(part.controller.trng().healthy());
}

TEST(Controller, StatusAndRngComeFromHooks) {
  Part part("imx6");
  part.rdsta = rdsta::kSkvn | rdsta::kIf0 | rdsta::kPr0;
  EXPECT_EQ(part.read(kRdsta), 0x40000011u);
  part.busy = true;
  EXPECT_EQ(part.read(kCsta), csta::kBsy | csta::kTrngIdle);
  part.set_bits(kDebugCtl, debugctl::kStop);
  EXPECT_EQ(part.read(kDebugCtl), debugctl::kStop | debugctl::kStopAck);
  EXPECT_TRUE(part.controller.stopped());
  part.write(kDebugCtl, 0);
  EXPECT_FALSE(part.controller.stopped());
  EXPECT_EQ(part.stop_changes, 2);
}

TEST(Controller, KeyRegisters) {
  for (const char* name : {"ls1046a", "lx2160a"}) {
    Part part(name);
    part.write(kJdkekr, 1);  // no keys behind the registers
    EXPECT_EQ(part.read(kJdkekr), 0u);
    EXPECT_EQ(part.read(kSknr), 0u);
    KekRegisters keys;
    part.controller.attach_keys(&keys);
    for (unsigned i = 0; i < 8; ++i) {
      part.write(kJdkekr + 4 * i, 0x01020304 + i);
      part.write(kTdskr + 4 * i, 0xF1F2F3F4 - i);
    }
    EXPECT_TRUE(keys.loaded);
    EXPECT_EQ(keys.jdkek[0], 1);
    EXPECT_EQ(keys.jdkek[31], 4 + 7);
    EXPECT_EQ(keys.tdsk[3], 0xF4);
    keys.tdkek[4] = 0xAB;
    EXPECT_EQ(part.read(kTdkekr + 4), 0xAB000000u);
    const uint32_t low = part.controller.target().ptr_low_word_first() ? 0 : 4;
    part.write(kSknr + low, 0x89ABCDEF);
    part.write(kSknr + 4 - low, 0xFFFFFFFF);
    EXPECT_EQ(keys.nonce, 0x7FFF'89AB'CDEFu);
    EXPECT_EQ(part.read(kSknr + 4 - low), 0x7FFFu);
    EXPECT_EQ(part.read(kSknr + low), 0x89ABCDEFu);
  }
}

TEST(Controller, CountersKeepTheirHalvesTogether) {
  for (const char* name : {"ls1046a", "lx2160a", "imx6"}) {
    Part part(name);
    const bool low_first = part.controller.target().ptr_low_word_first();
    uint64_t& bytes = part.controller.counters().inbound_bytes_validated;
    bytes = 0x1'FFFF'FFFF;
    const uint32_t first = part.read(part.page(kPageJobRing) + kPcIbValidated);
    bytes = 0x2'0000'0000;
    const uint32_t second = part.read(part.page(kPageJobRing) + kPcIbValidated + 4);
    const uint64_t read = low_first ? uint64_t{second} << 32 | first : uint64_t{first} << 32 | second;
    EXPECT_EQ(read, 0x1'FFFF'FFFFu) << name;
    EXPECT_EQ(part.read(kPcIbValidated + 4), low_first ? 2u : 0u) << name;  // alone: the present value
  }
}

TEST(Controller, FaultRegisters) {
  for (const char* name : {"ls1046a", "lx2160a"}) {
    Part part(name);
    part.controller.record_fault({.addr = 0x4'5678'9ABC,
                                  .len = 200,
                                  .write = true,
                                  .block = fadr::kBlockDeco0 + 2,
                                  .source = 1,
                                  .control_data = false,
                                  .key = false});
    const uint32_t low = part.controller.target().ptr_low_word_first() ? 0 : 4;
    EXPECT_EQ(part.read(kFar + low), 0x56789ABCu);
    EXPECT_EQ(part.read(kFar + 4 - low), 4u);
    EXPECT_EQ(part.read(kFadr), 0x7Fu | fadr::kWrite | 10u << 8 | 1u << 12 | 2u << 30);
    part.controller.record_fault({.addr = 8, .len = 16, .block = fadr::kBlockJobRing, .control_data = true});
    EXPECT_EQ(part.read(kFadr), 16u | 5u << 8 | fadr::kControlData | 2u << 30);
  }
}

}  // namespace
}  // namespace caamlab::hw_model
