// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Hashes and MACs in software: published vectors, every way of calling, every split, key rules.
#include <openssl/evp.h>

#include "tests/driver/software/machine.h"
#include "tests/driver/software/rfc3566.h"

namespace caamlab::driver::software {
namespace {

using api::AhashHandle;
using tests::Bytes;
using tests::from_hex;
using tests::HashCalls;
using tests::layouts;
using tests::Machine;
using tests::Outcome;
using tests::random_bytes;

constexpr HashCalls kAllCalls[] = {HashCalls::kDigest, HashCalls::kFinup, HashCalls::kUpdateFinal,
                                   HashCalls::kExportImport};

AhashHandle keyed(Machine& machine, const std::string& name, const Bytes& key) {
  AhashHandle tfm = machine.ahash(name);
  EXPECT_EQ(crypto_ahash_setkey(*tfm, key), 0) << name;
  return tfm;
}

void expect_digest(api::CryptoAhash& tfm, const Bytes& message, const Bytes& digest, HashCalls calls,
                   const tests::Layout& layout, const std::string& what) {
  const Outcome out = run_ahash(tfm, message, calls, layout);
  ASSERT_EQ(out.err, 0) << what << ", " << layout.name;
  ASSERT_EQ(tests::hex(out.out), tests::hex(digest)) << what << ", " << layout.name << ", call " << int(calls);
  ASSERT_TRUE(out.guards_intact) << what << ", " << layout.name;
}

// "Len" counts bits; a message of 0 bits is written as one byte.
Bytes message_of(const tests::VectorBlock& v) {
  Bytes message = v.bytes("MSG");
  if (v.number("LEN") == 0) message.clear();
  return message;
}

struct HashCase {
  std::vector<const char*> drivers;
  std::vector<const char*> files;
};

const HashCase kHashes[] = {
    {{"md5-generic"}, {"MD5/rfc-1321.txt"}},
    {{"sha1-generic", "sha1-ce"}, {"SHA1/SHA1ShortMsg.rsp", "SHA1/SHA1LongMsg.rsp"}},
    {{"sha224-generic", "sha224-ce"}, {"SHA2/SHA224ShortMsg.rsp", "SHA2/SHA224LongMsg.rsp"}},
    {{"sha256-generic", "sha256-ce"}, {"SHA2/SHA256ShortMsg.rsp", "SHA2/SHA256LongMsg.rsp"}},
    {{"sha384-generic", "sha384-arm64"}, {"SHA2/SHA384ShortMsg.rsp", "SHA2/SHA384LongMsg.rsp"}},
    {{"sha512-generic", "sha512-arm64"}, {"SHA2/SHA512ShortMsg.rsp", "SHA2/SHA512LongMsg.rsp"}},
};

TEST(Hash, Vectors) {
  Machine machine;
  for (const HashCase& c : kHashes) {
    for (const char* driver : c.drivers) {
      AhashHandle tfm = machine.ahash(driver);
      size_t run = 0;
      for (const char* file : c.files) {
        for (const auto& v : tests::read_vectors(std::string("hashes/") + file)) {
          for (HashCalls calls : kAllCalls) {
            expect_digest(*tfm, message_of(v), v.bytes("MD"), calls, layouts()[run++ % layouts().size()], v.where());
          }
        }
      }
      EXPECT_GE(run, 28u) << driver;
    }
  }
}

TEST(Hash, HmacVectors) {
  const std::pair<const char*, const char*> cases[] = {
      {"hmac(md5)", "rfc-2202-md5.txt"},       {"hmac(sha1)", "rfc-2202-sha1.txt"},
      {"hmac(sha224)", "rfc-4231-sha224.txt"}, {"hmac(sha256)", "rfc-4231-sha256.txt"},
      {"hmac(sha384)", "rfc-4231-sha384.txt"}, {"hmac(sha512)", "rfc-4231-sha512.txt"},
  };
  Machine machine;
  for (const auto& [name, file] : cases) {
    for (const auto& v : tests::read_vectors(std::string("HMAC/") + file)) {
      AhashHandle tfm = keyed(machine, name, v.bytes("KEY"));
      for (HashCalls calls : kAllCalls) {
        for (const auto& layout : layouts()) {
          expect_digest(*tfm, message_of(v), v.bytes("MD"), calls, layout, v.where());
        }
      }
    }
  }
}

TEST(Hash, CmacVectors) {
  Machine machine;
  for (const char* file : {"aes128", "aes192", "aes256"}) {
    for (const auto& v : tests::read_vectors(std::string("CMAC/nist-800-38b-") + file + ".txt")) {
      for (const char* driver : {"cmac(aes-generic)", "cmac-aes-ce"}) {
        AhashHandle tfm = keyed(machine, driver, v.bytes("KEY"));
        for (HashCalls calls : kAllCalls) {
          for (const auto& layout : layouts()) {
            expect_digest(*tfm, v.bytes("MESSAGE"), v.bytes("OUTPUT"), calls, layout, v.where());
          }
        }
      }
    }
  }
}

TEST(Hash, XcbcVectors) {
  Machine machine;
  for (const char* driver : {"xcbc(aes-generic)", "xcbc-aes-ce"}) {
    AhashHandle tfm = keyed(machine, driver, from_hex(tests::kRfc3566Key));
    for (const tests::Rfc3566Case& c : tests::kRfc3566Cases) {
      for (HashCalls calls : kAllCalls) {
        for (const auto& layout : layouts()) {
          expect_digest(*tfm, c.message(), from_hex(c.mac), calls, layout, "length " + std::to_string(c.len));
        }
      }
    }
  }
}

Bytes evp_mac(const char* mac, const char* param, const char* value, const Bytes& key, const Bytes& message) {
  Bytes out(64);
  size_t len = 0;
  EVP_Q_mac(nullptr, mac, nullptr, std::string(param) == "digest" ? value : nullptr, nullptr, key.data(), key.size(),
            message.data(), message.size(), out.data(), out.size(), &len);
  out.resize(len);
  return out;
}

// HMAC keys of every length around the block size, and all message lengths around it, against libcrypto's HMAC.
TEST(Hash, HmacKeyLengths) {
  const std::pair<const char*, const char*> cases[] = {{"hmac(md5)", "MD5"},       {"hmac(sha1)", "SHA1"},
                                                       {"hmac(sha224)", "SHA224"}, {"hmac(sha256)", "SHA256"},
                                                       {"hmac(sha384)", "SHA384"}, {"hmac(sha512)", "SHA512"}};
  Machine machine;
  for (const auto& [name, digest] : cases) {
    for (size_t keylen : {1, 13, 63, 64, 65, 100, 127, 128, 129, 200, 1000}) {
      const Bytes key = random_bytes(keylen, keylen);
      AhashHandle tfm = keyed(machine, name, key);
      for (size_t len : {0, 1, 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 300}) {
        const Bytes message = random_bytes(len, len + 7);
        expect_digest(*tfm, message, evp_mac("HMAC", "digest", digest, key, message), HashCalls::kExportImport,
                      layouts()[(keylen + len) % layouts().size()], name);
      }
    }
  }
}

struct KeyCase {
  const char* name;
  std::vector<size_t> accepted;  // of 0..40
};

TEST(Hash, KeyRules) {
  std::vector<size_t> any(41);
  for (size_t i = 0; i < any.size(); ++i) any[i] = i;
  const KeyCase cases[] = {{"cmac(aes)", {16, 24, 32}}, {"xcbc(aes)", {16, 24, 32}}, {"hmac(sha256)", any}};
  Machine machine;
  for (const KeyCase& c : cases) {
    AhashHandle tfm = machine.ahash(c.name);
    EXPECT_EQ(run_ahash(*tfm, {}, HashCalls::kDigest, tests::plain_layout()).err, -ENOKEY);
    EXPECT_EQ(run_ahash(*tfm, {}, HashCalls::kUpdateFinal, tests::plain_layout()).err, -ENOKEY);
    for (size_t len = 0; len <= 40; ++len) {
      const bool good = std::find(c.accepted.begin(), c.accepted.end(), len) != c.accepted.end();
      EXPECT_EQ(crypto_ahash_setkey(*tfm, random_bytes(len, 1)), good ? 0 : -EINVAL) << c.name << len;
      EXPECT_EQ(run_ahash(*tfm, {}, HashCalls::kDigest, tests::plain_layout()).err, good ? 0 : -ENOKEY) << c.name;
    }
  }
  EXPECT_EQ(crypto_ahash_setkey(*machine.ahash("sha256"), random_bytes(16, 1)), -ENOSYS);
}

TEST(Hash, FipsWantsFourteenByteHmacKeys) {
  Machine fips(api::Registry::Options{.fips_enabled = true});
  AhashHandle tfm = fips.ahash("hmac(sha256)");
  EXPECT_EQ(crypto_ahash_setkey(*tfm, Bytes(13)), -EINVAL);
  EXPECT_EQ(crypto_ahash_setkey(*tfm, Bytes(14)), 0);
}

// States of one hash move between its software drivers (crypto-api.md 2.5) and between transforms with the same key.
TEST(Hash, StatesMoveBetweenDrivers) {
  const std::array<std::pair<const char*, const char*>, 4> cases = {{{"sha256-generic", "sha256-ce"},
                                                                     {"sha512-generic", "sha512-arm64"},
                                                                     {"cmac(aes-generic)", "cmac-aes-ce"},
                                                                     {"hmac(sha1-generic)", "hmac(sha1-generic)"}}};
  Machine machine;
  const Bytes key = random_bytes(16, 1);
  Bytes message = random_bytes(333, 2);
  for (const auto& [from, to] : cases) {
    AhashHandle a = machine.ahash(from);
    AhashHandle b = machine.ahash(to);
    crypto_ahash_setkey(*a, key);
    crypto_ahash_setkey(*b, key);
    ASSERT_EQ(crypto_ahash_statesize(*a), crypto_ahash_statesize(*b));
    auto first = ahash_request_alloc(*a);
    auto second = ahash_request_alloc(*b);
    Bytes state(crypto_ahash_statesize(*a));
    Bytes digest(crypto_ahash_digestsize(*a));
    const api::SgTable head = api::SgTable::of(std::span(message).first(101));
    const api::SgTable tail = api::SgTable::of(std::span(message).subspan(101));
    ASSERT_EQ(crypto_ahash_init(*first), 0);
    ahash_request_set_crypt(*first, head, nullptr, 101);
    ASSERT_EQ(crypto_ahash_update(*first), 0);
    ASSERT_EQ(crypto_ahash_export(*first, state.data()), 0);
    ASSERT_EQ(crypto_ahash_import(*second, state.data()), 0);
    ahash_request_set_crypt(*second, tail, digest.data(), 232);
    ASSERT_EQ(crypto_ahash_finup(*second), 0);
    expect_digest(*a, message, digest, HashCalls::kDigest, tests::plain_layout(), from);
  }
}

}  // namespace
}  // namespace caamlab::driver::software
