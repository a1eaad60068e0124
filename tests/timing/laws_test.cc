// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Closed forms and laws of docs/timing.md (1.5, 8) over random platforms and loads.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "timing/simulate.h"

namespace caamlab::timing {
namespace {

using desc::ShareMode;

constexpr unsigned kPlatforms = 30;

class Laws : public testing::TestWithParam<unsigned> {
 protected:
  double uniform(double from, double to) { return std::uniform_real_distribution(from, to)(random_); }
  unsigned pick(unsigned from, unsigned to) { return std::uniform_int_distribution(from, to)(random_); }

  Profile platform() {
    Profile p;
    p.name = "random";
    p.cpus = 16;
    p.params = {.n_deco = pick(1, 16),
                .t_fix = uniform(0.3, 9),
                .rate = uniform(100, 2000),
                .cap = 0,
                .t_key = 0,
                .t_share = uniform(0.1, 4),
                .c_sub = uniform(0.1, 4),
                .c_cmp = uniform(0.1, 4),
                .c_irq = uniform(0, 20),
                .c_wake = uniform(0, 20),
                .l_irq = uniform(0, 3),
                .l_wake = uniform(0, 60),
                .coalesce = pick(0, 3) == 0 ? uniform(0, 10) : 0,
                .napi_budget = pick(1, 512)};
    if (pick(0, 1) == 1) p.params.cap = p.params.rate * uniform(0.8, p.params.n_deco * 1.2);
    return p;
  }
  Outcome run(const Profile& p, const Scenario& s) {
    const auto o = simulate(p, s);
    EXPECT_TRUE(o) << o.error().to_string();
    return *o;
  }
  static double alone_us(const Params& p, uint64_t bytes) {
    const auto size = static_cast<double>(bytes);
    return std::max(p.t_fix + size / p.rate, p.cap > 0 ? size / p.cap : 0);
  }

  std::mt19937 random_{GetParam()};
};

TEST_P(Laws, OneInFlightIsTheSumOfItsParts) {
  const Profile p = platform();
  const Params& q = p.params;
  const uint64_t bytes = pick(1, 70000);
  const double us = q.c_sub + alone_us(q, bytes) + q.coalesce + q.l_irq + q.c_irq + q.c_cmp + q.l_wake + q.c_wake;
  for (ShareMode share : {ShareMode::kNever, ShareMode::kWait, ShareMode::kSerial, ShareMode::kAlways})
    for (CompletionCpu completion : {CompletionCpu::kSame, CompletionCpu::kOther}) {
      const Outcome o =
          run(p, {.load = Load::kBatch, .share = share, .bytes = bytes, .depth = 1, .completion = completion});
      EXPECT_NEAR(o.mb_per_s, static_cast<double>(bytes) / us, 1e-3 * o.mb_per_s);
      EXPECT_NEAR(o.cpu_us_per_request, q.c_sub + q.c_irq + q.c_cmp + q.c_wake, 1e-3);
      EXPECT_NEAR(o.interrupts_per_request, 1, 1e-9);
      EXPECT_NEAR(o.latency_us, us - q.c_sub - q.l_wake - q.c_wake, 1e-3);
      EXPECT_EQ(o.out_of_order, 0u);
    }
}

TEST_P(Laws, DeepSerialIsBoundByTheDescriptor) {
  const Profile p = platform();
  const uint64_t bytes = pick(1, 70000);
  const double bound = static_cast<double>(bytes) / alone_us(p.params, bytes);
  double first = 0;
  for (unsigned cpus : {1u, 2u, 5u, 16u}) {
    const Outcome o = run(p, {.share = ShareMode::kSerial, .bytes = bytes, .depth = 64, .cpus = cpus});
    EXPECT_LE(o.mb_per_s, bound * 1.0001);
    EXPECT_EQ(o.out_of_order, 0u);
    // Where the submitting CPUs keep up, their number is of no account.
    if (p.params.c_sub + p.params.c_cmp < 0.9 * alone_us(p.params, bytes)) {
      if (first == 0) first = o.mb_per_s;
      EXPECT_NEAR(o.mb_per_s, first, 0.01 * first);
      EXPECT_NEAR(o.mb_per_s, bound, 0.01 * bound);
    }
  }
}

TEST_P(Laws, DeepNeverReachesTheEngineOrTheCpus) {
  const Profile p = platform();
  const Params& q = p.params;
  const uint64_t bytes = pick(1, 70000);
  const auto size = static_cast<double>(bytes);
  const unsigned cpus = pick(1, 16);
  double engine = q.n_deco * size / (q.t_fix + size / q.rate);
  if (q.cap > 0) engine = std::min(engine, q.cap);
  const double processor = cpus * size / (q.c_sub + q.c_cmp);
  const Scenario s{.load = Load::kPoll, .share = ShareMode::kNever, .bytes = bytes, .depth = 256, .cpus = cpus};
  const Outcome o = run(p, s);
  EXPECT_LE(o.mb_per_s, std::min(engine, processor) * 1.001);
  EXPECT_NEAR(o.mb_per_s, std::min(engine, processor), 0.01 * o.mb_per_s);
  EXPECT_NEAR(engine_limit_mbps(p, s), engine, 1e-3 * engine);
}

TEST_P(Laws, SerialOverManyKeysIsNever) {
  const Profile p = platform();
  const uint64_t bytes = pick(1, 70000);
  const Scenario never{.share = ShareMode::kNever, .bytes = bytes, .depth = 64, .cpus = pick(1, 4)};
  Scenario many = never;
  many.share = ShareMode::kSerial;
  many.keys = never.depth * never.cpus;
  const Outcome a = run(p, never), b = run(p, many);
  EXPECT_EQ(a.mb_per_s, b.mb_per_s);
  EXPECT_EQ(a.cores, b.cores);
}

TEST_P(Laws, ShareModesInTheirOrder) {
  Profile p = platform();
  const Scenario base{.load = pick(0, 1) == 0 ? Load::kBatch : Load::kPipe,
                      .bytes = pick(1, 70000),
                      .depth = pick(1, 64),
                      .cpus = pick(1, 4)};
  const auto with = [&](ShareMode share) {
    Scenario s = base;
    s.share = share;
    return run(p, s);
  };
  const Outcome never = with(ShareMode::kNever), wait = with(ShareMode::kWait), serial = with(ShareMode::kSerial),
                always = with(ShareMode::kAlways);
  EXPECT_EQ(always.mb_per_s, never.mb_per_s);
  EXPECT_EQ(always.cores, never.cores);
  // Another rhythm of interrupts and wake-ups may cost or gain something, most of all where a batch ends.
  const double rhythm = base.load == Load::kBatch ? 1.15 : 1.03;
  EXPECT_LE(serial.mb_per_s, wait.mb_per_s * rhythm);
  EXPECT_LE(wait.mb_per_s, never.mb_per_s * rhythm);
  EXPECT_LE(serial.mb_per_s, never.mb_per_s * rhythm);
  if (base.depth == 1 && base.cpus == 1) {
    EXPECT_EQ(serial.mb_per_s, never.mb_per_s);
  }

  p.params.n_deco = 1;
  const Outcome one = with(ShareMode::kNever);
  for (ShareMode share : {ShareMode::kWait, ShareMode::kSerial, ShareMode::kAlways}) {
    const Outcome o = with(share);
    EXPECT_NEAR(o.mb_per_s, one.mb_per_s, 1e-9 * one.mb_per_s);
    EXPECT_NEAR(o.cores, one.cores, 1e-9);
  }
}

TEST_P(Laws, NothingExceedsItsLimits) {
  const Profile p = platform();
  const Scenario s{.load = static_cast<Load>(pick(0, 2)),
                   .share = static_cast<ShareMode>(pick(0, 3)),
                   .bytes = pick(1, 70000),
                   .depth = pick(1, 100),
                   .cpus = pick(1, 16),
                   .keys = pick(1, 40),
                   .completion = static_cast<CompletionCpu>(pick(0, 1))};
  const Outcome o = run(p, s);
  const Params& q = p.params;
  EXPECT_GT(o.mb_per_s, 0);
  EXPECT_LE(o.mb_per_s, engine_limit_mbps(p, s) * 1.001);
  const unsigned all_cpus =
      s.completion == CompletionCpu::kSame ? s.cpus : std::max(s.cpus, std::min(2 * s.cpus, p.cpus));
  EXPECT_LE(o.cores, all_cpus * 1.0001);
  EXPECT_LE(o.mb_per_s, all_cpus * static_cast<double>(s.bytes) / (q.c_sub + q.c_cmp) * 1.001);
  EXPECT_LE(o.engine_busy, q.n_deco * 1.001);
  // A request's CPU time: at least its own, at most with an interrupt and a wake-up.
  EXPECT_GE(o.cpu_us_per_request, (q.c_sub + q.c_cmp) * 0.999);
  EXPECT_LE(o.cpu_us_per_request, (q.c_sub + q.c_cmp + q.c_irq + q.c_wake) * 1.02);
  // Little: what is in flight is throughput times latency, in a pipe all of the depth.
  const double in_flight = o.requests_per_s * o.latency_us * 1e-6;
  EXPECT_LE(in_flight, s.depth * s.cpus * 1.01);
  if (s.load != Load::kBatch) {
    EXPECT_NEAR(in_flight, s.depth * s.cpus, 0.02 * s.depth * s.cpus);
  }
  EXPECT_LE(o.latency_p50_us, o.latency_p90_us);
  EXPECT_LE(o.latency_p99_us, o.latency_max_us);
}

TEST_P(Laws, MoreDepthNeverLowersAPipe) {
  const Profile p = platform();
  Scenario s{.load = Load::kPipe, .share = static_cast<ShareMode>(pick(0, 3)), .bytes = pick(1, 70000)};
  double before = 0;
  for (s.depth = 1; s.depth <= 256; s.depth *= 2) {
    const double now = run(p, s).mb_per_s;
    EXPECT_GE(now, before * 0.999) << "depth " << s.depth;
    before = now;
  }
}

TEST_P(Laws, ARunRepeatsExactly) {
  const Profile p = platform();
  const Scenario s{.load = static_cast<Load>(pick(0, 2)),
                   .share = static_cast<ShareMode>(pick(0, 3)),
                   .bytes = pick(1, 70000),
                   .depth = pick(1, 64),
                   .cpus = pick(1, 8),
                   .keys = pick(1, 9)};
  const Outcome a = run(p, s), b = run(p, s);
  EXPECT_EQ(a.elapsed_us, b.elapsed_us);
  EXPECT_EQ(a.cores, b.cores);
  EXPECT_EQ(a.latency_us, b.latency_us);
  EXPECT_EQ(a.latency_p99_us, b.latency_p99_us);
  EXPECT_EQ(a.out_of_order, b.out_of_order);
  EXPECT_EQ(a.events, b.events);
}

INSTANTIATE_TEST_SUITE_P(Random, Laws, testing::Range(1u, kPlatforms + 1));

TEST(Simulate, KeyReloadIsPaidByNeverOnly) {
  Profile p = *resolve_profile("lx2160a");
  p.params.t_key = 1;
  p.params.c_sub = p.params.c_cmp = 0.1;  // not the CPUs are the limit
  const Scenario s{.load = Load::kPoll, .share = ShareMode::kNever, .bytes = 16, .depth = 256, .cpus = 16};
  const double size_us = 16 / p.params.rate;
  EXPECT_NEAR(simulate(p, s)->mb_per_s, 16 * 16 / (p.params.t_fix + 1 + size_us), 1);
  Scenario always = s;
  always.share = ShareMode::kAlways;
  EXPECT_NEAR(simulate(p, always)->mb_per_s, 16 * 16 / (p.params.t_fix + size_us), 1);
}

TEST(Simulate, JobsOvertakeWithNeverOnly) {
  // The bus alone keeps order; two sizes of waiting do not: a completion that is late does not change who ended first.
  const Profile p = *resolve_profile("lx2160a");
  Scenario s{.bytes = 1420, .depth = 32, .cpus = 16};
  EXPECT_EQ(simulate(p, s)->out_of_order, 0u);
}

TEST(Simulate, RefusesWhatCannotBe) {
  const Profile p = *resolve_profile("lx2160a");
  for (const Scenario& s : {Scenario{.bytes = 0}, Scenario{.depth = 0}, Scenario{.cpus = 0}, Scenario{.keys = 0},
                            Scenario{.depth = kMaxInFlight, .cpus = 2}, Scenario{.share = ShareMode::kDefer}})
    EXPECT_FALSE(simulate(p, s));
}

TEST(Core, ACallIsAPlusSizeOverRate) {
  const Profile p = *resolve_profile("lx2160a");
  const CoreDriver* ce = p.core_driver("gcm-aes-ce", 0);
  ASSERT_NE(ce, nullptr);
  for (unsigned cpus : {1u, 4u}) {
    const Outcome o = on_core(*ce, 4096, cpus);
    EXPECT_NEAR(o.mb_per_s, cpus * 4096 / (0.4 + 4096 / 1241.0), 0.1);
    EXPECT_NEAR(o.cores, cpus, 1e-6);
    EXPECT_NEAR(o.cpu_ns_per_byte, (0.4 + 4096 / 1241.0) / 4096 * 1e3, 1e-6);
  }
}

}  // namespace
}  // namespace caamlab::timing
