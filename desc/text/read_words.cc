// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See read_words.h. Each line is classified by its form; the most telling form that occurs decides which lines count.
#include "desc/text/read_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "desc/text/walk.h"

namespace caamlab::desc {
namespace {

// In rising order of how telling it is.
enum class Form : uint8_t {
  kText,       // no words
  kPlain,      // nothing but words
  kMarked,     // nothing but words, each with 0x
  kAddressed,  // [label:] address: words [characters]
  kIndexed,    // [label][index] word
};

struct Line {
  Form form = Form::kText;
  unsigned number = 0;   // in the text, from 1
  uint64_t address = 0;  // of kAddressed and kIndexed
  unsigned group = 4;    // bytes of each number
  std::vector<uint64_t> numbers{};
  std::string_view text{};
};

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
void skip_spaces(std::string_view& s) {
  while (!s.empty() && is_space(s.front())) s.remove_prefix(1);
}

// Takes quoting and a kernel's time stamp "[   12.345678]" off the front.
std::string_view strip_prefix(std::string_view s) {
  skip_spaces(s);
  while (!s.empty() && s.front() == '>') {
    s.remove_prefix(1);
    skip_spaces(s);
  }
  if (!s.empty() && s.front() == '[') {
    const size_t close = s.find(']');
    if (close != std::string_view::npos) {
      std::string_view stamp = s.substr(1, close - 1);
      const bool digits = std::ranges::all_of(stamp, [](char c) { return is_digit(c) || c == '.' || is_space(c); });
      if (digits && stamp.find('.') != std::string_view::npos) s.remove_prefix(close + 1);
    }
  }
  skip_spaces(s);
  while (!s.empty() && is_space(s.back())) s.remove_suffix(1);
  return s;
}

struct Token {
  bool marked = false;        // with 0x
  std::string_view digits{};  // hexadecimal
};
// The number at the front of `s`, taken off; nullopt (and `s` as it was) if there is none.
std::optional<Token> take_token(std::string_view& s) {
  std::string_view rest = s;
  Token token;
  if (rest.size() > 2 && rest[0] == '0' && (rest[1] == 'x' || rest[1] == 'X')) {
    token.marked = true;
    rest.remove_prefix(2);
  }
  size_t n = 0;
  while (n < rest.size() && is_hex(rest[n])) ++n;
  if (n == 0) return std::nullopt;
  token.digits = rest.substr(0, n);
  rest.remove_prefix(n);
  if (token.marked)  // 0x12345678UL
    while (!rest.empty() && (rest.front() == 'u' || rest.front() == 'U' || rest.front() == 'l' || rest.front() == 'L'))
      rest.remove_prefix(1);
  if (!rest.empty() && !is_space(rest.front()) && rest.front() != ',' && rest.front() != ':' && rest.front() != ';' &&
      rest.front() != '}' && rest.front() != ']' && rest.front() != '"')
    return std::nullopt;
  s = rest;
  return token;
}

uint64_t to_number(std::string_view digits, int base) {
  uint64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  return value;
}

// Numbers of one line; in an addressed dump they may be of two or eight bytes, else a run of more than eight digits is
// cut into words.
struct NumberRun {
  std::vector<uint64_t> numbers;
  unsigned group = 4;
  bool all_marked = true;
  bool complete = false;  // nothing else on the line
};
bool is_separator(char c) {
  return is_space(c) || c == ',' || c == ';' || c == '{' || c == '}' || c == '[' || c == ']' || c == '"';
}
// Bytes of a number if the token can be one of a dump: all of a line have the same.
unsigned group_of(const Token& token, bool addressed) {
  const size_t n = token.digits.size();
  if (token.marked) return n <= 8 ? (n == 2 ? 1 : 4) : addressed && n == 16 ? 8 : 0;
  if (n == 2) return 1;
  if (addressed && (n == 4 || n == 16)) return static_cast<unsigned>(n / 2);
  return n % 8 == 0 ? 4 : 0;
}
NumberRun take_numbers(std::string_view s, bool addressed) {
  NumberRun run;
  bool mixed = false;
  while (!s.empty() && is_separator(s.front())) s.remove_prefix(1);
  while (!s.empty()) {
    const auto token = take_token(s);
    const unsigned group = token ? group_of(*token, addressed) : 0;
    if (group == 0) return run;
    if (run.numbers.empty()) run.group = group;
    if (group != run.group) {
      // "0x05" among "0xb0800002" is a word; in a dump a column of characters has begun.
      if (addressed || !token->marked) return run;
      mixed = true;
    }
    const size_t step = group == 4 ? 8 : token->digits.size();
    for (size_t i = 0; i < token->digits.size(); i += step)
      run.numbers.push_back(to_number(token->digits.substr(i, step), 16));
    run.all_marked = run.all_marked && token->marked;
    // A dump sets its column of characters off by two spaces; it may well look like a word.
    if (addressed && s.size() > 1 && is_space(s[0]) && is_space(s[1])) break;
    while (!s.empty() && is_separator(s.front())) s.remove_prefix(1);
  }
  if (mixed) run.group = 4;
  run.complete = s.empty();
  return run;
}

// "[12] b080000e", "Word[3]: b080000e", "DESC[0]:0xb080000e".
bool read_indexed(std::string_view s, Line& line) {
  const size_t open = s.find('[');
  if (open == std::string_view::npos) return false;
  const size_t close = s.find(']', open);
  if (close == std::string_view::npos || close == open + 1) return false;
  const std::string_view index = s.substr(open + 1, close - open - 1);
  if (!std::ranges::all_of(index, is_digit) || index.size() > 4) return false;
  s.remove_prefix(close + 1);
  while (!s.empty() && (is_space(s.front()) || s.front() == ':' || s.front() == '=')) s.remove_prefix(1);
  // Behind an index any number is a word, without leading zeros as well.
  const auto token = take_token(s);
  if (!token || token->digits.size() > 8) return false;
  line.address = to_number(index, 10);
  line.numbers = {to_number(token->digits, 16)};
  return true;
}

// "83f00000: b080000e f0000200    ....", with or without a label in front.
bool read_addressed(std::string_view s, Line& line) {
  for (size_t colon = s.find(':'); colon != std::string_view::npos; colon = s.find(':', colon + 1)) {
    size_t begin = colon;
    while (begin > 0 && is_hex(s[begin - 1])) --begin;
    const std::string_view address = s.substr(begin, colon - begin);
    if (address.size() < 6 || address.size() > 16) continue;
    std::string_view rest = s.substr(colon + 1);
    skip_spaces(rest);
    const NumberRun run = take_numbers(rest, /*addressed=*/true);
    if (run.numbers.empty()) continue;
    line.address = to_number(address, 16);
    line.numbers = run.numbers;
    line.group = run.group;
    return true;
  }
  return false;
}

Line classify(std::string_view text, unsigned number) {
  Line line{.number = number, .text = text};
  std::string_view s = strip_prefix(text);
  if (s.starts_with("//") || s.starts_with('#')) s = {};
  line.text = s;
  if (s.empty()) return line;
  if (read_indexed(s, line)) {
    line.form = Form::kIndexed;
  } else if (read_addressed(s, line)) {
    line.form = Form::kAddressed;
  } else {
    NumberRun run = take_numbers(s, /*addressed=*/false);
    if (run.numbers.empty() || !run.complete) {
      // Behind "static const u32 desc[] = {" and "words": [.
      const size_t key = s.find("\": [");
      const size_t list = key != std::string_view::npos ? key + 3 : s.find('{');
      if (list == std::string_view::npos) return line;
      run = take_numbers(s.substr(list + 1), /*addressed=*/false);
      if (run.numbers.empty() || !run.complete) return line;
    }
    line.form = run.all_marked ? Form::kMarked : Form::kPlain;
    line.numbers = run.numbers;
    line.group = run.group;
  }
  return line;
}

std::vector<Line> classify_lines(std::string_view text) {
  std::vector<Line> lines;
  for (unsigned number = 1; !text.empty(); ++number) {
    const size_t end = text.find('\n');
    lines.push_back(classify(text.substr(0, end), number));
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
  return lines;
}

// Words that come byte-swapped, as when a dump of a big-endian SEC is read on a little-endian core: only the swapped
// header is one.
void unswap(ReadWords& out) {
  if (out.words.empty()) return;
  const auto is_header = [](uint32_t word) {
    const auto h = header_info(word, 1);
    return h && get_bits(word, 23, 23) == 1 && get_bits(word, 15, 15) == 0;
  };
  if (is_header(out.words[0]) || !is_header(bswap32(out.words[0]))) return;
  for (uint32_t& word : out.words) word = bswap32(word);
  out.notes.push_back("the words are byte-swapped in the text (the first is a header only the other way round)");
}

Result<ReadWords> join_bytes(std::span<const uint8_t> bytes, Endian endian) {
  if (bytes.size() % 4 != 0)
    return fail(ErrorCode::kMalformed, fmt::format("{} bytes: not a whole number of 32-bit words", bytes.size()));
  ReadWords out;
  for (size_t i = 0; i < bytes.size(); i += 4) out.words.push_back(load32(bytes.data() + i, endian));
  return out;
}

// Whether the words of a dump so far are a whole descriptor, and the next line begins another.
bool begins_descriptor(const PastedDump& dump, const Line& line) {
  if (dump.group != 4 || line.group != 4 || dump.numbers.empty()) return false;
  const auto is_header = [](uint64_t number) {
    const auto word = static_cast<uint32_t>(number);
    const auto header = header_info(word, 1);
    return header && get_bits(word, 23, 23) == 1 && get_bits(word, 15, 15) == 0 ? header->len : 0u;
  };
  const unsigned len = is_header(dump.numbers[0]);
  return (len == 0 || dump.numbers.size() >= len) && is_header(line.numbers[0]) != 0;
}

// Gathers lines of one form into dumps.
class Collector {
 public:
  explicit Collector(Form form) : form_(form) {}

  std::optional<Error> take(const Line& line) {
    if (line.form != form_) {
      if (line.text.empty()) return std::nullopt;
      const bool hex = std::ranges::all_of(line.text, is_hex);
      if (form_ == Form::kPlain && hex)
        return Error{ErrorCode::kMalformed,
                     fmt::format("line {}: \"{}\" is not a list of words (8 hexadecimal digits each, or 0x in front)",
                                 line.number, line.text),
                     std::nullopt,
                     {}};
      ++skipped_;
      behind_text_ = true;
      return std::nullopt;
    }
    if (needs_new(line)) begin(line);
    behind_text_ = false;
    PastedDump& dump = dumps_.back();
    dump.numbers.insert(dump.numbers.end(), line.numbers.begin(), line.numbers.end());
    expected_ = line.address + (form_ == Form::kIndexed ? 1 : line.numbers.size() * line.group);
    return std::nullopt;
  }

  std::vector<PastedDump> finish() {
    if (skipped_ != 0 && !dumps_.empty())
      dumps_[0].notes.push_back(fmt::format("{} lines without words passed over", skipped_));
    return std::move(dumps_);
  }

 private:
  bool needs_new(const Line& line) const {
    if (dumps_.empty() || line.group != dumps_.back().group) return true;
    if (form_ >= Form::kAddressed) return line.address != expected_;
    return behind_text_ && begins_descriptor(dumps_.back(), line);
  }
  void begin(const Line& line) {
    PastedDump dump{.numbers = {}, .group = line.group, .line = line.number};
    if (form_ == Form::kIndexed) dump.first_index = static_cast<unsigned>(line.address);
    if (form_ == Form::kIndexed && !dumps_.empty() && line.address > expected_) {
      dump.apart = true;
      dump.notes.push_back(fmt::format("line {}: word {} follows word {}; the words between are missing", line.number,
                                       line.address, expected_ - 1));
    }
    dumps_.push_back(std::move(dump));
  }

  Form form_;
  std::vector<PastedDump> dumps_;
  uint64_t expected_ = 0;
  unsigned skipped_ = 0;
  bool behind_text_ = false;
};

uint64_t swapped(uint64_t number, unsigned group) {
  return group == 2 ? __builtin_bswap16(static_cast<uint16_t>(number)) : bswap32(static_cast<uint32_t>(number));
}

}  // namespace

Result<ReadWords> read_binary(std::span<const uint8_t> bytes, Endian endian) {
  if (bytes.empty()) return fail(ErrorCode::kMalformed, "no words: the input is empty");
  return join_bytes(bytes, endian);
}

Result<std::vector<PastedDump>> read_dumps(std::string_view text) {
  const std::vector<Line> lines = classify_lines(text);
  Form form = Form::kText;
  for (const Line& line : lines) form = std::max(form, line.form);
  if (form == Form::kText)
    return fail(ErrorCode::kMalformed, "no words: hexadecimal words are wanted, such as b080000e or 0xb080000e");
  Collector collector(form);
  for (const Line& line : lines)
    if (auto error = collector.take(line)) return tl::unexpected(*error);
  auto dumps = collector.finish();
  for (const PastedDump& dump : dumps)
    if (dump.numbers.size() * dump.group % 4 != 0)
      return fail(ErrorCode::kMalformed, fmt::format("line {}: {} bytes: not a whole number of 32-bit words", dump.line,
                                                     dump.numbers.size() * dump.group));
  return dumps;
}

std::vector<WordReading> readings_of(const PastedDump& dump) {
  const auto& n = dump.numbers;
  const auto make = [&](std::string_view how, std::optional<Endian> order, auto&& fill) {
    WordReading reading{{}, how, order};
    fill(reading.words);
    return reading;
  };
  // Numbers of 1 or 2 bytes joined to words, the first one lowest or highest; swapped before.
  const auto join = [&](bool low_first, bool swap) {
    return [&n, &dump, low_first, swap](std::vector<uint32_t>& words) {
      const unsigned per_word = 4 / dump.group, bits = dump.group * 8;
      for (size_t i = 0; i + per_word <= n.size(); i += per_word) {
        uint32_t word = 0;
        for (unsigned k = 0; k < per_word; ++k) {
          const auto part = static_cast<uint32_t>(swap ? swapped(n[i + k], dump.group) : n[i + k]);
          word |= part << (low_first ? k : per_word - 1 - k) * bits;
        }
        words.push_back(word);
      }
    };
  };
  const auto split = [&](bool low_first, bool swap) {
    return [&n, low_first, swap](std::vector<uint32_t>& words) {
      for (uint64_t number : n) {
        const uint32_t low = static_cast<uint32_t>(number), high = static_cast<uint32_t>(number >> 32);
        for (uint32_t word : {low_first ? low : high, low_first ? high : low})
          words.push_back(swap ? bswap32(word) : word);
      }
    };
  };
  switch (dump.group) {
    case 1:
      return {make("bytes, read as little-endian words", Endian::kLittle, join(true, false)),
              make("bytes, read as big-endian words", Endian::kBig, join(false, false))};
    case 2:
      return {make("halves, of a little-endian core and SEC", Endian::kLittle, join(true, false)),
              make("halves, of a big-endian core and SEC", Endian::kBig, join(false, false)),
              make("halves, of a little-endian core and a big-endian SEC", Endian::kBig, join(false, true)),
              make("halves, of a big-endian core and a little-endian SEC", Endian::kLittle, join(true, true))};
    case 8:
      return {
          make("pairs of words, of a little-endian core and SEC", Endian::kLittle, split(true, false)),
          make("pairs of words, of a big-endian core and SEC", Endian::kBig, split(false, false)),
          make("pairs of words, of a little-endian core and a big-endian SEC", Endian::kBig, split(true, true)),
          make("pairs of words, of a big-endian core and a little-endian SEC", Endian::kLittle, split(false, true))};
    default:
      return {make("as written", std::nullopt, [&](auto& words) { words.assign(n.begin(), n.end()); }),
              make("the words are byte-swapped in the text", std::nullopt, [&](auto& words) {
                for (uint64_t number : n) words.push_back(bswap32(static_cast<uint32_t>(number)));
              })};
  }
}

Result<ReadWords> read_words(std::string_view text, Endian endian) {
  auto dumps = read_dumps(text);
  if (!dumps) return tl::unexpected(dumps.error());
  PastedDump& dump = (*dumps)[0];
  const std::vector<WordReading> readings = readings_of(dump);
  // As asked, where the text has bytes.
  const size_t wanted = readings[0].order && *readings[0].order != endian ? 1 : 0;
  ReadWords out{.words = readings[wanted].words, .first_index = dump.first_index, .notes = std::move(dump.notes)};
  if (readings[0].order) out.notes.emplace_back(readings[wanted].how);
  unswap(out);
  if (dumps->size() > 1)
    out.notes.push_back(fmt::format("line {} begins another dump; it and what follows are left out", (*dumps)[1].line));
  return out;
}

}  // namespace caamlab::desc
