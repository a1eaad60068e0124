// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Hashes, HMAC, XCBC-MAC and CMAC on a job ring (kernel drivers/crypto/caam/caamhash.c, 6.1; crypto-api.md 2.5, 7.4).
#pragma once

#include "api/ahash.h"
#include "driver/caam/intern.h"

namespace caamlab::driver::caam {

// Registers what the device's units allow.
void caam_algapi_hash_init(CtrlPriv& ctrl);

// The share mode of one transform's descriptors, from its next request on; those that are wrong when shared stay with
// kNever (caamhash_ctx.cc). No request may be on its way. -EINVAL when the transform is not of this driver, else the
// errno of rebuilding the descriptors.
int caam_ahash_set_share(api::CryptoAhash& tfm, desc::ShareMode share);

}  // namespace caamlab::driver::caam
