// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// From descriptor words to a listing: first as data, one line a command, from which text and JSON are made. Broken
// input is decoded as far as it goes, with notes that say what is wrong.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "desc/text/walk.h"

namespace caamlab::desc {

// A field as a listing shows it.
struct ListedField {
  std::string_view name;
  std::string text;   // of its value: a name, several joined by '+', or a number; empty for a flag that is set
  bool bare = false;  // the text says enough without the name
};

struct ListedLine {
  ItemKind kind = ItemKind::kCommand;
  unsigned index = 0;  // in the descriptor buffer
  uint32_t word = 0;
  std::vector<uint32_t> operand_words{};
  std::string mnemonic{};
  std::vector<ListedField> fields{};  // those that are not zero or that one always wants to see
  // What follows the command word, as far as the command has it.
  std::optional<uint64_t> pointer{};
  std::optional<uint32_t> ext_len{};
  std::optional<uint64_t> value{};  // immediate number
  std::vector<uint8_t> data{};      // immediate bytes, in memory order; without padding
  bool raw_operands = false;        // the words hold what the above does not show (cut off, or padding that is not 0)
  std::optional<int> target{};      // of a local jump
  std::string gloss{};              // what it means, where the fields do not say it plainly
  std::vector<std::string> notes{};
};

struct Listing {
  std::vector<ListedLine> lines;
  std::vector<std::string> notes;  // about the whole
};

struct DisassembleOptions {
  Target target{};
  std::optional<int> era{};  // notes what this era does not have; unset: no such notes
  unsigned first_index = 0;  // of words[0], for a piece of a descriptor
  bool single = false;       // every word is a command by itself, without operands
};

Listing disassemble(std::span<const uint32_t> words, const DisassembleOptions& options);

// "  3  02800010  KEY             class1 imm len=16 data=000102..." and its notes, one line each.
std::string to_text(const ListedLine& line);
std::string to_text(const Listing& listing);
// The same in parts, without notes.
struct LineParts {
  std::string index, word, mnemonic, operands, gloss;
};
LineParts line_parts(const ListedLine& line);
// Mnemonic, fields and operands of a line, without index and word.
std::string operands_text(const ListedLine& line);

// The command that words[index] is, or belongs to as an operand. For messages.
std::string describe_word_at(std::span<const uint32_t> words, unsigned index, const DisassembleOptions& options);

// The pointer size, 4 or 8 bytes, with which the words make more sense; `fallback` if neither does.
uint8_t guess_ptr_bytes(std::span<const uint32_t> words, const Target& target, uint8_t fallback);

}  // namespace caamlab::desc
