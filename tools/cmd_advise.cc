// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam advise: which driver for a workload, and what to change.
#include "tools/advise.h"
#include "tools/subcommands.h"

namespace caamlab::tools {
namespace {

struct AdviseCommand {
  std::string machine = "lx2160a", workload = "size=4096 inflight=1 sync", share = "serial", priority = "0";
  bool json = false;
};

void run(Session& session, const AdviseCommand& c) {
  const timing::Profile profile = value_or_throw(timing::resolve_profile(c.machine), "--machine");
  const Workload workload = value_or_throw(parse_workload(c.workload), "--workload");
  const auto priority = static_cast<int>(number_argument("--priority", c.priority, 1'000'000));
  const AdviceReport report = value_or_throw(advise(profile, workload, c.share, priority), "caam advise");
  if (c.json) return print_json(session, advice_json(report));
  session.out << advice_text(report);
}

}  // namespace

void add_advise(CLI::App& app, Session& session) {
  CLI::App* sub = app.add_subcommand("advise", "Which driver is the right one for a workload, and what to change");
  auto c = std::make_shared<AdviseCommand>();
  sub->add_option("--machine,--platform", c->machine, "timing profile by name, FILE.json, or FILE.json#NAME")
      ->capture_default_str();
  sub->add_option("--workload", c->workload, "size=N inflight=N keys=N cpus=N alg=NAME, sync or async")
      ->capture_default_str();
  sub->add_option("--share", c->share, "share mode of the CAAM's descriptors today")
      ->check(CLI::IsMember({"serial", "never"}))
      ->capture_default_str();
  sub->add_option("--priority", c->priority,
                  "priority of the engine's drivers (default: 3000 job ring, 2000 qi and qi2)");
  sub->add_flag("--json", c->json, "structured output");
  sub->footer(
      "Preferred is who takes the least CPU time per byte among those that carry at least 90 % of the fastest. All "
      "drivers\n"
      "are measured in virtual time (docs/timing.md), under each reading that the published figures allow.\n"
      "example: caam advise --machine lx2160a --workload \"size=16384 inflight=32\" --share never --priority 100");
  sub->callback([c, &session] { run(session, *c); });
}

}  // namespace caamlab::tools
