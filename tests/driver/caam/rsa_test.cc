// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// rsa-caam against rsa-generic: key forms, lengths, zeros in front, splits, in place, errors.
#include <algorithm>

#include "api/akcipher.h"
#include "driver/caam/caamrsa_key.h"
#include "tests/driver/caam/rows.h"
#include "tests/driver/caam/rsa_keys.h"
#include "tests/driver/software/rsa_vectors.h"

namespace caamlab::tests {
namespace {

using Key = RsaNumbers;
using Result = RsaResult;
using Op = RsaOp;
Result run(api::CryptoAkcipher& tfm, Op op, const Bytes& in, size_t room, const std::vector<size_t>& src_pieces = {},
           const std::vector<size_t>& dst_pieces = {}) {
  return run_rsa(tfm, op, in, room, src_pieces, dst_pieces);
}
constexpr auto sequence = ber_sequence;

const Key& key_1024() { return rsa_numbers(512, 512); }
// Software has sizes of its own; the sum of these two is one of them.
const Key& key_uneven() { return rsa_numbers(640, 384); }

class Rsa : public testing::TestWithParam<const char*> {
 protected:
  LabFixture lab_{GetParam()};
  api::AkcipherHandle rsa(const char* driver) {
    return lab_.get(driver, crypto_alloc_akcipher(lab_->registry(), driver));
  }
};

constexpr Op kEncrypt = api::crypto_akcipher_encrypt, kDecrypt = api::crypto_akcipher_decrypt;

TEST_P(Rsa, EqualsSoftware) {
  for (const Key* key : {&key_1024(), &key_uneven()}) {
    auto caam = rsa("rsa-caam"), software = rsa("rsa-generic");
    ASSERT_EQ(crypto_akcipher_set_priv_key(*caam, key->priv()), 0);
    ASSERT_EQ(crypto_akcipher_set_priv_key(*software, key->priv()), 0);
    EXPECT_EQ(crypto_akcipher_maxsize(*caam), 128u);
    const size_t n = 128;
    for (size_t len : {1, 2, 20, 127, 128}) {
      Bytes in = random_bytes(len, len);
      in.front() = len == n ? 0x01 : 0x80;  // below n
      for (const Op op : {kEncrypt, kDecrypt})
        for (const std::vector<size_t>& pieces : {std::vector<size_t>{}, {1}, {3, 50}, {64}}) {
          const Result want = run(*software, op, in, n), got = run(*caam, op, in, n, pieces, {40, 7});
          ASSERT_EQ(got.err, want.err) << len;
          ASSERT_EQ(hex(got.out), hex(want.out)) << len << (op == kEncrypt ? " encrypt" : " decrypt");
          EXPECT_EQ(got.dst_len, 128u);
          ASSERT_EQ(hex(run(*caam, op, in, n, pieces).out), hex(want.out));  // one piece of output
        }
    }
  }
}

// A key without primes, one without CRT exponents, one with all, and one whose dp is longer than p (it counts modulo
// p - 1), which is used without them: the same result.
TEST_P(Rsa, KeyForms) {
  const Key& key = key_uneven();
  auto caam = rsa("rsa-caam");
  Bytes message = random_bytes(128, 1);
  message.front() = 0;
  ASSERT_EQ(crypto_akcipher_set_pub_key(*caam, key.pub()), 0);
  const Bytes sealed = run(*caam, kEncrypt, message, 128).out;
  EXPECT_EQ(run(*caam, kDecrypt, sealed, 128).err, -EINVAL);  // no private key
  Key long_dp = key;
  long_dp.dp = key.longer_dp();
  for (const Bytes& ber : {key.priv(1), key.priv(2), key.priv(3), long_dp.priv()}) {
    ASSERT_EQ(crypto_akcipher_set_priv_key(*caam, ber), 0);
    EXPECT_EQ(hex(run(*caam, kDecrypt, sealed, 128).out), hex(message));
  }
}

TEST(RsaKey, FormByMembers) {
  using desc::RsaPrivForm;
  const Key& key = key_uneven();
  hw_model::DmaSpace dma;
  driver::caam::CaamRsaKey caam;
  api::RsaKey parts{.n = key.n, .e = key.e, .d = key.d, .p = {}, .q = {}, .dp = {}, .dq = {}, .qinv = {}};
  EXPECT_EQ(caam.set(dma, parts), 0);
  EXPECT_EQ(caam.form, RsaPrivForm::kForm1);
  EXPECT_EQ(dma.live(), 3u);
  parts.p = key.p;
  parts.q = key.q;
  EXPECT_EQ(caam.set(dma, parts), 0);
  EXPECT_EQ(caam.form, RsaPrivForm::kForm2);
  parts.dp = key.dp;
  parts.dq = key.dq;
  parts.qinv = key.qinv;
  EXPECT_EQ(caam.set(dma, parts), 0);
  EXPECT_EQ(caam.form, RsaPrivForm::kForm3);
  EXPECT_EQ(dma.live(), 8u);
  // The members are padded to their primes.
  EXPECT_EQ(caam.dp.size(), key.p.size());
  EXPECT_EQ(caam.dq.size(), key.q.size());
  EXPECT_EQ(caam.qinv.size(), key.p.size());
  for (uint64_t n = 1; n <= 8; ++n) {
    dma.fail_map_after(n);
    EXPECT_EQ(caam.set(dma, parts), -ENOMEM);
    EXPECT_TRUE(caam.n.empty());
    EXPECT_EQ(dma.live(), 0u);
  }
  EXPECT_EQ(caam.set(dma, parts), 0);
  caam.reset();
  EXPECT_EQ(dma.live(), 0u);
}

TEST_P(Rsa, LeadingZeros) {
  const Key& key = key_1024();
  auto caam = rsa("rsa-caam");
  ASSERT_EQ(crypto_akcipher_set_priv_key(*caam, key.priv()), 0);
  Bytes in = random_bytes(128, 1);
  in.front() = 1;
  Bytes longer = in;
  longer.insert(longer.begin(), 5, 0);
  for (const Op op : {kEncrypt, kDecrypt}) {
    const Bytes want = run(*caam, op, in, 128).out;
    for (const std::vector<size_t>& pieces : {std::vector<size_t>{}, {3}, {5}, {6, 20}})
      EXPECT_EQ(hex(run(*caam, op, longer, 128, pieces).out), hex(want));
    longer[2] = 1;  // a number longer than n
    EXPECT_EQ(run(*caam, op, longer, 128).err, -EINVAL);
    longer[2] = 0;
  }
}

TEST_P(Rsa, ZeroAndNothing) {
  auto caam = rsa("rsa-caam");
  ASSERT_EQ(crypto_akcipher_set_priv_key(*caam, key_1024().priv()), 0);
  for (const Op op : {kEncrypt, kDecrypt})
    for (size_t len : {0, 1, 128}) {
      const Result got = run(*caam, op, Bytes(len), 128);
      EXPECT_EQ(got.err, 0) << len;
      EXPECT_EQ(got.out, Bytes(128)) << len;
    }
}

// One list for both: one mapping (a buffer that is both).
TEST_P(Rsa, InPlace) {
  auto caam = rsa("rsa-caam");
  ASSERT_EQ(crypto_akcipher_set_priv_key(*caam, key_1024().priv()), 0);
  for (const Op op : {kEncrypt, kDecrypt})
    for (size_t len : {20, 128, 131})
      for (const std::vector<size_t>& pieces : {std::vector<size_t>{}, {60}, {1, 2, 50}}) {
        Bytes in = random_bytes(len, len);
        if (len > 128) std::fill_n(in.begin(), len - 128, 0);
        in[len > 128 ? len - 128 : 0] = 1;
        const Bytes want = run(*caam, op, in, 128).out;
        Bytes memory = in;
        memory.resize(std::max<size_t>(128, len));
        const api::SgTable list = api::SgTable::split_at(memory, pieces);
        auto req = akcipher_request_alloc(*caam);
        api::CryptoWait wait;
        akcipher_request_set_callback(*req, 0, api::crypto_req_done, &wait);
        akcipher_request_set_crypt(*req, list, list, static_cast<uint32_t>(len), 128);
        ASSERT_EQ(crypto_wait_req(op(*req), wait, *caam), 0) << len;
        EXPECT_EQ(hex(std::span(memory).first(128)), hex(want)) << len << ", " << pieces.size();
      }
}

// A number of 4096 bits in place: one mapping, in both directions, and the whole result when the request is done.
TEST_P(Rsa, LargestInPlaceIsMappedOnce) {
  auto caam = rsa("rsa-caam");
  Bytes n = random_bytes(512, 1);
  n.front() = n.back() = 0x81;
  const Bytes pub = sequence({n, {1, 0, 1}});
  ASSERT_EQ(crypto_akcipher_set_pub_key(*caam, pub), 0);
  Bytes memory = random_bytes(512, 2);
  memory.front() = 1;
  const Bytes want = run(*caam, kEncrypt, memory, 512).out;
  const api::SgTable list = api::SgTable::of(std::span(memory));
  auto req = akcipher_request_alloc(*caam);
  int err = 1;
  akcipher_request_set_callback(
      *req, 0, [](void* data, int status) { *static_cast<int*>(data) = status; }, &err);
  akcipher_request_set_crypt(*req, list, list, 512, 512);
  const auto before = lab_->dma().leaks();
  ASSERT_EQ(crypto_akcipher_encrypt(*req), -EINPROGRESS);
  size_t data = 0, others = 0;
  for (const auto& mapping : lab_->dma().leaks()) {
    if (std::ranges::any_of(before, [&](const auto& m) { return m.addr == mapping.addr; })) continue;
    const bool both = mapping.dir == hw_model::DmaDirection::kBidirectional;
    data += both && mapping.len == 512 ? 1 : 0;
    others += both || mapping.dir == hw_model::DmaDirection::kFromDevice || mapping.len >= 512 ? 1 : 0;
  }
  EXPECT_EQ(data, 1u);
  EXPECT_EQ(others, 1u) << "the number is mapped again";
  lab_->run();
  ASSERT_EQ(err, 0);
  EXPECT_EQ(hex(memory), hex(want));
}

TEST_P(Rsa, ManyAtOnce) {
  auto caam = rsa("rsa-caam");
  const Key& key = key_uneven();
  ASSERT_EQ(crypto_akcipher_set_priv_key(*caam, key.priv()), 0);
  struct One {
    Bytes in, out = Bytes(128);
    api::SgTable src, dst;
    api::AkcipherRequestHandle req;
    int err = 1;
  };
  std::vector<One> all(20);
  for (One& one : all) {
    one.in = random_bytes(128, static_cast<uint64_t>(&one - all.data()));
    one.in.front() = 1;
    one.src = api::SgTable::of(std::span(one.in));
    one.dst = api::SgTable::of(std::span(one.out));
    one.req = akcipher_request_alloc(*caam);
    akcipher_request_set_callback(
        *one.req, 0, [](void* data, int err) { static_cast<One*>(data)->err = err; }, &one);
    akcipher_request_set_crypt(*one.req, one.src, one.dst, 128, 128);
    ASSERT_EQ(crypto_akcipher_decrypt(*one.req), -EINPROGRESS);
  }
  lab_->run();
  for (const One& one : all) {
    EXPECT_EQ(one.err, 0);
    EXPECT_EQ(hex(run(*caam, kEncrypt, one.out, 128).out), hex(one.in));
  }
}

TEST_P(Rsa, Errors) {
  auto caam = rsa("rsa-caam");
  EXPECT_EQ(crypto_akcipher_maxsize(*caam), 0u);
  EXPECT_EQ(run(*caam, kEncrypt, Bytes(128), 128).err, -EINVAL);  // no key
  ASSERT_EQ(crypto_akcipher_set_pub_key(*caam, key_1024().pub()), 0);
  const Result small = run(*caam, kEncrypt, Bytes(128), 127);
  EXPECT_EQ(small.err, -EOVERFLOW);
  EXPECT_EQ(small.dst_len, 128u);
  EXPECT_EQ(crypto_akcipher_set_pub_key(*caam, Bytes{0x30, 0x01}), -EBADMSG);
  EXPECT_EQ(run(*caam, kEncrypt, Bytes(128), 128).err, -EINVAL);  // the old key is gone
  Bytes huge = random_bytes(513, 1);
  huge.front() = huge.back() = 0x81;
  EXPECT_EQ(crypto_akcipher_set_pub_key(*caam, sequence({huge, {1, 0, 1}})), -EINVAL);
}

// 4096 bits are the most.
TEST_P(Rsa, LargestModulus) {
  auto caam = rsa("rsa-caam"), software = rsa("rsa-generic");
  Bytes n = random_bytes(512, 1);
  n.front() = n.back() = 0x81;
  const Bytes pub = sequence({n, {1, 0, 1}});
  ASSERT_EQ(crypto_akcipher_set_pub_key(*caam, pub), 0);
  ASSERT_EQ(crypto_akcipher_set_pub_key(*software, pub), 0);
  Bytes in = random_bytes(512, 2);
  in.front() = 1;
  EXPECT_EQ(hex(run(*caam, kEncrypt, in, 512, {100}, {77}).out), hex(run(*software, kEncrypt, in, 512).out));
}

INSTANTIATE_TEST_SUITE_P(Parts, Rsa, testing::Values("ls1046a", "lx2160a", "imx8mq", "ls1021a"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace caamlab::tests
