// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Every algorithm of the driver against the software of the same name: all sizes to 64 bytes, then larger ones, every
// layout in turn, in each share mode, on parts of every byte order, pointer size, S/G format and era.
#include <algorithm>

#include "tests/driver/caam/rows.h"

namespace caamlab::tests {
namespace {

struct Setting {
  const char* platform;
  desc::ShareMode share;
  const char* name;
};
constexpr Setting kSettings[] = {
    {"ls1046a", desc::ShareMode::kSerial, "ls1046a"},  // big endian, two-word pointers, era 8
    {"lx2160a", desc::ShareMode::kSerial, "lx2160a"},  // little endian, QBMan tables, era 10
    {"lx2160a", desc::ShareMode::kNever, "lx2160a_never"},
    {"imx6ul", desc::ShareMode::kSerial, "imx6ul"},         // little endian, one-word pointers, era 5
    {"imx8mq", desc::ShareMode::kSerial, "imx8mq"},         // era 9, low-power units
    {"ls1021a", desc::ShareMode::kNever, "ls1021a_never"},  // big endian, one-word pointers, era 7
    {"p5040", desc::ShareMode::kSerial, "p5040"},           // big endian, split keys by job, era 5
};

class Algorithms : public testing::TestWithParam<Setting> {
 protected:
  tools::LabOptions options() const {
    tools::LabOptions o;
    o.driver.share = GetParam().share;
    return o;
  }
  // Every size once, with the next layout each time. The first key of a row gets them all, the others some.
  template <class Compare>
  void for_sizes(const AlgRow& row, unsigned variant, Compare compare) {
    size_t turn = 0;
    const auto once = [&](size_t len) {
      const std::string diff = compare(len, layouts()[turn++ % layouts().size()]);
      EXPECT_EQ(diff, "") << row.driver;
      return diff.empty();
    };
    if (variant != 0) {
      for (size_t len : {0, 1, 17, 48, 64, 200})
        if (!once(len)) return;
      return;
    }
    for (size_t len = 0; len <= 64; ++len)
      if (!once(len)) return;
    for (size_t len : {65, 127, 128, 129, 255, 256, 1000, 1420, 4096, 4097, 9001})
      if (!once(len)) return;
  }
};

TEST_P(Algorithms, SkciphersEqualSoftware) {
  LabFixture lab(GetParam().platform, options());
  for (const AlgRow& row : caam_rows_of("skcipher")) {
    if (!lab.has(row.driver)) continue;
    for (unsigned variant = 0; variant < 2; ++variant) {
      const Bytes key = key_for(row, variant);
      auto caam = lab.skcipher(row.driver);
      ASSERT_EQ(crypto_skcipher_setkey(*caam, key), 0) << row.driver;
      auto software = software_skcipher(lab, row, key);
      for_sizes(row, variant,
                [&](size_t len, const Layout& layout) { return compare_skcipher(row, *caam, *software, len, layout); });
    }
  }
}

TEST_P(Algorithms, AeadsEqualSoftware) {
  LabFixture lab(GetParam().platform, options());
  for (const AlgRow& row : caam_rows_of("aead")) {
    if (!lab.has(row.driver)) continue;
    for (unsigned variant = 0; variant < 4; ++variant) {
      const Bytes key = key_for(row, variant);
      auto caam = lab.aead(row.driver);
      ASSERT_EQ(crypto_aead_setkey(*caam, key), 0) << row.driver;
      auto software = software_aead(lab, row, key);
      for_sizes(row, variant, [&](size_t len, const Layout& layout) {
        return compare_aead(row, *caam, *software, aead_input(row, len, (len * 7 + 3) % 40, len), layout);
      });
    }
  }
}

TEST_P(Algorithms, HashesEqualSoftware) {
  LabFixture lab(GetParam().platform, options());
  constexpr HashCalls kCalls[] = {HashCalls::kDigest, HashCalls::kFinup, HashCalls::kUpdateFinal,
                                  HashCalls::kExportImport};
  for (const AlgRow& row : caam_rows_of("ahash")) {
    if (!lab.has(row.driver)) continue;
    for (unsigned variant = 0; variant < (row.keyed ? 5u : 1u); ++variant) {
      const Bytes key = key_for(row, variant);
      auto caam = lab.ahash(row.driver);
      if (row.keyed) {
        ASSERT_EQ(crypto_ahash_setkey(*caam, key), 0) << row.driver << ", " << key.size();
      }
      auto software = software_ahash(lab, row, key);
      size_t turn = 0;
      for_sizes(row, variant, [&](size_t len, const Layout& layout) {
        return compare_ahash(*caam, *software, len, kCalls[turn++ % std::size(kCalls)], layout);
      });
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Parts, Algorithms, testing::ValuesIn(kSettings),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace caamlab::tests
