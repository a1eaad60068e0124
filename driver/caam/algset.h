// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Owner of the algorithms a device registered. As the kernel's driver: one by one, a failure is logged and the next one
// tried.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <vector>

#include "driver/caam/intern.h"

namespace caamlab::driver::caam {

inline constexpr int kCaamCraPriority = 3000;  // CAAM_CRA_PRIORITY

class AlgSet {
 public:
  explicit AlgSet(CtrlPriv& ctrl) : ctrl_(ctrl) {}
  // Unregisters, newest first. No transform may be left.
  ~AlgSet() {
    while (!algs_.empty()) algs_.pop_back();
  }
  AlgSet(const AlgSet&) = delete;
  AlgSet& operator=(const AlgSet&) = delete;

  // `reg` and `unreg`: crypto_register_* and crypto_unregister_* of its type.
  template <class Owned, class Alg>
  void add(std::unique_ptr<Owned> alg, int (*reg)(api::Registry&, Alg&), int (*unreg)(api::Registry&, Alg&)) {
    alg->cra_module = &ctrl_.module;
    if (const int err = reg(ctrl_.registry, *alg); err != 0) {
      ctrl_.log(LogLevel::kWarning, fmt::format("{} alg registration failed ({})", alg->cra_driver_name, err));
      return;
    }
    algs_.push_back(std::make_unique<Holder<Owned, Alg>>(ctrl_.registry, std::move(alg), unreg));
  }
  size_t size() const { return algs_.size(); }

 private:
  struct Base {
    virtual ~Base() = default;
  };
  template <class Owned, class Alg>
  struct Holder final : Base {
    Holder(api::Registry& r, std::unique_ptr<Owned> a, int (*u)(api::Registry&, Alg&))
        : registry(r), alg(std::move(a)), unreg(u) {}
    ~Holder() override { unreg(registry, *alg); }
    api::Registry& registry;
    std::unique_ptr<Owned> alg;
    int (*unreg)(api::Registry&, Alg&);
  };

  CtrlPriv& ctrl_;
  std::vector<std::unique_ptr<Base>> algs_;
};

}  // namespace caamlab::driver::caam
