// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Encode, decode and print a command word from one list of its fields. A command is a struct with
//   kMask, kMatch   which words are this command (CTYPE and whatever else is fixed)
//   kMnemonic, kAbout
//   fields_of(const C*) -> tuple of field(...)
// and nothing else about its layout stands anywhere in the repository.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "desc/bits.h"

namespace caamlab::desc {

// One value of a field. `name` is what listings print; `about` what the documentation adds.
struct ValueName {
  uint32_t value;
  std::string_view name;
  std::string_view about = {};
};
using ValueNames = std::span<const ValueName>;

enum class FieldKind : uint8_t {
  kNumber,  // any value
  kFlag,    // one bit, printed by name when set
  kEnum,    // only the named values are legal
  kBits,    // a set of named bits
  kSigned,  // two's complement
};

template <class C, class M>
struct Field {
  std::string_view name;
  uint8_t hi, lo;
  M C::*member;
  FieldKind kind;
  ValueNames values;
  std::string_view about;

  constexpr uint32_t mask() const { return bit_mask(hi, lo); }
  [[gnu::always_inline]] constexpr uint32_t raw(const C& c) const { return static_cast<uint32_t>(c.*member); }
  [[gnu::always_inline]] constexpr bool fits(const C& c) const {
    const uint32_t v = raw(c);
    const unsigned width = hi - lo + 1u;
    if (kind == FieldKind::kSigned) {
      const int32_t s = static_cast<int32_t>(v);
      return s >= -(1 << (width - 1)) && s < (1 << (width - 1));
    }
    return width == 32 || v < (1u << width);
  }
  [[gnu::always_inline]] constexpr void set(C& c, uint32_t word) const {
    uint32_t v = get_bits(word, hi, lo);
    if (kind == FieldKind::kSigned && (v >> (hi - lo)) != 0) v |= ~bit_mask(hi - lo, 0);
    c.*member = static_cast<M>(v);
  }
};

template <class C, class M>
constexpr Field<C, M> number(std::string_view name, int hi, int lo, M C::*member, std::string_view about = {}) {
  return {name, static_cast<uint8_t>(hi), static_cast<uint8_t>(lo), member, FieldKind::kNumber, {}, about};
}
template <class C, class M>
constexpr Field<C, M> signed_number(std::string_view name, int hi, int lo, M C::*member, std::string_view about = {}) {
  return {name, static_cast<uint8_t>(hi), static_cast<uint8_t>(lo), member, FieldKind::kSigned, {}, about};
}
template <class C, class M>
constexpr Field<C, M> flag(std::string_view name, int bit, M C::*member, std::string_view about = {}) {
  return {name, static_cast<uint8_t>(bit), static_cast<uint8_t>(bit), member, FieldKind::kFlag, {}, about};
}
template <class C, class M>
constexpr Field<C, M> choice(std::string_view name, int hi, int lo, M C::*member, ValueNames values,
                             std::string_view about = {}) {
  return {name, static_cast<uint8_t>(hi), static_cast<uint8_t>(lo), member, FieldKind::kEnum, values, about};
}
template <class C, class M>
constexpr Field<C, M> bit_set(std::string_view name, int hi, int lo, M C::*member, ValueNames values,
                              std::string_view about = {}) {
  return {name, static_cast<uint8_t>(hi), static_cast<uint8_t>(lo), member, FieldKind::kBits, values, about};
}

template <class C>
constexpr auto fields() {
  return fields_of(static_cast<const C*>(nullptr));
}

template <class C, class Fn>
constexpr void for_each_field(Fn&& fn) {
  std::apply([&](const auto&... f) { (fn(f), ...); }, fields<C>());
}

namespace detail {
template <class C>
using FieldIndex = std::make_index_sequence<std::tuple_size_v<decltype(fields<C>())>>;

template <class C, size_t... I>
[[gnu::always_inline]] constexpr uint32_t encode(const C& c, std::index_sequence<I...>) {
  constexpr auto list = fields<C>();
  return (C::kMatch | ... | put_bits(std::get<I>(list).raw(c), std::get<I>(list).hi, std::get<I>(list).lo));
}
template <class C, size_t... I>
[[gnu::always_inline]] constexpr bool fits(const C& c, std::index_sequence<I...>) {
  constexpr auto list = fields<C>();
  return (true && ... && std::get<I>(list).fits(c));
}
template <class C, size_t... I>
[[gnu::always_inline]] constexpr void decode(C& c, uint32_t word, std::index_sequence<I...>) {
  constexpr auto list = fields<C>();
  (std::get<I>(list).set(c, word), ...);
}
}  // namespace detail

// The word of a command. Values too wide for their field are cut; fits() tells. Forced inline (and not by std::apply,
// which compilers leave as a call): a command of constants must become a constant.
template <class C>
[[gnu::always_inline]] constexpr uint32_t encode(const C& c) {
  return detail::encode(c, detail::FieldIndex<C>{});
}
template <class C>
[[gnu::always_inline]] constexpr bool fits(const C& c) {
  return detail::fits(c, detail::FieldIndex<C>{});
}

template <class C>
constexpr bool matches(uint32_t word) {
  return (word & C::kMask) == C::kMatch;
}

template <class C>
[[gnu::always_inline]] constexpr C decode_as(uint32_t word) {
  C c{};
  detail::decode(c, word, detail::FieldIndex<C>{});
  return c;
}

// Bits that belong to no field of C and to no fixed part; a decoder that wants strictness refuses them.
template <class C>
constexpr uint32_t reserved_bits() {
  constexpr auto list = fields<C>();
  return ~std::apply([](const auto&... f) { return (C::kMask | ... | f.mask()); }, list);
}

// True if every field with named values holds one of them and no reserved bit is set.
template <class C>
constexpr bool well_formed(uint32_t word) {
  if ((word & reserved_bits<C>()) != 0) return false;
  bool ok = true;
  for_each_field<C>([&](const auto& f) {
    if (f.kind != FieldKind::kEnum) return;
    bool named = false;
    for (const ValueName& v : f.values) named = named || v.value == get_bits(word, f.hi, f.lo);
    ok = ok && named;
  });
  return ok;
}

// Fields of one command must not overlap each other or the fixed bits.
template <class C>
constexpr bool fields_are_disjoint() {
  uint32_t seen = C::kMask;
  bool ok = true;
  for_each_field<C>([&](const auto& f) {
    ok = ok && (seen & f.mask()) == 0;
    seen |= f.mask();
  });
  return ok;
}

constexpr std::string_view value_name(ValueNames values, uint32_t value) {
  for (const ValueName& v : values)
    if (v.value == value) return v.name;
  return {};
}

}  // namespace caamlab::desc
