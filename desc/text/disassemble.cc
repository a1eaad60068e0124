// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See disassemble.h. Each item of the walk becomes a line; then what can only be judged on the whole is noted.
#include "desc/text/disassemble.h"

#include <fmt/format.h>

#include <algorithm>

#include "desc/descriptor.h"
#include "desc/era.h"
#include "desc/pdb.h"
#include "desc/text/encode_operands.h"
#include "desc/text/fields.h"

namespace caamlab::desc {
namespace {

void check_header(ListedLine& line, const Item& item, size_t available, unsigned ptr_words) {
  const auto header = header_info(line.word, ptr_words);
  if (!header) return;
  if (header->len == 0 || header->len > kMaxDescWords)
    line.notes.push_back(fmt::format("a descriptor has 1 to {} words, not {}", kMaxDescWords, header->len));
  else if (header->len > available - item.start)
    line.notes.push_back(fmt::format("it says {} words, there are {}", header->len, available - item.start));
  if (!header->has_shared && header->first >= header->len && header->first > 1)
    line.notes.push_back(fmt::format("the start index {} is not inside the {} words", header->first, header->len));
  if (header->has_shared && header->len < 1 + ptr_words)
    line.notes.push_back("there is no room for the pointer to the shared descriptor");
}

// Lines at which a jump may land.
void check_targets(Listing& listing) {
  auto& lines = listing.lines;
  if (lines.empty()) return;
  const auto last = std::ranges::find_if(lines, [](const auto& l) { return l.kind == ItemKind::kTrailing; });
  const ListedLine& end_line = last == lines.end() ? lines.back() : *last;
  const int begin = static_cast<int>(lines.front().index);
  const int end = static_cast<int>(end_line.index) +
                  (last == lines.end() ? 1 + static_cast<int>(end_line.operand_words.size()) : 0);
  for (ListedLine& line : lines) {
    if (!line.target) continue;
    const int target = *line.target;
    if (target < begin || target > end) {
      line.notes.push_back(fmt::format("the target {} is outside the words listed, {} to {}", target, begin, end - 1));
      continue;
    }
    const auto at = std::ranges::find_if(lines, [&](const ListedLine& l) {
      const int first = static_cast<int>(l.index);
      return target > first && target <= first + static_cast<int>(l.operand_words.size());
    });
    if (at != lines.end())
      line.notes.push_back(fmt::format("the target {} is an operand of the {} at {}", target, at->mnemonic, at->index));
  }
}

// -- PDB ------------------------------------------------------------------------------------------------------------

// The protocol that a descriptor with a PDB runs.
std::optional<ProtocolOperation> find_protocol(std::span<const Item> items, unsigned start) {
  for (const Item& item : items)
    if (const auto* op = std::get_if<ProtocolOperation>(&item.command);
        op != nullptr && item.kind == ItemKind::kCommand && item.start == start)
      return *op;
  return std::nullopt;
}

// Names of the pointers in the order of the PDB; the word before and, where there is one, the word behind them are
// typed.
struct RsaLayout {
  bool encrypt;
  std::vector<std::string_view> pointers;
  bool last_word;
};
std::optional<RsaLayout> rsa_layout(const ProtocolOperation& op) {
  if (op.type != ProtocolType::kUnidirectional) return std::nullopt;
  if (op.id == protid::kRsaEncrypt) return RsaLayout{true, {"f", "g", "n", "e"}, true};
  if (op.id != protid::kRsaDecrypt) return std::nullopt;
  switch (static_cast<RsaPrivForm>(get_bits(op.info, 1, 0))) {
    case RsaPrivForm::kForm1:
      return RsaLayout{false, {"g", "f", "n", "d"}, false};
    case RsaPrivForm::kForm2:
      return RsaLayout{false, {"g", "f", "d", "p", "q", "tmp1", "tmp2"}, true};
    case RsaPrivForm::kForm3:
      return RsaLayout{false, {"g", "f", "c", "p", "q", "dp", "dq", "tmp1", "tmp2"}, true};
  }
  return std::nullopt;
}

size_t rsa_pdb_words(const RsaLayout& layout, const Target& target) {
  return 1 + layout.pointers.size() * target.ptr_words() + (layout.last_word ? 1 : 0);
}

ListedLine pdb_line(unsigned index, uint32_t word) {
  return {.kind = ItemKind::kPdb, .index = index, .word = word, .mnemonic = "PDB"};
}

template <class C>
void list_word(ListedLine& line) {
  list_fields(line, decode_as<C>(line.word), line.word);
}

// One line for each part of an RSA PDB; false if the words are not as many as its layout wants.
bool list_rsa_pdb(Listing& listing, std::span<const uint32_t> words, unsigned index, const RsaLayout& layout,
                  const Target& target) {
  if (words.size() != rsa_pdb_words(layout, target)) return false;
  ListedLine first = pdb_line(index, words[0]);
  if (layout.encrypt)
    list_word<RsaPubWord>(first);
  else
    list_word<RsaPrivWord>(first);
  listing.lines.push_back(std::move(first));
  size_t at = 1;
  for (std::string_view name : layout.pointers) {
    ListedLine line = pdb_line(index + static_cast<unsigned>(at), words[at]);
    for (unsigned i = 1; i < target.ptr_words(); ++i) line.operand_words.push_back(words[at + i]);
    line.fields.push_back({"number", std::string(name), true});
    line.pointer = pointer_from_words(words.data() + at, target);
    listing.lines.push_back(std::move(line));
    at += target.ptr_words();
  }
  if (layout.last_word) {
    ListedLine line = pdb_line(index + static_cast<unsigned>(at), words[at]);
    if (layout.encrypt)
      line.fields.push_back({"f_len", std::to_string(words[at]), false});
    else
      list_word<RsaPrimeLengths>(line);
    listing.lines.push_back(std::move(line));
  }
  return true;
}

void list_pdb(Listing& listing, std::span<const uint32_t> words, unsigned index,
              const std::optional<ProtocolOperation>& op, const Target& target) {
  if (op) {
    if (const auto layout = rsa_layout(*op)) {
      if (list_rsa_pdb(listing, words, index, *layout, target)) return;
      listing.notes.push_back(fmt::format("the PDB has {} words, this protocol's has {} with pointers of {} bytes",
                                          words.size(), rsa_pdb_words(*layout, target), target.ptr_bytes));
    }
  }
  for (size_t i = 0; i < words.size(); ++i)
    listing.lines.push_back(pdb_line(index + static_cast<unsigned>(i), words[i]));
}

// -------------------------------------------------------------------------------------------------------------------

// True if the operands shown do not give back the words they were read from.
bool hides_something(const ListedLine& line, const Command& command, const Target& target) {
  const auto words = encode_operands(command,
                                     {.pointer = line.pointer,
                                      .ext_len = line.ext_len,
                                      .value = line.value,
                                      .data = line.data,
                                      .has_data = !line.data.empty()},
                                     target);
  return !words || *words != line.operand_words;
}

ListedLine command_line(const Item& item, uint32_t word, const DisassembleOptions& options) {
  ListedLine line{.kind = item.kind, .index = options.first_index + item.index, .word = word};
  line.operand_words.assign(item.operands.begin(), item.operands.end());
  list_command(line, item.command);
  list_operands(line, item.command, item.operands, options.target);
  if (!options.single) line.raw_operands = hides_something(line, item.command, options.target);
  if (item.missing != 0)
    line.notes.push_back(
        fmt::format("{} of its {} operand words are missing", item.missing, item.missing + item.operands.size()));
  if (options.era)
    for_each_newer_feature(word, *options.era, [&](const EraRow& row) {
      line.notes.push_back(fmt::format("{} exists from era {} on", row.what, row.era));
    });
  return line;
}

}  // namespace

Listing disassemble(std::span<const uint32_t> words, const DisassembleOptions& options) {
  Listing listing;
  std::vector<Item> items;
  if (options.single)
    for (unsigned i = 0; i < words.size(); ++i) items.push_back({.index = i, .command = decode(words[i])});
  else
    walk(words, options.target.ptr_words(), [&](const Item& item) { items.push_back(item); });
  unsigned trailing = 0;
  for (size_t i = 0; i < items.size(); ++i) {
    const Item& item = items[i];
    const uint32_t word = words[item.index];
    if (item.kind == ItemKind::kPdb) {
      size_t n = 1;
      while (i + n < items.size() && items[i + n].kind == ItemKind::kPdb && items[i + n].start == item.start) ++n;
      list_pdb(listing, words.subspan(item.index, n), options.first_index + item.index,
               find_protocol(items, item.start), options.target);
      i += n - 1;
      continue;
    }
    if (item.kind == ItemKind::kTrailing) {
      ++trailing;
      listing.lines.push_back(
          {.kind = item.kind, .index = options.first_index + item.index, .word = word, .mnemonic = "-"});
      continue;
    }
    ListedLine line = command_line(item, word, options);
    if (item.kind == ItemKind::kHeader) check_header(line, item, words.size(), options.target.ptr_words());
    listing.lines.push_back(std::move(line));
  }
  if (options.single) return listing;
  if (!items.empty() && items[0].kind == ItemKind::kCommand)
    listing.notes.push_back("no header: a piece of a descriptor");
  if (trailing != 0)
    listing.notes.push_back(fmt::format("{} of {} words lie behind the descriptor", trailing, words.size()));
  check_targets(listing);
  return listing;
}

namespace {

void put(std::string& text, std::string_view part) {
  if (!text.empty()) text += ' ';
  text += part;
}

std::string fields_text(const ListedLine& line) {
  std::string text;
  for (const ListedField& f : line.fields) {
    if (f.text.empty())
      put(text, f.name);
    else if (f.bare)
      put(text, f.text);
    else
      put(text, fmt::format("{}={}", f.name, f.text));
  }
  return text;
}

// Words that are no commands are written as they are; what they mean comes behind.
bool is_raw(const ListedLine& line) { return line.kind == ItemKind::kPdb || line.kind == ItemKind::kTrailing; }
std::string raw_text(const ListedLine& line) {
  std::string text = hex32(line.word);
  for (uint32_t word : line.operand_words) put(text, hex32(word));
  return text;
}
std::string raw_gloss(const ListedLine& line) {
  std::string text = fields_text(line);
  if (line.pointer) put(text, fmt::format("ptr={:#x}", *line.pointer));
  if (line.kind != ItemKind::kTrailing) return text;
  // Texts lie behind a descriptor more often than one would think.
  uint8_t bytes[4];
  store_be32(bytes, line.word);
  if (std::ranges::all_of(bytes, [](uint8_t c) { return c >= ' ' && c < 0x7F; }))
    put(text, fmt::format("\"{}{}{}{}\"", char(bytes[0]), char(bytes[1]), char(bytes[2]), char(bytes[3])));
  return text;
}

void put_operands(std::string& text, const ListedLine& line) {
  if (line.raw_operands) {
    std::string words;
    for (uint32_t word : line.operand_words) words += fmt::format("{}{:08x}", words.empty() ? "" : ",", word);
    return put(text, "words=" + (words.empty() ? "none" : words));
  }
  if (line.pointer) put(text, fmt::format("ptr={:#x}", *line.pointer));
  if (line.ext_len) put(text, fmt::format("extlen={}", *line.ext_len));
  if (line.value) put(text, fmt::format("value={:#x}", *line.value));
  if (line.data.empty()) return;
  std::string hex;
  for (uint8_t byte : line.data) hex += fmt::format("{:02x}", byte);
  put(text, "data=" + hex);
}

}  // namespace

std::string operands_text(const ListedLine& line) {
  if (is_raw(line)) return raw_text(line);
  std::string text = fields_text(line);
  put_operands(text, line);
  if (line.target) put(text, fmt::format("-> {}", *line.target));
  return text;
}

LineParts line_parts(const ListedLine& line) {
  return {.index = fmt::format("{:3}", line.index),
          .word = fmt::format("{:08x}", line.word),
          .mnemonic = line.mnemonic,
          .operands = operands_text(line),
          .gloss = is_raw(line) ? raw_gloss(line) : line.gloss};
}

std::string to_text(const ListedLine& line) {
  const LineParts parts = line_parts(line);
  std::string text = fmt::format("{}  {}  {:<14}  {}", parts.index, parts.word, parts.mnemonic, parts.operands);
  while (text.ends_with(' ')) text.pop_back();
  if (!parts.gloss.empty()) text += fmt::format("  ; {}", parts.gloss);
  text += '\n';
  for (const std::string& note : line.notes) text += fmt::format("{:15}! {}\n", "", note);
  return text;
}

std::string to_text(const Listing& listing) {
  std::string text;
  for (const ListedLine& line : listing.lines) text += to_text(line);
  for (const std::string& note : listing.notes) text += fmt::format("! {}\n", note);
  return text;
}

std::string describe_word_at(std::span<const uint32_t> words, unsigned index, const DisassembleOptions& options) {
  const Listing listing = disassemble(words, options);
  for (const ListedLine& line : listing.lines) {
    if (line.index == index) return line.fields.empty() ? line.mnemonic : line.mnemonic + " " + operands_text(line);
    if (index > line.index && index <= line.index + line.operand_words.size())
      return fmt::format("operand {} of the {} at {}", index - line.index, line.mnemonic, line.index);
  }
  return "no word of the descriptor";
}

// No part decodes more; a command word taken for the upper half of a pointer shows.
constexpr unsigned kLikelyAddressBits = 49;

uint8_t guess_ptr_bytes(std::span<const uint32_t> words, const Target& target, uint8_t fallback) {
  const auto oddities = [&](uint8_t ptr_bytes) {
    Target t = target;
    t.ptr_bytes = ptr_bytes;
    const Listing listing = disassemble(words, {.target = t});
    size_t n = listing.notes.size();
    for (const ListedLine& line : listing.lines) {
      n += line.notes.size();
      if (line.pointer && *line.pointer >> kLikelyAddressBits != 0) ++n;
    }
    return n;
  };
  const size_t with4 = oddities(4), with8 = oddities(8);
  return with4 == with8 ? fallback : with4 < with8 ? 4 : 8;
}

}  // namespace caamlab::desc
