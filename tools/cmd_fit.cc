// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam fit: a timing profile from measurements of a board.
#include <fmt/format.h>

#include <fstream>

#include "tools/fit.h"
#include "tools/subcommands.h"

namespace caamlab::tools {
namespace {

struct FitCommand {
  std::string measurements, base = "lx2160a", name = "my-board", out;
  bool json = false;
};

nlohmann::json fit_json(const Fit& fit) {
  nlohmann::json rows = nlohmann::json::array();
  for (const Residual& r : fit.residuals) {
    nlohmann::json row = {{"name", r.figure.name},      {"size", r.figure.size},
                          {"depth", r.figure.depth},    {"mbps", *r.figure.mbps},
                          {"model_mbps", r.model_mbps}, {"off", r.model_mbps / *r.figure.mbps - 1}};
    if (r.figure.cores) {
      row["cores"] = *r.figure.cores;
      row["model_cores"] = r.model_cores;
    }
    rows.push_back(std::move(row));
  }
  return {{"profile", nlohmann::json::parse(timing::to_json_text(fit.profile))},
          {"residuals", rows},
          {"rms", fit.rms},
          {"values", fit.values},
          {"fitted", fit.fitted},
          {"kept", fit.kept}};
}

std::string fit_text(const Fit& fit) {
  std::string out = fmt::format("{:<10} {:>8} {:>6} {:<6} {:<7} {:>10} {:>10} {:>8} {:>7} {:>7}\n", "", "size", "depth",
                                "load", "share", "measured", "model", "off", "cores", "model");
  for (const Residual& r : fit.residuals)
    out += fmt::format("{:<10} {:>8} {:>6} {:<6} {:<7} {:>10.1f} {:>10.1f} {:>+6.1f} % {:>7} {:>7.2f}\n", r.figure.name,
                       r.figure.size, r.figure.depth, r.figure.load, r.figure.share, *r.figure.mbps, r.model_mbps,
                       100 * (r.model_mbps / *r.figure.mbps - 1),
                       r.figure.cores ? fmt::format("{:.2f}", *r.figure.cores) : "-", r.model_cores);
  out += fmt::format("{} values, {:.1f} % off on average\nfitted: {}\n", fit.values, 100 * fit.rms,
                     fmt::join(fit.fitted, ", "));
  if (!fit.kept.empty())
    out += fmt::format("as the base has them, since no measurement depends on them: {}\n", fmt::join(fit.kept, ", "));
  if (fit.values <= fit.fitted.size())
    out += "there are no more values than fitted numbers: nothing of this is a test\n";
  return out;
}

void run(Session& session, const FitCommand& c) {
  const timing::Profile base = value_or_throw(timing::resolve_profile(c.base), "--base");
  const auto measured = value_or_throw(parse_measurements(read_input(session, c.measurements)), c.measurements);
  Fit fit = value_or_throw(fit_profile(base, measured), "caam fit");
  fit.profile.name = c.name;
  fit.profile.title = fmt::format("{}, fitted from {}", c.name, c.base);
  if (fit.profile.device.empty()) fit.profile.device = base.name;
  for (timing::Figure& f : fit.profile.published) {
    f.profile = c.name;
    f.tolerance = 0.1;
  }
  if (!c.out.empty()) {
    std::ofstream file(c.out);
    file << timing::to_json_text(fit.profile);
    if (!file.flush()) throw UsageError(fmt::format("--out: {} cannot be written", c.out));
  }
  if (c.json) return print_json(session, fit_json(fit));
  session.out << fit_text(fit);
}

}  // namespace

void add_fit(CLI::App& app, Session& session) {
  CLI::App* sub = app.add_subcommand("fit", "A timing profile from measurements of your board");
  auto c = std::make_shared<FitCommand>();
  sub->add_option("measurements", c->measurements,
                  "CSV: size, depth, mbps, and if known cores, load, share, cpus, keys; - for standard input")
      ->required();
  sub->add_option("--base", c->base, "profile to start from; what is not fitted stays as it has it")
      ->capture_default_str();
  sub->add_option("--name", c->name, "name of the new profile")->capture_default_str();
  sub->add_option("--out", c->out, "file for the profile; give it to caam speed --platform");
  sub->add_flag("--json", c->json, "structured output");
  sub->footer(
      "load: batch (tcrypt), pipe (default) or poll; share: serial (default), never, wait, always. Only sums show in\n"
      "figures (docs/timing.md 5), so submission and completion, interrupt and wake-up get equal halves.\n"
      "example: caam fit board.csv --base ls1046a --name my-board --out my-board.json");
  sub->callback([c, &session] { run(session, *c); });
}

}  // namespace caamlab::tools
