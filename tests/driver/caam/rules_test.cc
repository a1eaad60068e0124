// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The rules a user sees: keys, tag sizes, lengths, IVs, what is untouched.
#include <algorithm>

#include "api/keys.h"
#include "driver/caam/caamalg.h"
#include "driver/caam/caamhash.h"
#include "tests/driver/caam/rows.h"

namespace caamlab::tests {
namespace {

using api::crypto_authenc_make_key;

class Rules : public testing::Test {
 protected:
  LabFixture lab_{"lx2160a"};
  uint64_t jobs() { return lab_->caam().scheduler().stats().jobs; }
};

int set_key(api::CryptoAead& tfm, size_t len) { return crypto_aead_setkey(tfm, random_bytes(len, 1)); }

TEST_F(Rules, AeadKeyLengths) {
  auto gcm = lab_.aead("gcm-aes-caam");
  auto rfc4106 = lab_.aead("rfc4106-gcm-aes-caam");
  auto rfc4543 = lab_.aead("rfc4543-gcm-aes-caam");
  auto chacha = lab_.aead("rfc7539-chacha20-poly1305-caam");
  auto esp = lab_.aead("rfc7539esp-chacha20-poly1305-caam");
  for (size_t len = 0; len <= 80; ++len) {
    const bool aes = len == 16 || len == 24 || len == 32;
    const bool salted = len == 20 || len == 28 || len == 36;
    EXPECT_EQ(set_key(*gcm, len), aes ? 0 : -EINVAL) << len;
    EXPECT_EQ(set_key(*rfc4106, len), salted ? 0 : -EINVAL) << len;
    EXPECT_EQ(set_key(*rfc4543, len), salted ? 0 : -EINVAL) << len;
    EXPECT_EQ(set_key(*chacha, len), len == 32 ? 0 : -EINVAL) << len;
    EXPECT_EQ(set_key(*esp, len), len == 36 ? 0 : -EINVAL) << len;
  }
}

TEST_F(Rules, NoKeyAfterABadOne) {
  auto gcm = lab_.aead("gcm-aes-caam");
  const AeadInput input = aead_input(caam_row("gcm-aes-caam"), 16, 16, 1);
  EXPECT_EQ(run_aead(*gcm, Crypt::kEncrypt, input, plain_layout()).err, -ENOKEY);
  EXPECT_EQ(set_key(*gcm, 16), 0);
  EXPECT_EQ(run_aead(*gcm, Crypt::kEncrypt, input, plain_layout()).err, 0);
  EXPECT_EQ(set_key(*gcm, 17), -EINVAL);
  EXPECT_EQ(run_aead(*gcm, Crypt::kEncrypt, input, plain_layout()).err, -ENOKEY);
}

TEST_F(Rules, TagSizes) {
  auto gcm = lab_.aead("gcm-aes-caam");
  auto rfc4106 = lab_.aead("rfc4106-gcm-aes-caam");
  auto rfc4543 = lab_.aead("rfc4543-gcm-aes-caam");
  auto chacha = lab_.aead("rfc7539-chacha20-poly1305-caam");
  auto authenc = lab_.aead("authenc-hmac-sha1-cbc-aes-caam");
  for (unsigned size = 0; size <= 24; ++size) {
    const bool in_gcm = size == 4 || size == 8 || (size >= 12 && size <= 16);
    EXPECT_EQ(crypto_aead_setauthsize(*gcm, size), in_gcm ? 0 : -EINVAL) << size;
    EXPECT_EQ(crypto_aead_setauthsize(*rfc4106, size), size == 8 || size == 12 || size == 16 ? 0 : -EINVAL) << size;
    EXPECT_EQ(crypto_aead_setauthsize(*rfc4543, size), size == 16 ? 0 : -EINVAL) << size;
    EXPECT_EQ(crypto_aead_setauthsize(*chacha, size), size == 16 ? 0 : -EINVAL) << size;
    EXPECT_EQ(crypto_aead_setauthsize(*authenc, size), size >= 1 && size <= 20 ? 0 : -EINVAL) << size;
  }
}

// Each tag size before and after the key, against software; without any, the largest (the API's promise).
TEST_F(Rules, TagSizesWork) {
  struct Case {
    const char* driver;
    std::vector<unsigned> sizes;
  };
  for (const Case& c : {Case{"gcm-aes-caam", {4, 8, 12, 13, 14, 15, 16}}, Case{"rfc4106-gcm-aes-caam", {8, 12, 16}},
                        Case{"authenc-hmac-sha512-cbc-aes-caam", {1, 12, 31, 64}}}) {
    const AlgRow& row = caam_row(c.driver);
    const Bytes key = key_for(row);
    auto caam = lab_.aead(row.driver);
    ASSERT_EQ(crypto_aead_setkey(*caam, key), 0);
    auto software = software_aead(lab_, row, key);
    EXPECT_EQ(compare_aead(row, *caam, *software, aead_input(row, 48, 20, 1), plain_layout()), "");
    for (unsigned size : c.sizes) {
      ASSERT_EQ(crypto_aead_setauthsize(*caam, size), 0);
      ASSERT_EQ(crypto_aead_setauthsize(*software, size), 0);
      EXPECT_EQ(compare_aead(row, *caam, *software, aead_input(row, 48, 20, size), plain_layout()), "") << size;
      auto other = lab_.aead(row.driver);
      ASSERT_EQ(crypto_aead_setauthsize(*other, size), 0);
      ASSERT_EQ(crypto_aead_setkey(*other, key), 0);
      EXPECT_EQ(compare_aead(row, *other, *software, aead_input(row, 33, 16, size), plain_layout()), "") << size;
    }
  }
}

TEST_F(Rules, AuthencKeys) {
  auto aes = lab_.aead("authenc-hmac-sha256-cbc-aes-caam");
  auto ctr = lab_.aead("authenc-hmac-sha256-rfc3686-ctr-aes-caam");
  auto des = lab_.aead("authenc-hmac-md5-cbc-des-caam");
  auto des3 = lab_.aead("authenc-hmac-sha1-cbc-des3_ede-caam");
  auto null = lab_.aead("authenc-hmac-sha1-ecb-cipher_null-caam");
  const auto make = [](size_t auth, size_t enc) {
    return crypto_authenc_make_key(random_bytes(auth, 1), random_bytes(enc, 2));
  };
  for (size_t enc = 0; enc <= 40; ++enc) {
    EXPECT_EQ(crypto_aead_setkey(*aes, make(32, enc)), enc == 16 || enc == 24 || enc == 32 ? 0 : -EINVAL) << enc;
    EXPECT_EQ(crypto_aead_setkey(*ctr, make(32, enc)), enc == 20 || enc == 28 || enc == 36 ? 0 : -EINVAL) << enc;
    EXPECT_EQ(crypto_aead_setkey(*des, make(16, enc)), enc == 8 ? 0 : -EINVAL) << enc;
    EXPECT_EQ(crypto_aead_setkey(*des3, make(20, enc)), enc == 24 ? 0 : -EINVAL) << enc;
    EXPECT_EQ(crypto_aead_setkey(*null, make(20, enc)), enc == 0 ? 0 : -EINVAL) << enc;
  }
  // Not a blob at all, and one that asks for more cipher key than there is.
  EXPECT_EQ(crypto_aead_setkey(*aes, random_bytes(3, 1)), -EINVAL);
  Bytes blob = make(32, 16);
  blob[7] = 200;
  EXPECT_EQ(crypto_aead_setkey(*aes, blob), -EINVAL);
}

TEST_F(Rules, WeakDesKeys) {
  const Bytes weak(8, 0x01);
  const Bytes same = [] {
    Bytes k = random_bytes(16, 1);
    k.insert(k.begin(), k.begin(), k.begin() + 8);
    return k;
  }();
  for (const bool forbid : {false, true}) {
    auto des = lab_.skcipher("cbc-des-caam");
    auto des3 = lab_.skcipher("cbc-3des-caam");
    auto authenc = lab_.aead("authenc-hmac-sha1-cbc-des3_ede-caam");
    if (forbid) {
      crypto_skcipher_set_flags(*des, api::CRYPTO_TFM_REQ_FORBID_WEAK_KEYS);
      crypto_skcipher_set_flags(*des3, api::CRYPTO_TFM_REQ_FORBID_WEAK_KEYS);
      crypto_aead_set_flags(*authenc, api::CRYPTO_TFM_REQ_FORBID_WEAK_KEYS);
    }
    EXPECT_EQ(crypto_skcipher_setkey(*des, weak), forbid ? -EINVAL : 0);
    EXPECT_EQ(crypto_skcipher_setkey(*des3, same), forbid ? -ENOKEY : 0);
    EXPECT_EQ(crypto_aead_setkey(*authenc, crypto_authenc_make_key(random_bytes(20, 1), same)), forbid ? -ENOKEY : 0);
  }
}

TEST_F(Rules, IpsecAssociatedData) {
  for (const char* driver : {"rfc4106-gcm-aes-caam", "rfc4543-gcm-aes-caam"}) {
    auto tfm = lab_.aead(driver);
    ASSERT_EQ(set_key(*tfm, 20), 0);
    for (size_t aad : {0, 8, 12, 15, 16, 17, 20, 21, 24}) {
      const AeadInput input{.iv = random_bytes(8, 1), .aad = random_bytes(aad, 2), .text = random_bytes(32, 3)};
      const int expected = aad == 16 || aad == 20 ? 0 : -EINVAL;
      EXPECT_EQ(run_aead(*tfm, Crypt::kEncrypt, input, plain_layout()).err, expected) << driver << " " << aad;
    }
  }
  auto esp = lab_.aead("rfc7539esp-chacha20-poly1305-caam");
  ASSERT_EQ(set_key(*esp, 36), 0);
  for (size_t aad : {0, 7, 8, 12}) {
    const AeadInput input{.iv = random_bytes(8, 1), .aad = random_bytes(aad, 2), .text = random_bytes(32, 3)};
    EXPECT_EQ(run_aead(*esp, Crypt::kEncrypt, input, plain_layout()).err, aad < 8 ? -EINVAL : 0) << aad;
  }
}

TEST_F(Rules, GeneratedIvsNeedRoom) {
  const AlgRow& row = caam_row("echainiv-authenc-hmac-sha1-cbc-aes-caam");
  auto tfm = lab_.aead(row.driver);
  ASSERT_EQ(crypto_aead_setkey(*tfm, key_for(row)), 0);
  AeadInput input{.iv = random_bytes(16, 1), .aad = random_bytes(8, 2), .text = random_bytes(15, 3)};
  EXPECT_EQ(run_aead(*tfm, Crypt::kEncrypt, input, plain_layout()).err, -EINVAL);
  input.text = random_bytes(16 + 20 - 1, 3);
  EXPECT_EQ(run_aead(*tfm, Crypt::kDecrypt, input, plain_layout()).err, -EINVAL);
}

// Two sealings of one text under one key have different IVs on the wire.
TEST_F(Rules, GeneratedIvsDiffer) {
  const AlgRow& row = caam_row("echainiv-authenc-hmac-sha256-cbc-aes-caam");
  auto tfm = lab_.aead(row.driver);
  ASSERT_EQ(crypto_aead_setkey(*tfm, key_for(row)), 0);
  const AeadInput input = aead_input(row, 32, 8, 1);
  const Bytes first = run_aead(*tfm, Crypt::kEncrypt, input, plain_layout()).out;
  const Bytes second = run_aead(*tfm, Crypt::kEncrypt, input, plain_layout()).out;
  EXPECT_NE(hex(std::span(first).first(16)), hex(std::span(second).first(16)));
}

TEST_F(Rules, ShortListsAreRefused) {
  auto tfm = lab_.aead("gcm-aes-caam");
  ASSERT_EQ(set_key(*tfm, 16), 0);
  Bytes memory(64);
  auto req = aead_request_alloc(*tfm);
  Bytes iv(12);
  const auto encrypt = [&](size_t src_len, size_t dst_len, bool in_place) {
    const api::SgTable src = api::SgTable::of(std::span(memory).first(src_len));
    const api::SgTable dst = api::SgTable::of(std::span(memory).first(dst_len));
    aead_request_set_ad(*req, 16);
    aead_request_set_crypt(*req, src, in_place ? src.list() : dst.list(), 16, iv.data());
    return crypto_aead_encrypt(*req);
  };
  EXPECT_EQ(encrypt(31, 48, false), -EINVAL);
  EXPECT_EQ(encrypt(32, 47, false), -EINVAL);
  EXPECT_EQ(encrypt(47, 0, true), -EINVAL);
  EXPECT_EQ(encrypt(0, 48, false), -EINVAL);
  aead_request_set_ad(*req, 0xFFFFFFF0);  // sums that wrap
  EXPECT_EQ(crypto_aead_encrypt(*req), -EINVAL);
}

// AAD is skipped in the destination, ciphertext and tag are behind it.
TEST_F(Rules, AssociatedDataIsNotCopied) {
  const AlgRow& row = caam_row("gcm-aes-caam");
  auto tfm = lab_.aead(row.driver);
  ASSERT_EQ(set_key(*tfm, 16), 0);
  const AeadInput input = aead_input(row, 64, 20, 1);
  const Outcome outcome = run_aead(*tfm, Crypt::kEncrypt, input, plain_layout());
  EXPECT_EQ(outcome.err, 0);
  EXPECT_EQ(outcome.aad_out, Bytes(20, 0x5a));  // as the runner filled it
  EXPECT_EQ(outcome.out.size(), 80u);
}

TEST_F(Rules, SkcipherKeyLengths) {
  struct Case {
    const char* driver;
    std::vector<size_t> good;
  };
  for (const Case& c : {Case{"cbc-aes-caam", {16, 24, 32}}, Case{"rfc3686-ctr-aes-caam", {20, 28, 36}},
                        Case{"xts-aes-caam", {32, 48, 64}}, Case{"cbc-des-caam", {8}}, Case{"ecb-des3-caam", {24}}}) {
    auto tfm = lab_.skcipher(c.driver);
    for (size_t len = 0; len <= 72; ++len) {
      const bool good = std::ranges::find(c.good, len) != c.good.end();
      EXPECT_EQ(crypto_skcipher_setkey(*tfm, random_bytes(len, 1)), good ? 0 : -EINVAL) << c.driver << " " << len;
    }
  }
}

// Nothing to do is nothing submitted; XTS has no nothing.
TEST_F(Rules, ZeroLengthCiphers) {
  for (const AlgRow& row : caam_rows_of("skcipher")) {
    auto tfm = lab_.skcipher(row.driver);
    ASSERT_EQ(crypto_skcipher_setkey(*tfm, key_for(row)), 0);
    const Bytes iv = random_bytes(row.ivsize, 1);
    const uint64_t before = jobs();
    for (const Crypt crypt : {Crypt::kEncrypt, Crypt::kDecrypt}) {
      const Outcome outcome = run_skcipher(*tfm, crypt, iv, {}, plain_layout());
      EXPECT_EQ(outcome.err, row.driver == "xts-aes-caam" ? -EINVAL : 0) << row.driver;
      EXPECT_EQ(outcome.iv, iv);
    }
    EXPECT_EQ(jobs(), before) << row.driver;
  }
}

TEST_F(Rules, XtsLengths) {
  const AlgRow& row = caam_row("xts-aes-caam");
  auto tfm = lab_.skcipher(row.driver);
  ASSERT_EQ(crypto_skcipher_setkey(*tfm, key_for(row)), 0);
  for (size_t len : {40, 369, 2801, 16, 15, 1, 0})
    EXPECT_EQ(run_skcipher(*tfm, Crypt::kEncrypt, random_bytes(16, 1), random_bytes(len, 2), plain_layout()).err,
              len < 16 ? -EINVAL : 0)
        << len;
}

// Tweaks of more than 64 bits, 24-byte keys and texts of more than a sector go to the fallback where the device cannot
// (the kernel submits the last, whose result would be wrong).
TEST(XtsFallback, ByEraAndKey) {
  struct Case {
    const char* platform;
    size_t key_len;
    bool long_tweak, device;
    size_t text_len = 100;
  };
  const AlgRow& row = caam_row("xts-aes-caam");
  for (const Case& c :
       {Case{"ls1046a", 64, false, true}, Case{"ls1046a", 64, true, false}, Case{"lx2160a", 64, true, true},
        Case{"lx2160a", 48, false, false}, Case{"ls1046a", 32, false, true}, Case{"lx2160a", 64, true, true, 32768},
        Case{"lx2160a", 64, true, false, 32769}, Case{"ls1046a", 64, false, false, 65536}}) {
    LabFixture lab(c.platform);
    auto tfm = lab.skcipher(row.driver);
    auto software = software_skcipher(lab, row, random_bytes(c.key_len, 1));
    // First a key for the fallback, to see that the transform comes back from it.
    ASSERT_EQ(crypto_skcipher_setkey(*tfm, random_bytes(48, 9)), 0);
    ASSERT_EQ(crypto_skcipher_setkey(*tfm, random_bytes(c.key_len, 1)), 0);
    Bytes iv = random_bytes(16, 2);
    if (!c.long_tweak) std::fill(iv.begin() + 8, iv.end(), 0);
    const Bytes text = random_bytes(c.text_len, 3);
    const uint64_t before = lab->caam().scheduler().stats().jobs;
    const Outcome ours = run_skcipher(*tfm, Crypt::kEncrypt, iv, text, plain_layout());
    EXPECT_EQ(ours.err, 0);
    EXPECT_EQ(ours.out, run_skcipher(*software, Crypt::kEncrypt, iv, text, plain_layout()).out);
    EXPECT_EQ(lab->caam().scheduler().stats().jobs - before, c.device ? 1u : 0u) << c.platform << " " << c.key_len;
  }
}

TEST(XtsFallback, IsNeeded) {
  tools::LabOptions options;
  options.generic_drivers = options.cpu_drivers = false;
  LabFixture lab("lx2160a", options);
  const auto tfm = crypto_alloc_skcipher(lab->registry(), "xts-aes-caam");
  ASSERT_FALSE(tfm.has_value());
  EXPECT_EQ(tfm.error(), -ENOENT);
}

// A stream in two requests equals one.
TEST_F(Rules, IvContinuesTheStream) {
  auto tfm = lab_.skcipher("ctr-aes-caam");
  ASSERT_EQ(crypto_skcipher_setkey(*tfm, from_hex("2b7e151628aed2a6abf7158809cf4f3c")), 0);
  const Bytes text = from_hex(
      "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b"
      "17ad2b417be66c3710");
  const Bytes iv = from_hex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
  Layout in_place{.name = "in place", .in_place = true};
  const Outcome whole = run_skcipher(*tfm, Crypt::kEncrypt, iv, text, in_place);
  EXPECT_EQ(
      hex(whole.out),
      "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe"
      "03d1792170a0f3009cee");
  EXPECT_EQ(hex(whole.iv), "f0f1f2f3f4f5f6f7f8f9fafbfcfdff03");
  for (const char* driver : {"cbc-aes-caam", "ctr-aes-caam", "cbc-3des-caam", "cbc-des-caam"}) {
    const AlgRow& row = caam_row(driver);
    auto cipher = lab_.skcipher(driver);
    ASSERT_EQ(crypto_skcipher_setkey(*cipher, key_for(row)), 0);
    for (const Crypt crypt : {Crypt::kEncrypt, Crypt::kDecrypt}) {
      const Bytes start = random_bytes(row.ivsize, 1);
      const Bytes data = random_bytes(96, 2);
      const Outcome all = run_skcipher(*cipher, crypt, start, data, in_place);
      const Outcome first = run_skcipher(*cipher, crypt, start, {data.begin(), data.begin() + 48}, in_place);
      const Outcome second = run_skcipher(*cipher, crypt, first.iv, {data.begin() + 48, data.end()}, in_place);
      Bytes both = first.out;
      both.insert(both.end(), second.out.begin(), second.out.end());
      EXPECT_EQ(hex(both), hex(all.out)) << driver;
      EXPECT_EQ(second.iv, all.iv) << driver;
    }
  }
}

TEST_F(Rules, FailedRequestKeepsTheIv) {
  auto tfm = lab_.skcipher("cbc-aes-caam");
  ASSERT_EQ(crypto_skcipher_setkey(*tfm, random_bytes(16, 1)), 0);
  const Bytes iv = random_bytes(16, 2);
  const Outcome outcome = run_skcipher(*tfm, Crypt::kEncrypt, iv, random_bytes(20, 3), plain_layout());
  EXPECT_EQ(outcome.err, -EINVAL);
  EXPECT_EQ(outcome.iv, iv);
}

TEST_F(Rules, HashKeys) {
  auto sha = lab_.ahash("sha256-caam");
  EXPECT_EQ(crypto_ahash_setkey(*sha, random_bytes(16, 1)), -ENOSYS);
  auto xcbc = lab_.ahash("xcbc-aes-caam");
  auto cmac = lab_.ahash("cmac-aes-caam");
  for (size_t len = 0; len <= 40; ++len) {
    EXPECT_EQ(crypto_ahash_setkey(*xcbc, random_bytes(len, 1)), len == 16 ? 0 : -EINVAL) << len;
    EXPECT_EQ(crypto_ahash_setkey(*cmac, random_bytes(len, 1)), len == 16 || len == 24 || len == 32 ? 0 : -EINVAL);
  }
  auto hmac = lab_.ahash("hmac-sha256-caam");
  EXPECT_EQ(run_ahash(*hmac, random_bytes(10, 1), HashCalls::kDigest, plain_layout()).err, -ENOKEY);
  EXPECT_EQ(crypto_ahash_setkey(*hmac, random_bytes(70000, 1)), -EINVAL);  // longer than a FIFO LOAD takes
}

// However a message is cut, with nothing, one byte, a block, and more.
TEST_F(Rules, HashesInAnyPieces) {
  for (const char* driver : {"cmac-aes-caam", "xcbc-aes-caam", "sha256-caam", "hmac-sha512-caam", "hmac-md5-caam"}) {
    const AlgRow& row = caam_row(driver);
    auto tfm = lab_.ahash(driver);
    const Bytes key = key_for(row);
    if (row.keyed) {
      ASSERT_EQ(crypto_ahash_setkey(*tfm, key), 0);
    }
    auto software = software_ahash(lab_, row, key);
    const size_t block = row.blocksize;
    for (const std::vector<size_t>& pieces :
         {std::vector<size_t>{block}, {block, 0, block}, {1, block - 1}, {block - 1, 1, block, 5}, {2 * block, 3}}) {
      const Layout layout{.name = "pieces", .src_pieces = pieces};
      for (size_t len : {block, 2 * block, 2 * block + 1, 3 * block, 10 * block})
        for (const HashCalls calls : {HashCalls::kUpdateFinal, HashCalls::kFinup, HashCalls::kExportImport})
          EXPECT_EQ(compare_ahash(*tfm, *software, len, calls, layout), "") << driver;
    }
  }
}

// A state from one transform is finished by another that never saw a message of its own.
TEST_F(Rules, StatesMoveBetweenTransforms) {
  for (const AlgRow& row : caam_rows_of("ahash")) {
    const Bytes key = key_for(row), message = random_bytes(300, 1);
    auto first = lab_.ahash(row.driver);
    auto second = lab_.ahash(row.driver);
    if (row.keyed) {
      ASSERT_EQ(crypto_ahash_setkey(*first, key), 0);
      ASSERT_EQ(crypto_ahash_setkey(*second, key), 0);
    }
    Bytes state(crypto_ahash_statesize(*first));
    api::CryptoWait wait;
    const api::SgTable head = api::SgTable::of(std::span(message).first(200));
    const api::SgTable tail = api::SgTable::of(std::span(message).subspan(200));
    auto req = ahash_request_alloc(*first);
    ahash_request_set_callback(*req, 0, api::crypto_req_done, &wait);
    ASSERT_EQ(crypto_ahash_init(*req), 0);
    ahash_request_set_crypt(*req, head, nullptr, 200);
    ASSERT_EQ(crypto_wait_req(crypto_ahash_update(*req), wait, *first), 0);
    ASSERT_EQ(crypto_ahash_export(*req, state.data()), 0);

    auto other = ahash_request_alloc(*second);
    ahash_request_set_callback(*other, 0, api::crypto_req_done, &wait);
    ASSERT_EQ(crypto_ahash_import(*other, state.data()), 0);
    Bytes digest(crypto_ahash_digestsize(*second));
    ahash_request_set_crypt(*other, tail, digest.data(), 100);
    ASSERT_EQ(crypto_wait_req(crypto_ahash_finup(*other), wait, *second), 0);
    auto software = software_ahash(lab_, row, key);
    EXPECT_EQ(hex(digest), hex(run_ahash(*software, message, HashCalls::kDigest, plain_layout()).out)) << row.driver;
  }
}

TEST_F(Rules, DamagedStatesAreRefused) {
  auto tfm = lab_.ahash("sha256-caam");
  auto req = ahash_request_alloc(*tfm);
  const Bytes garbage(crypto_ahash_statesize(*tfm), 0xff);
  EXPECT_EQ(crypto_ahash_import(*req, garbage.data()), -EINVAL);
}

TEST_F(Rules, ShareModeOfATransform) {
  using desc::ShareMode;
  for (const ShareMode share : {ShareMode::kNever, ShareMode::kWait, ShareMode::kSerial, ShareMode::kAlways}) {
    const AlgRow& row = caam_row("gcm-aes-caam");
    auto tfm = lab_.aead(row.driver);
    EXPECT_EQ(driver::caam::caam_aead_set_share(*tfm, share), 0);  // before the key
    ASSERT_EQ(set_key(*tfm, 16), 0);
    EXPECT_EQ(driver::caam::caam_aead_set_share(*tfm, share), 0);  // and after it
    auto software = software_aead(lab_, row, random_bytes(16, 1));
    EXPECT_EQ(compare_aead(row, *tfm, *software, aead_input(row, 100, 16, 1), plain_layout()), "");
  }
  auto software = lab_.get("gcm-aes-ce", crypto_alloc_aead(lab_->registry(), "gcm-aes-ce"));
  EXPECT_EQ(driver::caam::caam_aead_set_share(*software, ShareMode::kNever), -EINVAL);
  auto cipher = lab_.skcipher("cbc-aes-ce");
  EXPECT_EQ(driver::caam::caam_skcipher_set_share(*cipher, ShareMode::kNever), -EINVAL);
  auto hash = lab_.ahash("sha256-ce");
  EXPECT_EQ(driver::caam::caam_ahash_set_share(*hash, ShareMode::kNever), -EINVAL);
}

}  // namespace
}  // namespace caamlab::tests
