// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See hash_state.h.
#include "hw_model/cha/arith/hash_state.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace caamlab::hw_model {

using desc::Alg;

namespace {

constexpr std::array<HashInfo, 8> kInfo{{
    {16, 16, 64},   // MD5
    {20, 20, 64},   // SHA-1
    {32, 28, 64},   // SHA-224
    {32, 32, 64},   // SHA-256
    {64, 48, 128},  // SHA-384
    {64, 64, 128},  // SHA-512
    {64, 28, 128},  // SHA-512/224
    {64, 32, 128},  // SHA-512/256
}};

// The initial values of SHA-512/t: SHA-512 of the name, from a masked initial value (FIPS 180-4, 5.3.6).
std::array<uint64_t, 8> truncated_initial(const char* name) {
  SHA512_CTX c;
  SHA512_Init(&c);
  for (auto& h : c.h) h ^= 0xA5A5A5A5A5A5A5A5u;
  uint8_t digest[64];
  SHA512_Update(&c, name, std::strlen(name));
  SHA512_Final(digest, &c);
  std::array<uint64_t, 8> out;
  for (unsigned i = 0; i < 8; ++i) out[i] = desc::load_be64(digest + 8 * i);
  return out;
}

uint32_t load_le32(const uint8_t* p) { return desc::load32(p, desc::Endian::kLittle); }

}  // namespace

const HashInfo& hash_info(Alg alg) { return kInfo[static_cast<uint8_t>(alg) & 7]; }

void HashState::init(Alg alg) {
  alg_ = alg;
  bytes_ = 0;
  switch (alg) {
    case Alg::kMd5:
      MD5_Init(&ctx_.md5);
      return;
    case Alg::kSha1:
      SHA1_Init(&ctx_.sha1);
      return;
    case Alg::kSha224:
      SHA224_Init(&ctx_.sha256);
      return;
    case Alg::kSha256:
      SHA256_Init(&ctx_.sha256);
      return;
    case Alg::kSha384:
      SHA384_Init(&ctx_.sha512);
      return;
    default:
      SHA512_Init(&ctx_.sha512);
      break;
  }
  if (alg == Alg::kSha512) return;
  static const std::array<uint64_t, 8> k224 = truncated_initial("SHA-512/224"), k256 = truncated_initial("SHA-512/256");
  const auto& initial = alg == Alg::kSha512_224 ? k224 : k256;
  std::copy(initial.begin(), initial.end(), ctx_.sha512.h);
}

void HashState::load(Alg alg, const uint8_t* state, uint64_t bytes) {
  init(alg);
  bytes_ = bytes;
  const uint32_t bits_low = static_cast<uint32_t>(bytes << 3), bits_high = static_cast<uint32_t>(bytes >> 29);
  switch (info().state_bytes) {
    case 16: {
      MD5_CTX& c = ctx_.md5;
      c.A = load_le32(state), c.B = load_le32(state + 4), c.C = load_le32(state + 8), c.D = load_le32(state + 12);
      c.Nl = bits_low, c.Nh = bits_high;
      return;
    }
    case 20: {
      SHA_CTX& c = ctx_.sha1;
      c.h0 = desc::load_be32(state), c.h1 = desc::load_be32(state + 4), c.h2 = desc::load_be32(state + 8);
      c.h3 = desc::load_be32(state + 12), c.h4 = desc::load_be32(state + 16);
      c.Nl = bits_low, c.Nh = bits_high;
      return;
    }
    case 32:
      for (unsigned i = 0; i < 8; ++i) ctx_.sha256.h[i] = desc::load_be32(state + 4 * i);
      ctx_.sha256.Nl = bits_low, ctx_.sha256.Nh = bits_high;
      return;
    default:
      for (unsigned i = 0; i < 8; ++i) ctx_.sha512.h[i] = desc::load_be64(state + 8 * i);
      ctx_.sha512.Nl = bytes << 3, ctx_.sha512.Nh = bytes >> 61;
  }
}

void HashState::update(desc::ByteSpan data) {
  bytes_ += data.size();
  switch (info().state_bytes) {
    case 16:
      MD5_Update(&ctx_.md5, data.data(), data.size());
      return;
    case 20:
      SHA1_Update(&ctx_.sha1, data.data(), data.size());
      return;
    case 32:
      SHA256_Update(&ctx_.sha256, data.data(), data.size());
      return;
    default:
      SHA512_Update(&ctx_.sha512, data.data(), data.size());
  }
}

unsigned HashState::partial() const {
  switch (info().state_bytes) {
    case 16:
      return ctx_.md5.num;
    case 20:
      return ctx_.sha1.num;
    case 32:
      return ctx_.sha256.num;
    default:
      return ctx_.sha512.num;
  }
}

void HashState::store(uint8_t* state) const {
  switch (info().state_bytes) {
    case 16: {
      const uint32_t words[] = {ctx_.md5.A, ctx_.md5.B, ctx_.md5.C, ctx_.md5.D};
      for (unsigned i = 0; i < 4; ++i) desc::store32(state + 4 * i, words[i], desc::Endian::kLittle);
      return;
    }
    case 20: {
      const SHA_CTX& c = ctx_.sha1;
      const uint32_t words[] = {c.h0, c.h1, c.h2, c.h3, c.h4};
      for (unsigned i = 0; i < 5; ++i) desc::store_be32(state + 4 * i, words[i]);
      return;
    }
    case 32:
      for (unsigned i = 0; i < 8; ++i) desc::store_be32(state + 4 * i, ctx_.sha256.h[i]);
      return;
    default:
      for (unsigned i = 0; i < 8; ++i) desc::store_be64(state + 8 * i, ctx_.sha512.h[i]);
  }
}

// libcrypto leaves the last state in its context.
void HashState::finish(uint8_t* state) {
  uint8_t digest[64];
  switch (info().state_bytes) {
    case 16:
      MD5_Final(digest, &ctx_.md5);
      break;
    case 20:
      SHA1_Final(digest, &ctx_.sha1);
      break;
    case 32:
      SHA256_Final(digest, &ctx_.sha256);
      break;
    default:
      SHA512_Final(digest, &ctx_.sha512);
  }
  store(state);
}

unsigned make_split_key(Alg alg, desc::ByteSpan key, uint8_t out[kMaxSplitKey]) {
  const HashInfo& info = hash_info(alg);
  uint8_t* to = out;
  for (const uint8_t pad : {uint8_t{0x36}, uint8_t{0x5C}}) {
    uint8_t block[kMaxHashBlock];
    std::memset(block, pad, sizeof(block));
    for (size_t i = 0; i < key.size(); ++i) block[i] ^= key[i];
    HashState h;
    h.init(alg);
    h.update({block, info.block_bytes});
    h.store(to);
    to += info.state_bytes;
  }
  return 2 * info.state_bytes;
}

}  // namespace caamlab::hw_model
