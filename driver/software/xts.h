// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// XTS (IEEE 1619, with ciphertext stealing) made of ECB. libcrypto's own XTS takes a whole data unit in one piece,
// refuses equal key halves and has no 192-bit keys; the kernel's takes scatterlists and all of these.
#pragma once

#include "driver/software/evp.h"

namespace caamlab::driver::software {

// data, tweak: ECB contexts of the two keys; `data` in the given direction, `tweak` always encrypting. len >= 16. False
// when libcrypto fails or a list ends early.
bool xts_crypt(EVP_CIPHER_CTX* data, EVP_CIPHER_CTX* tweak, Direction direction, api::SgCursor* dst, api::SgCursor* src,
               size_t len, const uint8_t* iv);

}  // namespace caamlab::driver::software
