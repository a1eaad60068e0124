// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// RNG, PKHA and black keys as the DECO uses them. A part without a unit answers as such a part does.
#include "hw_model/deco/deco.h"

namespace caamlab::hw_model {

using namespace desc;

bool Deco::unwrap_key(const Key&, std::span<uint8_t>) {
  fail(DecoError::kKekNotLoaded);
  return false;
}

Flow Deco::start_rng(const AlgOperation&) { return fail(ChaId::kRng, CcbError::kInvalidCha); }
Flow Deco::feed_rng() { return Flow::kNext; }
Flow Deco::generate_random(uint32_t) { return fail(DecoError::kFifoStore); }
Flow Deco::run_pkha(const PkOperation&) { return fail(ChaId::kPkha, CcbError::kInvalidCha); }
Flow Deco::load_pkha(NfifoPkData, ByteSpan) { return fail(ChaId::kPkha, CcbError::kInvalidCha); }
Flow Deco::load_pkha_from_input(uint8_t, uint32_t) { return fail(ChaId::kPkha, CcbError::kInvalidCha); }
Flow Deco::unload_pkha(uint32_t) { return Flow::kNext; }
Flow Deco::set_pkha_size(uint8_t, uint32_t) { return Flow::kNext; }
bool Deco::pkha_size(uint8_t, uint32_t& bytes) const {
  bytes = 0;
  return true;
}
void Deco::clear_pkha_sizes(uint8_t) {}
Flow Deco::export_unit(const FifoStore&, uint32_t, uint8_t*, uint32_t&) { return fail(DecoError::kFifoStore); }

}  // namespace caamlab::hw_model
