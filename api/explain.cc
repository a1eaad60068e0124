// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Registry::explain: the lookup itself, then a verdict on everything that was asked for by name or driver name.
#include "api/explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/larval.h"
#include "api/registry.h"

namespace caamlab::api {

const char* verdict_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::kChosen:
      return "chosen";
    case Verdict::kLowerPriority:
      return "lower priority";
    case Verdict::kTieOlder:
      return "tie, older";
    case Verdict::kPriorityTooLow:
      return "priority too low";
    case Verdict::kTypeDiffers:
      return "type differs";
    case Verdict::kFlagsRefused:
      return "flags refused";
    case Verdict::kUntested:
      return "untested";
    case Verdict::kDying:
      return "dying";
    case Verdict::kModuleGoing:
      return "module going";
    case Verdict::kFipsInternal:
      return "FIPS: part only";
  }
  return "?";
}

namespace {

std::string flags_reason(uint32_t alg_flags, uint32_t type, uint32_t refused) {
  const uint32_t missing = refused & type & ~alg_flags;
  const uint32_t forbidden = refused & ~type & alg_flags;
  std::string reason;
  if (missing != 0) reason = cra_flags_text(missing) + " must be set and is not";
  if (forbidden != 0) {
    if (!reason.empty()) reason += "; ";
    reason += cra_flags_text(forbidden) + " must be clear and is set";
  }
  return reason;
}

}  // namespace

void Registry::judge(const Query& query, const AlgRef& chosen, Candidate* candidate, const CryptoAlg& alg) const {
  const auto say = [candidate](Verdict verdict, std::string reason) {
    candidate->verdict = verdict;
    candidate->reason = std::move(reason);
  };
  const uint32_t refused = (alg.cra_flags ^ query.type) & query.mask;
  if ((alg.cra_flags & (CRYPTO_ALG_DEAD | CRYPTO_ALG_DYING)) != 0) {
    say(Verdict::kDying, "it is being removed");
  } else if ((refused & CRYPTO_ALG_TYPE_MASK) != 0) {
    say(Verdict::kTypeDiffers,
        fmt::format("it is of type {}, the request wants {}", cra_type_text(alg.cra_flags), cra_type_text(query.type)));
  } else if (refused != 0) {
    say(Verdict::kFlagsRefused, flags_reason(alg.cra_flags, query.type, refused));
  } else if ((alg.cra_flags & CRYPTO_ALG_TESTED) == 0 && ((query.type | query.mask) & CRYPTO_ALG_TESTED) == 0) {
    say(Verdict::kUntested, "its self-test has not passed");
  } else if (alg.cra_module != nullptr && alg.cra_module->going()) {
    say(Verdict::kModuleGoing, fmt::format("module {} is going away", alg.cra_module->name()));
  } else if (chosen.get() == &alg) {
    const bool exact = alg.cra_driver_name == query.name;
    say(Verdict::kChosen, exact ? "the request is its driver name" : "highest priority of this name");
  } else if (alg.cra_driver_name != query.name && alg.cra_priority <= -2) {
    say(Verdict::kPriorityTooLow, fmt::format("priority {} is reachable by driver name only", alg.cra_priority));
  } else if (!chosen) {
    say(Verdict::kFipsInternal, "FIPS mode allows it only as a part of something else");
  } else if (chosen->cra_driver_name == query.name) {
    say(Verdict::kTieOlder, "the same driver name was registered again later");
  } else if (alg.cra_priority < chosen->cra_priority) {
    say(Verdict::kLowerPriority,
        fmt::format("priority {} is below {} of {}", alg.cra_priority, chosen->cra_priority, chosen->cra_driver_name));
  } else {
    say(Verdict::kTieOlder,
        fmt::format("priority {} as well, but {} was registered later", alg.cra_priority, chosen->cra_driver_name));
  }
}

LookupReport Registry::explain(const CryptoType& frontend, std::string_view name, uint32_t type, uint32_t mask) {
  Query query = front_end_query(frontend, name, type, mask);
  query.type &= ~CRYPTO_NOLOAD;
  query.mask &= ~CRYPTO_NOLOAD;
  LookupReport report;
  report.name = name;
  report.type = query.type;
  report.mask = query.mask;
  AlgRef chosen;  // given back after the lock
  std::lock_guard lock(mutex_);
  tl::expected<AlgRef, int> found = lookup_locked(query);
  if (found) {
    chosen = std::move(*found);
    report.driver_name = chosen->cra_driver_name;
  } else {
    report.err = found.error();
  }
  const Bucket* listed = bucket(name);
  if (listed == nullptr) return report;
  std::vector<const CryptoAlg*> asked(listed->by_name.begin(), listed->by_name.end());
  for (const CryptoAlg* alg : listed->by_driver) {
    if (alg->cra_name != name) asked.push_back(alg);
  }
  for (const CryptoAlg* listed_alg : asked) {
    const CryptoAlg& alg = *listed_alg;
    if (is_larval(alg)) continue;
    Candidate candidate{alg.cra_name,
                        alg.cra_driver_name,
                        alg.module_name(),
                        alg.cra_priority,
                        alg.cra_flags,
                        alg.cra_refcnt.load() - (chosen.get() == &alg ? 1 : 0),
                        {},
                        {}};
    judge(query, chosen, &candidate, alg);
    report.candidates.push_back(std::move(candidate));
  }
  std::stable_sort(report.candidates.begin(), report.candidates.end(), [](const Candidate& a, const Candidate& b) {
    const bool a_chosen = a.verdict == Verdict::kChosen;
    const bool b_chosen = b.verdict == Verdict::kChosen;
    return a_chosen != b_chosen ? a_chosen : a.priority > b.priority;
  });
  return report;
}

std::string LookupReport::text() const {
  std::string out = fmt::format("lookup {}: type {}, mask {}\n", name, cra_flags_text(type), cra_mask_text(mask));
  if (candidates.empty()) out += "  nothing registered has this name or driver name\n";
  for (const Candidate& c : candidates) {
    out +=
        fmt::format("  {:<40} priority {:>5}  {}: {}\n", c.driver_name, c.priority, verdict_text(c.verdict), c.reason);
  }
  out += err == 0 ? fmt::format("  -> {}\n", driver_name) : fmt::format("  -> {}\n", errno_text(err));
  return out;
}

}  // namespace caamlab::api
