// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Descriptor words out of text as people have it: bare words, C arrays, and what kernels, boot loaders and mails make
// of a dump (time stamps, labels, addresses, indices, character columns, quoting).
#pragma once

#include <cstdint>
#include <optional>
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

// One dump of those that a text holds, as it stands there: numbers of one, two, four or eight bytes, still to be made
// words of.
struct PastedDump {
  std::vector<uint64_t> numbers;
  unsigned group = 4;        // bytes of each number
  unsigned first_index = 0;  // where the text numbers its words
  unsigned line = 1;         // of the text
  bool apart = false;        // set off from the dump before by words left out
  std::vector<std::string> notes{};
};

// All dumps of a text. A new one begins where numbers or addresses begin anew, or, in plain words, with a header behind
// text when the descriptor before is complete. Fails like read_words().
Result<std::vector<PastedDump>> read_dumps(std::string_view text);

// The ways to make words of a dump's numbers; the first is how it stands there.
struct WordReading {
  std::vector<uint32_t> words;
  std::string_view how;           // "as written", "bytes swapped", ...
  std::optional<Endian> order{};  // byte order of the words in memory, where the reading says it
};
std::vector<WordReading> readings_of(const PastedDump& dump);

// Reads words from bytes as they lie in memory. Fails unless they are a multiple of four.
Result<ReadWords> read_binary(std::span<const uint8_t> bytes, Endian endian);

}  // namespace caamlab::desc
