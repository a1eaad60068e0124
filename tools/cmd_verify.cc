// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam verify: our constructors against files of the kernel's descriptors.
#include <fmt/format.h>

#include "tools/golden.h"
#include "tools/subcommands.h"

namespace caamlab::tools {
namespace {

struct VerifyOptions {
  std::vector<std::string> files;
  unsigned show = 20;
  bool json = false;
};

nlohmann::json report_json(const GoldenReport& report) {
  nlohmann::json mismatches = nlohmann::json::array();
  for (const Mismatch& m : report.mismatches) {
    nlohmann::json item = {{"name", m.name}, {"constructor", m.constructor}, {"what", m.what}, {"reason", m.reason}};
    if (m.word) item["word"] = *m.word;
    mismatches.push_back(std::move(item));
  }
  return {{"file", report.file},
          {"entries", report.entries},
          {"identical", report.identical},
          {"mismatches", std::move(mismatches)}};
}

void verify(Session& session, const VerifyOptions& o) {
  std::vector<GoldenReport> reports;
  bool unreadable = false;
  for (const std::string& file : o.files) {
    auto report = check_golden_file(file);
    if (report) {
      if (!report->ok()) session.exit_code = kExitNo;
      reports.push_back(std::move(*report));
    } else {
      session.err << "caam verify: " << report.error().message << '\n';
      // A file of something else among others, as with tests/golden/*.json, is no failure.
      unreadable = unreadable || report.error().code != desc::ErrorCode::kInvalidArgument;
    }
  }
  if (unreadable || reports.empty()) session.exit_code = kExitUsage;
  if (o.json) {
    nlohmann::json out = nlohmann::json::array();
    for (const GoldenReport& report : reports) out.push_back(report_json(report));
    print_json(session, out);
    return;
  }
  for (const GoldenReport& report : reports) {
    session.out << fmt::format("{}: {} of {} identical\n", report.file, report.identical, report.entries);
    unsigned shown = 0;
    for (const Mismatch& m : report.mismatches) {
      if (shown++ == o.show) {
        session.out << fmt::format("  ... and {} more (--show N, --json)\n", report.mismatches.size() - o.show);
        break;
      }
      session.out << fmt::format("  {} ({}){}{}: {}\n", m.name, m.constructor, m.what.empty() ? "" : " ", m.what,
                                 m.reason);
    }
  }
}

}  // namespace

void add_verify(CLI::App& app, Session& session) {
  CLI::App* sub = app.add_subcommand("verify", "Compare our descriptors with the kernel's, word by word");
  auto o = std::make_shared<VerifyOptions>();
  sub->add_option("--golden", o->files, "files in the format of tests/golden/gcm.json")->required()->expected(1, -1);
  sub->add_option("--show", o->show, "mismatches to show per file")->capture_default_str();
  sub->add_flag("--json", o->json, "structured output, with all mismatches");
  sub->footer(
      "An entry names a constructor and its parameters; words, share-never words and scatter/gather table have to be\n"
      "equal but for bits that the entry calls unwritten. An entry that cannot be built is not identical.\n"
      "exit codes: 0 all identical, 1 not all, 2 a file cannot be read, or none has descriptors\n"
      "example: caam verify --golden tests/golden/gcm.json tests/golden/aead.json");
  sub->callback([o, &session] { verify(session, *o); });
}

}  // namespace caamlab::tools
