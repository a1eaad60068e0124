// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Which CHA serves an OPERATION. A row names the algorithm, the AAI values it covers, the unit that must be there, and
// the machine; a mode that a platform's unit lacks is a row with a condition. A CHA is added here and in its own file.
#pragma once

#include "hw_model/cha/aesa_gcm.h"
#include "hw_model/cha/cha.h"
#include "hw_model/platform.h"

namespace caamlab::hw_model {

// The CHAs of one DECO (hardware.md 1.2: every DECO has its own, but for the RNG).
class ChaSet {
 public:
  explicit ChaSet(const Platform& platform);

  // The machine for `op`, or null with kInvalidCha (no such unit, or not of this class) or kMode (the unit is there but
  // has not this mode).
  Cha* find(const desc::AlgOperation& op, CcbError& error);

 private:
  struct Row {
    desc::Alg first, last;   // ALG values
    uint16_t aai_mask, aai;  // covers op.aai if (op.aai & aai_mask) == aai
    ChaUnit unit;
    Cha* machine;
    bool class1, class2;
  };
  const Platform& platform_;
  AesaGcm gcm_;
  std::vector<Row> rows_;
};

}  // namespace caamlab::hw_model
