// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Selection against worked answers: who gets which driver on nine machines, what was made on the way, and how answers
// depend on history (tests/golden/algorithms.json).
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "api/machine/which.h"

namespace caamlab::api {
namespace {

using nlohmann::json;

const json& golden() {
  static const json file = json::parse(std::ifstream("tests/golden/algorithms.json"));
  return file;
}

std::string label(const json& e) {
  return e.at("profile").get<std::string>() + ", " + e.at("consumer").get<std::string>() + ", " +
         e.at("name").get<std::string>();
}

TEST(WorkedAnswers, EveryRequestOnEveryMachine) {
  size_t asked = 0;
  for (const json& e : golden().at("worked_examples")) {
    SCOPED_TRACE(label(e));
    const Profile* profile = find_profile(e.at("profile").get<std::string>());
    ASSERT_NE(profile, nullptr);
    Machine machine = make_machine(*profile);
    WhichRequest request;
    request.name = e.at("name");
    request.kind = e.at("kind");
    request.type = e.at("type").is_number() ? e.at("type").get<uint32_t>() : 0;
    request.mask = parse_flags(e.at("mask").get<std::string>()).value();
    const WhichAnswer answer = which(machine, request);
    EXPECT_EQ(answer.driver, e.at("driver").get<std::string>());
    EXPECT_EQ(answer.priority, e.at("priority").get<int>());
    EXPECT_EQ(answer.created, e.at("created").get<std::vector<std::string>>());
    ++asked;
  }
  EXPECT_EQ(asked, 306u);
}

// The requests of the worked answers are those that the named consumers make.
TEST(WorkedAnswers, ConsumersAskAsTheTableSays) {
  std::map<std::string, const Consumer*> by_name;
  for (const Consumer& c : consumers()) by_name[c.name] = &c;
  size_t checked = 0;
  for (const json& e : golden().at("worked_examples")) {
    const auto at = by_name.find(e.at("consumer").get<std::string>());
    if (at == by_name.end()) continue;
    SCOPED_TRACE(label(e));
    EXPECT_EQ(at->second->mask, parse_flags(e.at("mask").get<std::string>()).value());
    ++checked;
  }
  EXPECT_GT(checked, 100u);
}

TEST(WorkedAnswers, NamesThatOnlyAcceleratorsRegister) {
  for (const auto& [name, expected] : golden().at("names_only_accelerator_registers").items()) {
    SCOPED_TRACE(name);
    const Machine machine = make_machine(*find_profile(name));
    std::map<std::string, bool> only_accelerators;
    for (const ListedAlg& alg : machine.algs()) {
      const auto [at, fresh] = only_accelerators.try_emplace(alg.name, true);
      at->second = at->second && alg.accelerator;
    }
    std::set<std::string> names;
    for (const auto& [alg, only] : only_accelerators)
      if (only) names.insert(alg);
    EXPECT_EQ(names, expected.get<std::set<std::string>>());
  }
}

// The data compiled in says what the golden file says.
TEST(MachineData, EqualsTheGoldenFile) {
  for (const auto& [set, contents] : golden().at("sets").items()) {
    const std::vector<ListedAlg> ours = algorithms_of(set);
    const json& theirs = contents.at("algorithms");
    ASSERT_EQ(ours.size(), theirs.size()) << set;
    for (size_t i = 0; i < ours.size(); ++i) {
      SCOPED_TRACE(ours[i].driver);
      EXPECT_EQ(ours[i].name, theirs[i].at("name").get<std::string>());
      EXPECT_EQ(ours[i].driver, theirs[i].at("driver").get<std::string>());
      EXPECT_EQ(ours[i].module, theirs[i].at("module").get<std::string>());
      EXPECT_EQ(ours[i].priority, theirs[i].at("priority").get<int>());
      const uint32_t flags = parse_flags(theirs[i].at("cra_flags").get<std::string>()).value();
      EXPECT_EQ(ours[i].flags, flags & ~CRYPTO_ALG_TESTED);
      EXPECT_EQ(ours[i].blocksize, theirs[i].value("blocksize", 0u));
      EXPECT_EQ(ours[i].ivsize, theirs[i].value("ivsize", 0u));
      EXPECT_EQ(ours[i].maxauthsize, theirs[i].value("maxauthsize", 0u));
      EXPECT_EQ(ours[i].digestsize, theirs[i].value("digestsize", 0u));
    }
  }
  EXPECT_EQ(profiles().size(), golden().at("profiles").size());
  EXPECT_EQ(consumers().size(), golden().at("consumers").size());
}

// -- history
// --------------------------------------------------------------------------------------------------------------

int errno_of(const std::string& name) {
  static const std::map<std::string, int> known{{"ENOENT", -ENOENT}, {"EEXIST", -EEXIST}, {"EINVAL", -EINVAL}};
  return known.at(name);
}

// The machine a scenario begins on: LX2160A software, and qi2 at 100 unless the scenario loads it itself.
Machine machine_for(const json& scenario) {
  Profile profile = *find_profile("lx2160a-qi2-100");
  for (const json& step : scenario.at("steps"))
    if (step.contains("load")) profile.hardware.clear();
  return make_machine(profile);
}

void run_step(Machine& machine, const json& step) {
  SCOPED_TRACE(step.dump());
  const int64_t priority = step.value("priority", -1);
  const int wanted_err = step.contains("error") ? errno_of(step["error"]) : 0;
  machine.take_removed();
  if (step.contains("lookup")) {
    const Allocation got =
        machine.alloc(*front_end(step.at("kind").get<std::string>()), step["lookup"].get<std::string>());
    ASSERT_EQ(got.err, 0);
    EXPECT_EQ(got.alg->driver, step.at("driver").get<std::string>());
    EXPECT_EQ(got.alg->priority, priority);
    return;
  }
  if (step.contains("load")) {
    load_set(machine, {step["load"], static_cast<int>(priority), {}});
  } else if (step.contains("update")) {
    EXPECT_EQ(machine.update_alg(step["update"].get<std::string>(), priority), wanted_err);
  } else if (step.contains("newalg")) {
    Allocation made;
    EXPECT_EQ(machine.new_alg(step["newalg"].get<std::string>(), priority, &made), wanted_err);
    std::vector<std::string> created;
    for (const ListedAlg* alg : made.created)
      created.push_back(alg->driver + " (" + std::to_string(alg->priority) + ")");
    if (step.contains("created")) {
      EXPECT_EQ(created, step["created"].get<std::vector<std::string>>());
    }
  } else if (step.contains("delalg")) {
    EXPECT_EQ(machine.del_alg(step["delalg"].get<std::string>()), wanted_err);
  } else {
    FAIL() << "a step of an unknown kind";
  }
  if (step.contains("removed")) {
    std::vector<std::string> removed = machine.take_removed();
    std::ranges::sort(removed);
    std::vector<std::string> wanted = step["removed"];
    std::ranges::sort(wanted);
    EXPECT_EQ(removed, wanted);
  }
}

TEST(Scenarios, AnswersDependOnHistory) {
  size_t scenarios = 0;
  for (const json& scenario : golden().at("scenarios")) {
    SCOPED_TRACE(scenario.at("scenario").get<std::string>());
    Machine machine = machine_for(scenario);
    for (const json& step : scenario.at("steps")) run_step(machine, step);
    ++scenarios;
  }
  EXPECT_EQ(scenarios, 6u);
}

}  // namespace
}  // namespace caamlab::api
