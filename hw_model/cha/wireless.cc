// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See wireless.h.
#include "hw_model/cha/wireless.h"

namespace caamlab::hw_model {
namespace {

// Far above any 3GPP message; keeps a looping descriptor from collecting without end.
constexpr size_t kLongestMessage = size_t{1} << 20;

CcbError collect(std::vector<uint8_t>& to, ByteSpan in) {
  if (to.size() + in.size() > kLongestMessage) return CcbError::kDataSize;
  to.insert(to.end(), in.begin(), in.end());
  return CcbError::kNone;
}

// 3GPP TS 35.215: FRESH follows COUNT, then both again with the direction bit.
void snow_f9_iv(uint8_t* iv, const uint8_t* ctx) {
  const uint32_t count = desc::load_be32(ctx), direction = desc::load_be32(ctx + 4) >> 26 & 1,
                 fresh = desc::load_be32(ctx + 8);
  desc::store_be32(iv, count);
  desc::store_be32(iv + 4, fresh);
  desc::store_be32(iv + 8, count ^ direction << 31);
  desc::store_be32(iv + 12, fresh ^ direction << 15);
}

// 3GPP TS 35.221: COUNT and bearer, then both again with the direction bit.
void zuc_eia3_iv(uint8_t* iv, const uint8_t* ctx) {
  const uint8_t bearer = ctx[4] & 0xF8, direction = static_cast<uint8_t>((ctx[4] >> 2 & 1) << 7);
  std::fill_n(iv, 16, uint8_t{0});
  std::copy_n(ctx, 4, iv);
  iv[4] = bearer;
  std::copy_n(iv, 8, iv + 8);
  iv[8] ^= direction;
  iv[14] ^= direction;
}

}  // namespace

CcbError WirelessCipher::begin(ClassRegs& regs) {
  if (regs.key.size != Wireless::kKeyBytes) return CcbError::kKeySize;
  const uint8_t* ctx = regs.context();
  std::copy_n(ctx, 16, iv_.begin());
  if (id_ == desc::ChaId::kSnowF8) std::copy_n(ctx, 8, iv_.begin() + 8);
  data_.clear();
  return CcbError::kNone;
}

CcbError WirelessCipher::feed(ClassRegs&, DataType type, ByteSpan in, Output&) {
  return type == DataType::kMsg ? collect(data_, in) : CcbError::kSequence;
}

CcbError WirelessCipher::last(ClassRegs& regs, DataType, Output& out) {
  if (data_.empty()) return CcbError::kNone;
  if (id_ == desc::ChaId::kSnowF8)
    library_->snow_f8(regs.key.key(), iv_.data(), data_.data(), data_);
  else
    library_->zuc_eea3(regs.key.key(), iv_.data(), data_.data(), data_);
  out.put(data_);
  data_.clear();
  return CcbError::kNone;
}

CcbError WirelessMac::start(const ClassRegs& regs) {
  return regs.op.as == desc::AlgState::kInitFinal ? CcbError::kNone : CcbError::kMode;
}

CcbError WirelessMac::begin(ClassRegs& regs) {
  if (regs.key.size != Wireless::kKeyBytes) return CcbError::kKeySize;
  icv_.reset();
  computed_ = false;
  data_.clear();
  if (id_ == desc::ChaId::kSnowF9)
    snow_f9_iv(iv_.data(), regs.context());
  else
    zuc_eia3_iv(iv_.data(), regs.context());
  return CcbError::kNone;
}

CcbError WirelessMac::feed(ClassRegs&, DataType type, ByteSpan in, Output&) {
  if (type == DataType::kIcv) {
    icv_.add(in);
    return CcbError::kNone;
  }
  if (type != DataType::kMsg || computed_ || icv_.received()) return CcbError::kSequence;
  return collect(data_, in);
}

CcbError WirelessMac::last(ClassRegs& regs, DataType type, Output&) {
  if (!computed_) {
    computed_ = true;
    const uint64_t last_bits = regs.data_size >> 61;
    uint64_t bits = data_.size() * 8;
    if (last_bits != 0 && bits != 0) bits -= 8 - last_bits;
    // The library wants to read whole words.
    data_.resize((data_.size() + 3) / 4 * 4 + 4);
    if (id_ == desc::ChaId::kSnowF9)
      library_->snow_f9(regs.key.key(), iv_.data(), data_.data(), bits, regs.context());
    else
      library_->zuc_eia3(regs.key.key(), iv_.data(), data_.data(), bits, regs.context());
  }
  return type == DataType::kIcv ? icv_.compare(regs.context(), regs.icv_size, Wireless::kMacBytes) : CcbError::kNone;
}

}  // namespace caamlab::hw_model
