// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The registers of a DECO as its page shows them for direct access (hardware.md 8.4): one row a register.
#pragma once

#include "hw_model/deco/deco.h"

namespace caamlab::hw_model {

// `offset`: within the page, of one 32-bit word; unknown ones read 0 and ignore writes.
uint32_t read_deco_page(const Deco& d, uint32_t offset);
void write_deco_page(Deco& d, uint32_t offset, uint32_t value);

}  // namespace caamlab::hw_model
