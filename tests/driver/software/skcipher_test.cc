// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Ciphers in software: published vectors, every layout, IV write-back, key and length rules of crypto-api.md 2.3.
#include <openssl/evp.h>

#include <algorithm>

#include "tests/driver/software/machine.h"

namespace caamlab::driver::software {
namespace {

using api::SkcipherHandle;
using tests::Bytes;
using tests::Crypt;
using tests::from_hex;
using tests::Layout;
using tests::layouts;
using tests::Machine;
using tests::Outcome;
using tests::random_bytes;

SkcipherHandle keyed(Machine& machine, const std::string& name, const Bytes& key) {
  SkcipherHandle tfm = machine.skcipher(name);
  EXPECT_EQ(crypto_skcipher_setkey(*tfm, key), 0) << name;
  return tfm;
}

void expect_both_ways(api::CryptoSkcipher& tfm, const Bytes& iv, const Bytes& plain, const Bytes& cipher,
                      const Layout& layout, const std::string& what) {
  const Outcome enc = run_skcipher(tfm, Crypt::kEncrypt, iv, plain, layout);
  ASSERT_EQ(enc.err, 0) << what << ", " << layout.name;
  ASSERT_EQ(tests::hex(enc.out), tests::hex(cipher)) << what << ", " << layout.name;
  ASSERT_TRUE(enc.guards_intact) << what << ", " << layout.name;
  const Outcome dec = run_skcipher(tfm, Crypt::kDecrypt, iv, cipher, layout);
  ASSERT_EQ(dec.err, 0) << what << ", " << layout.name;
  ASSERT_EQ(tests::hex(dec.out), tests::hex(plain)) << what << ", " << layout.name;
  ASSERT_TRUE(dec.guards_intact) << what << ", " << layout.name;
}

struct FileCase {
  std::vector<const char*> drivers;
  const char* dir;
  std::vector<const char*> files;
};

const FileCase kAesFiles[] = {
    {{"cbc(aes-generic)", "cbc-aes-ce"},
     "ciphers/AES/CBC/CBC",
     {"GFSbox128", "GFSbox192", "GFSbox256", "KeySbox128", "KeySbox192", "KeySbox256", "MMT128", "MMT192", "MMT256",
      "VarKey128", "VarKey192", "VarKey256", "VarTxt128", "VarTxt192", "VarTxt256"}},
    {{"ecb(aes-generic)", "ecb-aes-ce"},
     "ciphers/AES/ECB/ECB",
     {"GFSbox128", "GFSbox192", "GFSbox256", "KeySbox128", "KeySbox192", "KeySbox256", "MMT128", "MMT192", "MMT256",
      "VarKey128", "VarKey192", "VarKey256", "VarTxt128", "VarTxt192", "VarTxt256"}},
};

TEST(Skcipher, AesVectors) {
  Machine machine;
  for (const FileCase& c : kAesFiles) {
    size_t run = 0;
    for (const char* file : c.files) {
      for (const auto& v : tests::read_vectors(std::string(c.dir) + file + ".rsp")) {
        SkcipherHandle tfm = keyed(machine, c.drivers[run % c.drivers.size()], v.bytes("KEY"));
        expect_both_ways(*tfm, v.has("IV") ? v.bytes("IV") : Bytes(), v.bytes("PLAINTEXT"), v.bytes("CIPHERTEXT"),
                         layouts()[run++ % layouts().size()], v.where());
      }
    }
    EXPECT_GT(run, 1000u);
  }
}

// RFC 3686: as plain CTR with the whole counter block, and as rfc3686 with nonce and IV apart.
TEST(Skcipher, Rfc3686Vectors) {
  Machine machine;
  for (const char* file : {"aes-128-ctr.txt", "aes-192-ctr.txt", "aes-256-ctr.txt"}) {
    for (const auto& v : tests::read_vectors(std::string("ciphers/AES/CTR/") + file)) {
      const Bytes block = v.bytes("IV");
      const Bytes nonce(block.begin(), block.begin() + 4);
      const Bytes iv(block.begin() + 4, block.begin() + 12);
      SkcipherHandle ctr = keyed(machine, "ctr(aes-generic)", v.bytes("KEY"));
      SkcipherHandle ce = keyed(machine, "ctr-aes-ce", v.bytes("KEY"));
      SkcipherHandle rfc3686 = keyed(machine, "rfc3686(ctr(aes))", tests::joined(v.bytes("KEY"), nonce));
      for (const Layout& layout : layouts()) {
        expect_both_ways(*ctr, block, v.bytes("PLAINTEXT"), v.bytes("CIPHERTEXT"), layout, v.where());
        expect_both_ways(*ce, block, v.bytes("PLAINTEXT"), v.bytes("CIPHERTEXT"), layout, v.where());
        expect_both_ways(*rfc3686, iv, v.bytes("PLAINTEXT"), v.bytes("CIPHERTEXT"), layout, v.where());
      }
    }
  }
}

TEST(Skcipher, XtsVectors) {
  Machine machine;
  size_t run = 0;
  for (const char* file : {"tweak-128hexstr/XTSGenAES128.rsp", "tweak-128hexstr/XTSGenAES256.rsp"}) {
    for (const auto& v : tests::read_vectors(std::string("ciphers/AES/XTS/") + file)) {
      if (v.number("DATAUNITLEN") % 8 != 0) continue;  // bits; the API counts bytes
      SkcipherHandle tfm = keyed(machine, run % 2 == 0 ? "xts(ecb(aes-generic))" : "xts-aes-ce", v.bytes("KEY"));
      for (const Layout& layout : layouts()) {
        expect_both_ways(*tfm, v.bytes("I"), v.bytes("PT"), v.bytes("CT"), layout, v.where());
      }
      ++run;
    }
  }
  EXPECT_GT(run, 800u);
}

Bytes des_key(const tests::VectorBlock& v, size_t len) {
  if (v.has("KEYS")) {
    Bytes key;
    while (key.size() < len) key = tests::joined(key, v.bytes("KEYS"));
    return key;
  }
  return tests::joined(tests::joined(v.bytes("KEY1"), v.bytes("KEY2")), v.bytes("KEY3"));
}

TEST(Skcipher, DesVectors) {
  Machine machine;
  size_t single = 0;
  size_t triple = 0;
  for (const std::string mode : {"CBC", "ECB"}) {
    const std::string lower = mode == "CBC" ? "cbc" : "ecb";
    for (const char* file : {"invperm", "permop", "subtab", "varkey", "vartext", "MMT1", "MMT2", "MMT3"}) {
      for (const auto& v : tests::read_vectors("ciphers/3DES/" + mode + "/T" + mode + file + ".rsp")) {
        const Bytes iv = v.has("IV") ? v.bytes("IV") : Bytes();
        const Bytes key = des_key(v, 24);
        SkcipherHandle tfm = keyed(machine, lower + "(des3_ede)", key);
        expect_both_ways(*tfm, iv, v.bytes("PLAINTEXT"), v.bytes("CIPHERTEXT"), layouts()[triple++ % layouts().size()],
                         v.where());
        if (!std::equal(key.begin(), key.begin() + 16, key.begin() + 8)) continue;
        SkcipherHandle des = keyed(machine, lower + "(des)", Bytes(key.begin(), key.begin() + 8));
        expect_both_ways(*des, iv, v.bytes("PLAINTEXT"), v.bytes("CIPHERTEXT"), layouts()[single++ % layouts().size()],
                         v.where());
      }
    }
  }
  EXPECT_GT(single, 800u);
  EXPECT_GT(triple, 800u);
}

Bytes chacha_iv(uint32_t counter, const Bytes& nonce) {
  Bytes iv(4);
  for (size_t i = 0; i < 4; ++i) iv[i] = static_cast<uint8_t>(counter >> (8 * i));
  return tests::joined(iv, nonce);
}

TEST(Skcipher, ChaCha20Vectors) {
  Machine machine;
  for (const auto& v : tests::read_vectors("ciphers/ChaCha20/rfc7539.txt")) {
    SkcipherHandle tfm = keyed(machine, "chacha20", v.bytes("KEY"));
    const Bytes iv = chacha_iv(static_cast<uint32_t>(v.number("INITIAL_BLOCK_COUNTER")), v.bytes("NONCE"));
    for (const Layout& layout : layouts()) {
      expect_both_ways(*tfm, iv, v.bytes("PLAINTEXT"), v.bytes("CIPHERTEXT"), layout, v.where());
    }
  }
}

// The block counter wraps from 2^32 - 1 to 0 and leaves the nonce alone.
TEST(Skcipher, ChaCha20CounterWraps) {
  Machine machine;
  SkcipherHandle tfm = keyed(machine, "chacha20", random_bytes(32, 1));
  const Bytes nonce = random_bytes(12, 2);
  const Bytes zeros(64 * 3 + 10);
  const auto stream = [&](uint32_t counter, size_t len) {
    return run_skcipher(*tfm, Crypt::kEncrypt, chacha_iv(counter, nonce), Bytes(len), tests::plain_layout()).out;
  };
  const Bytes expected = tests::joined(stream(0xffffffff, 64), stream(0, 64 * 2 + 10));
  for (const Layout& layout : layouts()) {
    expect_both_ways(*tfm, chacha_iv(0xffffffff, nonce), zeros, expected, layout, "wrap");
  }
}

struct ModeCase {
  const char* name;
  size_t keylen;
  size_t ivlen;
  size_t block;    // lengths must be multiples
  size_t min_len;  // below: -EINVAL
  bool continues;  // the IV is written back so that a following request goes on
};

const ModeCase kModes[] = {
    {"cbc(aes-generic)", 16, 16, 16, 0, true},
    {"cbc-aes-ce", 32, 16, 16, 0, true},
    {"ctr(aes-generic)", 24, 16, 1, 0, true},
    {"ctr-aes-ce", 16, 16, 1, 0, true},
    {"rfc3686(ctr(aes-generic))", 20, 8, 1, 0, false},
    {"ecb(aes-generic)", 16, 0, 16, 0, false},
    {"ecb-aes-ce", 24, 0, 16, 0, false},
    {"xts(ecb(aes-generic))", 64, 16, 1, 16, false},
    {"xts-aes-ce", 48, 16, 1, 16, false},
    {"cbc(des-generic)", 8, 8, 8, 0, true},
    {"ecb(des-generic)", 8, 0, 8, 0, false},
    {"cbc(des3_ede-generic)", 24, 8, 8, 0, true},
    {"ecb(des3_ede-generic)", 24, 0, 8, 0, false},
    {"chacha20-generic", 32, 16, 1, 0, false},
    {"ecb-cipher_null", 0, 0, 1, 0, false},
};

TEST(Skcipher, LengthsAndLayouts) {
  Machine machine;
  uint64_t seed = 1;
  for (const ModeCase& c : kModes) {
    SkcipherHandle tfm = keyed(machine, c.name, random_bytes(c.keylen, seed++));
    for (size_t len = 0; len <= 70; ++len) {
      const Bytes iv = random_bytes(c.ivlen, seed++);
      const Bytes plain = random_bytes(len, seed++);
      const bool good = len % c.block == 0 && len >= c.min_len;
      const Outcome first = run_skcipher(*tfm, Crypt::kEncrypt, iv, plain, tests::plain_layout());
      ASSERT_EQ(first.err, good ? 0 : -EINVAL) << c.name << " length " << len;
      ASSERT_EQ(run_skcipher(*tfm, Crypt::kDecrypt, iv, plain, tests::plain_layout()).err, good ? 0 : -EINVAL)
          << c.name;
      if (len == 0 || !good || !c.continues) {
        ASSERT_EQ(first.iv, iv) << c.name << " length " << len;
      }
      if (!good) continue;
      for (const Layout& layout : layouts()) expect_both_ways(*tfm, iv, plain, first.out, layout, c.name);
    }
    for (size_t len : {c.block * 64, size_t{1024} + c.block * 3, size_t{4096}}) {
      const Bytes iv = random_bytes(c.ivlen, seed++);
      const Bytes plain = random_bytes(len, seed++);
      const Outcome first = run_skcipher(*tfm, Crypt::kEncrypt, iv, plain, tests::plain_layout());
      for (const Layout& layout : layouts()) expect_both_ways(*tfm, iv, plain, first.out, layout, c.name);
    }
  }
}

// Two requests, the second with the IV the first left, are one long request; in both directions and in place.
TEST(Skcipher, IvWriteBackContinues) {
  Machine machine;
  uint64_t seed = 100;
  for (const ModeCase& c : kModes) {
    if (!c.continues) continue;
    SkcipherHandle tfm = keyed(machine, c.name, random_bytes(c.keylen, seed++));
    for (Bytes iv :
         {random_bytes(c.ivlen, seed++), Bytes(c.ivlen, 0xff)}) {  // the second: the counter carries all along
      const Bytes text = random_bytes(160, seed++);
      for (size_t cut : {c.block, size_t{48}, size_t{80}, size_t{160}}) {
        if (c.block == 1 && cut < 160) cut = (cut + 15) / 16 * 16;  // CTR goes on at block boundaries
        for (const Layout& layout : layouts()) {
          for (Crypt crypt : {Crypt::kEncrypt, Crypt::kDecrypt}) {
            const Outcome whole = run_skcipher(*tfm, crypt, iv, text, tests::plain_layout());
            const Outcome first = run_skcipher(*tfm, crypt, iv, Bytes(text.begin(), text.begin() + cut), layout);
            const Outcome second = run_skcipher(*tfm, crypt, first.iv, Bytes(text.begin() + cut, text.end()), layout);
            ASSERT_EQ(tests::hex(tests::joined(first.out, second.out)), tests::hex(whole.out)) << c.name << " " << cut;
            ASSERT_EQ(second.iv, whole.iv) << c.name << ", " << layout.name;
          }
        }
      }
    }
  }
}

// CTR rounds up: a partial block uses up its counter value.
TEST(Skcipher, CtrWriteBackCountsBlocksRoundedUp) {
  Machine machine;
  SkcipherHandle tfm = keyed(machine, "ctr(aes)", random_bytes(16, 1));
  const auto after = [&](const char* iv, size_t len) {
    return tests::hex(run_skcipher(*tfm, Crypt::kEncrypt, from_hex(iv), Bytes(len), tests::plain_layout()).iv);
  };
  EXPECT_EQ(after("00000000000000000000000000000000", 1), "00000000000000000000000000000001");
  EXPECT_EQ(after("00000000000000000000000000000000", 16), "00000000000000000000000000000001");
  EXPECT_EQ(after("00000000000000000000000000000000", 17), "00000000000000000000000000000002");
  EXPECT_EQ(after("0000000000000000ffffffffffffffff", 33), "00000000000000010000000000000002");
  EXPECT_EQ(after("ffffffffffffffffffffffffffffffff", 100), "00000000000000000000000000000006");
}

// XTS made of ECB against libcrypto's own.
TEST(Skcipher, XtsAgainstLibcrypto) {
  Machine machine;
  for (size_t keylen : {32, 64}) {
    const Bytes key = random_bytes(keylen, keylen);
    SkcipherHandle tfm = keyed(machine, "xts(aes)", key);
    for (size_t len : {16, 17, 31, 32, 33, 47, 511, 512, 513, 527, 528, 529, 4096, 4111}) {
      const Bytes iv = random_bytes(16, len);
      const Bytes plain = random_bytes(len, len + 1);
      Bytes expected(len);
      EVP_CIPHER_CTX* ctx = EVP_CIPHER_CTX_new();
      int done = 0;
      ASSERT_EQ(
          EVP_EncryptInit_ex(ctx, keylen == 32 ? EVP_aes_128_xts() : EVP_aes_256_xts(), nullptr, key.data(), iv.data()),
          1);
      ASSERT_EQ(EVP_EncryptUpdate(ctx, expected.data(), &done, plain.data(), static_cast<int>(len)), 1);
      EVP_CIPHER_CTX_free(ctx);
      expect_both_ways(*tfm, iv, plain, expected, layouts()[len % layouts().size()], std::to_string(len));
    }
  }
}

struct KeyCase {
  const char* name;
  const char* key;  // hex
  int plain, forbid, fips;
};

const KeyCase kKeys[] = {
    {"cbc(aes)", "00112233445566778899aabbccddeeff", 0, 0, 0},
    {"cbc(aes)", "00112233445566778899aabbccddeeff00", -EINVAL, -EINVAL, -EINVAL},
    {"ctr(aes)", "00112233445566778899aabbccddee", -EINVAL, -EINVAL, -EINVAL},
    {"rfc3686(ctr(aes))", "00112233445566778899aabbccddeeff01020304", 0, 0, 0},
    {"rfc3686(ctr(aes))", "00112233445566778899aabbccddeeff0102030405", -EINVAL, -EINVAL, -EINVAL},
    {"xts(aes)", "00112233445566778899aabbccddeeff00112233445566778899aabbccddeefe", 0, 0, 0},
    {"xts(aes)", "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff", 0, -EINVAL, -EINVAL},
    {"xts(aes)", "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff00", -EINVAL, -EINVAL, -EINVAL},
    {"xts(aes)", "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff0001", -EINVAL, -EINVAL, -EINVAL},
    {"ecb(des)", "0123456789abcdef", 0, 0, 0},
    {"ecb(des)", "0101010101010101", 0, -EINVAL, 0},
    {"ecb(des)", "01fe01fe01fe01fe", 0, -EINVAL, 0},
    {"cbc(des)", "0123456789abcd", -EINVAL, -EINVAL, -EINVAL},
    // The generic triple DES reports a forbidden key as -EINVAL (crypto/des_generic.c); accelerators say -ENOKEY.
    {"cbc(des3_ede)", "0123456789abcdef0123456789abcdeffedcba9876543210", 0, -EINVAL, -EINVAL},
    {"cbc(des3_ede)", "fedcba98765432100123456789abcdef0123456789abcdef", 0, -EINVAL, -EINVAL},
    {"ecb(des3_ede)", "0123456789abcdeffedcba98765432100123456789abcdef", 0, 0, -EINVAL},
    {"chacha20", "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff", 0, 0, 0},
    {"ecb(cipher_null)", "", 0, 0, 0},
    {"ecb(cipher_null)", "00", -EINVAL, -EINVAL, -EINVAL},
};

TEST(Skcipher, KeyRules) {
  Machine machine;
  Machine fips(api::Registry::Options{.fips_enabled = true});
  for (const KeyCase& c : kKeys) {
    const Bytes key = from_hex(c.key);
    SkcipherHandle tfm = machine.skcipher(c.name);
    EXPECT_EQ(crypto_skcipher_setkey(*tfm, key), c.plain) << c.name << " " << c.key;
    crypto_skcipher_set_flags(*tfm, api::CRYPTO_TFM_REQ_FORBID_WEAK_KEYS);
    EXPECT_EQ(crypto_skcipher_setkey(*tfm, key), c.forbid) << c.name << " " << c.key;
    EXPECT_EQ(crypto_skcipher_setkey(*fips.skcipher(c.name), key), c.fips) << c.name << " " << c.key;
  }
}

TEST(Skcipher, ShortListsAreRefused) {
  Machine machine;
  for (const ModeCase& c : kModes) {
    SkcipherHandle tfm = keyed(machine, c.name, random_bytes(c.keylen, 1));
    Bytes in(48);
    Bytes out(48);
    Bytes iv(16);
    auto req = skcipher_request_alloc(*tfm);
    for (size_t src_len : {47, 48}) {
      for (size_t dst_len : {47, 48}) {
        const api::SgTable src = api::SgTable::split_every(std::span(in).first(src_len), 7);
        const api::SgTable dst = api::SgTable::split_every(std::span(out).first(dst_len), 5);
        skcipher_request_set_crypt(*req, src, dst, 48, iv.data());
        EXPECT_EQ(crypto_skcipher_encrypt(*req), src_len == 48 && dst_len == 48 ? 0 : -EINVAL) << c.name;
      }
    }
  }
}

}  // namespace
}  // namespace caamlab::driver::software
