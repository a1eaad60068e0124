// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See listing_json.h.
#include "tools/listing_json.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/hex.h"

namespace caamlab::tools {

using nlohmann::json;

namespace {

const char* kind_name(desc::ItemKind kind) {
  switch (kind) {
    case desc::ItemKind::kHeader:
      return "header";
    case desc::ItemKind::kPdb:
      return "pdb";
    case desc::ItemKind::kCommand:
      return "command";
    case desc::ItemKind::kTrailing:
      return "trailing";
  }
  return "";
}

}  // namespace

json to_json(const desc::ListedLine& line) {
  json out = {{"index", line.index},          {"word", fmt::format("{:08x}", line.word)},
              {"kind", kind_name(line.kind)}, {"mnemonic", line.mnemonic},
              {"fields", json::object()},     {"operand_words", json::array()}};
  for (const desc::ListedField& f : line.fields) {
    json& value = out["fields"][std::string(f.name)];
    if (f.text.empty())
      value = true;
    else if (std::ranges::all_of(f.text, [](char c) { return c >= '0' && c <= '9'; }))
      value = std::stoull(f.text);
    else
      value = f.text;
  }
  for (uint32_t word : line.operand_words) out["operand_words"].push_back(fmt::format("{:08x}", word));
  if (line.pointer) out["pointer"] = fmt::format("{:#x}", *line.pointer);
  if (line.ext_len) out["ext_len"] = *line.ext_len;
  if (line.value) out["value"] = fmt::format("{:#x}", *line.value);
  if (!line.data.empty()) out["data"] = to_hex(line.data);
  if (line.target) out["target"] = *line.target;
  if (!line.gloss.empty()) out["gloss"] = line.gloss;
  if (!line.notes.empty()) out["notes"] = line.notes;
  return out;
}

json to_json(const desc::Listing& listing) {
  json lines = json::array();
  for (const desc::ListedLine& line : listing.lines) lines.push_back(to_json(line));
  return {{"lines", std::move(lines)}, {"notes", listing.notes}};
}

}  // namespace caamlab::tools
