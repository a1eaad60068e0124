// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Listings in colours, for terminals.
#pragma once

#include <string>

#include "desc/text/disassemble.h"

namespace caamlab::tools {

class Paint {
 public:
  // Off, everything is just text.
  explicit Paint(bool on) : on_(on) {}
  std::string line(const desc::ListedLine& line) const;  // with its notes
  std::string listing(const desc::Listing& listing) const;
  std::string note(std::string_view text) const;     // "! text"
  std::string comment(std::string_view text) const;  // "# text", above a line

 private:
  bool on_;
};

}  // namespace caamlab::tools
