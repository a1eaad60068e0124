// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam policy: a file of rules, what it changes on a machine, and the commands that do and undo it.
#include <fmt/format.h>

#include <fstream>

#include "api/errno.h"
#include "api/machine/proc_crypto.h"
#include "tools/machine_source.h"
#include "tools/policy.h"
#include "tools/subcommands.h"

namespace caamlab::tools {
namespace {

using nlohmann::json;

struct PolicyOptions {
  std::string file;
  std::string machine = "lx2160a-qi2-2000";
  std::string save;
  bool commands = false;
  bool json = false;
};

std::string what_text(const PolicyStep& step) {
  const CrconfCommand& c = step.command;
  const std::string priority = c.priority ? std::to_string(static_cast<int>(*c.priority)) : "";
  switch (c.command) {
    case api::UserCommand::kUpdateAlg:
      return fmt::format("{}: priority {} -> {}", c.which.driver, step.before.value_or(0), priority);
    case api::UserCommand::kDelAlg:
      return fmt::format("{}: removed", c.which.driver);
    default:
      return fmt::format("{}: made{}", c.which.driver, c.priority ? ", priority " + priority : "");
  }
}

json plan_json(const PolicyPlan& plan, const std::vector<std::string>& undo, const std::string& machine) {
  json steps = json::array();
  for (const PolicyStep& step : plan.steps) {
    steps.push_back({{"rule", step.rule},
                     {"driver", step.command.which.driver},
                     {"command", step.command.text()},
                     {"before", step.before ? json(*step.before) : json()},
                     {"priority", step.command.priority ? json(static_cast<int>(*step.command.priority)) : json()},
                     {"error", step.err == 0 ? json() : json(api::errno_name(step.err))}});
  }
  return {{"machine", machine}, {"steps", steps}, {"without_effect", plan.without_effect}, {"undo", undo}};
}

void print_plan(Session& session, const PolicyPlan& plan, const std::vector<std::string>& undo) {
  for (const PolicyStep& step : plan.steps) {
    session.out << fmt::format("rule {}: {}{}\n", step.rule, what_text(step),
                               step.err == 0 ? "" : ": refused, " + api::errno_text(step.err));
  }
  for (const size_t rule : plan.without_effect) {
    session.out << fmt::format("rule {}: nothing to do: its condition is not met, nothing fits, or it is so already\n",
                               rule);
  }
  session.out << "\n# do\n";
  for (const PolicyStep& step : plan.steps) {
    if (step.err == 0) session.out << step.command.text() << '\n';
  }
  session.out << "\n# undo\n";
  for (const std::string& command : undo) session.out << command << '\n';
}

void policy(Session& session, const PolicyOptions& o) {
  const std::vector<PolicyRule> rules = parse_policy(read_input(session, o.file), o.file);
  const MachineSource source = machine_source(session, o.machine);
  api::Machine machine = source.make();
  const PolicyPlan plan = carry_out_policy(machine, source.label, rules);
  const std::vector<std::string> undo = undo_commands(source.make(), machine);
  if (std::ranges::any_of(plan.steps, [](const PolicyStep& s) { return s.err != 0; })) session.exit_code = kExitNo;
  if (o.json) {
    print_json(session, plan_json(plan, undo, source.label));
  } else if (o.commands) {
    for (const PolicyStep& step : plan.steps) {
      if (step.err == 0) session.out << step.command.text() << '\n';
    }
  } else {
    print_plan(session, plan, undo);
  }
  if (o.save.empty()) return;
  std::ofstream file(o.save, std::ios::binary);
  file << api::proc_crypto_text(machine);
  if (!file.flush()) throw UsageError(fmt::format("--save {}: cannot be written", o.save));
}

}  // namespace

void add_policy(CLI::App& app, Session& session) {
  CLI::App* sub = app.add_subcommand("policy", "Priorities as data: what rules change on a machine, do and undo");
  auto o = std::make_shared<PolicyOptions>();
  sub->add_option("file", o->file, "rules as JSON, - for standard input")->required();
  sub->add_option("--machine", o->machine, "a profile (" + profile_list() + "), or a saved /proc/crypto")
      ->capture_default_str();
  sub->add_option("--save", o->save, "write the list as it is afterwards, as /proc/crypto has it");
  sub->add_flag("--commands", o->commands, "only the commands, for a shell on the real machine");
  sub->add_flag("--json", o->json, "structured output");
  sub->footer(
      "{\"rules\": [\n"
      "  {\"priority\": 100, \"driver\": \"*-caam-qi2\", \"type\": \"aead\", \"present\": \"gcm-aes-ce\"},\n"
      "  {\"pin\": \"echainiv(authenc(hmac(sha256-ce),cbc-aes-ce))\", \"type\": \"aead\", \"machine\": \"lx2160a*\"},\n"
      "  {\"remove\": \"pcrypt(*)\"}]}\n"
      "A priority or removal says what it means by patterns of name, driver, module, and by type; conditions are\n"
      "machine (pattern of the profile's or file's name), present and absent (patterns of drivers). Of several rules\n"
      "on one driver the last counts. Running the commands twice does nothing the second time.\n"
      "exit codes: 0 done, 1 a step is refused, 2 wrong usage or unreadable input\n"
      "example: caam policy rules.json --machine /proc/crypto --commands | sudo sh");
  sub->callback([o, &session] { policy(session, *o); });
}

}  // namespace caamlab::tools
