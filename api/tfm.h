// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Transforms: one user's handle on an algorithm, with the driver's context behind it, and the memory of requests
// (kernel crypto_create_tfm, crypto_alloc_tfm of crypto/api.c, 6.1). Type-specific transforms (CryptoAead ...) derive
// from CryptoTfm.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <tl/expected.hpp>

#include "api/alg.h"
#include "api/registry.h"
#include "api/request.h"

namespace caamlab::api {

// Contexts and requests start on a cache line, so that a driver can map parts of them for DMA.
inline constexpr size_t kCtxAlign = 64;
constexpr size_t ctx_align_up(size_t len) { return (len + kCtxAlign - 1) / kCtxAlign * kCtxAlign; }

struct CryptoTfm {
  AlgRef alg;
  Registry* registry = nullptr;
  const CryptoType* frontend = nullptr;  // not always the algorithm's: a shash serves the ahash front end too
  uint32_t crt_flags = 0;
  void* ctx = nullptr;  // cra_ctxsize bytes, zero at init, aligned to kCtxAlign; wiped when the transform is freed

  const std::string& driver_name() const { return alg->cra_driver_name; }
};

// The driver's context as its own type. A type with a constructor is made with placement new in init and destroyed in
// exit.
template <class T>
T* crypto_tfm_ctx(const CryptoTfm& tfm) {
  static_assert(alignof(T) <= kCtxAlign);
  return static_cast<T*>(tfm.ctx);
}

// Owns a transform: exit of the driver, wipe, references dropped. All its requests must have completed.
struct TfmDeleter {
  template <class Tfm>
  void operator()(Tfm* tfm) const {
    void* ctx = tfm->ctx;
    const size_t ctxsize = tfm->alg->cra_ctxsize;
    tfm->frontend->exit_tfm(*tfm);
    std::destroy_at(tfm);
    free_memory(tfm, ctx, ctxsize);
  }
  static void free_memory(void* tfm, void* ctx, size_t ctxsize);
};
template <class Tfm>
using TfmHandle = std::unique_ptr<Tfm, TfmDeleter>;

// Zeroed memory for a transform or request; null when there is none.
void* alloc_aligned_zero(size_t len);
void free_aligned(void* mem);

// Finds an algorithm for the front end and makes a transform of it. An init that answers -EAGAIN is not asked again:
// its algorithm is marked dying and the lookup repeated. Errors: the lookup's, init's, -ENOMEM.
template <class Tfm>
tl::expected<TfmHandle<Tfm>, int> crypto_alloc_tfm(Registry& registry, const CryptoType& frontend,
                                                   std::string_view name, uint32_t type, uint32_t mask) {
  for (;;) {
    tl::expected<AlgRef, int> alg = registry.find_alg(frontend, name, type, mask);
    if (!alg) return tl::make_unexpected(alg.error());
    const size_t ctxsize = (*alg)->cra_ctxsize;
    void* mem = alloc_aligned_zero(ctx_align_up(sizeof(Tfm)) + ctxsize);
    if (mem == nullptr) return tl::make_unexpected(-ENOMEM);
    auto* tfm = new (mem) Tfm;
    tfm->alg = std::move(*alg);
    tfm->registry = &registry;
    tfm->frontend = &frontend;
    tfm->ctx = static_cast<uint8_t*>(mem) + ctx_align_up(sizeof(Tfm));
    const int err = frontend.init_tfm(*tfm);
    if (err == 0) return TfmHandle<Tfm>(tfm);
    if (err == -EAGAIN) registry.shoot_alg(*tfm->alg);
    void* ctx = tfm->ctx;
    std::destroy_at(tfm);
    TfmDeleter::free_memory(mem, ctx, ctxsize);
    if (err != -EAGAIN) return tl::make_unexpected(err);
  }
}

// Calls setkey(key) with the key moved to the algorithm's alignment first, if it is not already (bounce buffer, wiped).
template <class Setkey>
int with_aligned_key(uint32_t alignmask, std::span<const uint8_t> key, Setkey setkey) {
  if ((reinterpret_cast<uintptr_t>(key.data()) & alignmask) == 0) return setkey(key);
  auto* bounce = static_cast<uint8_t*>(alloc_aligned_zero(key.size()));
  if (bounce == nullptr) return -ENOMEM;
  std::copy(key.begin(), key.end(), bounce);
  const int err = setkey(std::span<const uint8_t>(bounce, key.size()));
  TfmDeleter::free_memory(bounce, bounce, key.size());
  return err;
}

// Memory behind a request header, for the driver: reqsize bytes, aligned to kCtxAlign.
template <class Request>
void* request_ctx(Request& req) {
  return reinterpret_cast<uint8_t*>(&req) + ctx_align_up(sizeof(Request));
}

struct RequestDeleter {
  template <class Request>
  void operator()(Request* req) const {
    std::destroy_at(req);
    free_aligned(req);
  }
};
template <class Request>
using RequestHandle = std::unique_ptr<Request, RequestDeleter>;

// Bytes that a request of a transform needs.
template <class Request>
constexpr size_t request_size(size_t reqsize) {
  return ctx_align_up(sizeof(Request)) + ctx_align_up(reqsize);
}

// Makes a request in `mem` (request_size() bytes, kCtxAlign aligned; nothing to free): for requests inside requests.
template <class Request, class Tfm>
Request* request_at(void* mem, Tfm& tfm) {
  auto* req = new (mem) Request;
  req->tfm = &tfm;
  return req;
}

// Null when there is no memory. A request may be used again and again; only making it allocates.
template <class Request, class Tfm>
RequestHandle<Request> request_alloc(Tfm& tfm) {
  void* mem = alloc_aligned_zero(request_size<Request>(tfm.reqsize));
  return RequestHandle<Request>(mem == nullptr ? nullptr : request_at<Request>(mem, tfm));
}

}  // namespace caamlab::api
