// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The list of commands. Everything that walks a descriptor (model, listings, checks, documentation) folds over it; a
// command is added here and nowhere else.
#pragma once

#include <optional>
#include <variant>

#include "desc/commands/fifo_load.h"
#include "desc/commands/fifo_store.h"
#include "desc/commands/header.h"
#include "desc/commands/jump.h"
#include "desc/commands/key.h"
#include "desc/commands/load.h"
#include "desc/commands/math.h"
#include "desc/commands/move.h"
#include "desc/commands/operation.h"
#include "desc/commands/seq_ptr.h"
#include "desc/commands/signature.h"
#include "desc/commands/store.h"

namespace caamlab::desc {

// A word that no command claims: DECO error 0x04, or 0x09 for an OPERATION of an unknown type.
struct InvalidCommand {
  uint32_t word = 0;
};

using Command = std::variant<InvalidCommand, Key, Load, FifoLoad, Store, FifoStore, Move, MoveB, MoveDw, MoveLen,
                             AlgOperation, PkOperation, ProtocolOperation, Signature, ExternalKey, Jump, Math, MathI,
                             JobHeader, SharedHeader, SeqInPtr, SeqOutPtr>;

// Calls fn.template operator()<C>() for each command.
template <class Fn>
constexpr void for_each_command(Fn&& fn) {
  [&]<class... C>(std::variant<InvalidCommand, C...>*) {
    (fn.template operator()<C>(), ...);
  }(static_cast<Command*>(nullptr));
}

constexpr unsigned ctype(uint32_t word) { return word >> 27; }

// True if `word` is a command C. OPERATION is told apart by its TYPE, which is a field of two of its commands.
template <class C>
constexpr bool is_command(uint32_t word) {
  if constexpr (std::is_same_v<C, AlgOperation>) {
    const uint32_t type = get_bits(word, 26, 24);
    return ctype(word) == 0x10 && (type == 2 || type == 4);
  } else if constexpr (std::is_same_v<C, ProtocolOperation>) {
    const uint32_t type = get_bits(word, 26, 24);
    return ctype(word) == 0x10 && (type == 0 || type == 6 || type == 7);
  } else {
    return matches<C>(word);
  }
}

namespace detail {
// Index in Command for each (CTYPE, TYPE 26:24) pair: eight entries a CTYPE.
constexpr auto make_decode_index() {
  std::array<uint8_t, 256> index{};
  for (unsigned i = 0; i < 256; ++i) {
    uint8_t position = 1;
    for_each_command([&]<class C>() {
      // PKHA's fixed bit 23 is checked when decoding.
      if (is_command<C>(i << 24) || is_command<C>(i << 24 | 0x800000)) index[i] = position;
      ++position;
    });
  }
  return index;
}
inline constexpr auto kDecodeIndex = make_decode_index();

constexpr bool claims_are_disjoint() {
  bool ok = true;
  for (unsigned i = 0; i < 512; ++i) {
    int claims = 0;
    for_each_command([&]<class C>() { claims += is_command<C>(i << 23); });
    ok = ok && claims <= 1;
  }
  return ok;
}
}  // namespace detail

static_assert(detail::claims_are_disjoint(), "two commands claim the same word");
static_assert(
    [] {
      bool ok = true;
      for_each_command([&]<class C>() { ok = ok && fields_are_disjoint<C>(); });
      return ok;
    }(),
    "a command's fields overlap");

// The command of a word. Reserved bits are ignored, as the DECO does; well_formed() finds them.
constexpr Command decode(uint32_t word) {
  Command cmd{InvalidCommand{word}};
  const unsigned want = detail::kDecodeIndex[word >> 24];
  [&]<size_t... I>(std::index_sequence<I...>) {
    (void)((I + 1 == want && is_command<std::variant_alternative_t<I + 1, Command>>(word)
                ? (cmd.emplace<I + 1>(decode_as<std::variant_alternative_t<I + 1, Command>>(word)), true)
                : false) ||
           ...);
  }
  (std::make_index_sequence<std::variant_size_v<Command> - 1>{});
  return cmd;
}

// Words that follow the command word.
constexpr unsigned operand_words(const Command& cmd, unsigned ptr_words) {
  return std::visit(
      [&](const auto& c) -> unsigned {
        using C = std::decay_t<decltype(c)>;
        if constexpr (std::is_same_v<C, InvalidCommand>)
          return 0;
        else if constexpr (std::is_same_v<C, ProtocolOperation>)
          return c.is_dkp() ? c.dkp_words(ptr_words) : 0;
        else
          return c.operands().words(ptr_words);
      },
      cmd);
}

}  // namespace caamlab::desc
