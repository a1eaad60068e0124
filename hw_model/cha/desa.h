// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// DESA (hardware.md 4.1): DES and 3DES in ECB, CBC, CFB (64 bits) and OFB; IV at 0 of the context, 8 bytes, where the
// chaining value is left. AS makes no difference. AAI 0x80 checks the parity of the key bytes, which must be odd.
#pragma once

#include "hw_model/cha/arith/des.h"
#include "hw_model/cha/block_cutter.h"

namespace caamlab::hw_model {

class Desa : public Cha {
 public:
  desc::ChaId id() const override { return desc::ChaId::kDes; }
  CcbError start(const ClassRegs&) override { return CcbError::kNone; }
  CcbError begin(ClassRegs& regs) override;
  CcbError feed(ClassRegs& regs, DataType type, ByteSpan in, Output& out) override;
  CcbError flush(ClassRegs&, DataType, Output&) override { return CcbError::kNone; }
  CcbError last(ClassRegs& regs, DataType type, Output& out) override;

 private:
  Des des_;
  BlockCutter<8> cutter_;
  bool whole_blocks_ = false;
};

}  // namespace caamlab::hw_model
