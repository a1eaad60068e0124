// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See paint.h.
#include "tools/paint.h"

#include <fmt/color.h>
#include <fmt/format.h>

namespace caamlab::tools {
namespace {

using fmt::terminal_color;

// By kind of line; what is no command stays plain.
fmt::text_style mnemonic_style(desc::ItemKind kind) {
  switch (kind) {
    case desc::ItemKind::kHeader:
      return fmt::emphasis::bold | fg(terminal_color::magenta);
    case desc::ItemKind::kCommand:
      return fmt::emphasis::bold | fg(terminal_color::blue);
    case desc::ItemKind::kPdb:
      return fg(terminal_color::cyan);
    default:
      return fg(terminal_color::bright_black);
  }
}

std::string in_style(std::string_view text, fmt::text_style style) { return fmt::format(style, "{}", text); }

}  // namespace

std::string Paint::note(std::string_view text) const {
  const std::string plain = fmt::format("! {}", text);
  return (on_ ? in_style(plain, fmt::emphasis::bold | fg(terminal_color::red)) : plain) + '\n';
}

std::string Paint::comment(std::string_view text) const {
  const std::string plain = fmt::format("{:15}# {}", "", text);
  return (on_ ? in_style(plain, fg(terminal_color::green)) : plain) + '\n';
}

std::string Paint::line(const desc::ListedLine& line) const {
  if (!on_) return to_text(line);
  const desc::LineParts p = line_parts(line);
  std::string text = fmt::format("{}  {}  {}", p.index, in_style(p.word, fg(terminal_color::bright_black)),
                                 in_style(fmt::format("{:<14}", p.mnemonic), mnemonic_style(line.kind)));
  if (!p.operands.empty()) text += "  " + p.operands;
  if (!p.gloss.empty()) text += in_style("  ; " + p.gloss, fg(terminal_color::green));
  text += '\n';
  for (const std::string& n : line.notes) text += fmt::format("{:15}{}", "", note(n));
  return text;
}

std::string Paint::listing(const desc::Listing& listing) const {
  if (!on_) return to_text(listing);
  std::string text;
  for (const desc::ListedLine& l : listing.lines) text += line(l);
  for (const std::string& n : listing.notes) text += note(n);
  return text;
}

}  // namespace caamlab::tools
