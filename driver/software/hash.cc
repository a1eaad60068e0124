// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Hashes and HMAC as shash algorithms.
#define OPENSSL_SUPPRESS_DEPRECATED  // MD5_Init() and its like: see hash.h
#include "driver/software/hash.h"

#include <openssl/crypto.h>
#include <openssl/md5.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "api/hash.h"

namespace caamlab::driver::software {
namespace {

using api::ShashDesc;

// The three functions of a libcrypto hash with state type Ctx, as functions of HashState.
template <class Ctx, int (*Init)(Ctx*), int (*Update)(Ctx*, const void*, size_t), int (*Final)(unsigned char*, Ctx*)>
constexpr HashAlgorithm make_hash(const char* name, uint32_t digestsize, uint32_t blocksize) {
  static_assert(sizeof(Ctx) <= kMaxHashState && alignof(Ctx) <= 8);
  return {name,
          digestsize,
          blocksize,
          sizeof(Ctx),
          [](HashState* state) { Init(reinterpret_cast<Ctx*>(state->bytes)); },
          [](HashState* state, std::span<const uint8_t> data) {
            Update(reinterpret_cast<Ctx*>(state->bytes), data.data(), data.size());
          },
          [](HashState* state, uint8_t* out) { Final(out, reinterpret_cast<Ctx*>(state->bytes)); }};
}

constexpr HashAlgorithm kHashes[] = {
    make_hash<MD5_CTX, MD5_Init, MD5_Update, MD5_Final>("md5", 16, 64),
    make_hash<SHA_CTX, SHA1_Init, SHA1_Update, SHA1_Final>("sha1", 20, 64),
    make_hash<SHA256_CTX, SHA224_Init, SHA224_Update, SHA224_Final>("sha224", 28, 64),
    make_hash<SHA256_CTX, SHA256_Init, SHA256_Update, SHA256_Final>("sha256", 32, 64),
    make_hash<SHA512_CTX, SHA384_Init, SHA384_Update, SHA384_Final>("sha384", 48, 128),
    make_hash<SHA512_CTX, SHA512_Init, SHA512_Update, SHA512_Final>("sha512", 64, 128),
};

struct SoftHash : api::ShashAlg {
  explicit SoftHash(const HashAlgorithm& algorithm) : hash(algorithm) {}
  HashAlgorithm hash;
};

const HashAlgorithm& hash_of(const api::CryptoTfm& tfm) { return static_cast<const SoftHash&>(*tfm.alg).hash; }
HashState* state_of(ShashDesc& desc) { return api::shash_desc_ctx<HashState>(desc); }
HmacKey* key_of(const api::CryptoTfm& tfm) { return api::crypto_tfm_ctx<HmacKey>(tfm); }

int hash_init(ShashDesc& desc) {
  hash_of(*desc.tfm).init(state_of(desc));
  return 0;
}

int hash_update(ShashDesc& desc, std::span<const uint8_t> data) {
  hash_of(*desc.tfm).update(state_of(desc), data);
  return 0;
}

int hash_final(ShashDesc& desc, uint8_t* out) {
  hash_of(*desc.tfm).final(state_of(desc), out);
  return 0;
}

int hmac_setkey(api::CryptoTfm& tfm, std::span<const uint8_t> key) {
  if (tfm.registry->fips_enabled() && key.size() < kFipsMinHmacKey) return -EINVAL;
  hmac_set_key(hash_of(tfm), key_of(tfm), key);
  return 0;
}

int hmac_init(ShashDesc& desc) {
  std::memcpy(state_of(desc), &key_of(*desc.tfm)->inner, hash_of(*desc.tfm).statesize);
  return 0;
}

int hmac_finish(ShashDesc& desc, uint8_t* out) {
  hmac_final(hash_of(*desc.tfm), *key_of(*desc.tfm), state_of(desc), out);
  return 0;
}

std::unique_ptr<SoftHash> make_alg(Algorithms* algorithms, const AlgNames& names, const HashAlgorithm& hash) {
  auto alg = std::make_unique<SoftHash>(hash);
  algorithms->name(*alg, names);
  alg->cra_blocksize = hash.blocksize;
  alg->digestsize = hash.digestsize;
  alg->descsize = hash.statesize;
  return alg;
}

}  // namespace

std::span<const HashAlgorithm> hash_algorithms() { return kHashes; }

const HashAlgorithm& hash_algorithm(const char* name) {
  return *std::find_if(std::begin(kHashes), std::end(kHashes) - 1,
                       [name](const HashAlgorithm& hash) { return std::strcmp(hash.name, name) == 0; });
}

void hmac_set_key(const HashAlgorithm& hash, HmacKey* key, std::span<const uint8_t> bytes) {
  std::array<uint8_t, kMaxHashBlock> pad{};
  const auto block = std::span(pad).first(hash.blocksize);
  if (bytes.size() > hash.blocksize) {
    hash.init(&key->inner);
    hash.update(&key->inner, bytes);
    hash.final(&key->inner, pad.data());
  } else {
    std::ranges::copy(bytes, pad.begin());
  }
  for (uint8_t& byte : block) byte ^= 0x36;
  hash.init(&key->inner);
  hash.update(&key->inner, block);
  for (uint8_t& byte : block) byte ^= 0x36 ^ 0x5c;
  hash.init(&key->outer);
  hash.update(&key->outer, block);
  OPENSSL_cleanse(pad.data(), pad.size());
}

void hmac_final(const HashAlgorithm& hash, const HmacKey& key, HashState* state, uint8_t* out) {
  std::array<uint8_t, api::kMaxDigestSize> inner;
  hash.final(state, inner.data());
  std::memcpy(state, &key.outer, hash.statesize);
  hash.update(state, std::span(inner).first(hash.digestsize));
  hash.final(state, out);
}

void add_hash(Algorithms* algorithms, const AlgNames& names, const HashAlgorithm& hash) {
  auto alg = make_alg(algorithms, names, hash);
  alg->ops = {.init = hash_init, .update = hash_update, .final = hash_final};
  algorithms->add(std::move(alg));
}

void add_hmac(Algorithms* algorithms, const AlgNames& names, const HashAlgorithm& hash) {
  auto alg = make_alg(algorithms, names, hash);
  alg->cra_ctxsize = sizeof(HmacKey);
  alg->ops = {.init = hmac_init, .update = hash_update, .final = hmac_finish, .setkey = hmac_setkey};
  algorithms->add(std::move(alg));
}

}  // namespace caamlab::driver::software
