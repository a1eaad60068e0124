// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The GCM family through driver, ring and DECO against the software drivers: all sizes up to 64 bytes, all layouts, on
// parts of either byte order. (p4080: era 2, other registers for lengths.)
#include <algorithm>

#include "tests/driver/caam/lab_fixture.h"

namespace caamlab::tests {
namespace {

struct Pair {
  const char* caam;
  const char* software;
  size_t salt;
};
constexpr Pair kPairs[] = {
    {"gcm-aes-caam", "gcm_base(ctr(aes-generic),ghash-generic)", 0},
    {"rfc4106-gcm-aes-caam", "rfc4106(gcm_base(ctr(aes-generic),ghash-generic))", 4},
    {"rfc4543-gcm-aes-caam", "rfc4543(gcm_base(ctr(aes-generic),ghash-generic))", 4},
};

// Encrypts with both, then lets each open it; the tag must be checked.
void compare(api::CryptoAead& caam, api::CryptoAead& software, AeadInput input, const Layout& layout) {
  const Outcome ours = run_aead(caam, Crypt::kEncrypt, input, layout);
  const Outcome theirs = run_aead(software, Crypt::kEncrypt, input, plain_layout());
  ASSERT_EQ(ours.err, 0);
  ASSERT_EQ(hex(ours.out), hex(theirs.out));
  ASSERT_TRUE(ours.guards_intact);
  const Bytes text = input.text;
  input.text = theirs.out;
  const Outcome opened = run_aead(caam, Crypt::kDecrypt, input, layout);
  ASSERT_EQ(opened.err, 0);
  ASSERT_EQ(hex(opened.out), hex(text));
  ASSERT_TRUE(opened.guards_intact);
  input.text.back() ^= 0x80;
  ASSERT_EQ(run_aead(caam, Crypt::kDecrypt, input, layout).err, -EBADMSG);
}

class GcmFamily : public testing::TestWithParam<std::tuple<std::string, Pair>> {};

TEST_P(GcmFamily, EqualsSoftwareInEveryLayout) {
  const auto& [platform, pair] = GetParam();
  LabFixture lab(platform);
  auto caam = lab.aead(pair.caam);
  auto software = lab.aead(pair.software);
  const Bytes key = random_bytes(16 + pair.salt, 1);
  ASSERT_EQ(crypto_aead_setkey(*caam, key), 0);
  ASSERT_EQ(crypto_aead_setkey(*software, key), 0);
  for (size_t len = 0; len <= 64; ++len) {
    for (size_t aad : {0, 1, 16, 20}) {
      if (pair.salt != 0 && aad < 16) continue;
      AeadInput input{.iv = random_bytes(pair.salt != 0 ? 8 : 12, len),
                      .aad = random_bytes(aad, len + 100),
                      .text = random_bytes(len, len + 200)};
      if (pair.salt != 0) std::ranges::copy(input.iv, input.aad.end() - 8);
      for (const Layout& layout : layouts()) {
        SCOPED_TRACE(testing::Message() << platform << " " << pair.caam << ": " << len << " bytes, " << aad
                                        << " of AAD, " << layout.name);
        compare(*caam, *software, input, layout);
        if (HasFatalFailure()) return;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Platforms, GcmFamily,
                         testing::Combine(testing::Values("ls1046a", "lx2160a", "p4080"), testing::ValuesIn(kPairs)),
                         [](const auto& info) {
                           std::string name = std::get<0>(info.param) + "_" + std::get<1>(info.param).caam;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace caamlab::tests
