// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// A larval stands in the list for an algorithm while it is tested (crypto-api.md 1.3, 1.6; kernel struct
// crypto_larval): its names and priority, TESTED as if it had passed. A lookup that it wins waits. Everything but the
// reference count is guarded by the registry's lock.
#pragma once

#include "api/alg.h"

namespace caamlab::api {

struct Larval : CryptoAlg {
  bool done = false;
  AlgRef adult;  // the algorithm, if it passed

  // Held by the list.
  explicit Larval(const CryptoAlg& alg) {
    cra_name = alg.cra_name;
    cra_driver_name = alg.cra_driver_name;
    cra_flags = alg.cra_flags | CRYPTO_ALG_LARVAL | CRYPTO_ALG_TESTED;
    cra_priority = alg.cra_priority;
    cra_refcnt.set(1);
    cra_destroy = [](CryptoAlg& larval) { delete static_cast<Larval*>(&larval); };
  }
};

inline bool is_larval(const CryptoAlg& alg) { return (alg.cra_flags & CRYPTO_ALG_LARVAL) != 0; }

}  // namespace caamlab::api
