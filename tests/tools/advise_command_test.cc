// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam advise: the table of docs/timing.md 6.3 as questions and answers.
#include <gtest/gtest.h>

#include <sstream>

#include "tests/tools/command.h"

namespace caamlab::tools {
namespace {

using nlohmann::json;

Said advise(std::vector<std::string> options) {
  static constexpr AddSubcommand kSubcommands[] = {add_advise};
  options.insert(options.begin(), "advise");
  return run_command(kSubcommands, std::move(options));
}
json ask(const std::string& machine, const std::string& workload, const std::string& share,
         const std::string& priority = "0") {
  const Said said =
      advise({"--machine", machine, "--workload", workload, "--share", share, "--priority", priority, "--json"});
  EXPECT_EQ(said.code, 0) << said.err;
  return json::parse(said.out);
}

struct Question {
  const char* machine;
  const char* workload;
  const char* share;
  const char* prefers;
  bool agree;
};
// Platform, traffic, and who should get it.
const Question kQuestions[] = {
    {"lx2160a", "size=4096 inflight=1 sync", "serial", "gcm-aes-ce", true},
    {"lx2160a", "size=65536 inflight=1 sync", "never", "gcm-aes-ce", true},
    {"lx2160a", "size=64 inflight=32", "never", "gcm-aes-ce", true},
    {"lx2160a", "size=512 inflight=32", "never", "gcm-aes-ce", true},
    {"lx2160a", "size=1420 inflight=32", "never", "gcm-aes-ce", false},
    {"lx2160a", "size=4096 inflight=32", "never", "gcm-aes-caam-qi2", true},
    {"lx2160a", "size=16384 inflight=32", "never", "gcm-aes-caam-qi2", true},
    {"ls1046a", "size=1420 inflight=32", "never", "gcm-aes-ce", true},
    {"imx8mn", "size=4096 inflight=1 sync alg=xts(aes)", "serial", "xts-aes-ce-256", true},
    {"qat-gen4-spr", "size=4096 inflight=1 sync alg=xts(aes)", "never", "xts-aes-vaes-avx512-256", true},
};

TEST(Advise, PrefersWhoShouldGetIt) {
  for (const Question& q : kQuestions) {
    const json a = ask(q.machine, q.workload, q.share);
    EXPECT_EQ(a["readings"][0]["preferred"]["driver"], q.prefers) << q.machine << ": " << q.workload << a.dump(1);
    EXPECT_EQ(a["readings_agree"], q.agree) << q.machine << ": " << q.workload;
  }
}

TEST(Advise, SaysWhatToChange) {
  // Priority 2000 brings the SEC to callers that wait: the core's driver has to be raised above it.
  const json wrong = ask("lx2160a", "size=4096 inflight=1 sync", "serial");
  EXPECT_EQ(wrong["present"], "gcm-aes-caam-qi2");
  EXPECT_EQ(wrong["change"], "crconf update driver gcm-aes-ce type 3 priority 2001");
  // At 100 it is right as it is.
  const json right = ask("lx2160a", "size=4096 inflight=1 sync", "serial", "100");
  EXPECT_EQ(right["present"], "gcm-aes-ce");
  EXPECT_TRUE(right["change"].is_null());
  const json raise = ask("lx2160a", "size=16384 inflight=32", "never", "100");
  EXPECT_EQ(raise["change"], "crconf update driver gcm-aes-caam-qi2 type 3 priority 301");
  // The size of a key is no part of a driver's name.
  const json nano = ask("imx8mn", "size=4096 sync alg=xts(aes)", "serial");
  EXPECT_EQ(nano["change"], "crconf update driver xts-aes-ce type 5 priority 3001");
}

TEST(Advise, Text) {
  const Said said = advise({"--workload", "size=1420 inflight=32", "--share", "never"});
  EXPECT_NE(said.out.find("gcm-aes-caam-qi2 (never)"), std::string::npos) << said.out;
  EXPECT_NE(said.out.find("disagree: measure on the board"), std::string::npos);
  const Said fine = advise({"--workload", "size=16384 inflight=32", "--share", "serial"});
  EXPECT_NE(fine.out.find("it wants share mode never"), std::string::npos) << fine.out;
}

TEST(Advise, SaysWhatIsWrong) {
  const auto refuses = [](const std::string& option, const std::string& value, const char* says) {
    const Said said = advise({option, value});
    EXPECT_EQ(said.code, 2) << value;
    EXPECT_NE(said.err.find(says), std::string::npos) << said.err;
  };
  refuses("--machine", "lx9", "no timing profile");
  refuses("--workload", "size=0", "a number from 1 on");
  refuses("--workload", "length=3", "size=N, inflight=N");
  refuses("--workload", "sync async", "exclude each other");
  refuses("--workload", "alg=rot13", "has no figures for rot13");
  refuses("--workload", "cpus=99999999 size=1", "");
}

}  // namespace
}  // namespace caamlab::tools
