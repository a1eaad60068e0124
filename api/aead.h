// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The aead front end: authenticated encryption with associated data (crypto-api.md 2.1, 2.4; kernel crypto/aead.c and
// include/crypto/aead.h, 6.1). Functions keep the kernel's names; a transform is passed by reference, errors are 0 or
// -errno.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "api/alg.h"
#include "api/scatterlist.h"
#include "api/tfm.h"

namespace caamlab::api {

struct AeadRequest;
struct CryptoAead;

// A driver's operations. Null where marked optional.
struct AeadOps {
  int (*setkey)(CryptoAead& tfm, std::span<const uint8_t> key) = nullptr;
  int (*setauthsize)(CryptoAead& tfm, unsigned int authsize) = nullptr;  // optional
  // Answers of crypto-api.md 2.2. Lists shorter than assoclen + cryptlen (+ tag) are the driver's to refuse: -EINVAL.
  int (*encrypt)(AeadRequest& req) = nullptr;
  int (*decrypt)(AeadRequest& req) = nullptr;
  int (*init)(CryptoAead& tfm) = nullptr;   // optional; sets the request size
  void (*exit)(CryptoAead& tfm) = nullptr;  // optional; only after an init that succeeded
};

struct AeadAlg : CryptoAlg {
  uint32_t ivsize = 0;       // bytes
  uint32_t maxauthsize = 0;  // bytes
  uint32_t chunksize = 0;    // bytes; 0: the block size
  AeadOps ops;
};

struct CryptoAead : CryptoTfm {
  unsigned int authsize = 0;  // bytes of tag
  unsigned int reqsize = 0;   // bytes of driver memory in each request
};
using AeadHandle = TfmHandle<CryptoAead>;

// A request. src holds AAD then text (then tag, to decrypt); dst has room for the same with or without the tag.
// Everything it points to stays valid until completion. Whether AAD is copied into dst is the driver's business.
struct AeadRequest : CryptoAsyncRequest {
  uint32_t assoclen = 0;  // bytes
  uint32_t cryptlen = 0;  // bytes of text, plus the tag when decrypting
  uint8_t* iv = nullptr;  // ivsize bytes
  Scatterlist src;
  Scatterlist dst;
};
using AeadRequestHandle = RequestHandle<AeadRequest>;

extern const CryptoType crypto_aead_type;

// Registration. -EINVAL when max(ivsize, maxauthsize, chunksize) is over 512 or an operation is missing, else as
// Registry::register_alg. The object must outlive its registration and its users.
int crypto_register_aead(Registry& registry, AeadAlg& alg);
int crypto_unregister_aead(Registry& registry, AeadAlg& alg);

// name: an algorithm or a driver. type, mask: flag bits beyond the front end's. Error: negative errno of 1.10.
tl::expected<AeadHandle, int> crypto_alloc_aead(Registry& registry, std::string_view name, uint32_t type = 0,
                                                uint32_t mask = 0);

inline const AeadAlg& crypto_aead_alg(const CryptoAead& tfm) { return static_cast<const AeadAlg&>(*tfm.alg); }
inline unsigned int crypto_aead_ivsize(const CryptoAead& tfm) { return crypto_aead_alg(tfm).ivsize; }
inline unsigned int crypto_aead_maxauthsize(const CryptoAead& tfm) { return crypto_aead_alg(tfm).maxauthsize; }
inline unsigned int crypto_aead_chunksize(const CryptoAead& tfm) { return crypto_aead_alg(tfm).chunksize; }
inline unsigned int crypto_aead_blocksize(const CryptoAead& tfm) { return tfm.alg->cra_blocksize; }
inline unsigned int crypto_aead_authsize(const CryptoAead& tfm) { return tfm.authsize; }
inline uint32_t crypto_aead_get_flags(const CryptoAead& tfm) { return tfm.crt_flags; }
inline void crypto_aead_set_flags(CryptoAead& tfm, uint32_t flags) { tfm.crt_flags |= flags; }
inline void crypto_aead_clear_flags(CryptoAead& tfm, uint32_t flags) { tfm.crt_flags &= ~flags; }

// The driver's errno; after any failure the transform has no key (-ENOKEY from then on).
int crypto_aead_setkey(CryptoAead& tfm, std::span<const uint8_t> key);
// -EINVAL: 0 (unless maxauthsize is 0), above maxauthsize, or not one of the algorithm's sizes.
int crypto_aead_setauthsize(CryptoAead& tfm, unsigned int authsize);

// Null when there is no memory.
inline AeadRequestHandle aead_request_alloc(CryptoAead& tfm) { return request_alloc<AeadRequest>(tfm); }
inline size_t aead_request_size(const CryptoAead& tfm) { return request_size<AeadRequest>(tfm.reqsize); }
inline CryptoAead& crypto_aead_reqtfm(const AeadRequest& req) { return static_cast<CryptoAead&>(*req.tfm); }
inline void aead_request_set_callback(AeadRequest& req, uint32_t flags, CryptoCompletion complete, void* data) {
  req.flags = flags;
  req.complete = complete;
  req.data = data;
}
inline void aead_request_set_crypt(AeadRequest& req, Scatterlist src, Scatterlist dst, uint32_t cryptlen, uint8_t* iv) {
  req.src = src;
  req.dst = dst;
  req.cryptlen = cryptlen;
  req.iv = iv;
}
inline void aead_request_set_ad(AeadRequest& req, uint32_t assoclen) { req.assoclen = assoclen; }

// -ENOKEY without a key; decrypt: -EINVAL when cryptlen is below the tag size, -EBADMSG for a wrong tag (dst is then
// undefined). Otherwise the driver's answer, which may be -EINPROGRESS or -EBUSY (crypto_req_accepted()).
int crypto_aead_encrypt(AeadRequest& req);
int crypto_aead_decrypt(AeadRequest& req);

// For drivers.
template <class T>
T* crypto_aead_ctx(const CryptoAead& tfm) {
  return crypto_tfm_ctx<T>(tfm);
}
inline void crypto_aead_set_reqsize(CryptoAead& tfm, unsigned int bytes) { tfm.reqsize = bytes; }
template <class T>
T* aead_request_ctx(AeadRequest& req) {
  return static_cast<T*>(request_ctx(req));
}
inline void aead_request_complete(AeadRequest& req, int err) { crypto_request_complete(req, err); }
// Queues and engines hold requests as their base.
inline AeadRequest& aead_request_cast(CryptoAsyncRequest& base) { return static_cast<AeadRequest&>(base); }

}  // namespace caamlab::api
