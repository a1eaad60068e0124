// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See aesa_ccm.h.
#include "hw_model/cha/aesa_ccm.h"

#include <cstring>

namespace caamlab::hw_model {
namespace {

constexpr uint8_t kLengthRead = 0x80;
constexpr uint32_t kFirstLongLength = 0xFF00;  // longer AAD has other encodings, which the AESA does not take
constexpr unsigned kStateBytes = 24;           // the tag and the own state

bool all_zero(const uint8_t* p, size_t n) {
  return std::all_of(p, p + n, [](uint8_t b) { return b == 0; });
}

}  // namespace

CcbError AesaCcm::begin(ClassRegs& regs) {
  const KeyRegister* key = aes_key_register(regs, link_);
  if (key == nullptr) return CcbError::kChaCombination;
  if (!is_aes_key_size(key->size)) return CcbError::kKeySize;
  block_.set_key(key->key());
  mac_.set_key(key->key());
  icv_.reset();
  keystream_used_ = 0;
  message_bytes_ = 0;
  in_message_ = computed_ = false;
  uint8_t* ctx = regs.context();
  if (is_init(regs.op.as) || all_zero(ctx + kTag, kStateBytes)) return begin_message(ctx);
  load_state(ctx);
  return CcbError::kNone;
}

CcbError AesaCcm::begin_message(uint8_t* ctx) {
  flags_ = ctx[kMac] & 0x7F;
  length_bytes_ = 0;
  aad_left_ = 0;
  message_left_ = 0;
  for (unsigned i = 16 - counter_bytes(); i < 16; ++i) {
    if ((message_left_ >> 56) != 0) return CcbError::kDataSize;
    message_left_ = message_left_ << 8 | ctx[kMac + i];
  }
  if (message_left_ >> 40 != 0) return CcbError::kDataSize;  // more than the own state can count
  static constexpr uint8_t kZero[16] = {};
  mac_.start(kZero);
  mac_.update({ctx + kMac, 16}, false);
  block_.encrypt(ctx + kTag, ctx + kCounter, 16);
  add_to_counter(ctx + kCounter, 1, counter_bytes());
  return CcbError::kNone;
}

void AesaCcm::load_state(const uint8_t* ctx) {
  const uint64_t state = desc::load_be64(ctx + kState);
  flags_ = ctx[kState] & 0x7F;
  length_bytes_ = (ctx[kState] & kLengthRead) != 0 ? 2 : 0;
  aad_left_ = static_cast<uint32_t>(state >> 40 & 0xFFFF);
  message_left_ = state & 0xFFFFFFFFFF;
  mac_.start(ctx + kMac);
}

void AesaCcm::save_state(uint8_t* ctx) const {
  desc::store_be64(ctx + kState, uint64_t{aad_left_ & 0xFFFF} << 40 | message_left_);
  ctx[kState] = static_cast<uint8_t>(flags_ | (length_bytes_ == 2 ? kLengthRead : 0));
  std::memcpy(ctx + kMac, mac_.value(), 16);
}

CcbError AesaCcm::feed_aad(ByteSpan in) {
  if (!has_aad()) return CcbError::kCcmAad;
  mac_.update(in, false);
  for (; length_bytes_ < 2 && !in.empty(); ++length_bytes_, in = in.subspan(1)) aad_left_ = aad_left_ << 8 | in[0];
  if (length_bytes_ == 2 && aad_left_ >= kFirstLongLength) return CcbError::kCcmAad;
  if (in.size() > aad_left_) return CcbError::kCcmAad;
  if (length_bytes_ == 2) aad_left_ -= static_cast<uint32_t>(in.size());
  return CcbError::kNone;
}

// Everything after the AAD: it must be there as B0 announces it.
CcbError AesaCcm::enter_message() {
  if (in_message_) return CcbError::kNone;
  if (has_aad() && (length_bytes_ < 2 || aad_left_ != 0)) return CcbError::kCcmAad;
  in_message_ = true;
  mac_.pad();
  return CcbError::kNone;
}

void AesaCcm::crypt(ClassRegs& regs, ByteSpan in, Output& out) {
  while (!in.empty()) {
    const std::span<uint8_t> to = out.window(in.size());
    const size_t n = std::min(to.size(), in.size());
    if (regs.op.enc) mac_.update(in.first(n), false);
    block_.ctr(to.data(), in.data(), n, regs.context() + kCounter, keystream_used_, counter_bytes());
    if (!regs.op.enc) mac_.update({to.data(), n}, false);
    out.commit(n);
    in = in.subspan(n);
  }
}

CcbError AesaCcm::feed(ClassRegs& regs, DataType type, ByteSpan in, Output& out) {
  switch (type) {
    case DataType::kAad:
      if (in_message_ || computed_ || icv_.received()) return CcbError::kSequence;
      return feed_aad(in);
    case DataType::kMsg:
      if (computed_ || icv_.received()) return CcbError::kSequence;
      if (const CcbError e = enter_message(); e != CcbError::kNone) return e;
      if (in.size() > message_left_) return CcbError::kDataSize;
      message_left_ -= in.size();
      message_bytes_ += in.size();
      crypt(regs, in, out);
      return CcbError::kNone;
    case DataType::kIcv:
      icv_.add(in);
      return CcbError::kNone;
    default:
      return CcbError::kSequence;
  }
}

CcbError AesaCcm::finish(ClassRegs& regs) {
  if (computed_) return CcbError::kNone;
  computed_ = true;
  uint8_t* ctx = regs.context();
  if (!is_final(regs.op.as)) {
    const bool aad_over = length_bytes_ == 2 && aad_left_ == 0;
    if (aad_over && !in_message_) mac_.pad();
    if (message_bytes_ % 16 != 0 || mac_.held() != 0) return CcbError::kDataSize;
    save_state(ctx);
    return CcbError::kNone;
  }
  if (const CcbError e = enter_message(); e != CcbError::kNone) return e;
  if (message_left_ != 0) return CcbError::kDataSize;
  mac_.pad();
  save_state(ctx);
  if (keystream_used_ != 0) add_to_counter(ctx + kCounter, 1, counter_bytes());
  if (regs.op.enc)
    for (unsigned i = 0; i < 16; ++i) ctx[kTag + i] ^= ctx[kMac + i];
  return CcbError::kNone;
}

CcbError AesaCcm::last(ClassRegs& regs, DataType type, Output&) {
  if (const CcbError e = finish(regs); e != CcbError::kNone) return e;
  if (type != DataType::kIcv) return CcbError::kNone;
  const uint8_t* ctx = regs.context();
  uint8_t tag[16];
  for (unsigned i = 0; i < 16; ++i) tag[i] = ctx[kMac + i] ^ ctx[kTag + i];
  return icv_.compare(tag, regs.icv_size, icv_bytes());
}

}  // namespace caamlab::hw_model
