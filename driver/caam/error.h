// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The bridge from the hardware's status word to an errno and a line of log (kernel drivers/crypto/caam/error.c, 6.1).
#pragma once

#include <cstdint>
#include <string>

namespace caamlab::driver::caam {

struct CtrlPriv;

// One line in the form of the kernel's log: "20001c5b: CCB: desc idx 28: RNG: Hardware error". 0 gives "No error".
std::string caam_status_text(uint32_t status);

// -EBADMSG for a failed integrity check, without a word: such is life. Anything else: the text is logged, -EINVAL.
// `status` is not 0.
int caam_jr_strstatus(const CtrlPriv& priv, uint32_t status);

}  // namespace caamlab::driver::caam
