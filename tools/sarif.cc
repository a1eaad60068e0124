// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See sarif.h.
#include "tools/sarif.h"

#include <fmt/format.h>

namespace caamlab::tools {
namespace {

using nlohmann::json;

json text(std::string_view t) { return {{"text", t}}; }

json rules() {
  json out = json::array();
  for (const desc::RuleRow& row : desc::rule_table())
    out.push_back({{"id", row.name},
                   {"shortDescription", text(row.about)},
                   {"fullDescription", text(row.why)},
                   {"help", text(row.fix)},
                   {"defaultConfiguration", {{"level", desc::severity_name(row.severity)}}}});
  return out;
}

json result(const LocatedFinding& f) {
  const desc::RuleRow& row = desc::rule_row(f.finding.rule);
  const json place = {
      {"physicalLocation",
       {{"artifactLocation", {{"uri", f.file == "-" ? "stdin" : f.file}}}, {"region", {{"startLine", f.line}}}}},
      {"logicalLocations",
       {{{"name", fmt::format("word {}", f.finding.index)},
         {"fullyQualifiedName",
          fmt::format("{} descriptor, word {}", desc::part_name(f.finding.part), f.finding.index)},
         {"kind", "member"}}}}};
  return {{"ruleId", row.name},
          {"ruleIndex", static_cast<size_t>(row.rule)},
          {"level", desc::severity_name(f.finding.severity)},
          {"message", text(fmt::format("{} descriptor, word {}, {}: {}", desc::part_name(f.finding.part),
                                       f.finding.index, f.command, f.finding.message))},
          {"locations", {place}}};
}

}  // namespace

json to_sarif(std::span<const LocatedFinding> findings) {
  json results = json::array();
  for (const LocatedFinding& f : findings) results.push_back(result(f));
  const json run = {{"tool", {{"driver", {{"name", "caam check"}, {"rules", rules()}}}}}, {"results", results}};
  return {{"$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", json::array({run})}};
}

}  // namespace caamlab::tools
