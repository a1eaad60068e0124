// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See assemble.h. Each line becomes a word and its operands; jump targets are filled in at the end.
#include "desc/text/assemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "desc/text/encode_operands.h"
#include "desc/text/parse_command.h"

namespace caamlab::desc {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_name(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool all(std::string_view s, bool (*pred)(char)) { return std::ranges::all_of(s, pred); }

void trim(std::string_view& s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t' || s.back() == '\r')) s.remove_suffix(1);
}
// The first word of `s`, up to a space, taken off.
std::string_view take_word(std::string_view& s) {
  const size_t end = std::min(s.find_first_of(" \t"), s.size());
  const std::string_view word = s.substr(0, end);
  s.remove_prefix(end);
  trim(s);
  return word;
}

std::optional<std::vector<uint8_t>> parse_bytes(std::string_view text) {
  if (text.size() % 2 != 0 || !all(text, is_hex)) return std::nullopt;
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i < text.size(); i += 2)
    bytes.push_back(static_cast<uint8_t>(*parse_number("0x" + std::string(text.substr(i, 2)))));
  return bytes;
}

struct PendingJump {
  unsigned line;  // of the text
  size_t at;      // of the jump, in words
  int stated;     // number that the listing gives the jump
  unsigned section;
  std::string_view target;
};

class Assembler {
 public:
  explicit Assembler(const AssembleOptions& options) : options_(options), target_(options.target) {}

  Result<Assembled> run(std::string_view text) {
    while (!text.empty()) {
      const size_t end = text.find('\n');
      ++line_;
      if (auto error = take_line(text.substr(0, end))) return tl::unexpected(*error);
      text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    }
    if (auto error = resolve()) return tl::unexpected(*error);
    check_header();
    if (stale_ != 0)
      out_.notes.push_back(
          fmt::format("{} lines give other words than the column beside them (line {} first); the "
                      "text counts",
                      stale_, first_stale_));
    return std::move(out_);
  }

 private:
  using MaybeError = std::optional<Error>;

  Error error(std::string_view message, ErrorCode code = ErrorCode::kMalformed) const {
    return {code, fmt::format("line {}: {}", line_, message), std::nullopt, {}};
  }

  MaybeError take_line(std::string_view s) {
    constexpr size_t kMaxLine = 65536;
    if (s.size() > kMaxLine) return error("longer than 64 KiB");
    s = s.substr(0, s.find(';'));
    trim(s);
    if (s.empty() || s.front() == '#' || s.front() == '!') return std::nullopt;
    if (s.front() == '.') return take_directive(s);
    const size_t colon = s.find(':');
    if (colon != std::string_view::npos && colon != 0 && all(s.substr(0, colon), is_name) && !is_digit(s.front())) {
      if (!labels_.emplace(s.substr(0, colon), out_.words.size()).second)
        return error(fmt::format("the label {} is there already", s.substr(0, colon)));
      s.remove_prefix(colon + 1);
      trim(s);
      if (s.empty()) return std::nullopt;
    }
    return take_command(s);
  }

  // .target ptr=4 endian=big
  MaybeError take_directive(std::string_view s) {
    if (take_word(s) != ".target") return error("the only directive is .target, as in \".target ptr=8 endian=big\"");
    while (!s.empty()) {
      const std::string_view word = take_word(s);
      Target t = target_;
      if (word == "ptr=4" || word == "ptr=8") {
        t.ptr_bytes = word == "ptr=4" ? 4 : 8;
      } else if (word == "endian=big" || word == "endian=little" || word == "endian=imx") {
        t.endian = word == "endian=big" ? Endian::kBig : Endian::kLittle;
        t.imx = word == "endian=imx";
      } else {
        return error(fmt::format(".target takes ptr=4, ptr=8, endian=big, endian=little and endian=imx, not {}", word));
      }
      if (!options_.target_fixed) target_ = t;
    }
    ++section_;
    return std::nullopt;
  }

  // Number and word in front of a command, as a listing has them.
  void take_columns(std::string_view& s, std::optional<uint32_t>& column) {
    std::string_view rest = s;
    std::string_view word = take_word(rest);
    if (!word.empty() && word.size() <= 8 && all(word, is_digit) && !rest.empty()) {
      const std::string_view after = rest.substr(0, rest.find_first_of(" \t"));
      if (word.size() <= 5 || (after.size() == 8 && all(after, is_hex))) {
        const int index = static_cast<int>(*parse_number(word));
        if (index <= stated_) ++section_;
        stated_ = index;
        s = rest;
        rest = s;
        word = take_word(rest);
        has_stated_ = true;
        numbers_.emplace(std::pair{section_, index}, out_.words.size());
      }
    }
    if (word.size() == 8 && all(word, is_hex) && !rest.empty()) {
      column = static_cast<uint32_t>(*parse_number("0x" + std::string(word)));
      s = rest;
    }
  }

  MaybeError take_command(std::string_view s) {
    std::optional<uint32_t> column;
    has_stated_ = false;
    take_columns(s, column);
    const std::string_view mnemonic = take_mnemonic(s);
    trim(s);
    if (mnemonic.empty()) return error(fmt::format("no command begins with \"{}\"", s.substr(0, 24)));
    const size_t at = out_.words.size();
    if (auto wrong = mnemonic == "PDB" || mnemonic == "-" ? take_raw(s) : take_fields(mnemonic, s)) return wrong;
    if (column && out_.words[at] != *column && !pending_at(at)) note_stale();
    return std::nullopt;
  }
  bool pending_at(size_t at) const { return !jumps_.empty() && jumps_.back().at == at; }
  void note_stale() {
    if (stale_++ == 0) first_stale_ = line_;
  }

  // Words that are no commands: "PDB 0x00010000", "- 0x206d6574".
  MaybeError take_raw(std::string_view s) {
    if (s.empty()) return error("the words are missing: PDB and - are followed by numbers such as 0x00010000");
    while (!s.empty()) {
      const std::string_view text = take_word(s);
      const auto word = parse_number(text);
      if (!word || *word > UINT32_MAX) return error(fmt::format("\"{}\" is no 32-bit number", text));
      out_.words.push_back(static_cast<uint32_t>(*word));
    }
    return std::nullopt;
  }

  MaybeError take_fields(std::string_view mnemonic, std::string_view s) {
    std::vector<Token> fields;
    OperandValues values;
    std::optional<std::vector<uint32_t>> words;
    std::string_view target;
    bool counts_len = false;
    while (!s.empty()) {
      const std::string_view text = take_word(s);
      if (text == "->") {
        target = take_word(s);
        if (target.empty()) return error("-> is followed by a label or a number");
        continue;
      }
      const size_t equals = text.find('=');
      const Token token{text.substr(0, equals),
                        equals == std::string_view::npos ? std::string_view{} : text.substr(equals + 1),
                        equals != std::string_view::npos};
      bool taken = false;
      if (auto wrong = take_operand(token, values, words, taken)) return wrong;
      if (!taken) fields.push_back(token);
      counts_len = counts_len || token.name == "len";
    }
    const auto word = parse_command(mnemonic, fields);
    if (!word) return error(word.error().message, word.error().code);
    const size_t at = out_.words.size();
    if (at == 0 || header_at_.empty())
      if (mnemonic == "JOB HDR" || mnemonic == "SHR HDR") header_at_.push_back({at, line_, !counts_len});
    out_.words.push_back(*word);
    if (!target.empty()) jumps_.push_back({line_, at, has_stated_ ? stated_ : -1, section_, target});
    return append_operands(*word, values, words);
  }

  MaybeError take_operand(const Token& t, OperandValues& v, std::optional<std::vector<uint32_t>>& words, bool& taken) {
    taken = true;
    const auto number = [&](uint64_t max) -> std::optional<uint64_t> {
      const auto n = parse_number(t.value);
      return n && *n <= max ? n : std::nullopt;
    };
    const auto wrong = [&](std::string_view what) { return error(fmt::format("{}= takes {}", t.name, what)); };
    if (t.name == "ptr") {
      v.pointer = number(target_.ptr_bytes == 4 ? UINT32_MAX : UINT64_MAX);
      if (!v.pointer) return wrong(fmt::format("an address of {} bytes", target_.ptr_bytes));
    } else if (t.name == "extlen") {
      const auto n = number(UINT32_MAX);
      if (!n) return wrong("a 32-bit number");
      v.ext_len = static_cast<uint32_t>(*n);
    } else if (t.name == "value") {
      v.value = number(UINT64_MAX);
      if (!v.value) return wrong("a number");
    } else if (t.name == "data") {
      const auto bytes = parse_bytes(t.value);
      if (!bytes) return wrong("pairs of hexadecimal digits");
      v.data = *bytes;
      v.has_data = true;
    } else if (t.name == "words") {
      words.emplace();
      if (t.value == "none") return std::nullopt;
      for (std::string_view rest = t.value; !rest.empty();) {
        const size_t comma = std::min(rest.find(','), rest.size());
        const auto word = parse_number("0x" + std::string(rest.substr(0, comma)));
        if (!word || *word > UINT32_MAX) return wrong("words of 8 hexadecimal digits with commas between, or none");
        words->push_back(static_cast<uint32_t>(*word));
        rest.remove_prefix(std::min(comma + 1, rest.size()));
      }
    } else {
      taken = false;
    }
    return std::nullopt;
  }

  MaybeError append_operands(uint32_t word, const OperandValues& values,
                             const std::optional<std::vector<uint32_t>>& words) {
    if (words) {
      out_.words.insert(out_.words.end(), words->begin(), words->end());
      return std::nullopt;
    }
    if (options_.single) return std::nullopt;
    const auto operands = encode_operands(decode(word), values, target_);
    if (!operands) return error(operands.error().message, operands.error().code);
    out_.words.insert(out_.words.end(), operands->begin(), operands->end());
    return std::nullopt;
  }

  // Where a jump goes, in words from its own.
  std::optional<int64_t> offset_of(const PendingJump& jump) const {
    const auto here = static_cast<int64_t>(jump.at);
    if (const auto label = labels_.find(jump.target); label != labels_.end())
      return static_cast<int64_t>(label->second) - here;
    const bool negative = jump.target.starts_with('-');
    const auto number = parse_number(negative ? jump.target.substr(1) : jump.target);
    if (!number || *number > 1u << 20) return std::nullopt;
    const int wanted = static_cast<int>(*number) * (negative ? -1 : 1);
    // To a line of the same listing, wherever that is now; else as far as it was.
    if (const auto line = numbers_.find({jump.section, wanted}); line != numbers_.end())
      return static_cast<int64_t>(line->second) - here;
    return wanted - (jump.stated >= 0 ? jump.stated : here);
  }

  MaybeError resolve() {
    for (const PendingJump& jump : jumps_) {
      line_ = jump.line;
      uint32_t& word = out_.words[jump.at];
      if (!is_command<Jump>(word)) return error("only a JUMP has a target");
      const auto offset = offset_of(jump);
      if (!offset) return error(fmt::format("there is no label {}", jump.target), ErrorCode::kUnresolved);
      if (*offset < -128 || *offset > 127)
        return error(fmt::format("{} is {} words away; a jump reaches 127 forth and 128 back", jump.target, *offset),
                     ErrorCode::kUnresolved);
      word |= static_cast<uint32_t>(*offset) & 0xFF;
    }
    return std::nullopt;
  }

  // The length of a header that gives none is counted, another is compared.
  void check_header() {
    if (header_at_.size() != 1 || header_at_[0].at != 0) return;
    uint32_t& word = out_.words[0];
    const size_t size = out_.words.size();
    if (header_at_[0].count && size <= 0x7F) {
      word = (word & ~bit_mask(6, 0)) | static_cast<uint32_t>(size);
    } else if (get_bits(word, 6, 0) != size) {
      out_.notes.push_back(
          fmt::format("line {}: the header says {} words, there are {} (without len= they are counted)",
                      header_at_[0].line, get_bits(word, 6, 0), size));
    }
  }

  struct HeaderAt {
    size_t at;
    unsigned line;
    bool count;
  };

  const AssembleOptions& options_;
  Target target_;
  Assembled out_;
  unsigned line_ = 0, section_ = 0, stale_ = 0, first_stale_ = 0;
  int stated_ = -1;
  bool has_stated_ = false;
  std::map<std::string_view, size_t> labels_;
  std::map<std::pair<unsigned, int>, size_t> numbers_;
  std::vector<PendingJump> jumps_;
  std::vector<HeaderAt> header_at_;
};

}  // namespace

Result<Assembled> assemble(std::string_view text, const AssembleOptions& options) {
  return Assembler(options).run(text);
}

}  // namespace caamlab::desc
