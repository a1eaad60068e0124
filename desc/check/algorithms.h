// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What algorithms need, for the checks: class, modes, key lengths, whether IV or state come from the context, whether
// output comes byte for byte (hardware.md 1.2, 2.13, 4).
#pragma once

#include <optional>
#include <string>

#include "desc/command.h"

namespace caamlab::desc {

// Why there is no such operation; nothing if there is.
std::optional<std::string> algorithm_fault(const AlgOperation& op);

enum class KeyNeed : uint8_t { kNone, kClass1, kClass2 };
KeyNeed key_need(const AlgOperation& op);
// True if a key of this many bytes suits (split: an MDHA split key).
bool key_length_suits(const AlgOperation& op, uint32_t len, bool split);
// The operation reads its class's context: an IV, a counter, a state to go on from.
bool reads_context(const AlgOperation& op);
// Every message byte of class 1 gives one byte of output.
bool output_like_input(const AlgOperation& op);

}  // namespace caamlab::desc
