// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Two descriptors command by command: which were put in, taken out or changed, and what a changed field means. Jumps
// that go to the same command as before are the same, whatever their distance.
#pragma once

#include <string>
#include <vector>

#include "desc/result.h"
#include "desc/text/disassemble.h"

namespace caamlab::desc {

struct FieldChange {
  std::string name;
  std::string before, after;  // empty: not set
  std::string about;          // what the field is, and what the two values mean, as the tables say it
};

enum class DiffKind : uint8_t { kSame, kChanged, kRemoved, kAdded };
struct DiffLine {
  DiffKind kind = DiffKind::kSame;
  std::optional<size_t> a, b;  // lines of the two listings
  std::vector<FieldChange> changes{};
};

// The lines of both in order. Fails when one has more than 4096 lines.
Result<std::vector<DiffLine>> diff(const Listing& a, const Listing& b);

}  // namespace caamlab::desc
