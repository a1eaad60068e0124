// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Owner of the algorithms that one call registered. Kernel: a module's array of algorithms and its init and exit.
#pragma once

#include <memory>
#include <vector>

#include "api/aead.h"
#include "api/ahash.h"
#include "api/akcipher.h"
#include "api/registry.h"
#include "api/rng.h"
#include "api/skcipher.h"

namespace caamlab::driver::software {

// What every row of every table has.
struct AlgNames {
  const char* name;
  const char* driver_name;
  const char* module;
  int priority;
  uint32_t flags = 0;
};

// Algorithms keeps algorithms registered until it is destroyed, which must be before the registry is, and after every
// transform. Move only.
class Algorithms {
 public:
  explicit Algorithms(api::Registry& registry) : registry_(&registry) {}
  Algorithms(Algorithms&&) = default;
  Algorithms& operator=(Algorithms&&) = delete;
  ~Algorithms();

  // Fills in the names of a row.
  void name(api::CryptoAlg& alg, const AlgNames& names);

  // Takes the algorithm over and registers it, by the crypto_register_* of its type. After a failure nothing more is
  // registered, and error() says why; as with the kernel's arrays, the caller then drops the whole.
  template <class Alg>
  void add(std::unique_ptr<Alg> alg) {
    if (error_ != 0) return;
    error_ = register_one(*registry_, *alg);
    if (error_ == 0) algs_.push_back({std::unique_ptr<api::CryptoAlg, Delete>(alg.release(), Delete{delete_as<Alg>})});
  }
  api::Registry& registry() const { return *registry_; }
  int error() const { return error_; }
  size_t size() const { return algs_.size(); }

 private:
  struct Delete {
    void (*run)(api::CryptoAlg*) = nullptr;
    void operator()(api::CryptoAlg* alg) const { run(alg); }
  };
  template <class Alg>
  static void delete_as(api::CryptoAlg* alg) {
    delete static_cast<Alg*>(alg);
  }
  static int register_one(api::Registry& r, api::AeadAlg& a) { return api::crypto_register_aead(r, a); }
  static int register_one(api::Registry& r, api::SkcipherAlg& a) { return api::crypto_register_skcipher(r, a); }
  static int register_one(api::Registry& r, api::ShashAlg& a) { return api::crypto_register_shash(r, a); }
  static int register_one(api::Registry& r, api::AkcipherAlg& a) { return api::crypto_register_akcipher(r, a); }
  static int register_one(api::Registry& r, api::RngAlg& a) { return api::crypto_register_rng(r, a); }

  api::Registry* registry_;
  int error_ = 0;
  std::vector<std::unique_ptr<api::Module>> modules_;
  std::vector<std::unique_ptr<api::CryptoAlg, Delete>> algs_;
};

}  // namespace caamlab::driver::software
