// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What the driver registers, against the kernel's (tests/golden/algorithms.json), and what it leaves out on parts that
// lack units.
#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/driver/caam/rows.h"

namespace caamlab::tests {
namespace {

using hw_model::ChaUnit;
using nlohmann::json;

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
  } else if (row["type"] == "ahash") {
    const auto& hash = static_cast<const api::AhashAlg&>(alg);
    row.update(
        {{"blocksize", alg.cra_blocksize}, {"digestsize", hash.digestsize}, {"keyed", hash.ops.setkey != nullptr}});
  } else if (row["type"] == "rng") {
    row.update({{"seedsize", static_cast<const api::RngAlg&>(alg).seedsize}});
  }
  return row;
}

std::map<std::string, json> golden_rows() {
  std::ifstream in("tests/golden/algorithms.json");
  std::map<std::string, json> rows;
  const json golden = json::parse(in);
  for (const json& row : golden.at("sets").at("caam-jr").at("algorithms")) rows[row.at("driver")] = row;
  return rows;
}

tools::LabOptions caam_alone() {
  tools::LabOptions options;
  options.generic_drivers = options.cpu_drivers = false;
  return options;
}

std::set<std::string> registered(tools::Lab& lab) {
  std::set<std::string> drivers;
  lab.registry().for_each([&](const api::CryptoAlg& alg) { drivers.insert(alg.cra_driver_name); });
  return drivers;
}

TEST(CaamNames, AreTheKernels) {
  LabFixture lab("lx2160a", caam_alone());
  const auto golden = golden_rows();
  size_t compared = 0;
  lab->registry().for_each([&](const api::CryptoAlg& alg) {
    const auto row = golden.find(alg.cra_driver_name);
    ASSERT_NE(row, golden.end()) << alg.cra_driver_name;
    const json mine = as_row(alg);
    for (const auto& [key, value] : mine.items()) {
      if (row->second.contains(key)) {
        EXPECT_EQ(value, row->second.at(key)) << alg.cra_driver_name << " " << key;
      }
    }
    EXPECT_EQ(alg.cra_flags & ~api::CRYPTO_ALG_TESTED,
              std::stoul(row->second.at("cra_flags").get<std::string>(), nullptr, 16))
        << alg.cra_driver_name;
    ++compared;
  });
  EXPECT_EQ(compared, golden.size());
  EXPECT_EQ(compared, 84u);
}

// The conditions of the golden rows, on every part there is.
bool condition_holds(const hw_model::Platform& p, const std::string& condition) {
  const auto& aes = p.cha(ChaUnit::kAesa);
  const bool lp = aes.version == hw_model::kAesaLowPower;
  if (condition == "aesa instances > 0") return p.has(ChaUnit::kAesa);
  if (condition == "aesa is not LP") return !lp;
  if (condition == "desa instances > 0") return p.has(ChaUnit::kDesa);
  if (condition == "mdha instances > 0") return p.has(ChaUnit::kMdha);
  if (condition == "mdha is not LP256") return p.cha(ChaUnit::kMdha).version != hw_model::kMdhaLp256;
  if (condition == "ccha instances > 0") return p.era >= 10 && p.has(ChaUnit::kCcha);
  if (condition == "ptha instances > 0") return p.era >= 10 && p.has(ChaUnit::kPtha);
  if (condition == "pkha instances > 0") return p.has(ChaUnit::kPkha);
  if (condition == "rng instances > 0") return p.has(ChaUnit::kRng);
  if (condition.starts_with("pkha not in no-crypt mode")) return p.era < 10 || (p.cha(ChaUnit::kPkha).misc & 0x80) == 0;
  if (condition.starts_with("gcm supported")) return p.era >= 10 ? (aes.misc & 2) != 0 : !lp || aes.revision >= 8;
  ADD_FAILURE() << "unknown condition: " << condition;
  return false;
}

TEST(CaamNames, FollowTheUnitsOfEveryPlatform) {
  for (const std::string& name : hw_model::platform_names()) {
    const hw_model::Platform platform = *hw_model::find_platform(name);
    // xts-aes-caam needs its fallback only for transforms, so it registers alone too.
    LabFixture lab(platform, caam_alone());
    std::set<std::string> expected;
    for (const auto& [driver, row] : golden_rows())
      if (std::ranges::all_of(row.at("register_if"), [&](const json& c) { return condition_holds(platform, c); }))
        expected.insert(driver);
    EXPECT_EQ(registered(*lab), expected) << name;
  }
}

// A part without cipher units whose PKHA only signs: hashes stay, the MACs of AES do not (the kernel
// registers those).
TEST(CaamNames, PartWithoutCiphers) {
  hw_model::Platform platform = *hw_model::find_platform("ls1028a");
  for (const ChaUnit unit : {ChaUnit::kAesa, ChaUnit::kDesa, ChaUnit::kCcha, ChaUnit::kPtha})
    platform.chas[static_cast<unsigned>(unit)] = {};
  platform.chas[static_cast<unsigned>(ChaUnit::kPkha)].misc = 0x80;
  LabFixture lab(platform, caam_alone());
  const auto drivers = registered(*lab);
  EXPECT_TRUE(drivers.contains("sha256-caam"));
  EXPECT_TRUE(drivers.contains("hmac-sha512-caam"));
  for (const char* driver : {"rsa-caam", "cbc-aes-caam", "gcm-aes-caam", "cmac-aes-caam", "xcbc-aes-caam",
                             "authenc-hmac-sha1-cbc-aes-caam", "ecb-des-caam"})
    EXPECT_FALSE(drivers.contains(driver)) << driver;
  EXPECT_FALSE(lab->driver()->blob_present);
}

TEST(CaamNames, AreGoneAfterTheDriver) {
  LabFixture lab("ls1046a", caam_alone());
  EXPECT_FALSE(registered(*lab).empty());
  EXPECT_EQ(driver::caam::caam_remove(lab->driver()), 0);
  EXPECT_TRUE(registered(*lab).empty());
}

}  // namespace
}  // namespace caamlab::tests
