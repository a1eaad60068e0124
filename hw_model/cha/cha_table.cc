// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See cha_table.h.
#include "hw_model/cha/cha_table.h"

namespace caamlab::hw_model {

namespace aai = desc::aai;
using desc::Alg;

namespace {

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

bool has_wireless(const Platform& p) {
  return p.has(ChaUnit::kSnw8) || p.has(ChaUnit::kSnw9) || p.has(ChaUnit::kZuce) || p.has(ChaUnit::kZuca);
}

}  // namespace

ChaSet::ChaSet(const Platform& platform)
    : platform_(platform),
      aes_xts_(platform.era >= 9),
      aes_ccm_(&link_),
      aes_gcm_(make_aes_gcm(), &link_),
      aes_combined_(&link_),
      poly_(&link_),
      wireless_(has_wireless(platform) ? make_wireless() : nullptr),
      snow_f8_(wireless_.get(), desc::ChaId::kSnowF8),
      zuc_e_(wireless_.get(), desc::ChaId::kZuce),
      snow_f9_(wireless_.get(), desc::ChaId::kSnowF9),
      zuc_a_(wireless_.get(), desc::ChaId::kZuca) {
  add_aesa();
  add_desa();
  add_mdha();
  add_rest();
  if (wireless_) add_wireless();
}

void ChaSet::add_aesa() {
  const bool full = !is_low_power(platform_.cha(ChaUnit::kAesa));
  const auto row = [this](uint16_t mask, uint16_t value, Cha& machine, Classes cls, bool present = true) {
    rows_.push_back({Alg::kAes, Alg::kAes, mask, value, ChaUnit::kAesa, &machine, cls, present});
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

void ChaSet::add_desa() {
  for (const uint16_t mode : {aai::kCbc, aai::kEcb, aai::kCfb, aai::kOfb})
    rows_.push_back({Alg::kDes, Alg::k3Des, kExactly & ~aai::kDesCheckOdd, mode, ChaUnit::kDesa, &des_, kClass1Only});
}

void ChaSet::add_mdha() {
  const uint8_t version = platform_.cha(ChaUnit::kMdha).version;
  const bool long_digests = version != kMdhaLp256;
  const bool smac = version == kMdhaMidPerformance || version == kMdhaHighPerformance;
  const auto row = [this](Alg first, Alg last, uint16_t mode, bool present) {
    rows_.push_back({first, last, kExactly, mode, ChaUnit::kMdha, &md_, kClass2Only, present});
  };
  for (const uint16_t mode : {aai::kHash, aai::kHmac, aai::kHmacPrecomp}) {
    row(Alg::kMd5, Alg::kSha256, mode, true);
    row(Alg::kSha384, Alg::kSha512_256, mode, long_digests);
  }
  row(Alg::kMd5, Alg::kSha1, aai::kSmac, smac);
}

// CRCA and CCHA look at their modes themselves.
void ChaSet::add_rest() {
  rows_.push_back({Alg::kCrc, Alg::kCrc, 0, 0, ChaUnit::kCrca, &crc_, kClass2Only});
  rows_.push_back({Alg::kChaCha20, Alg::kChaCha20, 0, 0, ChaUnit::kCcha, &chacha_, kClass1Only});
  rows_.push_back({Alg::kPoly1305, Alg::kPoly1305, kExactly, aai::kAead, ChaUnit::kPtha, &poly_, kClass2Only});
}

void ChaSet::add_wireless() {
  rows_.push_back({Alg::kSnowF8, Alg::kSnowF8, kExactly, aai::kF8, ChaUnit::kSnw8, &snow_f8_, kClass1Only});
  rows_.push_back({Alg::kSnowF9, Alg::kSnowF9, kExactly, aai::kF9, ChaUnit::kSnw9, &snow_f9_, kClass2Only});
  rows_.push_back({Alg::kZucE, Alg::kZucE, kExactly, aai::kF8, ChaUnit::kZuce, &zuc_e_, kClass1Only});
  rows_.push_back({Alg::kZucA, Alg::kZucA, kExactly, aai::kF9, ChaUnit::kZuca, &zuc_a_, kClass2Only});
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
