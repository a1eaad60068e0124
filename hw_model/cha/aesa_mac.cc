// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See aesa_mac.h.
#include "hw_model/cha/aesa_mac.h"

#include <cstring>

namespace caamlab::hw_model {
namespace {

// Twice the value in GF(2^128), big endian: the step from L to K1 and from K1 to K2 of SP 800-38B.
void double_block(uint8_t b[16]) {
  const bool carry = (b[0] & 0x80) != 0;
  for (unsigned i = 0; i < 15; ++i) b[i] = static_cast<uint8_t>(b[i] << 1 | b[i + 1] >> 7);
  b[15] = static_cast<uint8_t>(b[15] << 1 ^ (carry ? 0x87 : 0));
}

bool all_zero(const uint8_t* p, size_t n) {
  return std::all_of(p, p + n, [](uint8_t b) { return b == 0; });
}

}  // namespace

CcbError AesMac::begin(Kind kind, desc::AlgState as, KeyRegister& key, uint8_t* context) {
  kind_ = kind;
  as_ = as;
  const bool good_size = kind == Kind::kXcbc ? key.size == 16 : is_aes_key_size(key.size);
  if (!good_size) return CcbError::kKeySize;
  const bool without_l = kind == Kind::kCmac && all_zero(context + kConstantsAt, 16);
  if (is_init(as) || without_l) {
    block_.set_key(key.key());
    if (is_init(as)) std::memset(context + kMacAt, 0, 16);
    make_constants(context);
  }
  if (kind == Kind::kXcbc && is_init(as)) {
    if (!k1_known_ || !std::equal(k1_of_.begin(), k1_of_.end(), key.bytes.begin())) {
      std::copy_n(key.bytes.begin(), 16, k1_of_.begin());
      k1_.fill(0x01);
      block_.encrypt(k1_.data(), k1_.data(), 16);
      k1_known_ = true;
    }
    if (as == desc::AlgState::kInit) std::copy(k1_.begin(), k1_.end(), key.bytes.begin());
    mac_.set_key(k1_);
  } else {
    mac_.set_key(key.key());
  }
  mac_.start(context + kMacAt);
  return CcbError::kNone;
}

// L, or K2 and K3.
void AesMac::make_constants(uint8_t* context) {
  uint8_t* c = context + kConstantsAt;
  if (kind_ == Kind::kCmac) {
    std::memset(c, 0, 16);
    block_.encrypt(c, c, 16);
    return;
  }
  std::memset(c, 0x02, 16);
  std::memset(c + 16, 0x03, 16);
  block_.encrypt(c, c, 32);
}

void AesMac::last_block(const uint8_t* context) {
  const unsigned n = mac_.held();
  uint8_t block[16] = {};
  std::memcpy(block, mac_.held_bytes(), n);
  if (n < 16) block[n] = 0x80;
  uint8_t mask[16];
  if (kind_ == Kind::kCmac) {
    std::memcpy(mask, context + kConstantsAt, 16);
    double_block(mask);
    if (n < 16) double_block(mask);
  } else {
    std::memcpy(mask, context + kConstantsAt + (n < 16 ? 16 : 0), 16);
  }
  for (unsigned i = 0; i < 16; ++i) block[i] ^= mask[i];
  mac_.finish_block(block);
}

CcbError AesMac::finish(uint8_t* context) {
  if (is_final(as_)) {
    last_block(context);
  } else {
    if (mac_.held() % 16 != 0) return CcbError::kDataSize;
    mac_.pad();
  }
  std::memcpy(context + kMacAt, mac_.value(), 16);
  return CcbError::kNone;
}

CcbError AesaMac::begin(ClassRegs& regs) {
  icv_.reset();
  computed_ = false;
  const bool cmac = (regs.op.aai & 0xF0) == desc::aai::kCmac;
  return mac_.begin(cmac ? AesMac::Kind::kCmac : AesMac::Kind::kXcbc, regs.op.as, regs.key, regs.context());
}

CcbError AesaMac::feed(ClassRegs&, DataType type, ByteSpan in, Output&) {
  if (type == DataType::kIcv) {
    icv_.add(in);
    return CcbError::kNone;
  }
  if (type != DataType::kMsg || computed_ || icv_.received()) return CcbError::kSequence;
  mac_.update(in);
  return CcbError::kNone;
}

CcbError AesaMac::finish(ClassRegs& regs) {
  if (computed_) return CcbError::kNone;
  computed_ = true;
  return mac_.finish(regs.context());
}

CcbError AesaMac::last(ClassRegs& regs, DataType type, Output&) {
  if (const CcbError e = finish(regs); e != CcbError::kNone) return e;
  if (type != DataType::kIcv) return CcbError::kNone;
  return icv_.compare(regs.context() + AesMac::kMacAt, regs.icv_size, 16);
}

}  // namespace caamlab::hw_model
