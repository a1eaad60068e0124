// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The checks against the model: recorded jobs with one bit of a descriptor changed are run and checked. What is called
// an error has to fail there; how many of the failures the words alone give away is counted, so that it does not get
// less unnoticed.
#include <gtest/gtest.h>

#include <fstream>

#include "desc/check/check.h"
#include "tests/desc/check/golden_entries.h"
#include "tools/replay.h"

namespace caamlab::tools {
namespace {

struct Count {
  unsigned runs = 0, failed = 0, found = 0, false_errors = 0;
};

uint32_t next(uint32_t& x) { return x = x * 1664525 + 1013904223; }

// Rules about what is on a path; the others speak of commands that this run may not come to, or of eras.
bool is_about_paths(desc::Rule rule) {
  using enum desc::Rule;
  switch (rule) {
    case kHeader:
    case kLength:
    case kSharedLength:
    case kDeadlock:
    case kMissingLast:
    case kNoKey:
    case kKeySize:
    case kSequenceUndefined:
    case kSequenceUnderflow:
    case kOutputShort:
    case kBlobLength:
      return true;
    default:
      return false;
  }
}

// Errors on the ways that a first run takes.
std::vector<desc::Finding> errors_of(const ReplayJob& job) {
  auto findings = desc::check({.shared = job.shared, .job = job.job, .target = job.target}, {.era = job.era});
  std::erase_if(findings, [](const desc::Finding& f) {
    return f.severity != desc::Severity::kError || !is_about_paths(f.rule) ||
           f.message.find("by sharing") != std::string::npos;
  });
  return findings;
}

void try_one(ReplayJob job, uint32_t random, Count& count) {
  const bool in_shared = !job.shared.empty() && (random >> 30 & 1) != 0;
  auto& words = in_shared ? job.shared : job.job;
  const unsigned index = (random >> 8) % words.size(), bit = random >> 24 & 31;
  words[index] ^= 1u << bit;
  const auto errors = errors_of(job);
  const bool failed = !run_replay_job(job).status.ok();
  ++count.runs;
  count.failed += failed;
  count.found += failed && !errors.empty();
  if (failed || errors.empty()) return;
  ++count.false_errors;
  ADD_FAILURE() << (in_shared ? "shared" : "job") << " word " << index << " bit " << bit << " -> "
                << fmt::format("{:08x}", words[index]) << ": " << desc::text_of(errors[0]);
}

TEST(CheckAgainstModel, ErrorsFail) {
  std::ifstream in("tests/replay/kernel-jobs.jsonl");
  std::string line;
  Count count;
  uint32_t random = 20240607;
  for (unsigned n = 0; std::getline(in, line); ++n) {
    if (n % 20 != 0) continue;
    const auto job = parse_replay_line(line);
    ASSERT_TRUE(job) << job.error().to_string();
    if (!job->executed || !job->memory_known || job->status != 0) continue;
    for (int i = 0; i < 4; ++i) try_one(*job, next(random), count);
  }
  fmt::print("{} runs, {} failed, {} of them found by the checks\n", count.runs, count.failed, count.found);
  EXPECT_GT(count.failed, 50u);
  EXPECT_GT(count.found, count.failed / 8);
}

}  // namespace
}  // namespace caamlab::tools
