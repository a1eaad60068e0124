// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See aesa_gcm.h.
#include "hw_model/cha/aesa_gcm.h"

#include <algorithm>
#include <cstring>

namespace caamlab::hw_model {
namespace {

constexpr unsigned kCounterBytes = 4;  // inc32 of SP 800-38D
constexpr size_t kUsualIv = 12;        // bytes, with the counter behind them
// Far above any IV in use; keeps a looping descriptor from collecting without end.
constexpr size_t kLongestIv = 65536;

bool all_zero(const uint8_t* p, size_t n) {
  return std::all_of(p, p + n, [](uint8_t b) { return b == 0; });
}

}  // namespace

CcbError AesaGcm::start(const ClassRegs&) { return CcbError::kNone; }

CcbError AesaGcm::begin(ClassRegs& regs) {
  key_ = aes_key_register(regs, link_);
  if (key_ == nullptr) return CcbError::kChaCombination;
  if (!is_aes_key_size(key_->size)) return CcbError::kKeySize;
  phase_ = Phase::kIv;
  path_ = Path::kUndecided;
  computed_ = false;
  subkey_ready_ = false;
  aad_bytes_ = msg_bytes_ = 0;
  iv_bytes_ = 0;
  pending_bytes_ = keystream_used_ = 0;
  icv_.reset();
  // FINALIZE of a context that nothing wrote is a whole message; a saved one has its J0.
  continues_ = !is_init(regs.op.as) && !all_zero(regs.context() + kYi, 32);
  if (continues_) start_parts(regs);
  return CcbError::kNone;
}

// Everything a later phase needs from an earlier one happens here, so that FLUSH marks carry no meaning of their own.
CcbError AesaGcm::enter(ClassRegs& regs, Phase phase) {
  if (phase < phase_ || (phase == Phase::kIv && path_ != Path::kUndecided)) return CcbError::kSequence;
  if (phase != Phase::kIv && path_ == Path::kUndecided)
    if (const CcbError e = choose_path(regs); e != CcbError::kNone) return e;
  if (phase_ == Phase::kAad && phase > phase_ && path_ == Path::kParts) pad_hash(regs);
  phase_ = phase;
  return CcbError::kNone;
}

// The IV is complete.
CcbError AesaGcm::choose_path(ClassRegs& regs) {
  if (iv_bytes_ == 0) return CcbError::kSequence;
  // A decryption that neither checks an ICV nor gets its tag from the library needs the open GHASH for the tag.
  const bool library_suffices = regs.op.enc || regs.op.icv || whole_->tag_in_decrypt();
  if (!is_final(regs.op.as) || iv_bytes_ > AesGcm::kMaxIvBytes || !library_suffices) {
    start_parts(regs);
    return CcbError::kNone;
  }
  path_ = Path::kWhole;
  whole_->set_key(key_->key());
  whole_->start(iv(), regs.op.enc);
  return CcbError::kNone;
}

void AesaGcm::prepare_subkey() {
  if (subkey_ready_) return;
  subkey_ready_ = true;
  block_.set_key(key_->key());
  uint8_t h[16] = {};
  block_.encrypt(h, h, sizeof(h));
  ghash_.set_key(h);
}

void AesaGcm::add_iv(ByteSpan in) {
  if (iv_.size() < iv_bytes_ + in.size()) iv_.resize((iv_bytes_ + in.size()) * 2);
  std::memcpy(iv_.data() + iv_bytes_, in.data(), in.size());
  iv_bytes_ += in.size();
}

// J0 of SP 800-38D: the IV itself with a counter of 1, or its hash.
void AesaGcm::derive_y0(uint8_t y0[16]) {
  if (iv_bytes_ == kUsualIv) {
    std::memcpy(y0, iv_.data(), kUsualIv);
    desc::store_be32(y0 + kUsualIv, 1);
    return;
  }
  std::memset(y0, 0, 16);
  uint8_t lengths[16] = {};
  desc::store_be64(lengths + 8, iv_bytes_ * 8);
  ghash_.update(y0, iv());
  ghash_.update(y0, lengths);
}

void AesaGcm::start_parts(ClassRegs& regs) {
  path_ = Path::kParts;
  prepare_subkey();
  uint8_t* ctx = regs.context();
  if (continues_) {
    aad_bytes_ = desc::load_be64(ctx + kAadBits) / 8;
    msg_bytes_ = desc::load_be64(ctx + kMsgBits) / 8;
    phase_ = msg_bytes_ != 0 ? Phase::kMessage : Phase::kAad;
    return;
  }
  std::memset(ctx, 0, kClass1ContextBytes);
  derive_y0(ctx + kY0);
  std::memcpy(ctx + kYi, ctx + kY0, 16);
  add_to_counter(ctx + kYi, 1, kCounterBytes);
}

void AesaGcm::hash(ClassRegs& regs, ByteSpan data) {
  uint8_t* state = regs.context() + kMac;
  while (!data.empty()) {
    if (pending_bytes_ == 0 && data.size() >= 16) {
      const size_t n = data.size() / 16 * 16;
      ghash_.update(state, data.first(n));
      data = data.subspan(n);
      continue;
    }
    const size_t n = std::min<size_t>(16 - pending_bytes_, data.size());
    std::memcpy(pending_ + pending_bytes_, data.data(), n);
    pending_bytes_ += static_cast<unsigned>(n);
    data = data.subspan(n);
    if (pending_bytes_ == 16) pad_hash(regs);
  }
}

void AesaGcm::pad_hash(ClassRegs& regs) {
  ghash_.update(regs.context() + kMac, ByteSpan(pending_, pending_bytes_));
  pending_bytes_ = 0;
}

void AesaGcm::crypt(ClassRegs& regs, ByteSpan in, Output& out) {
  while (!in.empty()) {
    const std::span<uint8_t> to = out.window(in.size());
    const size_t n = std::min(to.size(), in.size());
    if (path_ == Path::kWhole) {
      whole_->crypt(to.data(), in.data(), n);
    } else {
      // In place the ciphertext must be hashed on its own side of the encryption.
      if (!regs.op.enc) hash(regs, in.first(n));
      block_.ctr(to.data(), in.data(), n, regs.context() + kYi, keystream_used_, kCounterBytes);
      if (regs.op.enc) hash(regs, ByteSpan(to.data(), n));
    }
    out.commit(n);
    in = in.subspan(n);
  }
}

CcbError AesaGcm::feed(ClassRegs& regs, DataType type, ByteSpan in, Output& out) {
  switch (type) {
    case DataType::kIv:
      if (const CcbError e = enter(regs, Phase::kIv); e != CcbError::kNone) return e;
      if (iv_bytes_ + in.size() > kLongestIv) return CcbError::kDataSize;
      add_iv(in);
      return CcbError::kNone;
    case DataType::kAad:
    case DataType::kSad:
      if (const CcbError e = enter(regs, Phase::kAad); e != CcbError::kNone) return e;
      aad_bytes_ += in.size();
      if (path_ == Path::kWhole)
        whole_->aad(in);
      else
        hash(regs, in);
      if (type == DataType::kSad) out.put(in);
      return CcbError::kNone;
    case DataType::kMsg:
      if (const CcbError e = enter(regs, Phase::kMessage); e != CcbError::kNone) return e;
      msg_bytes_ += in.size();
      crypt(regs, in, out);
      return CcbError::kNone;
    case DataType::kIcv:
      if (const CcbError e = enter(regs, Phase::kIcv); e != CcbError::kNone) return e;
      icv_.add(in);
      return CcbError::kNone;
    default:
      return CcbError::kSequence;
  }
}

CcbError AesaGcm::flush(ClassRegs&, DataType, Output&) { return CcbError::kNone; }

CcbError AesaGcm::last(ClassRegs& regs, DataType type, Output&) {
  if (type == DataType::kIcv) return check_icv(regs);
  if (path_ == Path::kUndecided)
    if (const CcbError e = choose_path(regs); e != CcbError::kNone) return e;
  return finish(regs);
}

CcbError AesaGcm::finish(ClassRegs& regs) {
  if (computed_) return CcbError::kNone;
  computed_ = true;
  uint8_t* ctx = regs.context();
  if (path_ == Path::kWhole) {
    if (regs.op.enc || whole_->tag_in_decrypt()) whole_->tag(ctx + kMac);
    if (iv_bytes_ != kUsualIv) prepare_subkey();
    derive_y0(ctx + kY0);
    const auto blocks = static_cast<uint32_t>(1 + (msg_bytes_ + 15) / 16);
    std::memcpy(ctx + kYi, ctx + kY0, kUsualIv);
    desc::store_be32(ctx + kYi + kUsualIv, desc::load_be32(ctx + kY0 + kUsualIv) + blocks);
    desc::store_be64(ctx + kAadBits, aad_bytes_ * 8);
    desc::store_be64(ctx + kMsgBits, msg_bytes_ * 8);
    return CcbError::kNone;
  }
  if (!is_final(regs.op.as)) return save(regs);

  pad_hash(regs);
  uint8_t lengths[16], mask[16];
  desc::store_be64(lengths, aad_bytes_ * 8);
  desc::store_be64(lengths + 8, msg_bytes_ * 8);
  ghash_.update(ctx + kMac, lengths);
  block_.encrypt(mask, ctx + kY0, 16);
  for (unsigned i = 0; i < 16; ++i) ctx[kMac + i] ^= mask[i];
  std::memcpy(ctx + kAadBits, lengths, 16);
  return CcbError::kNone;
}

// An operation that is not the last needs whole blocks of message; AAD may end anywhere, its block is padded when the
// message begins.
CcbError AesaGcm::save(ClassRegs& regs) {
  if (msg_bytes_ % 16 != 0) return CcbError::kDataSize;
  if (phase_ == Phase::kAad && pending_bytes_ != 0) pad_hash(regs);
  desc::store_be64(regs.context() + kAadBits, aad_bytes_ * 8);
  desc::store_be64(regs.context() + kMsgBits, msg_bytes_ * 8);
  return CcbError::kNone;
}

CcbError AesaGcm::check_icv(ClassRegs& regs) {
  // AS UPDATE with ICV checking compares with a tag that an earlier operation left in the context.
  const bool context_has_tag = continues_ && !is_final(regs.op.as);
  if (!context_has_tag)
    if (const CcbError e = finish(regs); e != CcbError::kNone) return e;
  const bool library_checks = path_ == Path::kWhole && !regs.op.enc && !whole_->tag_in_decrypt();
  if (!library_checks) return icv_.compare(regs.context() + kMac, regs.icv_size, 16);
  return whole_->verify(icv_.expected(regs.icv_size, 16)) ? CcbError::kNone : CcbError::kIcvCheck;
}

}  // namespace caamlab::hw_model
