// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Ciphers and aeads on a job ring (kernel drivers/crypto/caam/caamalg.c, 6.1; crypto-api.md 5.1, 7). The rows are in
// algs/, the request paths in *_edesc.cc, keys and descriptors of a family in caamalg_<family>.cc.
#pragma once

#include "driver/caam/alg_ctx.h"

namespace caamlab::driver::caam {

// Registers what the device's units allow: crypto-api.md 5.1, "registration conditions".
void caam_algapi_init(CtrlPriv& ctrl);

// The share mode of one transform's descriptors, from its next request on. No request may be on its way. -EINVAL when
// the transform is not of this driver, else the errno of rebuilding the descriptors.
int caam_aead_set_share(api::CryptoAead& tfm, desc::ShareMode share);
int caam_skcipher_set_share(api::CryptoSkcipher& tfm, desc::ShareMode share);

}  // namespace caamlab::driver::caam
