// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See policy.h.
#include "tools/policy.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "tools/cli.h"

namespace caamlab::tools {
namespace {

using api::ListedAlg;
using nlohmann::json;

bool fits(const std::string& pattern, const std::string& text) {
  return pattern.empty() || fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

class RuleReader {
 public:
  RuleReader(const json& rule, std::string where) : rule_(rule), where_(std::move(where)) {
    if (!rule.is_object()) fail("a rule is an object");
  }

  PolicyRule read() {
    static constexpr const char* kKeys[] = {"priority", "pin",  "remove",  "name",    "driver",
                                            "module",   "type", "machine", "present", "absent"};
    for (const auto& [key, value] : rule_.items()) {
      if (std::ranges::find(kKeys, key, [](const char* k) { return std::string(k); }) == std::end(kKeys))
        fail(
            fmt::format("\"{}\" is no key; keys are priority, pin, remove, name, driver, module, type, machine, "
                        "present, absent",
                        key));
    }
    PolicyRule r;
    if (rule_.contains("pin") + rule_.contains("remove") + (rule_.contains("priority") && !rule_.contains("pin")) != 1)
      fail("a rule has one of priority, pin and remove (a pin may have a priority)");
    read_priority(r);
    r.pin = text("pin");
    r.name = text("name");
    r.driver = rule_.contains("remove") ? text("remove") : text("driver");
    r.module = text("module");
    r.machine = text("machine");
    r.present = texts("present");
    r.absent = texts("absent");
    if (rule_.contains("pin")) r.action = PolicyAction::kPin;
    if (rule_.contains("remove")) r.action = PolicyAction::kRemove;
    if (const std::string type = text("type"); !type.empty()) {
      const api::FrontEnd* front = api::front_end(type);
      if (front == nullptr) fail(fmt::format("\"{}\" is no type; types are aead, skcipher, ahash, shash, ...", type));
      r.type = front->type;
    }
    const bool says_which = !r.name.empty() || !r.driver.empty() || !r.module.empty();
    if (r.action != PolicyAction::kPin && !says_which) fail("name, driver or module has to say what is meant");
    return r;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw UsageError(where_ + ": " + what); }
  void read_priority(PolicyRule& r) {
    if (!rule_.contains("priority")) return;
    const json& value = rule_.at("priority");
    if (!value.is_number_integer() || value.get<int64_t>() < INT32_MIN || value.get<int64_t>() > INT32_MAX)
      fail("priority is a whole number of 32 bits");
    r.priority = value.get<int>();
    r.has_priority = true;
  }
  std::string text(const char* key) const {
    if (!rule_.contains(key)) return {};
    if (!rule_.at(key).is_string()) fail(fmt::format("{} is a text", key));
    return rule_.at(key);
  }
  std::vector<std::string> texts(const char* key) const {
    if (!rule_.contains(key)) return {};
    const json& value = rule_.at(key);
    if (value.is_string()) return {value.get<std::string>()};
    const bool all_text = value.is_array() && std::ranges::all_of(value, [](const json& v) { return v.is_string(); });
    if (!all_text) fail(fmt::format("{} is a text or a list of texts", key));
    return value.get<std::vector<std::string>>();
  }

  const json& rule_;
  std::string where_;
};

bool any_listed(const api::Machine& machine, const std::string& pattern) {
  return std::ranges::any_of(machine.algs(), [&](const ListedAlg& alg) { return fits(pattern, alg.driver); });
}

bool condition_met(const api::Machine& machine, const std::string& label, const PolicyRule& r) {
  const auto listed = [&](const std::string& pattern) { return any_listed(machine, pattern); };
  return fits(r.machine, label) && std::ranges::all_of(r.present, listed) && std::ranges::none_of(r.absent, listed);
}

bool meant(const PolicyRule& r, const ListedAlg& alg) {
  return (alg.flags & api::CRYPTO_ALG_LARVAL) == 0 && fits(r.name, alg.name) && fits(r.driver, alg.driver) &&
         fits(r.module, alg.module) && (!r.type || *r.type == alg.type());
}

PolicyStep step_for(api::UserCommand command, const ListedAlg& alg, size_t rule) {
  PolicyStep step;
  step.command.command = command;
  step.command.which = {"", alg.driver, alg.type(), api::CRYPTO_ALG_TYPE_MASK};
  step.rule = rule;
  step.before = alg.priority;
  return step;
}

const ListedAlg* find_driver(const api::Machine& machine, const std::string& driver) {
  const auto found = std::ranges::find(machine.algs(), driver, &ListedAlg::driver);
  return found == machine.algs().end() ? nullptr : &*found;
}

void run_from(size_t first, api::Machine& machine, PolicyPlan* plan) {
  for (size_t i = first; i < plan->steps.size(); ++i) {
    PolicyStep& step = plan->steps[i];
    const CrconfCommand& c = step.command;
    switch (c.command) {
      case api::UserCommand::kUpdateAlg:
        step.err = api::crypto_update_alg(machine, c.which, c.priority);
        break;
      case api::UserCommand::kDelAlg:
        step.err = api::crypto_del_alg(machine, c.which);
        break;
      default:
        step.err = api::crypto_add_alg(machine, c.which, c.priority);
    }
  }
}

// Updates drop what is built on a driver, so they come first, and pins last.
void plan_priorities(const api::Machine& machine, const std::vector<PolicyRule>& rules, const std::vector<bool>& met,
                     PolicyPlan* plan) {
  for (auto alg = machine.algs().rbegin(); alg != machine.algs().rend(); ++alg) {
    size_t last = 0;
    for (size_t i = 0; i < rules.size(); ++i) {
      if (met[i] && rules[i].action == PolicyAction::kPriority && meant(rules[i], *alg)) last = i + 1;
    }
    if (last == 0 || rules[last - 1].priority == alg->priority) continue;
    plan->steps.push_back(step_for(api::UserCommand::kUpdateAlg, *alg, last));
    plan->steps.back().command.priority = static_cast<uint32_t>(rules[last - 1].priority);
  }
}

// What is built on another is newer, so it goes first.
void plan_removals(const api::Machine& machine, const std::vector<PolicyRule>& rules, const std::vector<bool>& met,
                   PolicyPlan* plan) {
  for (const ListedAlg& alg : machine.algs()) {
    for (size_t i = 0; i < rules.size(); ++i) {
      if (!met[i] || rules[i].action != PolicyAction::kRemove || !alg.instance() || !meant(rules[i], alg)) continue;
      plan->steps.push_back(step_for(api::UserCommand::kDelAlg, alg, i + 1));
      break;
    }
  }
}

void plan_pins(const api::Machine& machine, const std::vector<PolicyRule>& rules, const std::vector<bool>& met,
               PolicyPlan* plan) {
  for (size_t i = 0; i < rules.size(); ++i) {
    if (!met[i] || rules[i].action != PolicyAction::kPin) continue;
    const ListedAlg* there = find_driver(machine, rules[i].pin);
    if (there != nullptr && (!rules[i].has_priority || there->priority == rules[i].priority)) continue;
    PolicyStep step;
    step.rule = i + 1;
    step.command.command = there != nullptr ? api::UserCommand::kUpdateAlg : api::UserCommand::kNewAlg;
    step.command.which = {"", rules[i].pin, rules[i].type.value_or(0),
                          rules[i].type ? api::CRYPTO_ALG_TYPE_MASK : uint32_t{0}};
    if (rules[i].has_priority) step.command.priority = static_cast<uint32_t>(rules[i].priority);
    if (there != nullptr) step.before = there->priority;
    plan->steps.push_back(std::move(step));
  }
}

}  // namespace

std::vector<PolicyRule> parse_policy(const std::string& text, const std::string& where) {
  const json file = json::parse(text, nullptr, false, true);
  if (file.is_discarded()) throw UsageError(where + ": this is not JSON");
  if (!file.is_object() || !file.contains("rules") || !file.at("rules").is_array())
    throw UsageError(where + ": an object with a list \"rules\" is wanted");
  std::vector<PolicyRule> rules;
  for (const json& rule : file.at("rules"))
    rules.push_back(RuleReader(rule, fmt::format("{}: rule {}", where, rules.size() + 1)).read());
  return rules;
}

PolicyPlan carry_out_policy(api::Machine& machine, const std::string& label, const std::vector<PolicyRule>& rules) {
  std::vector<bool> met;
  for (const PolicyRule& rule : rules) met.push_back(condition_met(machine, label, rule));
  PolicyPlan plan;
  plan_priorities(machine, rules, met, &plan);
  run_from(0, machine, &plan);
  size_t done = plan.steps.size();
  plan_removals(machine, rules, met, &plan);
  run_from(done, machine, &plan);
  done = plan.steps.size();
  plan_pins(machine, rules, met, &plan);
  run_from(done, machine, &plan);
  for (size_t i = 1; i <= rules.size(); ++i) {
    if (std::ranges::find(plan.steps, i, &PolicyStep::rule) == plan.steps.end()) plan.without_effect.push_back(i);
  }
  return plan;
}

}  // namespace caamlab::tools
