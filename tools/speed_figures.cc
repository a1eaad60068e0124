// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam speed --published, --figures: figures against the model.
#include <fmt/format.h>

#include "tools/speed_command.h"

namespace caamlab::tools {

using timing::Profile;

namespace {

struct FigureReport {
  nlohmann::json json = nlohmann::json::array();
  std::string text;
  unsigned off = 0, checked = 0;
};

void report_figure(FigureReport& report, const timing::Figure& f, const Profile& profile) {
  const timing::Outcome outcome =
      value_or_throw(timing::outcome_of(f, profile), f.name.empty() ? profile.name : f.name);
  for (const timing::Compared& v : timing::compare(f, outcome)) {
    ++report.checked;
    report.off += !v.ok();
    report.json.push_back({{"name", f.name},
                           {"profile", profile.name},
                           {"metric", v.metric},
                           {"figure", v.figure},
                           {"model", v.model},
                           {"off", v.off},
                           {"tolerance", v.tolerance},
                           {"ok", v.ok()}});
    const std::string how = f.load.empty() ? f.driver : fmt::format("{} {} {}", f.load, f.depth, f.share);
    report.text +=
        fmt::format("{:<22} {:<44} {:<18} {:>6} {:>5} {:<12} {:>9.4g} {:>9.4g} {:>+7.1f} %{}\n", profile.name, f.name,
                    how, f.size, f.submit_cpus, v.metric, v.figure, v.model, v.off * 100, v.ok() ? "" : "  OFF");
  }
}

}  // namespace

void speed_figures(Session& session, const SpeedCommand& c) {
  FigureReport report;
  report.text = fmt::format("{:<22} {:<44} {:<18} {:>6} {:>5} {:<12} {:>9} {:>9} {:>9}\n", "profile", "figure", "load",
                            "size", "cpus", "metric", c.published ? "published" : "figure", "model", "off");
  if (c.published) {
    for (const std::string& name : timing::profile_names()) {
      const Profile profile = value_or_throw(timing::resolve_profile(name), name);
      for (const timing::Figure& f : profile.published) report_figure(report, f, profile);
    }
  } else {
    const timing::ProfileFile file = value_or_throw(timing::load_profiles(c.figures), "--figures");
    const auto profile_of = [&](const std::string& name) -> Profile {
      for (const Profile& p : file.profiles)
        if (p.name == name) return p;
      return value_or_throw(timing::resolve_profile(name), "--figures");
    };
    for (const auto* list : {&file.validation, &file.reference})
      for (const timing::Figure& f : *list) report_figure(report, f, profile_of(f.profile));
    for (const Profile& p : file.profiles)
      for (const timing::Figure& f : p.published) report_figure(report, f, p);
    if (report.checked == 0)
      throw UsageError(fmt::format("--figures: {} holds no figures (validation, reference or published)", c.figures));
  }
  if (report.off != 0) session.exit_code = kExitNo;
  if (c.json) return print_json(session, {{"figures", report.json}, {"off", report.off}});
  session.out << report.text
              << fmt::format("{} figures, {} off by more than their tolerance\n", report.checked, report.off);
}

}  // namespace caamlab::tools
