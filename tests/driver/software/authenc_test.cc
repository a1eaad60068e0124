// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// authenc in software: all 30 pairs and their IV-generating forms against cipher and HMAC done apart by libcrypto,
// every layout, wire formats, errnos of crypto-api.md 2.4.
#include <openssl/evp.h>

#include <algorithm>

#include "api/keys.h"
#include "tests/driver/software/machine.h"

namespace caamlab::driver::software {
namespace {

using api::AeadHandle;
using tests::AeadInput;
using tests::Bytes;
using tests::Crypt;
using tests::joined;
using tests::Layout;
using tests::layouts;
using tests::Machine;
using tests::Outcome;
using tests::random_bytes;

struct Hash {
  const char* name;
  const char* evp;
  size_t digest;
};
const Hash kHashes[] = {{"md5", "MD5", 16},       {"sha1", "SHA1", 20},     {"sha224", "SHA224", 28},
                        {"sha256", "SHA256", 32}, {"sha384", "SHA384", 48}, {"sha512", "SHA512", 64}};

struct Cipher {
  const char* name;
  const char* evp;  // null: none
  size_t keylen;    // without nonce
  size_t nonce;
  size_t ivlen;
  size_t block;
  const char* generator;
};
const Cipher kCiphers[] = {
    {"ecb(cipher_null)", nullptr, 0, 0, 0, 1, nullptr},
    {"cbc(aes)", "AES-128-CBC", 16, 0, 16, 16, "echainiv"},
    {"cbc(aes)", "AES-192-CBC", 24, 0, 16, 16, "echainiv"},
    {"cbc(aes)", "AES-256-CBC", 32, 0, 16, 16, "echainiv"},
    {"cbc(des3_ede)", "DES-EDE3-CBC", 24, 0, 8, 8, "echainiv"},
    {"cbc(des)", "DES-EDE3-CBC", 8, 0, 8, 8, "echainiv"},
    {"rfc3686(ctr(aes))", "AES-128-CTR", 16, 4, 8, 1, "seqiv"},
    {"rfc3686(ctr(aes))", "AES-256-CTR", 32, 4, 8, 1, "seqiv"},
};

std::string name_of(const Hash& hash, const Cipher& cipher) {
  return std::string("authenc(hmac(") + hash.name + ")," + cipher.name + ")";
}

// Cipher and HMAC, each by one call of libcrypto.
Bytes evp_cipher(const Cipher& cipher, const Bytes& enckey, const Bytes& iv, const Bytes& text) {
  if (cipher.evp == nullptr) return text;
  Bytes key(enckey.begin(), enckey.end() - cipher.nonce);
  Bytes block = iv;
  if (cipher.nonce != 0) {
    block = joined(joined(Bytes(enckey.end() - 4, enckey.end()), iv), {0, 0, 0, 1});
  }
  if (cipher.keylen == 8) key = joined(joined(key, key), key);
  Bytes out(text.size() + 32);
  int len = 0;
  EVP_CIPHER* evp = EVP_CIPHER_fetch(nullptr, cipher.evp, nullptr);
  EVP_CIPHER_CTX* ctx = EVP_CIPHER_CTX_new();
  EXPECT_EQ(EVP_EncryptInit_ex(ctx, evp, nullptr, key.data(), block.data()), 1);
  EVP_CIPHER_CTX_set_padding(ctx, 0);
  EXPECT_EQ(EVP_EncryptUpdate(ctx, out.data(), &len, text.data(), static_cast<int>(text.size())), 1);
  EVP_CIPHER_CTX_free(ctx);
  EVP_CIPHER_free(evp);
  EXPECT_EQ(static_cast<size_t>(len), text.size());
  out.resize(text.size());
  return out;
}

Bytes evp_hmac(const Hash& hash, const Bytes& key, const Bytes& data, size_t authsize) {
  Bytes out(64);
  size_t len = 0;
  EXPECT_NE(EVP_Q_mac(nullptr, "HMAC", nullptr, hash.evp, nullptr, key.data(), key.size(), data.data(), data.size(),
                      out.data(), out.size(), &len),
            nullptr);
  out.resize(authsize);
  return out;
}

struct Keys {
  Bytes auth;
  Bytes enc;
  Bytes blob() const { return api::crypto_authenc_make_key(auth, enc); }
};

Keys make_keys(const Hash& hash, const Cipher& cipher, uint64_t seed) {
  return {random_bytes(hash.digest, seed), random_bytes(cipher.keylen + cipher.nonce, seed + 1000)};
}

AeadHandle keyed(Machine& machine, const std::string& name, const Keys& keys, unsigned int authsize) {
  AeadHandle tfm = machine.aead(name);
  EXPECT_EQ(crypto_aead_setkey(*tfm, keys.blob()), 0) << name;
  EXPECT_EQ(crypto_aead_setauthsize(*tfm, authsize), 0) << name;
  return tfm;
}

TEST(Authenc, AgainstCipherAndHmac) {
  Machine machine;
  uint64_t seed = 1;
  for (const Hash& hash : kHashes) {
    for (const Cipher& cipher : kCiphers) {
      const Keys keys = make_keys(hash, cipher, seed++);
      for (unsigned int authsize : {static_cast<unsigned int>(hash.digest), 12u, 1u}) {
        const std::string name = name_of(hash, cipher);
        AeadHandle tfm = keyed(machine, name, keys, authsize);
        for (size_t assoclen : {0, 8, 13, 20}) {
          for (size_t blocks : {0, 1, 2, 7, 33}) {
            const AeadInput input{random_bytes(cipher.ivlen, seed++), random_bytes(assoclen, seed++),
                                  random_bytes(blocks * cipher.block, seed++)};
            const Bytes ct = evp_cipher(cipher, keys.enc, input.iv, input.text);
            const Bytes sealed = joined(ct, evp_hmac(hash, keys.auth, joined(input.aad, ct), authsize));
            if (blocks % 2 == 1) {
              expect_both_ways(*tfm, input, sealed, name);
            } else {
              const Outcome out = run_aead(*tfm, Crypt::kEncrypt, input, layouts()[seed % layouts().size()]);
              ASSERT_EQ(tests::hex(out.out), tests::hex(sealed)) << name;
              ASSERT_EQ(out.aad_out, input.aad) << "encryption copies the associated data";
            }
          }
        }
      }
    }
  }
}

// What stands on the wire: AAD, IV, ciphertext, tag. The plain authenc opens it with that IV, the AAD and IV being its
// AAD.
TEST(Authenc, GeneratedIvsOnTheWire) {
  Machine machine;
  uint64_t seed = 5000;
  for (const Hash& hash : kHashes) {
    for (const Cipher& cipher : kCiphers) {
      if (cipher.generator == nullptr) continue;
      const Keys keys = make_keys(hash, cipher, seed++);
      const std::string inner_name = name_of(hash, cipher);
      const auto authsize = static_cast<unsigned int>(hash.digest);
      AeadHandle tfm = keyed(machine, std::string(cipher.generator) + "(" + inner_name + ")", keys, authsize);
      AeadHandle inner = keyed(machine, inner_name, keys, authsize);
      const Bytes text = random_bytes(3 * 16, seed++);
      const AeadInput input{random_bytes(cipher.ivlen, seed++), random_bytes(8, seed++),
                            joined(Bytes(cipher.ivlen, 0xee), text)};  // the room for the IV is not read
      const Bytes sealed = run_aead(*tfm, Crypt::kEncrypt, input, tests::plain_layout()).out;
      const Bytes wire_iv(sealed.begin(), sealed.begin() + cipher.ivlen);
      const AeadInput opened{wire_iv, joined(input.aad, wire_iv), Bytes(sealed.begin() + cipher.ivlen, sealed.end())};
      const Outcome plain = run_aead(*inner, Crypt::kDecrypt, opened, tests::plain_layout());
      ASSERT_EQ(plain.err, 0) << inner_name;
      ASSERT_EQ(plain.out, text) << inner_name;
      for (const Layout& layout : layouts()) {
        const Outcome again = run_aead(*tfm, Crypt::kEncrypt, input, layout);
        ASSERT_EQ(again.err, 0) << layout.name;
        ASSERT_EQ(tests::hex(again.out), tests::hex(sealed)) << inner_name << ", " << layout.name;
        ASSERT_EQ(again.aad_out, input.aad);
        ASSERT_TRUE(again.guards_intact) << layout.name;
        AeadInput closed{input.iv, input.aad, sealed, 0};
        const Outcome dec = run_aead(*tfm, Crypt::kDecrypt, closed, layout);
        ASSERT_EQ(dec.err, 0) << inner_name << ", " << layout.name;
        // The room for the IV comes out as it was; the text follows it.
        ASSERT_EQ(Bytes(dec.out.begin() + cipher.ivlen, dec.out.end()), text) << inner_name << ", " << layout.name;
        for (size_t i : {size_t{0}, cipher.ivlen, sealed.size() - 1}) {
          closed.text = sealed;
          closed.text[i] ^= 4;
          ASSERT_EQ(run_aead(*tfm, Crypt::kDecrypt, closed, layout).err, -EBADMSG) << i;
        }
      }
    }
  }
}

// seqiv: another number, another IV, and the difference shows in it; the salt is the transform's.
TEST(Authenc, SeqivIsNumberXorSalt) {
  Machine machine;
  const Cipher& cipher = kCiphers[6];
  const Keys keys = make_keys(kHashes[3], cipher, 1);
  const std::string name = "seqiv(" + name_of(kHashes[3], cipher) + ")";
  const auto wire_iv = [&](api::CryptoAead& tfm, uint8_t number) {
    const AeadInput input{{0, 0, 0, 0, 0, 0, 0, number}, Bytes(8), Bytes(40)};
    const Bytes out = run_aead(tfm, Crypt::kEncrypt, input, tests::plain_layout()).out;
    return Bytes(out.begin(), out.begin() + 8);
  };
  AeadHandle a = keyed(machine, name, keys, 32);
  AeadHandle b = keyed(machine, name, keys, 32);
  Bytes one = wire_iv(*a, 1);
  const Bytes six = wire_iv(*a, 6);
  EXPECT_NE(one, wire_iv(*b, 1));
  one[7] ^= 1 ^ 6;
  EXPECT_EQ(one, six);
}

// echainiv: IVs never repeat over numbers that differ, and the same number gives the same IV.
TEST(Authenc, EchainivIvsDiffer) {
  Machine machine;
  const Cipher& cipher = kCiphers[1];
  AeadHandle tfm =
      keyed(machine, "echainiv(" + name_of(kHashes[1], cipher) + ")", make_keys(kHashes[1], cipher, 1), 20);
  std::vector<Bytes> seen;
  for (uint8_t number = 0; number < 64; ++number) {
    Bytes field(16);
    field[15] = number;
    const AeadInput input{field, Bytes(8), Bytes(32)};
    const Bytes out = run_aead(*tfm, Crypt::kEncrypt, input, tests::plain_layout()).out;
    EXPECT_EQ(out, run_aead(*tfm, Crypt::kEncrypt, input, tests::plain_layout()).out);
    Bytes iv(out.begin(), out.begin() + 16);
    EXPECT_EQ(std::find(seen.begin(), seen.end(), iv), seen.end());
    seen.push_back(iv);
  }
}

// echainiv: with a salt of zeros the factor is 1 (a salt is made odd), so that the block under the cipher is the
// number.
TEST(Authenc, EchainivIsNumberTimesOddSaltEncrypted) {
  Machine machine;
  machine.registry.set_entropy_source([](std::span<uint8_t> out) { std::fill(out.begin(), out.end(), uint8_t{0}); });
  const Cipher& cipher = kCiphers[1];
  const Keys keys = make_keys(kHashes[1], cipher, 1);
  AeadHandle tfm = keyed(machine, "echainiv(" + name_of(kHashes[1], cipher) + ")", keys, 20);
  const AeadInput input{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x12, 0x34}, Bytes(8), Bytes(32)};
  const Bytes out = run_aead(*tfm, Crypt::kEncrypt, input, tests::plain_layout()).out;
  const Bytes number{0x34, 0x12, 0, 0, 0, 0, 0, 0, 0x34, 0x12, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(Bytes(out.begin(), out.begin() + 16), evp_cipher(cipher, keys.enc, number, Bytes(16)));
}

struct LengthCase {
  const char* name;
  Crypt crypt;
  size_t cryptlen;
  int err;
};

TEST(Authenc, LengthRules) {
  const LengthCase cases[] = {
      {"authenc(hmac(sha256),cbc(aes))", Crypt::kEncrypt, 0, 0},
      {"authenc(hmac(sha256),cbc(aes))", Crypt::kEncrypt, 15, -EINVAL},
      {"authenc(hmac(sha256),cbc(aes))", Crypt::kEncrypt, 17, -EINVAL},
      {"authenc(hmac(sha256),cbc(aes))", Crypt::kDecrypt, 15, -EINVAL},   // shorter than the tag
      {"authenc(hmac(sha256),cbc(aes))", Crypt::kDecrypt, 16, -EBADMSG},  // a tag, and not the right one
      {"echainiv(authenc(hmac(sha256),cbc(aes)))", Crypt::kEncrypt, 15, -EINVAL},
      {"echainiv(authenc(hmac(sha256),cbc(aes)))", Crypt::kEncrypt, 16, 0},
      {"echainiv(authenc(hmac(sha256),cbc(aes)))", Crypt::kEncrypt, 33, -EINVAL},
      {"echainiv(authenc(hmac(sha256),cbc(aes)))", Crypt::kDecrypt, 31, -EINVAL},  // IV and tag need 32
      {"echainiv(authenc(hmac(sha256),cbc(aes)))", Crypt::kDecrypt, 32, -EBADMSG},
      {"seqiv(authenc(hmac(sha256),rfc3686(ctr(aes))))", Crypt::kEncrypt, 7, -EINVAL},
      {"seqiv(authenc(hmac(sha256),rfc3686(ctr(aes))))", Crypt::kEncrypt, 8, 0},
      {"seqiv(authenc(hmac(sha256),rfc3686(ctr(aes))))", Crypt::kDecrypt, 23, -EINVAL},
      {"seqiv(authenc(hmac(sha256),rfc3686(ctr(aes))))", Crypt::kDecrypt, 24, -EBADMSG},
  };
  Machine machine;
  for (const LengthCase& c : cases) {
    const bool ctr = std::string(c.name).find("ctr") != std::string::npos;
    AeadHandle tfm = keyed(machine, c.name, {random_bytes(32, 1), random_bytes(ctr ? 20 : 16, 2)}, 16);
    const AeadInput input{Bytes(16, 1), Bytes(20, 2), Bytes(c.cryptlen, 3)};
    EXPECT_EQ(run_aead(*tfm, c.crypt, input, tests::plain_layout()).err, c.err) << c.name << " " << c.cryptlen;
  }
}

TEST(Authenc, TagSizes) {
  Machine machine;
  for (const Hash& hash : kHashes) {
    AeadHandle tfm = machine.aead(name_of(hash, kCiphers[1]));
    EXPECT_EQ(crypto_aead_authsize(*tfm), hash.digest);
    for (unsigned int size = 0; size <= 70; ++size) {
      EXPECT_EQ(crypto_aead_setauthsize(*tfm, size), size >= 1 && size <= hash.digest ? 0 : -EINVAL) << size;
    }
  }
}

TEST(Authenc, KeyRules) {
  Machine machine;
  Machine fips(api::Registry::Options{.fips_enabled = true});
  const auto set = [](Machine& m, const char* name, size_t auth, size_t enc, uint32_t flags = 0) {
    AeadHandle tfm = m.aead(name);
    crypto_aead_set_flags(*tfm, flags);
    return crypto_aead_setkey(*tfm, Keys{Bytes(auth, 7), Bytes(enc, 7)}.blob());
  };
  const char* cbc = "authenc(hmac(sha1),cbc(aes))";
  for (size_t enc = 0; enc <= 40; ++enc) {
    EXPECT_EQ(set(machine, cbc, 20, enc), enc == 16 || enc == 24 || enc == 32 ? 0 : -EINVAL) << enc;
  }
  EXPECT_EQ(set(machine, cbc, 0, 16), 0);
  EXPECT_EQ(set(machine, cbc, 300, 16), 0);
  EXPECT_EQ(set(fips, cbc, 13, 16), -EINVAL);
  EXPECT_EQ(set(fips, cbc, 14, 16), 0);
  EXPECT_EQ(set(machine, "authenc(hmac(sha1),ecb(cipher_null))", 20, 0), 0);
  EXPECT_EQ(set(machine, "authenc(hmac(sha1),ecb(cipher_null))", 20, 1), -EINVAL);
  EXPECT_EQ(set(machine, "authenc(hmac(sha1),cbc(des3_ede))", 20, 24), 0);
  EXPECT_EQ(set(machine, "authenc(hmac(sha1),cbc(des3_ede))", 20, 24, api::CRYPTO_TFM_REQ_FORBID_WEAK_KEYS), -EINVAL);
  EXPECT_EQ(set(machine, "authenc(hmac(sha1),rfc3686(ctr(aes)))", 20, 20), 0);
  EXPECT_EQ(set(machine, "authenc(hmac(sha1),rfc3686(ctr(aes)))", 20, 16), -EINVAL);
  EXPECT_EQ(crypto_aead_setkey(*machine.aead(cbc), Bytes(36, 1)), -EINVAL) << "not a key blob";
}

TEST(Authenc, ShortListsAreRefused) {
  Machine machine;
  AeadHandle tfm = keyed(machine, "authenc(hmac(sha1),cbc(aes))", {random_bytes(20, 1), random_bytes(16, 2)}, 12);
  Bytes in(60), out(60), iv(16);
  auto req = aead_request_alloc(*tfm);
  aead_request_set_ad(*req, 10);
  for (size_t src_len : {41, 42}) {
    for (size_t dst_len : {53, 54}) {
      const api::SgTable src = api::SgTable::split_every(std::span(in).first(src_len), 7);
      const api::SgTable dst = api::SgTable::split_every(std::span(out).first(dst_len), 5);
      aead_request_set_crypt(*req, src, dst, 32, iv.data());
      EXPECT_EQ(crypto_aead_encrypt(*req), src_len == 42 && dst_len == 54 ? 0 : -EINVAL) << src_len << " " << dst_len;
    }
  }
}

}  // namespace
}  // namespace caamlab::driver::software
