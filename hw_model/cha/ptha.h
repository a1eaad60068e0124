// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// PTHA, Poly1305 as the class 2 half of the ChaCha20-Poly1305 AEAD (hardware.md 4.8, RFC 8439 2.8). The one-time key is
// block 0 of the keystream under class 1's key and nonce, taken when class 2's first data arrives. AAD comes as type
// Poly (or AAD) without its zero padding, then the ciphertext; the padding and the two lengths are added here. Tag at 0
// of the class 2 context. Assumed, for operations that are not INITFINAL: accumulator at 0 (17 bytes), key at 24, AAD
// and message length at 56 and 64 (little endian); non-final ones end on whole blocks.
#pragma once

#include "hw_model/cha/arith/evp_cipher.h"
#include "hw_model/cha/arith/poly1305.h"
#include "hw_model/cha/class_link.h"
#include "hw_model/cha/icv.h"

namespace caamlab::hw_model {

class Ptha : public Cha {
 public:
  static constexpr unsigned kTag = 0, kKey = 24, kAadBytes = 56, kMsgBytes = 64;

  explicit Ptha(const ClassLink* link) : link_(link) {}
  desc::ChaId id() const override { return desc::ChaId::kPtha; }
  CcbError start(const ClassRegs&) override { return CcbError::kNone; }
  CcbError begin(ClassRegs& regs) override;
  CcbError feed(ClassRegs& regs, DataType type, ByteSpan in, Output& out) override;
  CcbError flush(ClassRegs&, DataType, Output&) override { return CcbError::kNone; }
  CcbError last(ClassRegs& regs, DataType type, Output& out) override;

 private:
  CcbError derive_key();
  CcbError finish(ClassRegs& regs);

  const ClassLink* link_;
  EvpCipher chacha_;
  Poly1305 poly_;
  IcvCheck icv_;
  std::array<uint8_t, 32> key_{};
  uint64_t aad_bytes_ = 0, msg_bytes_ = 0;
  bool in_message_ = false, computed_ = false;
};

}  // namespace caamlab::hw_model
