// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// How the arithmetic of a built-in protocol ends: an error of the DECO, or of a CHA it used.
#pragma once

#include <functional>
#include <span>

#include "desc/bits.h"
#include "desc/jr_status.h"

namespace caamlab::hw_model {

struct ProtocolStatus {
  desc::DecoError deco = desc::DecoError::kNone;
  desc::ChaId cha = desc::ChaId::kNone;
  desc::CcbError ccb = desc::CcbError::kNone;

  static ProtocolStatus of_deco(desc::DecoError e) { return {.deco = e}; }
  static ProtocolStatus of_cha(desc::ChaId cha, desc::CcbError e) { return {.cha = cha, .ccb = e}; }
  static ProtocolStatus of_pkha(desc::CcbError e) { return of_cha(desc::ChaId::kPkha, e); }
  bool ok() const { return deco == desc::DecoError::kNone && ccb == desc::CcbError::kNone; }
  friend bool operator==(const ProtocolStatus&, const ProtocolStatus&) = default;
};

// Fills with random bytes.
using RandomBytes = std::function<void(std::span<uint8_t>)>;

}  // namespace caamlab::hw_model
