// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// A status word as the kernel logs it, and its parts in words.
#pragma once

#include <string>

#include "desc/jr_status.h"

namespace caamlab::desc {

// In the form of the kernel's log: "20001c5b: CCB: desc idx 28: RNG: Hardware error". 0 gives "No error".
std::string status_line(uint32_t status);

std::string_view source_text(JrStatus status);  // "CCB", "DECO", ...; empty if there is no such source
// The name of its code ("ICV check failed"), and what may have caused it; for any word.
std::string code_text(JrStatus status);
std::string_view code_causes(JrStatus status);
// Where a source has one: the CHA of a CCB error, as logs call it.
std::string cha_text(JrStatus status);
// True if the word has a known source and code and no bit set that its source does not use.
bool is_known_status(uint32_t word);

}  // namespace caamlab::desc
