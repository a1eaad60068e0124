// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What gen_calls.cc writes: functions out of descriptors, beside the words they have to make.
#pragma once

#include <span>
#include <vector>

#include "desc/descriptor.h"
#include "desc/result.h"

namespace caamlab::desc {

struct GeneratedCase {
  const char* name;
  Result<Descriptor> (*make)();
  std::vector<uint32_t> words;
};
std::span<const GeneratedCase> generated_cases();

}  // namespace caamlab::desc
