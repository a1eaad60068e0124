// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Memory that cannot be mapped, at each place in turn, and bus errors: an errno, nothing left behind, and the next
// request works.
#include "api/akcipher.h"
#include "tests/driver/caam/rows.h"

namespace caamlab::tests {
namespace {

// Runs `once` with the n-th mapping failing, for n = 1, 2, ... until it needs no n-th one. Returns how many failed.
template <class Once>
unsigned fail_each_mapping(LabFixture& lab, Once once) {
  for (uint64_t n = 1; n < 100; ++n) {
    const size_t live = lab->dma().live();
    lab->dma().fail_map_after(n);
    const int err = once();
    lab->dma().fail_map_after(0);
    EXPECT_EQ(lab->dma().live(), live) << "mapping " << n;
    if (err == 0) return static_cast<unsigned>(n - 1);
    // -EIO: it was the job descriptor's.
    EXPECT_TRUE(err == -ENOMEM || err == -EIO) << "mapping " << n << ": " << api::errno_text(err);
    EXPECT_EQ(once(), 0) << "after mapping " << n;
  }
  ADD_FAILURE() << "no end";
  return 0;
}

const Layout kPieces{.name = "pieces", .src_pieces = {7, 20}, .dst_pieces = {30}};

TEST(Faults, AeadMappings) {
  LabFixture lab("ls1046a");
  const AlgRow& row = caam_row("gcm-aes-caam");
  auto tfm = lab.aead(row.driver);
  ASSERT_EQ(crypto_aead_setkey(*tfm, key_for(row)), 0);
  const AeadInput input = aead_input(row, 100, 16, 1);
  const auto once = [&](const Layout& layout) {
    return [&lab, &tfm, &input, layout] {
      (void)lab;
      return run_aead(*tfm, Crypt::kEncrypt, input, layout).err;
    };
  };
  EXPECT_EQ(fail_each_mapping(lab, once(plain_layout())), 3u);  // src, dst, descriptor
  EXPECT_EQ(fail_each_mapping(lab, once({.name = "in place", .in_place = true})), 2u);
  EXPECT_GT(fail_each_mapping(lab, once(kPieces)), 10u);
}

TEST(Faults, SkcipherMappings) {
  LabFixture lab("ls1046a");
  const AlgRow& row = caam_row("cbc-aes-caam");
  auto tfm = lab.skcipher(row.driver);
  ASSERT_EQ(crypto_skcipher_setkey(*tfm, key_for(row)), 0);
  for (const Layout& layout : {plain_layout(), kPieces})
    EXPECT_GE(
        fail_each_mapping(
            lab,
            [&] { return run_skcipher(*tfm, Crypt::kEncrypt, random_bytes(16, 1), random_bytes(96, 2), layout).err; }),
        5u);
}

TEST(Faults, HashMappings) {
  LabFixture lab("ls1046a");
  auto tfm = lab.ahash("sha256-caam");
  for (const HashCalls calls : {HashCalls::kDigest, HashCalls::kFinup, HashCalls::kUpdateFinal})
    EXPECT_GE(
        fail_each_mapping(
            lab,
            [&] { return run_ahash(*tfm, random_bytes(300, 1), calls, {.name = "pieces", .src_pieces = {100}}).err; }),
        3u);
}

// Making transforms and setting keys, too: split keys and hashed keys are jobs.
TEST(Faults, TransformsAndKeys) {
  for (const char* platform : {"lx2160a", "p5040"}) {
    LabFixture lab(platform);
    for (const char* driver : {"authenc-hmac-sha512-cbc-aes-caam", "authenc-hmac-sha1-ecb-cipher_null-caam"}) {
      const AlgRow& row = caam_row(driver);
      fail_each_mapping(lab, [&] {
        auto tfm = crypto_alloc_aead(lab->registry(), driver);
        return tfm ? crypto_aead_setkey(**tfm, key_for(row, 3)) : tfm.error();
      });
    }
    for (const char* driver : {"hmac-sha256-caam", "xcbc-aes-caam"}) {
      const AlgRow& row = caam_row(driver);
      EXPECT_GE(fail_each_mapping(lab,
                                  [&] {
                                    auto tfm = crypto_alloc_ahash(lab->registry(), driver);
                                    return tfm ? crypto_ahash_setkey(**tfm, key_for(row, 2)) : tfm.error();
                                  }),
                3u);
    }
    fail_each_mapping(lab, [&] {
      auto tfm = crypto_alloc_akcipher(lab->registry(), "rsa-caam");
      return tfm ? 0 : tfm.error();
    });
  }
}

TEST(Faults, BusErrorIsAnErrno) {
  LabFixture lab("ls1046a");
  const AlgRow& row = caam_row("gcm-aes-caam");
  auto tfm = lab.aead(row.driver);
  ASSERT_EQ(crypto_aead_setkey(*tfm, key_for(row)), 0);
  const AeadInput input = aead_input(row, 100, 16, 1);
  // Everything the device reads of this request fails.
  Bytes memory(256), iv(12);
  const api::SgTable list = api::SgTable::of(std::span(memory));
  auto req = aead_request_alloc(*tfm);
  api::CryptoWait wait;
  aead_request_set_callback(*req, 0, api::crypto_req_done, &wait);
  aead_request_set_ad(*req, 16);
  aead_request_set_crypt(*req, list, list, 100, iv.data());
  const size_t before = lab->dma().leaks().size();
  ASSERT_EQ(crypto_aead_encrypt(*req), -EINPROGRESS);
  ASSERT_GT(lab->dma().leaks().size(), before);
  for (const auto& mapping : lab->dma().leaks())
    if (mapping.len == 132) lab->dma().refuse(mapping.addr, mapping.len);
  EXPECT_EQ(crypto_wait_req(-EINPROGRESS, wait, *tfm), -EINVAL);
  ASSERT_FALSE(lab->log().empty());
  EXPECT_NE(lab->log().back().find("DMA error"), std::string::npos) << lab->log().back();
  lab->dma().clear_refusals();
  EXPECT_EQ(run_aead(*tfm, Crypt::kEncrypt, input, plain_layout()).err, 0);
}

}  // namespace
}  // namespace caamlab::tests
