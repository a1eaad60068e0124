// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Priorities as data (crypto-api.md 6.4): rules with conditions, and the commands that bring a machine in line with
// them. Selection by size or depth of requests is not a matter of priorities and not here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/machine/machine.h"
#include "tools/crconf.h"

namespace caamlab::tools {

enum class PolicyAction : uint8_t { kPriority, kPin, kRemove };

// One rule. Patterns have * and ?; an empty one fits everything. A later rule on the same driver outdoes an earlier
// one.
struct PolicyRule {
  PolicyAction action = PolicyAction::kPriority;
  int priority = 0;  // of kPriority, and of kPin if `has_priority`
  bool has_priority = false;
  std::string pin;                           // kPin: driver name of the instance to be there
  std::string name, driver, module;          // patterns of what kPriority and kRemove mean
  std::optional<uint32_t> type;              // type nibble
  std::string machine;                       // only on machines whose label fits
  std::vector<std::string> present, absent;  // only if a driver that fits is, or none is, listed
};

// The rules of a JSON file; UsageError says which rule and which key is wrong.
std::vector<PolicyRule> parse_policy(const std::string& text, const std::string& where);

struct PolicyStep {
  CrconfCommand command;
  size_t rule = 0;            // from 1
  std::optional<int> before;  // priority
  int err = 0;
};

struct PolicyPlan {
  std::vector<PolicyStep> steps;       // in order: priorities, removals, pins
  std::vector<size_t> without_effect;  // rules, from 1: condition not met, nothing fits, or all as wanted already
};

// Brings the machine in line; done twice, the second time has no steps.
PolicyPlan carry_out_policy(api::Machine& machine, const std::string& label, const std::vector<PolicyRule>& rules);

}  // namespace caamlab::tools
