// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What both hash types share, and shash: synchronous hashes whose driver sees plain buffers and whose state lies in
// memory the caller gives (crypto-api.md 1.1, 2.5; kernel crypto/shash.c, 6.1). Users go through the ahash front end
// (ahash.h).
#pragma once

#include <cstdint>
#include <span>

#include "api/alg.h"
#include "api/tfm.h"

namespace caamlab::api {

inline constexpr uint32_t kMaxDigestSize = 64;      // HASH_MAX_DIGESTSIZE
inline constexpr uint32_t kMaxHashStateSize = 512;  // HASH_MAX_STATESIZE
inline constexpr uint32_t kMaxShashDescSize = 360;

struct HashAlgCommon : CryptoAlg {
  uint32_t digestsize = 0;  // bytes, at most 64
  uint32_t statesize = 0;   // bytes of an exported state, at most 512
};

// The running state of one hash; descsize bytes of the driver's follow it.
struct ShashDesc {
  CryptoTfm* tfm = nullptr;
};
template <class T>
T* shash_desc_ctx(ShashDesc& desc) {
  static_assert(alignof(T) <= kCtxAlign);
  return static_cast<T*>(request_ctx(desc));
}
template <class T>
const T* shash_desc_ctx(const ShashDesc& desc) {
  return static_cast<const T*>(request_ctx(const_cast<ShashDesc&>(desc)));
}

// The state must be plain bytes: it is copied, abandoned and wiped without notice.
struct ShashOps {
  int (*init)(ShashDesc& desc) = nullptr;
  int (*update)(ShashDesc& desc, std::span<const uint8_t> data) = nullptr;
  int (*final)(ShashDesc& desc, uint8_t* out) = nullptr;
  // Both or none; none: the state itself is exported (statesize = descsize).
  int (*export_state)(const ShashDesc& desc, uint8_t* out) = nullptr;
  int (*import_state)(ShashDesc& desc, const uint8_t* in) = nullptr;
  int (*setkey)(CryptoTfm& tfm, std::span<const uint8_t> key) = nullptr;  // keyed hashes only
  int (*init_tfm)(CryptoTfm& tfm) = nullptr;                              // optional
  void (*exit_tfm)(CryptoTfm& tfm) = nullptr;                             // optional
};

struct ShashAlg : HashAlgCommon {
  uint32_t descsize = 0;  // bytes, at most 360
  ShashOps ops;
};

extern const CryptoType crypto_shash_type;

// -EINVAL: digest over 64, state over 512 or descsize over 360 bytes, export without import or the reverse, init,
// update or final missing; else as Registry::register_alg.
int crypto_register_shash(Registry& registry, ShashAlg& alg);
int crypto_unregister_shash(Registry& registry, ShashAlg& alg);

inline const HashAlgCommon& crypto_hash_alg_common(const CryptoTfm& tfm) {
  return static_cast<const HashAlgCommon&>(*tfm.alg);
}

}  // namespace caamlab::api
