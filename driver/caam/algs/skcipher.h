// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What a row of the skcipher table says.
#pragma once

#include <span>

#include "driver/caam/alg_ctx.h"

namespace caamlab::driver::caam {

struct SkcipherRow {
  const char* name;
  const char* driver_name;
  unsigned blocksize;
  unsigned chunksize;
  unsigned ivsize;
  unsigned min_keysize;
  unsigned max_keysize;
  CaamAlgEntry caam;
  int (*setkey)(api::CryptoSkcipher&, std::span<const uint8_t>);
};
// All ciphers of the job ring driver, in the kernel's order.
std::span<const SkcipherRow> driver_algs();

// The rows' setkeys (caamalg_skcipher.cc).
int aes_skcipher_setkey(api::CryptoSkcipher& tfm, std::span<const uint8_t> key);
int rfc3686_skcipher_setkey(api::CryptoSkcipher& tfm, std::span<const uint8_t> key);
int des_skcipher_setkey(api::CryptoSkcipher& tfm, std::span<const uint8_t> key);
int des3_skcipher_setkey(api::CryptoSkcipher& tfm, std::span<const uint8_t> key);
int xts_skcipher_setkey(api::CryptoSkcipher& tfm, std::span<const uint8_t> key);
// And what all of them have in common.
int skcipher_encrypt(api::SkcipherRequest& req);
int skcipher_decrypt(api::SkcipherRequest& req);
int caam_cra_init(api::CryptoSkcipher& tfm);
void caam_cra_exit(api::CryptoSkcipher& tfm);
int skcipher_set_sh_desc(api::CryptoSkcipher& tfm);

struct CaamSkcipherAlg : api::SkcipherAlg {
  CtrlPriv* ctrl = nullptr;
  CaamAlgEntry caam;
};

}  // namespace caamlab::driver::caam
