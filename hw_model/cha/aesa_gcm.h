// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// AESA in GCM and GMAC mode (hardware.md 4.5). A message in one operation (AS INITFINAL, or FINALIZE on an untouched
// context) runs on the library's whole-message GCM; operations that begin or end in the middle keep their state in the
// context register and run on the open GHASH.
#pragma once

#include <vector>

#include "hw_model/cha/aesa_key.h"
#include "hw_model/cha/arith/aes_block.h"
#include "hw_model/cha/arith/aes_gcm.h"
#include "hw_model/cha/arith/ghash.h"
#include "hw_model/cha/icv.h"

namespace caamlab::hw_model {

class AesaGcm : public Cha {
 public:
  // Context layout, bytes. Lengths are bits, big endian (hardware.md 11, question 31).
  static constexpr unsigned kMac = 0, kYi = 16, kY0 = 32, kAadBits = 48, kMsgBits = 56;

  explicit AesaGcm(std::unique_ptr<AesGcm> library = make_aes_gcm(), const ClassLink* link = nullptr)
      : whole_(std::move(library)), link_(link) {}

  desc::ChaId id() const override { return desc::ChaId::kAes; }
  CcbError start(const ClassRegs& regs) override;
  CcbError begin(ClassRegs& regs) override;
  CcbError feed(ClassRegs& regs, DataType type, ByteSpan in, Output& out) override;
  CcbError flush(ClassRegs& regs, DataType type, Output& out) override;
  CcbError last(ClassRegs& regs, DataType type, Output& out) override;

 private:
  // The order in which data may come; a step back is "data out of sequence".
  enum class Phase : uint8_t { kIv, kAad, kMessage, kIcv };
  enum class Path : uint8_t { kUndecided, kWhole, kParts };

  CcbError enter(ClassRegs& regs, Phase phase);
  CcbError choose_path(ClassRegs& regs);
  void prepare_subkey();
  void start_parts(ClassRegs& regs);
  ByteSpan iv() const { return ByteSpan(iv_).first(iv_bytes_); }
  void add_iv(ByteSpan in);
  void derive_y0(uint8_t y0[16]);
  void hash(ClassRegs& regs, ByteSpan data);
  void pad_hash(ClassRegs& regs);
  void crypt(ClassRegs& regs, ByteSpan in, Output& out);
  CcbError finish(ClassRegs& regs);
  CcbError save(ClassRegs& regs);
  CcbError check_icv(ClassRegs& regs);

  std::unique_ptr<AesGcm> whole_;
  const ClassLink* link_;
  const KeyRegister* key_ = nullptr;  // of this operation
  AesBlock block_;
  Ghash ghash_;
  Phase phase_ = Phase::kIv;
  Path path_ = Path::kUndecided;
  bool subkey_ready_ = false;  // block_ and ghash_ hold this operation's key
  bool continues_ = false;     // AS UPDATE or FINALIZE on a context in work
  bool computed_ = false;      // the message is over; in decryption the ICV may still come
  uint64_t aad_bytes_ = 0, msg_bytes_ = 0;
  std::vector<uint8_t> iv_ = std::vector<uint8_t>(16);  // never shrinks: no allocation after the first message
  size_t iv_bytes_ = 0;                                 // of it
  uint8_t pending_[16] = {};                            // kParts: bytes of a GHASH block not yet full
  unsigned pending_bytes_ = 0;
  unsigned keystream_used_ = 0;
  IcvCheck icv_;
};

}  // namespace caamlab::hw_model
