// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See crca.h.
#include "hw_model/cha/crca.h"

#include <bit>

namespace caamlab::hw_model {
namespace {

namespace aai = desc::aai;

constexpr uint32_t kIeee802 = 0x04C11DB7, kRfc3385 = 0x1EDC6F41;
constexpr uint16_t kPolynomialBits = aai::kCrc802 | aai::kCrc3385 | aai::kCrcCust;
constexpr uint16_t kKnownBits = kPolynomialBits | aai::kCrcDis | aai::kCrcDos | aai::kCrcDoc | aai::kCrcIvz;

}  // namespace

CcbError Crca::start(const ClassRegs& regs) {
  const uint16_t polynomial = regs.op.aai & kPolynomialBits;
  const bool one_polynomial = polynomial == aai::kCrc802 || polynomial == aai::kCrc3385 || polynomial == aai::kCrcCust;
  return one_polynomial && (regs.op.aai & ~kKnownBits) == 0 ? CcbError::kNone : CcbError::kMode;
}

CcbError Crca::begin(ClassRegs& regs) {
  const uint16_t mode = regs.op.aai;
  icv_.reset();
  computed_ = false;
  uint32_t polynomial = kIeee802;
  current_ = &crc_[0];
  if ((mode & aai::kCrc3385) != 0) {
    polynomial = kRfc3385;
    current_ = &crc_[1];
  } else if ((mode & aai::kCrcCust) != 0) {
    if (regs.key.size < 4 || regs.key.size > 8) return CcbError::kKeySize;
    polynomial = desc::load_be32(regs.key.bytes.data());
    current_ = &crc_[2];
  }
  current_->set_polynomial(polynomial, (mode & aai::kCrcDis) == 0);
  ones_ = polynomial == 0 ? 0xFFFFFFFF : 0xFFFFFFFF << std::countr_zero(polynomial);
  state_ = desc::load_be32(regs.context());
  if (is_init(regs.op.as) || (regs.op.as == desc::AlgState::kFinal && state_ == 0))
    state_ = (mode & aai::kCrcIvz) != 0 ? 0 : ones_;
  return CcbError::kNone;
}

CcbError Crca::feed(ClassRegs&, DataType type, ByteSpan in, Output&) {
  if (type == DataType::kIcv) {
    icv_.add(in);
    return CcbError::kNone;
  }
  if (type != DataType::kMsg || computed_ || icv_.received()) return CcbError::kSequence;
  state_ = current_->update(state_, in);
  return CcbError::kNone;
}

void Crca::finish(ClassRegs& regs) {
  if (computed_) return;
  computed_ = true;
  const bool final = is_final(regs.op.as);
  uint32_t result = state_;
  if (final && (regs.op.aai & aai::kCrcDoc) == 0) result ^= ones_;
  if (final && (regs.op.aai & aai::kCrcDos) == 0) result = reflect32(result);
  desc::store_be32(regs.context(), result);
}

CcbError Crca::last(ClassRegs& regs, DataType type, Output&) {
  finish(regs);
  return type == DataType::kIcv ? icv_.compare(regs.context(), regs.icv_size, 4) : CcbError::kNone;
}

}  // namespace caamlab::hw_model
