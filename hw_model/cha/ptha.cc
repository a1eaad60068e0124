// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See ptha.h.
#include "hw_model/cha/ptha.h"

#include <cstring>

#include "hw_model/cha/ccha.h"

namespace caamlab::hw_model {
namespace {

uint64_t load_le64(const uint8_t* p) { return desc::bswap64(desc::load_be64(p)); }
void store_le64(uint8_t* p, uint64_t v) { desc::store_be64(p, desc::bswap64(v)); }

}  // namespace

// Needs class 1 to be at ChaCha20 AEAD, with key and nonce in place.
CcbError Ptha::derive_key() {
  const ClassRegs* class1 = link_ == nullptr ? nullptr : link_->class1;
  if (class1 == nullptr || !class1->mode_written || class1->op.alg != desc::Alg::kChaCha20 ||
      class1->op.aai != desc::aai::kAead)
    return CcbError::kChaCombination;
  if (class1->key.size != Ccha::kKeyBytes) return CcbError::kKeySize;
  uint8_t counter_and_nonce[16] = {};
  std::memcpy(counter_and_nonce + Ccha::kNonceAt, class1->context() + Ccha::kNonceAt, 12);
  chacha_.set_key(EVP_chacha20(), class1->key.key(), Direction::kEncrypt);
  chacha_.set_iv(counter_and_nonce);
  key_.fill(0);
  chacha_.update(key_.data(), key_.data(), key_.size());
  return CcbError::kNone;
}

CcbError Ptha::begin(ClassRegs& regs) {
  icv_.reset();
  in_message_ = computed_ = false;
  aad_bytes_ = msg_bytes_ = 0;
  const uint8_t* ctx = regs.context();
  if (is_init(regs.op.as)) {
    if (const CcbError e = derive_key(); e != CcbError::kNone) return e;
    if (is_final(regs.op.as))
      poly_.start(key_);
    else
      poly_.start_open(key_);
    return CcbError::kNone;
  }
  std::copy_n(ctx + kKey, key_.size(), key_.begin());
  aad_bytes_ = load_le64(ctx + kAadBytes);
  msg_bytes_ = load_le64(ctx + kMsgBytes);
  in_message_ = msg_bytes_ != 0;
  poly_.resume(key_, ctx);
  return CcbError::kNone;
}

CcbError Ptha::feed(ClassRegs&, DataType type, ByteSpan in, Output&) {
  switch (type) {
    case DataType::kPoly:
    case DataType::kAad:
      if (in_message_ || computed_ || icv_.received()) return CcbError::kSequence;
      aad_bytes_ += in.size();
      poly_.update(in);
      return CcbError::kNone;
    case DataType::kMsg:
      if (computed_ || icv_.received()) return CcbError::kSequence;
      if (!in_message_) poly_.pad();
      in_message_ = true;
      msg_bytes_ += in.size();
      poly_.update(in);
      return CcbError::kNone;
    case DataType::kIcv:
      icv_.add(in);
      return CcbError::kNone;
    default:
      return CcbError::kSequence;
  }
}

CcbError Ptha::finish(ClassRegs& regs) {
  if (computed_) return CcbError::kNone;
  computed_ = true;
  uint8_t* ctx = regs.context();
  if (!is_final(regs.op.as)) {
    if (in_message_ && msg_bytes_ % 16 != 0) return CcbError::kDataSize;
    poly_.pad();
    poly_.suspend(ctx);
    std::copy(key_.begin(), key_.end(), ctx + kKey);
    store_le64(ctx + kAadBytes, aad_bytes_);
    store_le64(ctx + kMsgBytes, msg_bytes_);
    return CcbError::kNone;
  }
  poly_.pad();
  uint8_t lengths[16];
  store_le64(lengths, aad_bytes_);
  store_le64(lengths + 8, msg_bytes_);
  poly_.update(lengths);
  poly_.finish(ctx + kTag);
  return CcbError::kNone;
}

CcbError Ptha::last(ClassRegs& regs, DataType type, Output&) {
  if (const CcbError e = finish(regs); e != CcbError::kNone) return e;
  return type == DataType::kIcv ? icv_.compare(regs.context() + kTag, regs.icv_size, 16) : CcbError::kNone;
}

}  // namespace caamlab::hw_model
