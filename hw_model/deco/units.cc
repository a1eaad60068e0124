// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// RNG, PKHA and black keys as the DECO uses them (hardware.md 2.3, 2.7, 2.14, 4.9). A part without a unit answers as
// such a part does. Left out: keys for the AFHA S-box; TK asks for a trusted descriptor, and none runs here.
#include "hw_model/deco/units.h"

#include <cstring>

#include "hw_model/deco/deco.h"

namespace caamlab::hw_model {

using namespace desc;

namespace {

// PKHA size registers in the order of their numbers, from kRegPkhaASize.
constexpr unsigned kFirstSizeRegister = 0x10;
constexpr Pkha::Reg kSizeRegisters[] = {Pkha::Reg::kA, Pkha::Reg::kB, Pkha::Reg::kN, Pkha::Reg::kE};

// A number that is too long for its register.
CcbError size_error(NfifoPkData where) {
  switch (where) {
    case NfifoPkData::kN:
      return CcbError::kDataSize;
    case NfifoPkData::kE:
      return CcbError::kKeySize;
    case NfifoPkData::kA:
    case NfifoPkData::kA0:
    case NfifoPkData::kA1:
    case NfifoPkData::kA2:
    case NfifoPkData::kA3:
      return CcbError::kPkhaASize;
    default:
      return CcbError::kPkhaBSize;
  }
}

bool is_quadrant(NfifoPkData where) { return static_cast<unsigned>(where) < 8; }

struct Wrapping {
  BlackForm form;
  Kek kek;
};
// Types 0x1x are CCM, 0x2x ECB; odd ones are under TDKEK.
Wrapping wrapping_of(FifoStoreType type) {
  const unsigned code = static_cast<unsigned>(type);
  return {code < 0x20 ? BlackForm::kCcm : BlackForm::kEcb, (code & 1) != 0 ? Kek::kTrusted : Kek::kJob};
}

Flow fail_black(Deco& d, const BlackKeys::Failure& failure) {
  return failure.deco != DecoError::kNone ? d.fail(failure.deco) : d.fail(ChaId::kAes, failure.aesa);
}

// `plain` under the KEK that the command names.
Flow wrap(Deco& d, FifoStoreType type, ByteSpan plain, uint8_t* out, uint32_t& n) {
  if (!d.units.black) return d.fail(DecoError::kKekNotLoaded);
  const auto [form, kek] = wrapping_of(type);
  n = d.units.black->wrapped_bytes(form, static_cast<uint32_t>(plain.size()));
  if (n > BlackKeys::kMaxKeyBytes) return d.fail(DecoError::kFifoStore);
  if (const auto failure = d.units.black->wrap(form, kek, plain, out)) return fail_black(d, failure);
  return Flow::kNext;
}

}  // namespace

bool Deco::unwrap_key(const Key& key, std::span<uint8_t> bytes) {
  if (!units.black) {
    fail(DecoError::kKekNotLoaded);
    return false;
  }
  const auto failure = units.black->unwrap(key.ekt ? BlackForm::kCcm : BlackForm::kEcb,
                                           key.tk ? Kek::kTrusted : Kek::kJob, bytes, key.len, bytes.data());
  if (failure) fail_black(*this, failure);
  return !failure;
}

Flow Deco::start_rng(const AlgOperation& op) {
  if (op.cls != ClassSel::kClass1 || units.device == nullptr || !units.device->platform.has(ChaUnit::kRng))
    return fail(ChaId::kRng, CcbError::kInvalidCha);
  ClassRegs& class1 = ccb.regs(Ccb::kClass1);
  class1.op = op;
  class1.mode_written = true;
  const CcbError error = units.device->rng.execute(op, class1, ccb.regs(Ccb::kClass2));
  if (error != CcbError::kNone) return fail(ChaId::kRng, error);
  units.rng_selected = Rng::generates_data(op);
  return class1.data_size != 0 ? feed_rng() : Flow::kNext;
}

Flow Deco::feed_rng() {
  ClassRegs& class1 = ccb.regs(Ccb::kClass1);
  if (!units.rng_selected || !class1.mode_written || class1.op.alg != Alg::kRng || class1.data_size == 0)
    return Flow::kNext;
  if (class1.data_size > OutFifo::kMaxBuffered) return fail(ChaId::kRng, CcbError::kDataSize);
  const size_t n = static_cast<size_t>(class1.data_size);
  class1.data_size = 0;
  const CcbError error = units.device->rng.generate(class1.op, class1, n, ccb.out());
  return error == CcbError::kNone ? Flow::kNext : fail(ChaId::kRng, error);
}

Flow Deco::generate_random(uint32_t len) {
  ClassRegs& class1 = ccb.regs(Ccb::kClass1);
  if (!units.rng_selected || !class1.mode_written || class1.op.alg != Alg::kRng) return fail(DecoError::kFifoStore);
  class1.data_size = len;
  return feed_rng();
}

Flow Deco::run_pkha(const PkOperation& op) {
  if (units.device == nullptr || !units.device->platform.has(ChaUnit::kPkha))
    return fail(ChaId::kPkha, CcbError::kInvalidCha);
  ccb.set_pk_mode();
  if (take_pkha_entries() == Flow::kStop) return Flow::kStop;
  units.pkha_used = true;
  if (const CcbError error = units.pkha.execute(op); error != CcbError::kNone) return fail(ChaId::kPkha, error);
  r.pk_zero = units.pkha.flags().zero;
  r.pk_gcd1 = units.pkha.flags().gcd1;
  r.pk_prime = units.pkha.flags().prime;
  return Flow::kNext;
}

Flow Deco::load_pkha(NfifoPkData where, ByteSpan bytes) {
  if (bytes.size() > (is_quadrant(where) ? Pkha::kQuadrantBytes : Pkha::kBytes))
    return fail(ChaId::kPkha, size_error(where));
  units.pkha_used = true;
  units.pkha.load(where, bytes);
  return Flow::kNext;
}

// The PKHA works, and shows its registers, when all that was on its way to it has arrived.
Flow Deco::take_pkha_entries() {
  while (const auto load = ccb.take_pkha_load())
    if (load_pkha(load->where, load->bytes) == Flow::kStop) return Flow::kStop;
  if (ccb.fault()) return fail_fault();
  return ccb.pkha_entry_waits() ? hang() : Flow::kNext;
}

Flow Deco::load_pkha_from_input(uint8_t fifo_load_type, uint32_t len) {
  const NfifoPkData where = static_cast<NfifoPkData>(fifo_load_type);
  if (len > Pkha::kBytes) return fail(ChaId::kPkha, size_error(where));
  uint8_t bytes[Pkha::kBytes];
  if (!ccb.take_input({bytes, len})) return ccb.fault() ? fail_fault() : hang();
  return load_pkha(where, {bytes, len});
}

// CHA control bits 16 to 27: whole registers or quadrants into the OFIFO.
Flow Deco::unload_pkha(uint32_t cha_control) {
  if (take_pkha_entries() == Flow::kStop) return Flow::kStop;
  constexpr std::pair<unsigned, NfifoPkData> kBits[] = {
      {16, NfifoPkData::kA0}, {17, NfifoPkData::kA1}, {18, NfifoPkData::kA2}, {19, NfifoPkData::kA3},
      {20, NfifoPkData::kB0}, {21, NfifoPkData::kB1}, {22, NfifoPkData::kB2}, {23, NfifoPkData::kB3},
      {24, NfifoPkData::kN},  {26, NfifoPkData::kA},  {27, NfifoPkData::kB}};
  for (const auto& [bit, where] : kBits) {
    if ((cha_control >> bit & 1) == 0) continue;
    const Pkha::Reg reg = where == NfifoPkData::kN                                       ? Pkha::Reg::kN
                          : where == NfifoPkData::kA || static_cast<unsigned>(where) < 4 ? Pkha::Reg::kA
                                                                                         : Pkha::Reg::kB;
    uint8_t bytes[Pkha::kBytes];
    const uint32_t n =
        is_quadrant(where) ? std::min<uint32_t>(units.pkha.size(reg), Pkha::kQuadrantBytes) : units.pkha.size(reg);
    units.pkha.store(where, {bytes, n});
    ccb.out().put({bytes, n});
  }
  return Flow::kNext;
}

Flow Deco::set_pkha_size(uint8_t reg, uint32_t bytes) {
  const unsigned i = reg - kFirstSizeRegister;
  if (i >= std::size(kSizeRegisters)) return fail(DecoError::kLoad);
  units.pkha_used = true;
  units.pkha.set_size(kSizeRegisters[i], bytes);
  return Flow::kNext;
}

bool Deco::pkha_size(uint8_t reg, uint32_t& bytes) {
  const unsigned i = reg - kFirstSizeRegister;
  if (i >= std::size(kSizeRegisters) || take_pkha_entries() == Flow::kStop) return false;
  bytes = units.pkha.size(kSizeRegisters[i]);
  return true;
}

void Deco::clear_pkha_sizes(uint8_t which) {
  for (unsigned i = 0; i < std::size(kSizeRegisters); ++i)
    if ((which >> i & 1) != 0) units.pkha.set_size(kSizeRegisters[i], 0);
}

Flow Deco::export_unit(const FifoStore& cmd, uint32_t len, uint8_t* out, uint32_t& n) {
  if (len > BlackKeys::kMaxKeyBytes) return fail(DecoError::kFifoStore);
  if (take_pkha_entries() == Flow::kStop) return Flow::kStop;
  uint8_t plain[BlackKeys::kMaxKeyBytes];
  switch (cmd.type) {
    case FifoStoreType::kPkhaECcmJdkek:
    case FifoStoreType::kPkhaECcmTdkek:
    case FifoStoreType::kPkhaEEcbJdkek:
    case FifoStoreType::kPkhaEEcbTdkek:
      units.pkha.store(NfifoPkData::kE, {plain, len});
      return wrap(*this, cmd.type, {plain, len}, out, n);
    case FifoStoreType::kKeyCcmJdkek:
    case FifoStoreType::kKeyCcmTdkek:
    case FifoStoreType::kKeyEcbJdkek:
    case FifoStoreType::kKeyEcbTdkek:
    case FifoStoreType::kSplitCcmJdkek:
    case FifoStoreType::kSplitCcmTdkek:
    case FifoStoreType::kSplitEcbJdkek:
    case FifoStoreType::kSplitEcbTdkek: {
      if (cmd.cls != ClassSel::kClass1 && cmd.cls != ClassSel::kClass2) return fail(DecoError::kFifoStore);
      const KeyRegister& key = ccb.regs(cmd.cls == ClassSel::kClass1 ? Ccb::kClass1 : Ccb::kClass2).key;
      if (key.no_write_back || len > key.bytes.size()) return fail(DecoError::kFifoStore);
      return wrap(*this, cmd.type, {key.bytes.data(), len}, out, n);
    }
    case FifoStoreType::kMsgJdkek:
    case FifoStoreType::kMsgTdkek:
      ccb.pump();
      if (!ccb.out().pop({plain, len})) return ccb.fault() ? fail_fault() : hang();
      return wrap(*this, cmd.type, {plain, len}, out, n);
    case FifoStoreType::kSboxCcmJdkek:
    case FifoStoreType::kSboxCcmTdkek:
    case FifoStoreType::kSboxEcbJdkek:
    case FifoStoreType::kSboxEcbTdkek:
      return fail(ChaId::kAfha, CcbError::kInvalidCha);
    default:  // PKHA memory, by the same codes as for loading
      n = len;
      units.pkha.store(static_cast<NfifoPkData>(cmd.type), {out, len});
      return Flow::kNext;
  }
}

}  // namespace caamlab::hw_model
