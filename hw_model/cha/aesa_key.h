// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What the AESA's modes share: which register the key comes from, and the register's decryption form
// (hardware.md 2.13).
#pragma once

#include "hw_model/cha/arith/aes_key.h"
#include "hw_model/cha/cha.h"
#include "hw_model/cha/class_link.h"

namespace caamlab::hw_model {

constexpr bool is_aes_key_size(size_t n) { return n == 16 || n == 24 || n == 32; }

// The key of an operation that may ask for the class 2 key (AAI C2K); null if it does and there is no class 2.
inline const KeyRegister* aes_key_register(const ClassRegs& regs, const ClassLink* link) {
  if ((regs.op.aai & desc::aai::kC2k) == 0) return &regs.key;
  return link != nullptr && link->class2 != nullptr ? &link->class2->key : nullptr;
}

// Takes the cipher key of an ECB, CBC or XTS operation from the first `len` bytes of the class 1 key register into
// `cipher_key`. A decryption leaves the decryption form there, whatever data comes.
inline void take_aes_key(ClassRegs& regs, size_t len, AesKeyForms& forms, uint8_t* cipher_key) {
  const ByteSpan stored(regs.key.bytes.data(), len);
  const bool from_decrypt_form = !regs.op.enc && (regs.op.aai & desc::aai::kDk) != 0;
  const ByteSpan key = from_decrypt_form ? forms.cipher_key(stored) : stored;
  std::copy(key.begin(), key.end(), cipher_key);
  if (regs.op.enc || from_decrypt_form) return;
  const ByteSpan left = forms.decryption_form(stored);
  std::copy(left.begin(), left.end(), regs.key.bytes.begin());
  regs.key.decrypt_form = true;
}

}  // namespace caamlab::hw_model
