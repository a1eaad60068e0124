// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See advise.h.
#include "tools/advise.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "tools/hex.h"

namespace caamlab::tools {
namespace {

using timing::Profile;

constexpr int kRingPriority = 3000, kQueuePriority = 2000, kQatPriority = 4001;
constexpr double kCarries = 0.9;  // of the fastest: enough to be preferred for its CPU time

int engine_priority_of(const std::string& driver, int given) {
  if (given != 0) return given;
  if (driver.ends_with("-qi") || driver.ends_with("-qi2")) return kQueuePriority;
  return driver.ends_with("-caam") ? kRingPriority : kQatPriority;
}

// Software drivers of the same algorithm: "gcm-aes-ce" beside "gcm-aes-caam-qi2".
std::vector<std::string> core_drivers(const Profile& profile, const std::string& engine) {
  std::vector<std::string> names;
  std::string stem = engine.substr(0, engine.find("-caam"));
  if (engine.starts_with("qat_aes_")) stem = engine.substr(std::string_view("qat_aes_").size()) + "-aes";
  for (const auto& [name, row] : profile.software)
    if (name.starts_with(stem + "-")) names.push_back(name);
  return names;
}

desc::Result<Advice> advice_of(const Profile& profile, const Workload& w, const std::string& engine, int priority) {
  Advice advice;
  advice.profile = profile.name;
  timing::Scenario s{.bytes = w.size, .depth = w.inflight, .cpus = w.cpus, .keys = w.keys};
  // A caller that waits is a batch of one on each CPU, whatever else is in flight elsewhere.
  if (w.sync) {
    s.load = timing::Load::kBatch;
    s.completion = timing::CompletionCpu::kOther;
  }
  for (const desc::ValueName& share : desc::kSharedShareNames) {
    if (share.name != "serial" && share.name != "never") continue;
    s.share = static_cast<desc::ShareMode>(share.value);
    auto row = measure(profile, {.driver = engine, .scenario = s});
    if (!row) return tl::unexpected<desc::Error>(row.error());
    advice.candidates.push_back({engine, std::string(share.name), priority, row->outcome});
  }
  for (const std::string& name : core_drivers(profile, engine))
    advice.candidates.push_back(
        {name, "", profile.software.at(name).priority, timing::on_core(profile.software.at(name), w.size, w.cpus)});

  const auto& c = advice.candidates;
  for (size_t i = 0; i < c.size(); ++i) {
    if (c[i].outcome.mb_per_s > c[advice.fastest].outcome.mb_per_s) advice.fastest = i;
    if (c[i].outcome.cpu_ns_per_byte < c[advice.cheapest].outcome.cpu_ns_per_byte) advice.cheapest = i;
  }
  advice.preferred = advice.fastest;
  for (size_t i = 0; i < c.size(); ++i)
    if (c[i].outcome.mb_per_s >= kCarries * c[advice.fastest].outcome.mb_per_s &&
        c[i].outcome.cpu_ns_per_byte < c[advice.preferred].outcome.cpu_ns_per_byte)
      advice.preferred = i;
  return advice;
}

const Candidate& preferred(const Advice& a) { return a.candidates[a.preferred]; }

// CRYPTO_ALG_TYPE of an algorithm, as crconf takes it.
unsigned crypto_type(const std::string& algorithm) {
  constexpr unsigned kAead = 3, kSkcipher = 5, kHash = 14;
  for (const char* start : {"gcm(", "ccm(", "rfc41", "rfc43", "rfc45", "rfc7539", "authenc"})
    if (algorithm.starts_with(start)) return kAead;
  const bool hash = algorithm.starts_with("hmac(") || algorithm.starts_with("cmac(") ||
                    algorithm.starts_with("xcbc(") || algorithm.find('(') == std::string::npos;
  return hash && algorithm != "chacha20" ? kHash : kSkcipher;
}

// The key size at the end of a row's name is none of the driver's.
std::string without_key_bits(const std::string& name) {
  const size_t dash = name.rfind('-');
  const bool bits = dash != std::string::npos && name.find_first_not_of("0123456789", dash + 1) == std::string::npos;
  return bits ? name.substr(0, dash) : name;
}

}  // namespace

desc::Result<Workload> parse_workload(const std::string& text) {
  Workload w;
  bool said_async = false;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const auto number = equals == std::string::npos ? 0 : parse_number(word.substr(equals + 1)).value_or(0);
    const auto bad = [&](std::string_view what) {
      return desc::fail(desc::ErrorCode::kInvalidArgument, fmt::format("workload: \"{}\": {}", word, what));
    };
    if (word == "sync") {
      w.sync = true;
    } else if (word == "async") {
      said_async = true;
    } else if (name == "alg" && equals != std::string::npos) {
      w.algorithm = word.substr(equals + 1);
    } else if (name == "size" || name == "inflight" || name == "keys" || name == "cpus") {
      if (number == 0 || number > 1'000'000'000) return bad("a number from 1 on is needed");
      if (name == "size")
        w.size = number;
      else
        (name == "inflight" ? w.inflight : name == "keys" ? w.keys : w.cpus) = static_cast<unsigned>(number);
    } else {
      return bad("size=N, inflight=N, keys=N, cpus=N, alg=NAME, sync and async are possible");
    }
  }
  if (w.sync && said_async)
    return desc::fail(desc::ErrorCode::kInvalidArgument, "workload: sync and async exclude each other");
  return w;
}

desc::Result<AdviceReport> advise(const Profile& profile, const Workload& w, const std::string& share,
                                  int engine_priority) {
  const std::string engine = engine_driver(profile, w.algorithm);
  if (engine.empty())
    return desc::fail(desc::ErrorCode::kNotFound, fmt::format("{} has no figures for {}; there are {}", profile.name,
                                                              w.algorithm, profile.driver_list()));
  AdviceReport report;
  report.workload = w;
  const int priority = engine_priority_of(engine, engine_priority);
  std::vector<Profile> readings{profile};
  for (const std::string& name : profile.readings) {
    auto reading = timing::resolve_profile(name);
    if (!reading) return tl::unexpected<desc::Error>(reading.error());
    readings.push_back(std::move(*reading));
  }
  for (const Profile& reading : readings) {
    auto advice = advice_of(reading, w, engine, priority);
    if (!advice) return tl::unexpected<desc::Error>(advice.error());
    report.readings.push_back(std::move(*advice));
  }

  // What a lookup gives now: the highest priority; of the engine's rows the one with the present share mode.
  const Advice& first = report.readings[0];
  const Candidate* present = nullptr;
  for (const Candidate& c : first.candidates)
    if ((c.share.empty() || c.share == share) && (present == nullptr || c.priority > present->priority)) present = &c;
  report.present = present != nullptr ? present->driver : engine;
  const Candidate& want = preferred(first);
  for (const Advice& a : report.readings) report.agreed = report.agreed && preferred(a).driver == want.driver;
  if (want.driver != report.present && present != nullptr)
    report.change = fmt::format("crconf update driver {} type {} priority {}", without_key_bits(want.driver),
                                crypto_type(w.algorithm), present->priority + 1);
  return report;
}

nlohmann::json advice_json(const AdviceReport& r) {
  nlohmann::json readings = nlohmann::json::array();
  for (const Advice& a : r.readings) {
    nlohmann::json candidates = nlohmann::json::array();
    for (const Candidate& c : a.candidates) {
      nlohmann::json item = outcome_json(c.outcome);
      item["driver"] = c.driver;
      item["priority"] = c.priority;
      if (!c.share.empty()) item["share"] = c.share;
      candidates.push_back(std::move(item));
    }
    const auto named = [&](size_t i) {
      nlohmann::json out = {{"driver", a.candidates[i].driver}};
      if (!a.candidates[i].share.empty()) out["share"] = a.candidates[i].share;
      return out;
    };
    readings.push_back({{"profile", a.profile},
                        {"candidates", candidates},
                        {"fastest", named(a.fastest)},
                        {"least_cpu", named(a.cheapest)},
                        {"preferred", named(a.preferred)}});
  }
  return {{"workload",
           {{"alg", r.workload.algorithm},
            {"size", r.workload.size},
            {"inflight", r.workload.inflight},
            {"keys", r.workload.keys},
            {"cpus", r.workload.cpus},
            {"sync", r.workload.sync}}},
          {"readings", readings},
          {"present", r.present},
          {"readings_agree", r.agreed},
          {"change", r.change.empty() ? nlohmann::json(nullptr) : nlohmann::json(r.change)}};
}

std::string advice_text(const AdviceReport& r) {
  const auto called = [](const Candidate& c) {
    return c.share.empty() ? c.driver : fmt::format("{} ({})", c.driver, c.share);
  };
  std::string out;
  for (const Advice& a : r.readings) {
    out +=
        fmt::format("{}\n  {:<34} {:>8} {:>9} {:>7} {:>9}\n", a.profile, "", "priority", "MB/s", "cores", "CPU ns/B");
    for (const Candidate& c : a.candidates)
      out += fmt::format("  {:<34} {:>8} {:>9.1f} {:>7.2f} {:>9.3f}\n", called(c), c.priority, c.outcome.mb_per_s,
                         c.outcome.cores, c.outcome.cpu_ns_per_byte);
    out += fmt::format("  fastest {}, least CPU time {}, preferred {}\n", called(a.candidates[a.fastest]),
                       called(a.candidates[a.cheapest]), called(preferred(a)));
  }
  out += fmt::format("\nthe priorities give {} today\n", r.present);
  const Candidate& want = preferred(r.readings[0]);
  if (!r.agreed)
    out += "the readings of the published figures disagree: measure on the board before changing anything\n";
  if (r.change.empty())
    out += want.share.empty() || want.driver != r.present
               ? "nothing has to change\n"
               : fmt::format("the driver may stay; it wants share mode {}\n", want.share);
  else
    out += fmt::format("to prefer {}: {}\n", called(want), r.change);
  return out;
}

}  // namespace caamlab::tools
