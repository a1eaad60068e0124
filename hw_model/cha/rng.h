// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// RNG4 (hardware.md 4.9): two state handles, each a Hash_DRBG with SHA-256, and the secure keys it makes. One a device,
// shared by all DECOs; calls may come from several threads.
// Assumed: a handle instantiated in test mode answers test-mode operations only and the reverse (error 5);
// uninstantiate takes any handle that is there (else error 8); secure keys come from handle 0 only. Left out: the
// health tests (error 0xC never comes) and the reseed interval.
#pragma once

#include <mutex>

#include "hw_model/cha/arith/hash_drbg.h"
#include "hw_model/cha/black_key.h"
#include "hw_model/cha/cha.h"

namespace caamlab::hw_model {

// What seeds the DRBGs: the TRNG of the device.
class EntropySource {
 public:
  virtual ~EntropySource() = default;
  // False: none to be had, the operation ends with a hardware error.
  virtual bool entropy(std::span<uint8_t> out) = 0;
};

class Rng {
 public:
  // Both must outlive this.
  Rng(EntropySource& source, KekRegisters& keks) : source_(source), keks_(keks) {}

  // Power-on: no handle but those `rdsta` names (what boot firmware left), secure keys by its SKVN bit.
  void reset(uint32_t rdsta);

  // What parts before RNG4 do at power-on: secure keys without being asked, from the device's own generator.
  void load_keys();

  // Operations that end by themselves: instantiate, reseed, uninstantiate, and generate with SK. Test entropy, nonce
  // and personalization or additional input come from the class registers.
  CcbError execute(const desc::AlgOperation& op, const ClassRegs& class1, const ClassRegs& class2);
  static bool generates_data(const desc::AlgOperation& op);
  // Generate without SK: `n` bytes. Additional input from class 1's context.
  CcbError generate(const desc::AlgOperation& op, const ClassRegs& class1, size_t n, Output& out);
  CcbError generate(const desc::AlgOperation& op, const ClassRegs& class1, std::span<uint8_t> out);

  // For the device itself (NFIFO padding, IVs, nonces of protocols): handle 0, or where nobody instantiated it a
  // generator of the device's own.
  void device_bytes(std::span<uint8_t> out);
  // Is handle 0 there and not in test mode? What signing needs.
  bool ready() const;

  uint32_t rdsta() const;

 private:
  struct Handle {
    HashDrbg drbg;
    bool instantiated = false, prediction_resistance = false, test = false;
  };
  static constexpr size_t kEntropyBytes = 32, kNonceBytes = 16;

  Handle& handle_of(const desc::AlgOperation& op);
  CcbError instantiate(Handle& h, const desc::AlgOperation& op, const ClassRegs& class1, const ClassRegs& class2);
  CcbError reseed(Handle& h, const desc::AlgOperation& op, const ClassRegs& class1);
  CcbError make_secure_keys(Handle& h, const desc::AlgOperation& op);
  CcbError check(const Handle& h, const desc::AlgOperation& op) const;
  CcbError fill(Handle& h, const desc::AlgOperation& op, const ClassRegs& class1, std::span<uint8_t> out);
  bool seed(Handle& h, ByteSpan personalization);
  CcbError note(CcbError error);

  mutable std::mutex mutex_;
  EntropySource& source_;
  KekRegisters& keks_;
  Handle handles_[2];
  Handle own_;
  bool keys_valid_ = false, keys_test_ = false;
  CcbError last_error_ = CcbError::kNone;
};

}  // namespace caamlab::hw_model
