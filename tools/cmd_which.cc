// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam which: the driver a request gets on a machine, and why; before and after a change.
#include <fmt/format.h>

#include "api/machine/which.h"
#include "tools/machine_source.h"
#include "tools/subcommands.h"

namespace caamlab::tools {
namespace {

using api::WhichAnswer;
using api::WhichRequest;
using nlohmann::json;

struct WhichOptions {
  std::string name;
  std::string kind;
  std::string type, mask;
  std::string consumer;
  std::string machine = "lx2160a-qi2-100";
  std::vector<std::string> what_if;
  bool json = false;
};

uint32_t flags_argument(std::string_view option, const std::string& text) {
  if (text.empty()) return 0;
  const auto bits = api::parse_flags(text);
  if (!bits)
    throw UsageError(
        fmt::format("{} {}: neither a number nor flags such as ASYNC|ALLOCATES_MEMORY|KERN_DRIVER_ONLY", option, text));
  return *bits;
}

// Consumers of a name or of a family of them: "ipsec" is every ipsec-...
std::vector<const api::Consumer*> consumers_of(const std::string& wanted) {
  std::vector<const api::Consumer*> out;
  std::string known;
  const auto same = [](char a, char b) { return a == b || (a == '_' && b == '-'); };
  for (const api::Consumer& c : api::consumers()) {
    known += (known.empty() ? "" : ", ") + c.name;
    const bool prefix = wanted.empty() || (c.name.size() >= wanted.size() &&
                                           std::equal(wanted.begin(), wanted.end(), c.name.begin(), same) &&
                                           (c.name.size() == wanted.size() || c.name[wanted.size()] == '-'));
    if (prefix) out.push_back(&c);
  }
  for (const api::Consumer* c : out)
    if (c->name == wanted) return {c};  // and not what begins like it
  if (out.empty()) throw UsageError(fmt::format("--for {}: not one of {}", wanted, known));
  return out;
}

std::vector<WhichRequest> requests_of(const WhichOptions& o, const api::Machine& machine, Session& session) {
  std::vector<WhichRequest> out;
  if (!o.consumer.empty() || o.name.empty()) {
    for (const api::Consumer* c : o.consumer.empty() ? consumers_of("") : consumers_of(o.consumer)) {
      if (c->asks_nothing) {
        if (!o.consumer.empty() && !o.json) session.out << fmt::format("{} asks for nothing: {}\n", c->name, c->note);
        continue;
      }
      if (!o.name.empty() || !c->example.empty()) out.push_back(api::request_of(machine, *c, o.name));
    }
  } else {
    out.push_back({"", o.name, o.kind.empty() ? api::kind_of(machine, o.name) : o.kind, 0, 0});
  }
  for (WhichRequest& request : out) {
    if (!o.kind.empty()) request.kind = o.kind;
    request.type |= flags_argument("--type", o.type);
    request.mask |= flags_argument("--mask", o.mask);
  }
  return out;
}

json answer_json(const WhichAnswer& a) {
  json candidates = json::array(), steps = json::array();
  for (const api::Candidate& c : a.candidates)
    candidates.push_back({{"name", c.name},
                          {"driver", c.driver_name},
                          {"module", c.module},
                          {"priority", c.priority},
                          {"flags", fmt::format("{:#x}", c.flags)},
                          {"verdict", api::verdict_text(c.verdict)},
                          {"reason", c.reason}});
  for (const api::LookupStep& s : a.steps)
    steps.push_back({{"depth", s.depth},
                     {"name", s.name},
                     {"type", fmt::format("{:#x}", s.type)},
                     {"mask", fmt::format("{:#x}", s.mask)},
                     {"template", s.by_template},
                     {"driver", s.driver},
                     {"priority", s.priority},
                     {"error", s.err == 0 ? "" : api::errno_name(s.err)}});
  json out = {{"consumer", a.request.consumer},
              {"name", a.request.name},
              {"kind", a.request.kind},
              {"type", a.request.type},
              {"mask", fmt::format("{:#x}", a.request.mask)},
              {"compared", {{"type", fmt::format("{:#x}", a.type)}, {"mask", fmt::format("{:#x}", a.mask)}}},
              {"created", a.created},
              {"candidates", candidates},
              {"steps", steps},
              {"warnings", a.warnings}};
  if (a.err == 0) {
    out["driver"] = a.driver;
    out["priority"] = a.priority;
    out["module"] = a.module;
    out["accelerator"] = a.accelerator;
  } else {
    out["driver"] = nullptr;
    out["error"] = api::errno_name(a.err);
  }
  return out;
}

std::string outcome(const WhichAnswer& a) {
  return a.err == 0 ? fmt::format("{} ({})", a.driver, a.priority) : api::errno_text(a.err);
}

// The compared bits; the nibble of the type by what it lets through.
std::string mask_text(uint32_t mask) {
  const uint32_t nibble = mask & api::CRYPTO_ALG_TYPE_MASK, flags = mask & ~api::CRYPTO_ALG_TYPE_MASK;
  return (nibble == api::CRYPTO_ALG_TYPE_MASK ? "type" : "any of its kind") +
         (flags != 0 ? "|" + api::cra_flags_text(flags) : std::string());
}

void print_answer(Session& session, const WhichAnswer& a) {
  std::ostream& out = session.out;
  out << fmt::format("{}{} {}: type {}, mask {}\n", a.request.consumer.empty() ? "" : a.request.consumer + ": ",
                     a.request.kind, a.request.name, api::cra_flags_text(a.type), mask_text(a.mask));
  for (const api::Candidate& c : a.candidates)
    out << fmt::format("  {:<46} priority {:>5}  {}: {}\n", c.driver_name, c.priority, api::verdict_text(c.verdict),
                       c.reason);
  if (a.candidates.empty()) out << "  nothing listed has this name or driver name\n";
  if (a.steps.size() > 1 || !a.steps.front().by_template.empty()) {
    for (const api::LookupStep& s : a.steps)
      out << fmt::format("  {:{}}{}{} -> {}\n", "", s.depth * 2, s.name,
                         s.by_template.empty() ? "" : " by template " + s.by_template,
                         s.err == 0 ? fmt::format("{} ({})", s.driver, s.priority) : api::errno_text(s.err));
  }
  out << fmt::format("  -> {}\n", outcome(a));
  for (const std::string& warning : a.warnings) out << "  ! " << warning << '\n';
}

json difference_json(const api::Difference& d) {
  return {{"consumer", d.request.consumer},
          {"name", d.request.name},
          {"kind", d.request.kind},
          {"before", answer_json(d.before)},
          {"after", answer_json(d.after)}};
}

void print_what_if(Session& session, const WhichOptions& o, const MachineSource& source, const api::WhatIf& w) {
  if (o.json) {
    json moved = json::array(), unmoved = json::array();
    for (const api::Difference& d : w.moved) moved.push_back(difference_json(d));
    for (const auto& [name, reason] : w.unmoved) unmoved.push_back({{"name", name}, {"reason", reason}});
    print_json(session, {{"machine", source.label},
                         {"what_if", o.what_if},
                         {"asked", w.asked},
                         {"moved", moved},
                         {"unmoved", unmoved},
                         {"removed", w.removed}});
    return;
  }
  std::ostream& out = session.out;
  out << fmt::format("{}, {}: {} of {} requests get another driver\n", source.label, fmt::join(o.what_if, ", "),
                     w.moved.size(), w.asked);
  for (const api::Difference& d : w.moved)
    out << fmt::format("  {:<22} {:<48} {} -> {}\n", d.request.consumer.empty() ? d.request.kind : d.request.consumer,
                       d.request.name, outcome(d.before), outcome(d.after));
  if (!w.removed.empty()) out << fmt::format("instances removed: {}\n", fmt::join(w.removed, ", "));
  if (!w.unmoved.empty()) {
    out << fmt::format("{} names of changed drivers keep their answer:\n", w.unmoved.size());
    for (const auto& [name, reason] : w.unmoved) out << fmt::format("  {:<48} {}\n", name, reason);
  }
  if (!w.moved.empty())
    out << "Transforms that exist keep their driver for life: a mapping, an SA or a socket has to be made anew.\n";
}

void which(Session& session, const WhichOptions& o) {
  const MachineSource source = machine_source(session, o.machine);
  const bool all = o.name.empty() && o.consumer.empty() && !o.what_if.empty();
  const std::vector<WhichRequest> requests = all ? std::vector<WhichRequest>() : requests_of(o, source.make(), session);
  for (const WhichRequest& request : requests)
    if (api::front_end(request.kind) == nullptr)
      throw UsageError(
          fmt::format("--kind {}: not one of aead, skcipher, ahash, shash, cipher, rng, akcipher, kpp", request.kind));
  if (!o.what_if.empty()) {
    std::vector<api::Change> changes;
    for (const std::string& text : o.what_if) {
      auto change = api::parse_change(text);
      if (!change) throw UsageError("--what-if " + change.error());
      changes.push_back(std::move(*change));
    }
    const auto w = api::what_if(source.make, changes, all ? std::span<const WhichRequest>() : requests);
    if (!w) throw UsageError("--what-if " + w.error());
    return print_what_if(session, o, source, *w);
  }
  json answers = json::array();
  if (!o.json) session.out << fmt::format("{}: {}\n\n", source.label, source.note);
  for (const WhichRequest& request : requests) {
    api::Machine machine = source.make();  // each question alone, as on a fresh boot
    const WhichAnswer a = api::which(machine, request);
    if (a.err != 0) session.exit_code = kExitNo;
    if (o.json)
      answers.push_back(answer_json(a));
    else
      print_answer(session, a);
  }
  if (!o.json) return;
  json out = answers.size() == 1 ? answers[0] : json{{"answers", answers}};
  out["machine"] = source.label;
  print_json(session, out);
}

}  // namespace

void add_which(CLI::App& app, Session& session) {
  CLI::App* sub = app.add_subcommand("which", "Which driver a request gets on a machine, and why");
  auto o = std::make_shared<WhichOptions>();
  sub->add_option("name", o->name, "what is asked for: 'gcm(aes)', a composed name, or a driver name");
  sub->add_option("--kind", o->kind,
                  "front end: aead, skcipher, ahash, shash, rng, akcipher, ... (default: from the name)");
  sub->add_option("--type", o->type,
                  "flags that have to be set where the mask has them: a number or names joined by |");
  sub->add_option("--mask", o->mask, "flags to compare: a number, or ASYNC|ALLOCATES_MEMORY|KERN_DRIVER_ONLY ...");
  sub->add_option("--for", o->consumer, "who asks: ipsec, dm-crypt, fscrypt, ktls, af-alg, ... (their name and mask)");
  sub->add_option("--machine", o->machine, "a profile (" + profile_list() + "), or a saved /proc/crypto")
      ->capture_default_str();
  sub->add_option("--what-if", o->what_if,
                  "a change; may be repeated: 'priority DRIVER|SET=N', 'load SET[=N]', 'unload SET', 'delete DRIVER',\n"
                  "'new DRIVER[=N]'");
  sub->add_flag("--json", o->json, "structured output");
  sub->footer(
      "Without a name: what every consumer asks for. With --what-if: whose answer changes, and which names of changed\n"
      "drivers keep theirs, and why. Sets: caam-jr, caam-qi, caam-qi2, qat, virtio, and those of software.\n"
      "exit codes: 0 found, 1 a request gets an error, 2 wrong usage\n"
      "example: caam which --machine lx2160a-qi2-2000 --what-if 'priority caam-qi2=100'");
  sub->callback([o, &session] { which(session, *o); });
}

}  // namespace caamlab::tools
