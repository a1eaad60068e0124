// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See pdb_reader.h.
#include "hw_model/protocol/pdb_reader.h"

namespace caamlab::hw_model {

bool PdbReader::word(uint32_t& value) {
  if (at_ >= d_.index()) return false;
  value = d_.buffer()[at_++];
  return true;
}

bool PdbReader::pointer(BusAddr& addr) {
  const unsigned words = d_.dma.target().ptr_words();
  if (at_ + words > d_.index()) return false;
  addr = desc::pointer_from_words(&d_.buffer()[at_], d_.dma.target());
  at_ += words;
  return true;
}

namespace {

bool fail_black(Deco& d, const BlackKeys::Failure& failure) {
  if (failure.deco != DecoError::kNone)
    d.fail(failure.deco);
  else
    d.fail(desc::ChaId::kAes, failure.aesa);
  return false;
}

bool no_kek(Deco& d) {
  d.fail(DecoError::kKekNotLoaded);
  return false;
}

}  // namespace

bool read_number(Deco& d, const PdbPlace& place, size_t len, Number& out, Blackness how) {
  if (len > kMaxNumber) {
    d.fail(DecoError::kPdb);
    return false;
  }
  out.len = len;
  if (len == 0) return true;
  uint8_t stored[kMaxNumber + 16];
  const std::span<uint8_t> raw = how.black ? std::span(stored, black_key_bytes(how.form, static_cast<uint32_t>(len)))
                                           : std::span(out.bytes).first(len);
  if (const DecoError e = d.dma.read(place.addr, place.sgf, raw); e != DecoError::kNone) {
    d.fail(e);
    return false;
  }
  if (!how.black) return true;
  if (!d.units.black) return no_kek(d);
  const auto failure = d.units.black->unwrap(how.form, how.kek, raw, static_cast<uint32_t>(len), out.bytes.data());
  return failure ? fail_black(d, failure) : true;
}

bool write_number(Deco& d, const PdbPlace& place, ByteSpan bytes, Blackness how) {
  uint8_t stored[kMaxNumber + 16];
  if (how.black) {
    if (!d.units.black) return no_kek(d);
    if (const auto failure = d.units.black->wrap(how.form, how.kek, bytes, stored)) return fail_black(d, failure);
    bytes = {stored, d.units.black->wrapped_bytes(how.form, static_cast<uint32_t>(bytes.size()))};
  }
  const DecoError e = d.dma.write(place.addr, place.sgf, bytes);
  if (e != DecoError::kNone) d.fail(e);
  return e == DecoError::kNone;
}

RandomBytes random_of(Deco& d) {
  if (DeviceUnits* units = d.units.device; units != nullptr)
    return [units](std::span<uint8_t> out) { units->rng.device_bytes(out); };
  return [&d](std::span<uint8_t> out) { d.random.random_bytes(out); };
}

bool has_pkha(Deco& d) {
  if (d.units.device == nullptr || d.units.device->platform.has(ChaUnit::kPkha)) return true;
  d.fail(desc::ChaId::kPkha, CcbError::kInvalidCha);
  return false;
}

bool rng_ready(Deco& d) {
  if (d.units.device == nullptr || d.units.device->rng.ready()) return true;
  constexpr CcbError kNotInstantiated = CcbError::kPkhaASize;  // the RNG's meaning of id 4
  d.fail(desc::ChaId::kRng, kNotInstantiated);
  return false;
}

Flow end_protocol(Deco& d, const ProtocolStatus& status) {
  if (status.ok()) return Flow::kNext;
  return status.deco != DecoError::kNone ? d.fail(status.deco) : d.fail(status.cha, status.ccb);
}

}  // namespace caamlab::hw_model
