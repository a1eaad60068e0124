// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Published figures within the tolerance their profile gives them, and reference values within 2 % (docs/timing.md 8).
#include "timing/figures.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace caamlab::timing {
namespace {

void check(const Figure& f, const Profile& profile) {
  const auto outcome = outcome_of(f, profile);
  ASSERT_TRUE(outcome) << outcome.error().to_string();
  for (const Compared& c : compare(f, *outcome)) {
    // Reference values are rounded to one or two places.
    const double rounding = std::string_view(c.metric) == "cores" ? 0.0051 : 0.051;
    EXPECT_TRUE(c.ok() || (f.tolerance == 0 && std::abs(c.model - c.figure) <= rounding))
        << fmt::format("{}, {} {} {} B, {} in flight, {} CPUs, keys {}: {} is {:.3f}, the figure {:.3f}", profile.name,
                       f.load, f.share, f.size, f.depth, f.submit_cpus, f.keys, c.metric, c.model, c.figure);
  }
}

TEST(Figures, PublishedOnesWithinTheirTolerance) {
  unsigned checked = 0;
  for (const std::string& name : profile_names()) {
    const auto profile = resolve_profile(name);
    ASSERT_TRUE(profile) << profile.error().to_string();
    for (const Figure& f : profile->published) {
      SCOPED_TRACE(name + ": " + f.name);
      EXPECT_GT(f.tolerance, 0);
      EXPECT_LE(f.tolerance, 0.1);
      check(f, *profile);
      ++checked;
    }
  }
  EXPECT_EQ(checked, 22u);
}

TEST(Figures, ReferenceValues) {
  const auto file = load_profiles("tests/timing/reference.json");
  ASSERT_TRUE(file) << file.error().to_string();
  EXPECT_EQ(file->reference.size(), 39u);
  for (const Figure& f : file->reference) {
    const auto profile = resolve_profile(f.profile);
    ASSERT_TRUE(profile) << profile.error().to_string();
    ASSERT_TRUE(f.mbps && f.cores && f.irq_per_req && f.latency_us);
    check(f, *profile);
  }
}

TEST(Figures, SayWhatTheyDoNotUnderstand) {
  const auto profile = resolve_profile("lx2160a");
  ASSERT_TRUE(profile);
  Figure f;
  f.load = "pipe";
  f.share = "serial";
  f.size = 64;
  EXPECT_TRUE(outcome_of(f, *profile));
  f.load = "pip";
  EXPECT_FALSE(outcome_of(f, *profile));
  f.load = "poll";
  f.keys = "many";
  EXPECT_FALSE(outcome_of(f, *profile));
  f.keys = "3";
  EXPECT_EQ(scenario_of(f)->keys, 3u);
  f.driver = "ctr-aes-ce";
  EXPECT_NE(outcome_of(f, *profile).error().to_string().find("gcm-aes-ce"), std::string::npos);
}

}  // namespace
}  // namespace caamlab::timing
