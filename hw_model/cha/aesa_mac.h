// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// AESA as CMAC and XCBC-MAC, of class 1 or class 2 (hardware.md 4.3). Context: running or final MAC at 0; CMAC: L at
// 16; XCBC: K2 at 16, K3 at 32. After an XCBC INIT the key register holds K1, which UPDATE and FINALIZE take; INITFINAL
// keeps the cipher key. Non-final operations need whole blocks.
// A CMAC context without L (all zero) gets it from the key: one device that was recorded saves its contexts so.
// Assumed: XCBC takes 16-byte keys only.
#pragma once

#include "hw_model/cha/aesa_key.h"
#include "hw_model/cha/arith/aes_block.h"
#include "hw_model/cha/arith/aes_mac.h"
#include "hw_model/cha/icv.h"

namespace caamlab::hw_model {

// The MAC of one operation over a class's key and context.
class AesMac {
 public:
  static constexpr unsigned kMacAt = 0, kConstantsAt = 16;
  enum class Kind : uint8_t { kCmac, kXcbc };

  CcbError begin(Kind kind, desc::AlgState as, KeyRegister& key, uint8_t* context);
  void update(ByteSpan data) { mac_.update(data, true); }
  // Ends the operation; the context gets its MAC.
  CcbError finish(uint8_t* context);

 private:
  void make_constants(uint8_t* context);
  void last_block(const uint8_t* context);

  Kind kind_ = Kind::kCmac;
  desc::AlgState as_ = desc::AlgState::kInitFinal;
  AesBlock block_;
  CbcMacStream mac_;
  std::array<uint8_t, 16> k1_{}, k1_of_{};  // XCBC: K1 and the key it is of
  bool k1_known_ = false;
};

class AesaMac : public Cha {
 public:
  desc::ChaId id() const override { return desc::ChaId::kAes; }
  CcbError start(const ClassRegs&) override { return CcbError::kNone; }
  CcbError begin(ClassRegs& regs) override;
  CcbError feed(ClassRegs& regs, DataType type, ByteSpan in, Output& out) override;
  CcbError flush(ClassRegs&, DataType, Output&) override { return CcbError::kNone; }
  CcbError last(ClassRegs& regs, DataType type, Output& out) override;

 private:
  CcbError finish(ClassRegs& regs);

  AesMac mac_;
  IcvCheck icv_;
  bool computed_ = false;
};

}  // namespace caamlab::hw_model
