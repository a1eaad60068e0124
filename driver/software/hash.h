// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// MD5, SHA-1, SHA-2 and HMAC over states that are plain bytes: they live in a request, can be exported, and nothing is
// allocated (kernel crypto/{md5,sha1_generic,sha256_generic,sha512_generic,hmac}.c, 6.1). libcrypto's EVP digests
// cannot be exported, so its older functions serve here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "driver/software/algorithms.h"

namespace caamlab::driver::software {

inline constexpr size_t kMaxHashBlock = 128;  // bytes
inline constexpr size_t kMaxHashState = 224;
inline constexpr size_t kFipsMinHmacKey = 14;

// The state of any of them.
struct HashState {
  alignas(8) uint8_t bytes[kMaxHashState];
};

struct HashAlgorithm {
  const char* name;     // "sha256"
  uint32_t digestsize;  // bytes
  uint32_t blocksize;   // bytes
  uint32_t statesize;   // bytes of HashState that are used
  void (*init)(HashState* state);
  void (*update)(HashState* state, std::span<const uint8_t> data);
  void (*final)(HashState* state, uint8_t* out);
};

// md5, sha1, sha224, sha256, sha384, sha512.
std::span<const HashAlgorithm> hash_algorithms();
// One of them; the name must be.
const HashAlgorithm& hash_algorithm(const char* name);

// A keyed HMAC: the states after the inner and outer pad.
struct HmacKey {
  HashState inner;
  HashState outer;
};
// A key longer than a block is hashed first. Any length, 0 too.
void hmac_set_key(const HashAlgorithm& hash, HmacKey* key, std::span<const uint8_t> bytes);
// state: HashState that began as key.inner and took the message.
void hmac_final(const HashAlgorithm& hash, const HmacKey& key, HashState* state, uint8_t* out);

void add_hash(Algorithms* algorithms, const AlgNames& names, const HashAlgorithm& hash);
// hmac(hash), as the hmac template makes it.
void add_hmac(Algorithms* algorithms, const AlgNames& names, const HashAlgorithm& hash);

}  // namespace caamlab::driver::software
