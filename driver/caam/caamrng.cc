// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See caamrng.h.
#include "driver/caam/caamrng.h"

#include <algorithm>

#include "desc/constructors/rng.h"
#include "driver/caam/edesc.h"
#include "driver/caam/error.h"

namespace caamlab::driver::caam {

std::unique_ptr<CaamRng> CaamRng::make(CtrlPriv& ctrl) {
  if (ctrl.cha.rng == 0 || !ctrl.rng_ready) return nullptr;
  Jr* jr = caam_jr_alloc(ctrl);
  if (jr == nullptr) return nullptr;
  ctrl.log(LogLevel::kInfo, "registering rng-caam");
  return std::unique_ptr<CaamRng>(new CaamRng(*jr));
}

CaamRng::~CaamRng() { caam_jr_free(jr_); }

int CaamRng::read_one(uint8_t* block) {
  const BusAddr dma = jr_.dma().map_single(block, desc::kRngMaxBytes, DmaDirection::kFromDevice);
  if (hw_model::dma_mapping_error(dma)) return -ENOMEM;
  desc::Builder builder(jr_.ctrl().target);
  caam_init_desc(builder, dma);
  Edesc edesc;
  edesc.init(jr_);
  uint32_t status = 0;
  int err = edesc_store_desc(edesc, builder) ? 0 : -EINVAL;
  if (err == 0) err = caam_jr_run(jr_, {edesc.hw_desc, edesc.hw_desc_bytes}, &status);
  if (err == 0 && status != 0) err = caam_jr_strstatus(jr_.ctrl(), status);
  jr_.dma().unmap_single(dma, desc::kRngMaxBytes, DmaDirection::kFromDevice);
  return err;
}

int CaamRng::read(std::span<uint8_t> out) {
  alignas(64) uint8_t block[64];
  while (!out.empty()) {
    if (const int err = read_one(block); err != 0) return err;
    const size_t used = std::min<size_t>(out.size(), desc::kRngMaxBytes);
    std::copy_n(block, used, out.begin());
    out = out.subspan(used);
  }
  return 0;
}

}  // namespace caamlab::driver::caam
