// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// /proc/crypto, written and read.
#include "api/machine/proc_crypto.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "api/machine/profile.h"

namespace caamlab::api {
namespace {

constexpr const char* kText =
    "name         : gcm(aes)\n"
    "driver       : gcm-aes-caam-qi2\n"
    "module       : dpaa2_caam\n"
    "priority     : 100\n"
    "refcnt       : 3\n"
    "selftest     : passed\n"
    "internal     : no\n"
    "type         : aead\n"
    "async        : yes\n"
    "blocksize    : 1\n"
    "ivsize       : 12\n"
    "maxauthsize  : 16\n"
    "geniv        : <none>\n"
    "\n"
    "name         : hmac(sha256)\n"
    "driver       : hmac(sha256-ce)\n"
    "module       : kernel\n"
    "priority     : 200\n"
    "refcnt       : 1\n"
    "selftest     : unknown\n"
    "internal     : no\n"
    "type         : shash\n"
    "blocksize    : 64\n"
    "digestsize   : 32\n"
    "\n"
    "name         : sha256\n"
    "driver       : sha256-ce\n"
    "module       : sha2_ce\n"
    "priority     : 200\n"
    "refcnt       : 2\n"
    "selftest     : passed\n"
    "internal     : no\n"
    "type         : shash\n"
    "blocksize    : 64\n"
    "digestsize   : 32\n"
    "\n"
    "name         : xts(aes)\n"
    "driver       : xts-aes-caam-qi2\n"
    "module       : dpaa2_caam\n"
    "priority     : 100\n"
    "refcnt       : 1\n"
    "selftest     : passed\n"
    "internal     : no\n"
    "type         : skcipher\n"
    "async        : yes\n"
    "blocksize    : 16\n"
    "min keysize  : 32\n"
    "max keysize  : 64\n"
    "ivsize       : 16\n"
    "chunksize    : 16\n"
    "walksize     : 16\n"
    "statesize    : 0\n"
    "\n";

TEST(ProcCrypto, ReadsWhatItShowsAndKnowsWhatItHides) {
  auto read = read_proc_crypto(kText);
  ASSERT_TRUE(read) << read.error().what;
  Machine& m = read->machine;
  ASSERT_EQ(m.algs().size(), 4u);
  EXPECT_EQ(m.algs().front().driver, "gcm-aes-caam-qi2");
  EXPECT_EQ(m.algs().front().refcnt, 3);
  EXPECT_NE(m.find_driver("xts-aes-caam-qi2")->flags & CRYPTO_ALG_ALLOCATES_MEMORY, 0u);
  EXPECT_NE(m.find_driver("xts-aes-caam-qi2")->flags & CRYPTO_ALG_NEED_FALLBACK, 0u);
  const ListedAlg* hmac = m.find_driver("hmac(sha256-ce)");
  EXPECT_TRUE(hmac->instance());
  EXPECT_FALSE(hmac->tested());
  ASSERT_EQ(hmac->parts.size(), 1u);
  EXPECT_EQ(hmac->parts[0].alg, m.find_driver("sha256-ce"));
  EXPECT_TRUE(read->unknown_flags.empty());
}

TEST(ProcCrypto, WritesWhatItRead) {
  const auto read = read_proc_crypto(kText);
  ASSERT_TRUE(read);
  EXPECT_EQ(proc_crypto_text(read->machine), kText);
}

TEST(ProcCrypto, EveryProfileThereAndBack) {
  for (const Profile& profile : profiles()) {
    const std::string text = proc_crypto_text(make_machine(profile));
    const auto read = read_proc_crypto(text);
    ASSERT_TRUE(read) << profile.name << ":" << read.error().line << ": " << read.error().what;
    EXPECT_EQ(proc_crypto_text(read->machine), text) << profile.name;
    EXPECT_TRUE(read->unknown_flags.empty()) << profile.name;
  }
}

// The machine the test runs on, where it shows its list.
TEST(ProcCrypto, ThisMachine) {
  std::ifstream file("/proc/crypto");
  std::stringstream text;
  text << file.rdbuf();
  if (text.str().empty()) GTEST_SKIP() << "no /proc/crypto here";
  const auto read = read_proc_crypto(text.str());
  ASSERT_TRUE(read) << read.error().line << ": " << read.error().what;
  EXPECT_TRUE(proc_crypto_text(read->machine) == text.str());
}

TEST(ProcCrypto, SaysWhatIsWrongAndWhere) {
  const auto line_of = [](std::string_view text) { return read_proc_crypto(text).error().line; };
  EXPECT_EQ(line_of("name : a\nwhat is this\n"), 2u);
  EXPECT_EQ(line_of("\nname : a\ndriver : b\npriority : x\ntype : aead\n"), 2u);
  EXPECT_EQ(line_of("name : a\ndriver : b\npriority : 1\ntype : unheard\n"), 1u);
  EXPECT_EQ(line_of("name : a\n\n"), 1u);
  EXPECT_TRUE(read_proc_crypto("")->machine.algs().empty());
}

}  // namespace
}  // namespace caamlab::api
