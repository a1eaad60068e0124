// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// rsa in software: published PKCS #1 v1.5 signatures as bare exponentiations, key and length rules of
// crypto-api.md 2.6.
#include "api/akcipher.h"
#include "tests/driver/software/machine.h"
#include "tests/driver/software/rsa_vectors.h"

namespace caamlab::driver::software {
namespace {

using api::AkcipherHandle;
using tests::Bytes;
using tests::joined;
using tests::Machine;

constexpr auto sequence = tests::ber_sequence;

struct Result {
  int err;
  Bytes out;
  uint32_t dst_len;
};

Result run(api::CryptoAkcipher& tfm, int (*op)(api::AkcipherRequest&), Bytes in, size_t room, size_t piece = 0) {
  Bytes out(room, 0xcc);
  const api::SgTable src = api::SgTable::split_every(in, piece);
  const api::SgTable dst = api::SgTable::split_every(out, piece == 0 ? 0 : piece + 3);
  auto req = akcipher_request_alloc(tfm);
  akcipher_request_set_crypt(*req, src, dst, static_cast<uint32_t>(in.size()), static_cast<uint32_t>(room));
  const int err = op(*req);
  return {err, out, req->dst_len};
}

AkcipherHandle rsa(Machine& machine) { return machine.take("rsa", crypto_alloc_akcipher(machine.registry, "rsa")); }

TEST(Rsa, NistSignatures) {
  Machine machine;
  AkcipherHandle tfm = rsa(machine);
  size_t run_count = 0;
  for (const auto& v : tests::nist_rsa_signatures()) {
    ASSERT_EQ(crypto_akcipher_set_pub_key(*tfm, sequence({v.n, v.e})), 0) << v.where;
    ASSERT_EQ(crypto_akcipher_maxsize(*tfm), v.n.size());
    const Result result = run(*tfm, api::crypto_akcipher_encrypt, v.signature, v.n.size(), run_count % 40);
    ASSERT_EQ(result.err, 0) << v.where;
    ASSERT_EQ(result.out, v.encoded) << v.where;
    ++run_count;
  }
  EXPECT_GT(run_count, 200u);
}

TEST(Rsa, SignsAsPublished) {
  Machine machine;
  size_t keys = 0;
  size_t odd_sizes = 0;
  for (const tests::PublishedRsaPair& pair : tests::published_rsa_pairs()) {
    AkcipherHandle tfm = rsa(machine);
    const Bytes& n = pair.modulus();
    if (n.size() % 64 != 0) {  // 1025 to 1031 bits: not one of the kernel's sizes
      EXPECT_EQ(crypto_akcipher_set_priv_key(*tfm, pair.private_key()), -EINVAL);
      ++odd_sizes;
      continue;
    }
    ++keys;
    ASSERT_EQ(crypto_akcipher_set_priv_key(*tfm, pair.private_key()), 0);
    ASSERT_EQ(pair.signatures.size(), 20u);
    for (const auto& [message, signature] : pair.signatures) {
      const Bytes em = tests::emsa_pkcs1("SHA1", message, n.size());
      EXPECT_EQ(run(*tfm, api::crypto_akcipher_decrypt, em, n.size(), 7).out, signature);
      EXPECT_EQ(run(*tfm, api::crypto_akcipher_encrypt, signature, n.size()).out, em);
    }
  }
  EXPECT_EQ(keys, 8u);
  EXPECT_EQ(odd_sizes, 7u);
}

TEST(Rsa, LengthsAndPadding) {
  Machine machine;
  const tests::PublishedRsaPair pair = tests::published_rsa_pairs().front();
  const Bytes n = pair.modulus();
  AkcipherHandle tfm = rsa(machine);
  ASSERT_EQ(crypto_akcipher_set_priv_key(*tfm, pair.private_key()), 0);
  const auto encrypt = [&](const Bytes& in, size_t room) { return run(*tfm, api::crypto_akcipher_encrypt, in, room); };
  // 2^e is longer than the modulus, but 0 and 1 are themselves: padded with zeros on the left.
  Bytes one(n.size());
  one.back() = 1;
  EXPECT_EQ(encrypt({1}, n.size()).out, one);
  EXPECT_EQ(encrypt({0}, n.size()).out, Bytes(n.size()));
  EXPECT_EQ(encrypt(joined(Bytes(40), one), n.size()).out, one) << "leading zeros of the input do not count";
  EXPECT_EQ(encrypt(joined({1}, Bytes(n.size())), n.size()).err, -EINVAL) << "longer than the modulus";
  EXPECT_EQ(encrypt(n, n.size()).err, -EINVAL) << "not below the modulus";
  Bytes below = n;
  below.back() -= 1;  // n - 1, whose odd powers are itself
  EXPECT_EQ(encrypt(below, n.size()).out, below);
  const Result small = encrypt({5}, n.size() - 1);
  EXPECT_EQ(small.err, -EOVERFLOW);
  EXPECT_EQ(small.dst_len, n.size());
  const Result roomy = encrypt({1}, n.size() + 9);
  EXPECT_EQ(roomy.err, 0);
  EXPECT_EQ(roomy.dst_len, n.size());
  EXPECT_EQ(Bytes(roomy.out.begin() + static_cast<long>(n.size()), roomy.out.end()), Bytes(9, 0xcc));
}

TEST(Rsa, KeyRules) {
  Machine machine;
  Machine fips(api::Registry::Options{.fips_enabled = true});
  AkcipherHandle tfm = rsa(machine);
  EXPECT_EQ(run(*tfm, api::crypto_akcipher_encrypt, {1}, 64).err, -EINVAL) << "no key";
  EXPECT_EQ(crypto_akcipher_maxsize(*tfm), 0u);
  for (size_t bits = 448; bits <= 4160; bits += 64) {
    Bytes n(bits / 8, 0xa5);
    const bool good = bits == 512 || bits == 1024 || bits == 1536 || bits == 2048 || bits == 3072 || bits == 4096;
    EXPECT_EQ(crypto_akcipher_set_pub_key(*tfm, sequence({n, {1, 0, 1}})), good ? 0 : -EINVAL) << bits;
    EXPECT_EQ(crypto_akcipher_set_pub_key(*rsa(fips), sequence({n, {1, 0, 1}})), good && bits >= 2048 ? 0 : -EINVAL)
        << bits;
  }
  const Bytes n(64, 0xa5);
  ASSERT_EQ(crypto_akcipher_set_pub_key(*tfm, sequence({n, {3}})), 0);
  EXPECT_EQ(run(*tfm, api::crypto_akcipher_decrypt, {1}, 64).err, -EINVAL) << "a public key does not decrypt";
  EXPECT_EQ(run(*tfm, api::crypto_akcipher_sign, {1}, 64).err, -ENOSYS);
  EXPECT_EQ(run(*tfm, api::crypto_akcipher_verify, {1}, 64).err, -ENOSYS);
  EXPECT_EQ(crypto_akcipher_set_pub_key(*tfm, {}), -EBADMSG);
  EXPECT_EQ(run(*tfm, api::crypto_akcipher_encrypt, {1}, 64).err, -EINVAL) << "a bad key takes the good one away";
}

TEST(Rsa, PrivateKeyFromAFile) {
  Machine machine;
  AkcipherHandle tfm = rsa(machine);
  ASSERT_EQ(crypto_akcipher_set_priv_key(*tfm, tests::read_vector_file("asymmetric/DER_Serialization/testrsa.der")), 0);
  ASSERT_EQ(crypto_akcipher_maxsize(*tfm), 64u);
  Bytes message = tests::random_bytes(64, 1);
  message[0] = 0;
  const Result sealed = run(*tfm, api::crypto_akcipher_encrypt, message, 64);
  ASSERT_EQ(sealed.err, 0);
  EXPECT_NE(sealed.out, message);
  EXPECT_EQ(run(*tfm, api::crypto_akcipher_decrypt, sealed.out, 64).out, message);
}

}  // namespace
}  // namespace caamlab::driver::software
