// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam share: is a shared descriptor right under every share mode, and what does each cost?
#include <fmt/format.h>

#include "tools/hex.h"
#include "tools/listing_json.h"
#include "tools/share_subject.h"
#include "tools/subcommands.h"

namespace caamlab::tools {
namespace {

using nlohmann::json;

// hardware.md 6.1, 6.3.
constexpr uint32_t kDecoSource = 4, kCopiedFromFailed = 0x1E;

struct ShareCommand {
  ShareSubjectOptions subject;
  std::string share;
  std::map<std::string, bool> flags;
  bool only_static = false, json = false;
};

struct Answer {
  ShareSubject subject;
  StaticShare words;
  std::vector<ShareRun> runs;                               // one for each way; empty: not run
  std::vector<std::pair<size_t, std::string>> wrong_alone;  // jobs that are wrong without any sharing
};

ShareWay own_way(const Answer& a) { return static_cast<ShareWay>(a.words.header.share); }
std::string_view name_of(ShareWay way) { return kShareWayNames[static_cast<size_t>(way)]; }

// Unsafe if the words say so or a run shows it.
bool safe(const Answer& a, ShareWay way) {
  const bool shown = !a.runs.empty() && a.runs[static_cast<size_t>(way)].wrong.has_value();
  return a.words.verdict(way).safe && !shown;
}

Answer examine(Session& session, const ShareCommand& c) {
  Answer a{.subject = read_share_subject(session, c.subject), .words = {}, .runs = {}, .wrong_alone = {}};
  a.words = value_or_throw(analyze_sharing(a.subject.words, a.subject.target), a.subject.what);
  if (c.only_static || !a.subject.flow) return a;
  a.wrong_alone = wrong_alone(*a.subject.flow);
  for (size_t i = 0; i < kShareWayNames.size(); ++i)
    a.runs.push_back(run_flow(*a.subject.flow, static_cast<ShareWay>(i)));
  return a;
}

// -- text ---------------------------------------------------------------------------------------------------------

void print_static(Session& session, const StaticShare& s) {
  session.out << (s.skipped.empty() ? "\nskips nothing when it finds shared keys\n"
                                    : "\nskipped when SHRD is true, and relied on instead\n");
  for (const SkippedCommand& k : s.skipped)
    session.out << fmt::format("  {:2}  {}\n      {}: {}\n", k.index, k.text, reliance_name(k.on), k.why);
  if (!s.only_followers.empty()) session.out << "run only when it is\n";
  for (const auto& [index, text] : s.only_followers) session.out << fmt::format("  {:2}  {}\n", index, text);
  if (!s.hazards.empty()) session.out << "also\n";
  for (const ShareHazard& h : s.hazards) session.out << fmt::format("  {:2}  {}\n      {}\n", h.index, h.text, h.why);
}

std::string queue_text(const ShareCounterExample& e) {
  std::string out;
  for (size_t i = 0; i <= e.position; ++i) out += fmt::format("{}{}", i == 0 ? "job " : ", then job ", e.queue[i]);
  return out;
}

void print_example(Session& session, const ShareCounterExample& e) {
  session.out << fmt::format("      example: {}: the last one's status is {:08x}, alone {:08x}\n", queue_text(e),
                             e.status_shared, e.status_alone);
  if (!e.addr) return;
  const auto shown = [](const std::vector<uint8_t>& b) { return b.empty() ? std::string("nothing") : to_hex(b); };
  session.out << fmt::format("               at {:#x} it writes {}, alone {}\n", *e.addr, shown(e.shared),
                             shown(e.alone));
}

// Not the descriptor's fault: the error of a predecessor.
bool passed_on(const ShareCounterExample& e) {
  return e.status_shared >> 28 == kDecoSource && (e.status_shared & 0xFF) == kCopiedFromFailed;
}

double per_job(uint64_t n, const ShareRun& r) { return static_cast<double>(n) / r.jobs; }

void print_verdicts(Session& session, const Answer& a) {
  session.out << "\nmode        result            keys loaded  SHRD found  out of order\n";
  for (size_t i = 0; i < kShareWayNames.size(); ++i) {
    const auto way = static_cast<ShareWay>(i);
    const WayVerdict& words = a.words.verdicts[i];
    std::string line = fmt::format("{:<11} {:<16}", name_of(way), safe(a, way) ? "same results" : "WRONG RESULTS");
    if (!a.runs.empty()) {
      const ShareRun& r = a.runs[i];
      line += fmt::format("  {:5.2f} a job  {:4} of {:<3} {:4} of {}", per_job(r.keys_loaded, r), r.shared_keys, r.jobs,
                          r.out_of_order, r.jobs);
    }
    session.out << line << "\n";
    for (const std::string& because : words.because) session.out << fmt::format("      {}\n", because);
    if (a.runs.empty()) continue;
    if (a.runs[i].wrong) print_example(session, *a.runs[i].wrong);
    if (!words.safe && !a.runs[i].wrong) session.out << "      (no queue that was run shows it)\n";
    if (words.safe && a.runs[i].wrong)
      session.out << (passed_on(*a.runs[i].wrong)
                          ? "      (the job before failed; one that would copy from it fails, too: hardware.md 5.5)\n"
                          : "      (the words do not show why)\n");
  }
}

// What another mode would mean for somebody who has this descriptor.
std::string change_text(const Answer& a) {
  const ShareWay own = own_way(a), other = own == ShareWay::kNever ? ShareWay::kSerial : ShareWay::kNever;
  const bool to_never = other == ShareWay::kNever;
  std::string out = fmt::format("{} instead of {}: ", name_of(other), name_of(own));
  out += safe(a, own) == safe(a, other) ? (safe(a, own) ? "same results" : "results as wrong")
         : safe(a, other)               ? "results become right"
                                        : "results become wrong";
  if (!a.runs.empty())
    out += fmt::format("; keys loaded {:.2f} a job instead of {:.2f}",
                       per_job(a.runs[static_cast<size_t>(other)].keys_loaded, a.runs[static_cast<size_t>(other)]),
                       per_job(a.runs[static_cast<size_t>(own)].keys_loaded, a.runs[static_cast<size_t>(own)]));
  return out + (to_never ? "; jobs run in parallel, completion order is not kept"
                         : "; jobs run one after the other, in order");
}

void print(Session& session, const Answer& a) {
  const auto& h = a.words.header;
  session.out << fmt::format("{}: {} words, share={}, {}\n", a.subject.what, a.subject.words.size(),
                             name_of(own_way(a)), h.savectx ? "SAVECTX" : "no SAVECTX");
  for (const std::string& note : a.subject.notes) session.out << "# " << note << "\n";
  print_static(session, a.words);
  if (!a.runs.empty())
    session.out << fmt::format("\nrun: {}; queued in pairs and all at once\n", a.subject.jobs_are);
  else if (!a.subject.missing.empty())
    session.out << fmt::format("\nnot run: {}\n", a.subject.missing);
  for (const auto& [job, what] : a.wrong_alone)
    session.out << fmt::format("job {} is wrong even alone: {}\n", job, what);
  print_verdicts(session, a);
  session.out << "\n" << change_text(a) << "\n";
}

// -- JSON ---------------------------------------------------------------------------------------------------------

json example_json(const ShareCounterExample& e) {
  json out = {{"queue", e.queue},
              {"position", e.position},
              {"status_alone", fmt::format("{:#010x}", e.status_alone)},
              {"status", fmt::format("{:#010x}", e.status_shared)}};
  if (e.addr) {
    out["addr"] = fmt::format("{:#x}", *e.addr);
    out["alone"] = to_hex(e.alone);
    out["writes"] = to_hex(e.shared);
  }
  return out;
}

json verdict_json(const Answer& a, size_t i) {
  const auto way = static_cast<ShareWay>(i);
  json out = {{"mode", name_of(way)}, {"safe", safe(a, way)}, {"because", a.words.verdicts[i].because}};
  if (a.runs.empty()) return out;
  const ShareRun& r = a.runs[i];
  out["run"] = {{"queues", r.queues},
                {"jobs", r.jobs},
                {"keys_loaded", r.keys_loaded},
                {"shared_keys", r.shared_keys},
                {"out_of_order", r.out_of_order},
                {"same_results", !r.wrong.has_value()}};
  if (r.wrong) out["run"]["example"] = example_json(*r.wrong);
  return out;
}

json to_json(const Answer& a) {
  json out = {{"subject", a.subject.what},         {"words", a.subject.words.size()}, {"share", name_of(own_way(a))},
              {"savectx", a.words.header.savectx}, {"notes", a.subject.notes},        {"skipped", json::array()},
              {"only_followers", json::array()},   {"hazards", json::array()},        {"wrong_alone", json::array()},
              {"verdicts", json::array()},         {"change", change_text(a)}};
  for (const SkippedCommand& k : a.words.skipped)
    out["skipped"].push_back(
        {{"index", k.index}, {"command", k.text}, {"relies_on", reliance_name(k.on)}, {"why", k.why}});
  for (const auto& [index, text] : a.words.only_followers)
    out["only_followers"].push_back({{"index", index}, {"command", text}});
  for (const ShareHazard& h : a.words.hazards)
    out["hazards"].push_back({{"index", h.index}, {"command", h.text}, {"why", h.why}});
  for (const auto& [job, what] : a.wrong_alone) out["wrong_alone"].push_back({{"job", job}, {"what", what}});
  for (size_t i = 0; i < kShareWayNames.size(); ++i) out["verdicts"].push_back(verdict_json(a, i));
  out[a.runs.empty() ? "not_run" : "jobs_are"] = a.runs.empty() ? a.subject.missing : a.subject.jobs_are;
  return out;
}

void share(Session& session, ShareCommand& c) {
  for (const auto& [name, given] : c.flags)
    if (given) c.subject.values[name] = {};
  std::erase_if(c.subject.values,
                [&](const auto& item) { return item.second.empty() && !c.flags.contains(item.first); });
  for (const desc::ValueName& v : desc::kSharedShareNames)
    if (v.name == c.share) c.subject.share = static_cast<desc::ShareMode>(v.value);
  const Answer a = examine(session, c);
  if (!safe(a, own_way(a)) || !a.wrong_alone.empty()) session.exit_code = kExitNo;
  if (c.json) return print_json(session, to_json(a));
  print(session, a);
}

}  // namespace

void add_share(CLI::App& app, Session& session) {
  CLI::App* sub = app.add_subcommand("share", "Find out whether a shared descriptor is right under each share mode");
  auto c = std::make_shared<ShareCommand>();
  sub->add_option("subject", c->subject.subject,
                  "a constructor, such as cnstr_shdsc_gcm_encap; or a file with words, in any layout that caam dump "
                  "reads, or with jobs as caam replay takes them; or -")
      ->required();
  sub->add_option("--share", c->share, "never, wait, serial, always instead of what the descriptor says")
      ->check(CLI::IsMember({"never", "wait", "serial", "always"}));
  sub->add_flag("--static", c->only_static, "read the words only, run nothing");
  sub->add_option("--jobs", c->subject.jobs, "jobs to make")->check(CLI::Range(1, 64))->capture_default_str();
  sub->add_option("--seed", c->subject.seed, "of their data")->capture_default_str();
  sub->add_option("--line", c->subject.line, "recorded jobs: the line whose shared descriptor is meant");
  sub->add_flag("--json", c->json, "structured output");
  add_target_options(*sub, c->subject.target);
  for (const BuildOption& option : build_options()) {
    if (option.name == "--len" || option.name == "--in" || option.name == "--out") continue;
    const std::string name(option.name), about(option.about);
    if (option.is_flag)
      sub->add_flag(name, c->flags[name], about)->group("Parameters of a constructor");
    else
      sub->add_option(name, c->subject.values[name], about)
          ->group("Parameters of a constructor")
          ->expected(1)
          ->take_all();
  }
  sub->footer(
      "same-deco and cross-deco are the two places where a serial follower can go (docs/hardware.md 5.3); the modes\n"
      "are run with the first. Jobs are made where the words are, or are nearly, those of a kernel constructor.\n"
      "exit codes: 0 right under its own mode, 1 not, 2 wrong usage or unreadable input\n"
      "examples: caam share cnstr_shdsc_gcm_encap --key 000102030405060708090a0b0c0d0e0f\n"
      "          caam share words.txt --share never");
  sub->callback([c, &session] { share(session, *c); });
}

}  // namespace caamlab::tools
