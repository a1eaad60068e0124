// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See diff.h. What both begin and end with is set aside; the rest is aligned at least cost, where changing a command
// into one of its kind is cheaper than taking it out and putting another in.
#include "desc/text/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "desc/text/fields.h"

namespace caamlab::desc {
namespace {

using Lines = std::span<const ListedLine>;

// Equal but for where it jumps.
bool same_command(const ListedLine& a, const ListedLine& b) {
  const uint32_t mask = a.target && b.target ? ~bit_mask(7, 0) : ~0u;
  return a.kind == b.kind && (a.word & mask) == (b.word & mask) && a.operand_words == b.operand_words;
}
bool same_kind(const ListedLine& a, const ListedLine& b) { return a.kind == b.kind && a.mnemonic == b.mnemonic; }

unsigned change_cost(const ListedLine& a, const ListedLine& b) {
  if (same_command(a, b)) return 0;
  if (!same_kind(a, b)) return 1000;
  constexpr unsigned kChange = 4, kField = 1, kMost = 15;  // less than out and in again
  unsigned different = a.operand_words == b.operand_words ? 0 : kField;
  for (const ListedField& f : a.fields)
    different +=
        std::ranges::none_of(b.fields, [&](const ListedField& g) { return g.name == f.name && g.text == f.text; });
  return std::min(kMost, kChange + different * kField);
}
constexpr unsigned kInOrOut = 8;

struct Pair {
  std::optional<size_t> a, b;
};

std::vector<Pair> align(Lines a, Lines b) {
  size_t front = 0, back = 0;
  while (front < a.size() && front < b.size() && same_command(a[front], b[front])) ++front;
  while (back + front < a.size() && back + front < b.size() &&
         same_command(a[a.size() - 1 - back], b[b.size() - 1 - back]))
    ++back;
  const size_t rows = a.size() - front - back, columns = b.size() - front - back;
  std::vector<unsigned> cost((rows + 1) * (columns + 1));
  const auto at = [&](size_t i, size_t k) -> unsigned& { return cost[i * (columns + 1) + k]; };
  for (size_t i = 0; i <= rows; ++i)
    for (size_t k = 0; k <= columns; ++k) {
      if (i == 0 || k == 0) {
        at(i, k) = static_cast<unsigned>(i + k) * kInOrOut;
        continue;
      }
      at(i, k) = std::min({at(i - 1, k) + kInOrOut, at(i, k - 1) + kInOrOut,
                           at(i - 1, k - 1) + change_cost(a[front + i - 1], b[front + k - 1])});
    }
  std::vector<Pair> middle;
  for (size_t i = rows, k = columns; i != 0 || k != 0;) {
    if (i != 0 && k != 0 && at(i, k) == at(i - 1, k - 1) + change_cost(a[front + i - 1], b[front + k - 1])) {
      middle.push_back({front + --i, front + --k});
    } else if (k != 0 && at(i, k) == at(i, k - 1) + kInOrOut) {
      middle.push_back({std::nullopt, front + --k});
    } else {
      middle.push_back({front + --i, std::nullopt});
    }
  }
  std::vector<Pair> pairs;
  for (size_t i = 0; i < front; ++i) pairs.push_back({i, i});
  pairs.insert(pairs.end(), middle.rbegin(), middle.rend());
  for (size_t i = 0; i < back; ++i) pairs.push_back({front + rows + i, front + columns + i});
  return pairs;
}

// -- what changed in a pair -----------------------------------------------------------------------------------------

// What the tables say about a field and its value in a word.
struct About {
  std::string_view field, value;
};
About about(const ListedLine& line, std::string_view name) {
  About found;
  if (line.kind != ItemKind::kHeader && line.kind != ItemKind::kCommand) return found;
  std::visit(
      [&](const auto& c) {
        using C = std::decay_t<decltype(c)>;
        if constexpr (!std::is_same_v<C, InvalidCommand>)
          for_each_field<C>([&](const auto& f) {
            if (f.name != name) return;
            found.field = f.about;
            for (const ValueName& v : f.values)
              if (v.value == get_bits(line.word, f.hi, f.lo)) found.value = v.about;
          });
      },
      decode(line.word));
  return found;
}

std::string about_text(const ListedLine& a, const ListedLine& b, std::string_view name) {
  const About before = about(a, name), after = about(b, name);
  std::string text(before.field);
  if (before.value.empty() && after.value.empty()) return text;
  const auto or_nothing = [](std::string_view s) { return s.empty() ? std::string_view("-") : s; };
  if (!text.empty()) text += "; ";
  return text + fmt::format("before: {}, now: {}", or_nothing(before.value), or_nothing(after.value));
}

class Comparison {
 public:
  Comparison(const ListedLine& a, const ListedLine& b) : a_(a), b_(b) {}

  void fields() {
    std::vector<std::string_view> names;
    for (const ListedField& f : a_.fields) names.push_back(f.name);
    for (const ListedField& f : b_.fields)
      if (std::ranges::find(names, f.name) == names.end()) names.push_back(f.name);
    for (std::string_view name : names) put(name, text_of(a_, name), text_of(b_, name), about_text(a_, b_, name));
  }
  void operands() {
    const auto hex = [](const auto& v) { return v ? fmt::format("{:#x}", *v) : std::string(); };
    put("ptr", hex(a_.pointer), hex(b_.pointer), "address");
    put("extlen", a_.ext_len ? std::to_string(*a_.ext_len) : "", b_.ext_len ? std::to_string(*b_.ext_len) : "",
        "bytes");
    put("value", hex(a_.value), hex(b_.value), a_.gloss == b_.gloss ? "" : a_.gloss + "; now: " + b_.gloss);
    put("data", data_of(a_), data_of(b_), "immediate data");
    if (changes_.empty() && a_.operand_words != b_.operand_words) put("words", words_of(a_), words_of(b_), "");
    if (changes_.empty() && (a_.word != b_.word) && !(a_.target && b_.target))
      put("word", hex32(a_.word), hex32(b_.word), "");
  }
  void target(bool same) {
    if (same) return;
    const auto text = [](const ListedLine& l) { return l.target ? std::to_string(*l.target) : std::string(); };
    changes_.push_back({"target", text(a_), text(b_), "goes to another command"});
  }
  std::vector<FieldChange> take() { return std::move(changes_); }

 private:
  static std::string text_of(const ListedLine& line, std::string_view name) {
    for (const ListedField& f : line.fields)
      if (f.name == name) return f.text.empty() ? "set" : f.text;
    return {};
  }
  static std::string data_of(const ListedLine& line) {
    std::string hex;
    for (uint8_t byte : line.data) hex += fmt::format("{:02x}", byte);
    return hex;
  }
  static std::string words_of(const ListedLine& line) {
    std::string text;
    for (uint32_t word : line.operand_words) text += fmt::format("{}{:08x}", text.empty() ? "" : ",", word);
    return text;
  }
  void put(std::string_view name, std::string before, std::string after, std::string about) {
    if (before != after) changes_.push_back({std::string(name), std::move(before), std::move(after), std::move(about)});
  }

  const ListedLine& a_;
  const ListedLine& b_;
  std::vector<FieldChange> changes_;
};

}  // namespace

Result<std::vector<DiffLine>> diff(const Listing& a, const Listing& b) {
  constexpr size_t kMostLines = 4096;
  if (a.lines.size() > kMostLines || b.lines.size() > kMostLines)
    return fail(ErrorCode::kOutOfRange, fmt::format("more than {} lines to compare", kMostLines));
  const std::vector<Pair> pairs = align(a.lines, b.lines);
  // Indices of A to those of B; a jump to the end goes to the end.
  std::map<int, int> moved;
  for (const Pair& p : pairs)
    if (p.a && p.b) moved[static_cast<int>(a.lines[*p.a].index)] = static_cast<int>(b.lines[*p.b].index);
  const auto end_of = [](const Listing& l) {
    return l.lines.empty() ? 0 : static_cast<int>(l.lines.back().index + 1 + l.lines.back().operand_words.size());
  };
  moved[end_of(a)] = end_of(b);
  const auto same_target = [&](const ListedLine& x, const ListedLine& y) {
    if (!x.target || !y.target) return x.target == y.target;
    const auto to = moved.find(*x.target);
    if (to != moved.end()) return to->second == *y.target;
    return *x.target - static_cast<int>(x.index) == *y.target - static_cast<int>(y.index);
  };
  std::vector<DiffLine> out;
  for (const Pair& p : pairs) {
    DiffLine line{.a = p.a, .b = p.b};
    if (!p.b) {
      line.kind = DiffKind::kRemoved;
    } else if (!p.a) {
      line.kind = DiffKind::kAdded;
    } else {
      const ListedLine &x = a.lines[*p.a], &y = b.lines[*p.b];
      Comparison comparison(x, y);
      comparison.fields();
      comparison.operands();
      comparison.target(same_target(x, y));
      line.changes = comparison.take();
      if (!line.changes.empty()) line.kind = DiffKind::kChanged;
    }
    out.push_back(std::move(line));
  }
  return out;
}

}  // namespace caamlab::desc
