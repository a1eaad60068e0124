// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Registration and lookup. The order of the checks is the kernel's, because it is what decides between two errnos.
#include "api/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "api/larval.h"

namespace caamlab::api {
namespace {

constexpr auto kTestTimeout = std::chrono::seconds(60);
constexpr int kUnreachablePriority = -2;  // a generic name wants a priority strictly above this

bool name_length_ok(const std::string& name) { return !name.empty() && name.size() <= kMaxAlgName; }

int check_fields(const CryptoAlg& alg) {
  if (!name_length_ok(alg.cra_name) || !name_length_ok(alg.cra_driver_name)) return -EINVAL;
  if ((alg.cra_alignmask & (alg.cra_alignmask + 1)) != 0 || alg.cra_alignmask > kMaxAlignMask) return -EINVAL;
  if (alg.cra_blocksize > kMaxBlockSize || alg.cra_priority < 0 || alg.cra_type == nullptr) return -EINVAL;
  if ((alg.cra_flags & CRYPTO_ALG_TYPE_MASK) == CRYPTO_ALG_TYPE_CIPHER &&
      (alg.cra_blocksize > kMaxCipherBlockSize || alg.cra_alignmask > kMaxCipherAlignMask)) {
    return -EINVAL;
  }
  return 0;
}

bool moribund(const CryptoAlg& alg) { return (alg.cra_flags & (CRYPTO_ALG_DEAD | CRYPTO_ALG_DYING)) != 0; }

bool flags_match(const CryptoAlg& alg, uint32_t type, uint32_t mask) { return ((alg.cra_flags ^ type) & mask) == 0; }

}  // namespace

Registry::~Registry() { algs_.clear(); }

const Registry::Bucket* Registry::bucket(std::string_view name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &found->second;
}

void Registry::list_alg(CryptoAlg& alg) {
  algs_.push_front(alg);
  auto& same_name = index_[alg.cra_name].by_name;
  same_name.insert(same_name.begin(), &alg);
  auto& same_driver = index_[alg.cra_driver_name].by_driver;
  same_driver.insert(same_driver.begin(), &alg);
}

void Registry::unlist_alg(CryptoAlg& alg) {
  algs_.erase(algs_.iterator_to(alg));
  const auto forget = [&](const std::string& name, std::vector<CryptoAlg*> Bucket::*list) {
    const auto entry = index_.find(name);
    std::erase(entry->second.*list, &alg);
    if (entry->second.by_name.empty() && entry->second.by_driver.empty()) index_.erase(entry);
  };
  forget(alg.cra_name, &Bucket::by_name);
  forget(alg.cra_driver_name, &Bucket::by_driver);
}

int Registry::check_conflicts(const CryptoAlg& alg) const {
  if (alg.is_linked()) return -EEXIST;
  const auto alive = [](const CryptoAlg* other) { return !moribund(*other) && !is_larval(*other); };
  const auto in_test = [](const CryptoAlg* other) { return is_larval(*other); };
  if (const Bucket* same = bucket(alg.cra_name); same != nullptr && std::ranges::any_of(same->by_driver, alive)) {
    return -EEXIST;
  }
  const Bucket* same = bucket(alg.cra_driver_name);
  if (same == nullptr) return 0;
  if (std::ranges::any_of(same->by_name, alive) || std::ranges::any_of(same->by_driver, in_test)) return -EEXIST;
  return !options_.accept_same_driver_name && std::ranges::any_of(same->by_driver, alive) ? -EEXIST : 0;
}

int Registry::register_alg(CryptoAlg& alg) {
  if (const int err = check_fields(alg); err != 0) return err;
  AlgRef under_test;
  Larval* larval = nullptr;
  {
    std::lock_guard lock(mutex_);
    // Only an instance stays dead; a driver's own object may be registered again.
    if ((alg.cra_flags & CRYPTO_ALG_INSTANCE) == 0) alg.cra_flags &= ~CRYPTO_ALG_DEAD;
    if ((alg.cra_flags & CRYPTO_ALG_DEAD) != 0) return -EAGAIN;
    if (const int err = check_conflicts(alg); err != 0) return err;
    if (alg.cra_module != nullptr && alg.cra_module->going()) return -ENOENT;
    alg.cra_refcnt.set(1);
    const bool passes_untested = !self_test_ || (alg.cra_flags & CRYPTO_ALG_INTERNAL) != 0;
    alg.cra_flags = passes_untested ? alg.cra_flags | CRYPTO_ALG_TESTED : alg.cra_flags & ~CRYPTO_ALG_TESTED;
    list_alg(alg);
    if (passes_untested) return 0;
    under_test = AlgRef::try_get(alg);
    larval = new Larval(alg);
    list_alg(*larval);
  }
  test_listed(alg, *larval);
  return 0;
}

void Registry::test_listed(CryptoAlg& alg, Larval& larval) {
  const int result = self_test_(*this, alg);
  log_failed_test(alg, result);
  {
    std::lock_guard lock(mutex_);
    unlist_alg(larval);
    if (result == -ECANCELED) alg.cra_flags |= CRYPTO_ALG_FIPS_INTERNAL;
    if (result == 0 || result == -ECANCELED) alg.cra_flags |= CRYPTO_ALG_TESTED;
    if (result == 0) larval.adult = AlgRef::try_get(alg);
    larval.done = true;
    test_done_.notify_all();
  }
  crypto_alg_put(larval);
}

void Registry::log_failed_test(const CryptoAlg& alg, int result) const {
  if (!log_ || result == 0) return;
  if (result == -ECANCELED) {
    log_(fmt::format("alg: {} ({}) is disabled due to FIPS", alg.cra_name, alg.cra_driver_name));
  } else {
    log_(fmt::format("alg: self-tests for {} using {} failed (rc={})", alg.cra_name, alg.cra_driver_name, result));
  }
}

int Registry::unregister_alg(CryptoAlg& alg) {
  {
    std::lock_guard lock(mutex_);
    if (!alg.is_linked()) return -ENOENT;
    alg.cra_flags |= CRYPTO_ALG_DEAD;
    unlist_alg(alg);
  }
  const bool in_use = alg.cra_refcnt.load() > 1;
  crypto_alg_put(alg);
  return in_use ? -EBUSY : 0;
}

AlgRef Registry::best_match(const Query& query) {
  const Bucket* listed = bucket(query.name);
  if (listed == nullptr) return {};
  const auto fits = [&query](const CryptoAlg& alg) {
    return !moribund(alg) && flags_match(alg, query.type, query.mask);
  };
  for (CryptoAlg* alg : listed->by_driver) {
    if (!fits(*alg)) continue;
    if (AlgRef ref = AlgRef::try_get(*alg)) return ref;
  }
  AlgRef found;
  int best = kUnreachablePriority;
  for (CryptoAlg* alg : listed->by_name) {
    if (alg->cra_priority <= best || !fits(*alg)) continue;
    AlgRef ref = AlgRef::try_get(*alg);
    if (!ref) continue;
    best = alg->cra_priority;
    found = std::move(ref);
  }
  return found;
}

tl::expected<AlgRef, int> Registry::lookup_locked(const Query& query) {
  Query tested = query;
  const bool caller_cares = ((query.type | query.mask) & CRYPTO_ALG_TESTED) != 0;
  if (!caller_cares) {
    tested.type |= CRYPTO_ALG_TESTED;
    tested.mask |= CRYPTO_ALG_TESTED;
  }
  tested.type &= ~CRYPTO_ALG_FIPS_INTERNAL;
  tested.mask &= ~CRYPTO_ALG_FIPS_INTERNAL;
  AlgRef alg = best_match(tested);
  if (alg) {
    // An algorithm that FIPS mode allows only as a part shows itself only to those who name the flag in type and mask.
    const bool asks_for_parts = (query.type & query.mask & CRYPTO_ALG_FIPS_INTERNAL) != 0;
    if ((alg->cra_flags & CRYPTO_ALG_FIPS_INTERNAL) != 0 && !asks_for_parts) return tl::make_unexpected(-ENOENT);
    return alg;
  }
  if (!caller_cares && best_match(query)) return tl::make_unexpected(-ELIBBAD);
  return tl::make_unexpected(-ENOENT);
}

tl::expected<AlgRef, int> Registry::wait_for(AlgRef waiting, std::unique_lock<std::mutex>& lock) {
  auto& larval = static_cast<Larval&>(*waiting);
  const bool done = test_done_.wait_for(lock, kTestTimeout, [&larval] { return larval.done; });
  AlgRef adult;
  if (larval.adult) adult = AlgRef::try_get(*larval.adult);
  lock.unlock();  // `waiting` may be the last to hold the larval, and that its algorithm
  if (adult) return adult;
  return tl::make_unexpected(done ? -EAGAIN : -ETIMEDOUT);
}

tl::expected<AlgRef, int> Registry::lookup(std::string_view name, uint32_t type, uint32_t mask) {
  for (;;) {
    std::unique_lock lock(mutex_);
    tl::expected<AlgRef, int> found = lookup_locked({name, type, mask});
    if (!found || !is_larval(**found)) return found;
    found = wait_for(std::move(*found), lock);
    if (found || found.error() != -EAGAIN) return found;
  }
}

Registry::Query Registry::front_end_query(const CryptoType& frontend, std::string_view name, uint32_t type,
                                          uint32_t mask) {
  Query query{name, (type & frontend.maskclear) | frontend.type, (mask & frontend.maskclear) | frontend.maskset};
  if (((query.type | query.mask) & CRYPTO_ALG_INTERNAL) == 0) query.mask |= CRYPTO_ALG_INTERNAL;
  return query;
}

tl::expected<AlgRef, int> Registry::find_alg(const CryptoType& frontend, std::string_view name, uint32_t type,
                                             uint32_t mask) {
  const Query query = front_end_query(frontend, name, type, mask);
  return lookup(query.name, query.type & ~CRYPTO_NOLOAD, query.mask & ~CRYPTO_NOLOAD);
}

void Registry::shoot_alg(CryptoAlg& alg) {
  std::lock_guard lock(mutex_);
  alg.cra_flags |= CRYPTO_ALG_DYING;
}

void Registry::set_priority(CryptoAlg& alg, int priority) {
  std::lock_guard lock(mutex_);
  alg.cra_priority = priority;
}

int Registry::add_idle(IdleFunction idle) {
  idle_.push_back({next_idle_id_, std::move(idle)});
  return next_idle_id_++;
}

void Registry::remove_idle(int id) {
  idle_.remove_if([id](const IdleEntry& entry) { return entry.id == id; });
}

bool Registry::idle() const {
  bool more = false;
  for (const IdleEntry& entry : idle_) more = entry.run() || more;
  return more;
}

void Registry::set_entropy_source(EntropySource source) {
  std::lock_guard lock(entropy_mutex_);
  entropy_ = std::move(source);
}

void Registry::get_random_bytes(std::span<uint8_t> out) {
  std::lock_guard lock(entropy_mutex_);
  if (entropy_) return entropy_(out);
  for (size_t i = 0; i < out.size(); i += sizeof(uint64_t)) {
    entropy_state_ += 0x9e3779b97f4a7c15;  // SplitMix64 (Steele, Lea, Flood 2014)
    uint64_t word = entropy_state_;
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
    word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
    word ^= word >> 31;
    for (size_t k = 0; k < sizeof(word) && i + k < out.size(); ++k) out[i + k] = static_cast<uint8_t>(word >> (8 * k));
  }
}

}  // namespace caamlab::api
