// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See cha_table.h.
#include "hw_model/cha/cha_table.h"

namespace caamlab::hw_model {

namespace {
constexpr uint16_t kAesMode = 0xF0;  // AAI without the CTR modulus, DK and C2K
}

ChaSet::ChaSet(const Platform& platform) : platform_(platform) {
  using desc::Alg;
  rows_ = {
      {Alg::kAes, Alg::kAes, kAesMode, desc::aai::kGcm, ChaUnit::kAesa, &gcm_, true, false},
  };
}

Cha* ChaSet::find(const desc::AlgOperation& op, CcbError& error) {
  error = CcbError::kInvalidCha;
  const bool class1 = op.cls == desc::ClassSel::kClass1;
  for (const Row& row : rows_) {
    if (op.alg < row.first || op.alg > row.last || !platform_.has(row.unit)) continue;
    if (!(class1 ? row.class1 : row.class2)) continue;
    error = CcbError::kMode;
    if ((op.aai & row.aai_mask) == row.aai) return row.machine;
  }
  return nullptr;
}

}  // namespace caamlab::hw_model
