// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Inside api: a shash driven through ahash requests (kernel crypto_init_shash_ops_async, crypto/shash.c, 6.1).
#pragma once

#include "api/ahash.h"

namespace caamlab::api {

// The operations for a transform whose algorithm is a shash; with setkey only if that has one.
const AhashOps* shash_ahash_ops(const CryptoAhash& tfm);

}  // namespace caamlab::api
