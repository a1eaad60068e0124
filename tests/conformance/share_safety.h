// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Which of the kernel's shared descriptors give right results under which share mode, found by running them: many jobs
// of each, queued back to back, compared with the software of the same name (hardware.md 5).
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>

#include "desc/commands/header.h"
#include "hw_model/sharing.h"

namespace caamlab::tests {

struct ShareColumn {
  std::string_view name;
  desc::ShareMode mode;
  hw_model::SerialPolicy policy;
};
inline constexpr std::array<ShareColumn, 6> kShareColumns = {{
    {"never", desc::ShareMode::kNever, hw_model::SerialPolicy::kSelf},
    {"wait", desc::ShareMode::kWait, hw_model::SerialPolicy::kSelf},
    {"serial", desc::ShareMode::kSerial, hw_model::SerialPolicy::kSelf},
    {"always", desc::ShareMode::kAlways, hw_model::SerialPolicy::kSelf},
    {"wait, cross", desc::ShareMode::kWait, hw_model::SerialPolicy::kCross},
    {"serial, cross", desc::ShareMode::kSerial, hw_model::SerialPolicy::kCross},
}};

// The row of a form that the kernel has and the driver has not.
inline constexpr std::string_view kDkpToMemory = "`aead_null_encap`, DKP to memory (the kernel's, key not inline)";

// One row of the table: a constructor as used for a kind of algorithm.
struct ShareRow {
  unsigned algorithms = 0;
  std::array<unsigned, kShareColumns.size()> wrong{};  // algorithms of which at least one job went wrong
};
struct ShareTable {
  std::map<std::string, ShareRow> rows;  // by "`constructor`, kind"
  uint64_t followers = 0;                // jobs that found keys by sharing
};

// All algorithms of the driver on `platform`, `requests` of each, direction and mode; the first `columns` modes.
ShareTable measure_share_safety(const std::string& platform, unsigned requests, size_t columns = kShareColumns.size());

}  // namespace caamlab::tests
