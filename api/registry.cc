// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Registration and lookup. The order of the checks is the kernel's, because it is what decides between two errnos.
#include "api/registry.h"

#include <algorithm>

namespace caamlab::api {
namespace {

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

int Registry::check_conflicts(const CryptoAlg& alg) const {
  for (const CryptoAlg& other : algs_) {
    if (&other == &alg) return -EEXIST;
    if (moribund(other)) continue;
    if (other.cra_driver_name == alg.cra_name || other.cra_name == alg.cra_driver_name) return -EEXIST;
    if (!options_.accept_same_driver_name && other.cra_driver_name == alg.cra_driver_name) return -EEXIST;
  }
  return 0;
}

int Registry::register_alg(CryptoAlg& alg) {
  if (const int err = check_fields(alg); err != 0) return err;
  std::lock_guard lock(mutex_);
  // Only an instance stays dead; a driver's own object may be registered again.
  if ((alg.cra_flags & CRYPTO_ALG_INSTANCE) == 0) alg.cra_flags &= ~CRYPTO_ALG_DEAD;
  if ((alg.cra_flags & CRYPTO_ALG_DEAD) != 0) return -EAGAIN;
  if (const int err = check_conflicts(alg); err != 0) return err;
  if (alg.cra_module != nullptr && alg.cra_module->going()) return -ENOENT;
  alg.cra_refcnt.set(1);
  alg.cra_flags |= CRYPTO_ALG_TESTED;
  algs_.push_front(alg);
  return 0;
}

int Registry::unregister_alg(CryptoAlg& alg) {
  {
    std::lock_guard lock(mutex_);
    const bool listed =
        std::any_of(algs_.begin(), algs_.end(), [&alg](const CryptoAlg& other) { return &other == &alg; });
    if (!listed) return -ENOENT;
    alg.cra_flags |= CRYPTO_ALG_DEAD;
    algs_.erase(algs_.iterator_to(alg));
  }
  const bool in_use = alg.cra_refcnt.load() > 1;
  crypto_alg_put(alg);
  return in_use ? -EBUSY : 0;
}

AlgRef Registry::best_match(const Query& query) {
  AlgRef found;
  int best = kUnreachablePriority;
  for (CryptoAlg& alg : algs_) {
    if (moribund(alg) || !flags_match(alg, query.type, query.mask)) continue;
    const bool exact = alg.cra_driver_name == query.name;
    const bool better = alg.cra_name == query.name && alg.cra_priority > best;
    if (!exact && !better) continue;
    AlgRef ref = AlgRef::try_get(alg);
    if (!ref) continue;
    best = alg.cra_priority;
    found = std::move(ref);
    if (exact) break;
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

tl::expected<AlgRef, int> Registry::lookup(std::string_view name, uint32_t type, uint32_t mask) {
  std::lock_guard lock(mutex_);
  return lookup_locked({name, type, mask});
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
