// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam check: what is wrong with a descriptor, without running it.
#include <fmt/format.h>

#include <array>
#include <memory>

#include "desc/check/check.h"
#include "desc/era.h"
#include "desc/text/disassemble.h"
#include "hw_model/cha/cha_table.h"
#include "hw_model/platform.h"
#include "tools/pasted.h"
#include "tools/sarif.h"
#include "tools/subcommands.h"

namespace caamlab::tools {
namespace {

using desc::Severity;
using nlohmann::json;

struct CheckCommandOptions {
  std::string file = "-", shared, platform;
  TargetOptions target;
  int era = 0;
  bool strict = false, binary = false, json = false, sarif = false, rules = false;
};

// One descriptor, or a pair, of those that were given.
struct Unit {
  std::vector<uint32_t> shared, job;
  bool fragment = false;
  desc::Target target;
  std::string job_file, shared_file;
  unsigned job_line = 1, shared_line = 1;
  std::vector<desc::Finding> findings{};

  desc::ProgramInput input() const { return {.shared = shared, .job = job, .fragment = fragment, .target = target}; }
};

struct Given {
  std::vector<desc::Detected> found;
  std::vector<unsigned> lines;
  std::vector<std::string> files;
};

void take(Session& session, const CheckCommandOptions& o, const std::string& file, Given& given) {
  for (const desc::PastedDump& dump : read_pasted(session, file, o.binary)) {
    given.found.push_back(detect_pasted(dump, o.target));
    given.lines.push_back(dump.line);
    given.files.push_back(file);
  }
}

Unit unit_of(const Given& given, size_t i, std::optional<size_t> shared) {
  const desc::Detected& found = given.found[i];
  const auto input = desc::program_input(found.words, found.target);
  Unit u{.shared = {input.shared.begin(), input.shared.end()},
         .job = {input.job.begin(), input.job.end()},
         .fragment = input.fragment,
         .target = found.target,
         .job_file = given.files[i],
         .shared_file = given.files[i],
         .job_line = given.lines[i],
         .shared_line = given.lines[i]};
  if (shared && u.shared.empty()) {
    u.shared = given.found[*shared].words;
    u.shared_file = given.files[*shared];
    u.shared_line = given.lines[*shared];
  }
  return u;
}

// Jobs with their shared descriptors, and whatever belongs to no job by itself.
std::vector<Unit> units_of(const Given& given) {
  std::vector<Unit> units;
  std::vector<bool> used(given.found.size());
  for (size_t i = 0; i < given.found.size(); ++i)
    if (const auto shared = shared_of(given.found, i)) used[*shared] = true;
  for (size_t i = 0; i < given.found.size(); ++i)
    if (!used[i]) units.push_back(unit_of(given, i, shared_of(given.found, i)));
  return units;
}

desc::CheckOptions options_of(const CheckCommandOptions& o) {
  desc::CheckOptions options;
  if (o.era != 0) options.era = o.era;
  if (o.platform.empty()) return options;
  struct Silicon {
    explicit Silicon(hw_model::Platform p) : platform(std::move(p)), chas(platform) {}
    hw_model::Platform platform;
    hw_model::ChaSet chas;
  };
  const auto silicon = std::make_shared<Silicon>(value_or_throw(hw_model::resolve_platform(o.platform), "--platform"));
  if (o.era == 0) options.era = silicon->platform.era;
  options.missing_on_platform = [silicon](const desc::Command& command) -> std::optional<std::string> {
    const hw_model::Platform& platform = silicon->platform;
    if (std::holds_alternative<desc::PkOperation>(command) && !platform.has(hw_model::ChaUnit::kPkha))
      return platform.title + " has no PKHA";
    const auto* op = std::get_if<desc::AlgOperation>(&command);
    if (op == nullptr) return std::nullopt;
    const auto name = desc::value_name(desc::kAlgNames, static_cast<uint32_t>(op->alg));
    if (op->alg == desc::Alg::kRng)
      return platform.has(hw_model::ChaUnit::kRng) ? std::nullopt : std::optional(platform.title + " has no RNG");
    desc::CcbError error{};
    if (silicon->chas.find(*op, error) != nullptr) return std::nullopt;
    return fmt::format("{} does not run {} with mode {:#05x}", platform.title, name, op->aai);
  };
  return options;
}

std::string command_text(const Unit& u, const desc::Finding& f) {
  const auto& words = f.part == desc::Part::kShared ? u.shared : u.job;
  return desc::describe_word_at(words, f.index, {.target = u.target});
}

LocatedFinding located(const Unit& u, const desc::Finding& f) {
  const bool shared = f.part == desc::Part::kShared;
  return {.finding = f,
          .file = shared ? u.shared_file : u.job_file,
          .line = shared ? u.shared_line : u.job_line,
          .command = command_text(u, f)};
}

json to_json(const LocatedFinding& l) {
  const desc::RuleRow& row = desc::rule_row(l.finding.rule);
  return {{"rule", row.name},
          {"severity", desc::severity_name(l.finding.severity)},
          {"part", desc::part_name(l.finding.part)},
          {"index", l.finding.index},
          {"buffer_index", l.finding.buffer_index},
          {"command", l.command},
          {"message", l.finding.message},
          {"why", row.why},
          {"fix", row.fix},
          {"file", l.file},
          {"line", l.line}};
}

void print(Session& session, const LocatedFinding& l) {
  const desc::RuleRow& row = desc::rule_row(l.finding.rule);
  session.out << fmt::format("{} {:>2}  {}: {}  [{}]\n", desc::part_name(l.finding.part), l.finding.index,
                             desc::severity_name(l.finding.severity), l.finding.message, row.name)
              << fmt::format("        {}\n", l.command) << fmt::format("        why  {}\n", row.why)
              << fmt::format("        fix  {}\n", row.fix);
}

std::string unit_name(const Unit& u) {
  if (u.fragment) return fmt::format("a piece of {} words", u.job.size());
  if (u.job.empty()) return fmt::format("a shared descriptor of {} words", u.shared.size());
  if (u.shared.empty()) return fmt::format("a job descriptor of {} words", u.job.size());
  return fmt::format("a shared descriptor of {} words and a job descriptor of {}", u.shared.size(), u.job.size());
}

void print_rules(Session& session) {
  for (const desc::RuleRow& row : desc::rule_table())
    session.out << fmt::format("{:<22} {:<8} {}\n{:31} why  {}\n{:31} fix  {}\n", row.name,
                               desc::severity_name(row.severity), row.about, "", row.why, "", row.fix);
}

void check(Session& session, const CheckCommandOptions& o) {
  if (o.rules) return print_rules(session);
  Given given;
  take(session, o, o.file, given);
  if (!o.shared.empty()) take(session, o, o.shared, given);
  const desc::CheckOptions options = options_of(o);
  std::vector<Unit> units = units_of(given);
  std::vector<LocatedFinding> all;
  std::array<unsigned, 3> count{};
  for (Unit& u : units) {
    u.findings = desc::check(u.input(), options);
    for (const desc::Finding& f : u.findings) {
      all.push_back(located(u, f));
      ++count[static_cast<size_t>(f.severity)];
    }
  }
  const unsigned errors = count[2], warnings = count[1], notes = count[0];
  if (errors != 0 || (o.strict && warnings != 0)) session.exit_code = kExitNo;
  if (o.sarif) return print_json(session, to_sarif(all));
  if (o.json) {
    json findings = json::array();
    for (const LocatedFinding& l : all) findings.push_back(to_json(l));
    return print_json(session, {{"descriptors", units.size()},
                                {"errors", errors},
                                {"warnings", warnings},
                                {"notes", notes},
                                {"findings", findings}});
  }
  size_t at = 0;
  for (const Unit& u : units) {
    session.out << "# " << unit_name(u) << ", pointers of " << int{u.target.ptr_bytes} << " bytes\n";
    for (size_t i = 0; i < u.findings.size(); ++i) print(session, all[at++]);
  }
  session.out << fmt::format("{} errors, {} warnings, {} notes\n", errors, warnings, notes);
}

}  // namespace

void add_check(CLI::App& app, Session& session) {
  CLI::App* sub = app.add_subcommand("check", "Find what is wrong with a descriptor, without running it");
  auto o = std::make_shared<CheckCommandOptions>();
  sub->add_option("file", o->file,
                  "file with the words, in any layout that caam dump reads, - (the default) for "
                  "standard input");
  sub->add_option("--shared", o->shared, "file with the shared descriptor of the job");
  add_target_options(*sub, o->target);
  sub->add_option("--era", o->era, "the SEC era it has to run on")->check(CLI::Range(desc::kMinEra, desc::kMaxEra));
  sub->add_option("--platform", o->platform,
                  "the SoC it has to run on, by name or a profile file: era and accelerators");
  sub->add_flag("--strict", o->strict, "warnings count, too");
  sub->add_flag("--binary", o->binary, "the input is the descriptor's bytes, not text");
  sub->add_flag("--rules", o->rules, "list the rules");
  auto* as_json = sub->add_flag("--json", o->json, "structured output");
  sub->add_flag("--sarif", o->sarif, "findings as SARIF 2.1.0, for editors and CI")->excludes(as_json);
  sub->footer(
      "Follows every path, with SHRD true and false, and knows registers, lengths and what each class is doing on it.\n"
      "A job and its shared descriptor are checked together when both are in the input (one behind the other, as two\n"
      "dumps, or by --shared); of one alone, what the other may do is taken into account.\n"
      "exit codes: 0 no errors, 1 errors (with --strict: or warnings), 2 wrong usage or unreadable input\n"
      "example: caam build cnstr_shdsc_gcm_encap --key 000102030405060708090a0b0c0d0e0f | caam check --platform "
      "ls1046a");
  sub->callback([o, &session] { check(session, *o); });
}

}  // namespace caamlab::tools
