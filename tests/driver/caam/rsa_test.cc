// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// rsa-caam against rsa-generic: key forms, lengths, zeros in front, splits, in place, errors.
#include <openssl/bn.h>

#include <algorithm>
#include <map>

#include "api/akcipher.h"
#include "driver/caam/caamrsa_key.h"
#include "tests/driver/caam/rows.h"

namespace caamlab::tests {
namespace {

struct BnFree {
  void operator()(BIGNUM* n) const { BN_free(n); }
  void operator()(BN_CTX* c) const { BN_CTX_free(c); }
};
using Bn = std::unique_ptr<BIGNUM, BnFree>;

Bytes bytes_of(const BIGNUM* n) {
  Bytes out(static_cast<size_t>(BN_num_bytes(n)));
  BN_bn2bin(n, out.data());
  return out;
}

// The first prime behind a seeded number with both top bits set.
Bn prime(unsigned bits, uint64_t seed, BN_CTX* ctx) {
  Bytes start = random_bytes(bits / 8, seed);
  start.front() |= 0xC0;
  start.back() |= 1;
  Bn p(BN_bin2bn(start.data(), static_cast<int>(start.size()), nullptr));
  while (BN_check_prime(p.get(), ctx, nullptr) != 1) BN_add_word(p.get(), 2);
  return p;
}

Bytes tlv(uint8_t tag, const Bytes& value) {
  Bytes out{tag};
  if (value.size() < 0x80)
    out.push_back(static_cast<uint8_t>(value.size()));
  else
    out.insert(out.end(), {0x82, static_cast<uint8_t>(value.size() >> 8), static_cast<uint8_t>(value.size())});
  out.insert(out.end(), value.begin(), value.end());
  return out;
}
Bytes sequence(const std::vector<Bytes>& numbers) {
  Bytes body;
  for (Bytes number : numbers) {
    if (number.empty() || (number[0] & 0x80) != 0) number.insert(number.begin(), 0);
    const Bytes item = tlv(0x02, number);
    body.insert(body.end(), item.begin(), item.end());
  }
  return tlv(0x30, body);
}

struct Key {
  Bytes n, e, d, p, q, dp, dq, qinv;
  Bytes pub() const { return sequence({n, e}); }
  Bytes form3() const { return sequence({{}, n, e, d, p, q, dp, dq, qinv}); }
};

// Primes of different lengths, so that nothing that mixes them up goes unseen.
Key make_key(unsigned p_bits, unsigned q_bits) {
  const std::unique_ptr<BN_CTX, BnFree> ctx(BN_CTX_new());
  const Bn p = prime(p_bits, p_bits, ctx.get()), q = prime(q_bits, q_bits + 1, ctx.get());
  Bn n(BN_new()), p1(BN_dup(p.get())), q1(BN_dup(q.get())), phi(BN_new()), e(BN_new()), d(BN_new()), r(BN_new());
  BN_mul(n.get(), p.get(), q.get(), ctx.get());
  BN_sub_word(p1.get(), 1);
  BN_sub_word(q1.get(), 1);
  BN_mul(phi.get(), p1.get(), q1.get(), ctx.get());
  BN_set_word(e.get(), 65537);
  EXPECT_NE(BN_mod_inverse(d.get(), e.get(), phi.get(), ctx.get()), nullptr);
  Key key;
  key.n = bytes_of(n.get());
  key.e = bytes_of(e.get());
  key.d = bytes_of(d.get());
  key.p = bytes_of(p.get());
  key.q = bytes_of(q.get());
  BN_mod(r.get(), d.get(), p1.get(), ctx.get());
  key.dp = bytes_of(r.get());
  BN_mod(r.get(), d.get(), q1.get(), ctx.get());
  key.dq = bytes_of(r.get());
  EXPECT_NE(BN_mod_inverse(r.get(), q.get(), p.get(), ctx.get()), nullptr);
  key.qinv = bytes_of(r.get());
  return key;
}

const Key& key_1024() {
  static const Key kKey = make_key(512, 512);
  return kKey;
}
// Software has sizes of its own; the sum of these two is one of them.
const Key& key_uneven() {
  static const Key kKey = make_key(640, 384);
  return kKey;
}

struct Result {
  int err = 1;
  Bytes out{};
  uint32_t dst_len = 0;
};
using Op = int (*)(api::AkcipherRequest&);

Result run(api::CryptoAkcipher& tfm, Op op, Bytes in, size_t room, std::vector<size_t> src_pieces = {},
           std::vector<size_t> dst_pieces = {}) {
  Result result;
  result.out.assign(room, 0xcc);
  const api::SgTable src = api::SgTable::split_at(in, src_pieces);
  const api::SgTable dst = api::SgTable::split_at(result.out, dst_pieces);
  auto req = akcipher_request_alloc(tfm);
  api::CryptoWait wait;
  akcipher_request_set_callback(*req, 0, api::crypto_req_done, &wait);
  akcipher_request_set_crypt(*req, src, dst, static_cast<uint32_t>(in.size()), static_cast<uint32_t>(room));
  result.err = crypto_wait_req(op(*req), wait, tfm);
  result.dst_len = req->dst_len;
  return result;
}

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
    ASSERT_EQ(crypto_akcipher_set_priv_key(*caam, key->form3()), 0);
    ASSERT_EQ(crypto_akcipher_set_priv_key(*software, key->form3()), 0);
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

// A key whose dp is longer than p (it counts modulo p - 1) is used without its CRT members; the result is the same.
TEST_P(Rsa, KeyForms) {
  const Key& key = key_uneven();
  auto caam = rsa("rsa-caam");
  Bytes message = random_bytes(128, 1);
  message.front() = 0;
  ASSERT_EQ(crypto_akcipher_set_pub_key(*caam, key.pub()), 0);
  const Bytes sealed = run(*caam, kEncrypt, message, 128).out;
  EXPECT_EQ(run(*caam, kDecrypt, sealed, 128).err, -EINVAL);  // no private key
  Key long_dp = key;
  const std::unique_ptr<BN_CTX, BnFree> ctx(BN_CTX_new());
  Bn p1(BN_bin2bn(key.p.data(), static_cast<int>(key.p.size()), nullptr));
  Bn dp(BN_bin2bn(key.dp.data(), static_cast<int>(key.dp.size()), nullptr));
  BN_sub_word(p1.get(), 1);
  BN_lshift(p1.get(), p1.get(), 16);
  BN_add(dp.get(), dp.get(), p1.get());
  long_dp.dp = bytes_of(dp.get());
  for (const Key& used : {key, long_dp}) {
    ASSERT_EQ(crypto_akcipher_set_priv_key(*caam, used.form3()), 0);
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
  ASSERT_EQ(crypto_akcipher_set_priv_key(*caam, key.form3()), 0);
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
  ASSERT_EQ(crypto_akcipher_set_priv_key(*caam, key_1024().form3()), 0);
  for (const Op op : {kEncrypt, kDecrypt})
    for (size_t len : {0, 1, 128}) {
      const Result got = run(*caam, op, Bytes(len), 128);
      EXPECT_EQ(got.err, 0) << len;
      EXPECT_EQ(got.out, Bytes(128)) << len;
    }
}

// One list for both: one mapping (cases P81).
TEST_P(Rsa, InPlace) {
  auto caam = rsa("rsa-caam");
  ASSERT_EQ(crypto_akcipher_set_priv_key(*caam, key_1024().form3()), 0);
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

TEST_P(Rsa, ManyAtOnce) {
  auto caam = rsa("rsa-caam");
  const Key& key = key_uneven();
  ASSERT_EQ(crypto_akcipher_set_priv_key(*caam, key.form3()), 0);
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
