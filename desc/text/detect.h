// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What a paste does not say: in which order the bytes of its words stand, how wide pointers are, which word of a
// pointer comes first. Each way is decoded and judged; the answer comes with how sure it is, and why.
#pragma once

#include <string>

#include "desc/text/disassemble.h"
#include "desc/text/read_words.h"

namespace caamlab::desc {

enum class Sureness : uint8_t {
  kGiven,       // by the caller
  kIrrelevant,  // every way gives the same listing
  kUnknown,     // no way is better; the usual one was taken
  kLikely,      // one way is a little better
  kSure,        // the others make no sense
};
std::string_view sureness_name(Sureness s);

struct Judged {
  Sureness sure = Sureness::kUnknown;
  std::string why;
};

struct Detected {
  std::vector<uint32_t> words;
  Target target{};
  std::string_view how;  // the words were read from the text
  Judged reading;        // order of bytes in the words
  Judged ptr;            // width of a pointer
  Judged ptr_order;      // little or big (or i.MX): which word of a pointer comes first
};

struct DetectOptions {
  std::optional<uint8_t> ptr_bytes{};
  std::optional<Endian> endian{};
  bool imx = false;
  std::optional<unsigned> first_index{};  // unset: as the dump numbers its words
};

Detected detect(const PastedDump& dump, const DetectOptions& options);

}  // namespace caamlab::desc
