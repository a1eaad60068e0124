// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The fields of one command as a listing shows them. Part of the disassembler.
#pragma once

#include <string>

#include "desc/text/disassemble.h"

namespace caamlab::desc {

std::string hex32(uint32_t value);  // "0x00000800"

// Fills mnemonic, fields, gloss and the notes about single fields of `line` for its command.
void list_command(ListedLine& line, const Command& command);
// Takes the operand words apart: pointer, extended length, immediate data.
void list_operands(ListedLine& line, const Command& command, std::span<const uint32_t> operands, const Target& target);
// Fields of words that are no commands, such as PDB words: every field of C.
template <class C>
void list_fields(ListedLine& line, const C& c, uint32_t word);

// One field by the rules for all of them: flags when set, numbers unless zero, enumerations unless zero and nothing.
struct FieldView {
  std::string_view name;
  FieldKind kind;
  ValueNames values;
  uint32_t raw;
  uint8_t hi, lo;
};
void list_field(ListedLine& line, const FieldView& field);

template <class C>
void list_fields(ListedLine& line, const C& c, uint32_t word) {
  (void)c;
  for_each_field<C>([&](const auto& f) {
    list_field(line, {f.name, f.kind, f.values, get_bits(word, f.hi, f.lo), f.hi, f.lo});
  });
  if ((word & reserved_bits<C>()) != 0)
    line.notes.push_back("reserved bits are set: mask " + hex32(word & reserved_bits<C>()));
}

}  // namespace caamlab::desc
