// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See find_status.h. A line is cut into numbers; what stands around a number decides what it is. One pass, no line is
// looked at again.
#include "desc/text/find_status.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <optional>

#include "desc/bits.h"
#include "desc/status/codes.h"
#include "desc/status/status_line.h"

namespace caamlab::desc {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_name(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

struct Number {
  size_t begin = 0, end = 0;
  std::string_view digits{};
  bool marked = false;  // 0x
  bool minus = false;
  bool decimal = false;  // only decimal digits
  uint64_t value(int base) const {
    uint64_t v = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), v, base);
    return v;
  }
};

// Numbers that stand by themselves: no letter, dot or @ before them, no letter behind.
std::vector<Number> numbers_of(std::string_view line) {
  std::vector<Number> found;
  for (size_t i = 0; i < line.size();) {
    if (!is_name(line[i])) {
      ++i;
      continue;
    }
    const size_t begin = i;
    while (i < line.size() && is_name(line[i])) ++i;
    Number n{.begin = begin, .end = i};
    n.digits = line.substr(begin, i - begin);
    if (n.digits.size() > 2 && n.digits[0] == '0' && lower(n.digits[1]) == 'x') {
      n.marked = true;
      n.digits.remove_prefix(2);
    }
    if (n.digits.size() > 16 || !std::ranges::all_of(n.digits, is_hex)) continue;
    const char before = begin == 0 ? ' ' : line[begin - 1];
    const char after = i == line.size() ? ' ' : line[i];
    if (before == '.' || before == '@' || (after == '.' && i + 1 < line.size() && is_name(line[i + 1]))) continue;
    n.decimal = std::ranges::all_of(n.digits, is_digit);
    n.minus = before == '-' && (begin < 2 || !is_name(line[begin - 2]));
    found.push_back(n);
  }
  return found;
}

// Lower-case words anywhere in the line.
bool mentions(std::string_view lower_line, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view w) { return lower_line.find(w) != std::string_view::npos; });
}

// "20000254: CCB: desc idx 2: RNG: ..." after the word: what the text says and the word does not.
std::vector<std::string> contradictions(std::string_view after, JrStatus status) {
  std::vector<std::string> notes;
  for (const auto& [name, source] : {std::pair{"CCB", StatusSource::kCcb}, std::pair{"DECO", StatusSource::kDeco}})
    if (after.starts_with(fmt::format(": {}:", name)) && status.source() != source)
      notes.push_back(fmt::format("the line says {}, the word is from {}", name, source_text(status)));
  static constexpr std::string_view kIndex = "desc idx ";
  const size_t at = after.find(kIndex);
  if (at != std::string_view::npos) {
    unsigned index = 0;
    const std::string_view digits = after.substr(at + kIndex.size());
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    if (end.ec == std::errc{} && index != status.index())
      notes.push_back(
          fmt::format("the line says index {}, the word says {} ({:#04x}): they are not from one event, or "
                      "the log was made by another program",
                      index, status.index(), status.index()));
    // The CHA stands behind the index.
    std::string_view rest(end.ptr, digits.data() + digits.size());
    if (status.source() == StatusSource::kCcb && rest.starts_with(": ") && !rest.starts_with(": :"))
      for (size_t cha = 1; cha < cha_texts().size(); ++cha)
        if (rest.substr(2).starts_with(fmt::format("{}:", cha_texts()[cha])) &&
            static_cast<size_t>(status.cha()) != cha)
          notes.push_back(fmt::format("the line says {}, the word says {}", cha_texts()[cha], cha_text(status)));
  }
  return notes;
}

class Finder {
 public:
  explicit Finder(bool bare) : bare_(bare) {}

  void line(std::string_view raw) {
    ++number_;
    // The signs of other alphabets that editors and browsers put in (direction marks, wide spaces) are spaces here.
    text_.assign(raw.size(), ' ');
    std::ranges::transform(raw, text_.begin(), [](char c) { return c > ' ' && c < 0x7F ? c : ' '; });
    while (!text_.empty() && text_.back() == ' ') text_.pop_back();
    text_.erase(0, std::min(text_.find_first_not_of(' '), text_.size()));
    const std::vector<Number> numbers = numbers_of(text_);
    if (take_bytes(numbers)) return;
    finish_event();
    if (numbers.empty()) return;
    lower_.resize(text_.size());
    std::ranges::transform(text_, lower_.begin(), lower);
    for (size_t i = 0; i < numbers.size(); ++i) {
      if (i + 1 < numbers.size() && joined(numbers[i], numbers[i + 1]))
        ++i;
      else
        single(numbers[i], numbers.size());
    }
  }

  std::vector<FoundStatus> finish() {
    finish_event();
    // Lone words among others that are none: a descriptor.
    if (other_lone_)
      std::erase_if(found_, [&](const FoundStatus& f) { return std::ranges::binary_search(lone_, f.line); });
    return std::move(found_);
  }

 private:
  FoundStatus& add(FoundKind kind, uint32_t word) {
    found_.push_back({.kind = kind, .word = word, .line = number_, .text = text_});
    return found_.back();
  }
  bool context() const {
    return mentions(lower_, {"caam", "status", "error", "err ", "sts", "deco", "ccb", "failed", "sec0", "sec_", "jr"});
  }

  // A word that a space or a sign of another alphabet has cut in two: "0x2000 081A".
  bool joined(const Number& a, const Number& b) {
    if (a.digits.size() != 4 || b.digits.size() != 4 || b.marked || b.begin != a.end + 1 || text_[a.end] != ' ')
      return false;
    if (!a.marked && !bare_) return false;
    const auto word = static_cast<uint32_t>(a.value(16) << 16 | b.value(16));
    if (!is_known_status(word)) return false;
    add(FoundKind::kStatus, word).notes.push_back("written as two halves");
    return true;
  }

  void single(const Number& n, size_t numbers) {
    if (n.minus && n.decimal && n.digits.size() <= 3) {
      const auto number = static_cast<uint32_t>(n.value(10));
      if (number != 0 && (bare_ || mentions(lower_, {"err", "ret", "fail", "rc", "code", "unable", "cannot"})))
        add(FoundKind::kErrno, 0u - number);
      return;
    }
    if (n.decimal && !n.marked && (n.digits.size() == 9 || n.digits.size() == 10)) return decimal(n);
    if (n.digits.size() == 16 || n.digits.size() > 8) return;
    const auto word = static_cast<uint32_t>(n.value(16));
    const std::string_view before = std::string_view(lower_).substr(0, n.begin);
    if (before.ends_with("irqstate: ") || before.ends_with("irqstate ") || before.ends_with("irqstate=") ||
        mentions(before, {"irqstate", "jrint"})) {
      add(FoundKind::kRingInterrupt, word);
      return;
    }
    if (n.digits.size() != 8 && !bare_) return;
    if (word >= 0xFFFFF001) {
      if (bare_ || context()) add(FoundKind::kErrno, word);
      return;
    }
    if (word >> 16 == 0xFFFF || (word >> 16 == 0xF010 && (word & 0xFFFF) <= 4)) {
      if (bare_ || mentions(lower_, {"tee", "res", "ret", "err", "fail", "panic", "0xffff"}))
        add(FoundKind::kTee, word);
      return;
    }
    status(n, word, numbers);
  }

  void decimal(const Number& n) {
    const uint64_t value = n.value(10);
    if (value > UINT32_MAX) return;
    const auto word = static_cast<uint32_t>(value);
    if (is_known_status(word) && (bare_ || context()))
      add(FoundKind::kStatus, word).notes.push_back("written in decimal");
  }

  void status(const Number& n, uint32_t word, size_t numbers) {
    const std::string_view after = std::string_view(text_).substr(n.end);
    const bool kernel_line =
        std::ranges::any_of(std::initializer_list<std::string_view>{": CCB:", ": DECO:", ": Jump:", ": Queue",
                                                                    ": Job Ring:", ": Condition", ": JR:", ": QI:"},
                            [&](std::string_view source) { return after.starts_with(source); });
    const bool alone = n.begin == 0 && n.end == text_.size();
    const bool known = is_known_status(word);
    if (!known && !bare_ && !kernel_line) {
      other_lone_ = other_lone_ || alone;
      return;
    }
    if (!bare_ && !kernel_line && !alone) {
      // An index or an address in front, or several words on a line: part of a dump.
      if (numbers > 3 || !context() || mentions(lower_, {"word[", "desc[", "jobdesc", "shdesc", "descriptor"})) return;
    }
    FoundStatus& found = add(FoundKind::kStatus, word);
    if (alone && !bare_) lone_.push_back(number_);
    if (!known && word != 0)
      found.contradictions.push_back("no status word of a job is like this: source or code is unknown");
    if (kernel_line && known) found.contradictions = contradictions(after, JrStatus{word});
  }

  // Lines of nothing but bytes may be a HAB event.
  bool take_bytes(const std::vector<Number>& numbers) {
    if (numbers.size() < 4) return false;
    size_t covered = 0;
    for (const Number& n : numbers) {
      if (n.digits.size() != 2) return false;
      covered += n.end - n.begin;
    }
    const auto spaces = std::ranges::count_if(text_, [](char c) { return c == ' ' || c == ','; });
    if (covered + static_cast<size_t>(spaces) != text_.size()) return false;
    if (event_.empty()) event_line_ = number_;
    for (const Number& n : numbers) event_.push_back(static_cast<uint8_t>(n.value(16)));
    return true;
  }

  // i.MX high assurance boot keeps what its crypto engine reported as words behind an 8-byte header: tag 0xDB, length
  // (16 bits), version, status, reason, context, engine (0x1D CAAM).
  void finish_event() {
    constexpr uint8_t kTag = 0xDB, kEngineCaam = 0x1D;
    const std::vector<uint8_t> event = std::move(event_);
    event_.clear();
    if (event.size() < 12 || event[0] != kTag || event[7] != kEngineCaam) return;
    for (size_t at = 8; at + 4 <= event.size(); at += 4) {
      const uint32_t word = load_be32(&event[at]);
      if (!is_known_status(word)) continue;
      found_.push_back({.kind = FoundKind::kStatus,
                        .word = word,
                        .line = event_line_,
                        .text = "HAB event of the CAAM",
                        .notes = {fmt::format("bytes {} to {} of the event", at, at + 3)}});
    }
  }

  bool bare_;
  unsigned number_ = 0;
  std::string text_, lower_;
  std::vector<uint8_t> event_;
  unsigned event_line_ = 0;
  bool other_lone_ = false;
  std::vector<unsigned> lone_;
  std::vector<FoundStatus> found_;
};

}  // namespace

std::vector<FoundStatus> find_status(std::string_view text, bool bare) {
  Finder finder(bare);
  while (!text.empty()) {
    const size_t end = text.find('\n');
    finder.line(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
  return finder.finish();
}

}  // namespace caamlab::desc
