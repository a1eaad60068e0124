// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam speed --compare: side by side, and where they change places.
#include <fmt/format.h>

#include <algorithm>

#include "tools/speed_command.h"

namespace caamlab::tools {

using timing::Profile;

namespace {

// A share mode or a driver, put into a point.
SpeedPoint variant(const std::string& name, SpeedPoint p) {
  if (const auto share = timing::share_of(name))
    p.scenario.share = *share;
  else
    p.driver = name;
  return p;
}

struct Versus {
  const char* metric;
  const char* text;
  Ahead ahead;
};
constexpr Versus kVersus[] = {{"mb_per_s", "carries more", carries_more},
                              {"cpu_ns_per_byte", "costs less CPU time per byte", costs_less_cpu}};

struct ComparePair {
  std::string a, b;  // b against a
};

nlohmann::json crossover_json(const Crossover& x, const ComparePair& names) {
  if (x.winner.empty()) return nullptr;
  return {{"winner", x.winner == "a" ? names.a : names.b}, {"from_bytes", x.bytes}};
}
std::string crossover_text(const Crossover& x, const ComparePair& names, const Versus& versus) {
  if (x.winner.empty()) return fmt::format("neither {}", versus.text);
  const std::string& winner = x.winner == "a" ? names.a : names.b;
  return x.bytes == 0 ? fmt::format("{} {} at every size where they differ", winner, versus.text)
                      : fmt::format("{} {} from {} bytes on", winner, versus.text, x.bytes);
}

}  // namespace

void speed_compare(Session& session, SpeedCommand c, const Profile& profile) {
  if (c.compare.size() < 2)
    throw UsageError("--compare: two or more share modes or drivers are needed, with commas between");
  // What differs is in --compare; the rest may be a list only of sizes, depths and so on.
  const bool by_driver = std::ranges::any_of(c.compare, [](const std::string& n) { return !timing::share_of(n); });
  if (by_driver && c.drivers.empty()) c.drivers = {c.compare[0]};
  if (c.drivers.size() > 1 || c.share.size() > 1)
    throw UsageError("--compare: give one --driver and one --share beside it");
  const auto points = points_of(c, profile);
  nlohmann::json results = nlohmann::json::array(), crossovers = nlohmann::json::array();
  std::string text =
      fmt::format("{}, virtual time\n\n{:>8} {:>8} {:>5} {:>5}", profile.title, "size", "inflight", "cpus", "keys");
  for (const std::string& name : c.compare) text += fmt::format(" | {:>20}: {:>5} {:>6}", name, "cores", "ns/B");
  text += "\n";
  Progress progress(session, c.progress, points.size());
  for (const SpeedPoint& p : points) {
    const timing::Scenario& s = p.scenario;
    nlohmann::json row = {
        {"size", s.bytes}, {"inflight", s.depth}, {"cpus", s.cpus}, {"keys", s.keys}, {"of", nlohmann::json::array()}};
    text += fmt::format("{:>8} {:>8} {:>5} {:>5}", s.bytes, s.depth, s.cpus, s.keys);
    double first = 0;
    for (const std::string& name : c.compare) {
      const SpeedRow r = value_or_throw(measure(profile, variant(name, p)), "--compare");
      if (first == 0) first = r.outcome.mb_per_s;
      nlohmann::json item = row_json(r);
      item["variant"] = name;
      item["ratio"] = r.outcome.mb_per_s / first;
      row["of"].push_back(std::move(item));
      text += fmt::format(" | {:>9.1f} MB/s {:>5.2f}x {:>5.2f} {:>6.3f}", r.outcome.mb_per_s,
                          r.outcome.mb_per_s / first, r.outcome.cores, r.outcome.cpu_ns_per_byte);
    }
    text += "\n";
    results.push_back(std::move(row));
    progress.step();
  }
  // Crossovers, of the profile and of its other readings, at the first depth, CPUs and keys.
  std::vector<Profile> readings{profile};
  for (const std::string& name : profile.readings)
    readings.push_back(value_or_throw(timing::resolve_profile(name), name));
  text += "\n";
  for (size_t i = 1; i < c.compare.size(); ++i) {
    const ComparePair names{c.compare[0], c.compare[i]};
    for (const Profile& reading : readings)
      for (const Versus& versus : kVersus) {
        const Crossover x = value_or_throw(
            find_crossover(reading, variant(names.a, points[0]), variant(names.b, points[0]), versus.ahead),
            "--compare");
        crossovers.push_back({{"a", names.a},
                              {"b", names.b},
                              {"profile", reading.name},
                              {"metric", versus.metric},
                              {"crossover", crossover_json(x, names)}});
        text += fmt::format("{}: {}\n", reading.name, crossover_text(x, names, versus));
      }
  }
  if (c.json)
    return print_json(
        session, {{"platform", profile.name}, {"time", "virtual"}, {"results", results}, {"crossovers", crossovers}});
  session.out << text;
}

}  // namespace caamlab::tools
