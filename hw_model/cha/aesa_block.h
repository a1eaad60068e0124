// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// AESA in ECB and CBC mode (hardware.md 4.1): IV at 0 of the context, where the last ciphertext block is left.
// AS makes no difference. Not modelled: ciphertext stealing (its AAI is not known).
#pragma once

#include "hw_model/cha/aesa_key.h"
#include "hw_model/cha/arith/aes_bulk.h"
#include "hw_model/cha/arith/evp_cipher.h"
#include "hw_model/cha/block_cutter.h"

namespace caamlab::hw_model {

class AesaBlock : public Cha {
 public:
  desc::ChaId id() const override { return desc::ChaId::kAes; }
  CcbError start(const ClassRegs&) override { return CcbError::kNone; }
  CcbError begin(ClassRegs& regs) override { return begin(regs, (regs.op.aai & 0xF0) == desc::aai::kCbc); }
  CcbError feed(ClassRegs& regs, DataType type, ByteSpan in, Output& out) override;
  CcbError flush(ClassRegs&, DataType, Output&) override { return CcbError::kNone; }
  CcbError last(ClassRegs& regs, DataType type, Output& out) override;

  // For modes that contain one of these.
  CcbError begin(ClassRegs& regs, bool cbc);

 private:
  void crypt(uint8_t* out, const uint8_t* in, size_t len);

  EvpCipher ciphers_[2];  // by direction
  EvpCipher* current_ = nullptr;
  AesBulk bulk_;  // ECB
  AesKeyForms forms_;
  uint8_t key_[32] = {};
  size_t key_bytes_ = 0;
  BlockCutter<16> cutter_;
  uint8_t iv_[16] = {};
  bool cbc_ = false, encrypt_ = false;
};

}  // namespace caamlab::hw_model
