// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Runs recorded jobs (one JSON object a line: descriptors, the memory they read, the memory they had to write, the
// status) on a DECO configured as the line says, and compares. The format is that of tests/replay/README.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "desc/result.h"
#include "hw_model/deco/deco.h"

namespace caamlab::tools {

struct MemoryPiece {
  uint64_t addr = 0;
  std::vector<uint8_t> bytes;
};

struct ReplayJob {
  std::string run;      // platform variant, free text
  bool direct = false;  // via DECO request registers instead of a ring
  int era = 10;
  desc::Target target;
  desc::SgFormat sg_format = desc::SgFormat::kSec4;
  uint64_t job_addr = 0, shared_addr = 0;
  std::vector<uint32_t> job, shared;  // logical words
  std::vector<MemoryPiece> reads, writes;
  uint32_t status = 0;
  bool executed = true;          // false: recorded, but its result is not known
  bool memory_known = true;      // false: the line gives none of the data, so there is nothing to compare
  bool device_specific = false;  // bytes may lawfully differ: lengths and addresses must agree
  std::vector<std::string> ops;  // a hint for people
};

// One line. Errors name the key that is missing or wrong.
desc::Result<ReplayJob> parse_replay_line(std::string_view line);

struct ReplayDifference {
  std::string what;   // "status", "write"
  uint64_t addr = 0;  // of the first differing byte
  std::string expected, got;
  int command = -1;  // descriptor index that wrote the byte or ended the job; -1 unknown
};

struct ReplayResult {
  bool identical = false;
  bool compared = true;  // false: the line has no known result
  desc::JrStatus status;
  std::vector<MemoryPiece> writes;                   // what the job wrote, in order
  std::vector<std::pair<uint64_t, size_t>> refused;  // address and bytes of reads from memory that was not given
  std::vector<ReplayDifference> differences;
};

struct ReplayOptions {
  hw_model::TraceSink* trace = nullptr;
  // The recording device leaves black keys as they are; false: they are encrypted, the same way in every run.
  bool plain_black_keys = true;
  // Find the command that wrote the byte of the first difference, if that is a write (a second run).
  bool locate = false;
};

ReplayResult run_replay_job(const ReplayJob& job, const ReplayOptions& options = {});

}  // namespace caamlab::tools
