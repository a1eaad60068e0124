// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See speed_plot.h.
#include "tools/speed_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <set>

namespace caamlab::tools {
namespace {

using timing::Scenario;

// What may vary, with how it is called on the axis.
struct Dimension {
  const char* name;
  const char* label;
  uint64_t (*value)(const Scenario&);
};
const Dimension kDimensions[] = {
    {"size", "bytes of a request", [](const Scenario& s) { return s.bytes; }},
    {"inflight", "requests in flight", [](const Scenario& s) { return uint64_t{s.depth}; }},
    {"keys", "keys", [](const Scenario& s) { return uint64_t{s.keys}; }},
    {"cpus", "CPUs", [](const Scenario& s) { return uint64_t{s.cpus}; }},
};

const Dimension& widest(const std::vector<SpeedRow>& rows) {
  const Dimension* best = &kDimensions[0];
  size_t most = 0;
  for (const Dimension& d : kDimensions) {
    std::set<uint64_t> values;
    for (const SpeedRow& row : rows) values.insert(d.value(row.point.scenario));
    if (values.size() > most) {
      most = values.size();
      best = &d;
    }
  }
  return *best;
}

std::string share_name(const SpeedRow& row) {
  return std::string(desc::kSharedShareNames[static_cast<size_t>(row.point.scenario.share)].name);
}

// Driver, share mode and what else differs between lines.
std::string line_name(const SpeedRow& row, const Dimension& x, const std::vector<SpeedRow>& rows) {
  std::string name = row.point.driver;
  if (!row.on_core) name += " " + share_name(row);
  for (const Dimension& d : kDimensions) {
    if (&d == &x || (row.on_core && std::string_view(d.name) != "cpus" && std::string_view(d.name) != "size")) continue;
    const uint64_t own = d.value(row.point.scenario);
    if (std::ranges::any_of(rows, [&](const SpeedRow& o) { return d.value(o.point.scenario) != own; }))
      name += fmt::format(", {} {}", d.name, own);
  }
  return name;
}

// Published throughput that belongs to a line: same driver, share mode, load and all but what x is.
bool belongs(const timing::Figure& f, const SpeedRow& row, const Dimension& x, const timing::Profile& profile) {
  if (!f.mbps) return false;
  const std::string driver = f.driver.empty() ? profile.default_driver : f.driver;
  if (driver != row.point.driver) return false;
  if (row.on_core) return f.submit_cpus == row.point.scenario.cpus;
  const auto scenario = timing::scenario_of(f);
  if (!scenario || scenario->share != row.point.scenario.share || scenario->load != row.point.scenario.load)
    return false;
  const bool deep = scenario->load == timing::Load::kPipe;  // any depth that fills a pipe gives the same
  for (const Dimension& d : kDimensions)
    if (&d != &x && !(deep && std::string_view(d.name) == "inflight") &&
        d.value(*scenario) != d.value(row.point.scenario))
      return false;
  return true;
}

struct ClosePipe {
  void operator()(std::FILE* f) const { pclose(f); }
};

std::string quoted(const std::string& text) {
  std::string out;
  for (char c : text)
    if (c != '"' && c != '\\' && c != '\n') out += c;
  return out;
}

std::string html_text(const std::string& text) {
  std::string out;
  for (char c : text) out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

desc::Result<void> run_gnuplot(const std::string& script) {
  std::unique_ptr<std::FILE, ClosePipe> pipe(popen("gnuplot 2>&1 >/dev/null", "w"));
  if (!pipe) return desc::fail(desc::ErrorCode::kNotFound, "gnuplot cannot be started");
  std::fwrite(script.data(), 1, script.size(), pipe.get());
  const int status = pclose(pipe.release());
  if (status != 0)
    return desc::fail(
        desc::ErrorCode::kNotFound,
        "gnuplot did not draw it; is the package gnuplot-nox installed? A file ending in .gp gets the script");
  return {};
}

}  // namespace

std::string gnuplot_script(const timing::Profile& profile, const std::vector<SpeedRow>& rows,
                           const std::string& output) {
  const Dimension& x = widest(rows);
  std::map<std::string, std::string> lines, points;
  for (const SpeedRow& row : rows) {
    const std::string name = line_name(row, x, rows);
    lines[name] += fmt::format("{} {:.6g}\n", x.value(row.point.scenario), row.outcome.mb_per_s);
    for (const timing::Figure& f : profile.published) {
      if (!belongs(f, row, x, profile)) continue;
      auto scenario = timing::scenario_of(f);
      Scenario core{.bytes = f.size, .cpus = f.submit_cpus};
      const std::string point = fmt::format("{} {:.6g}\n", x.value(scenario ? *scenario : core), *f.mbps);
      if (points[name].find(point) == std::string::npos) points[name] += point;
    }
  }
  const bool png = output.ends_with(".png");
  std::string script = fmt::format(
      "set terminal {}\nset output \"{}\"\nset title \"{}, virtual time\"\nset xlabel \"{}\"\nset ylabel \"MB/s\"\n"
      "set logscale xy\nset grid\nset key outside bottom center horizontal\n",
      png ? "pngcairo size 1000,700" : "svg size 1000,700 dynamic background rgb 'white'", quoted(output),
      quoted(profile.title), x.label);
  std::string plot;
  unsigned n = 0;
  for (const auto& [name, data] : lines) {
    ++n;
    script += fmt::format("$line{} << EOD\n{}EOD\n", n, data);
    plot += fmt::format("{}$line{} using 1:2 with linespoints lc {} pt 7 ps 0.4 title \"{}\"", plot.empty() ? "" : ", ",
                        n, n, quoted(name));
    if (points[name].empty()) continue;
    script += fmt::format("$published{} << EOD\n{}EOD\n", n, points[name]);
    plot += fmt::format(", $published{} using 1:2 with points lc {} pt 4 ps 1.6 lw 2 title \"published\"", n, n);
  }
  return script + "plot " + plot + "\n";
}

desc::Result<void> plot(const timing::Profile& profile, const std::vector<SpeedRow>& rows, const std::string& output) {
  const bool script_only = output.ends_with(".gp");
  if (!script_only && !output.ends_with(".svg") && !output.ends_with(".png"))
    return desc::fail(desc::ErrorCode::kInvalidArgument,
                      fmt::format("{}: a picture ends in .svg or .png, a script in .gp", output));
  const std::string script =
      gnuplot_script(profile, rows, script_only ? output.substr(0, output.size() - 3) + ".svg" : output);
  if (!script_only) return run_gnuplot(script);
  std::ofstream file(output);
  file << script;
  if (!file.flush()) return desc::fail(desc::ErrorCode::kInvalidArgument, fmt::format("{} cannot be written", output));
  return {};
}

desc::Result<std::string> html_report(const timing::Profile& profile, const std::vector<SpeedRow>& rows) {
  const std::string picture = fmt::format("{}/caam-speed-{}.svg", P_tmpdir, reinterpret_cast<uintptr_t>(&rows));
  if (auto drawn = run_gnuplot(gnuplot_script(profile, rows, picture)); !drawn)
    return tl::unexpected<desc::Error>(drawn.error());
  std::ifstream in(picture);
  std::string svg{std::istreambuf_iterator<char>(in), {}};
  std::remove(picture.c_str());
  if (const size_t start = svg.find("<svg"); start != std::string::npos) svg.erase(0, start);
  std::string params;
  for (const auto& [key, why] : profile.provenance)
    params += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", html_text(key), html_text(why.word),
                          html_text(why.text));
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\n"
      "<style>body{{font-family:sans-serif;margin:2em;max-width:75em}}pre{{overflow-x:auto}}"
      "td{{padding:0 1em 0 0;vertical-align:top}}svg{{max-width:100%;height:auto}}</style></head>\n"
      "<body><h1>{0}</h1>\n<p>Virtual time; the model and what it cannot tell: docs/timing.md.</p>\n{1}\n"
      "<h2>Rows</h2><pre>{2}</pre>\n<h2>Where the parameters come from</h2><table>\n{3}</table></body></html>\n",
      html_text(profile.title), svg, html_text(table_text(rows)), params);
}

}  // namespace caamlab::tools
