// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Blobs (hardware.md 2.15.3): 32 bytes of encrypted blob key, the encrypted data, a 16-byte MAC. A random blob key
// encrypts the data with AES-256-CCM; itself it is encrypted with AES-256-ECB under a key derived from the master key.
// Assumed: the derivation is SHA-256 of master key, key modifier and a byte for the kind of blob and its owner, so
// blobs do not pass between this and real devices; the CCM nonce is zero, since a blob key is used once; the test
// format has a master key of zeros; master key verification gives the derived key's digest and needs no input.
#pragma once

#include <array>

#include "hw_model/cha/device_units.h"
#include "hw_model/protocol/status.h"

namespace caamlab::hw_model {

inline constexpr size_t kBlobKeyBytes = 32, kBlobMacBytes = 16, kBlobOverhead = kBlobKeyBytes + kBlobMacBytes;

enum class BlobFormat : uint8_t { kNormal = 0, kMasterKeyVerification = 2, kTest = 3 };

struct BlobKind {
  BlobFormat format = BlobFormat::kNormal;
  bool secure_memory = false, black = false;
  bool secure_owner = false;  // made on a ring of the secure world
};

class BlobMaker {
 public:
  // modifier: 16 bytes (general memory) or 8 (secure memory).
  BlobMaker(const MasterKey& master, ByteSpan modifier, BlobKind kind);
  // out: data.size() + kBlobOverhead bytes.
  void encapsulate(ByteSpan data, const RandomBytes& random, std::span<uint8_t> out) const;
  // out: blob.size() - kBlobOverhead bytes, written whatever the answer. A wrong blob is an ICV error of the AESA.
  ProtocolStatus decapsulate(ByteSpan blob, std::span<uint8_t> out) const;
  std::array<uint8_t, 32> verification() const;

 private:
  std::array<uint8_t, 32> key_encryption_key_;
};

}  // namespace caamlab::hw_model
