// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The aead front end over a toy driver whose answers the test chooses: key and tag rules, request memory, completion.
#include "api/aead.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

namespace caamlab::api {
namespace {

// The toy: 4-byte key, tags 4 and 8, request answers and later statuses as the test sets them.
struct ToyCtx {
  std::array<uint8_t, 4> key;
  bool live;
};

struct ToyDriver : AeadAlg {
  int submit_answer = 0;
  int init_answer = 0;
  int inits = 0;
  int exits = 0;
  uintptr_t key_misalignment = 0;
  std::vector<AeadRequest*> queue;
};

ToyDriver& toy(const CryptoAead& tfm) {
  return const_cast<ToyDriver&>(static_cast<const ToyDriver&>(crypto_aead_alg(tfm)));
}

int toy_init(CryptoAead& tfm) {
  ++toy(tfm).inits;
  if (toy(tfm).init_answer != 0) return toy(tfm).init_answer;
  crypto_aead_ctx<ToyCtx>(tfm)->live = true;
  crypto_aead_set_reqsize(tfm, 32);
  return 0;
}

void toy_exit(CryptoAead& tfm) {
  EXPECT_TRUE(crypto_aead_ctx<ToyCtx>(tfm)->live);
  ++toy(tfm).exits;
}

int toy_setkey(CryptoAead& tfm, std::span<const uint8_t> key) {
  toy(tfm).key_misalignment |= reinterpret_cast<uintptr_t>(key.data()) & tfm.alg->cra_alignmask;
  if (key.size() != 4) return -EINVAL;
  std::memcpy(crypto_aead_ctx<ToyCtx>(tfm)->key.data(), key.data(), 4);
  return 0;
}

int toy_setauthsize(CryptoAead&, unsigned int authsize) { return authsize == 4 || authsize == 8 ? 0 : -EINVAL; }

int toy_submit(AeadRequest& req) {
  ToyDriver& driver = toy(crypto_aead_reqtfm(req));
  if (crypto_req_accepted(driver.submit_answer, req.flags)) driver.queue.push_back(&req);
  return driver.submit_answer;
}

struct Fixture : ::testing::Test {
  Registry registry;
  ToyDriver driver;
  Fixture() {
    driver.cra_name = "toy";
    driver.cra_driver_name = "toy-driver";
    driver.cra_blocksize = 1;
    driver.cra_alignmask = 15;
    driver.cra_ctxsize = sizeof(ToyCtx);
    driver.ivsize = 8;
    driver.maxauthsize = 8;
    driver.ops = {toy_setkey, toy_setauthsize, toy_submit, toy_submit, toy_init, toy_exit};
    EXPECT_EQ(crypto_register_aead(registry, driver), 0);
  }
  ~Fixture() override { EXPECT_EQ(crypto_unregister_aead(registry, driver), 0); }
  AeadHandle alloc() {
    auto tfm = crypto_alloc_aead(registry, "toy");
    EXPECT_TRUE(tfm);
    return std::move(*tfm);
  }
};

using AeadFrontEnd = Fixture;

TEST_F(AeadFrontEnd, NewTransform) {
  AeadHandle tfm = alloc();
  EXPECT_EQ(crypto_aead_authsize(*tfm), 8u);
  EXPECT_EQ(crypto_aead_ivsize(*tfm), 8u);
  EXPECT_EQ(crypto_aead_maxauthsize(*tfm), 8u);
  EXPECT_EQ(crypto_aead_blocksize(*tfm), 1u);
  EXPECT_EQ(crypto_aead_chunksize(*tfm), 1u);
  EXPECT_EQ(tfm->driver_name(), "toy-driver");
  EXPECT_EQ(reinterpret_cast<uintptr_t>(tfm->ctx) % kCtxAlign, 0u);
  tfm.reset();
  EXPECT_EQ(driver.exits, 1);
}

TEST_F(AeadFrontEnd, InitFailures) {
  driver.init_answer = -ENODEV;
  auto tfm = crypto_alloc_aead(registry, "toy");
  ASSERT_FALSE(tfm);
  EXPECT_EQ(tfm.error(), -ENODEV);
  EXPECT_EQ(driver.exits, 0);
  EXPECT_EQ(driver.cra_refcnt.load(), 1);
  // "Look again": the algorithm is dying from now on, so that looking again ends.
  driver.init_answer = -EAGAIN;
  tfm = crypto_alloc_aead(registry, "toy");
  ASSERT_FALSE(tfm);
  EXPECT_EQ(tfm.error(), -ENOENT);
  EXPECT_EQ(driver.inits, 2);
  EXPECT_NE(driver.cra_flags & CRYPTO_ALG_DYING, 0u);
}

TEST_F(AeadFrontEnd, NoOperationWithoutAKey) {
  AeadHandle tfm = alloc();
  AeadRequestHandle req = aead_request_alloc(*tfm);
  aead_request_set_crypt(*req, {}, {}, 100, nullptr);
  EXPECT_EQ(crypto_aead_encrypt(*req), -ENOKEY);
  EXPECT_EQ(crypto_aead_decrypt(*req), -ENOKEY);
  const std::array<uint8_t, 4> key{};
  EXPECT_EQ(crypto_aead_setkey(*tfm, key), 0);
  EXPECT_EQ(crypto_aead_encrypt(*req), 0);
  // A bad key takes the good one away.
  EXPECT_EQ(crypto_aead_setkey(*tfm, std::span(key).first(3)), -EINVAL);
  EXPECT_EQ(crypto_aead_encrypt(*req), -ENOKEY);
}

TEST_F(AeadFrontEnd, UnalignedKeysAreMoved) {
  AeadHandle tfm = alloc();
  alignas(64) std::array<uint8_t, 32> memory{};
  for (size_t offset = 0; offset < 16; ++offset) {
    memory[offset] = static_cast<uint8_t>(0x40 + offset);
    EXPECT_EQ(crypto_aead_setkey(*tfm, std::span(memory).subspan(offset, 4)), 0);
    EXPECT_EQ(crypto_aead_ctx<ToyCtx>(*tfm)->key[0], 0x40 + offset);
  }
  EXPECT_EQ(driver.key_misalignment, 0u);
}

TEST_F(AeadFrontEnd, Authsize) {
  AeadHandle tfm = alloc();
  for (unsigned int size = 0; size < 12; ++size) {
    const bool good = size == 4 || size == 8;
    const unsigned int before = crypto_aead_authsize(*tfm);
    EXPECT_EQ(crypto_aead_setauthsize(*tfm, size), good ? 0 : -EINVAL) << size;
    EXPECT_EQ(crypto_aead_authsize(*tfm), good ? size : before);
  }
}

TEST_F(AeadFrontEnd, DecryptNeedsRoomForTheTag) {
  AeadHandle tfm = alloc();
  const std::array<uint8_t, 4> key{};
  ASSERT_EQ(crypto_aead_setkey(*tfm, key), 0);
  AeadRequestHandle req = aead_request_alloc(*tfm);
  for (uint32_t len : {0u, 7u, 8u, 9u}) {
    aead_request_set_crypt(*req, {}, {}, len, nullptr);
    EXPECT_EQ(crypto_aead_decrypt(*req), len < 8 ? -EINVAL : 0) << len;
  }
}

TEST_F(AeadFrontEnd, RequestMemoryIsTheDriversAndAligned) {
  AeadHandle tfm = alloc();
  AeadRequestHandle req = aead_request_alloc(*tfm);
  auto* ctx = aead_request_ctx<uint8_t>(*req);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(ctx) % kCtxAlign, 0u);
  std::memset(ctx, 0xff, 32);
  EXPECT_EQ(&crypto_aead_reqtfm(*req), tfm.get());
  // A request inside memory that somebody else owns.
  std::vector<uint8_t> memory(aead_request_size(*tfm) + kCtxAlign);
  void* aligned = memory.data();
  size_t space = memory.size();
  ASSERT_NE(std::align(kCtxAlign, aead_request_size(*tfm), aligned, space), nullptr);
  auto* inner = request_at<AeadRequest>(aligned, *tfm);
  std::memset(aead_request_ctx<uint8_t>(*inner), 0xff, 32);
  EXPECT_EQ(&crypto_aead_reqtfm(*inner), tfm.get());
  std::destroy_at(inner);
}

struct WaitCase {
  const char* what;
  int answer;
  uint32_t flags;
  std::vector<int> statuses;  // what the driver reports, one per idle call
  int result;
};

TEST_F(AeadFrontEnd, Waiting) {
  const WaitCase cases[] = {
      {"done at once", 0, 0, {}, 0},
      {"refused at once", -EINVAL, 0, {}, -EINVAL},
      {"ring full", -ENOSPC, 0, {}, -ENOSPC},
      {"asynchronous", -EINPROGRESS, 0, {0}, 0},
      {"asynchronous failure", -EINPROGRESS, 0, {-EBADMSG}, -EBADMSG},
      {"backlog: the notice is not the end", -EBUSY, CRYPTO_TFM_REQ_MAY_BACKLOG, {-EINPROGRESS, 0}, 0},
      {"backlog, then failure", -EBUSY, CRYPTO_TFM_REQ_MAY_BACKLOG, {-EINPROGRESS, -EBADMSG}, -EBADMSG},
      {"nothing will ever come", -EINPROGRESS, 0, {}, -ETIMEDOUT},
  };
  AeadHandle tfm = alloc();
  const std::array<uint8_t, 4> key{};
  ASSERT_EQ(crypto_aead_setkey(*tfm, key), 0);
  AeadRequestHandle req = aead_request_alloc(*tfm);
  std::vector<int> statuses;
  const int idle = registry.add_idle([this, &statuses] {
    if (statuses.empty()) return false;
    const int status = statuses.front();
    statuses.erase(statuses.begin());
    aead_request_complete(*driver.queue.front(), status);
    return true;
  });
  CryptoWait wait;
  for (const WaitCase& c : cases) {
    driver.queue.clear();
    driver.submit_answer = c.answer;
    statuses = c.statuses;
    aead_request_set_callback(*req, c.flags, crypto_req_done, &wait);
    EXPECT_EQ(crypto_wait_req(crypto_aead_encrypt(*req), wait, *tfm), c.result) << c.what;
    EXPECT_TRUE(statuses.empty()) << c.what;
  }
  registry.remove_idle(idle);
  EXPECT_FALSE(registry.idle());
  EXPECT_EQ(crypto_wait_req(-EINPROGRESS, wait, IdleFunction()), -ETIMEDOUT);
}

TEST(Accepted, EbusyOnlyWithBacklog) {
  EXPECT_TRUE(crypto_req_accepted(-EINPROGRESS, 0));
  EXPECT_FALSE(crypto_req_accepted(-EBUSY, 0));
  EXPECT_TRUE(crypto_req_accepted(-EBUSY, CRYPTO_TFM_REQ_MAY_BACKLOG));
  EXPECT_FALSE(crypto_req_accepted(-ENOSPC, CRYPTO_TFM_REQ_MAY_BACKLOG));
  EXPECT_FALSE(crypto_req_accepted(0, 0));
}

}  // namespace
}  // namespace caamlab::api
