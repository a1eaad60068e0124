// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Requests of the software drivers: nothing is allocated once warm, and many threads may share a transform.
#include <openssl/crypto.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>

#include "api/keys.h"
#include "tests/driver/software/machine.h"

namespace {

std::atomic<long> allocations{0};

void* counted(size_t len) {
  ++allocations;
  return std::malloc(len);
}
void* crypto_malloc(size_t len, const char*, int) { return counted(len); }
void* crypto_realloc(void* old, size_t len, const char*, int) {
  ++allocations;
  return std::realloc(old, len);
}
void crypto_free(void* memory, const char*, int) { std::free(memory); }

// Before libcrypto allocates anything.
const bool kCryptoCounted = CRYPTO_set_mem_functions(crypto_malloc, crypto_realloc, crypto_free) == 1;

}  // namespace

void* operator new(size_t len) { return counted(len); }
void* operator new(size_t len, const std::nothrow_t&) noexcept { return counted(len); }
void* operator new(size_t len, std::align_val_t align, const std::nothrow_t&) noexcept {
  ++allocations;
  const auto a = static_cast<size_t>(align);
  return std::aligned_alloc(a, (len + a - 1) / a * a);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }

namespace caamlab::driver::software {
namespace {

using tests::Bytes;
using tests::Machine;
using tests::random_bytes;

constexpr size_t kLen = 160;  // bytes of text
constexpr size_t kAssocLen = 16;

const char* const kAeads[] = {"gcm-aes-ce",
                              "rfc4106-gcm-aes-ce",
                              "rfc4543(gcm(aes))",
                              "rfc7539(chacha20,poly1305)",
                              "authenc(hmac(sha256),cbc(aes))",
                              "echainiv(authenc(hmac(sha1),cbc(des3_ede)))",
                              "seqiv(authenc(hmac(sha512),rfc3686(ctr(aes))))"};
const char* const kCiphers[] = {"cbc-aes-ce", "ctr-aes-ce", "ecb-aes-ce",
                                "xts-aes-ce", "chacha20",   "rfc3686(ctr(aes))"};
const char* const kHashes[] = {"sha256-ce", "md5", "hmac(sha512)", "cmac-aes-ce", "xcbc-aes-ce"};

Bytes key_for(const std::string& name) {
  if (name.find("authenc") != std::string::npos) {
    const size_t enc = name.find("des3") != std::string::npos      ? 24
                       : name.find("rfc3686") != std::string::npos ? 20
                                                                   : 16;
    return api::crypto_authenc_make_key(random_bytes(20, 1), random_bytes(enc, 2));
  }
  if (name.starts_with("rfc4")) return random_bytes(20, 1);
  if (name.find("chacha") != std::string::npos || name.starts_with("xts")) return random_bytes(32, 1);
  return random_bytes(name.starts_with("rfc3686") ? 20 : 16, 1);
}

// Buffers and lists of one user, made once.
struct Buffers {
  Bytes in = random_bytes(kAssocLen + kLen + 64, 3);
  Bytes out = Bytes(kAssocLen + kLen + 64);
  Bytes back = Bytes(kAssocLen + kLen + 64);
  Bytes iv = random_bytes(16, 4);
  api::SgTable src = api::SgTable::split_every(in, 37);
  api::SgTable dst = api::SgTable::split_every(out, 41);
  api::SgTable again = api::SgTable::split_every(back, 29);
};

// Seals and opens; returns the first error.
int round_trip(api::CryptoAead& tfm, api::AeadRequest& req, Buffers& b) {
  aead_request_set_ad(req, kAssocLen);
  aead_request_set_crypt(req, b.src, b.dst, kLen, b.iv.data());
  if (const int err = crypto_aead_encrypt(req); err != 0) return err;
  std::copy_n(b.in.begin(), kAssocLen, b.out.begin());
  aead_request_set_crypt(req, b.dst, b.again, kLen + tfm.authsize, b.iv.data());
  return crypto_aead_decrypt(req);
}

int round_trip(api::CryptoSkcipher&, api::SkcipherRequest& req, Buffers& b) {
  skcipher_request_set_crypt(req, b.src, b.dst, kLen, b.iv.data());
  if (const int err = crypto_skcipher_encrypt(req); err != 0) return err;
  skcipher_request_set_crypt(req, b.dst, b.again, kLen, b.iv.data());
  return crypto_skcipher_decrypt(req);
}

int round_trip(api::CryptoAhash&, api::AhashRequest& req, Buffers& b) {
  ahash_request_set_crypt(req, b.src, b.out.data(), kLen);
  return crypto_ahash_digest(req);
}

template <class Tfm, class Request>
void expect_no_allocation(Tfm& tfm, Request& req, const char* name) {
  Buffers buffers;
  ASSERT_EQ(round_trip(tfm, req, buffers), 0) << name;  // warm
  const long before = allocations.load();
  for (int i = 0; i < 100; ++i) round_trip(tfm, req, buffers);
  EXPECT_EQ(allocations.load(), before) << name;
}

TEST(HotPath, AllocatesNothing) {
  ASSERT_TRUE(kCryptoCounted);
  const long start = allocations.load();
  Machine machine;
  EXPECT_GT(allocations.load(), start) << "the counter counts";
  for (const char* name : kAeads) {
    auto tfm = machine.aead(name);
    ASSERT_EQ(crypto_aead_setkey(*tfm, key_for(name)), 0) << name;
    auto req = aead_request_alloc(*tfm);
    expect_no_allocation(*tfm, *req, name);
  }
  for (const char* name : kCiphers) {
    auto tfm = machine.skcipher(name);
    ASSERT_EQ(crypto_skcipher_setkey(*tfm, key_for(name)), 0) << name;
    auto req = skcipher_request_alloc(*tfm);
    expect_no_allocation(*tfm, *req, name);
  }
  for (const char* name : kHashes) {
    auto tfm = machine.ahash(name);
    crypto_ahash_setkey(*tfm, key_for(name));
    auto req = ahash_request_alloc(*tfm);
    expect_no_allocation(*tfm, *req, name);
  }
}

// Four threads on one transform, each with its own request: every result is the one a single thread gets.
TEST(HotPath, ThreadsShareATransform) {
  Machine machine;
  for (const char* name : {"gcm-aes-ce", "authenc(hmac(sha256),cbc(aes))", "rfc7539(chacha20,poly1305)"}) {
    auto tfm = machine.aead(name);
    ASSERT_EQ(crypto_aead_setkey(*tfm, key_for(name)), 0);
    Buffers expected;
    auto first = aead_request_alloc(*tfm);
    ASSERT_EQ(round_trip(*tfm, *first, expected), 0);
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        Buffers mine;
        auto req = aead_request_alloc(*tfm);
        for (int i = 0; i < 200; ++i) {
          if (round_trip(*tfm, *req, mine) != 0 || mine.out != expected.out) ++wrong;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong.load(), 0) << name;
  }
}

// Registering, looking up and unregistering from several threads at once.
TEST(HotPath, ThreadsShareARegistry) {
  Machine machine;
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) {
        auto tfm = crypto_alloc_aead(machine.registry, "gcm(aes)");
        if (!tfm || (*tfm)->driver_name() != "gcm-aes-ce") ++wrong;
        if (machine.registry.explain(api::crypto_aead_type, "gcm(aes)", 0, 0).driver_name != "gcm-aes-ce") ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0);
}

}  // namespace
}  // namespace caamlab::driver::software
