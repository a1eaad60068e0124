// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See caamprng.h. Requests of any length; the kernel puts the length into a 16-bit field unseen.
#include "driver/caam/caamprng.h"

#include <algorithm>
#include <memory>

#include "api/rng.h"
#include "desc/constructors/rng.h"
#include "driver/caam/algset.h"
#include "driver/caam/edesc.h"
#include "driver/caam/error.h"

namespace caamlab::driver::caam {
namespace {

using api::CryptoRng;

constexpr int kPriority = 500;
constexpr size_t kMaxJobBytes = 4096;

struct CaamRngAlg : api::RngAlg {
  CtrlPriv* ctrl = nullptr;
};
CtrlPriv& ctrl_of(const CryptoRng& tfm) { return *static_cast<const CaamRngAlg&>(api::crypto_rng_alg(tfm)).ctrl; }

int run_job(Jr& jr, desc::Builder& builder) {
  Edesc edesc;
  edesc.init(jr);
  if (!edesc_store_desc(edesc, builder)) return -EINVAL;
  uint32_t status = 0;
  const int err = caam_jr_run(jr, {edesc.hw_desc, edesc.hw_desc_bytes}, &status);
  if (err != 0 || status == 0) return err;
  return caam_jr_strstatus(jr.ctrl(), status);
}

int generate_part(Jr& jr, std::span<uint8_t> out) {
  const BusAddr dma = jr.dma().map_single(out.data(), out.size(), DmaDirection::kFromDevice);
  if (hw_model::dma_mapping_error(dma)) return -ENOMEM;
  desc::Builder builder(jr.ctrl().target);
  caam_init_prng_desc(builder, dma, static_cast<unsigned>(out.size()));
  const int err = run_job(jr, builder);
  jr.dma().unmap_single(dma, out.size(), DmaDirection::kFromDevice);
  return err;
}

int caam_prng_generate(CryptoRng& tfm, std::span<const uint8_t>, std::span<uint8_t> dst) {
  Jr* jr = caam_jr_alloc(ctrl_of(tfm));
  if (jr == nullptr) return -ENODEV;
  int err = 0;
  while (err == 0 && !dst.empty()) {
    const std::span<uint8_t> part = dst.first(std::min(dst.size(), kMaxJobBytes));
    err = generate_part(*jr, part);
    dst = dst.subspan(part.size());
  }
  caam_jr_free(*jr);
  return err;
}

// Reseeds from the device's own entropy; it takes no other.
int caam_prng_seed(CryptoRng& tfm, std::span<const uint8_t> seed) {
  if (!seed.empty()) return -EINVAL;
  Jr* jr = caam_jr_alloc(ctrl_of(tfm));
  if (jr == nullptr) return -ENODEV;
  desc::Builder builder(jr->ctrl().target);
  caam_init_reseed_desc(builder);
  const int err = run_job(*jr, builder);
  caam_jr_free(*jr);
  return err;
}

}  // namespace

void caam_prng_register(CtrlPriv& ctrl) {
  if (ctrl.cha.rng == 0) return;
  auto alg = std::make_unique<CaamRngAlg>();
  alg->cra_name = "stdrng";
  alg->cra_driver_name = "prng-caam";
  alg->cra_priority = kPriority;
  alg->ops = {.generate = caam_prng_generate, .seed = caam_prng_seed};
  alg->ctrl = &ctrl;
  ctrl.algs->add(std::move(alg), api::crypto_register_rng, api::crypto_unregister_rng);
}

}  // namespace caamlab::driver::caam
