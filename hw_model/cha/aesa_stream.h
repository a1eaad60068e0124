// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// AESA in CTR, CFB128 and OFB mode (hardware.md 4.1): any length; AS makes no difference. CTR has its counter block at
// 16 of the context and leaves the next one there, a partial last block counted; AAI 0x01 to 0x0F let only that many
// low bytes count. CFB and OFB have the IV at 0 and leave the last ciphertext or keystream block.
// Assumed: after a partial last block of CFB the bytes behind it are keystream, as libcrypto leaves them.
#pragma once

#include "hw_model/cha/aesa_key.h"
#include "hw_model/cha/arith/aes_bulk.h"
#include "hw_model/cha/arith/evp_cipher.h"

namespace caamlab::hw_model {

class AesaStream : public Cha {
 public:
  static constexpr unsigned kCounterAt = 16;

  desc::ChaId id() const override { return desc::ChaId::kAes; }
  CcbError start(const ClassRegs&) override { return CcbError::kNone; }
  CcbError begin(ClassRegs& regs) override;
  CcbError feed(ClassRegs& regs, DataType type, ByteSpan in, Output& out) override;
  CcbError flush(ClassRegs&, DataType, Output&) override { return CcbError::kNone; }
  CcbError last(ClassRegs& regs, DataType type, Output& out) override;

  // For modes that contain one of these. counter_bytes: 1 to 16; 0 if not CTR.
  CcbError begin(ClassRegs& regs, AesMode mode, unsigned counter_bytes);

 private:
  void crypt(uint8_t* out, const uint8_t* in, size_t len);
  void count(uint8_t* out, const uint8_t* in, size_t len);
  size_t count_in_bulk(uint8_t* out, const uint8_t* in, size_t len);
  void restart_counter(uint64_t left_to_wrap);

  EvpCipher ciphers_[4];  // CTR, OFB, CFB by direction
  EvpCipher* current_ = nullptr;
  AesMode mode_ = AesMode::kCtr;
  unsigned counter_bytes_ = 0;
  AesBulk bulk_;  // CTR
  uint8_t key_[32] = {};
  size_t key_bytes_ = 0;
  uint8_t counter_[16] = {};    // where it was set last
  uint64_t bytes_ = 0;          // since then
  uint64_t bytes_to_wrap_ = 0;  // from then; no library's counter wraps early
  bool in_step_ = false;        // libcrypto's counter has followed; else at a block boundary
};

}  // namespace caamlab::hw_model
