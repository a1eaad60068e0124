// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// rsa in software: published PKCS #1 v1.5 signatures as bare exponentiations, key and length rules of
// crypto-api.md 2.6.
#include <openssl/evp.h>

#include <map>
#include <sstream>

#include "api/akcipher.h"
#include "tests/driver/software/machine.h"

namespace caamlab::driver::software {
namespace {

using api::AkcipherHandle;
using tests::Bytes;
using tests::joined;
using tests::Machine;

Bytes tlv(uint8_t tag, const Bytes& value) {
  Bytes out{tag};
  if (value.size() < 0x80) {
    out.push_back(static_cast<uint8_t>(value.size()));
  } else {
    out.insert(out.end(), {0x82, static_cast<uint8_t>(value.size() >> 8), static_cast<uint8_t>(value.size())});
  }
  return joined(out, value);
}

Bytes integer(Bytes number) {
  if (number.empty() || (number[0] & 0x80) != 0) number.insert(number.begin(), 0);
  return tlv(0x02, number);
}

Bytes sequence(const std::vector<Bytes>& numbers) {
  Bytes body;
  for (const Bytes& number : numbers) body = joined(body, integer(number));
  return tlv(0x30, body);
}

// EMSA-PKCS1-v1_5 (RFC 8017 9.2) of a message.
Bytes encoded_message(const std::string& digest, const Bytes& message, size_t len) {
  static const std::map<std::string, std::string> kDigestInfo = {
      {"SHA1", "3021300906052b0e03021a05000414"},           {"SHA224", "302d300d06096086480165030402040500041c"},
      {"SHA256", "3031300d060960864801650304020105000420"}, {"SHA384", "3041300d060960864801650304020205000430"},
      {"SHA512", "3051300d060960864801650304020305000440"},
  };
  Bytes hash(64);
  size_t hash_len = 0;
  EXPECT_EQ(EVP_Q_digest(nullptr, digest.c_str(), nullptr, message.data(), message.size(), hash.data(), &hash_len), 1);
  hash.resize(hash_len);
  const Bytes info = joined(tests::from_hex(kDigestInfo.at(digest)), hash);
  Bytes padded{0x00, 0x01};
  padded.resize(len - info.size() - 1, 0xff);
  padded.push_back(0x00);
  return joined(padded, info);
}

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
  size_t keylen = 0;
  for (const auto& v : tests::read_vectors("asymmetric/RSA/FIPS_186-2/SigGen15_186-3.rsp")) {
    if (v.has("N")) {
      const Bytes n = v.bytes("N");
      const std::string e = v.values.at("E");
      keylen = n.size();
      const Bytes key = sequence({n, tests::from_hex(e.size() % 2 == 0 ? e : "0" + e)});
      ASSERT_EQ(crypto_akcipher_set_pub_key(*tfm, key), 0) << v.where();
      ASSERT_EQ(crypto_akcipher_maxsize(*tfm), keylen);
      continue;
    }
    const Bytes expected = encoded_message(v.values.at("SHAALG"), v.bytes("MSG"), keylen);
    const Result result = run(*tfm, api::crypto_akcipher_encrypt, v.bytes("S"), keylen, run_count % 40);
    ASSERT_EQ(result.err, 0) << v.where();
    ASSERT_EQ(result.out, expected) << v.where();
    ++run_count;
  }
  EXPECT_GT(run_count, 200u);
}

// One key pair of pkcs1v15sign-vectors.txt, with its messages and signatures.
struct Pair {
  std::map<std::string, Bytes> parts;
  std::vector<std::pair<Bytes, Bytes>> signatures;
  Bytes private_key() const {
    std::vector<Bytes> numbers{Bytes()};
    for (const char* part : {"Modulus", "Public exponent", "Exponent", "Prime 1", "Prime 2", "Prime exponent 1",
                             "Prime exponent 2", "Coefficient"}) {
      numbers.push_back(parts.at(part));
    }
    return sequence(numbers);
  }
};

std::vector<Pair> read_pairs() {
  const Bytes text = tests::read_vector_file("asymmetric/RSA/pkcs1v15sign-vectors.txt");
  std::istringstream in(std::string(text.begin(), text.end()));
  std::vector<Pair> pairs;
  std::string line;
  std::string label;
  while (std::getline(in, line)) {
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.pop_back();
    if (line.starts_with("# Example ")) pairs.emplace_back();
    if (line.starts_with("#")) label = line.ends_with(":") ? line.substr(2, line.size() - 3) : "";
    if (line.starts_with("#") && !pairs.empty()) {
      if (label == "Message to be signed") pairs.back().signatures.emplace_back();
      if (label != "Signature") pairs.back().parts[label].clear();
      continue;
    }
    if (label.empty() || pairs.empty() || line.empty() || line.starts_with("=")) continue;
    std::erase(line, ' ');
    Bytes& into = label == "Message to be signed" ? pairs.back().signatures.back().first
                  : label == "Signature"          ? pairs.back().signatures.back().second
                                                  : pairs.back().parts[label];
    into = joined(into, tests::from_hex(line));
  }
  return pairs;
}

TEST(Rsa, SignsAsPublished) {
  Machine machine;
  size_t keys = 0;
  size_t odd_sizes = 0;
  for (const Pair& pair : read_pairs()) {
    AkcipherHandle tfm = rsa(machine);
    const Bytes& n = pair.parts.at("Modulus");
    if (n.size() % 64 != 0) {  // 1025 to 1031 bits: not one of the kernel's sizes
      EXPECT_EQ(crypto_akcipher_set_priv_key(*tfm, pair.private_key()), -EINVAL);
      ++odd_sizes;
      continue;
    }
    ++keys;
    ASSERT_EQ(crypto_akcipher_set_priv_key(*tfm, pair.private_key()), 0);
    ASSERT_EQ(pair.signatures.size(), 20u);
    for (const auto& [message, signature] : pair.signatures) {
      const Bytes em = encoded_message("SHA1", message, n.size());
      EXPECT_EQ(run(*tfm, api::crypto_akcipher_decrypt, em, n.size(), 7).out, signature);
      EXPECT_EQ(run(*tfm, api::crypto_akcipher_encrypt, signature, n.size()).out, em);
    }
  }
  EXPECT_EQ(keys, 8u);
  EXPECT_EQ(odd_sizes, 7u);
}

TEST(Rsa, LengthsAndPadding) {
  Machine machine;
  const Pair pair = read_pairs().front();
  const Bytes n = pair.parts.at("Modulus");
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
