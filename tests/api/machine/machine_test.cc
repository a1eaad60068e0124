// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Rules of selection one by one, on small machines made for them.
#include "api/machine/machine.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "api/machine/which.h"

namespace caamlab::api {
namespace {

ListedAlg alg(std::string name, std::string driver, int priority, uint32_t flags = CRYPTO_ALG_TYPE_SKCIPHER) {
  ListedAlg a;
  a.name = std::move(name);
  a.driver = std::move(driver);
  a.priority = priority;
  a.flags = flags;
  a.blocksize = a.ivsize = a.chunksize = 16;
  a.min_keysize = 16;
  a.max_keysize = 32;
  return a;
}
ListedAlg hash(std::string name, std::string driver, int priority) {
  ListedAlg a = alg(std::move(name), std::move(driver), priority, CRYPTO_ALG_TYPE_SHASH);
  a.blocksize = 64;
  a.digestsize = 32;
  return a;
}
ListedAlg cipher(std::string name, std::string driver, int priority) {
  return alg(std::move(name), std::move(driver), priority, CRYPTO_ALG_TYPE_CIPHER);
}

std::string driver_of(Machine& machine, const char* kind, std::string_view name, uint32_t mask = 0) {
  const Allocation got = machine.alloc(*front_end(kind), name, 0, mask);
  return got.err == 0 ? got.alg->driver : errno_text(got.err);
}

TEST(Lookup, HighestPriorityThenNewest) {
  Machine m;
  ASSERT_TRUE(m.register_alg(alg("cbc(aes)", "a", 100)));
  ASSERT_TRUE(m.register_alg(alg("cbc(aes)", "b", 300)));
  ASSERT_TRUE(m.register_alg(alg("cbc(aes)", "c", 200)));
  EXPECT_EQ(driver_of(m, "skcipher", "cbc(aes)"), "b");
  ASSERT_TRUE(m.register_alg(alg("cbc(aes)", "d", 300)));
  EXPECT_EQ(driver_of(m, "skcipher", "cbc(aes)"), "d");
  EXPECT_EQ(driver_of(m, "skcipher", "a"), "a");
}

TEST(Lookup, MinusTwoIsReachableByDriverNameOnly) {
  Machine m;
  ASSERT_TRUE(m.register_alg(alg("cbc(aes)", "a", 100)));
  EXPECT_EQ(m.update_alg("a", 4294967294), 0);  // a u32 stored in an int
  EXPECT_EQ(m.find_driver("a")->priority, -2);
  EXPECT_EQ(driver_of(m, "skcipher", "cbc(aes)"), errno_text(-ENOENT));
  EXPECT_EQ(driver_of(m, "skcipher", "a"), "a");
  EXPECT_EQ(m.update_alg("a", 4294967295), 0);
  EXPECT_EQ(driver_of(m, "skcipher", "cbc(aes)"), "a");
}

TEST(Lookup, FlagsComeBeforeNames) {
  Machine m;
  ASSERT_TRUE(m.register_alg(alg("xts(aes)", "hw", 3000, CRYPTO_ALG_TYPE_SKCIPHER | CRYPTO_ALG_ALLOCATES_MEMORY)));
  ASSERT_TRUE(m.register_alg(alg("xts(aes)", "sw", 300)));
  EXPECT_EQ(driver_of(m, "skcipher", "xts(aes)"), "hw");
  EXPECT_EQ(driver_of(m, "skcipher", "xts(aes)", CRYPTO_ALG_ALLOCATES_MEMORY), "sw");
  EXPECT_EQ(driver_of(m, "skcipher", "hw", CRYPTO_ALG_ALLOCATES_MEMORY), errno_text(-ENOENT));
  EXPECT_EQ(driver_of(m, "aead", "xts(aes)"), errno_text(-ENOENT));
}

TEST(Lookup, InternalOnesAreHiddenUnlessMentioned) {
  Machine m;
  ASSERT_TRUE(m.register_alg(alg("__cbc(aes)", "__cbc-ce", 300, CRYPTO_ALG_TYPE_SKCIPHER | CRYPTO_ALG_INTERNAL)));
  EXPECT_EQ(driver_of(m, "skcipher", "__cbc(aes)"), errno_text(-ENOENT));
  const Allocation got = m.alloc(*front_end("skcipher"), "__cbc(aes)", CRYPTO_ALG_INTERNAL, CRYPTO_ALG_INTERNAL);
  ASSERT_EQ(got.err, 0);
  EXPECT_EQ(got.alg->driver, "__cbc-ce");
}

TEST(Lookup, FailedSelfTestIsVisibleAndUnusable) {
  Machine m;
  ListedAlg bad = alg("cbc(aes)", "bad", 3000);
  bad.fails_test = true;
  ASSERT_TRUE(m.register_alg(bad));
  EXPECT_EQ(driver_of(m, "skcipher", "cbc(aes)"), errno_text(-ELIBBAD));
  ASSERT_TRUE(m.register_alg(alg("cbc(aes)", "good", 10)));
  EXPECT_EQ(driver_of(m, "skcipher", "cbc(aes)"), "good");
  EXPECT_EQ(driver_of(m, "skcipher", "bad"), errno_text(-ELIBBAD));
  EXPECT_EQ(m.algs().size(), 2u);
}

TEST(Register, NamesThatClash) {
  Machine m;
  ASSERT_TRUE(m.register_alg(alg("cbc(aes)", "a", 100)));
  EXPECT_EQ(m.register_alg(alg("cbc(des)", "a", 100)).error(), -EEXIST);
  EXPECT_EQ(m.register_alg(alg("a", "b", 100)).error(), -EEXIST);
  EXPECT_EQ(m.register_alg(alg("ctr(aes)", "cbc(aes)", 100)).error(), -EEXIST);
  EXPECT_EQ(m.register_alg(alg("", "b", 100)).error(), -EINVAL);
  EXPECT_EQ(m.register_alg(alg("cbc(aes)", std::string(128, 'x'), 100)).error(), -EINVAL);
  EXPECT_EQ(m.register_alg(alg("cbc(aes)", "b", -1)).error(), -EINVAL);
}

TEST(Templates, OnlyWhereNothingIsListed) {
  Machine m;
  ASSERT_TRUE(m.register_alg(hash("sha256", "sha256-ce", 200)));
  ASSERT_TRUE(m.register_alg(alg("cbc(aes)", "cbc-aes-ce", 300)));
  Allocation got = m.alloc(*front_end("aead"), "authenc(hmac(sha256),cbc(aes))");
  ASSERT_EQ(got.err, 0);
  EXPECT_EQ(got.alg->driver, "authenc(hmac(sha256-ce),cbc-aes-ce)");
  EXPECT_EQ(got.alg->priority, 3200);
  ASSERT_EQ(got.created.size(), 2u);
  got = m.alloc(*front_end("aead"), "authenc(hmac(sha256),cbc(aes))");
  EXPECT_TRUE(got.created.empty());
}

TEST(Templates, WhatIsForbiddenIsForbiddenToTheParts) {
  Machine m;
  ASSERT_TRUE(m.register_alg(hash("sha256", "sha256-ce", 200)));
  ASSERT_TRUE(m.register_alg(alg("cbc(aes)", "cbc-aes-ce", 300)));
  ASSERT_TRUE(m.register_alg(alg("cbc(aes)", "cbc-aes-hw", 3000, CRYPTO_ALG_TYPE_SKCIPHER | CRYPTO_ALG_ASYNC)));
  EXPECT_EQ(driver_of(m, "aead", "authenc(hmac(sha256),cbc(aes))", CRYPTO_ALG_ASYNC),
            "authenc(hmac(sha256-ce),cbc-aes-ce)");
  const Allocation got = m.alloc(*front_end("aead"), "authencesn(hmac(sha256),cbc(aes))");
  ASSERT_EQ(got.err, 0);
  EXPECT_EQ(got.alg->driver, "authencesn(hmac(sha256-ce),cbc-aes-hw)");
  EXPECT_NE(got.alg->flags & CRYPTO_ALG_ASYNC, 0u);
}

TEST(Templates, Refusals) {
  Machine m;
  ASSERT_TRUE(m.register_alg(cipher("aes", "aes-generic", 100)));
  ASSERT_TRUE(m.register_alg(hash("sha256", "sha256-generic", 100)));
  EXPECT_EQ(driver_of(m, "skcipher", "cbc(aes)"), "cbc(aes-generic)");
  EXPECT_EQ(driver_of(m, "aead", "cbc(aes)"), errno_text(-ENOENT));          // another type
  EXPECT_EQ(driver_of(m, "skcipher", "cbc(twofish)"), errno_text(-ENOENT));  // no such part
  EXPECT_EQ(driver_of(m, "skcipher", "nosuch(aes)"), errno_text(-ENOENT));
  EXPECT_EQ(driver_of(m, "ahash", "hmac(hmac(sha256))"), errno_text(-ENOENT));  // a keyed hash
  EXPECT_EQ(driver_of(m, "skcipher", "cts(ctr(aes))"), errno_text(-ENOENT));
  EXPECT_EQ(driver_of(m, "skcipher", "cbc(aes"), errno_text(-ENOENT));
  EXPECT_EQ(driver_of(m, "skcipher", "cbc(aes))"), errno_text(-ENOENT));
  Machine later(Machine::Options{.template_errors = true});
  ASSERT_TRUE(later.register_alg(cipher("aes", "aes-generic", 100)));
  EXPECT_EQ(driver_of(later, "aead", "cbc(aes)"), errno_text(-EINVAL));
  EXPECT_EQ(driver_of(later, "skcipher", "cts(ctr(aes))"), errno_text(-EINVAL));
}

TEST(Templates, XtsAsksForEcb) {
  Machine m;
  ASSERT_TRUE(m.register_alg(cipher("aes", "aes-generic", 100)));
  EXPECT_EQ(driver_of(m, "skcipher", "xts(aes)"), "xts(ecb(aes-generic))");
  ListedAlg ecb = alg("ecb(aes)", "ecb-aes-ce", 300);
  ecb.ivsize = 0;
  ASSERT_TRUE(m.register_alg(ecb));  // drops the instance, whose part is worse
  EXPECT_EQ(m.take_removed(), (std::vector<std::string>{"xts(ecb(aes-generic))"}));
  EXPECT_EQ(driver_of(m, "skcipher", "xts(aes)"), "xts(ecb-aes-ce)");
}

TEST(Templates, WrappersKeepTheNameAndRaiseThePriority) {
  Machine m;
  ASSERT_TRUE(m.register_alg(alg("gcm(aes)", "gcm-aes-ce", 300, CRYPTO_ALG_TYPE_AEAD)));
  EXPECT_EQ(m.new_alg("pcrypt(gcm-aes-ce)", -1), 0);
  EXPECT_EQ(driver_of(m, "aead", "gcm(aes)"), "pcrypt(gcm-aes-ce)");
  EXPECT_EQ(m.find_driver("pcrypt(gcm-aes-ce)")->priority, 400);
}

// A worse algorithm and an asynchronous one for somebody who cannot wait take nothing away.
TEST(Removal, OnlyWhatWouldChooseTheNewcomer) {
  Machine m;
  ASSERT_TRUE(m.register_alg(hash("sha256", "sha256-ce", 200)));
  ASSERT_TRUE(m.register_alg(alg("cbc(aes)", "cbc-aes-ce", 300)));
  EXPECT_EQ(driver_of(m, "aead", "authenc(hmac(sha256),cbc(aes))", CRYPTO_ALG_ASYNC),
            "authenc(hmac(sha256-ce),cbc-aes-ce)");
  m.take_removed();
  ASSERT_TRUE(m.register_alg(alg("cbc(aes)", "cbc-aes-slow", 100)));
  EXPECT_TRUE(m.take_removed().empty());
  ASSERT_TRUE(m.register_alg(alg("cbc(aes)", "cbc-aes-hw", 3000, CRYPTO_ALG_TYPE_SKCIPHER | CRYPTO_ALG_ASYNC)));
  EXPECT_TRUE(m.take_removed().empty());
  ASSERT_TRUE(m.register_alg(alg("cbc(aes)", "cbc-aes-better", 400)));
  EXPECT_EQ(m.take_removed(), (std::vector<std::string>{"authenc(hmac(sha256-ce),cbc-aes-ce)"}));
}

TEST(Config, MessagesAndTheirErrors) {
  Machine m;
  ASSERT_TRUE(m.register_alg(cipher("aes", "aes-generic", 100)));
  EXPECT_EQ(m.update_alg("aes-none", 1), -ENOENT);
  EXPECT_EQ(m.update_alg("aes", 1), -ENOENT);  // a name is no driver name
  EXPECT_EQ(m.new_alg("aes-generic", 1), -EEXIST);
  EXPECT_EQ(m.new_alg("cbc(none)", 1), -ENOENT);
  EXPECT_EQ(m.new_alg("cbc(aes-generic)", 77), 0);
  EXPECT_EQ(m.find_driver("cbc(aes-generic)")->priority, 77);
  EXPECT_EQ(m.del_alg("aes-generic"), -EINVAL);
  m.find_driver("cbc(aes-generic)")->refcnt = 2;
  EXPECT_EQ(m.del_alg("cbc(aes-generic)"), -EBUSY);
  m.find_driver("cbc(aes-generic)")->refcnt = 1;
  EXPECT_EQ(m.del_alg("cbc(aes-generic)"), 0);
  EXPECT_EQ(m.del_alg("cbc(aes-generic)"), -ENOENT);
}

TEST(WhatIf, LoweringMovesNamesWithRivalsOnly) {
  const auto make = [] { return make_machine(*find_profile("lx2160a-qi2-2000")); };
  const Change lower = *parse_change("priority caam-qi2=100");
  const auto w = what_if(make, std::span(&lower, 1));
  ASSERT_TRUE(w) << w.error();
  const auto moved = [&](std::string_view name) {
    return std::ranges::any_of(w->moved, [&](const Difference& d) { return d.request.name == name; });
  };
  EXPECT_TRUE(moved("gcm(aes)"));
  EXPECT_TRUE(moved("cbc(aes)"));
  EXPECT_FALSE(moved("authenc(hmac(sha256),cbc(aes))"));
  EXPECT_FALSE(moved("hmac(sha256)"));
  EXPECT_TRUE(
      std::ranges::any_of(w->unmoved, [](const auto& u) { return u.first == "authenc(hmac(sha256),cbc(aes))"; }));
  // The same as the profile whose driver registers at 100.
  for (const Difference& d : w->moved) {
    Machine lowered = make_machine(*find_profile("lx2160a-qi2-100"));
    EXPECT_EQ(which(lowered, d.request).driver, d.after.driver) << d.request.name;
  }
}

TEST(WhatIf, ChangesInWords) {
  EXPECT_EQ(parse_change("priority a=4294967294")->priority, 4294967294);
  EXPECT_EQ(parse_change("load caam-jr")->priority, -1);
  for (const char* bad : {"", "raise a=1", "priority a", "priority a=x", "priority =1", "load nothing", "delete"})
    EXPECT_FALSE(parse_change(bad)) << bad;
}

}  // namespace
}  // namespace caamlab::api
