// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See cha_table.h.
#include "hw_model/cha/cha_table.h"

namespace caamlab::hw_model {

namespace {

namespace aai = desc::aai;

constexpr uint16_t kExactly = 0x3FF;
constexpr uint16_t kOrDk = kExactly & ~aai::kDk;
constexpr uint16_t kOrC2k = kExactly & ~aai::kC2k;
constexpr uint16_t kAnyModulus = kExactly & ~0xF;

// hardware.md 1.2: what the low-power unit lacks, and when the kernel finds GCM missing.
bool is_low_power(const ChaInfo& aesa) { return aesa.version == kAesaLowPower; }
bool has_gcm(const Platform& platform) {
  constexpr uint8_t kFirstRevisionWithGcm = 8, kGcmBit = 0x02;
  const ChaInfo& aesa = platform.cha(ChaUnit::kAesa);
  if (platform.version_registers) return (aesa.misc & kGcmBit) != 0;
  return !is_low_power(aesa) || aesa.revision >= kFirstRevisionWithGcm;
}

}  // namespace

ChaSet::ChaSet(const Platform& platform)
    : platform_(platform),
      aes_xts_(platform.era >= 9),
      aes_ccm_(&link_),
      aes_gcm_(make_aes_gcm(), &link_),
      aes_combined_(&link_) {
  add_aesa();
}

void ChaSet::add_aesa() {
  const bool full = !is_low_power(platform_.cha(ChaUnit::kAesa));
  const auto row = [this](uint16_t mask, uint16_t value, Cha& machine, Classes cls, bool present = true) {
    rows_.push_back({desc::Alg::kAes, desc::Alg::kAes, mask, value, ChaUnit::kAesa, &machine, cls, present});
  };
  row(kAnyModulus, aai::kCtrMod128, aes_stream_, kClass1Only);
  row(kOrDk, aai::kCbc, aes_block_, kClass1Only);
  row(kOrDk, aai::kEcb, aes_block_, kClass1Only);
  row(kExactly, aai::kCfb, aes_stream_, kClass1Only);
  row(kExactly, aai::kOfb, aes_stream_, kClass1Only);
  row(kOrDk, aai::kXts, aes_xts_, kClass1Only, full);
  row(kOrC2k, aai::kCcm, aes_ccm_, kClass1Only);
  row(kOrC2k, aai::kGcm, aes_gcm_, kClass1Only, has_gcm(platform_));
  for (const uint16_t mac : {aai::kCmac, aai::kXcbcMac}) {
    row(kExactly, mac, aes_mac_[0], kClass1Only);
    row(kExactly, mac, aes_mac_[1], kClass2Only);
  }
  for (const uint16_t both : {aai::kCbcXcbcMac, aai::kCtrXcbcMac, aai::kCbcCmac, aai::kCtrCmacLte, aai::kCtrCmac})
    row(kExactly, both, aes_combined_, kClass1Only, full);
}

Cha* ChaSet::find(const desc::AlgOperation& op, CcbError& error) {
  error = CcbError::kInvalidCha;
  const Classes cls = op.cls == desc::ClassSel::kClass1 ? kClass1Only : kClass2Only;
  for (const Row& row : rows_) {
    if (op.alg < row.first || op.alg > row.last || !platform_.has(row.unit) || row.cls != cls) continue;
    error = CcbError::kMode;
    if (row.present && (op.aai & row.aai_mask) == row.aai) return row.machine;
  }
  return nullptr;
}

}  // namespace caamlab::hw_model
