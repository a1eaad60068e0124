// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The software drivers: names, priorities and flags of the kernel's (crypto-api.md 5.4), arithmetic of libcrypto, all
// synchronous. They are the choice when there is no accelerator, and the independent witness for the model of one.
#pragma once

#include <tl/expected.hpp>

#include "api/registry.h"
#include "driver/software/algorithms.h"

namespace caamlab::driver::software {

enum class Compositions : uint8_t {
  kNone,     // only what the kernel's modules register by themselves
  kGeneric,  // also the instances that templates make of them, for every name the CAAM drivers have
};

// The portable implementations (aes-generic and what is composed of it, sha*-generic, ..., priority 100). An instance a
// template would make carries the template's driver name and priority and the INSTANCE flag; note that having it listed
// before anybody asked for it is a state of the machine like any other (crypto-api.md, facts 1 and 2).
// The result unregisters when destroyed. Error: what register_alg answered for one of them; then none is registered.
[[nodiscard]] tl::expected<Algorithms, int> register_generic(api::Registry& registry,
                                                             Compositions compositions = Compositions::kGeneric);

// What the crypto extensions of ARMv8 register (*-aes-ce, sha*-ce, priority 200 and 300).
[[nodiscard]] tl::expected<Algorithms, int> register_cpu_instructions(api::Registry& registry);

}  // namespace caamlab::driver::software
