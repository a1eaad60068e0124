// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Enumerators by value, as C++ source names them: the compiler knows the names already and puts them into
// __PRETTY_FUNCTION__ (GCC and clang), so no table has to be kept beside each enum.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "desc/algs.h"

namespace caamlab::desc {

namespace detail {
// Text with "kValue = caamlab::desc::ShareMode::kSerial" in it; of a value without a name
// "kValue = (caamlab::desc::ShareMode)7".
template <auto kValue>
constexpr const char* spelled() {
  return __PRETTY_FUNCTION__;
}
// Fields of commands have six bits at most, but for ALG. (Fewer entries, quicker to compile.)
template <class E>
inline constexpr size_t kSpelledValues = std::is_same_v<E, Alg> ? 256 : 64;
template <class E>
inline constexpr auto kSpelled = []<size_t... kI>(std::index_sequence<kI...>) {
  return std::array{spelled<static_cast<E>(kI)>()...};
}
(std::make_index_sequence<kSpelledValues<E>>{});
}  // namespace detail

// "ShareMode::kSerial"; "static_cast<ShareMode>(7)" for a value without a name. E: an enum of one byte in
// caamlab::desc.
template <class E>
std::string enumerator(E value) {
  static_assert(sizeof(E) == 1);
  constexpr std::string_view kScope = "caamlab::desc::";
  const auto number = static_cast<size_t>(value);
  const bool listed = number < detail::kSpelled<E>.size();
  std::string_view text = detail::kSpelled<E>[listed ? number : 0];
  text.remove_prefix(text.find("kValue = ") + 9);
  text = text.substr(0, text.find_first_of(";]"));
  const bool named = listed && !text.starts_with('(');
  text.remove_prefix(text.find(kScope) + kScope.size());
  if (named) return std::string(text);
  const std::string_view type = text.substr(0, text.find_first_of(":)"));
  return "static_cast<" + std::string(type) + ">(" + std::to_string(number) + ")";
}

}  // namespace caamlab::desc
