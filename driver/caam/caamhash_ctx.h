// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What a hash transform keeps: key and four shared descriptors, in blocks mapped for its lifetime.
#pragma once

#include "api/ahash.h"
#include "driver/caam/alg_ctx.h"
#include "driver/caam/algs/hash.h"

namespace caamlab::driver::caam {

inline constexpr unsigned kMaxHashCtxLen = 72;

struct CaamHashCtx {
  static constexpr unsigned kShDescBytes = desc::kMaxDescWords * 4;
  struct Shared {
    alignas(64) uint8_t sh_desc_update[kShDescBytes];
    alignas(64) uint8_t sh_desc_update_first[kShDescBytes];
    alignas(64) uint8_t sh_desc_fin[kShDescBytes];
    alignas(64) uint8_t sh_desc_digest[kShDescBytes];
    // HMAC key or split key; xcbc: K1, as the device encrypted it; cmac: the key.
    alignas(64) uint8_t key[kMaxAuthKeySize];
  };
  Shared shared{};
  BusAddr shared_dma = 0;
  Jr* jr = nullptr;
  const HashRow* row = nullptr;
  ShDesc update, update_first, fin, digest;
  desc::AlgInfo adata{};
  alignas(64) uint8_t raw_key[32] = {};  // xcbc, cmac: as given by the user
  desc::ShareMode share = desc::ShareMode::kSerial;

  BusAddr key_dma() const { return shared_dma + offsetof(Shared, key); }
  CtrlPriv& ctrl() const { return jr->ctrl(); }
  // The last full block must be kept back for the final job.
  bool keeps_last_block() const { return row->op.cls == desc::ClassSel::kClass1; }
};

inline CaamHashCtx& hash_ctx(const api::CryptoAhash& tfm) { return *api::crypto_ahash_ctx<CaamHashCtx>(tfm); }

// Makes a CaamHashCtx in `mem`; -ENODEV, -ENOMEM.
int caam_hash_ctx_init(void* mem, CtrlPriv& ctrl, const HashRow& row);
void caam_hash_ctx_exit(CaamHashCtx& ctx);

// Builds the four descriptors of the present key, or of the unkeyed hash. -EINVAL when one does not fit.
int ahash_set_sh_desc(CaamHashCtx& ctx);

// Keys of any length; 16 bytes; AES lengths. -EINVAL for others, else as caam_jr_run() where a job prepares the key.
int ahash_setkey(api::CryptoAhash& tfm, std::span<const uint8_t> key);
int axcbc_setkey(api::CryptoAhash& tfm, std::span<const uint8_t> key);
int acmac_setkey(api::CryptoAhash& tfm, std::span<const uint8_t> key);

}  // namespace caamlab::driver::caam
