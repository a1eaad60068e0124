// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Status words out of what people paste: kernel logs, boot loader output, lone words, bytes of a HAB event. Numbers
// that are often taken for one (a ring's interrupt register, errno, GlobalPlatform TEE codes) are found too and called
// what they are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace caamlab::desc {

enum class FoundKind : uint8_t { kStatus, kRingInterrupt, kErrno, kTee };

struct FoundStatus {
  FoundKind kind = FoundKind::kStatus;
  uint32_t word = 0;                          // errno: as the 32-bit two's complement
  unsigned line = 1;                          // of the text, from 1
  std::string text{};                         // that line, without what is not printable ASCII
  std::vector<std::string> notes{};           // how it was read
  std::vector<std::string> contradictions{};  // where the line says something else than the word
};

// All of them in the order of the text, every line looked at once. Words of descriptor dumps are left alone. `bare`:
// the text is nothing but words that somebody asks about; then any word is taken for a status rather than for nothing.
std::vector<FoundStatus> find_status(std::string_view text, bool bare = false);

// What the number is, for the kinds that are no job status: "EBADMSG: ...".
std::string look_alike_text(const FoundStatus& found);

}  // namespace caamlab::desc
