// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Black keys: keys that leave the device only encrypted, under a key that lives as long as the power (hardware.md 2.3,
// 2.7): the registers JDKEK, TDKEK, TDSK and SKNR, and the two wrappings.
// Assumed: AES-256; a CCM nonce is the six stored bytes behind one zero byte, the nonce counter in them big endian.
// Only the lengths are documented.
#pragma once

#include "desc/jr_status.h"
#include "hw_model/cha/arith/aes_ccm.h"
#include "hw_model/cha/arith/evp_cipher.h"
#include "hw_model/cha/kek_registers.h"

namespace caamlab::hw_model {

enum class Kek : uint8_t { kJob, kTrusted };    // JDKEK, TDKEK
enum class BlackForm : uint8_t { kEcb, kCcm };  // EKT 0, 1

// Bytes of a key of `len` bytes once it is black: ECB rounded up to 16; CCM rounded up to 8, and 12.
constexpr uint32_t black_key_bytes(BlackForm form, uint32_t len) {
  return form == BlackForm::kEcb ? (len + 15) / 16 * 16 : (len + 7) / 8 * 8 + 12;
}

// Wraps and unwraps for one DECO.
class BlackKeys {
 public:
  static constexpr size_t kMaxKeyBytes = 1024;

  // A failure is the DECO's (no KEK, nonces exhausted) or the AESA's (wrong MAC).
  struct Failure {
    desc::DecoError deco = desc::DecoError::kNone;
    desc::CcbError aesa = desc::CcbError::kNone;
    explicit operator bool() const { return deco != desc::DecoError::kNone || aesa != desc::CcbError::kNone; }
  };

  explicit BlackKeys(KekRegisters& keks) : keks_(keks) {}

  // Bytes that wrap() writes for a key of `len` bytes.
  uint32_t wrapped_bytes(BlackForm form, uint32_t len) const {
    return keks_.transparent ? len : black_key_bytes(form, len);
  }
  // Writes wrapped_bytes(form, key.size()) bytes; key: kMaxKeyBytes at most.
  Failure wrap(BlackForm form, Kek kek, desc::ByteSpan key, uint8_t* out);
  // `black`: black_key_bytes(form, len) bytes, of which a transparent device looks at the first `len`. Writes `len`
  // bytes; may be in place.
  Failure unwrap(BlackForm form, Kek kek, desc::ByteSpan black, uint32_t len, uint8_t* out);

 private:
  static constexpr size_t kNonceBytes = 6, kMacBytes = 6;
  desc::ByteSpan kek_bytes(Kek kek) const { return kek == Kek::kJob ? keks_.jdkek : keks_.tdkek; }

  KekRegisters& keks_;
  EvpCipher encrypt_, decrypt_;
  AesCcm ccm_;
};

}  // namespace caamlab::hw_model
