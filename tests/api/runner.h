// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// For tests of drivers: runs one request on a transform with its data laid out in memory in a given way, waits for the
// end, and gives back what came out. Buffers are exactly as long as the request needs, with guard bytes around.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "api/aead.h"
#include "api/ahash.h"
#include "api/skcipher.h"
#include "tests/api/hex.h"

namespace caamlab::tests {

using Bytes = std::vector<uint8_t>;

// A layout: the kernel's default_cipher_testvec_configs (crypto/testmgr.c, 6.1) and the splits of our own.
struct Layout {
  const char* name;
  bool in_place = false;                // src and dst are one list
  bool in_place_two = false;            // two lists over the same memory
  std::vector<size_t> src_pieces = {};  // empty: one piece
  std::vector<size_t> dst_pieces = {};
  size_t offset = 0;  // bytes from a 64-byte boundary
};
const std::vector<Layout>& layouts();
inline const Layout& plain_layout() { return layouts().front(); }

struct Outcome {
  int err = 0;    // final status
  Bytes out;      // text (and tag) for ciphers, digest for hashes
  Bytes aad_out;  // what stands in the AAD room of an aead's dst
  Bytes iv;       // the IV buffer afterwards
  bool guards_intact = true;
};

enum class Crypt : uint8_t { kDecrypt, kEncrypt };

struct AeadInput {
  Bytes iv;
  Bytes aad;
  Bytes text;  // with the tag behind it when decrypting
  uint32_t flags = 0;
};

Outcome run_aead(api::CryptoAead& tfm, Crypt crypt, const AeadInput& input, const Layout& layout);
Outcome run_skcipher(api::CryptoSkcipher& tfm, Crypt crypt, const Bytes& iv, const Bytes& text, const Layout& layout);

// How a hash request is driven. Messages are fed in pieces of layout.src_pieces.
enum class HashCalls : uint8_t { kDigest, kFinup, kUpdateFinal, kExportImport };
Outcome run_ahash(api::CryptoAhash& tfm, const Bytes& message, HashCalls calls, const Layout& layout);

// Deterministic bytes: the same for the same seed.
Bytes random_bytes(size_t len, uint64_t seed);
Bytes from_hex(const std::string& text);

}  // namespace caamlab::tests
