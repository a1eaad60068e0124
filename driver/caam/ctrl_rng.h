// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The controller's RNG: its state handles are brought up by descriptors that run on DECO 0 directly (kernel ctrl.c:
// instantiate_rng, kick_trng, run_descriptor_deco0; hardware.md 8.4, 8.5 step 8).
#pragma once

#include "driver/caam/intern.h"

namespace caamlab::driver::caam {

// Does nothing without an RNG4 or when a management complex owns it. Sets rng_ready. -EAGAIN: no entropy delay works;
// -ENODEV: DECO 0 is not to be had.
int caam_ctrl_rng_init(CtrlPriv& priv);
// Takes down the handles that caam_ctrl_rng_init() brought up.
void caam_ctrl_rng_exit(CtrlPriv& priv);

}  // namespace caamlab::driver::caam
