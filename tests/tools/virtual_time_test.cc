// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The real driver, rings and DECOs in virtual time: as fast as the simulation without data, with the results of inline
// execution, and nothing lost when things go wrong.
#include "tools/virtual_time.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "timing/figures.h"
#include "tools/lab.h"
#include "tools/requests.h"

namespace caamlab::tools {
namespace {

using desc::ShareMode;
using timing::CompletionCpu;
using timing::Load;
using timing::Scenario;

timing::Profile profile(const std::string& name) { return timing::resolve_profile(name).value(); }

VirtualOutcome run(const std::string& platform, const VirtualRun& r) {
  auto out = run_virtual(profile(platform), r);
  EXPECT_TRUE(out) << out.error().to_string();
  return out ? std::move(*out) : VirtualOutcome{};
}

struct Same {
  const char* platform;
  const char* driver;
  Scenario scenario;
};
const Same kSame[] = {
    {"lx2160a",
     "gcm-aes-caam",
     {.load = Load::kBatch,
      .share = ShareMode::kSerial,
      .bytes = 4096,
      .depth = 1,
      .completion = CompletionCpu::kOther}},
    {"lx2160a",
     "gcm-aes-caam",
     {.load = Load::kBatch,
      .share = ShareMode::kSerial,
      .bytes = 4096,
      .depth = 32,
      .completion = CompletionCpu::kOther}},
    {"lx2160a",
     "gcm-aes-caam",
     {.load = Load::kBatch,
      .share = ShareMode::kNever,
      .bytes = 4096,
      .depth = 32,
      .completion = CompletionCpu::kOther}},
    {"lx2160a", "gcm-aes-caam", {.share = ShareMode::kSerial, .bytes = 1420, .depth = 64}},
    {"lx2160a", "gcm-aes-caam", {.share = ShareMode::kNever, .bytes = 1420, .depth = 64}},
    {"lx2160a", "gcm-aes-caam", {.share = ShareMode::kSerial, .bytes = 16384, .depth = 32}},
    {"lx2160a", "gcm-aes-caam", {.share = ShareMode::kNever, .bytes = 16384, .depth = 32}},
    {"lx2160a", "gcm-aes-caam", {.share = ShareMode::kAlways, .bytes = 1420, .depth = 16}},
    {"lx2160a", "gcm-aes-caam", {.load = Load::kPoll, .share = ShareMode::kNever, .bytes = 64, .depth = 16}},
    {"lx2160a", "gcm-aes-caam", {.share = ShareMode::kSerial, .bytes = 4096, .depth = 16, .cpus = 4, .keys = 4}},
    {"ls1046a", "cbc-aes-caam", {.share = ShareMode::kNever, .bytes = 2048, .depth = 16}},
    {"ls1043a", "sha256-caam", {.share = ShareMode::kNever, .bytes = 512, .depth = 8}},
    {"imx8mn", "cbc-aes-caam", {.load = Load::kBatch, .share = ShareMode::kSerial, .bytes = 4096, .depth = 1}},
};

// Two ways to the same costs: who queues is another, what it takes is the same code.
TEST(VirtualTime, AgreesWithTheSimulationWithoutData) {
  for (const Same& c : kSame) {
    const timing::Profile p = profile(c.platform);
    Scenario s = c.scenario;
    s.rate = p.rate_for(c.driver, 0);
    const VirtualOutcome real = run(c.platform, {.driver = c.driver, .scenario = s});
    // What the CHA of GCM takes in beside the text.
    if (std::string_view(c.driver) == "gcm-aes-caam") s.bytes += 12;
    const timing::Outcome pure = timing::simulate(p, s).value();
    const timing::Outcome& o = real.outcome;
    SCOPED_TRACE(
        fmt::format("{} {} {} {} B, {} in flight", c.platform, c.driver, timing::load_name(s.load), s.bytes, s.depth));
    EXPECT_EQ(real.driver, c.driver);
    EXPECT_EQ(real.failed, 0u);
    EXPECT_NEAR(o.requests_per_s, pure.requests_per_s, 1e-6 * pure.requests_per_s);
    EXPECT_NEAR(o.cores, pure.cores, 1e-6);
    EXPECT_NEAR(o.interrupts_per_request, pure.interrupts_per_request, 1e-9);
    EXPECT_NEAR(o.latency_us, pure.latency_us, 1e-6 * pure.latency_us);
    EXPECT_NEAR(o.engine_busy, pure.engine_busy, 1e-6 * pure.engine_busy);
    EXPECT_EQ(real.never_completed, 0u);
    EXPECT_EQ(real.leaked_mappings, 0u);
  }
}

class Ignore final : public Requests::Sink {
 public:
  void request_done(unsigned, int err) override {
    EXPECT_EQ(err, 0);
    ++done;
  }
  unsigned done = 0;
};

TEST(VirtualTime, ResultsAreThoseOfInlineExecution) {
  for (const char* driver : {"gcm-aes-caam", "cbc-aes-caam", "sha256-caam", "rfc4106-gcm-aes-caam"})
    for (const ShareMode share : {ShareMode::kSerial, ShareMode::kNever}) {
      const Scenario s{.load = Load::kBatch, .share = share, .bytes = 1408, .depth = 8, .requests = 8};
      const VirtualOutcome real = run("lx2160a", {.driver = driver, .scenario = s});
      LabOptions options;
      options.driver.share = share;
      auto lab = Lab::make("lx2160a", options).value();
      Ignore sink;
      auto requests = Requests::make(lab->registry(), {driver, 0, s.bytes, s.depth, 1, false}, sink).value();
      // As many rounds, since every submission has an IV of its own.
      const uint64_t rounds = real.submitted / s.depth;
      for (uint64_t round = 0; round < rounds; ++round) {
        for (unsigned i = 0; i < s.depth; ++i) EXPECT_EQ(requests->submit(i), -EINPROGRESS);
        lab->run();
      }
      EXPECT_EQ(sink.done, rounds * s.depth);
      ASSERT_EQ(real.submitted % s.depth, 0u);
      for (unsigned i = 0; i < s.depth; ++i) {
        const desc::ByteSpan want = requests->output(i);
        EXPECT_EQ(real.outputs[i], std::vector<uint8_t>(want.begin(), want.end())) << driver << " request " << i;
      }
      requests.reset();
    }
}

TEST(VirtualTime, NeverLoadsEveryKeySerialAlmostNone) {
  const Scenario never{.share = ShareMode::kNever, .bytes = 1420, .depth = 16, .requests = 1000};
  Scenario serial = never;
  serial.share = ShareMode::kSerial;
  const VirtualOutcome a = run("lx2160a", {.scenario = never}), b = run("lx2160a", {.scenario = serial});
  EXPECT_EQ(a.keys_loaded, a.submitted);
  EXPECT_EQ(a.keys_reused, 0u);
  EXPECT_GT(b.keys_reused, b.submitted / 2);
  EXPECT_EQ(b.keys_loaded + b.keys_reused, b.submitted);
  EXPECT_EQ(b.outcome.out_of_order, 0u);
}

TEST(VirtualTime, ARunRepeatsExactly) {
  const VirtualRun r{.scenario = {.share = ShareMode::kNever, .bytes = 700, .depth = 20, .cpus = 2, .keys = 2},
                     .faults = {{FaultKind::kDecoStall, 500, 100}}};
  const VirtualOutcome a = run("ls1088a", r), b = run("ls1088a", r);
  EXPECT_EQ(a.outcome.elapsed_us, b.outcome.elapsed_us);
  EXPECT_EQ(a.outcome.latency_p99_us, b.outcome.latency_p99_us);
  EXPECT_EQ(a.outputs, b.outputs);
}

// Whatever happens, every request comes back and nothing is left mapped.
void expect_nothing_lost(const VirtualOutcome& o) {
  EXPECT_EQ(o.never_completed, 0u);
  EXPECT_EQ(o.completed + o.failed, o.submitted);
  EXPECT_EQ(o.leaked_mappings, 0u);
}

constexpr Scenario kLoads[] = {
    {.load = Load::kBatch, .share = ShareMode::kSerial, .bytes = 4096, .depth = 1},
    {.load = Load::kBatch, .share = ShareMode::kNever, .bytes = 1420, .depth = 32},
    {.load = Load::kPipe, .share = ShareMode::kSerial, .bytes = 64, .depth = 16},
    {.load = Load::kPipe, .share = ShareMode::kNever, .bytes = 4096, .depth = 64},
};

TEST(Faults, RingFullRefusesAndGoesOn) {
  const Scenario s{.share = ShareMode::kNever, .bytes = 4096, .depth = 16};
  const VirtualOutcome o = run("lx2160a", {.scenario = s, .ring_depth_log2 = 2});
  expect_nothing_lost(o);
  EXPECT_EQ(o.failed, 0u);
  EXPECT_GT(o.refused, 0u);
  // Three at a time are what such a ring holds.
  Scenario three = s;
  three.depth = 3;
  EXPECT_NEAR(o.outcome.mb_per_s, run("lx2160a", {.scenario = three}).outcome.mb_per_s, 0.1 * o.outcome.mb_per_s);
}

TEST(Faults, CongestionWithBacklogIsNoRefusal) {
  const VirtualOutcome o = run("lx2160a", {.scenario = {.share = ShareMode::kNever, .bytes = 4096, .depth = 16},
                                           .ring_depth_log2 = 2,
                                           .may_backlog = true});
  expect_nothing_lost(o);
  EXPECT_EQ(o.failed, 0u);
  EXPECT_EQ(o.refused, 0u);
}

TEST(Faults, LostInterrupt) {
  for (const Scenario& s : kLoads) {
    const VirtualOutcome o = run("lx2160a", {.scenario = s, .faults = {{FaultKind::kLostInterrupt, 3000, 0}}});
    expect_nothing_lost(o);
    // Alone in flight nobody wakes the caller any more; with others on their way the next interrupt finds both.
    EXPECT_EQ(o.waited_for_reset, s.depth == 1 ? 1u : 0u) << s.depth;
  }
}

TEST(Faults, AStalledDecoDelaysOneJob) {
  for (const Scenario& s : kLoads) {
    const VirtualOutcome good = run("lx2160a", {.scenario = s});
    const VirtualOutcome o =
        run("lx2160a", {.scenario = s, .faults = {{FaultKind::kDecoStall, good.outcome.elapsed_us / 2, 700}}});
    expect_nothing_lost(o);
    EXPECT_EQ(o.failed, 0u);
    EXPECT_EQ(o.waited_for_reset, 0u);
    EXPECT_GE(o.outcome.latency_max_us, std::min(700.0, good.outcome.latency_max_us + 100));
    // With never the others go on past it.
    if (s.share == ShareMode::kNever) {
      EXPECT_GT(o.outcome.out_of_order, 0u);
    }
  }
}

TEST(Faults, AHangingDecoIsReportedByTheReset) {
  for (const Scenario& s : kLoads) {
    const VirtualOutcome o = run("lx2160a", {.scenario = s, .faults = {{FaultKind::kDecoHang, 3000, 0}}});
    expect_nothing_lost(o);
    EXPECT_GE(o.waited_for_reset, 1u);
  }
}

TEST(Faults, ResetWithRequestsInFlight) {
  for (const Scenario& s : kLoads) {
    const VirtualOutcome o =
        run("lx2160a", {.scenario = s, .faults = {{FaultKind::kReset, 3000, 0}, {FaultKind::kReset, 5000, 0}}});
    expect_nothing_lost(o);
    EXPECT_EQ(o.waited_for_reset, 0u);
    EXPECT_GT(o.completed, 4000u);
  }
}

TEST(VirtualTime, SaysWhatIsWrong) {
  const auto says = [](const std::string& platform, const VirtualRun& r) {
    const auto out = run_virtual(profile(platform), r);
    return out ? std::string() : out.error().to_string();
  };
  EXPECT_NE(says("lx2160a", {.driver = "gcm-aes-cx"}).find("no cipher, aead or hash \"gcm-aes-cx\""),
            std::string::npos);
  EXPECT_NE(says("lx2160a", {.key_bits = 40}).find("takes no key of 40 bits"), std::string::npos);
  EXPECT_NE(says("lx2160a", {.scenario = {.cpus = 5}}).find("has 4"), std::string::npos);
  EXPECT_NE(says("lx2160a", {.scenario = {.depth = 0}}).find("above 0"), std::string::npos);
  EXPECT_NE(says("lx2160a", {.scenario = {.cpus = 2, .keys = 3}}).find("3 keys"), std::string::npos);
  EXPECT_NE(says("qat-gen4-spr", {}).find("no platform"), std::string::npos);
}

}  // namespace
}  // namespace caamlab::tools
