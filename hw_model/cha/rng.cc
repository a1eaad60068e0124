// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See rng.h.
#include "hw_model/cha/rng.h"

#include <bit>

#include "desc/regs.h"

namespace caamlab::hw_model {
namespace {

namespace aai = desc::aai;
namespace bits = desc::reg::rdsta;
using desc::RngState;

// The RNG's meanings of the error ids.
constexpr CcbError kInstantiate = CcbError::kKeySize, kNotInstantiated = CcbError::kPkhaASize,
                   kTestInstantiate = CcbError::kPkhaBSize, kPredictionResistance = CcbError::kSequence,
                   kPrAndTest = CcbError::kDivideByZero, kUninstantiate = CcbError::kEvenModulus,
                   kSecureKey = CcbError::kDesParity;

constexpr uint16_t kKnownBits = 0x01 | aai::kRngNzb | aai::kRngObp | aai::kRngPs | aai::kRngAi | aai::kRngSk;
constexpr size_t kExtraInputBytes = 32;  // personalization, additional input

ByteSpan extra_input(const desc::AlgOperation& op, uint16_t bit, const ClassRegs& class1) {
  return (op.aai & bit) != 0 ? ByteSpan(class1.context(), kExtraInputBytes) : ByteSpan();
}

// OBP: the lowest bit makes the number of ones odd.
uint8_t with_odd_parity(uint8_t b) { return std::popcount(b) % 2 == 0 ? b ^ 1 : b; }

}  // namespace

bool Rng::generates_data(const desc::AlgOperation& op) {
  return op.rng_state() == RngState::kGenerate && (op.aai & aai::kRngSk) == 0;
}

Rng::Handle& Rng::handle_of(const desc::AlgOperation& op) { return handles_[op.aai & 1]; }

CcbError Rng::note(CcbError error) {
  if (error != CcbError::kNone) last_error_ = error;
  return error;
}

bool Rng::seed(Handle& h, ByteSpan personalization) {
  uint8_t raw[kEntropyBytes + kNonceBytes];
  if (!source_.entropy(raw)) return false;
  h.drbg.instantiate({raw, kEntropyBytes}, {raw + kEntropyBytes, kNonceBytes}, personalization);
  h.instantiated = true;
  return true;
}

void Rng::reset(uint32_t status) {
  const std::lock_guard lock(mutex_);
  for (unsigned i = 0; i < 2; ++i) {
    handles_[i] = {};
    if ((status >> i & bits::kIf0) == 0) continue;
    // Firmware had entropy, whatever the state of the TRNG is now.
    if (!seed(handles_[i], {})) handles_[i].drbg.instantiate({}, {}, {});
    handles_[i].instantiated = true;
    handles_[i].prediction_resistance = (status >> i & bits::kPr0) != 0;
    handles_[i].test = (status >> i & bits::kTf0) != 0;
  }
  own_ = {};
  keks_.loaded = keys_valid_ = keys_test_ = false;
  keks_.nonce = 0;
  last_error_ = CcbError::kNone;
  if ((status & bits::kSkvn) != 0) make_secure_keys(handles_[0], {.alg = desc::Alg::kRng, .aai = aai::kRngSk});
}

void Rng::load_keys() {
  for (auto* key : {&keks_.jdkek, &keks_.tdkek, &keks_.tdsk}) device_bytes(*key);
  keks_.loaded = true;
}

uint32_t Rng::rdsta() const {
  const std::lock_guard lock(mutex_);
  uint32_t value = 0;
  for (unsigned i = 0; i < 2; ++i) {
    const Handle& h = handles_[i];
    if (!h.instantiated) continue;
    value |= (bits::kIf0 | (h.prediction_resistance ? bits::kPr0 : 0) | (h.test ? bits::kTf0 : 0)) << i;
  }
  if (keys_valid_) value |= keys_test_ ? bits::kSkvt : bits::kSkvn;
  return value | static_cast<uint32_t>(last_error_) << 16;
}

bool Rng::ready() const {
  const std::lock_guard lock(mutex_);
  return handles_[0].instantiated && !handles_[0].test;
}

// Handle there, in the mode asked for.
CcbError Rng::check(const Handle& h, const desc::AlgOperation& op) const {
  if (!h.instantiated) return kNotInstantiated;
  if (h.test != op.enc) return kTestInstantiate;
  if (!op.icv) return CcbError::kNone;
  if (op.enc) return kPrAndTest;
  return h.prediction_resistance ? CcbError::kNone : kPredictionResistance;
}

CcbError Rng::instantiate(Handle& h, const desc::AlgOperation& op, const ClassRegs& class1, const ClassRegs& class2) {
  if (h.instantiated) return kInstantiate;
  const ByteSpan personalization = extra_input(op, aai::kRngPs, class1);
  if (op.enc) {
    if (op.icv) return kPrAndTest;
    if (class1.key.size == 0 || class2.key.size == 0) return kTestInstantiate;
    h.drbg.instantiate(class1.key.key(), class2.key.key(), personalization);
    h.instantiated = true;
  } else if (!seed(h, personalization)) {
    return CcbError::kHardware;
  }
  h.test = op.enc;
  h.prediction_resistance = op.icv;
  return CcbError::kNone;
}

CcbError Rng::reseed(Handle& h, const desc::AlgOperation& op, const ClassRegs& class1) {
  if (!h.instantiated) return kNotInstantiated;
  if (h.test != op.enc) return kTestInstantiate;
  const ByteSpan additional = extra_input(op, aai::kRngAi, class1);
  if (op.enc) {
    if (class1.key.size == 0) return kTestInstantiate;
    h.drbg.reseed(class1.key.key(), additional);
    return CcbError::kNone;
  }
  uint8_t raw[kEntropyBytes];
  if (!source_.entropy(raw)) return CcbError::kHardware;
  h.drbg.reseed(raw, additional);
  return CcbError::kNone;
}

CcbError Rng::make_secure_keys(Handle& h, const desc::AlgOperation& op) {
  if ((op.aai & 1) != 0) return CcbError::kMode;
  if (!h.instantiated) return kNotInstantiated;
  if (keys_valid_) return kSecureKey;
  for (auto* key : {&keks_.jdkek, &keks_.tdkek, &keks_.tdsk}) h.drbg.generate(*key, {});
  keks_.loaded = keys_valid_ = true;
  keys_test_ = h.test;
  return CcbError::kNone;
}

CcbError Rng::execute(const desc::AlgOperation& op, const ClassRegs& class1, const ClassRegs& class2) {
  const std::lock_guard lock(mutex_);
  if ((op.aai & ~kKnownBits) != 0) return note(CcbError::kMode);
  Handle& h = handle_of(op);
  switch (op.rng_state()) {
    case RngState::kInstantiate:
      return note(instantiate(h, op, class1, class2));
    case RngState::kReseed:
      return note(reseed(h, op, class1));
    case RngState::kUninstantiate:
      if (!h.instantiated) return note(kUninstantiate);
      h = {};
      return CcbError::kNone;
    case RngState::kGenerate:
      break;
  }
  // A generate with data to make is only checked here, so that its error comes with the OPERATION.
  return note(generates_data(op) ? check(h, op) : make_secure_keys(h, op));
}

// One request of the DRBG, then the byte filters.
CcbError Rng::fill(Handle& h, const desc::AlgOperation& op, const ClassRegs& class1, std::span<uint8_t> out) {
  ByteSpan additional = extra_input(op, aai::kRngAi, class1);
  if (op.icv) {
    uint8_t raw[kEntropyBytes];
    if (!source_.entropy(raw)) return CcbError::kHardware;
    h.drbg.reseed(raw, additional);
    additional = {};
  }
  while (!out.empty()) {
    const std::span<uint8_t> part = out.first(std::min(out.size(), HashDrbg::kMaxRequest));
    h.drbg.generate(part, additional);
    additional = {};
    size_t kept = 0;
    for (const uint8_t b : part) {
      if (b == 0 && (op.aai & aai::kRngNzb) != 0) continue;
      part[kept++] = (op.aai & aai::kRngObp) != 0 ? with_odd_parity(b) : b;
    }
    out = out.subspan(kept);
  }
  return CcbError::kNone;
}

CcbError Rng::generate(const desc::AlgOperation& op, const ClassRegs& class1, std::span<uint8_t> out) {
  const std::lock_guard lock(mutex_);
  if ((op.aai & ~kKnownBits) != 0) return note(CcbError::kMode);
  Handle& h = handle_of(op);
  if (const CcbError e = check(h, op); e != CcbError::kNone) return note(e);
  return note(fill(h, op, class1, out));
}

CcbError Rng::generate(const desc::AlgOperation& op, const ClassRegs& class1, size_t n, Output& out) {
  // Through one buffer: where the output is cut must not change what is made.
  uint8_t buffer[512];
  desc::AlgOperation part = op;
  while (n != 0) {
    const std::span<uint8_t> bytes(buffer, std::min(n, sizeof(buffer)));
    if (const CcbError e = generate(part, class1, bytes); e != CcbError::kNone) return e;
    out.put(bytes);
    n -= bytes.size();
    part.icv = false;
    part.aai &= static_cast<uint16_t>(~aai::kRngAi);
  }
  return CcbError::kNone;
}

void Rng::device_bytes(std::span<uint8_t> out) {
  const std::lock_guard lock(mutex_);
  Handle* h = &handles_[0];
  if (!h->instantiated || h->test) {
    h = &own_;
    // Without entropy the device still pads, with a fixed stream.
    if (!own_.instantiated && !seed(own_, {})) own_.drbg.instantiate({}, {}, {});
    own_.instantiated = true;
  }
  while (!out.empty()) {
    const std::span<uint8_t> part = out.first(std::min(out.size(), HashDrbg::kMaxRequest));
    h->drbg.generate(part, {});
    out = out.subspan(part.size());
  }
}

}  // namespace caamlab::hw_model
