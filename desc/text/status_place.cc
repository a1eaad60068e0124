// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See status_place.h.
#include "desc/text/status_place.h"

#include <fmt/format.h>

#include <algorithm>

#include "desc/status/status_line.h"

namespace caamlab::desc {
namespace {

// Mnemonics (without SEQ) that can end with a DECO error; the same table for every part.
struct Culprits {
  uint8_t first, last;  // codes
  std::string_view mnemonics;
};
constexpr Culprits kCulprits[] = {
    {0x06, 0x06, "KEY"},
    {0x07, 0x07, "LOAD"},
    {0x08, 0x08, "STORE"},
    {0x09, 0x09, "OPERATION|PKHA OP|PROTOCOL|?"},
    {0x0A, 0x0A, "FIFO LOAD"},
    {0x0B, 0x0B, "FIFO STORE"},
    {0x0C, 0x0C, "MOVE|MOVEB|MOVEDW|MOVE_LEN"},
    {0x0D, 0x0D, "JUMP"},
    {0x0E, 0x0E, "MATH|MATHI"},
    {0x0F, 0x0F, "SIGNATURE"},
    {0x10, 0x10, "IN PTR|OUT PTR|SEQ *|PROTOCOL|MATH|MATHI"},
    {0x12, 0x12, "SHR HDR"},
    {0x13, 0x13, "JOB HDR|SHR HDR"},
    {0x82, 0x89, "PROTOCOL"},
    {0xC1, 0xC8, "PROTOCOL"},
};

bool is_one_of(std::string_view mnemonic, std::string_view list) {
  const bool seq = mnemonic.starts_with("SEQ ");
  if (seq) mnemonic.remove_prefix(4);
  while (!list.empty()) {
    const size_t bar = list.find('|');
    const std::string_view one = list.substr(0, bar);
    if (one == mnemonic || (seq && one == "SEQ *")) return true;
    list = bar == std::string_view::npos ? std::string_view{} : list.substr(bar + 1);
  }
  return false;
}

// The job descriptor of a pair or alone, its words of the shared descriptor included.
struct Layout {
  unsigned offset = 0;  // of the words given, in the buffer
  bool shared_missing = false;
};
Layout layout_of(std::span<const uint32_t> words, const Listing& listing) {
  if (words.empty() || !is_command<JobHeader>(words[0]) || listing.lines[0].kind != ItemKind::kHeader) return {};
  const auto header = decode_as<JobHeader>(words[0]);
  if (!header.shr) return {};
  return {header.reo ? 0u : header.start, true};
}

void check_deco(StatusPlace& place, JrStatus status, const ListedLine& line) {
  const auto code = static_cast<uint8_t>(status.deco_error());
  const auto row =
      std::ranges::find_if(kCulprits, [&](const Culprits& c) { return code >= c.first && code <= c.last; });
  if (row == std::end(kCulprits) || is_one_of(line.mnemonic, row->mnemonics)) return;
  place.contradictions.push_back(fmt::format(
      "\"{}\" cannot come from a {}: the SEC executed other words than these{}", code_text(status), line.mnemonic,
      line.kind == ItemKind::kHeader
          ? " (index 0 is the header: what it read there was another command, so memory was stale, or "
            "overwritten, when it ran)"
          : ""));
}

// Whether any OPERATION of the listing runs on this CHA.
bool uses_cha(std::span<const uint32_t> words, const Listing& listing, ChaId cha, uint32_t first_index) {
  return std::ranges::any_of(listing.lines, [&](const ListedLine& line) {
    if (line.kind != ItemKind::kCommand) return false;
    const Command command = decode(words[line.index - first_index]);
    if (const auto* op = std::get_if<AlgOperation>(&command)) return cha_of(op->alg) == cha;
    if (std::get_if<PkOperation>(&command) != nullptr) return cha == ChaId::kPkha;
    return std::get_if<ProtocolOperation>(&command) != nullptr;  // may use any of them
  });
}

void check_ccb(StatusPlace& place, JrStatus status, std::span<const uint32_t> words, const Listing& listing,
               const DisassembleOptions& options, bool shared_missing) {
  place.remarks.push_back(
      "a CHA reports when it notices: the command at the index was under way, its cause may stand before");
  if (status.cha() == ChaId::kNone || shared_missing) return;
  if (!uses_cha(words, listing, status.cha(), options.first_index))
    place.contradictions.push_back(fmt::format("no OPERATION of these words runs on {}", cha_text(status)));
}

void check_jump(StatusPlace& place, JrStatus status, const ListedLine& line, uint32_t word) {
  const Command command = decode(word);
  const auto* jump = std::get_if<Jump>(&command);
  const bool user = status.source() == StatusSource::kJumpUser;
  const JumpType wanted = user ? JumpType::kHaltUser : JumpType::kHalt;
  if (jump == nullptr || jump->type != wanted) {
    place.contradictions.push_back(
        fmt::format("only JUMP {} ends like this, not a {}", user ? "halt-user" : "halt", line.mnemonic));
  } else if (user && static_cast<uint8_t>(jump->offset) != (status.word & 0xFF)) {
    place.contradictions.push_back(fmt::format("this JUMP would report {:#04x}, not {:#04x}",
                                               static_cast<uint8_t>(jump->offset), status.word & 0xFF));
  }
}

}  // namespace

StatusPlace place_status(JrStatus status, std::span<const uint32_t> words, const DisassembleOptions& options) {
  StatusPlace place;
  const Listing listing = disassemble(words, options);
  const StatusSource source = status.source();
  if (status.ok() || source == StatusSource::kQi || source == StatusSource::kJr) {
    place.where = "this source has no index";
    return place;
  }
  if (status.jumped()) {
    place.where = "the index counts in the target of a non-local jump, not in these words";
    return place;
  }
  const Layout layout = layout_of(words, listing);
  const unsigned index = status.index();
  if (index < layout.offset) {
    place.where = fmt::format("word {} of the shared descriptor ({} words), which is not here", index, layout.offset);
    return place;
  }
  const unsigned wanted = index - layout.offset;
  const auto line = std::ranges::find_if(listing.lines, [&](const ListedLine& l) {
    return wanted >= l.index && wanted <= l.index + l.operand_words.size();
  });
  const auto end = options.first_index + words.size();
  if (line == listing.lines.end() || line->kind == ItemKind::kTrailing) {
    place.where = fmt::format("there is no word {} (they are {} to {})", index, options.first_index + layout.offset,
                              end - 1 + layout.offset);
    // An error noticed after the last command carries the index past it.
    if (index == end + layout.offset && source == StatusSource::kCcb)
      place.remarks.push_back("just past the last command: noticed at the end of the job");
    else
      place.contradictions.push_back("the index is not in this descriptor");
    return place;
  }
  place.line = static_cast<unsigned>(line - listing.lines.begin());
  place.where = line->fields.empty() ? line->mnemonic : line->mnemonic + " " + operands_text(*line);
  if (line->kind == ItemKind::kPdb) place.contradictions.push_back("the index names a word of the PDB, no command");
  if (line->index != wanted && line->kind != ItemKind::kPdb)
    (source == StatusSource::kCcb ? place.remarks : place.contradictions)
        .push_back(fmt::format("word {} is operand {} of the {} at {}: the SEC read its words differently (pointer "
                               "size?), or others",
                               wanted, wanted - line->index, line->mnemonic, line->index));
  if (source == StatusSource::kDeco && line->kind != ItemKind::kPdb && line->index == wanted)
    check_deco(place, status, *line);
  if (source == StatusSource::kCcb) check_ccb(place, status, words, listing, options, layout.shared_missing);
  if (source == StatusSource::kJumpUser || source == StatusSource::kJumpCond)
    check_jump(place, status, *line, line->word);
  return place;
}

}  // namespace caamlab::desc
