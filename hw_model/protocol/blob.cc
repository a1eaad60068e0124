// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See blob.h.
#include "hw_model/protocol/blob.h"

#include "hw_model/cha/arith/aes_ccm.h"
#include "hw_model/cha/arith/evp_cipher.h"
#include "hw_model/cha/arith/hash_state.h"

namespace caamlab::hw_model {
namespace {

constexpr uint8_t kNonce[13] = {};

std::array<uint8_t, 32> sha256(std::initializer_list<ByteSpan> parts) {
  std::array<uint8_t, 32> out;
  HashState h;
  h.init(desc::Alg::kSha256);
  for (const ByteSpan p : parts) h.update(p);
  h.finish(out.data());
  return out;
}

void crypt_key(const std::array<uint8_t, 32>& kek, Direction direction, const uint8_t* in, uint8_t* out) {
  EvpCipher ecb;
  ecb.set_key(aes_cipher(AesMode::kEcb, kek.size()), kek, direction);
  ecb.update(out, in, kBlobKeyBytes);
}

}  // namespace

BlobMaker::BlobMaker(const MasterKey& master, ByteSpan modifier, BlobKind kind) {
  static constexpr MasterKey kTestKey = {};
  const uint8_t kind_byte = static_cast<uint8_t>(static_cast<unsigned>(kind.format) | (kind.secure_memory ? 4 : 0) |
                                                 (kind.black ? 8 : 0) | (kind.secure_owner ? 16 : 0));
  key_encryption_key_ =
      sha256({kind.format == BlobFormat::kTest ? kTestKey : master, modifier, ByteSpan(&kind_byte, 1)});
}

void BlobMaker::encapsulate(ByteSpan data, const RandomBytes& random, std::span<uint8_t> out) const {
  std::array<uint8_t, kBlobKeyBytes> blob_key;
  random(blob_key);
  AesCcm ccm;
  ccm.set_key(blob_key);
  ccm.seal(kNonce, data, out.data() + kBlobKeyBytes, out.last(kBlobMacBytes));
  crypt_key(key_encryption_key_, Direction::kEncrypt, blob_key.data(), out.data());
}

ProtocolStatus BlobMaker::decapsulate(ByteSpan blob, std::span<uint8_t> out) const {
  std::array<uint8_t, kBlobKeyBytes> blob_key;
  crypt_key(key_encryption_key_, Direction::kDecrypt, blob.data(), blob_key.data());
  AesCcm ccm;
  ccm.set_key(blob_key);
  const bool good = ccm.open(kNonce, blob.subspan(kBlobKeyBytes, out.size()), out.data(), blob.last(kBlobMacBytes));
  return good ? ProtocolStatus{} : ProtocolStatus::of_cha(desc::ChaId::kAes, desc::CcbError::kIcvCheck);
}

std::array<uint8_t, 32> BlobMaker::verification() const { return sha256({key_encryption_key_}); }

}  // namespace caamlab::hw_model
