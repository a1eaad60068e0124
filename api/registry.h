// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The list of algorithms and the rules by which a name becomes one of them (crypto-api.md 1.3 to 1.5, 1.9, 1.10; kernel
// crypto/api.c and algapi.c, 6.1, with the driver-name rule of 6.8). A registry is an object; there may be any number.
// Without a self-test every algorithm counts as tested, as in a kernel without a test manager. Left out: templates
// (api/machine has them for machines that are described, not run), module loading, tests put off until late in boot.
#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <unordered_map>
#include <vector>

#include "api/alg.h"
#include "api/errno.h"
#include "api/explain.h"
#include "api/request.h"

namespace caamlab::api {

struct Larval;

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

  // Lists `alg` as the newest and tests it. Called through crypto_register_aead() and its like, which check the type's
  // own fields.
  // Returns 0, -EINVAL (a field of crypto-api.md 1.1), -EEXIST (already listed; its name is a driver name or the
  // reverse; its driver name is taken or under test), -EAGAIN (an instance marked dead), -ENOENT (its module is going
  // away). 0 too when the self-test fails: the algorithm is then listed and unusable.
  int register_alg(CryptoAlg& alg);

  // Takes `alg` out of the list: no lookup finds it any more, existing users keep it. Returns 0 when nobody uses it;
  // -EBUSY when N users remain (removed all the same: the object must live until the last of them is gone, which is
  // when cra_destroy runs); -ENOENT when it was not listed.
  int unregister_alg(CryptoAlg& alg);

  // One lookup as the kernel's: exact driver name first, else highest priority, the newest on ties. type and mask are
  // taken as they are. While the one that wins is tested, waits for the test. Errors: -ENOENT, -ELIBBAD (only such
  // match whose test failed), -ETIMEDOUT (60 s of waiting).
  tl::expected<AlgRef, int> lookup(std::string_view name, uint32_t type, uint32_t mask);

  // A lookup as a front end makes it: its type bits are forced in, and INTERNAL ones are hidden unless asked for.
  tl::expected<AlgRef, int> find_alg(const CryptoType& frontend, std::string_view name, uint32_t type, uint32_t mask);
  LookupReport explain(const CryptoType& frontend, std::string_view name, uint32_t type, uint32_t mask);

  // Tests an algorithm when it is registered, outside the lock. 0: fit; -ECANCELED: in FIPS mode fit only as a part;
  // else unusable. Finds it by lookup(driver name, its flags, mask TESTED), for TESTED is clear until it passes.
  // INTERNAL ones are not tested. Not to be changed while anybody registers.
  using SelfTest = std::function<int(Registry&, CryptoAlg&)>;
  void set_self_test(SelfTest test) { self_test_ = std::move(test); }
  // Log lines, as the kernel words them. Not to be changed while anybody registers.
  void set_log(std::function<void(const std::string&)> log) { log_ = std::move(log); }

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
  // Everything listed under one text, newest first. A name may be somebody's driver name as well.
  struct Bucket {
    std::vector<CryptoAlg*> by_name;
    std::vector<CryptoAlg*> by_driver;
  };
  struct NameHash {
    using is_transparent = void;
    size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
  };

  static Query front_end_query(const CryptoType& frontend, std::string_view name, uint32_t type, uint32_t mask);
  const Bucket* bucket(std::string_view name) const;
  void list_alg(CryptoAlg& alg);
  void unlist_alg(CryptoAlg& alg);
  AlgRef best_match(const Query& query);
  tl::expected<AlgRef, int> lookup_locked(const Query& query);
  // Waits for the test a larval stands for; the algorithm, or -EAGAIN: look again. Unlocks.
  tl::expected<AlgRef, int> wait_for(AlgRef larval, std::unique_lock<std::mutex>& lock);
  void test_listed(CryptoAlg& alg, Larval& larval);
  void log_failed_test(const CryptoAlg& alg, int result) const;
  int check_conflicts(const CryptoAlg& alg) const;
  void judge(const Query& query, const AlgRef& chosen, Candidate* candidate, const CryptoAlg& alg) const;

  Options options_;
  mutable std::mutex mutex_;
  AlgList algs_;  // newest first
  std::unordered_map<std::string, Bucket, NameHash, std::equal_to<>> index_;
  std::condition_variable test_done_;
  SelfTest self_test_;
  std::function<void(const std::string&)> log_;
  std::list<IdleEntry> idle_;
  int next_idle_id_ = 1;
  std::mutex entropy_mutex_;
  EntropySource entropy_;
  uint64_t entropy_state_ = Options{}.entropy_seed;
};

}  // namespace caamlab::api
