// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Registration and its undoing, newest first.
#include "driver/software/algorithms.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace caamlab::driver::software {

Algorithms::~Algorithms() {
  while (!algs_.empty()) {
    registry_->unregister_alg(*algs_.back());
    algs_.pop_back();
  }
}

void Algorithms::name(api::CryptoAlg& alg, const AlgNames& names) {
  alg.cra_name = names.name;
  alg.cra_driver_name = names.driver_name;
  alg.cra_priority = names.priority;
  alg.cra_flags = names.flags;
  const std::string_view module = names.module;
  auto found = std::find_if(modules_.begin(), modules_.end(), [module](const auto& m) { return m->name() == module; });
  if (found == modules_.end()) {
    modules_.push_back(std::make_unique<api::Module>(names.module));
    found = std::prev(modules_.end());
  }
  alg.cra_module = found->get();
}

}  // namespace caamlab::driver::software
