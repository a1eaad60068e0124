// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The controller: probe through registers, RNG instantiation, rings, registration (kernel drivers/crypto/caam/ctrl.c,
// 6.1; hardware.md 8.5). Left out: clocks, debugfs, the device tree itself (CaamDevice says what it would).
#pragma once

#include <memory>
#include <tl/expected.hpp>

#include "driver/caam/intern.h"

namespace caamlab::driver::caam {

// Destroying it is the unconditional removal: algorithms unregistered, outstanding jobs called back, rings reset. No
// transform of the driver's may be left then; caam_remove() checks that.
using CaamHandle = std::unique_ptr<CtrlPriv>;

// Brings the device up and registers what it can do. `device` and `registry` must outlive the handle. Errors:
// -ENODEV: DECO 0 is not to be had; -EAGAIN: no entropy delay makes the RNG come up (both only with require_rng); -EIO:
// a ring does not answer; -ENOMEM: no rings or no memory for them.
[[nodiscard]] tl::expected<CaamHandle, int> caam_probe(const CaamDevice& device, api::Registry& registry,
                                                       const CaamOptions& options = {});

// -EBUSY, and nothing happens, while transforms are in use; else takes the handle and returns 0.
int caam_remove(CaamHandle& handle);

}  // namespace caamlab::driver::caam
