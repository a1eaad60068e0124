// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The test gate at registration and the index behind lookups: rows of crypto-api.md 1.3, 1.5, 1.6, and several threads
// at once (meant for ThreadSanitizer).
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "api/aead.h"
#include "api/registry.h"

namespace caamlab::api {
namespace {

int accept_key(CryptoAead&, std::span<const uint8_t>) { return 0; }
int do_nothing(AeadRequest&) { return 0; }

AeadAlg make_alg(std::string name, std::string driver, int priority, uint32_t flags = 0) {
  AeadAlg alg;
  alg.cra_name = std::move(name);
  alg.cra_driver_name = std::move(driver);
  alg.cra_priority = priority;
  alg.cra_flags = flags;
  alg.cra_blocksize = 1;
  alg.ops = {.setkey = accept_key, .encrypt = do_nothing, .decrypt = do_nothing};
  return alg;
}

std::string found(Registry& registry, std::string_view name, uint32_t type = 0, uint32_t mask = 0) {
  const auto alg = registry.find_alg(crypto_aead_type, name, type, mask);
  return alg ? (*alg)->cra_driver_name : errno_name(alg.error());
}

// Three implementations, of which the best fails: it stays listed, is not used, and ELIBBAD where it is all there is.
TEST(SelfTestGate, FailedIsListedAndUnusable) {
  Registry registry;
  std::vector<std::string> log;
  registry.set_log([&](const std::string& line) { log.push_back(line); });
  registry.set_self_test([](Registry&, CryptoAlg& alg) { return alg.cra_driver_name == "acc" ? -EINVAL : 0; });
  AeadAlg acc = make_alg("gcm(aes)", "acc", 3000), cpu = make_alg("gcm(aes)", "cpu", 200);
  AeadAlg generic = make_alg("gcm(aes)", "generic", 100);
  EXPECT_EQ(crypto_register_aead(registry, acc), 0);
  EXPECT_EQ(found(registry, "gcm(aes)"), "ELIBBAD");
  EXPECT_EQ(crypto_register_aead(registry, cpu), 0);
  EXPECT_EQ(crypto_register_aead(registry, generic), 0);
  EXPECT_EQ(found(registry, "gcm(aes)"), "cpu");
  EXPECT_EQ(found(registry, "acc"), "ELIBBAD");
  size_t listed = 0;
  registry.for_each([&](const CryptoAlg& alg) { listed += alg.cra_driver_name == "acc"; });
  EXPECT_EQ(listed, 1u);
  EXPECT_EQ(acc.cra_flags & CRYPTO_ALG_TESTED, 0u);
  EXPECT_EQ(log, std::vector<std::string>{"alg: self-tests for gcm(aes) using acc failed (rc=-22)"});
  const LookupReport report = registry.explain(crypto_aead_type, "gcm(aes)", 0, 0);
  ASSERT_EQ(report.candidates.size(), 3u);
  EXPECT_EQ(report.candidates[1].verdict, Verdict::kUntested);
  for (AeadAlg* alg : {&acc, &cpu, &generic}) EXPECT_EQ(crypto_unregister_aead(registry, *alg), 0);
}

TEST(SelfTestGate, CancelledIsForPartsOnly) {
  Registry registry({.fips_enabled = true});
  std::vector<std::string> log;
  registry.set_log([&](const std::string& line) { log.push_back(line); });
  registry.set_self_test([](Registry&, CryptoAlg&) { return -ECANCELED; });
  AeadAlg alg = make_alg("gcm(aes)", "x", 1);
  EXPECT_EQ(crypto_register_aead(registry, alg), 0);
  EXPECT_EQ(found(registry, "gcm(aes)"), "ENOENT");
  EXPECT_EQ(found(registry, "gcm(aes)", CRYPTO_ALG_FIPS_INTERNAL, CRYPTO_ALG_FIPS_INTERNAL), "x");
  EXPECT_EQ(log, std::vector<std::string>{"alg: gcm(aes) (x) is disabled due to FIPS"});
  crypto_unregister_aead(registry, alg);
}

TEST(SelfTestGate, InternalOnesPassUntested) {
  Registry registry;
  int tests = 0;
  registry.set_self_test([&](Registry&, CryptoAlg&) { return ++tests, -EINVAL; });
  AeadAlg alg = make_alg("__gcm(aes)", "__x", 1, CRYPTO_ALG_INTERNAL);
  EXPECT_EQ(crypto_register_aead(registry, alg), 0);
  EXPECT_EQ(tests, 0);
  EXPECT_EQ(found(registry, "__gcm(aes)", CRYPTO_ALG_INTERNAL, CRYPTO_ALG_INTERNAL), "__x");
  crypto_unregister_aead(registry, alg);
}

// A lookup that an algorithm under test would win waits for it, though a worse tested one is there; result of the test
// decides what it gets.
void look_up_during_test(int test_result, const char* expected) {
  Registry registry;
  AeadAlg worse = make_alg("gcm(aes)", "worse", 100), better = make_alg("gcm(aes)", "better", 300);
  ASSERT_EQ(crypto_register_aead(registry, worse), 0);
  std::atomic<bool> testing{false}, looking{false};
  registry.set_self_test([&](Registry& r, CryptoAlg& alg) {
    const auto own = r.lookup(alg.cra_driver_name, alg.cra_flags & ~CRYPTO_ALG_TESTED, CRYPTO_ALG_TESTED);
    EXPECT_TRUE(own && own->get() == &alg) << "the test does not find its own algorithm";
    testing = true;
    while (!looking) std::this_thread::yield();
    return test_result;
  });
  std::thread registering([&] { EXPECT_EQ(crypto_register_aead(registry, better), 0); });
  while (!testing) std::this_thread::yield();
  AeadAlg twin = make_alg("gcm(aes)", "better", 1);
  EXPECT_EQ(crypto_register_aead(registry, twin), -EEXIST);
  EXPECT_EQ(found(registry, "worse"), "worse");  // by driver name there is nothing to wait for
  std::thread asking([&] {
    looking = true;
    EXPECT_EQ(found(registry, "gcm(aes)"), expected);
  });
  registering.join();
  asking.join();
  size_t listed = 0;
  registry.for_each([&](const CryptoAlg&) { ++listed; });
  EXPECT_EQ(listed, 2u);  // no larval is left
  for (AeadAlg* alg : {&worse, &better}) EXPECT_EQ(crypto_unregister_aead(registry, *alg), 0);
}

TEST(SelfTestGate, LookupsWaitForATestThatPasses) { look_up_during_test(0, "better"); }
TEST(SelfTestGate, LookupsWaitForATestThatFails) { look_up_during_test(-EINVAL, "worse"); }

// The index gives what a scan of the list would: many names, with clashes of names and driver names, come and go.
TEST(Index, FollowsRegistrationsAndRemovals) {
  Registry registry({.accept_same_driver_name = true});
  constexpr size_t kAlgs = 300;
  std::vector<AeadAlg> algs;
  for (size_t i = 0; i < kAlgs; ++i) {
    algs.push_back(make_alg("name-" + std::to_string(i % 50), "driver-" + std::to_string(i % 200), 100 + i % 3));
  }
  for (AeadAlg& alg : algs) ASSERT_EQ(crypto_register_aead(registry, alg), 0);
  const auto scan = [&](const std::string& name) -> const CryptoAlg* {
    const CryptoAlg *best = nullptr, *exact = nullptr;
    registry.for_each([&](const CryptoAlg& alg) {
      if (alg.cra_driver_name == name && exact == nullptr) exact = &alg;
      if (alg.cra_name == name && (best == nullptr || alg.cra_priority > best->cra_priority)) best = &alg;
    });
    return exact != nullptr ? exact : best;
  };
  const auto check_all = [&] {
    for (size_t i = 0; i < 200; ++i) {
      for (const std::string& name : {"name-" + std::to_string(i), "driver-" + std::to_string(i)}) {
        const auto alg = registry.find_alg(crypto_aead_type, name, 0, 0);
        EXPECT_EQ(alg ? alg->get() : nullptr, scan(name)) << name;
      }
    }
  };
  check_all();
  for (size_t i = 0; i < kAlgs; i += 3) EXPECT_EQ(crypto_unregister_aead(registry, algs[i]), 0);
  check_all();
  for (size_t i = 0; i < kAlgs; ++i) EXPECT_EQ(crypto_unregister_aead(registry, algs[i]), i % 3 == 0 ? -ENOENT : 0);
  check_all();
}

TEST(Index, ThreadsComeAndGo) {
  Registry registry;
  registry.set_self_test([](Registry&, CryptoAlg& alg) { return alg.cra_priority % 2 == 0 ? 0 : -EINVAL; });
  AeadAlg steady = make_alg("gcm(aes)", "steady", 100);
  ASSERT_EQ(crypto_register_aead(registry, steady), 0);
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 300; ++i) {
        const std::string driver = found(registry, "gcm(aes)");
        EXPECT_TRUE(driver == "steady" || driver == "guest-0" || driver == "guest-2") << driver;
      }
    });
  }
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 100; ++i) {
        AeadAlg guest = make_alg("gcm(aes)", "guest-" + std::to_string(t), 200 + t);
        ASSERT_EQ(crypto_register_aead(registry, guest), 0);
        if (crypto_unregister_aead(registry, guest) == -EBUSY) {
          while (guest.cra_refcnt.load() > 0) std::this_thread::yield();
        }
      }
    });
  }
  threads.emplace_back([&] {
    for (int i = 0; i < 300; ++i) registry.set_priority(steady, 100 + i % 3);
  });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(crypto_unregister_aead(registry, steady), 0);
}

}  // namespace
}  // namespace caamlab::api
