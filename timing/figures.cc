// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See figures.h.
#include "timing/figures.h"

#include <fmt/format.h>

#include <array>

namespace caamlab::timing {
namespace {

constexpr double kReferenceTolerance = 0.02, kReferenceInterrupts = 0.05, kReferenceLatency = 0.03;
constexpr std::array<const char*, 3> kLoadNames{"batch", "pipe", "poll"};

desc::Result<unsigned> keys_of(const Figure& f) {
  if (f.keys.empty() || f.keys == "one") return 1u;
  if (f.keys == "one per cpu") return f.submit_cpus;
  unsigned n = 0;
  for (char c : f.keys) n = c >= '0' && c <= '9' && n < kMaxKeys ? n * 10 + static_cast<unsigned>(c - '0') : ~0u / 20;
  if (n == 0 || n > kMaxKeys)
    return desc::fail(desc::ErrorCode::kInvalidArgument,
                      fmt::format("keys \"{}\"; a number, \"one\" and \"one per cpu\" are possible", f.keys));
  return n;
}

}  // namespace

std::optional<Load> load_of(std::string_view name) {
  for (size_t i = 0; i < kLoadNames.size(); ++i)
    if (kLoadNames[i] == name) return static_cast<Load>(i);
  return std::nullopt;
}

const char* load_name(Load load) { return kLoadNames[static_cast<size_t>(load)]; }

std::optional<desc::ShareMode> share_of(std::string_view name) {
  for (const desc::ValueName& v : desc::kSharedShareNames)
    if (v.name == name) return static_cast<desc::ShareMode>(v.value);
  return std::nullopt;
}

desc::Result<Scenario> scenario_of(const Figure& f) {
  const auto load = load_of(f.load);
  const auto share = share_of(f.share);
  if (!load || !share)
    return desc::fail(desc::ErrorCode::kInvalidArgument,
                      fmt::format("figure \"{}\": load \"{}\" and share mode \"{}\"; batch, pipe or poll and never, "
                                  "wait, serial or always are needed",
                                  f.name, f.load, f.share));
  const auto keys = keys_of(f);
  if (!keys) return tl::unexpected<desc::Error>(keys.error());
  return Scenario{.load = *load,
                  .share = *share,
                  .bytes = f.size,
                  .depth = f.depth,
                  .cpus = f.submit_cpus,
                  .keys = *keys,
                  .completion = f.completion == "other cpu" ? CompletionCpu::kOther : CompletionCpu::kSame};
}

desc::Result<Outcome> outcome_of(const Figure& f, const Profile& profile) {
  if (!f.driver.empty() && !profile.is_engine_driver(f.driver)) {
    const CoreDriver* core = profile.core_driver(f.driver, 0);
    if (core == nullptr)
      return desc::fail(desc::ErrorCode::kNotFound, fmt::format("profile {} has no driver {}; there are {}",
                                                                profile.name, f.driver, profile.driver_list()));
    return on_core(*core, f.size, f.submit_cpus);
  }
  auto scenario = scenario_of(f);
  if (!scenario) return tl::unexpected<desc::Error>(scenario.error());
  if (!f.driver.empty()) scenario->rate = profile.rate_for(f.driver, 0);
  return simulate(profile, *scenario);
}

std::vector<Compared> compare(const Figure& f, const Outcome& o) {
  std::vector<Compared> rows;
  const double relative = f.tolerance > 0 ? f.tolerance : kReferenceTolerance;
  const auto add = [&](const char* metric, const std::optional<double>& figure, double model, double tolerance,
                       bool absolute = false) {
    if (!figure) return;
    const double off = absolute || *figure == 0 ? model - *figure : model / *figure - 1;
    rows.push_back({metric, *figure, model, off, tolerance});
  };
  add("mbps", f.mbps, o.mb_per_s, relative);
  add("cores", f.cores, o.cores, relative);
  add("irq_per_req", f.irq_per_req, o.interrupts_per_request, kReferenceInterrupts, /*absolute=*/true);
  add("latency_us", f.latency_us, o.latency_us, f.tolerance > 0 ? f.tolerance : kReferenceLatency);
  add("engine_busy", f.engine_busy, o.engine_busy, relative);
  return rows;
}

}  // namespace caamlab::timing
