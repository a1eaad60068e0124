// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Registration, lookup, references and explain, as rows of crypto-api.md 1.1 to 1.5, 1.9 and 1.10.
#include "api/registry.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "api/aead.h"

namespace caamlab::api {
namespace {

int accept_key(CryptoAead&, std::span<const uint8_t>) { return 0; }
int do_nothing(AeadRequest&) { return 0; }
constexpr AeadOps kNoOps{.setkey = accept_key, .encrypt = do_nothing, .decrypt = do_nothing};

AeadAlg make_alg(const char* name, const char* driver, int priority = 100, uint32_t flags = 0) {
  AeadAlg alg;
  alg.cra_name = name;
  alg.cra_driver_name = driver;
  alg.cra_priority = priority;
  alg.cra_flags = flags;
  alg.cra_blocksize = 1;
  alg.ops = kNoOps;
  return alg;
}

std::string found(Registry& registry, std::string_view name, uint32_t type = 0, uint32_t mask = 0) {
  auto alg = registry.find_alg(crypto_aead_type, name, type, mask);
  return alg ? (*alg)->cra_driver_name : errno_name(alg.error());
}

struct FieldCase {
  const char* what;
  void (*change)(AeadAlg&);
  int err;
};

const FieldCase kFieldCases[] = {
    {"as it is", [](AeadAlg&) {}, 0},
    {"no name", [](AeadAlg& a) { a.cra_name.clear(); }, -EINVAL},
    {"no driver name", [](AeadAlg& a) { a.cra_driver_name.clear(); }, -EINVAL},
    {"name of 127", [](AeadAlg& a) { a.cra_name.assign(127, 'x'); }, 0},
    {"name of 128", [](AeadAlg& a) { a.cra_name.assign(128, 'x'); }, -EINVAL},
    {"driver name of 128", [](AeadAlg& a) { a.cra_driver_name.assign(128, 'x'); }, -EINVAL},
    {"negative priority", [](AeadAlg& a) { a.cra_priority = -1; }, -EINVAL},
    {"priority 0", [](AeadAlg& a) { a.cra_priority = 0; }, 0},
    {"block size 160", [](AeadAlg& a) { a.cra_blocksize = 160; }, 0},
    {"block size 161", [](AeadAlg& a) { a.cra_blocksize = 161; }, -EINVAL},
    {"alignmask 63", [](AeadAlg& a) { a.cra_alignmask = 63; }, 0},
    {"alignmask with a hole", [](AeadAlg& a) { a.cra_alignmask = 5; }, -EINVAL},
    {"alignmask 127", [](AeadAlg& a) { a.cra_alignmask = 127; }, -EINVAL},
    {"iv of 512", [](AeadAlg& a) { a.ivsize = 512; }, 0},
    {"iv of 513", [](AeadAlg& a) { a.ivsize = 513; }, -EINVAL},
    {"tag of 513", [](AeadAlg& a) { a.maxauthsize = 513; }, -EINVAL},
    {"chunk of 513", [](AeadAlg& a) { a.chunksize = 513; }, -EINVAL},
    {"no encrypt", [](AeadAlg& a) { a.ops.encrypt = nullptr; }, -EINVAL},
    {"no setkey", [](AeadAlg& a) { a.ops.setkey = nullptr; }, -EINVAL},
};

TEST(Register, FieldChecks) {
  for (const FieldCase& c : kFieldCases) {
    AeadAlg alg = make_alg("gcm(aes)", "gcm-aes-x");
    c.change(alg);
    Registry registry;
    EXPECT_EQ(crypto_register_aead(registry, alg), c.err) << c.what;
    EXPECT_EQ(crypto_unregister_aead(registry, alg), c.err == 0 ? 0 : -ENOENT) << c.what;
  }
}

TEST(Register, SetsTypeTestedAndChunk) {
  AeadAlg alg = make_alg("a", "a-x", 1, CRYPTO_ALG_ASYNC | CRYPTO_ALG_TYPE_AHASH);
  Registry registry;
  ASSERT_EQ(crypto_register_aead(registry, alg), 0);
  EXPECT_EQ(alg.cra_flags, CRYPTO_ALG_TYPE_AEAD | CRYPTO_ALG_ASYNC | CRYPTO_ALG_TESTED);
  EXPECT_EQ(alg.chunksize, 1u);
  EXPECT_EQ(alg.cra_refcnt.load(), 1);
  EXPECT_EQ(crypto_unregister_aead(registry, alg), 0);
}

struct ClashCase {
  const char* what;
  const char* name;
  const char* driver;
  int err;        // kernel 6.8 and later
  int err_older;  // with accept_same_driver_name
};

const ClashCase kClashCases[] = {
    {"same name, other driver", "gcm(aes)", "gcm-aes-b", 0, 0},
    {"same driver name", "gcm(aes)", "gcm-aes-a", -EEXIST, 0},
    {"same driver name, other name", "ccm(aes)", "gcm-aes-a", -EEXIST, 0},
    {"name is a driver name", "gcm-aes-a", "new", -EEXIST, -EEXIST},
    {"driver name is a name", "new", "gcm(aes)", -EEXIST, -EEXIST},
    {"own name equals own driver name", "new", "new", 0, 0},
};

TEST(Register, Clashes) {
  for (const ClashCase& c : kClashCases) {
    for (bool older : {false, true}) {
      AeadAlg first = make_alg("gcm(aes)", "gcm-aes-a");
      AeadAlg second = make_alg(c.name, c.driver);
      Registry registry(Registry::Options{.accept_same_driver_name = older});
      ASSERT_EQ(crypto_register_aead(registry, first), 0);
      EXPECT_EQ(crypto_register_aead(registry, second), older ? c.err_older : c.err) << c.what << " older " << older;
    }
  }
}

TEST(Register, TwiceAndAgain) {
  AeadAlg alg = make_alg("gcm(aes)", "gcm-aes-a");
  Registry registry;
  EXPECT_EQ(crypto_register_aead(registry, alg), 0);
  EXPECT_EQ(crypto_register_aead(registry, alg), -EEXIST);
  EXPECT_EQ(crypto_unregister_aead(registry, alg), 0);
  EXPECT_EQ(crypto_unregister_aead(registry, alg), -ENOENT);
  EXPECT_EQ(crypto_register_aead(registry, alg), 0);
  EXPECT_EQ(found(registry, "gcm(aes)"), "gcm-aes-a");
}

TEST(Register, DeadInstanceStaysDead) {
  AeadAlg alg = make_alg("seqiv(a)", "seqiv(a-x)", 1, CRYPTO_ALG_INSTANCE);
  Registry registry;
  ASSERT_EQ(crypto_register_aead(registry, alg), 0);
  ASSERT_EQ(crypto_unregister_aead(registry, alg), 0);
  EXPECT_EQ(crypto_register_aead(registry, alg), -EAGAIN);
}

TEST(Register, ModuleGoingAway) {
  Module module("caam_jr");
  AeadAlg alg = make_alg("gcm(aes)", "gcm-aes-a");
  alg.cra_module = &module;
  Registry registry;
  ASSERT_EQ(module.begin_unload(), 0);
  EXPECT_EQ(crypto_register_aead(registry, alg), -ENOENT);
}

struct LookupCase {
  const char* name;
  uint32_t type;
  uint32_t mask;
  const char* answer;
};

// What is listed, oldest first.
std::vector<AeadAlg> lookup_algs() {
  std::vector<AeadAlg> algs;
  algs.push_back(make_alg("gcm(aes)", "gcm-old", 300));
  algs.push_back(make_alg("gcm(aes)", "gcm-hw", 3000,
                          CRYPTO_ALG_ASYNC | CRYPTO_ALG_ALLOCATES_MEMORY | CRYPTO_ALG_KERN_DRIVER_ONLY));
  algs.push_back(make_alg("gcm(aes)", "gcm-new", 300));
  algs.push_back(make_alg("gcm(aes)", "gcm-slow", 1));
  algs.push_back(make_alg("gcm(aes)", "gcm-part", 5000, CRYPTO_ALG_INTERNAL));
  algs.push_back(make_alg("one", "one-fallback", 10, CRYPTO_ALG_NEED_FALLBACK));
  return algs;
}

const LookupCase kLookupCases[] = {
    {"gcm(aes)", 0, 0, "gcm-hw"},                  // highest priority
    {"gcm-slow", 0, 0, "gcm-slow"},                // exact driver name, whatever the priorities
    {"gcm(aes)", 0, CRYPTO_ALG_ASYNC, "gcm-new"},  // a tie: the newest
    {"gcm(aes)", 0, CRYPTO_ALG_ALLOCATES_MEMORY, "gcm-new"},
    {"gcm(aes)", CRYPTO_ALG_ASYNC, CRYPTO_ALG_ASYNC, "gcm-hw"},
    {"gcm-hw", 0, CRYPTO_ALG_ASYNC, "ENOENT"},  // flags before names: not an override
    {"gcm(aes)", CRYPTO_ALG_INTERNAL, CRYPTO_ALG_INTERNAL, "gcm-part"},
    {"gcm(aes)", CRYPTO_ALG_INTERNAL, 0, "gcm-part"},  // mentioning INTERNAL lifts the hiding
    {"gcm-part", 0, 0, "ENOENT"},
    {"one", 0, CRYPTO_ALG_NEED_FALLBACK, "ENOENT"},
    {"one", 0, CRYPTO_NOLOAD, "one-fallback"},         // NOLOAD is no flag of an algorithm
    {"gcm(aes)", CRYPTO_ALG_TYPE_AHASH, 0, "gcm-hw"},  // the front end forces its own type
    {"ccm(aes)", 0, 0, "ENOENT"},
    {"", 0, 0, "ENOENT"},
};

TEST(Lookup, Rules) {
  std::vector<AeadAlg> algs = lookup_algs();
  Registry registry;
  for (AeadAlg& alg : algs) ASSERT_EQ(crypto_register_aead(registry, alg), 0);
  for (const LookupCase& c : kLookupCases) {
    EXPECT_EQ(found(registry, c.name, c.type, c.mask), c.answer) << c.name << " mask " << cra_flags_text(c.mask);
    const LookupReport report = registry.explain(crypto_aead_type, c.name, c.type, c.mask);
    EXPECT_EQ(report.err == 0 ? report.driver_name : errno_name(report.err), c.answer) << report.text();
  }
  for (AeadAlg& alg : algs) EXPECT_EQ(alg.cra_refcnt.load(), 1) << alg.cra_driver_name;
}

// Before 6.8 a driver name may be listed twice: the newest is taken, whatever the priorities.
TEST(Lookup, NewestOfTwoWithOneDriverName) {
  AeadAlg older = make_alg("a", "a-x", 900);
  AeadAlg newer = make_alg("a", "a-x", 10);
  Registry registry(Registry::Options{.accept_same_driver_name = true});
  ASSERT_EQ(crypto_register_aead(registry, older), 0);
  ASSERT_EQ(crypto_register_aead(registry, newer), 0);
  const auto priority = [&registry](const char* name) {
    return (*registry.find_alg(crypto_aead_type, name, 0, 0))->cra_priority;
  };
  EXPECT_EQ(priority("a-x"), 10);
  EXPECT_EQ(priority("a"), 900);
  const LookupReport report = registry.explain(crypto_aead_type, "a-x", 0, 0);
  ASSERT_EQ(report.candidates.size(), 2u);
  EXPECT_EQ(report.candidates[1].verdict, Verdict::kTieOlder);
  EXPECT_EQ(report.candidates[1].reason, "the same driver name was registered again later");
}

TEST(Lookup, OtherFrontEndDoesNotSee) {
  constexpr CryptoType kOther{"other", 0xb, ~CRYPTO_ALG_TYPE_MASK, CRYPTO_ALG_TYPE_MASK, nullptr, nullptr};
  AeadAlg alg = make_alg("a", "a-x");
  Registry registry;
  ASSERT_EQ(crypto_register_aead(registry, alg), 0);
  const auto result = registry.find_alg(kOther, "a", 0, 0);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error(), -ENOENT);
  const LookupReport report = registry.explain(kOther, "a", 0, 0);
  ASSERT_EQ(report.candidates.size(), 1u);
  EXPECT_EQ(report.candidates[0].verdict, Verdict::kTypeDiffers);
}

TEST(Lookup, LowPrioritiesByDriverNameOnly) {
  AeadAlg alg = make_alg("a", "a-x");
  Registry registry;
  ASSERT_EQ(crypto_register_aead(registry, alg), 0);
  for (const auto& [priority, answer] : {std::pair{-1, "a-x"}, std::pair{-2, "ENOENT"}, std::pair{-300, "ENOENT"}}) {
    registry.set_priority(alg, priority);
    EXPECT_EQ(found(registry, "a"), answer) << priority;
    EXPECT_EQ(found(registry, "a-x"), "a-x") << priority;
  }
  EXPECT_EQ(registry.explain(crypto_aead_type, "a", 0, 0).candidates[0].verdict, Verdict::kPriorityTooLow);
}

TEST(Lookup, UntestedIsElibbadUnlessAskedFor) {
  AeadAlg good = make_alg("a", "a-good", 1);
  AeadAlg bad = make_alg("a", "a-bad", 9);
  Registry registry;
  ASSERT_EQ(crypto_register_aead(registry, bad), 0);
  bad.cra_flags &= ~CRYPTO_ALG_TESTED;
  EXPECT_EQ(found(registry, "a"), "ELIBBAD");
  EXPECT_EQ(found(registry, "a", 0, CRYPTO_ALG_TESTED), "a-bad");
  EXPECT_EQ(registry.explain(crypto_aead_type, "a", 0, 0).candidates[0].verdict, Verdict::kUntested);
  ASSERT_EQ(crypto_register_aead(registry, good), 0);
  EXPECT_EQ(found(registry, "a"), "a-good");
  EXPECT_EQ(found(registry, "a-bad"), "ELIBBAD");
}

TEST(Lookup, FipsInternalIsNotThereForDirectUsers) {
  AeadAlg alg = make_alg("a", "a-x", 1, CRYPTO_ALG_FIPS_INTERNAL);
  Registry registry;
  ASSERT_EQ(crypto_register_aead(registry, alg), 0);
  EXPECT_EQ(found(registry, "a"), "ENOENT");
  EXPECT_EQ(found(registry, "a", CRYPTO_ALG_FIPS_INTERNAL, CRYPTO_ALG_FIPS_INTERNAL), "a-x");
  EXPECT_EQ(registry.explain(crypto_aead_type, "a", 0, 0).candidates[0].verdict, Verdict::kFipsInternal);
}

TEST(Lookup, DyingAndModuleGoingAreSkipped) {
  Module module("m");
  AeadAlg dying = make_alg("a", "a-dying", 9);
  AeadAlg going = make_alg("a", "a-going", 8);
  AeadAlg rest = make_alg("a", "a-rest", 1);
  going.cra_module = &module;
  Registry registry;
  for (AeadAlg* alg : {&dying, &going, &rest}) ASSERT_EQ(crypto_register_aead(registry, *alg), 0);
  registry.shoot_alg(dying);
  EXPECT_EQ(found(registry, "a"), "a-going");
  ASSERT_EQ(module.begin_unload(), 0);
  EXPECT_EQ(found(registry, "a"), "a-rest");
  const LookupReport report = registry.explain(crypto_aead_type, "a", 0, 0);
  ASSERT_EQ(report.candidates.size(), 3u);
  EXPECT_EQ(report.candidates[0].verdict, Verdict::kChosen);
  EXPECT_EQ(report.candidates[1].verdict, Verdict::kDying);
  EXPECT_EQ(report.candidates[2].verdict, Verdict::kModuleGoing);
}

TEST(Explain, EveryCandidateHasItsReason) {
  std::vector<AeadAlg> algs = lookup_algs();
  Registry registry;
  for (AeadAlg& alg : algs) ASSERT_EQ(crypto_register_aead(registry, alg), 0);
  const LookupReport report = registry.explain(crypto_aead_type, "gcm(aes)", 0, CRYPTO_ALG_ASYNC);
  const std::pair<const char*, Verdict> expected[] = {{"gcm-new", Verdict::kChosen},
                                                      {"gcm-part", Verdict::kFlagsRefused},
                                                      {"gcm-hw", Verdict::kFlagsRefused},
                                                      {"gcm-old", Verdict::kTieOlder},
                                                      {"gcm-slow", Verdict::kLowerPriority}};
  ASSERT_EQ(report.candidates.size(), std::size(expected));
  for (size_t i = 0; i < std::size(expected); ++i) {
    EXPECT_EQ(report.candidates[i].driver_name, expected[i].first);
    EXPECT_EQ(report.candidates[i].verdict, expected[i].second) << report.text();
  }
  EXPECT_EQ(report.candidates[2].reason, "ASYNC must be clear and is set");
  EXPECT_EQ(report.candidates[4].reason, "priority 1 is below 300 of gcm-new");
  EXPECT_NE(report.text().find("-> gcm-new"), std::string::npos);
}

TEST(Explain, RequestByDriverName) {
  AeadAlg plain = make_alg("gcm(aes)", "gcm-x", 100);
  Registry registry;
  ASSERT_EQ(crypto_register_aead(registry, plain), 0);
  const LookupReport report = registry.explain(crypto_aead_type, "gcm-x", 0, 0);
  ASSERT_EQ(report.candidates.size(), 1u);
  EXPECT_EQ(report.candidates[0].reason, "the request is its driver name");
  const LookupReport none = registry.explain(crypto_aead_type, "nothing", 0, 0);
  EXPECT_EQ(none.err, -ENOENT);
  EXPECT_NE(none.text().find("nothing registered has this name"), std::string::npos);
}

int destroyed = 0;

TEST(References, UnregisterUnderUse) {
  destroyed = 0;
  AeadAlg alg = make_alg("a", "a-x");
  alg.cra_destroy = [](CryptoAlg&) { ++destroyed; };
  Registry registry;
  ASSERT_EQ(crypto_register_aead(registry, alg), 0);
  auto tfm = crypto_alloc_aead(registry, "a");
  ASSERT_TRUE(tfm);
  EXPECT_EQ(alg.cra_refcnt.load(), 2);
  EXPECT_EQ(crypto_unregister_aead(registry, alg), -EBUSY);
  EXPECT_EQ(found(registry, "a"), "ENOENT");
  EXPECT_EQ(destroyed, 0);
  const std::array<uint8_t, 4> key{};
  EXPECT_EQ(crypto_aead_setkey(**tfm, key), 0);  // the old user goes on
  tfm->reset();
  EXPECT_EQ(destroyed, 1);
}

TEST(References, ModuleIsHeldByTransforms) {
  Module module("m");
  AeadAlg alg = make_alg("a", "a-x");
  alg.cra_module = &module;
  Registry registry;
  ASSERT_EQ(crypto_register_aead(registry, alg), 0);
  {
    auto first = crypto_alloc_aead(registry, "a");
    auto second = crypto_alloc_aead(registry, "a-x");
    ASSERT_TRUE(first && second);
    EXPECT_EQ(module.refs(), 2);
    EXPECT_EQ(module.begin_unload(), -EBUSY);
  }
  EXPECT_EQ(module.refs(), 0);
  EXPECT_EQ(module.begin_unload(), 0);
  EXPECT_EQ(found(registry, "a"), "ENOENT");
  EXPECT_EQ(crypto_unregister_aead(registry, alg), 0);
}

TEST(Registries, AreIndependent) {
  std::vector<AeadAlg> algs;
  for (int i = 0; i < 10; ++i) algs.push_back(make_alg("a", ("a-" + std::to_string(i)).c_str()));
  std::array<Registry, 10> registries;
  for (int i = 0; i < 10; ++i) ASSERT_EQ(crypto_register_aead(registries[i], algs[i]), 0);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(found(registries[i], "a"), "a-" + std::to_string(i));
}

TEST(Text, Verdicts) {
  const std::pair<Verdict, const char*> expected[] = {
      {Verdict::kChosen, "chosen"},
      {Verdict::kLowerPriority, "lower priority"},
      {Verdict::kTieOlder, "tie, older"},
      {Verdict::kPriorityTooLow, "priority too low"},
      {Verdict::kTypeDiffers, "type differs"},
      {Verdict::kFlagsRefused, "flags refused"},
      {Verdict::kUntested, "untested"},
      {Verdict::kDying, "dying"},
      {Verdict::kModuleGoing, "module going"},
      {Verdict::kFipsInternal, "FIPS: part only"},
  };
  for (const auto& [verdict, text] : expected) EXPECT_STREQ(verdict_text(verdict), text);
}

TEST(Text, FlagsAndErrnos) {
  EXPECT_EQ(cra_flags_text(0), "0");
  EXPECT_EQ(cra_mask_text(0), "0");
  EXPECT_EQ(cra_mask_text(CRYPTO_ALG_TYPE_MASK), "TYPE");
  EXPECT_EQ(cra_mask_text(CRYPTO_ALG_TYPE_MASK | CRYPTO_ALG_INTERNAL | CRYPTO_ALG_ASYNC), "TYPE|ASYNC|INTERNAL");
  EXPECT_EQ(cra_mask_text(CRYPTO_ALG_TYPE_AHASH_MASK), "TYPE(ahash)");
  EXPECT_EQ(cra_mask_text(5), "TYPE(5)");
  EXPECT_EQ(cra_flags_text(CRYPTO_ALG_TYPE_AEAD | CRYPTO_ALG_ASYNC | 0x80000000u), "aead|ASYNC|bit 31");
  EXPECT_EQ(cra_type_text(4), "type 4");
  EXPECT_EQ(errno_name(-EBADMSG), "EBADMSG");
  EXPECT_EQ(errno_name(ELIBBAD), "ELIBBAD");
  EXPECT_EQ(errno_name(-kENOTSUPP), "ENOTSUPP");
  EXPECT_EQ(errno_name(4000), "4000");
  EXPECT_EQ(errno_text(-EINVAL), "-EINVAL (Invalid argument)");
  EXPECT_EQ(errno_text(0), "0 (success)");
}

}  // namespace
}  // namespace caamlab::api
