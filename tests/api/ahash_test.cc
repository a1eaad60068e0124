// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The ahash front end over two toy hashes (byte sum and length): one registered as ahash that answers as the test
// wants, one as shash. Key rules, aligned results, finup made of update and final, export and import.
#include "api/ahash.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <deque>
#include <numeric>

namespace caamlab::api {
namespace {

constexpr size_t kDigest = 8;

struct Sum {
  uint32_t sum;
  uint32_t len;
};

void add(Sum* state, std::span<const uint8_t> data) {
  state->sum = std::accumulate(data.begin(), data.end(), state->sum);
  state->len += static_cast<uint32_t>(data.size());
}

// The asynchronous one. Each operation takes the next scripted answer; an accepted one is carried out when the test
// completes it.
struct ToyHash : AhashAlg {
  std::deque<int> answers;  // empty: 0
  struct Pending {
    AhashRequest* req;
    int (*carry_out)(AhashRequest&);
  };
  std::deque<Pending> pending;
  uintptr_t result_misalignment = 0;
};
ToyHash& toy(AhashRequest& req) {
  return const_cast<ToyHash&>(static_cast<const ToyHash&>(crypto_ahash_alg(crypto_ahash_reqtfm(req))));
}

int answer(AhashRequest& req, int (*carry_out)(AhashRequest&)) {
  ToyHash& hash = toy(req);
  int err = 0;
  if (!hash.answers.empty()) {
    err = hash.answers.front();
    hash.answers.pop_front();
  }
  if (err == 0) return carry_out(req);
  if (crypto_req_accepted(err, req.flags)) hash.pending.push_back({&req, carry_out});
  return err;
}

int do_update(AhashRequest& req) {
  std::vector<uint8_t> data(req.nbytes);
  if (sg_copy_to_buffer(data, req.src) != data.size()) return -EINVAL;
  add(ahash_request_ctx<Sum>(req), data);
  return 0;
}
int do_final(AhashRequest& req) {
  toy(req).result_misalignment |= reinterpret_cast<uintptr_t>(req.result) & req.tfm->alg->cra_alignmask;
  std::memcpy(req.result, ahash_request_ctx<Sum>(req), kDigest);
  return 0;
}
int do_digest(AhashRequest& req) {
  *ahash_request_ctx<Sum>(req) = {};
  const int err = do_update(req);
  return err != 0 ? err : do_final(req);
}

AhashOps toy_ops() {
  AhashOps ops;
  ops.init = [](AhashRequest& req) {
    *ahash_request_ctx<Sum>(req) = {};
    return 0;
  };
  ops.update = [](AhashRequest& req) { return answer(req, do_update); };
  ops.final = [](AhashRequest& req) { return answer(req, do_final); };
  ops.digest = [](AhashRequest& req) { return answer(req, do_digest); };
  ops.export_state = [](AhashRequest& req, uint8_t* out) {
    std::memcpy(out, ahash_request_ctx<Sum>(req), sizeof(Sum));
    return 0;
  };
  ops.import_state = [](AhashRequest& req, const uint8_t* in) {
    std::memcpy(ahash_request_ctx<Sum>(req), in, sizeof(Sum));
    return 0;
  };
  ops.init_tfm = [](CryptoAhash& tfm) {
    crypto_ahash_set_reqsize(tfm, sizeof(Sum));
    return 0;
  };
  return ops;
}

ToyHash make_ahash() {
  ToyHash alg;
  alg.cra_name = "sum";
  alg.cra_driver_name = "sum-async";
  alg.cra_priority = 10;
  alg.cra_blocksize = 1;
  alg.cra_alignmask = 15;
  alg.digestsize = kDigest;
  alg.statesize = sizeof(Sum);
  alg.ops = toy_ops();
  return alg;
}

int reject_key_of_13(CryptoTfm&, std::span<const uint8_t> key) { return key.size() == 13 ? -EINVAL : 0; }

ShashAlg make_shash() {
  ShashAlg alg;
  alg.cra_name = "sum";
  alg.cra_driver_name = "sum-generic";
  alg.cra_priority = 5;
  alg.cra_blocksize = 1;
  alg.digestsize = kDigest;
  alg.descsize = sizeof(Sum);
  alg.ops.init = [](ShashDesc& desc) {
    *shash_desc_ctx<Sum>(desc) = {};
    return 0;
  };
  alg.ops.update = [](ShashDesc& desc, std::span<const uint8_t> data) {
    add(shash_desc_ctx<Sum>(desc), data);
    return 0;
  };
  alg.ops.final = [](ShashDesc& desc, uint8_t* out) {
    std::memcpy(out, shash_desc_ctx<Sum>(desc), kDigest);
    return 0;
  };
  return alg;
}

std::vector<uint8_t> message() {
  std::vector<uint8_t> bytes(300);
  std::iota(bytes.begin(), bytes.end(), uint8_t{0});
  return bytes;
}

std::array<uint8_t, kDigest> expected_digest(const std::vector<uint8_t>& bytes) {
  Sum sum{};
  add(&sum, bytes);
  std::array<uint8_t, kDigest> digest;
  std::memcpy(digest.data(), &sum, kDigest);
  return digest;
}

struct FieldCase {
  const char* what;
  void (*change)(ToyHash&);
  int err;
};

TEST(Ahash, RegistrationChecks) {
  const FieldCase cases[] = {
      {"as it is", [](ToyHash&) {}, 0},
      {"digest of 65", [](ToyHash& a) { a.digestsize = 65; }, -EINVAL},
      {"no state", [](ToyHash& a) { a.statesize = 0; }, -EINVAL},
      {"state of 513", [](ToyHash& a) { a.statesize = 513; }, -EINVAL},
      {"no init", [](ToyHash& a) { a.ops.init = nullptr; }, -EINVAL},
      {"no update", [](ToyHash& a) { a.ops.update = nullptr; }, -EINVAL},
      {"no final", [](ToyHash& a) { a.ops.final = nullptr; }, -EINVAL},
      {"no digest", [](ToyHash& a) { a.ops.digest = nullptr; }, -EINVAL},
      {"no export", [](ToyHash& a) { a.ops.export_state = nullptr; }, -EINVAL},
      {"no import", [](ToyHash& a) { a.ops.import_state = nullptr; }, -EINVAL},
  };
  for (const FieldCase& c : cases) {
    ToyHash alg = make_ahash();
    Registry registry;
    c.change(alg);
    EXPECT_EQ(crypto_register_ahash(registry, alg), c.err) << c.what;
  }
}

struct ShashFieldCase {
  const char* what;
  void (*change)(ShashAlg&);
  int err;
};

TEST(Shash, RegistrationChecks) {
  const ShashFieldCase cases[] = {
      {"as it is", [](ShashAlg&) {}, 0},
      {"digest of 65", [](ShashAlg& a) { a.digestsize = 65; }, -EINVAL},
      {"state of 361", [](ShashAlg& a) { a.descsize = 361; }, -EINVAL},
      {"export only", [](ShashAlg& a) { a.ops.export_state = [](const ShashDesc&, uint8_t*) { return 0; }; }, -EINVAL},
      {"import only", [](ShashAlg& a) { a.ops.import_state = [](ShashDesc&, const uint8_t*) { return 0; }; }, -EINVAL},
      {"no update", [](ShashAlg& a) { a.ops.update = nullptr; }, -EINVAL},
  };
  for (const ShashFieldCase& c : cases) {
    ShashAlg alg = make_shash();
    Registry registry;
    c.change(alg);
    EXPECT_EQ(crypto_register_shash(registry, alg), c.err) << c.what;
  }
}

// Both types answer to the ahash front end, chosen by priority; the type can still be told apart.
TEST(Ahash, FindsBothTypes) {
  ToyHash async = make_ahash();
  ShashAlg sync = make_shash();
  Registry registry;
  ASSERT_EQ(crypto_register_ahash(registry, async), 0);
  ASSERT_EQ(crypto_register_shash(registry, sync), 0);
  EXPECT_EQ((*crypto_alloc_ahash(registry, "sum"))->driver_name(), "sum-async");
  EXPECT_EQ((*crypto_alloc_ahash(registry, "sum-generic"))->driver_name(), "sum-generic");
  EXPECT_EQ(async.cra_flags & CRYPTO_ALG_TYPE_MASK, CRYPTO_ALG_TYPE_AHASH);
  EXPECT_EQ(sync.cra_flags & CRYPTO_ALG_TYPE_MASK, CRYPTO_ALG_TYPE_SHASH);
}

// Every way of calling, both drivers, results at every alignment.
TEST(Ahash, EveryCallGivesTheSame) {
  ToyHash async = make_ahash();
  ShashAlg sync = make_shash();
  Registry registry;
  ASSERT_EQ(crypto_register_ahash(registry, async), 0);
  ASSERT_EQ(crypto_register_shash(registry, sync), 0);
  std::vector<uint8_t> bytes = message();
  const SgTable list = SgTable::split_every(bytes, 7);
  const auto digest = expected_digest(bytes);
  for (const char* driver : {"sum-async", "sum-generic"}) {
    auto tfm = crypto_alloc_ahash(registry, driver);
    ASSERT_TRUE(tfm);
    auto req = ahash_request_alloc(**tfm);
    auto other = ahash_request_alloc(**tfm);
    alignas(64) std::array<uint8_t, 64> memory{};
    for (size_t offset = 0; offset < 17; ++offset) {
      uint8_t* result = memory.data() + offset;
      const auto same = [&] { return std::memcmp(result, digest.data(), kDigest) == 0; };
      ahash_request_set_crypt(*req, list, result, 300);
      EXPECT_EQ(crypto_ahash_digest(*req), 0);
      EXPECT_TRUE(same());
      memory.fill(0);
      EXPECT_EQ(crypto_ahash_init(*req), 0);
      EXPECT_EQ(crypto_ahash_finup(*req), 0);
      EXPECT_TRUE(same());
      EXPECT_EQ(req->result, result);
      memory.fill(0);
      EXPECT_EQ(crypto_ahash_init(*req), 0);
      EXPECT_EQ(crypto_ahash_update(*req), 0);
      std::vector<uint8_t> state(crypto_ahash_statesize(**tfm));
      EXPECT_EQ(crypto_ahash_export(*req, state.data()), 0);
      EXPECT_EQ(crypto_ahash_import(*other, state.data()), 0);
      ahash_request_set_crypt(*other, {}, result, 0);
      EXPECT_EQ(crypto_ahash_update(*other), 0);  // nothing: changes nothing
      EXPECT_EQ(crypto_ahash_final(*other), 0);
      EXPECT_TRUE(same());
    }
    ahash_request_set_crypt(*req, list, memory.data(), 301);
    EXPECT_EQ(crypto_ahash_digest(*req), -EINVAL) << "the list is one byte short";
  }
  EXPECT_EQ(async.result_misalignment, 0u);
}

struct AsyncCase {
  const char* what;
  uint32_t flags;
  size_t result_offset;
  std::deque<int> answers;       // of the driver, one per operation
  std::vector<int> completions;  // what the test reports; 0 carries the operation out
  int submit;                    // what finup returns
  std::vector<int> callbacks;    // what the user sees
};

struct User {
  std::vector<int> seen;
  AhashRequest* req = nullptr;
  uint8_t* result = nullptr;
  bool request_restored = true;
};

TEST(Ahash, FinupMadeOfTwoAsynchronousSteps) {
  constexpr uint32_t kBacklog = CRYPTO_TFM_REQ_MAY_BACKLOG;
  const AsyncCase cases[] = {
      {"both at once", 0, 0, {}, {}, 0, {}},
      {"update later", 0, 0, {-EINPROGRESS}, {0}, -EINPROGRESS, {0}},
      {"final later", 0, 0, {0, -EINPROGRESS}, {0}, -EINPROGRESS, {0}},
      {"both later", 0, 0, {-EINPROGRESS, -EINPROGRESS}, {0, 0}, -EINPROGRESS, {0}},
      {"both later, result not aligned", 0, 3, {-EINPROGRESS, -EINPROGRESS}, {0, 0}, -EINPROGRESS, {0}},
      {"backlog", kBacklog, 1, {-EBUSY, 0}, {-EINPROGRESS, 0}, -EBUSY, {-EINPROGRESS, 0}},
      {"ring full", 0, 0, {-ENOSPC}, {}, -ENOSPC, {}},
      {"ring full for final", 0, 0, {0, -ENOSPC}, {}, -ENOSPC, {}},
      {"ring full for final, later", 0, 0, {-EINPROGRESS, -ENOSPC}, {0}, -EINPROGRESS, {-ENOSPC}},
      {"update fails later", 0, 2, {-EINPROGRESS}, {-EIO}, -EINPROGRESS, {-EIO}},
      {"busy without backlog is a refusal", 0, 0, {-EBUSY}, {}, -EBUSY, {}},
  };
  ToyHash async = make_ahash();
  Registry registry;
  ASSERT_EQ(crypto_register_ahash(registry, async), 0);
  std::vector<uint8_t> bytes = message();
  const SgTable list = SgTable::of(std::span<uint8_t>(bytes));
  const auto digest = expected_digest(bytes);
  auto tfm = crypto_alloc_ahash(registry, "sum");
  ASSERT_TRUE(tfm);
  auto req = ahash_request_alloc(**tfm);
  for (const AsyncCase& c : cases) {
    alignas(64) std::array<uint8_t, 64> memory{};
    User user{.seen = {}, .req = req.get(), .result = memory.data() + c.result_offset};
    const auto done = [](void* data, int err) {
      auto& u = *static_cast<User*>(data);
      u.seen.push_back(err);
      if (err != -EINPROGRESS) u.request_restored = u.req->result == u.result && u.req->data == data;
    };
    ahash_request_set_callback(*req, c.flags, done, &user);
    ahash_request_set_crypt(*req, list, user.result, 300);
    ASSERT_EQ(crypto_ahash_init(*req), 0);
    async.answers = c.answers;
    async.pending.clear();
    EXPECT_EQ(crypto_ahash_finup(*req), c.submit) << c.what;
    for (int status : c.completions) {
      ASSERT_FALSE(async.pending.empty()) << c.what;
      const ToyHash::Pending next = async.pending.front();
      if (status != -EINPROGRESS) async.pending.pop_front();
      ahash_request_complete(*next.req, status == 0 ? next.carry_out(*next.req) : status);
    }
    EXPECT_EQ(user.seen, c.callbacks) << c.what;
    EXPECT_TRUE(async.pending.empty() && user.request_restored) << c.what;
    const bool good = (c.callbacks.empty() ? c.submit : c.callbacks.back()) == 0;
    EXPECT_EQ(std::memcmp(user.result, digest.data(), kDigest) == 0, good) << c.what;
  }
}

TEST(Ahash, KeyRules) {
  ShashAlg keyed = make_shash();
  keyed.ops.setkey = reject_key_of_13;
  ShashAlg unkeyed = make_shash();
  unkeyed.cra_name = "plain";
  unkeyed.cra_driver_name = "plain-generic";
  ShashAlg optional = keyed;
  optional.cra_name = "optional";
  optional.cra_driver_name = "optional-generic";
  optional.cra_flags = CRYPTO_ALG_OPTIONAL_KEY;
  Registry registry;
  for (ShashAlg* alg : {&keyed, &unkeyed, &optional}) ASSERT_EQ(crypto_register_shash(registry, *alg), 0);

  auto tfm = *crypto_alloc_ahash(registry, "sum");
  auto req = ahash_request_alloc(*tfm);
  std::array<uint8_t, kDigest> result{};
  std::array<uint8_t, sizeof(Sum)> state{};
  ahash_request_set_crypt(*req, {}, result.data(), 0);
  const auto all = [&] {
    return std::array<int, 3>{crypto_ahash_init(*req), crypto_ahash_digest(*req),
                              crypto_ahash_import(*req, state.data())};
  };
  EXPECT_EQ(all(), (std::array<int, 3>{-ENOKEY, -ENOKEY, -ENOKEY}));
  EXPECT_EQ(crypto_ahash_setkey(*tfm, std::array<uint8_t, 4>{}), 0);
  EXPECT_EQ(all(), (std::array<int, 3>{0, 0, 0}));
  EXPECT_EQ(crypto_ahash_setkey(*tfm, std::array<uint8_t, 13>{}), -EINVAL);
  EXPECT_EQ(all(), (std::array<int, 3>{-ENOKEY, -ENOKEY, -ENOKEY}));

  EXPECT_EQ(crypto_ahash_setkey(**crypto_alloc_ahash(registry, "plain"), std::array<uint8_t, 4>{}), -ENOSYS);
  auto free_to_choose = *crypto_alloc_ahash(registry, "optional");
  EXPECT_EQ(crypto_ahash_get_flags(*free_to_choose) & CRYPTO_TFM_NEED_KEY, 0u);
}

}  // namespace
}  // namespace caamlab::api
