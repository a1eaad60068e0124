// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The list of algorithms and the rules by which a name becomes one of them (crypto-api.md 1.3 to 1.5, 1.9, 1.10; kernel
// crypto/api.c and algapi.c, 6.1, with the driver-name rule of 6.8). A registry is an object; there may be any number.
// Left out until their own issue: larvals and the self-test gate (every registered algorithm counts as tested, as in a
// kernel without a test manager), templates, module loading.
#pragma once

#include <list>
#include <mutex>
#include <span>
#include <string_view>
#include <tl/expected.hpp>

#include "api/alg.h"
#include "api/errno.h"
#include "api/explain.h"
#include "api/request.h"

namespace caamlab::api {

// Thread safe, except that it must outlive its transforms, and its destruction must be the last thing that happens.
class Registry {
 public:
  struct Options {
    // Kernels before 6.8 accept a second algorithm of the same driver name (the newest wins); later ones say EEXIST.
    bool accept_same_driver_name = false;
    bool fips_enabled = false;
    uint64_t entropy_seed = 1;  // of get_random_bytes()
  };

  Registry() = default;
  explicit Registry(Options options) : options_(options), entropy_state_(options.entropy_seed) {}
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;
  ~Registry();  // unlists what is left

  bool fips_enabled() const { return options_.fips_enabled; }

  // Lists `alg` as the newest. Called through crypto_register_aead() and its like, which check the type's own fields.
  // Returns 0, -EINVAL (a field of crypto-api.md 1.1), -EEXIST (already listed; its name is a driver name or the
  // reverse; its driver name is taken), -EAGAIN (an instance marked dead), -ENOENT (its module is going away).
  int register_alg(CryptoAlg& alg);

  // Takes `alg` out of the list: no lookup finds it any more, existing users keep it. Returns 0 when nobody uses it;
  // -EBUSY when N users remain (removed all the same: the object must live until the last of them is gone, which is
  // when cra_destroy runs); -ENOENT when it was not listed.
  int unregister_alg(CryptoAlg& alg);

  // One lookup as the kernel's crypto_alg_lookup: exact driver name first, else highest priority, the newest on ties.
  // type and mask are taken as they are. Errors: -ENOENT, -ELIBBAD (only untested ones match).
  tl::expected<AlgRef, int> lookup(std::string_view name, uint32_t type, uint32_t mask);

  // A lookup as a front end makes it: its type bits are forced in, and INTERNAL ones are hidden unless asked for.
  tl::expected<AlgRef, int> find_alg(const CryptoType& frontend, std::string_view name, uint32_t type, uint32_t mask);
  LookupReport explain(const CryptoType& frontend, std::string_view name, uint32_t type, uint32_t mask);

  // Marks an algorithm whose init() asked for another one (-EAGAIN): lookups skip it from now on.
  void shoot_alg(CryptoAlg& alg);

  // Changes a priority under the list lock. Existing transforms keep what they have.
  void set_priority(CryptoAlg& alg, int priority);

  // Calls visit(const CryptoAlg&) for every listed algorithm, newest first, under the list lock.
  template <class Visit>
  void for_each(Visit visit) const {
    std::lock_guard lock(mutex_);
    for (const CryptoAlg& alg : algs_) visit(alg);
  }

  // Idle functions are what crypto_wait_req() runs while it waits; a platform adds one per device. Not to be changed
  // while anybody waits. remove_idle takes what add_idle returned.
  int add_idle(IdleFunction idle);
  void remove_idle(int id);
  // Runs each once; true if any may still make progress.
  bool idle() const;

  // What drivers draw seeds and salts from. Without a source of one's own it is a fixed sequence (SplitMix64 of
  // Options::entropy_seed): the same in every run, and not secret.
  using EntropySource = std::function<void(std::span<uint8_t>)>;
  void set_entropy_source(EntropySource source);
  void get_random_bytes(std::span<uint8_t> out);

 private:
  using AlgList = boost::intrusive::list<CryptoAlg, boost::intrusive::constant_time_size<false>>;
  struct Query {
    std::string_view name;
    uint32_t type = 0;
    uint32_t mask = 0;
  };
  struct IdleEntry {
    int id;
    IdleFunction run;
  };

  static Query front_end_query(const CryptoType& frontend, std::string_view name, uint32_t type, uint32_t mask);
  AlgRef best_match(const Query& query);
  tl::expected<AlgRef, int> lookup_locked(const Query& query);
  int check_conflicts(const CryptoAlg& alg) const;
  void judge(const Query& query, const AlgRef& chosen, Candidate* candidate, const CryptoAlg& alg) const;

  Options options_;
  mutable std::mutex mutex_;
  AlgList algs_;  // newest first
  std::list<IdleEntry> idle_;
  int next_idle_id_ = 1;
  std::mutex entropy_mutex_;
  EntropySource entropy_;
  uint64_t entropy_state_ = Options{}.entropy_seed;
};

}  // namespace caamlab::api
