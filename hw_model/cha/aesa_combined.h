// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// AESA in one of its combined modes (hardware.md 4.3): CBC or CTR under key 1 with XCBC-MAC or CMAC under key 2 in one
// pass, made of the single modes. IV or counter as in those; the MAC's context and result are in class 2. The MAC is
// over the ciphertext, in LTE order (AAI 0xD0) over the plaintext.
// Assumed: AAD goes into the MAC only, in front of the message.
#pragma once

#include "hw_model/cha/aesa_block.h"
#include "hw_model/cha/aesa_mac.h"
#include "hw_model/cha/aesa_stream.h"

namespace caamlab::hw_model {

class AesaCombined : public Cha {
 public:
  explicit AesaCombined(const ClassLink* link) : link_(link) {}
  desc::ChaId id() const override { return desc::ChaId::kAes; }
  CcbError start(const ClassRegs&) override { return CcbError::kNone; }
  CcbError begin(ClassRegs& regs) override;
  CcbError feed(ClassRegs& regs, DataType type, ByteSpan in, Output& out) override;
  CcbError flush(ClassRegs&, DataType, Output&) override { return CcbError::kNone; }
  CcbError last(ClassRegs& regs, DataType type, Output& out) override;

 private:
  CcbError finish(ClassRegs& regs, Output& out);

  const ClassLink* link_;
  AesaBlock cbc_;
  AesaStream ctr_;
  Cha* cipher_ = nullptr;
  AesMac mac_;
  IcvCheck icv_;
  bool mac_over_input_ = false, in_message_ = false, computed_ = false;
};

}  // namespace caamlab::hw_model
