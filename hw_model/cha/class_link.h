// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The few operations of one class that use registers of the other: AES with the class 2 key (C2K), combined cipher and
// MAC modes, Poly1305 under a ChaCha20 key.
#pragma once

#include "hw_model/cha/cha.h"

namespace caamlab::hw_model {

struct ClassLink {
  ClassRegs* class1 = nullptr;
  ClassRegs* class2 = nullptr;
};

}  // namespace caamlab::hw_model
