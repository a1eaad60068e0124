// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Compares descriptors that our constructors build with those of the kernel's, from files such as tests/golden/*.json:
// `constructor` and `params` say what to build; `words`, `words_share_never` (the same with share never) and `sec4_sg`
// (the S/G table of a request's job) what has to come out. Bits named in `unwritten` are not compared: constructors
// leave them as they were in the buffer.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "desc/descriptor.h"
#include "desc/result.h"

namespace caamlab::tools {

// An entry that is not identical.
struct Mismatch {
  std::string name;              // of the entry
  std::string constructor;       // of the entry
  std::string what;              // "words", "words_share_never", "sec4_sg"; empty if nothing was compared
  std::string reason;            // one sentence, with the first differing word decoded
  std::optional<unsigned> word;  // its index
};

struct GoldenReport {
  std::string file;
  unsigned entries = 0;
  unsigned identical = 0;
  std::vector<Mismatch> mismatches;  // in the order of the file
  bool ok() const { return identical == entries; }
};

// Builds and compares one entry; nullopt if it is identical. An entry whose constructor we do not have, or whose
// parameters are not understood, is a mismatch.
std::optional<Mismatch> check_golden_entry(const nlohmann::json& entry);

// `json`: a whole file. Fails with kInvalidArgument if it has no list of entries.
desc::Result<GoldenReport> check_golden(const nlohmann::json& json, std::string file);
// Fails if the file cannot be read or is not JSON.
desc::Result<GoldenReport> check_golden_file(const std::string& path);

}  // namespace caamlab::tools
