// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// AESA in XTS mode (hardware.md 4.2): two keys in one register; context 0x20 sector index, 0x28 sector size (64 bits,
// big endian), 0x30 upper half of the tweak (era 9 on; zero before). A message may span sectors; each may end in a
// partial block, which takes ciphertext stealing.
// Assumed: the index steps as a little-endian number with carry into the upper half, when the first byte of the next
// sector comes; the context is left at the index last used; sectors of less than 16 bytes are data size errors.
#pragma once

#include "hw_model/cha/aesa_key.h"
#include "hw_model/cha/arith/aes_xts.h"

namespace caamlab::hw_model {

class AesaXts : public Cha {
 public:
  static constexpr unsigned kIndexAt = 0x20, kSectorSizeAt = 0x28, kUpperIndexAt = 0x30;

  explicit AesaXts(bool wide_tweak) : wide_tweak_(wide_tweak) {}
  desc::ChaId id() const override { return desc::ChaId::kAes; }
  CcbError start(const ClassRegs&) override { return CcbError::kNone; }
  CcbError begin(ClassRegs& regs) override;
  CcbError feed(ClassRegs& regs, DataType type, ByteSpan in, Output& out) override;
  CcbError flush(ClassRegs&, DataType, Output&) override { return CcbError::kNone; }
  CcbError last(ClassRegs& regs, DataType type, Output& out) override;

 private:
  void next_sector();
  void hold(ByteSpan& in, size_t n);
  void crypt_blocks(ByteSpan& in, size_t len, Output& out);
  void crypt_end(size_t len, Output& out);

  const bool wide_tweak_;
  AesXts xts_;
  AesKeyForms forms_;
  uint8_t tweak_[16] = {};
  uint64_t sector_bytes_ = 0, left_ = 0;  // left_: of the sector
  // The end of what came, which a partial block behind it might need: at most a block and a partial one.
  uint8_t held_[32] = {};
  size_t held_bytes_ = 0;
};

}  // namespace caamlab::hw_model
