// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Once warm, requests allocate nothing: neither the driver nor the ring, memory and device below it.
#include <atomic>
#include <cstdlib>
#include <new>

#include "tests/driver/caam/rows.h"

namespace {

std::atomic<long> allocations{0};

void* counted(size_t len) {
  ++allocations;
  return std::malloc(len);
}
void* counted(size_t len, std::align_val_t align) {
  ++allocations;
  const auto a = static_cast<size_t>(align);
  return std::aligned_alloc(a, (len + a - 1) / a * a);
}

}  // namespace

void* operator new(size_t len) { return counted(len); }
void* operator new[](size_t len) { return counted(len); }
void* operator new(size_t len, const std::nothrow_t&) noexcept { return counted(len); }
void* operator new(size_t len, std::align_val_t align) { return counted(len, align); }
void* operator new(size_t len, std::align_val_t align, const std::nothrow_t&) noexcept { return counted(len, align); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, size_t, std::align_val_t) noexcept { std::free(memory); }

namespace caamlab::tests {
namespace {

constexpr size_t kTextLen = 256, kAadLen = 16, kBatch = 100;  // requests at once
constexpr int kWarm = 3;                                      // rounds before the counting

struct Buffers {
  Bytes src = random_bytes(kAadLen + kTextLen + 64, 1);
  Bytes dst = Bytes(kAadLen + kTextLen + 64);
  Bytes iv = random_bytes(16, 2);
  api::SgTable src_list, dst_list;
  explicit Buffers(size_t piece)
      : src_list(api::SgTable::split_every(src, piece)), dst_list(api::SgTable::split_every(dst, piece)) {}
};

void count(void* data, int err) { *static_cast<long*>(data) += err == 0 ? 1 : 0; }

void prepare(api::AeadRequest& req, Buffers& b, long* done) {
  aead_request_set_callback(req, 0, count, done);
  aead_request_set_ad(req, kAadLen);
  aead_request_set_crypt(req, b.src_list, b.dst_list, kTextLen, b.iv.data());
}
int submit(api::AeadRequest& req) { return crypto_aead_encrypt(req); }
void prepare(api::SkcipherRequest& req, Buffers& b, long* done) {
  skcipher_request_set_callback(req, 0, count, done);
  skcipher_request_set_crypt(req, b.src_list, b.dst_list, kTextLen, b.iv.data());
}
int submit(api::SkcipherRequest& req) { return crypto_skcipher_encrypt(req); }
void prepare(api::AhashRequest& req, Buffers& b, long* done) {
  ahash_request_set_callback(req, 0, count, done);
  ahash_request_set_crypt(req, b.src_list, b.dst.data(), kTextLen);
}
int submit(api::AhashRequest& req) { return crypto_ahash_digest(req); }

// `make`: a new request. piece: bytes per segment. rounds: of kBatch requests.
template <class Make>
void expect_no_allocations(LabFixture& lab, int rounds, size_t piece, const std::string& what, Make make) {
  std::vector<decltype(make())> requests;
  std::vector<Buffers> buffers(kBatch, Buffers(piece));
  long done = 0;
  for (size_t i = 0; i < kBatch; ++i) {
    buffers[i].src_list = api::SgTable::split_every(buffers[i].src, piece);
    buffers[i].dst_list = api::SgTable::split_every(buffers[i].dst, piece);
    requests.push_back(make());
    prepare(*requests.back(), buffers[i], &done);
  }
  long before = 0;
  for (int round = 0; round < rounds + kWarm; ++round) {
    if (round == kWarm) before = allocations;
    for (auto& req : requests) ASSERT_EQ(submit(*req), -EINPROGRESS) << what;
    lab->caam().run();
  }
  EXPECT_EQ(allocations - before, 0) << what << " in pieces of " << piece;
  EXPECT_EQ(done, static_cast<long>(rounds + kWarm) * static_cast<long>(kBatch)) << what;
}

TEST(HotPath, GcmAllocatesNothing) {
  LabFixture lab("ls1046a");
  auto tfm = lab.aead("gcm-aes-caam");
  ASSERT_EQ(crypto_aead_setkey(*tfm, random_bytes(16, 1)), 0);
  expect_no_allocations(lab, 100, 0, "gcm-aes-caam", [&] { return aead_request_alloc(*tfm); });
}

TEST(HotPath, OthersAllocateNothing) {
  LabFixture lab("lx2160a");
  for (size_t piece : {0, 64, 7}) {
    for (const char* driver : {"gcm-aes-caam", "rfc4106-gcm-aes-caam", "authenc-hmac-sha256-cbc-aes-caam"}) {
      auto tfm = lab.aead(driver);
      ASSERT_EQ(crypto_aead_setkey(*tfm, key_for(caam_row(driver))), 0);
      expect_no_allocations(lab, 4, piece, driver, [&] { return aead_request_alloc(*tfm); });
    }
    for (const char* driver : {"cbc-aes-caam", "ecb-aes-caam"}) {
      auto tfm = lab.skcipher(driver);
      ASSERT_EQ(crypto_skcipher_setkey(*tfm, key_for(caam_row(driver))), 0);
      expect_no_allocations(lab, 4, piece, driver, [&] { return skcipher_request_alloc(*tfm); });
    }
    auto tfm = lab.ahash("sha256-caam");
    expect_no_allocations(lab, 4, piece, "sha256-caam", [&] { return ahash_request_alloc(*tfm); });
  }
}

}  // namespace
}  // namespace caamlab::tests
