// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// CRCA (hardware.md 4.7): CRC-32, CRC-32C, or a polynomial of the user. State at 0 of the class 2 context, 4 bytes, big
// endian, where the result comes. Input bytes are bit-reversed unless DIS; at the end the value is bit-reversed unless
// DOS and complemented unless DOC. It begins with all ones, with IVZ at zero. Assumed: between operations the state
// lies there as it is, most significant bit first; FINALIZE over a context of zeros begins a message; a custom
// polynomial is the first word of the key, aligned to the top, its highest term not written, and is as wide as its
// constant term says.
#pragma once

#include "hw_model/cha/arith/crc32.h"
#include "hw_model/cha/icv.h"

namespace caamlab::hw_model {

class Crca : public Cha {
 public:
  desc::ChaId id() const override { return desc::ChaId::kCrca; }
  CcbError start(const ClassRegs& regs) override;
  CcbError begin(ClassRegs& regs) override;
  CcbError feed(ClassRegs& regs, DataType type, ByteSpan in, Output& out) override;
  CcbError flush(ClassRegs&, DataType, Output&) override { return CcbError::kNone; }
  CcbError last(ClassRegs& regs, DataType type, Output& out) override;

 private:
  void finish(ClassRegs& regs);

  // By polynomial, so that a change of algorithm builds no tables.
  Crc32 crc_[3];
  Crc32* current_ = nullptr;
  IcvCheck icv_;
  uint32_t state_ = 0;
  uint32_t ones_ = 0;  // all bits of a CRC of this width
  bool computed_ = false;
};

}  // namespace caamlab::hw_model
