// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The codes of status words by source (hardware.md 6.1 to 6.3, 6.5, 6.7): what each is called in a log, and what
// usually brings it about. Names follow the kernel, sentences are our own; causes are experience, not hardware facts.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace caamlab::desc {

struct StatusCode {
  uint8_t code;
  std::string_view text;    // as in a log
  std::string_view causes;  // whole sentences; empty where nothing can be said
};

std::span<const StatusCode> deco_codes();       // bits 7:0 of source 4
std::span<const StatusCode> ccb_codes();        // bits 3:0 of source 2
std::span<const StatusCode> rng_codes();        // the same bits where the CHA is the RNG; those that differ
std::span<const StatusCode> qi_codes();         // bits 7:0 of source 5
std::span<const StatusCode> ring_codes();       // bits 7:0 of source 6, and 12:8 of JRINT
std::span<const std::string_view> cha_texts();  // bits 7:4 of source 2

// Null if there is no such code.
const StatusCode* find_code(std::span<const StatusCode> table, uint32_t code);

}  // namespace caamlab::desc
