// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What `caam run` does, for every name of the kernel's job ring driver: done by that driver, the same in serial and
// never mode, and back again where there is another direction.
#include "tools/run.h"

#include <gtest/gtest.h>

#include "api/errno.h"
#include "tests/driver/caam/rows.h"
#include "tests/driver/software/vectors.h"

namespace caamlab::tests {
namespace {

using desc::ShareMode;
using tools::RunInput;
using tools::RunReport;

const std::vector<ShareMode> kModes = {ShareMode::kSerial, ShareMode::kNever};

Bytes rsa_key() { return read_vector_file("asymmetric/DER_Serialization/testrsa.der"); }

RunInput input_for(const AlgRow& row) {
  RunInput in{.algorithm = row.driver, .jobs = 3};
  if (row.type == "skcipher") {
    in.key = key_for(row);
    in.iv = random_bytes(row.ivsize, 1);
    in.data = random_bytes(96, 2);
  } else if (row.type == "aead") {
    in.key = key_for(row);
    const AeadInput a = aead_input(row, 96, 16, 3);
    in.iv = a.iv, in.aad = a.aad, in.data = a.text;
  } else if (row.type == "ahash") {
    if (row.keyed) in.key = key_for(row);
    in.data = random_bytes(300, 4);
  } else if (row.type == "akcipher") {
    in.key = rsa_key();
    in.data = random_bytes(60, 5);
  }
  return in;
}

void expect_done(const RunReport& report, const AlgRow& row) {
  ASSERT_EQ(report.outcomes.size(), 2u);
  for (const auto& o : report.outcomes) {
    EXPECT_EQ(o.driver_name, row.driver);
    EXPECT_EQ(o.err, 0) << row.driver << ": " << api::errno_text(o.err);
    EXPECT_TRUE(o.all_equal) << row.driver;
    EXPECT_GE(o.device_jobs, 3u) << row.driver;
    ASSERT_EQ(o.statuses.size(), 1u) << row.driver;
    EXPECT_EQ(o.statuses.begin()->first, 0u) << row.driver;
    // Random numbers and generated IVs are new each time.
    if (!o.random && !row.geniv) {
      EXPECT_EQ(o.output, report.outcomes[0].output) << row.driver;
    }
  }
}

TEST(Run, EveryNameOfTheDriver) {
  for (const AlgRow& row : caam_rows()) {
    RunInput in = input_for(row);
    if (row.geniv) in.jobs = 1;
    SCOPED_TRACE(row.driver);
    const auto there = tools::run_requests(in, kModes);
    ASSERT_TRUE(there) << there.error().to_string();
    if (!row.geniv) expect_done(*there, row);
    ASSERT_EQ(there->outcomes[0].err, 0);
    if (row.type == "ahash" || row.type == "rng") continue;
    const Bytes text = in.data;
    in.decrypt = true;
    in.data = there->outcomes[0].output;
    const auto back = tools::run_requests(in, kModes);
    ASSERT_TRUE(back) << back.error().to_string();
    if (!row.geniv) expect_done(*back, row);
    Bytes got = back->outcomes[0].output;
    // RSA gives numbers of the modulus's length; a generated IV comes first.
    const size_t skip = row.type == "akcipher" ? got.size() - text.size() : row.geniv ? row.ivsize : 0;
    const size_t from = row.geniv ? row.ivsize : 0;
    ASSERT_EQ(hex(std::span(got).subspan(skip)), hex(std::span(text).subspan(from)));
  }
}

TEST(Run, RandomNumbersAreAsManyAsAsked) {
  RunInput in{.algorithm = "stdrng", .bytes = 77, .jobs = 2};
  const auto report = tools::run_requests(in, kModes);
  ASSERT_TRUE(report) << report.error().to_string();
  EXPECT_EQ(report->outcomes[0].output.size(), 77u);
  EXPECT_NE(report->outcomes[0].output, Bytes(77));
}

TEST(Run, WrongInputIsExplained) {
  struct Case {
    RunInput in;
    const char* says;
  };
  const Case kCases[] = {
      {{.algorithm = "rsa", .key = {1, 2, 3}, .data = {1}}, "RSAPublicKey"},
      {{.algorithm = "rsa", .key = {1, 2, 3}, .data = {1}, .decrypt = true}, "RSAPrivateKey"},
      {{.algorithm = "rsa", .key = rsa_key()}, "takes 1 to"},
      {{.algorithm = "rsa", .key = rsa_key(), .data = Bytes(1000)}, "takes 1 to"},
      {{.algorithm = "rsa", .key = rsa_key(), .iv = {1}, .data = {1}}, "rsa has neither"},
      {{.algorithm = "stdrng", .key = {1}}, "seed"},
      {{.algorithm = "stdrng", .bytes = 0}, "--bytes"},
      {{.algorithm = "stdrng", .data = {1}}, "none of them"},
  };
  for (const Case& c : kCases) {
    const auto report = tools::run_requests(c.in, kModes);
    ASSERT_FALSE(report) << c.says;
    EXPECT_NE(report.error().message.find(c.says), std::string::npos) << report.error().message;
  }
  const tools::StreamIo io{.read = [](size_t) { return Bytes(); }, .write = [](desc::ByteSpan) { return true; }};
  const auto stream = tools::run_stream({.algorithm = "rsa", .key = rsa_key()}, ShareMode::kNever, 16, io);
  ASSERT_FALSE(stream);
  EXPECT_NE(stream.error().message.find("one request"), std::string::npos);
}

}  // namespace
}  // namespace caamlab::tests
