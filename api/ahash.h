// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The ahash front end: hashes over scatterlists, possibly asynchronous; serves shash algorithms too (crypto-api.md 2.5;
// kernel crypto/ahash.c, 6.1).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "api/alg.h"
#include "api/hash.h"
#include "api/scatterlist.h"
#include "api/tfm.h"

namespace caamlab::api {

struct AhashRequest;
struct CryptoAhash;

// A driver's operations. The running state is in the request's memory (set_reqsize), so it ends with the request.
struct AhashOps {
  int (*init)(AhashRequest& req) = nullptr;
  int (*update)(AhashRequest& req) = nullptr;  // nbytes of src
  int (*final)(AhashRequest& req) = nullptr;   // digestsize bytes to result, which is aligned as the algorithm asks
  int (*finup)(AhashRequest& req) = nullptr;   // optional: update, then final
  int (*digest)(AhashRequest& req) = nullptr;  // init, update, final
  int (*export_state)(AhashRequest& req, uint8_t* out) = nullptr;  // statesize bytes
  int (*import_state)(AhashRequest& req, const uint8_t* in) = nullptr;
  int (*setkey)(CryptoAhash& tfm, std::span<const uint8_t> key) = nullptr;  // keyed hashes only
  int (*init_tfm)(CryptoAhash& tfm) = nullptr;                              // optional; sets the request size
  void (*exit_tfm)(CryptoAhash& tfm) = nullptr;                             // optional
};

struct AhashAlg : HashAlgCommon {
  AhashOps ops;
};

struct CryptoAhash : CryptoTfm {
  unsigned int reqsize = 0;       // bytes of driver memory in each request
  const AhashOps* ops = nullptr;  // the algorithm's, or those that drive a shash
};
using AhashHandle = TfmHandle<CryptoAhash>;

// A request is also the running hash: init, then updates, then final, all with the same request, one after the other.
struct AhashRequest : CryptoAsyncRequest {
  uint32_t nbytes = 0;  // of src, for update, finup and digest
  Scatterlist src;
  uint8_t* result = nullptr;  // exactly digestsize bytes

  // The front end's: what it replaced while it finishes an operation in two steps or into an aligned buffer.
  struct Adjusted {
    CryptoCompletion complete = nullptr;
    void* data = nullptr;
    uint8_t* result = nullptr;
    bool final_follows = false;
  } user;
  alignas(kCtxAlign) uint8_t bounce[kMaxDigestSize] = {};
};
using AhashRequestHandle = RequestHandle<AhashRequest>;

extern const CryptoType crypto_ahash_type;

// -EINVAL: digest over 64 bytes, state 0 or over 512 bytes, or a required operation missing; else as
// Registry::register_alg.
int crypto_register_ahash(Registry& registry, AhashAlg& alg);
int crypto_unregister_ahash(Registry& registry, AhashAlg& alg);

// Finds ahash and shash algorithms.
tl::expected<AhashHandle, int> crypto_alloc_ahash(Registry& registry, std::string_view name, uint32_t type = 0,
                                                  uint32_t mask = 0);

// Valid for algorithms registered as ahash.
inline const AhashAlg& crypto_ahash_alg(const CryptoAhash& tfm) { return static_cast<const AhashAlg&>(*tfm.alg); }
inline unsigned int crypto_ahash_digestsize(const CryptoAhash& tfm) { return crypto_hash_alg_common(tfm).digestsize; }
inline unsigned int crypto_ahash_statesize(const CryptoAhash& tfm) { return crypto_hash_alg_common(tfm).statesize; }
inline unsigned int crypto_ahash_blocksize(const CryptoAhash& tfm) { return tfm.alg->cra_blocksize; }
inline uint32_t crypto_ahash_get_flags(const CryptoAhash& tfm) { return tfm.crt_flags; }
inline void crypto_ahash_set_flags(CryptoAhash& tfm, uint32_t flags) { tfm.crt_flags |= flags; }
inline void crypto_ahash_clear_flags(CryptoAhash& tfm, uint32_t flags) { tfm.crt_flags &= ~flags; }

// -ENOSYS on an unkeyed hash; the driver's errno, after which there is no key.
int crypto_ahash_setkey(CryptoAhash& tfm, std::span<const uint8_t> key);

inline AhashRequestHandle ahash_request_alloc(CryptoAhash& tfm) { return request_alloc<AhashRequest>(tfm); }
inline size_t ahash_request_size(const CryptoAhash& tfm) { return request_size<AhashRequest>(tfm.reqsize); }
inline CryptoAhash& crypto_ahash_reqtfm(const AhashRequest& req) { return static_cast<CryptoAhash&>(*req.tfm); }
inline void ahash_request_set_callback(AhashRequest& req, uint32_t flags, CryptoCompletion complete, void* data) {
  req.flags = flags;
  req.complete = complete;
  req.data = data;
}
inline void ahash_request_set_crypt(AhashRequest& req, Scatterlist src, uint8_t* result, uint32_t nbytes) {
  req.src = src;
  req.result = result;
  req.nbytes = nbytes;
}

// init, digest and import give -ENOKEY on a keyed hash without a key. All but export and import may answer -EINPROGRESS
// or -EBUSY (crypto_req_accepted()). After final, finup or digest the state is void.
int crypto_ahash_init(AhashRequest& req);
int crypto_ahash_update(AhashRequest& req);
int crypto_ahash_final(AhashRequest& req);
int crypto_ahash_finup(AhashRequest& req);
int crypto_ahash_digest(AhashRequest& req);
// statesize bytes; good for another request or transform of the same driver with the same key.
int crypto_ahash_export(AhashRequest& req, uint8_t* out);
int crypto_ahash_import(AhashRequest& req, const uint8_t* in);

// For drivers.
template <class T>
T* crypto_ahash_ctx(const CryptoAhash& tfm) {
  return crypto_tfm_ctx<T>(tfm);
}
inline void crypto_ahash_set_reqsize(CryptoAhash& tfm, unsigned int bytes) { tfm.reqsize = bytes; }
template <class T>
T* ahash_request_ctx(AhashRequest& req) {
  return static_cast<T*>(request_ctx(req));
}
inline void ahash_request_complete(AhashRequest& req, int err) { crypto_request_complete(req, err); }
inline AhashRequest& ahash_request_cast(CryptoAsyncRequest& base) { return static_cast<AhashRequest&>(base); }

}  // namespace caamlab::api
