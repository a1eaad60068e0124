// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Many requests of one transform on their way at once, so that followers share descriptors and keys, in every share
// mode and policy; and the backlog.
#include <algorithm>
#include <memory>
#include <random>

#include "driver/caam/jr.h"
#include "tests/driver/caam/rows.h"

namespace caamlab::tests {
namespace {

using desc::ShareMode;
using hw_model::SerialPolicy;

// One request and its memory.
template <class Handle>
struct Pending {
  Handle req;
  Bytes src, dst, iv, result;
  api::SgTable src_list, dst_list;
  int statuses = 0, notices = 0, err = 1;
  static void done(void* data, int err) {
    auto& p = *static_cast<Pending*>(data);
    if (err == -EINPROGRESS) {
      ++p.notices;
      return;
    }
    ++p.statuses;
    p.err = err;
  }
};

std::vector<size_t> random_pieces(std::mt19937_64& random) {
  std::vector<size_t> pieces(random() % 4);
  for (size_t& piece : pieces) piece = random() % 100;
  return pieces;
}

struct Setting {
  const char* platform;
  ShareMode share;
  SerialPolicy policy;
  const char* name;
};

class Queued : public testing::TestWithParam<Setting> {
 protected:
  tools::LabOptions options() const {
    tools::LabOptions o;
    o.driver.share = GetParam().share;
    o.hardware.scheduler.serial_policy = GetParam().policy;
    return o;
  }
};
constexpr unsigned kRequests = 40;

TEST_P(Queued, Aeads) {
  LabFixture lab(GetParam().platform, options());
  std::mt19937_64 random(1);
  for (const AlgRow& row : caam_rows_of("aead")) {
    if (!lab.has(row.driver) || row.geniv) continue;
    const Bytes key = key_for(row);
    auto caam = lab.aead(row.driver);
    ASSERT_EQ(crypto_aead_setkey(*caam, key), 0);
    auto software = software_aead(lab, row, key);
    std::vector<AeadInput> inputs;
    std::vector<Pending<api::AeadRequestHandle>> pending(kRequests);
    for (auto& p : pending) {
      inputs.push_back(aead_input(row, random() % 300, random() % 40, random()));
      const AeadInput& in = inputs.back();
      p.src = in.aad;
      p.src.insert(p.src.end(), in.text.begin(), in.text.end());
      p.dst.resize(p.src.size() + crypto_aead_authsize(*caam));
      p.iv = in.iv;
      p.src_list = api::SgTable::split_at(p.src, random_pieces(random));
      p.dst_list = api::SgTable::split_at(p.dst, random_pieces(random));
      p.req = aead_request_alloc(*caam);
      aead_request_set_callback(*p.req, 0, p.done, &p);
      aead_request_set_ad(*p.req, static_cast<uint32_t>(in.aad.size()));
      aead_request_set_crypt(*p.req, p.src_list, p.dst_list, static_cast<uint32_t>(in.text.size()), p.iv.data());
      ASSERT_EQ(crypto_aead_encrypt(*p.req), -EINPROGRESS);
    }
    lab->run();
    for (unsigned i = 0; i < kRequests; ++i) {
      const auto& p = pending[i];
      ASSERT_EQ(p.statuses, 1);
      ASSERT_EQ(p.err, 0) << row.driver;
      const Bytes got(p.dst.begin() + static_cast<ptrdiff_t>(inputs[i].aad.size()), p.dst.end());
      ASSERT_EQ(hex(got), hex(run_aead(*software, Crypt::kEncrypt, inputs[i], plain_layout()).out)) << row.driver;
    }
  }
}

TEST_P(Queued, SkciphersBothWays) {
  LabFixture lab(GetParam().platform, options());
  std::mt19937_64 random(2);
  for (const AlgRow& row : caam_rows_of("skcipher")) {
    if (!lab.has(row.driver)) continue;
    const Bytes key = key_for(row);
    auto caam = lab.skcipher(row.driver);
    ASSERT_EQ(crypto_skcipher_setkey(*caam, key), 0);
    auto software = software_skcipher(lab, row, key);
    for (const Crypt crypt : {Crypt::kEncrypt, Crypt::kDecrypt}) {
      std::vector<Pending<api::SkcipherRequestHandle>> pending(kRequests);
      std::vector<Bytes> ivs;
      for (auto& p : pending) {
        p.src = random_bytes(16 * (1 + random() % 20), random());
        p.dst.resize(p.src.size());
        p.iv = random_bytes(row.ivsize, random());
        if (row.driver == "xts-aes-caam") std::fill(p.iv.begin() + 8, p.iv.end(), 0);
        ivs.push_back(p.iv);
        p.src_list = api::SgTable::split_at(p.src, random_pieces(random));
        p.dst_list = api::SgTable::split_at(p.dst, random_pieces(random));
        p.req = skcipher_request_alloc(*caam);
        skcipher_request_set_callback(*p.req, 0, p.done, &p);
        skcipher_request_set_crypt(*p.req, p.src_list, p.dst_list, static_cast<uint32_t>(p.src.size()), p.iv.data());
        const int answer = crypt == Crypt::kEncrypt ? crypto_skcipher_encrypt(*p.req) : crypto_skcipher_decrypt(*p.req);
        ASSERT_EQ(answer, -EINPROGRESS);
      }
      lab->run();
      for (unsigned i = 0; i < kRequests; ++i) {
        ASSERT_EQ(pending[i].err, 0) << row.driver;
        const Outcome want = run_skcipher(*software, crypt, ivs[i], pending[i].src, plain_layout());
        ASSERT_EQ(hex(pending[i].dst), hex(want.out)) << row.driver << ", request " << i;
      }
    }
  }
}

// Digests, and updates of many hashes in progress: what a follower finds must never be another's.
TEST_P(Queued, Hashes) {
  LabFixture lab(GetParam().platform, options());
  std::mt19937_64 random(3);
  for (const AlgRow& row : caam_rows_of("ahash")) {
    if (!lab.has(row.driver)) continue;
    const Bytes key = key_for(row);
    auto caam = lab.ahash(row.driver);
    if (row.keyed) {
      ASSERT_EQ(crypto_ahash_setkey(*caam, key), 0);
    }
    auto software = software_ahash(lab, row, key);
    std::vector<Pending<api::AhashRequestHandle>> pending(kRequests);
    for (auto& p : pending) {
      p.src = random_bytes(400, random());
      p.result.resize(crypto_ahash_digestsize(*caam));
      p.req = ahash_request_alloc(*caam);
      ahash_request_set_callback(*p.req, 0, p.done, &p);
      ASSERT_EQ(crypto_ahash_init(*p.req), 0);
    }
    constexpr size_t kSteps[] = {0, 130, 131, 290, 400};
    for (size_t step = 0; step + 1 < std::size(kSteps); ++step) {
      for (auto& p : pending) {
        p.src_list = api::SgTable::split_at(std::span(p.src).subspan(kSteps[step], kSteps[step + 1] - kSteps[step]),
                                            random_pieces(random));
        const bool last = step + 2 == std::size(kSteps);
        ahash_request_set_crypt(*p.req, p.src_list, p.result.data(),
                                static_cast<uint32_t>(kSteps[step + 1] - kSteps[step]));
        const int answer = last ? crypto_ahash_finup(*p.req) : crypto_ahash_update(*p.req);
        ASSERT_TRUE(answer == -EINPROGRESS || answer == 0) << row.driver;
      }
      lab->run();
    }
    for (const auto& p : pending) {
      ASSERT_EQ(p.err, 0);
      ASSERT_EQ(hex(p.result), hex(run_ahash(*software, p.src, HashCalls::kDigest, plain_layout()).out)) << row.driver;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, Queued,
                         testing::Values(Setting{"lx2160a", ShareMode::kSerial, SerialPolicy::kSelf, "lx2160a_serial"},
                                         Setting{"lx2160a", ShareMode::kNever, SerialPolicy::kSelf, "lx2160a_never"},
                                         Setting{"ls1046a", ShareMode::kSerial, SerialPolicy::kSelf, "ls1046a_serial"},
                                         Setting{"ls1046a", ShareMode::kNever, SerialPolicy::kSelf, "ls1046a_never"},
                                         Setting{"imx6ul", ShareMode::kSerial, SerialPolicy::kSelf, "imx6ul_serial"},
                                         Setting{"p5040", ShareMode::kNever, SerialPolicy::kSelf, "p5040_never"}),
                         [](const auto& info) { return info.param.name; });

// A ring of 4 slots, which takes 3 jobs: what comes then is refused, or in the backlog and hears of it when it leaves.
TEST(Backlog, FullRing) {
  tools::LabOptions options;
  options.driver.ring_depth_log2 = 2;
  LabFixture lab("ls1046a", options);
  auto tfm = lab.aead("gcm-aes-caam");
  ASSERT_EQ(crypto_aead_setkey(*tfm, random_bytes(16, 1)), 0);
  std::vector<Pending<api::AeadRequestHandle>> pending(8);
  const auto submit = [&](size_t i, uint32_t flags) {
    auto& p = pending[i];
    p.src.resize(64);
    p.iv.resize(12);
    p.src_list = api::SgTable::of(std::span(p.src));
    p.req = aead_request_alloc(*tfm);
    aead_request_set_callback(*p.req, flags, p.done, &p);
    aead_request_set_ad(*p.req, 16);
    aead_request_set_crypt(*p.req, p.src_list, p.src_list, 32, p.iv.data());
    return crypto_aead_encrypt(*p.req);
  };
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(submit(i, 0), -EINPROGRESS);
  const size_t live = lab->dma().live();
  EXPECT_EQ(submit(3, 0), -ENOSPC);
  EXPECT_EQ(lab->dma().live(), live);  // refused is undone
  EXPECT_EQ(submit(4, api::CRYPTO_TFM_REQ_MAY_BACKLOG), -EBUSY);
  EXPECT_EQ(submit(5, api::CRYPTO_TFM_REQ_MAY_BACKLOG), -EBUSY);
  EXPECT_EQ(submit(6, api::CRYPTO_TFM_REQ_MAY_BACKLOG), -EBUSY);
  lab->run();
  for (size_t i : {0, 1, 2, 4, 5, 6}) {
    EXPECT_EQ(pending[i].statuses, 1) << i;
    EXPECT_EQ(pending[i].err, 0) << i;
    EXPECT_EQ(pending[i].notices, i >= 4 ? 1 : 0) << i;
  }
  EXPECT_EQ(pending[3].statuses, 0);
  EXPECT_EQ(submit(7, api::CRYPTO_TFM_REQ_MAY_BACKLOG), -EINPROGRESS);
  lab->run();
  EXPECT_EQ(pending[7].err, 0);
  EXPECT_EQ(pending[7].notices, 0);
}

TEST(Backlog, ManyRequestsThroughASmallRing) {
  tools::LabOptions options;
  options.driver.ring_depth_log2 = 3;
  LabFixture lab("ls1046a", options);
  const AlgRow& row = caam_row("cbc-aes-caam");
  auto tfm = lab.skcipher(row.driver);
  const Bytes key = key_for(row);
  ASSERT_EQ(crypto_skcipher_setkey(*tfm, key), 0);
  auto software = software_skcipher(lab, row, key);
  std::vector<Pending<api::SkcipherRequestHandle>> pending(500);
  for (auto& p : pending) {
    p.src = random_bytes(48, 1);
    p.dst.resize(48);
    p.iv.resize(16);
    p.src_list = api::SgTable::of(std::span(p.src));
    p.dst_list = api::SgTable::of(std::span(p.dst));
    p.req = skcipher_request_alloc(*tfm);
    skcipher_request_set_callback(*p.req, api::CRYPTO_TFM_REQ_MAY_BACKLOG, p.done, &p);
    skcipher_request_set_crypt(*p.req, p.src_list, p.dst_list, 48, p.iv.data());
    const int err = crypto_skcipher_encrypt(*p.req);
    ASSERT_TRUE(err == -EINPROGRESS || err == -EBUSY);
  }
  lab->run();
  const Bytes want = run_skcipher(*software, Crypt::kEncrypt, Bytes(16), pending[0].src, plain_layout()).out;
  for (const auto& p : pending) {
    ASSERT_EQ(p.statuses, 1);
    ASSERT_EQ(p.dst, want);
  }
}

// What waits in the engine when the ring goes down is answered too.
TEST(Backlog, EndsWithTheRing) {
  tools::LabOptions options;
  options.driver.ring_depth_log2 = 2;
  LabFixture lab("ls1046a", options);
  auto tfm = lab.ahash("sha256-caam");
  std::vector<Pending<api::AhashRequestHandle>> pending(6);
  for (auto& p : pending) {
    p.src.resize(64);
    p.result.resize(32);
    p.src_list = api::SgTable::of(std::span(p.src));
    p.req = ahash_request_alloc(*tfm);
    ahash_request_set_callback(*p.req, api::CRYPTO_TFM_REQ_MAY_BACKLOG, p.done, &p);
    ahash_request_set_crypt(*p.req, p.src_list, p.result.data(), 64);
    const int err = crypto_ahash_digest(*p.req);
    ASSERT_TRUE(err == -EINPROGRESS || err == -EBUSY);
  }
  for (const auto& ring : lab->driver()->rings) EXPECT_EQ(caam_jr_shutdown(*ring), 0);
  for (const auto& p : pending) {
    EXPECT_EQ(p.statuses, 1);
    EXPECT_TRUE(p.err == 0 || p.err == -EIO || p.err == -EINVAL) << p.err;
  }
  for (const auto& ring : lab->driver()->rings) EXPECT_EQ(caam_jr_restart(*ring), 0);
}

}  // namespace
}  // namespace caamlab::tests
