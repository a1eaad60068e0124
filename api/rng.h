// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The rng front end: random number generators, synchronous (crypto-api.md 2.6; kernel crypto/rng.c, 6.1). Left out: the
// shared default RNG.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "api/alg.h"
#include "api/tfm.h"

namespace caamlab::api {

struct CryptoRng;

struct RngOps {
  // Fills dst; src is additional input, may be empty. 0 on success.
  int (*generate)(CryptoRng& tfm, std::span<const uint8_t> src, std::span<uint8_t> dst) = nullptr;
  int (*seed)(CryptoRng& tfm, std::span<const uint8_t> seed) = nullptr;
  int (*init)(CryptoRng& tfm) = nullptr;   // optional
  void (*exit)(CryptoRng& tfm) = nullptr;  // optional
};

struct RngAlg : CryptoAlg {
  uint32_t seedsize = 0;  // bytes
  RngOps ops;
};

struct CryptoRng : CryptoTfm {};
using RngHandle = TfmHandle<CryptoRng>;

extern const CryptoType crypto_rng_type;

// -EINVAL when seedsize is over 512 or an operation is missing, else as Registry::register_alg.
int crypto_register_rng(Registry& registry, RngAlg& alg);
int crypto_unregister_rng(Registry& registry, RngAlg& alg);

tl::expected<RngHandle, int> crypto_alloc_rng(Registry& registry, std::string_view name, uint32_t type = 0,
                                              uint32_t mask = 0);

inline const RngAlg& crypto_rng_alg(const CryptoRng& tfm) { return static_cast<const RngAlg&>(*tfm.alg); }
inline unsigned int crypto_rng_seedsize(const CryptoRng& tfm) { return crypto_rng_alg(tfm).seedsize; }

// Fills dst with the help of `src`.
int crypto_rng_generate(CryptoRng& tfm, std::span<const uint8_t> src, std::span<uint8_t> dst);
inline int crypto_rng_get_bytes(CryptoRng& tfm, std::span<uint8_t> dst) { return crypto_rng_generate(tfm, {}, dst); }
// Seeds with slen bytes; a null seed draws slen bytes from the registry. The driver says which lengths it takes
// (-EINVAL).
int crypto_rng_reset(CryptoRng& tfm, const uint8_t* seed, size_t slen);

// For drivers.
template <class T>
T* crypto_rng_ctx(const CryptoRng& tfm) {
  return crypto_tfm_ctx<T>(tfm);
}

}  // namespace caamlab::api
