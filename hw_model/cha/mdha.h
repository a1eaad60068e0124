// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// MDHA (hardware.md 4.6): MD5, SHA-1, SHA-2 as hash, HMAC from a raw or a split key, and the SSL 3.0 MAC (SMAC).
// Context: running state at 0, behind it the message length in bytes (8, big endian; HMAC counts the key's block).
// After a final operation the state begins with the digest. HMAC INIT and INITFINAL put the split key in place of the
// raw key. Non-final operations need whole blocks. ENC has no effect. Assumed: SMAC, whose key and padding are not a
// whole block for SHA-1, comes as INITFINAL only.
#pragma once

#include "hw_model/cha/arith/hash_state.h"
#include "hw_model/cha/icv.h"

namespace caamlab::hw_model {

class Mdha : public Cha {
 public:
  desc::ChaId id() const override { return desc::ChaId::kMdha; }
  CcbError start(const ClassRegs& regs) override;
  CcbError begin(ClassRegs& regs) override;
  CcbError feed(ClassRegs& regs, DataType type, ByteSpan in, Output& out) override;
  CcbError flush(ClassRegs&, DataType, Output&) override { return CcbError::kNone; }
  CcbError last(ClassRegs& regs, DataType type, Output& out) override;

 private:
  CcbError take_split_key(ClassRegs& regs);
  CcbError finish(ClassRegs& regs);
  void run_outer(ClassRegs& regs);

  HashState hash_;
  IcvCheck icv_;
  std::array<uint8_t, kMaxSplitKey> split_{};
  bool computed_ = false;
};

}  // namespace caamlab::hw_model
