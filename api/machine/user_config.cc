// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The rules of the operations. The bytes are in user_message.cc.
#include "api/machine/user_config.h"

#include "api/errno.h"

namespace caamlab::api {

ListedAlg* match_user_alg(Machine& machine, const UserAlg& which) {
  for (ListedAlg& alg : machine.algs()) {
    if ((alg.flags & CRYPTO_ALG_LARVAL) != 0 || ((alg.flags ^ which.type) & which.mask) != 0) continue;
    if (which.driver.empty() ? alg.name == which.name : alg.driver == which.driver) return &alg;
  }
  return nullptr;
}

int crypto_add_alg(Machine& machine, const UserAlg& which, std::optional<uint32_t> priority) {
  if (priority && which.driver.empty()) return -EINVAL;
  if (match_user_alg(machine, which) != nullptr) return -EEXIST;
  const std::string& name = which.driver.empty() ? which.name : which.driver;
  const auto alg = machine.mod_lookup(name, which.type, which.mask);
  if (!alg) return alg.error();
  if (priority) (*alg)->priority = static_cast<int>(*priority);
  return 0;
}

int crypto_update_alg(Machine& machine, const UserAlg& which, std::optional<uint32_t> priority) {
  if (which.driver.empty()) return priority ? -EINVAL : -ENOENT;
  const ListedAlg* alg = match_user_alg(machine, which);
  if (alg == nullptr) return -ENOENT;
  return priority ? machine.update_alg(alg->driver, *priority) : machine.flush_alg(alg->driver);
}

int crypto_del_alg(Machine& machine, const UserAlg& which) {
  const ListedAlg* alg = which.driver.empty() ? nullptr : match_user_alg(machine, which);
  return alg == nullptr ? -ENOENT : machine.del_alg(alg->driver);
}

}  // namespace caamlab::api
