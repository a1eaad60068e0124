// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See parse_command.h. The inverse of fields.cc, in the same order: commands that list straight from their table are
// read straight from it, the others have an overload of take_special().
#include "desc/text/parse_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "desc/reg_bits.h"
#include "desc/text/names.h"

namespace caamlab::desc {

std::optional<uint64_t> parse_number(std::string_view text) {
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  }
  uint64_t value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || end.ec != std::errc{} || end.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

namespace {

using MaybeError = std::optional<Error>;

Error malformed(std::string message) { return {ErrorCode::kMalformed, std::move(message), std::nullopt, {}}; }

std::string names_list(ValueNames names) {
  std::string text;
  for (const ValueName& v : names) text += fmt::format("{}{}", text.empty() ? "" : ", ", v.name);
  return text;
}

std::optional<uint32_t> value_of(ValueNames names, std::string_view text) {
  for (const ValueName& v : names)
    if (v.name == text) return v.value;
  const auto number = parse_number(text);
  if (number && *number <= UINT32_MAX) return static_cast<uint32_t>(*number);
  return std::nullopt;
}

// Values joined by '+', each a name or a number, or-ed together.
std::optional<uint32_t> bits_of(ValueNames names, std::string_view text) {
  uint32_t value = 0;
  while (!text.empty()) {
    const size_t plus = text.find('+');
    const auto one = value_of(names, text.substr(0, plus));
    if (!one) return std::nullopt;
    value |= *one;
    text = plus == std::string_view::npos ? std::string_view{} : text.substr(plus + 1);
  }
  return value;
}

// A command in the making.
struct Maker {
  uint32_t word = 0;
  std::span<const Token> tokens;

  const Token* find(std::string_view name) const {
    const auto token = std::ranges::find(tokens, name, &Token::name);
    return token == tokens.end() ? nullptr : &*token;
  }
  MaybeError put(std::string_view name, std::optional<uint64_t> value, unsigned hi, unsigned lo,
                 ValueNames names = {}) {
    if (!value)
      return malformed(names.empty()
                           ? fmt::format("{} has a value that is no number", name)
                           : fmt::format("{} has no such value; there are {}, and numbers", name, names_list(names)));
    if (*value > bit_mask(hi - lo, 0))
      return Error{ErrorCode::kOutOfRange,
                   fmt::format("{}: {} is more than {}", name, *value, bit_mask(hi - lo, 0)),
                   std::nullopt,
                   {}};
    word = (word & ~bit_mask(hi, lo)) | put_bits(static_cast<uint32_t>(*value), hi, lo);
    return std::nullopt;
  }
};

// A field by the rules of list_field(). True in `taken` if the token names it.
template <class F>
MaybeError take_field(Maker& m, const F& f, const Token& token, bool& taken) {
  const bool bare_class =
      f.name == "class" && !token.has_value && value_of(f.values, token.name).has_value() && !parse_number(token.name);
  if (bare_class) {
    taken = true;
    return m.put(f.name, value_of(f.values, token.name), f.hi, f.lo, f.values);
  }
  if (token.name != f.name) return std::nullopt;
  taken = true;
  switch (f.kind) {
    case FieldKind::kFlag:
      return m.put(f.name, token.has_value ? parse_number(token.value) : 1, f.hi, f.lo);
    case FieldKind::kBits:
      return m.put(f.name, bits_of(f.values, token.value), f.hi, f.lo, f.values);
    default:
      return m.put(f.name, value_of(f.values, token.value), f.hi, f.lo, f.values);
  }
}

template <class C>
MaybeError take_from_table(Maker& m, const Token& token, bool& taken) {
  MaybeError error;
  for_each_field<C>([&](const auto& f) {
    if (!taken && !error) error = take_field(m, f, token, taken);
  });
  return error;
}

template <class C>
constexpr std::pair<unsigned, unsigned> place_of(std::string_view name) {
  std::pair<unsigned, unsigned> place{};
  for_each_field<C>([&](const auto& f) {
    if (f.name == name) place = {f.hi, f.lo};
  });
  return place;
}
template <class C>
MaybeError put(Maker& m, std::string_view name, std::optional<uint64_t> value, ValueNames names = {}) {
  const auto [hi, lo] = place_of<C>(name);
  return m.put(name, value, hi, lo, names);
}

// -- one overload per command that is not read from its table alone ---------------------------------------------------
// Called for each token before the table; sets `taken` if it was one of its own. `pass` 0 comes before `pass` 1: what
// the meaning of other tokens depends on (class, algorithm) is read in the first.

template <class C>
struct Tag {};

template <class C>
MaybeError take_special(Maker&, Tag<C>, const Token&, bool&) {
  return std::nullopt;
}

// "sgf" and "vlf" are one bit, so are "imm" and "aidf".
template <class C>
MaybeError take_pointer_form(Maker& m, const Token& t, bool& taken) {
  const bool first = t.name == "sgf" || t.name == "vlf";
  const bool second = t.name == "imm" || t.name == "aidf";
  if ((!first && !second) || t.has_value) return std::nullopt;
  const std::string_view name = first ? "sgf_vlf" : place_of<C>("imm").first != 0 ? "imm" : "imm_aidf";
  if (place_of<C>(name).first == 0) return std::nullopt;
  taken = true;
  return put<C>(m, name, 1);
}

MaybeError take_special(Maker& m, Tag<Key>, const Token& t, bool& taken) { return take_pointer_form<Key>(m, t, taken); }

template <class C>
MaybeError take_register(Maker& m, std::string_view label, const Token& t, bool& taken) {
  const auto cls = static_cast<ClassSel>(get_bits(m.word, 26, 25));
  if (t.name == label) {
    taken = true;
    std::optional<uint32_t> code = value_of({}, t.value);
    for (const RegRow& row : kRegTable)
      if (row.name == t.value && (row.classes >> static_cast<unsigned>(cls) & 1) != 0) code = row.code;
    if (!code)
      return malformed(fmt::format("{}: class {} has no register \"{}\"", label,
                                   kRegClassNames[static_cast<size_t>(cls)].name, t.value));
    return put<C>(m, label, code);
  }
  if (t.name == "len" && t.value.starts_with("math")) {
    taken = true;
    return put<C>(m, "len", parse_number(t.value.substr(4)));
  }
  return take_pointer_form<C>(m, t, taken);
}
MaybeError take_special(Maker& m, Tag<Load>, const Token& t, bool& taken) {
  const auto load = decode_as<Load>(m.word);
  if (load.is_deco_ctrl() && t.name != "dst") {
    if (auto error = take_from_table<DecoCtrl>(m, t, taken); taken || error) return error;
  }
  return take_register<Load>(m, "dst", t, taken);
}
MaybeError take_special(Maker& m, Tag<Store>, const Token& t, bool& taken) {
  return take_register<Store>(m, "src", t, taken);
}

MaybeError take_special(Maker& m, Tag<FifoLoad>, const Token& t, bool& taken) {
  if (t.name == "skip" && !t.has_value) {
    taken = true;
    return put<FifoLoad>(m, "class", 0);
  }
  if (t.name == "type") {
    taken = true;
    static const std::vector<ValueName> kNames = [] {
      std::vector<ValueName> names(kFifoLoadTypeNames.begin(), kFifoLoadTypeNames.end());
      names.insert(names.end(), {{kFifoLoadLast2, "last2"}, {kFifoLoadLast1, "last1"}, {kFifoLoadFlush1, "flush1"}});
      return names;
    }();
    return put<FifoLoad>(m, "type", bits_of(kNames, t.value), kNames);
  }
  return take_pointer_form<FifoLoad>(m, t, taken);
}
MaybeError take_special(Maker& m, Tag<FifoStore>, const Token& t, bool& taken) {
  if (t.name == "aux") {
    taken = true;
    return put<FifoStore>(m, "class", parse_number(t.value));
  }
  return take_pointer_form<FifoStore>(m, t, taken);
}

template <MoveKind kKind>
MaybeError take_special(Maker& m, Tag<MoveOf<kKind>>, const Token& t, bool& taken) {
  const auto move = decode_as<MoveOf<kKind>>(m.word);
  if (t.name != "len" || !move.from_input() || move.dst != MoveDst::kOutFifo) return std::nullopt;
  taken = true;
  return m.put("len", parse_number(t.value), 15, 0);
}
MaybeError take_special(Maker& m, Tag<MoveLen>, const Token& t, bool& taken) {
  if (t.name != "len") return std::nullopt;
  taken = true;
  if (!t.value.starts_with("math")) return malformed("len of a MOVE_LEN is math0 to math3");
  return put<MoveLen>(m, "mathreg", parse_number(t.value.substr(4)));
}

std::optional<uint32_t> aai_of(Alg alg, std::string_view text) {
  const AaiNames names = aai_names(alg);
  // Names of modes contain '+', so the longest that fits comes first.
  std::optional<ValueName> mode;
  for (const ValueName& v : names.modes)
    if (text.starts_with(v.name) && (text.size() == v.name.size() || text[v.name.size()] == '+') &&
        (!mode || v.name.size() > mode->name.size()))
      mode = v;
  if (mode) {
    text.remove_prefix(std::min(text.size(), mode->name.size() + 1));
    const auto bits = bits_of(names.bits, text);
    return bits ? std::optional(mode->value | *bits) : std::nullopt;
  }
  if (alg == Alg::kAes && text.starts_with("ctr") && text.size() > 3) {
    const size_t plus = text.find('+');
    const auto width = parse_number(text.substr(3, plus == std::string_view::npos ? plus : plus - 3));
    if (!width || *width % 8 != 0 || *width < 8 || *width > 120) return std::nullopt;
    const auto bits = bits_of(names.bits, plus == std::string_view::npos ? std::string_view{} : text.substr(plus + 1));
    return bits ? std::optional(static_cast<uint32_t>(*width / 8) | *bits) : std::nullopt;
  }
  if (text.starts_with("none") && (text.size() == 4 || text[4] == '+'))
    text.remove_prefix(std::min<size_t>(text.size(), 5));
  return bits_of(names.bits, text);
}
MaybeError take_special(Maker& m, Tag<AlgOperation>, const Token& t, bool& taken) {
  const auto op = decode_as<AlgOperation>(m.word);
  static constexpr std::array kRngStates{ValueName{0, "generate"}, ValueName{1, "instantiate"}, ValueName{2, "reseed"},
                                         ValueName{3, "uninstantiate"}};
  taken = true;
  if (t.name == "aai") {
    const AaiNames names = aai_names(op.alg);
    return put<AlgOperation>(m, "aai", aai_of(op.alg, t.value), names.modes);
  }
  if (t.name == "as" && op.alg == Alg::kRng)
    return put<AlgOperation>(m, "as", value_of(kRngStates, t.value), kRngStates);
  if (t.name == "pr" && !t.has_value) return put<AlgOperation>(m, "icv", 1);
  if ((t.name == "test" || t.name == "encrypt") && !t.has_value) return put<AlgOperation>(m, "enc", 1);
  if (t.name == "decrypt" && !t.has_value) return put<AlgOperation>(m, "enc", 0);
  taken = false;
  return std::nullopt;
}

MaybeError take_special(Maker& m, Tag<PkOperation>, const Token& t, bool& taken) {
  if (t.name != "options") return std::nullopt;
  taken = true;
  const auto options = pk_options_of(decode_as<PkOperation>(m.word).fn, t.value);
  return put<PkOperation>(m, "options", options);
}

MaybeError take_special(Maker& m, Tag<ProtocolOperation>, const Token& t, bool& taken) {
  const auto op = decode_as<ProtocolOperation>(m.word);
  if (t.name != "protid" && t.name != "protinfo") return std::nullopt;
  taken = true;
  if (t.name == "protid")
    return put<ProtocolOperation>(m, "protid", value_of(protocol_names(op.type), t.value), protocol_names(op.type));
  return put<ProtocolOperation>(m, "protinfo", protocol_info_of(op, t.value));
}

MaybeError take_special(Maker& m, Tag<Jump>, const Token& t, bool& taken) {
  const auto jump = decode_as<Jump>(m.word);
  taken = true;
  if (t.name == "cond") {
    const ValueNames names = jump.jsl && !jump.counts() ? ValueNames(kCondJslNames) : ValueNames(kCondMathNames);
    const auto bits = bits_of(names, t.value);
    return m.put("cond", bits, jump.counts() ? 11 : 15, 8, names);
  }
  if (t.name == "reg") return m.put("reg", value_of(kJumpRegNames, t.value), 15, 12, kJumpRegNames);
  if (t.name == "status") return m.put("status", parse_number(t.value), 7, 0);
  if (t.name == "offset") {
    const bool negative = t.value.starts_with('-');
    auto value = parse_number(negative ? t.value.substr(1) : t.value);
    if (value && *value > (negative ? 128u : 127u)) value = UINT64_MAX;
    return m.put("offset", value && negative ? (256 - *value) & 0xFF : value, 7, 0);
  }
  taken = false;
  return std::nullopt;
}

MaybeError take_special(Maker& m, Tag<MathI>, const Token& t, bool& taken) {
  const auto math = decode_as<MathI>(m.word);
  if (t.name == "fn" && t.value == "fbyt") {
    taken = true;
    return put<MathI>(m, "fn", static_cast<uint32_t>(MathFn::kZbyt));
  }
  if (t.name != "src") return std::nullopt;
  taken = true;
  const ValueNames names = math.ssel ? ValueNames(kMathSrc1Names) : ValueNames(kMathSrc0Names);
  return put<MathI>(m, "src", value_of(names, t.value), names);
}

// Tokens on which the meaning of others depends, in the order in which they are read.
bool comes_first(const Token& t) {
  static constexpr std::string_view kNames[] = {"jsl", "ssel", "alg", "fn", "protid"};
  return value_of(kClassNames, t.name) || value_of(kRegClassNames, t.name) ||
         std::ranges::find(kNames, t.name) != std::end(kNames);
}
bool comes_second(const Token& t) { return t.name == "type" || t.name == "dst" || t.name == "src"; }

template <class C>
MaybeError take_token(Maker& m, const Token& t) {
  if (t.name == "bits") return std::nullopt;
  bool taken = false;
  MaybeError error = take_special(m, Tag<C>{}, t, taken);
  if (!taken && !error) error = take_from_table<C>(m, t, taken);
  if (error || taken) return error;
  return malformed(fmt::format("{} has no field \"{}\"", C::kMnemonic, t.name));
}

template <class C>
Result<uint32_t> make(std::span<const Token> tokens, bool seq) {
  Maker m{.word = C::kMatch, .tokens = tokens};
  if (seq) m.word |= 0x08000000;
  if constexpr (std::is_same_v<C, JobHeader> || std::is_same_v<C, SharedHeader>) m.word |= 1u << 23;
  // A protocol's names go by its type, so that is read before what "comes first".
  if constexpr (std::is_same_v<C, ProtocolOperation>)
    if (const Token* type = m.find("type"))
      if (auto error = take_token<C>(m, *type)) return tl::unexpected(*error);
  for (int pass = 0; pass < 3; ++pass)
    for (const Token& t : tokens) {
      const int when = comes_first(t) ? 0 : comes_second(t) ? 1 : 2;
      if (when != pass) continue;
      if (auto error = take_token<C>(m, t)) return tl::unexpected(*error);
    }
  return m.word;
}

constexpr std::string_view kRaw = "?";

bool same_letters(std::string_view a, std::string_view b) {
  const auto upper = [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; };
  return a.size() == b.size() && std::ranges::equal(a, b, [&](char x, char y) { return upper(x) == upper(y); });
}

}  // namespace

std::string_view take_mnemonic(std::string_view& text) {
  std::string_view best;
  const auto consider = [&](std::string_view name) {
    const bool whole = text.size() == name.size() || (text.size() > name.size() && text[name.size()] == ' ');
    if (whole && name.size() > best.size() && same_letters(text.substr(0, name.size()), name)) best = name;
  };
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for_each_command([&]<class C>() {
      names.emplace_back(C::kMnemonic);
      if (C::kHasSeq) names.push_back("SEQ " + std::string(C::kMnemonic));
    });
    return names;
  }();
  for (const std::string& name : kNames) consider(name);
  for (std::string_view name : {"?", "-", "PDB"}) consider(name);
  text.remove_prefix(best.size());
  return best;
}

Result<uint32_t> parse_command(std::string_view mnemonic, std::span<const Token> tokens) {
  Result<uint32_t> word = 0u;
  bool found = mnemonic == kRaw;
  for_each_command([&]<class C>() {
    const bool seq = C::kHasSeq && mnemonic.starts_with("SEQ ") && mnemonic.substr(4) == C::kMnemonic;
    if (found || (mnemonic != C::kMnemonic && !seq)) return;
    found = true;
    word = make<C>(tokens, seq);
  });
  if (!found) return fail(ErrorCode::kMalformed, fmt::format("there is no command {}", mnemonic));
  if (!word) return word;
  // Bits that no field has, as a mask to be flipped.
  for (const Token& t : tokens) {
    if (t.name != "bits") {
      if (mnemonic == kRaw) return fail(ErrorCode::kMalformed, "? has nothing but bits=");
      continue;
    }
    const auto bits = parse_number(t.value);
    if (!bits || *bits > UINT32_MAX) return fail(ErrorCode::kMalformed, "bits has a value that is no 32-bit number");
    *word ^= static_cast<uint32_t>(*bits);
  }
  return word;
}

}  // namespace caamlab::desc
