// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// RSA on a job ring (kernel drivers/crypto/caam/caampkc.c, 6.1; crypto-api.md 2.6, 7.4).
#pragma once

#include "driver/caam/intern.h"

namespace caamlab::driver::caam {

// Registers rsa-caam when there is a PKHA that encrypts.
void caam_pkc_init(CtrlPriv& ctrl);

}  // namespace caamlab::driver::caam
