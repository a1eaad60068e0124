// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// AESA in CCM mode (hardware.md 4.4). Software puts B0 and CTR0 into the context and opens the AAD with its two-byte
// length. Afterwards: CBC-MAC at 0, counter at 16, encrypted MAC (decryption: E(K, CTR0)) at 32, own state at 48.
// Assumed: own state = the flags byte of B0 with bit 7 for "AAD length read", AAD bytes to come (2), message bytes to
// come (5); more AAD than announced is an AAD size error; UPDATE or FINALIZE over an empty own state begins a message.
#pragma once

#include "hw_model/cha/aesa_key.h"
#include "hw_model/cha/arith/aes_block.h"
#include "hw_model/cha/arith/aes_mac.h"
#include "hw_model/cha/icv.h"

namespace caamlab::hw_model {

class AesaCcm : public Cha {
 public:
  static constexpr unsigned kMac = 0, kCounter = 16, kTag = 32, kState = 48;

  explicit AesaCcm(const ClassLink* link) : link_(link) {}
  desc::ChaId id() const override { return desc::ChaId::kAes; }
  CcbError start(const ClassRegs&) override { return CcbError::kNone; }
  CcbError begin(ClassRegs& regs) override;
  CcbError feed(ClassRegs& regs, DataType type, ByteSpan in, Output& out) override;
  CcbError flush(ClassRegs&, DataType, Output&) override { return CcbError::kNone; }
  CcbError last(ClassRegs& regs, DataType type, Output& out) override;

 private:
  CcbError begin_message(uint8_t* ctx);
  void load_state(const uint8_t* ctx);
  void save_state(uint8_t* ctx) const;
  CcbError feed_aad(ByteSpan in);
  CcbError enter_message();
  void crypt(ClassRegs& regs, ByteSpan in, Output& out);
  CcbError finish(ClassRegs& regs);

  bool has_aad() const { return (flags_ & 0x40) != 0; }
  unsigned counter_bytes() const { return (flags_ & 7u) + 1; }
  unsigned icv_bytes() const { return (flags_ >> 3 & 7u) * 2 + 2; }

  const ClassLink* link_;
  AesBlock block_;
  CbcMacStream mac_;
  IcvCheck icv_;
  uint8_t flags_ = 0;
  unsigned length_bytes_ = 0;  // of the AAD's length encoding, read so far
  uint32_t aad_left_ = 0;
  uint64_t message_left_ = 0, message_bytes_ = 0;  // message_bytes_: in this operation
  unsigned keystream_used_ = 0;
  bool in_message_ = false, computed_ = false;
};

}  // namespace caamlab::hw_model
