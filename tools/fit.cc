// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See fit.h. The search is Nelder and Mead's simplex over the logarithms of the parameters, started anew from its best
// point: the error of a simulation is no smooth function.
#include "tools/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <sstream>

namespace caamlab::tools {
namespace {

using timing::Figure;
using timing::Params;
using timing::Profile;

constexpr uint64_t kRequests = 1500;  // of a simulation in the search
constexpr double kMatters = 1e-3;     // relative change of any value when a parameter grows by a fifth
constexpr double kMoved = 0.01;

// What can be seen of a board: single numbers, and sums with an even split.
struct Knob {
  const char* name;
  std::vector<const char*> keys;  // of the profile file
  double (*get)(const Params&);
  void (*set)(Params&, double);
};
const std::vector<Knob> kKnobs = {
    {"t_fix", {"t_fix_us"}, [](const Params& p) { return p.t_fix; }, [](Params& p, double v) { p.t_fix = v; }},
    {"rate", {"rate_mbps"}, [](const Params& p) { return p.rate; }, [](Params& p, double v) { p.rate = v; }},
    {"c_sub + c_cmp",
     {"c_sub_us", "c_cmp_us"},
     [](const Params& p) { return p.c_sub + p.c_cmp; },
     [](Params& p, double v) { p.c_sub = p.c_cmp = v / 2; }},
    {"c_irq + c_wake",
     {"c_irq_us", "c_wake_us"},
     [](const Params& p) { return p.c_irq + p.c_wake; },
     [](Params& p, double v) { p.c_irq = p.c_wake = v / 2; }},
    {"l_wake", {"l_wake_us"}, [](const Params& p) { return p.l_wake; }, [](Params& p, double v) { p.l_wake = v; }},
    {"cap", {"cap_mbps"}, [](const Params& p) { return p.cap; }, [](Params& p, double v) { p.cap = v; }},
};

timing::Outcome outcome_of(const Profile& profile, const Figure& f) {
  timing::Scenario s = timing::scenario_of(f).value();
  s.requests = kRequests;
  return timing::simulate(profile, s).value_or(timing::Outcome{});
}

// Squared relative errors of all values, on a scale where twice and half are alike.
double error_of(const Profile& profile, const std::vector<Figure>& measured, unsigned* values = nullptr) {
  double sum = 0;
  const auto add = [&](const std::optional<double>& figure, double model) {
    if (!figure) return;
    const double off = std::log(std::max(model, 1e-9) / std::max(*figure, 1e-9));
    sum += off * off;
    if (values != nullptr) ++*values;
  };
  for (const Figure& f : measured) {
    const timing::Outcome o = outcome_of(profile, f);
    add(f.mbps, o.mb_per_s);
    add(f.cores, o.cores);
  }
  return sum;
}

using Point = std::vector<double>;
using Function = std::function<double(const Point&)>;

// Lowers f from `start`; `step`: size of the first simplex.
Point simplex(const Function& f, const Point& start, double step, unsigned steps) {
  struct Vertex {
    Point at;
    double value;
  };
  std::vector<Vertex> v{{start, f(start)}};
  for (size_t i = 0; i < start.size(); ++i) {
    Point p = start;
    p[i] += step;
    v.push_back({p, f(p)});
  }
  const auto by_value = [](const Vertex& a, const Vertex& b) { return a.value < b.value; };
  for (unsigned n = 0; n < steps; ++n) {
    std::ranges::sort(v, by_value);
    Point middle(start.size(), 0);
    for (size_t i = 0; i + 1 < v.size(); ++i)
      for (size_t k = 0; k < middle.size(); ++k) middle[k] += v[i].at[k] / static_cast<double>(v.size() - 1);
    Vertex& worst = v.back();
    const auto along = [&](double t) {
      Point p = middle;
      for (size_t k = 0; k < p.size(); ++k) p[k] += t * (worst.at[k] - middle[k]);
      return Vertex{p, f(p)};
    };
    const Vertex reflected = along(-1);
    if (reflected.value < v.front().value) {
      const Vertex further = along(-2);
      worst = further.value < reflected.value ? further : reflected;
    } else if (reflected.value < v[v.size() - 2].value) {
      worst = reflected;
    } else if (const Vertex closer = along(reflected.value < worst.value ? -0.5 : 0.5); closer.value < worst.value) {
      worst = closer;
    } else {
      for (size_t i = 1; i < v.size(); ++i) {
        for (size_t k = 0; k < start.size(); ++k) v[i].at[k] = (v[i].at[k] + v[0].at[k]) / 2;
        v[i].value = f(v[i].at);
      }
    }
  }
  return std::ranges::min_element(v, by_value)->at;
}

// Does any measured value depend on the knob?
bool matters(const Knob& knob, const Profile& profile, const std::vector<Figure>& measured) {
  Profile more = profile;
  const double value = knob.get(profile.params);
  if (value <= 0) return false;  // absent: no cap, no delay
  knob.set(more.params, value * 1.2);
  return std::ranges::any_of(measured, [&](const Figure& f) {
    const timing::Outcome a = outcome_of(profile, f), b = outcome_of(more, f);
    const auto differs = [](double x, double y) { return std::abs(x - y) > kMatters * std::max(x, 1e-9); };
    return (f.mbps && differs(a.mb_per_s, b.mb_per_s)) || (f.cores && differs(a.cores, b.cores));
  });
}

}  // namespace

desc::Result<std::vector<Figure>> parse_measurements(std::string_view text) {
  std::vector<Figure> out;
  std::vector<std::string> columns;
  std::istringstream lines{std::string(text)};
  unsigned number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> cells;
    std::istringstream parts(line);
    for (std::string cell; std::getline(parts, cell, ',');) {
      cell.erase(0, cell.find_first_not_of(' '));
      cell.erase(cell.find_last_not_of(' ') + 1);
      cells.push_back(cell);
    }
    const auto bad = [&](std::string what) {
      return desc::fail(desc::ErrorCode::kMalformed, fmt::format("line {}: {}", number, what));
    };
    static constexpr std::string_view kColumns[] = {"size",  "depth", "mbps", "cores",     "load",
                                                    "share", "cpus",  "keys", "completion"};
    if (columns.empty()) {
      columns = cells;
      for (const std::string& c : columns)
        if (std::ranges::find(kColumns, c) == std::end(kColumns))
          return bad(fmt::format("column \"{}\"; possible are {}", c, fmt::join(kColumns, ", ")));
      for (const char* needed : {"size", "depth", "mbps"})
        if (std::ranges::find(columns, needed) == columns.end()) return bad(fmt::format("no column \"{}\"", needed));
      continue;
    }
    if (cells.size() != columns.size())
      return bad(fmt::format("{} cells, the header has {}", cells.size(), columns.size()));
    std::map<std::string, std::string> row;
    for (size_t i = 0; i < columns.size(); ++i) row[columns[i]] = cells[i];
    const auto value = [&](const char* name) {
      char* end = nullptr;
      const double v = std::strtod(row[name].c_str(), &end);
      return !row[name].empty() && *end == 0 && v > 0 && v < 1e9 ? v : -1;
    };
    Figure f;
    for (const char* name : {"size", "depth", "mbps"})
      if (value(name) <= 0) return bad(fmt::format("{} \"{}\"; a number above 0 is needed", name, row[name]));
    f.name = fmt::format("line {}", number);
    f.size = static_cast<uint64_t>(value("size"));
    f.depth = static_cast<unsigned>(value("depth"));
    f.mbps = value("mbps");
    if (row.contains("cores") && !row["cores"].empty()) {
      if (value("cores") <= 0) return bad(fmt::format("cores \"{}\"; a number above 0 is needed", row["cores"]));
      f.cores = value("cores");
    }
    f.load = row["load"].empty() ? "pipe" : row["load"];
    f.share = row["share"].empty() ? "serial" : row["share"];
    f.keys = row["keys"];
    f.completion = !row["completion"].empty() ? row["completion"] : f.load == "batch" ? "other cpu" : "same cpu";
    if (!row["cpus"].empty()) f.submit_cpus = static_cast<unsigned>(std::max(1.0, value("cpus")));
    if (auto scenario = timing::scenario_of(f); !scenario) return bad(scenario.error().message);
    out.push_back(std::move(f));
  }
  if (out.empty())
    return desc::fail(desc::ErrorCode::kMalformed, "no measurements: a header and a line for each are needed");
  return out;
}

desc::Result<Fit> fit_profile(const Profile& base, const std::vector<Figure>& measured) {
  if (measured.empty()) return desc::fail(desc::ErrorCode::kInvalidArgument, "nothing was measured");
  for (const Figure& f : measured)
    if (auto s = timing::scenario_of(f); !s) return tl::unexpected<desc::Error>(s.error());
  Fit fit;
  fit.profile = base;
  fit.profile.published = measured;
  fit.profile.readings.clear();
  std::vector<const Knob*> knobs;
  for (const Knob& knob : kKnobs)
    (matters(knob, base, measured) ? (knobs.push_back(&knob), fit.fitted) : fit.kept).emplace_back(knob.name);

  Profile trial = base;
  const auto apply = [&](Profile& p, const Point& at) {
    for (size_t i = 0; i < knobs.size(); ++i) knobs[i]->set(p.params, std::exp(std::clamp(at[i], -12.0, 16.0)));
  };
  const Function f = [&](const Point& at) {
    apply(trial, at);
    return error_of(trial, measured);
  };
  Point at;
  for (const Knob* knob : knobs) at.push_back(std::log(knob->get(base.params)));
  for (const double step : {0.7, 0.4, 0.2, 0.1, 0.05})
    if (!knobs.empty()) at = simplex(f, at, step, 60);
  apply(fit.profile, at);

  for (const Knob* knob : knobs)
    if (std::abs(knob->get(fit.profile.params) / knob->get(base.params) - 1) > kMoved)
      for (const char* key : knob->keys)
        fit.profile.provenance[key] = {
            "fitted", fmt::format("{} measurements of this board{}", measured.size(),
                                  knob->keys.size() > 1 ? "; only the sum shows, the split is even" : "")};
  fit.rms = error_of(fit.profile, measured, &fit.values);
  fit.rms = std::sqrt(fit.rms / std::max(1u, fit.values));
  for (const Figure& m : measured) {
    const timing::Outcome o = outcome_of(fit.profile, m);
    fit.residuals.push_back({m, o.mb_per_s, o.cores});
  }
  fit.profile.confidence = "fitted";
  return fit;
}

}  // namespace caamlab::tools
