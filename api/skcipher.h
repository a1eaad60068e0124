// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The skcipher front end: symmetric ciphers over scatterlists (crypto-api.md 2.1, 2.3; kernel crypto/skcipher.c, 6.1).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "api/alg.h"
#include "api/scatterlist.h"
#include "api/tfm.h"

namespace caamlab::api {

struct SkcipherRequest;
struct CryptoSkcipher;

struct SkcipherOps {
  int (*setkey)(CryptoSkcipher& tfm, std::span<const uint8_t> key) = nullptr;
  // Answers of crypto-api.md 2.2. Lists shorter than cryptlen are the driver's to refuse: -EINVAL. On success the IV is
  // updated as crypto-api.md 2.3 says.
  int (*encrypt)(SkcipherRequest& req) = nullptr;
  int (*decrypt)(SkcipherRequest& req) = nullptr;
  int (*init)(CryptoSkcipher& tfm) = nullptr;   // optional; sets the request size
  void (*exit)(CryptoSkcipher& tfm) = nullptr;  // optional; only after an init that succeeded
};

struct SkcipherAlg : CryptoAlg {
  uint32_t min_keysize = 0;  // bytes
  uint32_t max_keysize = 0;  // bytes; 0: no key needed
  uint32_t ivsize = 0;       // bytes
  uint32_t chunksize = 0;    // bytes; 0: the block size
  uint32_t walksize = 0;     // bytes; 0: the chunk size
  SkcipherOps ops;
};

struct CryptoSkcipher : CryptoTfm {
  unsigned int reqsize = 0;  // bytes of driver memory in each request
};
using SkcipherHandle = TfmHandle<CryptoSkcipher>;

// A request. Everything it points to stays valid until completion.
struct SkcipherRequest : CryptoAsyncRequest {
  uint32_t cryptlen = 0;  // bytes
  uint8_t* iv = nullptr;  // ivsize bytes, read and (CBC, CTR) written
  Scatterlist src;
  Scatterlist dst;
};
using SkcipherRequestHandle = RequestHandle<SkcipherRequest>;

extern const CryptoType crypto_skcipher_type;

// -EINVAL when ivsize, chunksize or walksize is over 512, max_keysize below min_keysize or an operation is missing,
// else as Registry::register_alg.
int crypto_register_skcipher(Registry& registry, SkcipherAlg& alg);
int crypto_unregister_skcipher(Registry& registry, SkcipherAlg& alg);

tl::expected<SkcipherHandle, int> crypto_alloc_skcipher(Registry& registry, std::string_view name, uint32_t type = 0,
                                                        uint32_t mask = 0);

inline const SkcipherAlg& crypto_skcipher_alg(const CryptoSkcipher& tfm) {
  return static_cast<const SkcipherAlg&>(*tfm.alg);
}
inline unsigned int crypto_skcipher_ivsize(const CryptoSkcipher& tfm) { return crypto_skcipher_alg(tfm).ivsize; }
inline unsigned int crypto_skcipher_min_keysize(const CryptoSkcipher& tfm) {
  return crypto_skcipher_alg(tfm).min_keysize;
}
inline unsigned int crypto_skcipher_max_keysize(const CryptoSkcipher& tfm) {
  return crypto_skcipher_alg(tfm).max_keysize;
}
inline unsigned int crypto_skcipher_chunksize(const CryptoSkcipher& tfm) { return crypto_skcipher_alg(tfm).chunksize; }
inline unsigned int crypto_skcipher_blocksize(const CryptoSkcipher& tfm) { return tfm.alg->cra_blocksize; }
inline uint32_t crypto_skcipher_get_flags(const CryptoSkcipher& tfm) { return tfm.crt_flags; }
inline void crypto_skcipher_set_flags(CryptoSkcipher& tfm, uint32_t flags) { tfm.crt_flags |= flags; }
inline void crypto_skcipher_clear_flags(CryptoSkcipher& tfm, uint32_t flags) { tfm.crt_flags &= ~flags; }

// -EINVAL outside [min_keysize, max_keysize] (an earlier key stays), else the driver's errno (then there is no key).
int crypto_skcipher_setkey(CryptoSkcipher& tfm, std::span<const uint8_t> key);

inline SkcipherRequestHandle skcipher_request_alloc(CryptoSkcipher& tfm) { return request_alloc<SkcipherRequest>(tfm); }
inline size_t skcipher_request_size(const CryptoSkcipher& tfm) { return request_size<SkcipherRequest>(tfm.reqsize); }
inline CryptoSkcipher& crypto_skcipher_reqtfm(const SkcipherRequest& req) {
  return static_cast<CryptoSkcipher&>(*req.tfm);
}
inline void skcipher_request_set_callback(SkcipherRequest& req, uint32_t flags, CryptoCompletion complete, void* data) {
  req.flags = flags;
  req.complete = complete;
  req.data = data;
}
inline void skcipher_request_set_crypt(SkcipherRequest& req, Scatterlist src, Scatterlist dst, uint32_t cryptlen,
                                       uint8_t* iv) {
  req.src = src;
  req.dst = dst;
  req.cryptlen = cryptlen;
  req.iv = iv;
}

// -ENOKEY without a key, else the driver's answer, which may be -EINPROGRESS or -EBUSY (crypto_req_accepted()).
int crypto_skcipher_encrypt(SkcipherRequest& req);
int crypto_skcipher_decrypt(SkcipherRequest& req);

// For drivers.
template <class T>
T* crypto_skcipher_ctx(const CryptoSkcipher& tfm) {
  return crypto_tfm_ctx<T>(tfm);
}
inline void crypto_skcipher_set_reqsize(CryptoSkcipher& tfm, unsigned int bytes) { tfm.reqsize = bytes; }
template <class T>
T* skcipher_request_ctx(SkcipherRequest& req) {
  return static_cast<T*>(request_ctx(req));
}
inline void skcipher_request_complete(SkcipherRequest& req, int err) { crypto_request_complete(req, err); }
inline SkcipherRequest& skcipher_request_cast(CryptoAsyncRequest& base) { return static_cast<SkcipherRequest&>(base); }

}  // namespace caamlab::api
