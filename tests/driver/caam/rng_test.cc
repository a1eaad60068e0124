// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// rng-caam and prng-caam.
#include "api/rng.h"

#include <algorithm>
#include <set>

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
  const auto draw = [] {
    LabFixture lab("lx2160a");
    Bytes out(64);
    EXPECT_EQ(lab->driver()->hwrng->read(out), 0);
    return out;
  };
  EXPECT_EQ(draw(), draw());
}

}  // namespace
}  // namespace caamlab::tests
