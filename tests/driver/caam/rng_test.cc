// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// rng-caam and prng-caam.
#include "api/rng.h"

#include <algorithm>
#include <set>

#include "desc/bits.h"
#include "desc/regs.h"
#include "driver/caam/caamrng.h"
#include "tests/driver/caam/lab_fixture.h"

namespace caamlab::tests {
namespace {

uint64_t jobs(LabFixture& lab) { return lab->caam().scheduler().stats().jobs; }

TEST(HwRng, ReadsInJobsOfSixteenBytes) {
  LabFixture lab("ls1046a");
  auto& rng = lab->driver()->hwrng;
  ASSERT_NE(rng, nullptr);
  Bytes out(100);
  const uint64_t before = jobs(lab);
  EXPECT_EQ(rng->read(out), 0);
  EXPECT_EQ(jobs(lab) - before, 7u);
  std::set<Bytes> blocks;
  for (size_t at = 0; at + 16 <= out.size(); at += 16)
    blocks.insert(Bytes(out.begin() + static_cast<ptrdiff_t>(at), out.begin() + static_cast<ptrdiff_t>(at) + 16));
  EXPECT_EQ(blocks.size(), 6u);
  EXPECT_TRUE(std::any_of(out.begin() + 96, out.end(), [](uint8_t b) { return b != 0; }));
}

TEST(HwRng, FailureIsAnErrorNotData) {
  LabFixture lab("ls1046a");
  auto& rng = lab->driver()->hwrng;
  Bytes out(16, 0xaa);
  lab->dma().fail_map_after(1);
  EXPECT_EQ(rng->read(out), -ENOMEM);
  EXPECT_EQ(out, Bytes(16, 0xaa));
  EXPECT_EQ(rng->read(out), 0);
  EXPECT_NE(out, Bytes(16, 0xaa));
}

TEST(Prng, GeneratesAndReseeds) {
  LabFixture lab("lx2160a");
  auto tfm = lab.get("prng-caam", crypto_alloc_rng(lab->registry(), "prng-caam"));
  Bytes a(1000), b(1000), big(10000);
  EXPECT_EQ(crypto_rng_get_bytes(*tfm, a), 0);
  EXPECT_EQ(crypto_rng_get_bytes(*tfm, b), 0);
  EXPECT_NE(a, b);
  EXPECT_EQ(crypto_rng_get_bytes(*tfm, big), 0);
  EXPECT_GT(std::set<uint8_t>(big.begin(), big.end()).size(), 250u);
  EXPECT_EQ(crypto_rng_get_bytes(*tfm, {}), 0);
  EXPECT_EQ(crypto_rng_reset(*tfm, nullptr, 0), 0);
  const uint8_t seed[4] = {1, 2, 3, 4};
  EXPECT_EQ(crypto_rng_reset(*tfm, seed, sizeof(seed)), -EINVAL);
}

// The model's entropy is a seed: the same machine gives the same numbers.
TEST(Prng, RepeatsWithTheMachine) {
  const auto draw = [](const char* platform, uint64_t seed) {
    tools::LabOptions options;
    options.hardware.random_seed = seed;
    LabFixture lab(platform, options);
    Bytes out(64);
    EXPECT_EQ(lab->driver()->hwrng->read(out), 0);
    return out;
  };
  for (const char* platform : {"lx2160a", "ls1046a", "imx8mm"}) {
    EXPECT_EQ(draw(platform, 1), draw(platform, 1));
    EXPECT_NE(draw(platform, 1), draw(platform, 2)) << platform;
  }
}

// The keys behind black keys: an RNG4 makes them when the driver asks, an RNG-B has them at power-on. Software sees
// them in their registers, and what it writes there is what the DECOs use.
TEST(SecureKeys, AreThereAndInTheirRegisters) {
  for (const char* platform : {"p4080", "ls1046a", "lx2160a"}) {
    const auto keys = [&](uint64_t seed) {
      tools::LabOptions options;
      options.hardware.random_seed = seed;
      LabFixture lab(platform, options);
      auto& controller = lab->caam().controller();
      hw_model::KekRegisters& behind = *controller.keys();
      EXPECT_TRUE(behind.loaded) << platform;
      const auto& ctrl = lab->driver()->ctrl;
      EXPECT_EQ(ctrl.rd_reg32(desc::reg::kJdkekr), desc::load_be32(behind.jdkek.data())) << platform;
      EXPECT_EQ(ctrl.rd_reg32(desc::reg::kTdskr + 28), desc::load_be32(behind.tdsk.data() + 28)) << platform;
      return behind.jdkek;
    };
    EXPECT_EQ(keys(1), keys(1)) << platform;
    EXPECT_NE(keys(1), keys(2)) << platform;
  }
}

// Keys of HMAC become split keys by a job on parts without DKP, which needs the device's secure keys.
TEST(SecureKeys, SplitKeysWorkOnEveryPartWithHmac) {
  const Bytes key(100, 0x0b), text = {'H', 'i', ' ', 'T', 'h', 'e', 'r', 'e'};
  for (const char* platform : {"p4080", "p3041", "p5040", "ls1046a", "lx2160a"}) {
    LabFixture lab(platform);
    Bytes digests[2];
    const char* const names[] = {"hmac-sha1-caam", "hmac(sha1-generic)"};
    for (unsigned i = 0; i < 2; ++i) {
      auto tfm = lab.ahash(names[i]);
      ASSERT_EQ(crypto_ahash_setkey(*tfm, key), 0) << platform << ' ' << names[i];
      const Outcome outcome = run_ahash(*tfm, text, HashCalls::kDigest, plain_layout());
      ASSERT_EQ(outcome.err, 0) << platform << ' ' << names[i];
      digests[i] = outcome.out;
    }
    EXPECT_EQ(digests[0], digests[1]) << platform;
  }
}

}  // namespace
}  // namespace caamlab::tests
