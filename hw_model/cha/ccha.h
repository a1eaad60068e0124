// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// CCHA, ChaCha20 (hardware.md 4.8). Context: block counter (4 bytes, little endian) and nonce (12); BC8: counter and
// nonce of 8 bytes each. AEAD (with Poly1305 in class 2): INIT starts data at block 1 whatever the counter says, block
// 0 is for the Poly1305 key. Keystream only: the message's length is taken, its bytes are not. Assumed: the counter is
// left at the next block, a partial one counted.
#pragma once

#include "hw_model/cha/arith/evp_cipher.h"
#include "hw_model/cha/cha.h"

namespace caamlab::hw_model {

class Ccha : public Cha {
 public:
  static constexpr unsigned kKeyBytes = 32, kNonceAt = 4;

  desc::ChaId id() const override { return desc::ChaId::kCcha; }
  CcbError start(const ClassRegs& regs) override;
  CcbError begin(ClassRegs& regs) override;
  CcbError feed(ClassRegs& regs, DataType type, ByteSpan in, Output& out) override;
  CcbError flush(ClassRegs&, DataType, Output&) override { return CcbError::kNone; }
  CcbError last(ClassRegs& regs, DataType type, Output& out) override;

 private:
  void restart();
  void crypt(uint8_t* out, const uint8_t* in, size_t len);

  EvpCipher chacha_;
  std::array<uint8_t, 16> block_{};  // counter and nonce at the last restart
  uint64_t bytes_ = 0;               // since then
  bool wide_counter_ = false;
};

}  // namespace caamlab::hw_model
