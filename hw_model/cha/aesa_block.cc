// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See aesa_block.h.
#include "hw_model/cha/aesa_block.h"

namespace caamlab::hw_model {

CcbError AesaBlock::begin(ClassRegs& regs, bool cbc) {
  if (!is_aes_key_size(regs.key.size)) return CcbError::kKeySize;
  cbc_ = cbc;
  encrypt_ = regs.op.enc;
  cutter_.reset();
  key_bytes_ = regs.key.size;
  take_aes_key(regs, key_bytes_, forms_, key_);
  current_ = &ciphers_[encrypt_];
  current_->set_key(aes_cipher(cbc ? AesMode::kCbc : AesMode::kEcb, regs.key.size), {key_, key_bytes_},
                    encrypt_ ? Direction::kEncrypt : Direction::kDecrypt);
  if (cbc) {
    std::memcpy(iv_, regs.context(), 16);
    current_->set_iv(iv_);
  }
  return CcbError::kNone;
}

void AesaBlock::crypt(uint8_t* out, const uint8_t* in, size_t len) {
  if (!cbc_) {
    if (len < AesBulk::kWorthwhile || !bulk_.available()) return current_->update(out, in, len);
    bulk_.set_key({key_, key_bytes_});
    return bulk_.ecb(out, in, len, encrypt_);
  }
  if (!encrypt_) std::memcpy(iv_, in + len - 16, 16);  // before it is overwritten in place
  current_->update(out, in, len);
  if (encrypt_) std::memcpy(iv_, out + len - 16, 16);
}

CcbError AesaBlock::feed(ClassRegs&, DataType type, ByteSpan in, Output& out) {
  if (type != DataType::kMsg) return CcbError::kSequence;
  cutter_.feed(in, out, [this](uint8_t* to, const uint8_t* from, size_t len) { crypt(to, from, len); });
  return CcbError::kNone;
}

CcbError AesaBlock::last(ClassRegs& regs, DataType, Output&) {
  if (cutter_.held() != 0) return CcbError::kDataSize;
  if (cbc_) std::memcpy(regs.context(), iv_, 16);
  return CcbError::kNone;
}

}  // namespace caamlab::hw_model
