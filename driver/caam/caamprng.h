// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// stdrng from the device's deterministic generator (kernel drivers/crypto/caam/caamprng.c, 6.1).
#pragma once

#include "driver/caam/intern.h"

namespace caamlab::driver::caam {

// Registers prng-caam when there is an RNG.
void caam_prng_register(CtrlPriv& ctrl);

}  // namespace caamlab::driver::caam
