// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Every recorded job of the stock kernel driver: the same writes, the same status. Lines whose result nobody knows, or
// that give none of their data, are counted but cannot fail.
#include "tools/replay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "desc/command.h"

namespace caamlab::tests {
namespace {

TEST(Replay, EveryExecutedJobIsIdentical) {
  std::ifstream file("tests/replay/kernel-jobs.jsonl");
  ASSERT_TRUE(file) << "tests/replay/kernel-jobs.jsonl is missing";
  std::string text;
  int line = 0, identical = 0, unknown = 0;
  while (std::getline(file, text)) {
    ++line;
    const auto job = tools::parse_replay_line(text);
    ASSERT_TRUE(job) << "line " << line << ": " << job.error().to_string();
    const tools::ReplayResult result = tools::run_replay_job(*job);
    if (!result.compared) {
      ++unknown;
      continue;
    }
    identical += result.identical;
    if (!result.identical)
      ADD_FAILURE() << "line " << line << " (" << job->run << "): " << result.differences[0].what << " expected "
                    << result.differences[0].expected << ", got " << result.differences[0].got;
  }
  EXPECT_EQ(line, 2029);
  EXPECT_EQ(identical + unknown, line);
  EXPECT_LE(unknown, 15);
}

TEST(Replay, ADifferenceIsFound) {
  std::ifstream file("tests/replay/kernel-jobs.jsonl");
  std::string text;
  int tried = 0;
  while (tried < 20 && std::getline(file, text)) {
    auto job = tools::parse_replay_line(text);
    ASSERT_TRUE(job);
    if (!job->executed || job->device_specific || job->writes.empty() || job->writes[0].bytes.empty()) continue;
    ++tried;
    job->writes[0].bytes[0] ^= 1;
    EXPECT_FALSE(tools::run_replay_job(*job).identical);
  }
  EXPECT_EQ(tried, 20);
}

// A recorded byte is changed: the command that wrote it is named, whatever it is that writes.
TEST(Replay, ADifferenceIsLocated) {
  std::ifstream file("tests/replay/kernel-jobs.jsonl");
  std::string text;
  std::map<std::string, int> writers;
  while (std::getline(file, text)) {
    auto job = tools::parse_replay_line(text);
    ASSERT_TRUE(job);
    if (!job->executed || job->device_specific || job->writes.empty()) continue;
    auto& last = job->writes.back().bytes;
    if (last.empty() || std::ranges::any_of(job->writes, [&](const auto& w) {
          return &w != &job->writes.back() && w.addr <= job->writes.back().addr + last.size();
        }))
      continue;
    last.back() ^= 1;
    const tools::ReplayResult result = tools::run_replay_job(*job, {.locate = true});
    ASSERT_FALSE(result.identical);
    const tools::ReplayDifference& d = result.differences[0];
    ASSERT_EQ(d.addr, job->writes.back().addr + last.size() - 1);
    auto words = job->shared;
    words.insert(words.end(), job->job.begin(), job->job.end());
    ASSERT_GE(d.command, 0) << text.substr(0, 400);
    ASSERT_LT(static_cast<size_t>(d.command), words.size());
    const desc::Command command = desc::decode(words[static_cast<size_t>(d.command)]);
    if (std::holds_alternative<desc::Store>(command))
      ++writers["store"];
    else if (std::holds_alternative<desc::FifoStore>(command))
      ++writers["fifo store"];
    else if (std::holds_alternative<desc::ProtocolOperation>(command))
      ++writers["protocol"];
    else
      ADD_FAILURE() << "word " << d.command << " writes nothing: " << text.substr(0, 400);
  }
  EXPECT_GT(writers["store"], 20);
  EXPECT_GT(writers["fifo store"], 20);
  EXPECT_GT(writers["protocol"], 2);
}

TEST(Replay, MalformedLinesSayWhatIsWrong) {
  const auto missing = tools::parse_replay_line(R"({"endian":"big"})");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("ptr_bytes"), std::string::npos);
  const auto word = tools::parse_replay_line(
      R"({"endian":"big","ptr_bytes":4,"era":8,"job":["zz"],"job_addr":"0x0","status":"00000000"})");
  ASSERT_FALSE(word);
  EXPECT_NE(word.error().message.find("job"), std::string::npos);
  EXPECT_FALSE(tools::parse_replay_line("not JSON"));
}

}  // namespace
}  // namespace caamlab::tests
