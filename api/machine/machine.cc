// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See machine.h.
#include "api/machine/machine.h"

#include <algorithm>

#include "api/machine/templates.h"

namespace caamlab::api {
namespace {

constexpr int kUnreachable = -2;    // a name wants a priority strictly above this
constexpr unsigned kMaxDepth = 32;  // of templates in each other; a name has 127 characters

constexpr FrontEnd kFrontEnds[] = {
    {"aead", CRYPTO_ALG_TYPE_AEAD, CRYPTO_ALG_TYPE_MASK},
    {"skcipher", CRYPTO_ALG_TYPE_SKCIPHER, CRYPTO_ALG_TYPE_MASK},
    {"ahash", CRYPTO_ALG_TYPE_AHASH, CRYPTO_ALG_TYPE_AHASH_MASK},
    {"shash", CRYPTO_ALG_TYPE_SHASH, CRYPTO_ALG_TYPE_MASK},
    {"cipher", CRYPTO_ALG_TYPE_CIPHER, CRYPTO_ALG_TYPE_MASK},
    {"rng", CRYPTO_ALG_TYPE_RNG, CRYPTO_ALG_TYPE_MASK},
    {"akcipher", CRYPTO_ALG_TYPE_AKCIPHER, CRYPTO_ALG_TYPE_MASK},
    {"kpp", CRYPTO_ALG_TYPE_KPP, CRYPTO_ALG_TYPE_MASK},
    {"compress", CRYPTO_ALG_TYPE_COMPRESS, CRYPTO_ALG_TYPE_MASK},
    {"acomp", CRYPTO_ALG_TYPE_ACOMPRESS, 0xe},
    {"scomp", CRYPTO_ALG_TYPE_SCOMPRESS, CRYPTO_ALG_TYPE_MASK},
    {"lskcipher", CRYPTO_ALG_TYPE_LSKCIPHER, CRYPTO_ALG_TYPE_MASK},
    {"sig", CRYPTO_ALG_TYPE_SIG, CRYPTO_ALG_TYPE_MASK},
};

bool name_ok(const std::string& name) { return !name.empty() && name.size() <= kMaxAlgName; }

}  // namespace

const FrontEnd* front_end(std::string_view name) {
  const auto* found = std::ranges::find(kFrontEnds, name, [](const FrontEnd& f) { return std::string_view(f.name); });
  return found != std::end(kFrontEnds) ? found : nullptr;
}

int Machine::check(const ListedAlg& alg) {
  if (!name_ok(alg.name) || !name_ok(alg.driver) || alg.priority < 0) return -EINVAL;
  for (const std::string* key : {&alg.name, &alg.driver}) {
    const auto known = by_name_.find(*key);
    if (known == by_name_.end()) continue;
    for (const ListedAlg* other : known->second) {
      const bool crossed = alg.name != alg.driver || other->name != other->driver;
      if (other->driver == alg.driver) return -EEXIST;
      if (crossed && (other->driver == alg.name || other->name == alg.driver)) return -EEXIST;
    }
  }
  return 0;
}

void Machine::index(ListedAlg& alg) {
  by_name_[alg.name].push_back(&alg);
  if (alg.driver != alg.name) by_name_[alg.driver].push_back(&alg);
}

void Machine::unindex(ListedAlg& alg) {
  for (const std::string* key : {&alg.name, &alg.driver}) {
    const auto known = by_name_.find(*key);
    if (known == by_name_.end()) continue;
    std::erase(known->second, &alg);
    if (known->second.empty()) by_name_.erase(known);
  }
}

ListedAlg* Machine::list_alg(ListedAlg alg) {
  algs_.push_front(std::move(alg));
  index(algs_.front());
  return &algs_.front();
}

tl::expected<ListedAlg*, int> Machine::register_alg(ListedAlg alg) {
  if (const int err = check(alg); err != 0) return tl::make_unexpected(err);
  if (!alg.fails_test) alg.flags |= CRYPTO_ALG_TESTED;
  ListedAlg* listed = list_alg(std::move(alg));
  if (listed->tested()) drop_worse_off(*listed);
  return listed;
}

void Machine::unregister_alg(ListedAlg& alg) {
  alg.flags |= CRYPTO_ALG_DEAD;
  drop_dependants(alg, nullptr);
  unindex(alg);
  const auto at = std::ranges::find_if(algs_, [&alg](const ListedAlg& other) { return &other == &alg; });
  gone_.splice(gone_.begin(), algs_, at);
}

bool Machine::depends_on(const ListedAlg& alg, const ListedAlg& part) {
  return std::ranges::any_of(alg.parts,
                             [&part](const ListedAlg::Part& p) { return p.alg == &part || depends_on(*p.alg, part); });
}

// Removes the instances built on `part`, and those built on them; for the sake of a newcomer only such as could have
// had it instead, and none that it needs itself.
void Machine::drop_dependants(ListedAlg& part, const ListedAlg* newcomer) {
  const auto doomed = [&](const ListedAlg& alg) {
    if (newcomer != nullptr && (&alg == newcomer || depends_on(*newcomer, alg))) return false;
    return std::ranges::any_of(alg.parts, [&](const ListedAlg::Part& p) {
      return p.alg == &part && (newcomer == nullptr || ((part.flags ^ newcomer->flags) & p.mask) == 0);
    });
  };
  for (auto next = algs_.begin(); next != algs_.end();) {
    ListedAlg& alg = *next;
    if (!doomed(alg)) {
      ++next;
      continue;
    }
    removed_.push_back(alg.driver);
    unregister_alg(alg);
    next = algs_.begin();
  }
}

void Machine::drop_worse_off(const ListedAlg& newcomer) {
  const std::vector<ListedAlg*> of_the_name = by_name_[newcomer.name];
  for (ListedAlg* other : of_the_name) {
    // One that was removed on the way is not in the index any more.
    const std::vector<ListedAlg*>& still = by_name_[newcomer.name];
    if (other == &newcomer || std::ranges::find(still, other) == still.end()) continue;
    if (other->name != newcomer.name) continue;
    if (other->driver != newcomer.driver && other->priority > newcomer.priority) continue;
    drop_dependants(*other, &newcomer);
  }
}

ListedAlg* Machine::best_match(const Query& query) {
  const auto known = by_name_.find(std::string(query.name));
  if (known == by_name_.end()) return nullptr;
  ListedAlg* found = nullptr;
  int best = kUnreachable;
  for (auto alg = known->second.rbegin(); alg != known->second.rend(); ++alg) {
    ListedAlg& a = **alg;
    if (((a.flags ^ query.type) & query.mask) != 0) continue;
    if (a.driver == query.name) return &a;
    if (a.priority <= best) continue;
    best = a.priority;
    found = &a;
  }
  return found;
}

tl::expected<ListedAlg*, int> Machine::lookup(std::string_view name, uint32_t type, uint32_t mask) {
  if (((type | mask) & CRYPTO_ALG_INTERNAL) == 0) mask |= CRYPTO_ALG_INTERNAL;
  if (ListedAlg* alg = best_match({name, type | CRYPTO_ALG_TESTED, mask | CRYPTO_ALG_TESTED})) return alg;
  return tl::make_unexpected(best_match({name, type, mask}) != nullptr ? -ELIBBAD : -ENOENT);
}

tl::expected<ListedAlg*, int> Machine::lookup_or_make(Query query, unsigned depth, Allocation& out) {
  if (((query.type | query.mask) & CRYPTO_ALG_INTERNAL) == 0) query.mask |= CRYPTO_ALG_INTERNAL;
  const size_t at = out.steps.size();
  out.steps.push_back({.depth = depth, .name = std::string(query.name), .type = query.type, .mask = query.mask});
  auto found = lookup(query.name, query.type, query.mask);
  const std::optional<TemplateCall> call = parse_template(query.name);
  if (!found && found.error() == -ENOENT && call && depth < kMaxDepth) {
    const Template* tmpl = find_template(call->name);
    out.steps[at].by_template = call->name;
    Instantiation making(*this, *call, query.type, query.mask, depth, out);
    const int err = tmpl == nullptr ? -ENOENT : making.run(*tmpl);
    if (err == 0)
      found = lookup(query.name, query.type, query.mask);
    else if (options_.template_errors)
      found = tl::make_unexpected(err);
  }
  LookupStep& step = out.steps[at];
  if (found) {
    step.driver = (*found)->driver;
    step.priority = (*found)->priority;
  } else {
    step.err = found.error();
  }
  return found;
}

Allocation Machine::alloc(const FrontEnd& front, std::string_view name, uint32_t type, uint32_t mask) {
  constexpr uint32_t kCallersBits = ~(CRYPTO_ALG_TYPE_MASK | CRYPTO_NOLOAD);
  Allocation out;
  const Query query{name, (type & kCallersBits) | front.type, (mask & kCallersBits) | maskset(front)};
  const auto found = lookup_or_make(query, 0, out);
  if (found)
    out.alg = *found;
  else
    out.err = found.error();
  return out;
}

uint32_t Machine::maskset(const FrontEnd& front) const {
  return front.type == CRYPTO_ALG_TYPE_SKCIPHER && options_.lskciphers ? 0xe : front.maskset;
}

ListedAlg* Machine::find_driver(std::string_view driver) {
  const auto known = by_name_.find(std::string(driver));
  if (known == by_name_.end()) return nullptr;
  for (auto alg = known->second.rbegin(); alg != known->second.rend(); ++alg)
    if ((*alg)->driver == driver) return *alg;
  return nullptr;
}

tl::expected<ListedAlg*, int> Machine::mod_lookup(std::string_view name, uint32_t type, uint32_t mask) {
  Allocation made;
  return lookup_or_make({name, type, mask}, 0, made);
}

int Machine::new_alg(std::string_view driver_or_name, int64_t priority, Allocation* made) {
  Allocation local;
  Allocation& out = made != nullptr ? *made : local;
  if (by_name_.contains(std::string(driver_or_name))) return -EEXIST;
  const auto found = lookup_or_make({driver_or_name, 0, 0}, 0, out);
  if (!found) return out.err = found.error();
  out.alg = *found;
  // A u32 on the wire that is stored in an int.
  if (priority >= 0) out.alg->priority = static_cast<int>(static_cast<uint32_t>(priority));
  return 0;
}

int Machine::flush_alg(std::string_view driver) {
  ListedAlg* alg = find_driver(driver);
  if (alg == nullptr) return -ENOENT;
  drop_dependants(*alg, nullptr);
  return 0;
}

int Machine::update_alg(std::string_view driver, int64_t priority) {
  if (const int err = flush_alg(driver); err != 0) return err;
  find_driver(driver)->priority = static_cast<int>(static_cast<uint32_t>(priority));
  return 0;
}

int Machine::del_alg(std::string_view driver) {
  ListedAlg* alg = find_driver(driver);
  if (alg == nullptr) return -ENOENT;
  if (!alg->instance()) return -EINVAL;
  if (alg->refcnt > 1) return -EBUSY;
  removed_.push_back(alg->driver);
  unregister_alg(*alg);
  return 0;
}

}  // namespace caamlab::api
