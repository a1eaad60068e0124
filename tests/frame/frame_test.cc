// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// That each library of third_party/system compiles, links and answers.

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <CLI/CLI.hpp>
#include <array>
#include <boost/intrusive/list.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <tl/expected.hpp>

#ifdef CAAMLAB_HAVE_IPSEC_MB
#include <intel-ipsec-mb.h>
#endif

namespace {

std::string sha256_hex(const std::string& text) {
  std::array<unsigned char, 32> digest{};
  unsigned int size = 0;
  EXPECT_EQ(EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr), 1);
  std::string hex;
  for (unsigned char byte : digest) hex += fmt::format("{:02x}", byte);
  return hex;
}

TEST(Frame, LibcryptoAndFmt) {
  // FIPS 180-4, example "abc".
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Frame, Json) { EXPECT_EQ(nlohmann::json::parse(R"({"words": [1, 2]})")["words"][1], 2); }

TEST(Frame, Expected) {
  tl::expected<int, std::string> value = tl::make_unexpected("no");
  EXPECT_THAT(value.error(), testing::StartsWith("n"));
}

TEST(Frame, Intrusive) {
  struct Node : boost::intrusive::list_base_hook<> {
    int value = 7;
  } node;
  boost::intrusive::list<Node> list;
  list.push_back(node);
  EXPECT_EQ(list.front().value, 7);
  list.clear();
}

TEST(Frame, CommandLine) {
  CLI::App app;
  int jobs = 0;
  app.add_option("--jobs", jobs);
  app.parse("--jobs 3");
  EXPECT_EQ(jobs, 3);
}

#ifdef CAAMLAB_HAVE_IPSEC_MB
TEST(Frame, IpsecMb) { EXPECT_GE(imb_get_version(), unsigned{IMB_VERSION(1, 0, 0)}); }
#else
#ifdef __x86_64__
#error "the x86_64 setting of //:BUILD did not match"
#endif
#endif

}  // namespace
