// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// A machine's list of algorithms as selection sees it: names, types, flags, priorities, sizes, and what is built on
// what. Registration, lookup, templates and removal follow the kernel's rules (crypto-api.md 1.3 to 1.8;
// crypto/algapi.c, api.c, algboss.c), so that "which driver, and why" can be asked for machines that are not at hand.
// Nothing computes here: api/registry.h holds algorithms that do. Left out: larvals and waiting (a lookup is over when
// it returns), FIPS mode, module loading on demand (what a machine has is in its list).
#pragma once

#include <list>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <unordered_map>
#include <vector>

#include "api/alg.h"
#include "api/errno.h"

namespace caamlab::api {

// One line of the list. Sizes are those of the kernel's structures, in bytes; 0 where a type has no such size.
struct ListedAlg {
  // A part that an instance is built on, and what was asked of it (kernel: struct crypto_spawn).
  struct Part {
    ListedAlg* alg = nullptr;
    uint32_t mask = 0;
  };

  std::string name, driver;
  std::string module = "kernel";
  uint32_t flags = 0;  // type nibble and flags; TESTED and INSTANCE are set by the machine
  int priority = 0;
  uint32_t blocksize = 0, min_keysize = 0, max_keysize = 0, ivsize = 0, chunksize = 0, walksize = 0;
  uint32_t maxauthsize = 0, digestsize = 0, seedsize = 0, statesize = 0;
  bool keyed = false;            // a hash that wants a key
  bool has_vectors = true;       // the kernel's test manager knows the name
  bool fails_test = false;       // stays listed, and unusable
  bool shows_statesize = false;  // read from a kernel whose /proc/crypto has it (6.8 on)
  bool accelerator = false;      // of a hardware set; an instance: some part is
  int refcnt = 1;
  std::vector<Part> parts;

  uint32_t type() const { return flags & CRYPTO_ALG_TYPE_MASK; }
  bool instance() const { return (flags & CRYPTO_ALG_INSTANCE) != 0; }
  bool tested() const { return (flags & CRYPTO_ALG_TESTED) != 0; }
};

// The type bits that a front end forces into a request (kernel struct crypto_type).
struct FrontEnd {
  const char* name;
  uint32_t type, maskset;
};
// "aead", "skcipher", "ahash", "shash", "cipher", "rng", "akcipher", "kpp", "acomp", "compress", "scomp"; null
// otherwise.
const FrontEnd* front_end(std::string_view name);

// One lookup of those that an allocation is made of, in the order they were made.
struct LookupStep {
  unsigned depth = 0;  // 0: what was asked for; 1: a part of it; ...
  std::string name;
  uint32_t type = 0, mask = 0;  // as compared
  std::string driver{};         // found, or made; empty on failure
  int priority = 0;
  std::string by_template{};  // the template that was tried, if any
  int err = 0;
};

struct Allocation {
  ListedAlg* alg = nullptr;
  int err = 0;                      // 0, or a negative errno: -ENOENT, -ELIBBAD, and from 6.12 on the template's own
  std::vector<ListedAlg*> created;  // instances, parts first
  std::vector<LookupStep> steps;
};

class Machine {
 public:
  struct Options {
    // Up to 6.11 a template's failure is -ENOENT to whoever asked; later its own error.
    bool template_errors = false;
    // From 6.7 on an skcipher request takes an lskcipher as well.
    bool lskciphers = false;
  };

  Machine() = default;
  explicit Machine(Options options) : options_(options) {}
  Machine(Machine&&) = default;
  Machine& operator=(Machine&&) = default;

  // Lists `alg` as the newest, tests it, and removes the instances that are worse off for it (1.8). -EINVAL (fields),
  // -EEXIST (a name is somebody's driver name, or the driver name is taken).
  tl::expected<ListedAlg*, int> register_alg(ListedAlg alg);
  // As read from a running machine: nothing is tested or removed.
  ListedAlg* list_alg(ListedAlg alg);
  // Unlists the algorithm and everything built on it. References to it stay good.
  void unregister_alg(ListedAlg& alg);

  // The search alone: exact driver name, else highest priority above -2, newest on ties. Type and mask as they are, but
  // for INTERNAL, which is hidden unless mentioned. -ENOENT, -ELIBBAD (only such whose test failed).
  tl::expected<ListedAlg*, int> lookup(std::string_view name, uint32_t type, uint32_t mask);
  // As crypto_alloc_*(): the search, else a template.
  Allocation alloc(const FrontEnd& front, std::string_view name, uint32_t type = 0, uint32_t mask = 0);

  // The same without a front end, as NEWALG does: type and mask as they are, but for INTERNAL.
  tl::expected<ListedAlg*, int> mod_lookup(std::string_view name, uint32_t type, uint32_t mask);

  // Messages of crypto_user (crypto-api.md 3): 0 or a negative errno. `created`, `removed`: driver names, in order.
  int new_alg(std::string_view driver_or_name, int64_t priority, Allocation* made = nullptr);
  int update_alg(std::string_view driver, int64_t priority);  // drops what is built on it, then sets the priority
  int flush_alg(std::string_view driver);                     // the same without a priority
  int del_alg(std::string_view driver);

  // The type bits that requests through `front` compare.
  uint32_t maskset(const FrontEnd& front) const;

  ListedAlg* find_driver(std::string_view driver);
  // Newest first.
  const std::list<ListedAlg>& algs() const { return algs_; }
  std::list<ListedAlg>& algs() { return algs_; }
  // Driver names of the instances removed since the last call.
  std::vector<std::string> take_removed() { return std::exchange(removed_, {}); }

 private:
  friend class Instantiation;
  struct Query {
    std::string_view name;
    uint32_t type = 0, mask = 0;
  };

  ListedAlg* best_match(const Query& query);
  tl::expected<ListedAlg*, int> lookup_or_make(Query query, unsigned depth, Allocation& out);
  int check(const ListedAlg& alg);
  void index(ListedAlg& alg);
  void unindex(ListedAlg& alg);
  void drop_dependants(ListedAlg& part, const ListedAlg* newcomer);
  void drop_worse_off(const ListedAlg& newcomer);
  static bool depends_on(const ListedAlg& alg, const ListedAlg& part);

  Options options_;
  std::list<ListedAlg> algs_;
  std::list<ListedAlg> gone_;  // unlisted; transforms may still use it, and so may an instance in the making
  std::unordered_map<std::string, std::vector<ListedAlg*>> by_name_;  // name or driver name; oldest first
  std::vector<std::string> removed_;
};

}  // namespace caamlab::api
