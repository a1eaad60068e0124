// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See which.h.
#include "api/machine/which.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "api/machine/templates.h"

namespace caamlab::api {
namespace {

std::string refused_flags(uint32_t flags, uint32_t type, uint32_t mask) {
  const uint32_t refused = (flags ^ type) & mask;
  const uint32_t missing = refused & type, forbidden = refused & ~type;
  std::string reason;
  if (forbidden != 0) reason = cra_flags_text(forbidden) + " must be clear and is set";
  if (missing != 0) reason += (reason.empty() ? "" : "; ") + cra_flags_text(missing) + " must be set and is not";
  return reason;
}

Candidate judge(const ListedAlg& alg, const WhichAnswer& answer, const ListedAlg* chosen) {
  Candidate c{alg.name, alg.driver, alg.module, alg.priority, alg.flags, alg.refcnt, {}, {}};
  const auto say = [&c](Verdict verdict, std::string reason) {
    c.verdict = verdict;
    c.reason = std::move(reason);
    return c;
  };
  const std::string& asked = answer.request.name;
  const uint32_t refused = (alg.flags ^ answer.type) & answer.mask;
  if ((refused & CRYPTO_ALG_TYPE_MASK) != 0)
    return say(Verdict::kTypeDiffers,
               fmt::format("it is of type {}, the request wants {}", cra_type_text(alg.flags), answer.request.kind));
  if (refused != 0) return say(Verdict::kFlagsRefused, refused_flags(alg.flags, answer.type, answer.mask));
  if (!alg.tested()) return say(Verdict::kUntested, "its self-test has not passed");
  if (&alg == chosen)
    return say(Verdict::kChosen,
               alg.driver == asked ? "the request is its driver name" : "highest priority of this name");
  if (alg.driver != asked && alg.priority <= -2)
    return say(Verdict::kPriorityTooLow, fmt::format("priority {} is reachable by driver name only", alg.priority));
  if (chosen == nullptr) return say(Verdict::kDying, "it is not usable");
  if (alg.priority < chosen->priority)
    return say(Verdict::kLowerPriority,
               fmt::format("priority {} is below {} of {}", alg.priority, chosen->priority, chosen->driver));
  return say(Verdict::kTieOlder,
             chosen->driver == asked
                 ? fmt::format("{} was asked for by its driver name", chosen->driver)
                 : fmt::format("priority {} as well, but {} was registered later", alg.priority, chosen->driver));
}

void gather_leaves(const ListedAlg& alg, std::vector<const ListedAlg*>& out) {
  if (alg.parts.empty()) out.push_back(&alg);
  for (const ListedAlg::Part& part : alg.parts) gather_leaves(*part.alg, out);
}

// What somebody should know before living with the answer.
void add_warnings(WhichAnswer& answer, const ListedAlg& alg) {
  std::vector<const ListedAlg*> leaves;
  gather_leaves(alg, leaves);
  std::string device, cpu;
  for (const ListedAlg* leaf : leaves) {
    std::string& list = leaf->accelerator ? device : cpu;
    if (list.find(leaf->driver) == std::string::npos) list += (list.empty() ? "" : ", ") + leaf->driver;
  }
  if (!device.empty() && !cpu.empty())
    answer.warnings.push_back(fmt::format(
        "mixed: {} on the device, {} on the CPU; every request pays both, which is often the slowest choice", device,
        cpu));
  if (!alg.instance() && !alg.has_vectors)
    answer.warnings.push_back(
        fmt::format("the kernel has no test vectors for {}: {} is accepted untested", alg.name, alg.driver));
  if (!answer.created.empty())
    answer.warnings.push_back(
        "made for this request: from now on it is in the list, and a later lookup finds it whatever else is loaded");
  if (alg.instance() && answer.created.empty())
    answer.warnings.push_back("an instance that somebody made before: on a fresh boot the answer may be another one");
}

std::vector<const ListedAlg*> named(const Machine& machine, std::string_view name) {
  std::vector<const ListedAlg*> out;
  for (const ListedAlg& alg : machine.algs())
    if (alg.name == name || alg.driver == name) out.push_back(&alg);
  return out;
}

constexpr std::string_view kOrder[] = {"aead", "skcipher", "ahash", "shash", "rng", "akcipher", "kpp", "cipher"};

std::string kind_of_type(uint32_t type) {
  if (type == CRYPTO_ALG_TYPE_SHASH) return "ahash";         // which finds both
  if (type == CRYPTO_ALG_TYPE_LSKCIPHER) return "skcipher";  // the same
  return cra_type_text(type);
}

}  // namespace

WhichAnswer which(Machine& machine, const WhichRequest& request) {
  WhichAnswer answer;
  answer.request = request;
  const FrontEnd* front = front_end(request.kind);
  if (front == nullptr) {
    answer.err = -EINVAL;
    return answer;
  }
  const std::vector<const ListedAlg*> listed = named(machine, request.name);
  const Allocation made = machine.alloc(*front, request.name, request.type, request.mask);
  answer.steps = made.steps;
  answer.type = made.steps.front().type;
  answer.mask = made.steps.front().mask;
  answer.err = made.err;
  for (const ListedAlg* alg : made.created)
    answer.created.push_back(fmt::format("{} ({})", alg->driver, alg->priority));
  for (const ListedAlg* alg : listed) answer.candidates.push_back(judge(*alg, answer, made.alg));
  std::ranges::stable_sort(answer.candidates, [](const Candidate& a, const Candidate& b) {
    const bool a_chosen = a.verdict == Verdict::kChosen, b_chosen = b.verdict == Verdict::kChosen;
    return a_chosen != b_chosen ? a_chosen : a.priority > b.priority;
  });
  if (made.alg == nullptr) return answer;
  answer.driver = made.alg->driver;
  answer.module = made.alg->module;
  answer.priority = made.alg->priority;
  answer.accelerator = made.alg->accelerator;
  add_warnings(answer, *made.alg);
  return answer;
}

std::string kind_of(const Machine& machine, std::string_view name) {
  for (const ListedAlg* alg : named(machine, name))
    if ((alg->flags & (CRYPTO_ALG_LARVAL | CRYPTO_ALG_INTERNAL)) == 0) return kind_of_type(alg->type());
  const auto call = parse_template(name);
  const Template* tmpl = call ? find_template(call->name) : nullptr;
  if (tmpl == nullptr) return "skcipher";
  // A template of several types is as its part is.
  return tmpl->type != 0 ? kind_of_type(tmpl->type) : kind_of(machine, call->args[0]);
}

WhichRequest request_of(const Machine& machine, const Consumer& consumer, std::string_view name) {
  WhichRequest request{consumer.name, std::string(name.empty() ? consumer.example : name), consumer.kind, consumer.type,
                       consumer.mask};
  if (front_end(request.kind) == nullptr) request.kind = kind_of(machine, request.name);
  return request;
}

tl::expected<Change, std::string> parse_change(std::string_view text) {
  constexpr std::string_view kForms =
      "a change is 'priority DRIVER=N', 'priority SET=N', 'load SET[=N]', 'unload SET', 'delete DRIVER' or 'new "
      "DRIVER[=N]'";
  const size_t space = text.find(' ');
  const std::string_view verb = text.substr(0, space);
  std::string_view rest = space == std::string_view::npos ? "" : text.substr(space + 1);
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  Change change;
  if (verb == "priority")
    change.kind = Change::Kind::kPriority;
  else if (verb == "load")
    change.kind = Change::Kind::kLoad;
  else if (verb == "unload")
    change.kind = Change::Kind::kUnload;
  else if (verb == "delete")
    change.kind = Change::Kind::kDelete;
  else if (verb == "new")
    change.kind = Change::Kind::kNew;
  else
    return tl::make_unexpected(fmt::format("'{}': {}", text, kForms));
  const size_t equals = rest.rfind('=');
  change.what = rest.substr(0, equals);
  if (equals != std::string_view::npos) {
    const std::string_view digits = rest.substr(equals + 1);
    uint32_t number = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (parsed.ec != std::errc() || parsed.ptr != digits.data() + digits.size())
      return tl::make_unexpected(
          fmt::format("'{}': '{}' is no priority; it is a number from 0 to 4294967295 (a u32 "
                      "that the kernel stores in an int)",
                      text, digits));
    change.priority = number;
  }
  if (change.what.empty() || (change.kind == Change::Kind::kPriority && change.priority < 0))
    return tl::make_unexpected(fmt::format("'{}': {}", text, kForms));
  if (change.kind == Change::Kind::kLoad && !is_set(change.what))
    return tl::make_unexpected(
        fmt::format("'{}': no set is called {}; there are {}", text, change.what, fmt::join(set_names(), ", ")));
  return change;
}

int apply(Machine& machine, const Change& change) {
  switch (change.kind) {
    case Change::Kind::kLoad:
      load_set(machine, {change.what, static_cast<int>(change.priority), {}});
      return 0;
    case Change::Kind::kUnload:
      return unload_set(machine, change.what) != 0 ? 0 : -ENOENT;
    case Change::Kind::kDelete:
      return machine.del_alg(change.what);
    case Change::Kind::kNew:
      return machine.new_alg(change.what, change.priority);
    case Change::Kind::kPriority:
      break;
  }
  if (machine.find_driver(change.what) != nullptr || !is_set(change.what))
    return machine.update_alg(change.what, change.priority);
  int err = -ENOENT;
  for (const ListedAlg& alg : algorithms_of(change.what))
    if (has_set_priority(alg) && machine.update_alg(alg.driver, change.priority) == 0) err = 0;
  return err;
}

namespace {

// Everything there is to ask on a machine: its names, and what consumers want.
std::vector<WhichRequest> all_requests(const Machine& before, const Machine& after) {
  std::vector<WhichRequest> out;
  std::set<std::pair<std::string, std::string>> seen;
  const auto ask = [&](WhichRequest request) {
    if (front_end(request.kind) != nullptr) out.push_back(std::move(request));
  };
  for (const Consumer& c : consumers())
    if (!c.asks_nothing && !c.example.empty()) ask(request_of(before, c));
  for (const Machine* machine : {&before, &after})
    for (const ListedAlg& alg : machine->algs()) {
      if ((alg.flags & (CRYPTO_ALG_INTERNAL | CRYPTO_ALG_LARVAL)) != 0) continue;
      const std::string kind = kind_of_type(alg.type());
      if (seen.emplace(alg.name, kind).second) ask({"", alg.name, kind, 0, 0});
    }
  return out;
}

// Names whose driver changed but whose answer did not.
std::string why_unmoved(const WhichAnswer& after, const Machine& machine) {
  const auto rivals = named(machine, after.request.name);
  if (rivals.size() == 1) return fmt::format("{} is the only one with this name", after.driver);
  return fmt::format("{} ({}) wins before and after", after.driver, after.priority);
}

}  // namespace

tl::expected<WhatIf, std::string> what_if(const std::function<Machine()>& make, std::span<const Change> changes,
                                          std::span<const WhichRequest> only) {
  const auto changed = [&]() -> tl::expected<Machine, std::string> {
    Machine machine = make();
    for (const Change& change : changes)
      if (const int err = apply(machine, change); err != 0)
        return tl::make_unexpected(fmt::format("{}: {}", change.what, errno_text(err)));
    return machine;
  };
  auto after = changed();
  if (!after) return tl::make_unexpected(after.error());
  WhatIf out;
  out.removed = after->take_removed();
  Machine before = make();
  // Drivers that the changes touched, by name.
  std::set<std::string> touched;
  for (const ListedAlg& alg : after->algs()) {
    const ListedAlg* old = before.find_driver(alg.driver);
    if (old == nullptr || old->priority != alg.priority) touched.insert(alg.name);
  }
  std::vector<WhichRequest> requests(only.begin(), only.end());
  if (only.empty()) requests = all_requests(before, *after);
  for (const WhichRequest& request : requests) {
    Machine now = make();
    auto then = changed();
    ++out.asked;
    Difference d{request, which(now, request), which(*then, request)};
    if (d.before.driver != d.after.driver || d.before.err != d.after.err)
      out.moved.push_back(std::move(d));
    else if (touched.contains(request.name) && request.consumer.empty())
      out.unmoved.emplace_back(request.name, why_unmoved(d.after, *after));
  }
  return out;
}

}  // namespace caamlab::api
