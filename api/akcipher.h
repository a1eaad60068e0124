// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The akcipher front end: public-key ciphers (crypto-api.md 2.6; kernel crypto/akcipher.c, 6.1).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "api/alg.h"
#include "api/scatterlist.h"
#include "api/tfm.h"

namespace caamlab::api {

struct AkcipherRequest;
struct CryptoAkcipher;

// A driver's operations; a missing one is -ENOSYS to the caller. Keys are BER/DER (RFC 3447 RSAPublicKey,
// RSAPrivateKey).
struct AkcipherOps {
  int (*encrypt)(AkcipherRequest& req) = nullptr;
  int (*decrypt)(AkcipherRequest& req) = nullptr;
  int (*sign)(AkcipherRequest& req) = nullptr;
  int (*verify)(AkcipherRequest& req) = nullptr;
  int (*set_pub_key)(CryptoAkcipher& tfm, std::span<const uint8_t> key) = nullptr;
  int (*set_priv_key)(CryptoAkcipher& tfm, std::span<const uint8_t> key) = nullptr;
  unsigned int (*max_size)(CryptoAkcipher& tfm) = nullptr;  // bytes of the largest result; 0 without a key
  int (*init)(CryptoAkcipher& tfm) = nullptr;               // optional; sets the request size
  void (*exit)(CryptoAkcipher& tfm) = nullptr;              // optional
};

struct AkcipherAlg : CryptoAlg {
  AkcipherOps ops;
};

struct CryptoAkcipher : CryptoTfm {
  unsigned int reqsize = 0;
};
using AkcipherHandle = TfmHandle<CryptoAkcipher>;

struct AkcipherRequest : CryptoAsyncRequest {
  Scatterlist src;
  Scatterlist dst;
  uint32_t src_len = 0;  // bytes
  uint32_t dst_len = 0;  // bytes of room; after success, of result; after -EOVERFLOW, what is needed
};
using AkcipherRequestHandle = RequestHandle<AkcipherRequest>;

extern const CryptoType crypto_akcipher_type;

// -EINVAL when set_pub_key or max_size is missing, else as Registry::register_alg.
int crypto_register_akcipher(Registry& registry, AkcipherAlg& alg);
int crypto_unregister_akcipher(Registry& registry, AkcipherAlg& alg);

tl::expected<AkcipherHandle, int> crypto_alloc_akcipher(Registry& registry, std::string_view name, uint32_t type = 0,
                                                        uint32_t mask = 0);

inline const AkcipherAlg& crypto_akcipher_alg(const CryptoAkcipher& tfm) {
  return static_cast<const AkcipherAlg&>(*tfm.alg);
}

int crypto_akcipher_set_pub_key(CryptoAkcipher& tfm, std::span<const uint8_t> key);
int crypto_akcipher_set_priv_key(CryptoAkcipher& tfm, std::span<const uint8_t> key);
unsigned int crypto_akcipher_maxsize(CryptoAkcipher& tfm);

inline AkcipherRequestHandle akcipher_request_alloc(CryptoAkcipher& tfm) { return request_alloc<AkcipherRequest>(tfm); }
inline CryptoAkcipher& crypto_akcipher_reqtfm(const AkcipherRequest& req) {
  return static_cast<CryptoAkcipher&>(*req.tfm);
}
inline void akcipher_request_set_callback(AkcipherRequest& req, uint32_t flags, CryptoCompletion complete, void* data) {
  req.flags = flags;
  req.complete = complete;
  req.data = data;
}
inline void akcipher_request_set_crypt(AkcipherRequest& req, Scatterlist src, Scatterlist dst, uint32_t src_len,
                                       uint32_t dst_len) {
  req.src = src;
  req.dst = dst;
  req.src_len = src_len;
  req.dst_len = dst_len;
}

// -ENOSYS when the driver has no such operation, else its answer: -EINVAL without a key, -EOVERFLOW when dst_len is too
// small (dst_len then says what is needed), -EINPROGRESS, ...
int crypto_akcipher_encrypt(AkcipherRequest& req);
int crypto_akcipher_decrypt(AkcipherRequest& req);
int crypto_akcipher_sign(AkcipherRequest& req);
int crypto_akcipher_verify(AkcipherRequest& req);

// For drivers.
template <class T>
T* akcipher_tfm_ctx(const CryptoAkcipher& tfm) {
  return crypto_tfm_ctx<T>(tfm);
}
inline void akcipher_set_reqsize(CryptoAkcipher& tfm, unsigned int bytes) { tfm.reqsize = bytes; }
template <class T>
T* akcipher_request_ctx(AkcipherRequest& req) {
  return static_cast<T*>(request_ctx(req));
}
inline void akcipher_request_complete(AkcipherRequest& req, int err) { crypto_request_complete(req, err); }
inline AkcipherRequest& akcipher_request_cast(CryptoAsyncRequest& base) { return static_cast<AkcipherRequest&>(base); }

}  // namespace caamlab::api
