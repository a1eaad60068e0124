// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// From the language of listings back to words (docs/assembler.md). Any listing that disassemble() makes gives the words
// it was made of.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "desc/bits.h"
#include "desc/result.h"

namespace caamlab::desc {

struct Assembled {
  std::vector<uint32_t> words;
  std::vector<std::string> notes;  // lengths that do not fit, columns of a listing that are out of date
};

struct AssembleOptions {
  Target target{};            // unless the text says .target
  bool single = false;        // every line is a command word without operands
  bool target_fixed = false;  // .target in the text is not followed
};

// Lines of at most 64 KiB; the error names the line. Jumps go to labels ("name:") or to the numbers that the lines had
// in the listing, so that lines can be put in and taken out.
Result<Assembled> assemble(std::string_view text, const AssembleOptions& options);

}  // namespace caamlab::desc
