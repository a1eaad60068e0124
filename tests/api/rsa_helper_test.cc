// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// RSA keys from BER: what is taken, what is refused with which errno.
#include "api/rsa_helper.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "api/errno.h"
#include "tests/api/runner.h"

namespace caamlab::api {
namespace {

struct PubCase {
  const char* what;
  const char* ber;  // hex
  int err;
  const char *n, *e;
};

const PubCase kPubCases[] = {
    {"plain",
     "3007"
     "0202c001"
     "020103",
     0, "c001", "03"},
    {"sign byte",
     "3008"
     "020300c001"
     "020103",
     0, "c001", "03"},
    {"length in long form",
     "308107"
     "0202c001"
     "020103",
     0, "c001", "03"},
    {"length in four bytes",
     "308400000007"
     "0202c001"
     "020103",
     0, "c001", "03"},
    {"nothing", "", -EBADMSG, "", ""},
    {"only a tag", "30", -EBADMSG, "", ""},
    {"a SET",
     "3107"
     "0202c001"
     "020103",
     -EBADMSG, "", ""},
    {"cut off",
     "3007"
     "0202c001"
     "0201",
     -EBADMSG, "", ""},
    {"a byte behind",
     "3007"
     "0202c001"
     "020103"
     "00",
     -EBADMSG, "", ""},
    {"a third number",
     "300a"
     "0202c001"
     "020103"
     "020101",
     -EBADMSG, "", ""},
    {"one number",
     "3004"
     "0202c001",
     -EBADMSG, "", ""},
    {"a string for a number",
     "3007"
     "0402c001"
     "020103",
     -EBADMSG, "", ""},
    {"a number longer than its sequence",
     "3007"
     "0202c001"
     "020203",
     -EBADMSG, "", ""},
    {"indefinite length",
     "3080"
     "0202c001"
     "020103"
     "0000",
     -EBADMSG, "", ""},
    {"length in five bytes",
     "30850000000007"
     "0202c001"
     "020103",
     -EBADMSG, "", ""},
    {"zero exponent",
     "3007"
     "0202c001"
     "020100",
     -EINVAL, "", ""},
    {"empty exponent",
     "3006"
     "0202c001"
     "0200",
     -EINVAL, "", ""},
    {"zero modulus",
     "3007"
     "02020000"
     "020103",
     -EINVAL, "", ""},
    {"exponent longer than the modulus",
     "3009"
     "0202c001"
     "0203010001",
     -EINVAL, "", ""},
};

TEST(RsaHelper, PublicKeys) {
  for (const PubCase& c : kPubCases) {
    const tests::Bytes ber = tests::from_hex(c.ber);
    RsaKey key;
    EXPECT_EQ(rsa_parse_pub_key(&key, ber), c.err) << c.what;
    if (c.err != 0) continue;
    EXPECT_EQ(tests::hex(key.n), c.n) << c.what;
    EXPECT_EQ(tests::hex(key.e), c.e) << c.what;
    EXPECT_TRUE(key.d.empty());
    EXPECT_EQ(rsa_parse_pub_key(&key, ber, true), -EINVAL) << "too short for FIPS mode";
  }
}

// version, n, e, d, p, q, dp, dq, qinv
std::string private_key(int missing, const char* d = "020205a1") {
  const char* parts[] = {"020100", "0202c001", "020103", d, "020165", "02017b", "020151", "020135", "020111"};
  std::string body;
  for (int i = 0; i < 9; ++i) {
    if (i != missing) body += parts[i];
  }
  const size_t len = body.size() / 2;
  const char* digits = "0123456789abcdef";
  return std::string("30") + digits[len >> 4] + digits[len & 15] + body;
}

TEST(RsaHelper, PrivateKeys) {
  RsaKey key;
  const tests::Bytes good = tests::from_hex(private_key(-1));
  ASSERT_EQ(rsa_parse_priv_key(&key, good), 0);
  EXPECT_EQ(tests::hex(key.d), "05a1");
  EXPECT_EQ(tests::hex(key.p), "65");
  EXPECT_EQ(tests::hex(key.q), "7b");
  EXPECT_EQ(tests::hex(key.dp), "51");
  EXPECT_EQ(tests::hex(key.dq), "35");
  EXPECT_EQ(tests::hex(key.qinv), "11");
  for (int missing = 0; missing < 9; ++missing) {
    EXPECT_EQ(rsa_parse_priv_key(&key, tests::from_hex(private_key(missing))), -EBADMSG) << missing;
  }
  for (const char* d : {"020100", "0203010203"}) {
    EXPECT_EQ(rsa_parse_priv_key(&key, tests::from_hex(private_key(-1, d))), -EINVAL) << d;
  }
  // A member of CRT that is 0 is none.
  std::string without_p = private_key(-1);
  without_p.replace(without_p.find("020165"), 6, "020100");
  const auto crt_less = tests::from_hex(without_p);  // which the key points into
  EXPECT_EQ(rsa_parse_priv_key(&key, crt_less), 0);
  EXPECT_TRUE(key.p.empty());
  EXPECT_EQ(tests::hex(key.q), "7b");
  // Every prefix is refused.
  for (size_t len = 0; len < good.size(); ++len) {
    EXPECT_EQ(rsa_parse_priv_key(&key, std::span(good).first(len)), -EBADMSG) << len;
  }
}

}  // namespace
}  // namespace caamlab::api
