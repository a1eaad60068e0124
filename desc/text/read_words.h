// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Descriptor words out of text as people have it: bare words, C arrays, and what kernels, boot loaders and mails make
// of a dump (time stamps, labels, addresses, indices, character columns, quoting).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "desc/bits.h"
#include "desc/result.h"

namespace caamlab::desc {

struct ReadWords {
  std::vector<uint32_t> words;
  unsigned first_index = 0;        // of words[0], where the text numbers its words
  std::vector<std::string> notes;  // what was assumed
};

// Reads logical words from text. Words are taken as written, unless the text shows bytes (pairs of digits, read in the
// byte order `endian`) or its first word is a header only with its bytes reversed (then all are). Lines without words
// are passed over where other lines are numbered, labelled or addressed; in plain text they are errors.
// Fails when there are no words, on what looks like a word and is none, and on gaps in numbered words.
Result<ReadWords> read_words(std::string_view text, Endian endian);

// Reads words from bytes as they lie in memory. Fails unless they are a multiple of four.
Result<ReadWords> read_binary(std::span<const uint8_t> bytes, Endian endian);

}  // namespace caamlab::desc
