// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Reading of profiles: what is wrong is said with its place, and what was read can be written again.
#include "timing/profile.h"

#include <gtest/gtest.h>

namespace caamlab::timing {
namespace {

TEST(Profiles, EveryParameterSaysWhereItComesFrom) {
  for (const std::string& name : profile_names()) {
    const auto p = resolve_profile(name);
    ASSERT_TRUE(p) << p.error().to_string();
    EXPECT_EQ(p->name, name);
    for (const char* key :
         {"n_deco", "cap_mbps", "t_fix_us", "rate_mbps", "c_sub_us", "c_cmp_us", "c_irq_us", "c_wake_us", "l_irq_us",
          "l_wake_us", "t_share_us", "t_key_us", "napi_budget", "coalesce_us"}) {
      if (name == "lx2160a-batch-reading" && !p->provenance.contains(key)) continue;
      ASSERT_TRUE(p->provenance.contains(key)) << name << " " << key;
      EXPECT_FALSE(p->provenance.at(key).text.empty());
    }
    for (const std::string& reading : p->readings) EXPECT_TRUE(resolve_profile(reading));
    EXPECT_TRUE(p->is_engine_driver(p->default_driver)) << name;
  }
}

TEST(Profiles, WrittenAndReadAgainAreTheSame) {
  for (const std::string& name : profile_names()) {
    const Profile p = *resolve_profile(name);
    const auto again = parse_profiles(to_json_text(p), "again.json");
    ASSERT_TRUE(again) << again.error().to_string();
    const Profile& q = again->profiles.at(0);
    EXPECT_EQ(q.params, p.params);
    EXPECT_EQ(q.name, p.name);
    EXPECT_EQ(q.driver_list(), p.driver_list());
    EXPECT_EQ(q.published.size(), p.published.size());
    EXPECT_EQ(q.algorithm_rates, p.algorithm_rates);
  }
}

struct Bad {
  const char* text;
  const char* says;
};
const Bad kBad[] = {
    {"{", "not JSON"},
    {"[]", "must be an object"},
    {"{}", "params: is needed"},
    {R"({"params": 3})", "params: must be an object"},
    {R"({"params": {"n_deco": 1}})", "params.rate_mbps: is needed"},
    {R"({"params": {"rate_mbps": 0, "n_deco": 1}})", "params.rate_mbps: is needed, and above 0"},
    {R"({"params": {"rate_mbps": 1}})", "params.n_deco: is needed"},
    {R"({"params": {"rate_mbps": 1, "n_deco": 0}})", "params.n_deco: must be a whole number from 1"},
    {R"({"params": {"rate_mbps": 1, "n_deco": 1, "t_fix_us": -1}})", "params.t_fix_us: must be a number from 0"},
    {R"({"params": {"rate_mbps": 1, "n_deco": 1, "c_irq_us": "x"}})", "params.c_irq_us: must be a number"},
    {R"({"params": {"rate_mbps": 1, "n_deco": 1}, "software": {"x": {"a_us": 1}}})", "software.x.rate_mbps: is needed"},
    {R"({"params": {"rate_mbps": 1, "n_deco": 1}, "published": [{"size": 0}]})", "published[0].size: must be"},
    {R"({"params": {"rate_mbps": 1, "n_deco": 1}, "published": [{"size": 1, "metric": "x"}]})", "\"x\" is not one of"},
    {R"({"params": {"rate_mbps": 1, "n_deco": 1}, "readings": "x"})", "readings: must be a list of texts"},
    {R"({"params": {"rate_mbps": 1, "n_deco": 1}, "algorithm_rates": {"x": 0}})", "algorithm_rates.x: must be"},
    {R"({"profiles": {"a": {"params": {}}}})", "f.json: a.params.rate_mbps: is needed"},
};

TEST(Profiles, MistakesAreNamedWithTheirPlace) {
  for (const Bad& bad : kBad) {
    const auto result = parse_profiles(bad.text, "f.json");
    ASSERT_FALSE(result) << bad.text;
    EXPECT_NE(result.error().to_string().find(bad.says), std::string::npos)
        << bad.text << ": " << result.error().to_string();
  }
}

TEST(Profiles, NamesAndFiles) {
  EXPECT_NE(resolve_profile("lx9").error().message.find("lx2160a"), std::string::npos);
  EXPECT_NE(resolve_profile("/nowhere/x.json").error().message.find("cannot be read"), std::string::npos);
}

TEST(Profiles, RatesAndDriversByName) {
  const Profile nano = *resolve_profile("imx8mn");
  EXPECT_EQ(nano.rate_for("cbc-aes-caam", 128), 193.9);
  EXPECT_EQ(nano.rate_for("cbc-aes-caam", 0), 193.9);
  EXPECT_EQ(nano.rate_for("ecb-aes-caam", 256), 142.2);
  EXPECT_EQ(nano.rate_for("ecb-aes-caam", 128), nano.params.rate);
  EXPECT_EQ(nano.rate_for("gcm-aes-caam", 128), nano.params.rate);
  EXPECT_NE(nano.core_driver("xts-aes-ce", 256), nullptr);
  EXPECT_NE(nano.core_driver("xts-aes-ce", 0), nullptr);
  EXPECT_NE(nano.core_driver("xts-aes-ce-256", 0), nullptr);
  EXPECT_EQ(nano.core_driver("xts-aes-ce", 128), nullptr);
  EXPECT_EQ(nano.core_driver("xts-aes", 0), nullptr);
  EXPECT_TRUE(nano.is_engine_driver("sha256-caam"));
  EXPECT_FALSE(nano.is_engine_driver("sha256-caam-qi2"));
}

}  // namespace
}  // namespace caamlab::timing
