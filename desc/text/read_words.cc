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
  bool bytes = false;    // the words are pairs of digits
  std::vector<uint32_t> words{};
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
      rest.front() != '}')
    return std::nullopt;
  s = rest;
  return token;
}

uint64_t to_number(std::string_view digits, int base) {
  uint64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  return value;
}

// With 0x any number of up to eight digits; otherwise whole words (a run of them, too) or, in dumps of bytes, pairs, so
// that words of a text such as "add" or "CCB" are not taken for numbers.
bool is_word(const Token& token) {
  const size_t n = token.digits.size();
  return token.marked ? n <= 8 : n == 2 || n % 8 == 0;
}

// Words of one line; a run of more than eight digits is cut into words.
struct WordRun {
  std::vector<uint32_t> words;
  bool all_marked = true, all_pairs = true;
  bool complete = false;  // nothing else on the line
};
WordRun take_words(std::string_view s, bool stop_at_gap) {
  WordRun run;
  while (!s.empty()) {
    const auto token = take_token(s);
    if (!token || !is_word(*token)) return run;
    if (token->digits.size() > 8) {
      for (size_t i = 0; i < token->digits.size(); i += 8)
        run.words.push_back(static_cast<uint32_t>(to_number(token->digits.substr(i, 8), 16)));
      run.all_pairs = false;
    } else {
      run.words.push_back(static_cast<uint32_t>(to_number(token->digits, 16)));
      run.all_pairs = run.all_pairs && token->digits.size() == 2 && !token->marked;
    }
    run.all_marked = run.all_marked && token->marked;
    // A dump sets its column of characters off by two spaces; it may well look like a word.
    if (stop_at_gap && s.size() > 1 && is_space(s[0]) && is_space(s[1])) break;
    while (!s.empty() && (is_space(s.front()) || s.front() == ',' || s.front() == ';' || s.front() == '}'))
      s.remove_prefix(1);
  }
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
  line.words = {static_cast<uint32_t>(to_number(token->digits, 16))};
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
    const WordRun run = take_words(rest, /*stop_at_gap=*/true);
    if (run.words.empty()) continue;
    line.address = to_number(address, 16);
    line.words = run.words;
    line.bytes = run.all_pairs;
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
    if (s.front() == '{') s.remove_prefix(1);
    skip_spaces(s);
    const WordRun run = take_words(s, /*stop_at_gap=*/false);
    if (run.words.empty() || !run.complete) return line;
    line.form = run.all_marked ? Form::kMarked : Form::kPlain;
    line.words = run.words;
    line.bytes = run.all_pairs;
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

}  // namespace

Result<ReadWords> read_binary(std::span<const uint8_t> bytes, Endian endian) {
  if (bytes.empty()) return fail(ErrorCode::kMalformed, "no words: the input is empty");
  return join_bytes(bytes, endian);
}

Result<ReadWords> read_words(std::string_view text, Endian endian) {
  const std::vector<Line> lines = classify_lines(text);
  Form form = Form::kText;
  for (const Line& line : lines) form = std::max(form, line.form);
  if (form == Form::kText)
    return fail(ErrorCode::kMalformed, "no words: hexadecimal words are wanted, such as b080000e or 0xb080000e");

  ReadWords out;
  std::vector<uint32_t> found;
  bool bytes = true, first = true;
  unsigned skipped = 0;
  uint64_t expected = 0;
  for (const Line& line : lines) {
    if (line.form != form) {
      if (line.text.empty()) continue;
      // With 0x in front words are told from other numbers; without it a line of text is a mistake.
      if (form == Form::kPlain)
        return fail(ErrorCode::kMalformed,
                    fmt::format("line {}: \"{}\" is not a list of words (8 hexadecimal digits each, or 0x in front)",
                                line.number, line.text));
      ++skipped;
      continue;
    }
    if (form >= Form::kAddressed && !first && line.address != expected) {
      if (form == Form::kIndexed && line.address > expected)
        return fail(ErrorCode::kMalformed,
                    fmt::format("line {}: word {} follows word {}", line.number, line.address, expected - 1));
      out.notes.push_back(fmt::format("line {} begins another dump; it and what follows are left out", line.number));
      break;
    }
    if (first && form == Form::kIndexed) out.first_index = static_cast<unsigned>(line.address);
    first = false;
    expected = line.address + (form == Form::kIndexed ? 1 : line.words.size() * (line.bytes ? 1 : 4));
    bytes = bytes && line.bytes;
    found.insert(found.end(), line.words.begin(), line.words.end());
  }
  if (skipped != 0) out.notes.push_back(fmt::format("{} lines without words passed over", skipped));
  if (!bytes) {
    out.words = std::move(found);
    unswap(out);
    return out;
  }
  const std::vector<uint8_t> raw(found.begin(), found.end());
  auto joined = join_bytes(raw, endian);
  if (!joined) return joined;
  out.words = std::move(joined->words);
  out.notes.push_back(fmt::format("bytes, read as {}-endian words", endian == Endian::kLittle ? "little" : "big"));
  unswap(out);
  return out;
}

}  // namespace caamlab::desc
