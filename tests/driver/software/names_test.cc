// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What the software drivers register, against the kernel's (tests/golden/algorithms.json).
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/driver/software/machine.h"

namespace caamlab::driver::software {
namespace {

using nlohmann::json;

json golden_sets() {
  std::ifstream in("tests/golden/algorithms.json");
  return json::parse(in).at("sets");
}

// A registered algorithm as the golden file writes one.
json as_row(const api::CryptoAlg& alg) {
  json row{{"name", alg.cra_name},
           {"driver", alg.cra_driver_name},
           {"module", alg.module_name()},
           {"priority", alg.cra_priority},
           {"type", api::cra_type_text(alg.cra_flags)}};
  if (row["type"] == "aead") {
    const auto& aead = static_cast<const api::AeadAlg&>(alg);
    row.update({{"blocksize", alg.cra_blocksize},
                {"ivsize", aead.ivsize},
                {"maxauthsize", aead.maxauthsize},
                {"chunksize", aead.chunksize}});
  } else if (row["type"] == "skcipher") {
    const auto& cipher = static_cast<const api::SkcipherAlg&>(alg);
    row.update({{"blocksize", alg.cra_blocksize},
                {"ivsize", cipher.ivsize},
                {"min_keysize", cipher.min_keysize},
                {"max_keysize", cipher.max_keysize},
                {"chunksize", cipher.chunksize},
                {"walksize", cipher.walksize}});
  } else if (row["type"] == "shash") {
    const auto& hash = static_cast<const api::ShashAlg&>(alg);
    row.update(
        {{"blocksize", alg.cra_blocksize}, {"digestsize", hash.digestsize}, {"keyed", hash.ops.setkey != nullptr}});
  } else if (row["type"] == "rng") {
    row.update({{"seedsize", static_cast<const api::RngAlg&>(alg).seedsize}});
  }
  return row;
}

// Every attribute of `mine` that the golden row has too is the same.
void expect_same(const json& mine, const json& golden) {
  for (const auto& [key, value] : mine.items()) {
    if (golden.contains(key)) {
      EXPECT_EQ(value, golden.at(key)) << mine.at("driver") << " " << key;
    }
  }
}

TEST(Names, NativeOnesAreTheKernels) {
  tests::Machine machine;
  ASSERT_TRUE(machine.generic && machine.ce);
  const json sets = golden_sets();
  size_t compared = 0;
  machine.registry.for_each([&](const api::CryptoAlg& alg) {
    if ((alg.cra_flags & api::CRYPTO_ALG_INSTANCE) != 0) return;
    const json mine = as_row(alg);
    for (const char* set : {"generic", "arm64"}) {
      for (const json& row : sets.at(set).at("algorithms")) {
        if (row.at("driver") != mine.at("driver")) continue;
        expect_same(mine, row);
        EXPECT_EQ(alg.cra_flags & ~api::CRYPTO_ALG_TESTED,
                  std::stoul(row.at("cra_flags").get<std::string>(), nullptr, 16));
        ++compared;
      }
    }
  });
  EXPECT_EQ(compared, 9u + 22u + 13u);  // generic, DRBGs, crypto extensions
}

// Every name of the CAAM drivers is there in software with the same sizes, at the priority its parts give it.
TEST(Names, AllThatCaamHas) {
  tests::Machine machine;
  const json sets = golden_sets();
  for (const char* set : {"caam-jr", "caam-qi2"}) {
    size_t found = 0;
    for (const json& row : sets.at(set).at("algorithms")) {
      machine.registry.for_each([&](const api::CryptoAlg& alg) {
        if (alg.cra_name != row.at("name") || alg.cra_driver_name.find("generic") == std::string::npos) return;
        ++found;
        const json mine = as_row(alg);
        for (const char* key : {"blocksize", "ivsize", "maxauthsize", "digestsize", "min_keysize", "max_keysize"}) {
          if (row.contains(key)) {
            EXPECT_EQ(mine.at(key), row.at(key)) << row.at("name") << " " << key;
          }
        }
        EXPECT_LT(alg.cra_priority, 3000);
      });
    }
    // stdrng has no "generic" in its driver names.
    EXPECT_EQ(found, sets.at(set).at("algorithms").size() - (std::string(set) == "caam-jr" ? 1 : 0)) << set;
  }
}

struct PriorityCase {
  const char* name;
  const char* driver;
  int priority;
};

// Instances: driver names and priorities as the templates compute them (crypto-api.md 1.7).
const PriorityCase kInstances[] = {
    {"cbc(aes)", "cbc(aes-generic)", 100},
    {"xts(aes)", "xts(ecb(aes-generic))", 100},
    {"gcm(aes)", "gcm_base(ctr(aes-generic),ghash-generic)", 100},
    {"hmac(sha256)", "hmac(sha256-generic)", 100},
    {"hmac(md5)", "hmac(md5-generic)", 0},
    {"authenc(hmac(sha256),cbc(aes))", "authenc(hmac(sha256-generic),cbc(aes-generic))", 1100},
    {"authenc(hmac(md5),ecb(cipher_null))", "authenc(hmac(md5-generic),ecb-cipher_null)", 1000},
    {"echainiv(authenc(hmac(sha1),cbc(des)))", "echainiv(authenc(hmac(sha1-generic),cbc(des-generic)))", 1100},
    {"seqiv(authenc(hmac(sha512),rfc3686(ctr(aes))))", "seqiv(authenc(hmac(sha512-generic),rfc3686(ctr(aes-generic))))",
     1100},
    {"rfc7539(chacha20,poly1305)", "rfc7539(chacha20-generic,poly1305-generic)", 100},
};

TEST(Names, Instances) {
  tests::Machine machine;
  for (const PriorityCase& c : kInstances) {
    bool found = false;
    machine.registry.for_each([&](const api::CryptoAlg& alg) {
      if (alg.cra_driver_name != c.driver) return;
      found = true;
      EXPECT_EQ(alg.cra_name, c.name);
      EXPECT_EQ(alg.cra_priority, c.priority) << c.driver;
      EXPECT_NE(alg.cra_flags & api::CRYPTO_ALG_INSTANCE, 0u) << c.driver;
    });
    EXPECT_TRUE(found) << c.driver;
  }
}

TEST(Names, WithoutCompositionsOnlyNativeOnes) {
  api::Registry registry;
  auto generic = register_generic(registry, Compositions::kNone);
  ASSERT_TRUE(generic);
  registry.for_each([](const api::CryptoAlg& alg) {
    EXPECT_EQ(alg.cra_flags & api::CRYPTO_ALG_INSTANCE, 0u) << alg.cra_driver_name;
  });
  EXPECT_EQ(crypto_alloc_aead(registry, "gcm(aes)").error(), -ENOENT);
  EXPECT_TRUE(crypto_alloc_ahash(registry, "sha256"));
}

TEST(Names, FipsRaisesTheDrbgs) {
  tests::Machine machine(api::Registry::Options{.fips_enabled = true});
  const api::LookupReport report = machine.registry.explain(api::crypto_rng_type, "stdrng", 0, 0);
  ASSERT_EQ(report.candidates.size(), 22u);
  EXPECT_EQ(report.candidates[0].driver_name, "drbg_nopr_hmac_sha512");
  EXPECT_EQ(report.candidates[0].priority, 2221);
}

}  // namespace
}  // namespace caamlab::driver::software
