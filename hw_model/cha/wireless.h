// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// SNOW f8 and ZUCE (class 1), SNOW f9 and ZUCA (class 2) (hardware.md 4.7). The library takes whole messages, so the
// data is collected and the output comes at LAST. Context, class 1: COUNT and bearer/direction, SNOW repeats these 8
// bytes, ZUC takes 16 as they are; class 2: COUNT (4), bearer and direction (4), SNOW FRESH (4); MAC at 0 afterwards.
// Bits beyond whole bytes: NUMBITS of the data size. Assumed: the ciphers leave their context as it is; the MACs come
// as INITFINAL only. Not modelled: an operation that goes on in the middle of a keystream.
#pragma once

#include <vector>

#include "hw_model/cha/arith/wireless.h"
#include "hw_model/cha/icv.h"

namespace caamlab::hw_model {

class WirelessCipher : public Cha {
 public:
  WirelessCipher(Wireless* library, desc::ChaId id) : library_(library), id_(id) {}
  desc::ChaId id() const override { return id_; }
  CcbError start(const ClassRegs&) override { return CcbError::kNone; }
  CcbError begin(ClassRegs& regs) override;
  CcbError feed(ClassRegs& regs, DataType type, ByteSpan in, Output& out) override;
  CcbError flush(ClassRegs&, DataType, Output&) override { return CcbError::kNone; }
  CcbError last(ClassRegs& regs, DataType type, Output& out) override;

 private:
  Wireless* library_;
  desc::ChaId id_;
  std::array<uint8_t, Wireless::kIvBytes> iv_{};
  std::vector<uint8_t> data_;  // never shrinks: no allocation after the first message
};

class WirelessMac : public Cha {
 public:
  WirelessMac(Wireless* library, desc::ChaId id) : library_(library), id_(id) {}
  desc::ChaId id() const override { return id_; }
  CcbError start(const ClassRegs& regs) override;
  CcbError begin(ClassRegs& regs) override;
  CcbError feed(ClassRegs& regs, DataType type, ByteSpan in, Output& out) override;
  CcbError flush(ClassRegs&, DataType, Output&) override { return CcbError::kNone; }
  CcbError last(ClassRegs& regs, DataType type, Output& out) override;

 private:
  Wireless* library_;
  desc::ChaId id_;
  std::array<uint8_t, Wireless::kIvBytes> iv_{};
  std::vector<uint8_t> data_;
  IcvCheck icv_;
  bool computed_ = false;
};

}  // namespace caamlab::hw_model
