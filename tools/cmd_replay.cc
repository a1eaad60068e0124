// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam replay: recorded jobs on the model, compared write by write.
#include <fmt/format.h>

#include <fstream>
#include <map>

#include "desc/text/disassemble.h"
#include "tools/hex.h"
#include "tools/replay.h"
#include "tools/subcommands.h"
#include "tools/trace.h"

namespace caamlab::tools {
namespace {

struct ReplayCli {
  std::vector<std::string> files;
  unsigned show = 5;
  int line = 0;
  bool trace = false, json = false;
};

struct Counts {
  unsigned jobs = 0, identical = 0, not_compared = 0, malformed = 0;
};

std::string ops_text(const ReplayJob& job) {
  std::string out;
  for (const std::string& op : job.ops) out += (out.empty() ? "" : "; ") + op;
  return out;
}

std::vector<uint32_t> whole_buffer(const ReplayJob& job) {
  std::vector<uint32_t> words = job.shared;
  words.insert(words.end(), job.job.begin(), job.job.end());
  return words;
}

// The first difference, the command that wrote it or where the job ended, and the listing.
void print_difference(Session& session, int line, const ReplayJob& job, const ReplayResult& result) {
  const ReplayDifference& d = result.differences.front();
  session.out << fmt::format("  line {} ({}): {}\n    {}{}: expected {}, got {}\n", line, job.run, ops_text(job),
                             d.what, d.what == "write" ? fmt::format(" at {:#x}", d.addr) : "", d.expected, d.got);
  const desc::DisassembleOptions options{.target = job.target};
  const auto words = whole_buffer(job);
  if (d.command >= 0 && static_cast<size_t>(d.command) < words.size())
    session.out << fmt::format("    at {}\n", desc::describe_word_at(words, static_cast<unsigned>(d.command), options));
  session.out << desc::to_text(desc::disassemble(words, options));
}

nlohmann::json difference_json(int line, const ReplayJob& job, const ReplayResult& result) {
  nlohmann::json list = nlohmann::json::array();
  for (const ReplayDifference& d : result.differences)
    list.push_back({{"what", d.what},
                    {"addr", fmt::format("{:#x}", d.addr)},
                    {"expected", d.expected},
                    {"got", d.got},
                    {"command", d.command}});
  return {{"line", line}, {"run", job.run}, {"ops", job.ops}, {"differences", std::move(list)}};
}

void replay_file(Session& session, const ReplayCli& o, const std::string& path, nlohmann::json& json) {
  std::ifstream file(path);
  if (!file) throw UsageError(path + ": cannot be opened");
  Counts counts;
  nlohmann::json failures = nlohmann::json::array();
  std::string text;
  TracePrinter printer([&](std::string_view l) { session.out << l << '\n'; });
  std::vector<std::string> messages;
  for (int line = 1; std::getline(file, text); ++line) {
    if (text.empty() || (o.line != 0 && line != o.line)) continue;
    const auto job = parse_replay_line(text);
    if (!job) {
      ++counts.malformed;
      session.err << fmt::format("{}:{}: {}\n", path, line, job.error().message);
      continue;
    }
    if (o.trace) session.out << fmt::format("{}:{}: {}\n", path, line, ops_text(*job));
    const ReplayResult result = run_replay_job(*job, {.trace = o.trace ? &printer : nullptr, .locate = true});
    if (!result.compared) {
      ++counts.not_compared;
      continue;
    }
    ++counts.jobs;
    counts.identical += result.identical;
    if (result.identical) continue;
    if (o.json)
      failures.push_back(difference_json(line, *job, result));
    else if (counts.jobs - counts.identical <= o.show)
      print_difference(session, line, *job, result);
  }
  if (counts.malformed != 0)
    session.exit_code = kExitUsage;
  else if (counts.identical != counts.jobs && session.exit_code == kExitOk)
    session.exit_code = kExitNo;
  if (o.json) {
    json.push_back({{"file", path},
                    {"jobs", counts.jobs},
                    {"identical", counts.identical},
                    {"not_compared", counts.not_compared},
                    {"malformed", counts.malformed},
                    {"failures", failures}});
    return;
  }
  session.out << fmt::format("{}: {} of {} identical", path, counts.identical, counts.jobs);
  if (counts.not_compared != 0) session.out << fmt::format(", {} run without a known result", counts.not_compared);
  if (counts.malformed != 0) session.out << fmt::format(", {} lines not readable", counts.malformed);
  session.out << '\n';
}

void replay(Session& session, const ReplayCli& o) {
  nlohmann::json json = nlohmann::json::array();
  for (const std::string& path : o.files) replay_file(session, o, path, json);
  if (o.json) print_json(session, json);
}

}  // namespace

void add_replay(CLI::App& app, Session& session) {
  CLI::App* sub = app.add_subcommand("replay", "Run recorded jobs on the model and compare every write and status");
  auto o = std::make_shared<ReplayCli>();
  sub->add_option("FILE", o->files, "files with one JSON job a line, as tests/replay/kernel-jobs.jsonl")
      ->required()
      ->expected(1, -1);
  sub->add_option("--line", o->line, "this line of the file only");
  sub->add_option("--show", o->show, "failing jobs to show per file")->capture_default_str();
  sub->add_flag("--trace", o->trace, "print each command as it runs, and the registers it changed");
  sub->add_flag("--json", o->json, "structured output, with all differences");
  sub->footer(
      "A job's bytes, addresses and status have to be those recorded; of outcomes that are the device's own (random\n"
      "numbers, partial states) the addresses and lengths. The index in the status of a CHA error is not compared.\n"
      "exit codes: 0 all identical, 1 not all, 2 a file or line cannot be read\n"
      "example: caam replay --line 97 --trace tests/replay/kernel-jobs.jsonl");
  sub->callback([o, &session] { replay(session, *o); });
}

}  // namespace caamlab::tools
