// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Points, progress and the plain table of caam speed; see speed_command.h.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <set>
#include <tuple>

#include "tools/chrome_trace.h"
#include "tools/speed_command.h"
#include "tools/speed_plot.h"

namespace caamlab::tools {

using timing::Profile;
using timing::Scenario;

namespace {

const std::vector<std::string> kDefaultSizes{"16", "64", "256", "1024", "1420", "4096", "8192", "16384", "65536"};
constexpr const char* kDefaultInflight = "32";

void check_cpus(const Profile& profile, const std::vector<SpeedPoint>& points) {
  for (const SpeedPoint& p : points)
    if (p.scenario.cpus > profile.cpus)
      throw UsageError(
          fmt::format("--cpus: {} has {} CPUs, {} asked for", profile.name, profile.cpus, p.scenario.cpus));
}

}  // namespace

std::vector<uint64_t> numbers(std::string_view option, const std::vector<std::string>& texts, uint64_t max) {
  std::vector<uint64_t> out;
  for (const std::string& text : texts) {
    out.push_back(number_argument(option, text, max));
    if (out.back() == 0) throw UsageError(fmt::format("{}: 0; at least 1 is needed", option));
  }
  return out;
}

desc::ShareMode share_argument(const std::string& name) {
  const auto share = timing::share_of(name);
  if (!share) throw UsageError(fmt::format("--share: \"{}\"; never, wait, serial and always are possible", name));
  return *share;
}

Progress::Progress(Session& session, bool wanted, size_t total)
    : session_(session),
      shown_(wanted || (&session.err == &std::cerr && isatty(STDERR_FILENO) && total > 20)),
      total_(total) {}

Progress::~Progress() {
  if (shown_) session_.err << fmt::format("\r{:60}\r", "") << std::flush;
}

void Progress::step() {
  constexpr size_t kWidth = 40;
  ++done_;
  if (!shown_) return;
  const size_t full = done_ * kWidth / std::max<size_t>(total_, 1);
  session_.err << fmt::format("\r[{:<{}}] {}/{}", std::string(full, '#'), kWidth, done_, total_) << std::flush;
}

Scenario base_scenario(const SpeedCommand& c) {
  Scenario s;
  if (!c.load.empty()) {
    const auto load = timing::load_of(c.load);
    if (!load) throw UsageError(fmt::format("--load: \"{}\"; batch, pipe and poll are possible", c.load));
    s.load = *load;
  }
  // tcrypt's completions come in on another CPU than the one that waits, a loaded path's on its own.
  s.completion = c.completion == "other" || (c.completion.empty() && s.load == timing::Load::kBatch)
                     ? timing::CompletionCpu::kOther
                     : timing::CompletionCpu::kSame;
  s.requests = number_argument("--requests", c.requests, 1'000'000'000);
  return s;
}

// Every combination of the lists given, sizes innermost.
std::vector<SpeedPoint> points_of(const SpeedCommand& c, const Profile& profile) {
  std::vector<SpeedPoint> points;
  SpeedPoint p{.key_bits = static_cast<unsigned>(number_argument("--key-bits", c.key_bits, 4096)),
               .scenario = base_scenario(c)};
  Scenario& s = p.scenario;
  const std::vector<std::string> inflight =
      c.inflight.empty() ? std::vector<std::string>{kDefaultInflight} : c.inflight;
  for (const std::string& driver : c.drivers.empty() ? std::vector{profile.default_driver} : c.drivers)
    for (const std::string& share : c.share)
      for (const uint64_t depth : numbers("--inflight", inflight, timing::kMaxInFlight))
        for (const uint64_t cpus : numbers("--cpus", c.cpus, 4096))
          for (const uint64_t keys : numbers("--keys", c.keys, timing::kMaxKeys))
            for (const uint64_t size : numbers("--size", c.size.empty() ? kDefaultSizes : c.size, 1'000'000'000)) {
              p.driver = driver;
              s.share = share_argument(share);
              s.depth = static_cast<unsigned>(depth);
              s.cpus = static_cast<unsigned>(cpus);
              s.keys = static_cast<unsigned>(keys);
              s.bytes = size;
              points.push_back(p);
            }
  check_cpus(profile, points);
  return points;
}

namespace {

SpeedRow measure_data(const SpeedCommand& c, const Profile& profile, const SpeedPoint& point) {
  VirtualRun run{.driver = point.driver, .key_bits = point.key_bits, .scenario = point.scenario};
  for (const std::string& text : c.faults) run.faults.push_back(fault_argument(text));
  SpeedRow row{.point = point};
  const VirtualOutcome o = value_or_throw(run_virtual(profile, run), "--data");
  row.outcome = o.outcome;
  row.point.driver = o.driver;
  row.counts = {{"submitted", o.submitted},
                {"completed", o.completed},
                {"failed", o.failed},
                {"refused", o.refused},
                {"keys_loaded", o.keys_loaded},
                {"keys_reused", o.keys_reused},
                {"words_fetched", o.words_fetched},
                {"came_back_by_reset", o.waited_for_reset},
                {"never_completed", o.never_completed}};
  return row;
}

SpeedRow measure_here(const SpeedCommand& c, const SpeedPoint& point) {
  RealRun run{.platform = c.platform, .driver = point.driver, .key_bits = point.key_bits, .scenario = point.scenario};
  const auto seconds = number_argument("--sec", c.sec, 100000);
  if (seconds != 0) run.seconds = static_cast<double>(seconds);
  run.workers = static_cast<unsigned>(number_argument("--workers", c.workers, 64));
  SpeedRow row{.point = point};
  row.outcome = value_or_throw(run_real(run), "--real");
  return row;
}

void write_file(std::string_view option, const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw UsageError(fmt::format("{}: {} cannot be written", option, path));
}

// Enough to see the rhythm, and no more than a browser likes.
void write_trace(const SpeedCommand& c, const Profile& profile, const SpeedPoint& point) {
  constexpr uint64_t kTraced = 200;
  if (c.real || c.data || profile.core_driver(point.driver, point.key_bits) != nullptr)
    throw UsageError("--trace: only of an engine's driver in the simulation without data");
  Scenario s = point.scenario;
  if (s.requests == 0) s.requests = kTraced;
  s.rate = profile.rate_for(point.driver, point.key_bits);
  ChromeTrace trace;
  value_or_throw(timing::simulate(profile, s, &trace), "--trace");
  write_file("--trace", c.trace, trace.json().dump());
}

}  // namespace

Fault fault_argument(const std::string& text) {
  static constexpr std::pair<std::string_view, FaultKind> kKinds[] = {{"lost-irq", FaultKind::kLostInterrupt},
                                                                      {"stall", FaultKind::kDecoStall},
                                                                      {"hang", FaultKind::kDecoHang},
                                                                      {"reset", FaultKind::kReset}};
  const size_t at = text.find('@'), colon = text.find(':', at == std::string::npos ? 0 : at);
  for (const auto& [name, kind] : kKinds) {
    if (at == std::string::npos || text.substr(0, at) != name) continue;
    Fault fault{.kind = kind};
    fault.at_us = static_cast<double>(number_argument("--fault", text.substr(at + 1, colon - at - 1), 1'000'000'000));
    const bool stall = kind == FaultKind::kDecoStall;
    if (stall != (colon != std::string::npos)) break;
    if (stall) fault.for_us = static_cast<double>(number_argument("--fault", text.substr(colon + 1), 1'000'000'000));
    return fault;
  }
  throw UsageError(fmt::format("--fault: \"{}\"; lost-irq@US, hang@US, reset@US and stall@US:US are possible", text));
}

namespace {

// On the core share mode, depth, load and keys do not matter: a row for each size and number of CPUs.
void drop_equal_points(std::vector<SpeedPoint>& points, const Profile& profile) {
  std::set<std::tuple<std::string, uint64_t, unsigned>> seen;
  std::erase_if(points, [&](const SpeedPoint& p) {
    return profile.core_driver(p.driver, p.key_bits) != nullptr &&
           !seen.emplace(p.driver, p.scenario.bytes, p.scenario.cpus).second;
  });
}

}  // namespace

void speed_sweep(Session& session, const SpeedCommand& c, const Profile& profile) {
  if (!c.faults.empty() && !c.data) throw UsageError("--fault: only with --data, where there is something to go wrong");
  if (c.data && c.real) throw UsageError("--data and --real exclude each other");
  auto points = points_of(c, profile);
  drop_equal_points(points, profile);
  std::vector<SpeedRow> rows;
  {
    Progress progress(session, c.progress, points.size());
    for (const SpeedPoint& p : points) {
      rows.push_back(c.real   ? measure_here(c, p)
                     : c.data ? measure_data(c, profile, p)
                              : value_or_throw(measure(profile, p), "caam speed"));
      progress.step();
    }
  }
  if (!c.trace.empty()) write_trace(c, profile, points[0]);
  if (!c.plot.empty()) value_or_throw(plot(profile, rows, c.plot), "--plot");
  if (!c.html.empty()) write_file("--html", c.html, value_or_throw(html_report(profile, rows), "--html"));
  const char* time = c.real ? "real" : "virtual";
  if (c.json) {
    nlohmann::json results = nlohmann::json::array();
    for (const SpeedRow& row : rows) results.push_back(row_json(row));
    return print_json(session,
                      {{"platform", profile.name}, {"title", profile.title}, {"time", time}, {"results", results}});
  }
  if (c.csv) {
    session.out << csv_text(rows);
    return;
  }
  session.out << fmt::format("{}, {} time{}\n\n", profile.title, time,
                             c.data   ? ", jobs run with their data"
                             : c.real ? ": what caamlab itself takes"
                                      : "")
              << table_text(rows);
}

}  // namespace caamlab::tools
