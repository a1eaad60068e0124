// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See speed.h.
#include "tools/speed.h"

#include <fmt/format.h>

#include <algorithm>

#include "driver/caam/algs/aead.h"
#include "driver/caam/algs/hash.h"
#include "driver/caam/algs/skcipher.h"

namespace caamlab::tools {
namespace {

using timing::Outcome;
using timing::Profile;

constexpr std::string_view kRingSuffix = "-caam";
constexpr uint64_t kSmallestSize = 16, kLargestSize = 1u << 20;

// (cra_name, driver name of the job ring form) of all ciphers and hashes.
std::vector<std::pair<std::string, std::string>> caam_drivers() {
  namespace caam = driver::caam;
  std::vector<std::pair<std::string, std::string>> out;
  for (const caam::AeadRow& row : caam::driver_aeads()) out.emplace_back(row.name, row.driver_name);
  for (const caam::SkcipherRow& row : caam::driver_algs()) out.emplace_back(row.name, row.driver_name);
  for (const caam::HashRow& row : caam::driver_hash()) {
    if (row.name != nullptr) out.emplace_back(row.name, row.driver_name);
    if (row.keyed_name != nullptr) out.emplace_back(row.keyed_name, row.keyed_driver_name);
  }
  out.emplace_back("chacha20", "chacha20-caam");  // queue interface of DPAA2 only
  return out;
}

// The job ring form of an engine driver's name; empty when it is none of a CAAM's.
std::string ring_form(const Profile& profile, const std::string& driver) {
  std::string_view longest;
  for (const std::string& suffix : profile.driver_suffixes)
    if (driver.ends_with(suffix) && suffix.size() > longest.size()) longest = suffix;
  if (longest.empty()) return {};
  return driver.substr(0, driver.size() - longest.size()) + std::string(kRingSuffix);
}

std::string assumption(const Profile& profile, const SpeedPoint& point) {
  if (!profile.is_engine_driver(point.driver) || point.driver == profile.default_driver) return {};
  if (profile.rate_for(point.driver, point.key_bits) != profile.params.rate) return {};
  return fmt::format("assumed: as fast as {}", profile.default_driver);
}

Outcome run(const Profile& profile, const SpeedPoint& point, const timing::CoreDriver* core) {
  if (core != nullptr) return timing::on_core(*core, point.scenario.bytes, point.scenario.cpus);
  timing::Scenario s = point.scenario;
  s.rate = profile.rate_for(point.driver, point.key_bits);
  return timing::simulate(profile, s).value();
}

struct Column {
  const char* name;
  std::string (*text)(const SpeedRow&);
  int width;
  bool csv_only = false;
};
const Column kColumns[] = {
    {"driver", [](const SpeedRow& r) { return r.point.driver; }, -20},
    {"share",
     [](const SpeedRow& r) {
       return r.on_core ? std::string("-")
                        : std::string(desc::kSharedShareNames[static_cast<size_t>(r.point.scenario.share)].name);
     },
     -7},
    {"load",
     [](const SpeedRow& r) {
       return r.on_core ? std::string("-") : std::string(timing::load_name(r.point.scenario.load));
     },
     -6},
    {"size", [](const SpeedRow& r) { return std::to_string(r.point.scenario.bytes); }, 8},
    {"inflight", [](const SpeedRow& r) { return std::to_string(r.point.scenario.depth); }, 8},
    {"cpus", [](const SpeedRow& r) { return std::to_string(r.point.scenario.cpus); }, 5},
    {"keys", [](const SpeedRow& r) { return std::to_string(r.point.scenario.keys); }, 5},
    {"MB/s", [](const SpeedRow& r) { return fmt::format("{:.1f}", r.outcome.mb_per_s); }, 9},
    {"req/s", [](const SpeedRow& r) { return fmt::format("{:.0f}", r.outcome.requests_per_s); }, 9},
    {"cores", [](const SpeedRow& r) { return fmt::format("{:.2f}", r.outcome.cores); }, 6},
    {"CPU us/req", [](const SpeedRow& r) { return fmt::format("{:.2f}", r.outcome.cpu_us_per_request); }, 11},
    {"CPU ns/B", [](const SpeedRow& r) { return fmt::format("{:.3f}", r.outcome.cpu_ns_per_byte); }, 9},
    {"irq/req", [](const SpeedRow& r) { return fmt::format("{:.2f}", r.outcome.interrupts_per_request); }, 8},
    {"p50 us", [](const SpeedRow& r) { return fmt::format("{:.1f}", r.outcome.latency_p50_us); }, 8},
    {"p99 us", [](const SpeedRow& r) { return fmt::format("{:.1f}", r.outcome.latency_p99_us); }, 8},
    {"mean us", [](const SpeedRow& r) { return fmt::format("{:.1f}", r.outcome.latency_us); }, 8, true},
    {"DECOs busy", [](const SpeedRow& r) { return fmt::format("{:.2f}", r.outcome.engine_busy); }, 8, true},
    {"out of order", [](const SpeedRow& r) { return std::to_string(r.outcome.out_of_order); }, 13},
};

}  // namespace

desc::Result<void> check_driver(const Profile& profile, const std::string& driver, unsigned key_bits) {
  const auto unknown = [&](std::string why) {
    return desc::fail(desc::ErrorCode::kNotFound,
                      fmt::format("{} on {}: {}; there are {}", driver, profile.name, why, profile.driver_list()));
  };
  if (profile.core_driver(driver, key_bits) != nullptr) return {};
  if (!profile.is_engine_driver(driver)) return unknown("the profile has no figures for it");
  const std::string ring = ring_form(profile, driver);
  if (ring.empty()) return {};  // not a CAAM's
  const auto drivers = caam_drivers();
  if (std::ranges::none_of(drivers, [&](const auto& d) { return d.second == ring; }))
    return unknown("the kernel has no driver of this name");
  return {};
}

std::string engine_driver(const Profile& profile, const std::string& algorithm) {
  if (profile.driver_suffixes.empty()) return algorithm == "xts(aes)" ? profile.default_driver : "";
  for (const auto& [name, driver] : caam_drivers())
    if (name == algorithm) return driver.substr(0, driver.size() - kRingSuffix.size()) + profile.driver_suffixes[0];
  return {};
}

desc::Result<SpeedRow> measure(const Profile& profile, const SpeedPoint& point) {
  if (auto ok = check_driver(profile, point.driver, point.key_bits); !ok)
    return tl::unexpected<desc::Error>(ok.error());
  SpeedRow row{.point = point};
  const timing::CoreDriver* core = profile.core_driver(point.driver, point.key_bits);
  row.on_core = core != nullptr;
  if (core == nullptr) {
    if (auto first = timing::simulate(profile, point.scenario); !first)
      return tl::unexpected<desc::Error>(first.error());
  } else if (point.scenario.bytes == 0 || point.scenario.cpus == 0) {
    return desc::fail(desc::ErrorCode::kInvalidArgument, "size and number of CPUs must be above 0");
  }
  row.outcome = run(profile, point, core);
  row.note = assumption(profile, point);
  if (row.on_core) return row;
  for (const std::string& name : profile.readings) {
    const auto reading = timing::resolve_profile(name);
    if (!reading) return tl::unexpected<desc::Error>(reading.error());
    row.readings.emplace_back(name, run(*reading, point, nullptr));
  }
  return row;
}

bool carries_more(const Outcome& a, const Outcome& b) { return b.mb_per_s > a.mb_per_s * 1.0005; }
bool costs_less_cpu(const Outcome& a, const Outcome& b) { return b.cpu_ns_per_byte < a.cpu_ns_per_byte * 0.9995; }

desc::Result<Crossover> find_crossover(const Profile& profile, SpeedPoint a, SpeedPoint b, Ahead ahead) {
  for (const SpeedPoint* p : {&a, &b})
    if (auto ok = measure(profile, *p); !ok) return tl::unexpected<desc::Error>(ok.error());
  const timing::CoreDriver* core_a = profile.core_driver(a.driver, a.key_bits);
  const timing::CoreDriver* core_b = profile.core_driver(b.driver, b.key_bits);
  const auto winner_at = [&](uint64_t bytes) {
    a.scenario.bytes = b.scenario.bytes = bytes;
    const Outcome x = run(profile, a, core_a), y = run(profile, b, core_b);
    return ahead(x, y) ? 'b' : ahead(y, x) ? 'a' : '=';
  };
  // The last change on a grid of sizes, then the byte.
  std::vector<uint64_t> sizes;
  for (double s = kSmallestSize; s <= kLargestSize; s *= 1.25) sizes.push_back(static_cast<uint64_t>(s));
  std::vector<char> winners;
  for (uint64_t s : sizes) winners.push_back(winner_at(s));
  const char last = winners.back();
  if (last == '=') {
    const auto lead = std::ranges::find_if(winners, [](char w) { return w != '='; });
    // Both reach the same limit in the end; ahead where they differ.
    return Crossover{0, lead == winners.end() ? std::string() : std::string(1, *lead)};
  }
  size_t i = winners.size();
  while (i > 0 && winners[i - 1] == last) --i;
  if (i == 0) return Crossover{0, std::string(1, last)};
  uint64_t low = sizes[i - 1], high = sizes[i];
  while (high - low > 1) {
    const uint64_t middle = (low + high) / 2;
    (winner_at(middle) == last ? high : low) = middle;
  }
  return Crossover{high, std::string(1, last)};
}

nlohmann::json outcome_json(const Outcome& o) {
  return {{"mb_per_s", o.mb_per_s},
          {"requests_per_s", o.requests_per_s},
          {"cores", o.cores},
          {"cpu_us_per_request", o.cpu_us_per_request},
          {"cpu_ns_per_byte", o.cpu_ns_per_byte},
          {"interrupts_per_request", o.interrupts_per_request},
          {"engine_busy", o.engine_busy},
          {"latency_us",
           {{"mean", o.latency_us},
            {"p50", o.latency_p50_us},
            {"p90", o.latency_p90_us},
            {"p99", o.latency_p99_us},
            {"p999", o.latency_p999_us},
            {"max", o.latency_max_us}}},
          {"out_of_order", o.out_of_order},
          {"overtaken_by", o.overtaken_by},
          {"requests", o.requests},
          {"elapsed_us", o.elapsed_us}};
}

nlohmann::json row_json(const SpeedRow& row) {
  const timing::Scenario& s = row.point.scenario;
  nlohmann::json out = {{"driver", row.point.driver}, {"size", s.bytes}, {"cpus", s.cpus}};
  if (!row.on_core) {
    out["share"] = desc::kSharedShareNames[static_cast<size_t>(s.share)].name;
    out["load"] = timing::load_name(s.load);
    out["inflight"] = s.depth;
    out["keys"] = s.keys;
    out["completion"] = s.completion == timing::CompletionCpu::kOther ? "other" : "same";
  }
  if (row.point.key_bits != 0) out["key_bits"] = row.point.key_bits;
  out.update(outcome_json(row.outcome));
  if (!row.note.empty()) out["note"] = row.note;
  if (!row.counts.is_null()) out["jobs"] = row.counts;
  for (const auto& [name, outcome] : row.readings) {
    nlohmann::json reading = outcome_json(outcome);
    reading["profile"] = name;
    out["other_readings"].push_back(std::move(reading));
  }
  return out;
}

std::string table_text(const std::vector<SpeedRow>& rows) {
  std::string out;
  const auto cell = [&](const std::string& text, int width) {
    out += width < 0 ? fmt::format("{:<{}} ", text, -width) : fmt::format("{:>{}} ", text, width);
  };
  for (const Column& c : kColumns)
    if (!c.csv_only) cell(c.name, c.width);
  out.back() = '\n';
  std::string note;
  for (const SpeedRow& row : rows) {
    for (const Column& c : kColumns)
      if (!c.csv_only) cell(c.text(row), c.width);
    out.back() = '\n';
    for (const auto& [name, o] : row.readings)
      if (std::abs(o.mb_per_s / row.outcome.mb_per_s - 1) > 0.05)
        out += fmt::format("  read as {}: {:.1f} MB/s, {:.2f} cores\n", name, o.mb_per_s, o.cores);
    if (!row.counts.is_null()) {
      out += "  jobs:";
      for (const auto& [name, value] : row.counts.items())
        if (value != 0) out += fmt::format(" {} {}", name, value.get<uint64_t>());
      out += "\n";
    }
    if (!row.note.empty()) note = row.note;
  }
  if (!note.empty()) out += note + "\n";
  return out;
}

std::string csv_text(const std::vector<SpeedRow>& rows) {
  std::string out;
  for (const Column& c : kColumns) out += fmt::format("{}{}", out.empty() ? "" : ",", c.name);
  out += '\n';
  for (const SpeedRow& row : rows) {
    bool first = true;
    for (const Column& c : kColumns) {
      out += fmt::format("{}{}", first ? "" : ",", c.text(row));
      first = false;
    }
    out += '\n';
  }
  return out;
}

}  // namespace caamlab::tools
