// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// A status word beside the descriptor it is said to come from: which command the index names, and whether the error is
// one this command can raise.
#pragma once

#include <string>
#include <vector>

#include "desc/jr_status.h"
#include "desc/text/disassemble.h"

namespace caamlab::desc {

struct StatusPlace {
  std::optional<unsigned> line;             // into Listing::lines, of the command the index names
  std::string where;                        // "KEY class2 len=16 ...", or why there is none
  std::vector<std::string> contradictions;  // reasons why word and descriptor do not belong together
  std::vector<std::string> remarks;         // what is worth knowing and no contradiction
};

// `words`: a job descriptor, a shared one, or a shared one with the job descriptor behind it. The index counts in the
// descriptor buffer, where the shared descriptor lies first unless REO is set.
StatusPlace place_status(JrStatus status, std::span<const uint32_t> words, const DisassembleOptions& options);

}  // namespace caamlab::desc
