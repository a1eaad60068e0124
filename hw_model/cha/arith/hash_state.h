// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The hash functions of the MDHA with their running state in the open: libcrypto's low-level functions, which EVP
// hides.
#pragma once

// Deprecated for users who want a whole digest; nothing else gives a running state.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/md5.h>
#include <openssl/sha.h>

#include <cstdint>

#include "desc/algs.h"
#include "desc/bits.h"

namespace caamlab::hw_model {

inline constexpr unsigned kMaxHashState = 64, kMaxHashBlock = 128, kMaxSplitKey = 128;

struct HashInfo {
  unsigned state_bytes, digest_bytes, block_bytes;
};
// alg: kMd5 to kSha512_256.
const HashInfo& hash_info(desc::Alg alg);

class HashState {
 public:
  // A new message.
  void init(desc::Alg alg);
  // A message that continues: its running state, and its length so far, whole blocks. State words are big endian (MD5
  // little endian), as in a digest.
  void load(desc::Alg alg, const uint8_t* state, uint64_t bytes);
  void update(desc::ByteSpan data);
  // Bytes since the last block boundary.
  unsigned partial() const;
  uint64_t bytes() const { return bytes_; }
  // The running state, info().state_bytes; partial() is 0.
  void store(uint8_t* state) const;
  // Pads; the state then begins with the digest.
  void finish(uint8_t* state);
  const HashInfo& info() const { return hash_info(alg_); }

 private:
  desc::Alg alg_ = desc::Alg::kSha256;
  uint64_t bytes_ = 0;
  union {
    MD5_CTX md5;
    SHA_CTX sha1;
    SHA256_CTX sha256;
    SHA512_CTX sha512;
  } ctx_;
};

// HMAC's inner and outer states after the key's block, one after the other: a split key (hardware.md 4.6). `key`: one
// block at most. Returns its length.
unsigned make_split_key(desc::Alg alg, desc::ByteSpan key, uint8_t out[kMaxSplitKey]);

}  // namespace caamlab::hw_model
