// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// A command as the braces that initialize its struct: "{.cls = ClassSel::kClass1, .len = 16}".
#pragma once

#include <algorithm>
#include <string>

#include "desc/command.h"
#include "desc/text/enumerators.h"

namespace caamlab::desc {

// Members that a call sets by itself, by the names of their fields.
using Omitted = std::initializer_list<std::string_view>;

// The member of a command's struct behind a field, where they differ in name.
std::string_view member_name(std::string_view field);
// The name of a destination of LOAD or source of STORE, "kRegMath0"; its number if it has none.
std::string register_constant(ClassSel cls, uint8_t code);
// "kCondShrd | kCondNip".
std::string condition_constants(const Jump& jump);
// "fifo_load_type(FifoLoadType::kMsg, kFifoLoadLast1)".
std::string fifo_load_type_call(uint8_t type);

namespace detail {
template <class C, class M>
std::string member_text(const C& c, std::string_view field, M value) {
  if constexpr (std::is_same_v<C, FifoLoad>)
    if (field == "type") return fifo_load_type_call(c.type);
  if constexpr (std::is_same_v<C, Jump>)
    if (field == "cond" && !c.counts()) return condition_constants(c);
  if constexpr (std::is_same_v<C, Load> || std::is_same_v<C, Store>) {
    if (field == "class" && c.cls == ClassSel::kDeco) return "ClassSel::kDeco";
    if (field == "dst" || field == "src") return register_constant(c.cls, static_cast<uint8_t>(value));
  }
  if constexpr (std::is_same_v<M, bool>)
    return value ? "true" : "false";
  else if constexpr (std::is_enum_v<M>)
    return enumerator(value);
  else
    return std::to_string(value);
}
}  // namespace detail

// Only members that differ from the default, in the order of their declaration.
template <class C>
std::string initializer(const C& c, Omitted omitted = {}) {
  const C defaults{};
  std::string text;
  for_each_field<C>([&](const auto& f) {
    if (c.*f.member == defaults.*f.member || std::ranges::find(omitted, f.name) != omitted.end()) return;
    text += text.empty() ? "." : ", .";
    text += std::is_same_v<C, JobHeader> && f.name == "dnr" ? "dnr_ext" : member_name(f.name);
    text += " = " + detail::member_text(c, f.name, c.*f.member);
  });
  return "{" + text + "}";
}

}  // namespace caamlab::desc
