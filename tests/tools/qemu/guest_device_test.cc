// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The device as a guest meets it, without QEMU: a job ring in plain memory, driven register by register. Job: 32 bytes
// of AES-CBC (NIST SP 800-38A, F.2.1) by descriptors of the kernel's shape, IV written back.
#include "tools/qemu/guest_device.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>

#include "desc/regs.h"
#include "tools/hex.h"
#include "tools/replay.h"

namespace caamlab::tests {
namespace {

using namespace desc::reg;
using tools::qemu::Fault;
using tools::qemu::GuestDevice;
using tools::qemu::Options;

constexpr uint32_t kPage = 0x10000;  // LS1046A
constexpr uint64_t kRamBase = 0x40000000;
constexpr uint64_t kInRing = kRamBase, kOutRing = kRamBase + 0x100, kJob = kRamBase + 0x200, kIn = kRamBase + 0x400,
                   kIv = kRamBase + 0x500, kOut = kRamBase + 0x600;

class FakeHost final : public tools::qemu::Host {
 public:
  void* map(uint64_t addr, uint64_t* len, bool write) override {
    if (addr < kRamBase || addr >= kRamBase + ram.size()) return nullptr;
    *len = std::min(*len, kRamBase + ram.size() - addr);
    void* at = ram.data() + (addr - kRamBase);
    mapped.insert({at, write});
    return at;
  }
  void unmap(void* memory, uint64_t, bool write) override {
    const auto it = mapped.find({memory, write});
    ASSERT_NE(it, mapped.end()) << "unmapped what was not mapped";
    mapped.erase(it);
  }
  void set_irq(unsigned ring, bool high) override { irq[ring] = high; }
  void run_soon() override { ++wanted; }

  std::vector<uint8_t> ram = std::vector<uint8_t>(0x1000);
  std::multiset<std::pair<void*, bool>> mapped;
  std::map<unsigned, bool> irq;
  int wanted = 0;
};

struct Guest {
  FakeHost host;
  std::unique_ptr<GuestDevice> device;

  explicit Guest(const Options& options = {}) {
    auto made = GuestDevice::make(options, host);
    if (!made) throw std::runtime_error(made.error().message);
    device = std::move(*made);
    set(kMcfgr, mcfgr::kPs);
    // Virtualization is on at reset; a ring's page is there once it is started.
    set(kJrStart, 1);
    set(kPage + kIrba + 4, static_cast<uint32_t>(kInRing));
    set(kPage + kOrba + 4, static_cast<uint32_t>(kOutRing));
    set(kPage + kIrs, 4);
    set(kPage + kOrs, 4);
    words(kInRing, {0, static_cast<uint32_t>(kJob)});
  }
  // The part is big-endian, the CPU is not.
  void set(uint32_t offset, uint32_t value) { device->write(offset, __builtin_bswap32(value)); }
  uint32_t get(uint32_t offset) { return __builtin_bswap32(device->read(offset)); }
  void words(uint64_t addr, const std::vector<uint32_t>& values) {
    for (const uint32_t value : values) desc::store_be32(&host.ram[addr - kRamBase], value), addr += 4;
  }
  uint32_t word(uint64_t addr) { return desc::load_be32(&host.ram[addr - kRamBase]); }
  void bytes(uint64_t addr, std::string_view hex) {
    const auto data = *tools::parse_hex(hex);
    std::copy(data.begin(), data.end(), host.ram.begin() + static_cast<ptrdiff_t>(addr - kRamBase));
  }
  std::string hex(uint64_t addr, size_t len) {
    return tools::to_hex(std::span(host.ram).subspan(addr - kRamBase, len));
  }

  // One job of AES-CBC over 32 bytes: KEY, context from memory, OPERATION, message in and out, context back.
  void queue_cbc() {
    bytes(kIn, "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51");
    bytes(kIv, "000102030405060708090a0b0c0d0e0f");
    const auto ptr = [](uint64_t addr) { return static_cast<uint32_t>(addr); };
    words(kJob, {0xB0800012, 0x02800010, 0x2B7E1516, 0x28AED2A6, 0xABF71588, 0x09CF4F3C, 0x12200010, 0, ptr(kIv),
                 0x82100105, 0x22120020, 0, ptr(kIn), 0x60300020, 0, ptr(kOut), 0x52200010, 0});
    words(kJob + 18 * 4, {ptr(kIv)});
    words(kJob, {0xB0800013});
    set(kPage + kIrja, 1);
  }
};

constexpr const char* kCipher = "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2";

TEST(GuestDevice, RunsAJobOnlyWhenTheHostSaysSo) {
  Guest guest;
  const int before = guest.host.wanted;
  guest.queue_cbc();
  EXPECT_GT(guest.host.wanted, before);
  EXPECT_EQ(guest.get(kPage + kOrsf), 0u);
  guest.device->run();
  EXPECT_EQ(guest.word(kOutRing + 8), 0u) << "status";
  EXPECT_EQ(guest.word(kOutRing + 4), static_cast<uint32_t>(kJob));
  EXPECT_EQ(guest.get(kPage + kOrsf), 1u);
  EXPECT_EQ(guest.hex(kOut, 32), kCipher);
  EXPECT_EQ(guest.hex(kIv, 16), std::string(kCipher).substr(32));
  EXPECT_TRUE(guest.host.mapped.empty()) << "mappings outlive the run";
}

TEST(GuestDevice, InterruptLineFollowsTheRing) {
  Guest guest;
  guest.queue_cbc();
  guest.device->run();
  EXPECT_TRUE(guest.host.irq[0]);
  guest.set(kPage + kOrjr, 1);
  guest.set(kPage + kJrint, 1);
  EXPECT_FALSE(guest.host.irq[0]);
}

TEST(GuestDevice, ResetIsPowerOn) {
  Guest guest;
  guest.queue_cbc();
  guest.device->run();
  guest.device->reset();
  EXPECT_FALSE(guest.host.irq[0]);
  EXPECT_EQ(guest.get(kJrStart), 0u);
}

TEST(GuestDevice, CountsJobsAndStatuses) {
  Guest guest;
  guest.queue_cbc();
  guest.device->run();
  const std::string report = guest.device->report();
  EXPECT_NE(report.find("jobs jr0 1\n"), std::string::npos) << report;
  EXPECT_NE(report.find("status 00000000 1\n"), std::string::npos) << report;
}

TEST(GuestDevice, MemoryThatIsNotThereIsABusError) {
  Guest guest;
  guest.queue_cbc();
  guest.words(kJob + 12 * 4, {0x70000000});  // the input's address
  guest.device->run();
  EXPECT_EQ(guest.word(kOutRing + 8) & 0xF00000FF, 0x40000016u);
}

TEST(GuestDevice, FaultNothing) {
  Guest guest({.fault = Fault::kNothing});
  guest.queue_cbc();
  guest.device->run();
  EXPECT_EQ(guest.get(kPage + kOrsf), 1u);
  EXPECT_EQ(guest.word(kOutRing + 8), 0u);
  EXPECT_EQ(guest.hex(kOut, 32), std::string(64, '0'));
}

TEST(GuestDevice, FaultCbcIvSpoilsTheIvOnly) {
  Guest guest({.fault = Fault::kCbcIv});
  guest.queue_cbc();
  guest.device->run();
  EXPECT_EQ(guest.hex(kOut, 32), kCipher);
  EXPECT_EQ(guest.hex(kIv, 16), "5086cb9b507219ee95db113a917678b3");
}

TEST(GuestDevice, FaultDmaIsOfOneJob) {
  Guest guest({.fault = Fault::kDma, .fault_job = 1});
  guest.queue_cbc();
  guest.device->run();
  EXPECT_EQ(guest.word(kOutRing + 8) & 0xF00000FF, 0x40000016u);
  guest.words(kInRing + 8, {0, static_cast<uint32_t>(kJob)});
  guest.queue_cbc();
  guest.device->run();
  EXPECT_EQ(guest.word(kOutRing + 20), 0u);
  EXPECT_EQ(guest.hex(kOut, 32), kCipher);
}

TEST(GuestDevice, TraceIsReplayed) {
  const std::string path = testing::TempDir() + "/trace.jsonl";
  {
    Guest guest({.trace = path});
    guest.queue_cbc();
    guest.device->run();
  }
  std::ifstream file(path);
  std::string line;
  ASSERT_TRUE(std::getline(file, line));
  const auto job = tools::parse_replay_line(line);
  ASSERT_TRUE(job) << job.error().message;
  EXPECT_EQ(job->job.size(), 19u);
  const tools::ReplayResult result = tools::run_replay_job(*job);
  EXPECT_TRUE(result.compared);
  EXPECT_TRUE(result.identical) << line;
  EXPECT_FALSE(std::getline(file, line));
}

}  // namespace
}  // namespace caamlab::tests
