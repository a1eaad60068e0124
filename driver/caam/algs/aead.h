// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What a row of the aead table says, and the families rows refer to.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "driver/caam/alg_ctx.h"

namespace caamlab::driver::caam {

// One way to turn keys and requests into descriptors.
struct AeadFamily {
  api::AeadOps ops;                                // but init and exit, which all have in common
  int (*set_sh_desc)(api::CryptoAead&) = nullptr;  // builds both descriptors anew; 0 while key or tag size are missing
};
extern const AeadFamily kGcmFamily, kRfc4106Family, kRfc4543Family, kAuthencFamily, kChaChaPolyFamily;

struct AeadRow {
  std::string name;
  std::string driver_name;
  unsigned blocksize = 1;
  unsigned ivsize = 0;
  unsigned maxauthsize = 0;
  CaamAlgEntry caam;
  const AeadFamily* family = nullptr;
};
// All aeads of the job ring driver, in the kernel's order.
std::vector<AeadRow> driver_aeads();

struct CaamAeadAlg : api::AeadAlg {
  CtrlPriv* ctrl = nullptr;
  CaamAlgEntry caam;
  const AeadFamily* family = nullptr;
};
inline const CaamAeadAlg& caam_aead_alg(const api::CryptoAead& tfm) {
  return static_cast<const CaamAeadAlg&>(api::crypto_aead_alg(tfm));
}
inline CaamCtx& caam_ctx(const api::CryptoAead& tfm) { return *api::crypto_aead_ctx<CaamCtx>(tfm); }

}  // namespace caamlab::driver::caam
