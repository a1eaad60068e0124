// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam diff: two descriptors command by command.
#include <fmt/format.h>

#include <algorithm>

#include "desc/text/detect.h"
#include "desc/text/diff.h"
#include "tools/listing_json.h"
#include "tools/subcommands.h"

namespace caamlab::tools {
namespace {

using desc::DiffKind;
using desc::DiffLine;
using nlohmann::json;

struct DiffOptions {
  std::string before, after;
  TargetOptions target;
  bool all = false;
  bool json = false;
};

struct Side {
  desc::Detected found;
  desc::Listing listing;
};

Side read_side(Session& session, const std::string& file, const DiffOptions& o) {
  const auto dumps = value_or_throw(desc::read_dumps(read_input(session, file)), file);
  desc::DetectOptions options;
  if (!o.target.ptr.empty()) options.ptr_bytes = o.target.target().ptr_bytes;
  if (!o.target.endian.empty()) {
    options.endian = o.target.target().endian;
    options.imx = o.target.target().imx;
  }
  Side side{.found = desc::detect(dumps[0], options), .listing = {}};
  side.listing =
      desc::disassemble(side.found.words, {.target = side.found.target, .first_index = dumps[0].first_index});
  return side;
}

const char* kind_name(DiffKind kind) {
  static constexpr const char* kNames[] = {"same", "changed", "removed", "added"};
  return kNames[static_cast<size_t>(kind)];
}

json to_json(const DiffLine& line, const Side& a, const Side& b) {
  json out = {{"kind", kind_name(line.kind)}, {"changes", json::array()}};
  if (line.a) out["before"] = tools::to_json(a.listing.lines[*line.a]);
  if (line.b) out["after"] = tools::to_json(b.listing.lines[*line.b]);
  for (const desc::FieldChange& c : line.changes)
    out["changes"].push_back({{"field", c.name}, {"before", c.before}, {"after", c.after}, {"about", c.about}});
  return out;
}

std::string one_line(const desc::ListedLine& line) {
  const std::string text = desc::to_text(line);
  return text.substr(0, text.find('\n') + 1);
}

void print(Session& session, const DiffLine& line, const Side& a, const Side& b) {
  if (line.kind == DiffKind::kSame) {
    session.out << "  " << one_line(b.listing.lines[*line.b]);
    return;
  }
  if (line.a) session.out << "- " << one_line(a.listing.lines[*line.a]);
  if (line.b) session.out << "+ " << one_line(b.listing.lines[*line.b]);
  const auto or_nothing = [](const std::string& s) { return s.empty() ? std::string("not set") : s; };
  for (const desc::FieldChange& c : line.changes)
    session.out << fmt::format("       {}: {} -> {}{}\n", c.name, or_nothing(c.before), or_nothing(c.after),
                               c.about.empty() ? "" : "  (" + c.about + ")");
}

void diff(Session& session, const DiffOptions& o) {
  if (o.before == "-" && o.after == "-") throw UsageError("only one of the two can be standard input");
  const Side a = read_side(session, o.before, o), b = read_side(session, o.after, o);
  const auto lines = value_or_throw(desc::diff(a.listing, b.listing), "diff");
  const auto count = [&](DiffKind kind) { return std::ranges::count(lines, kind, &DiffLine::kind); };
  const auto changed = count(DiffKind::kChanged), removed = count(DiffKind::kRemoved), added = count(DiffKind::kAdded);
  const bool identical = a.found.words == b.found.words;
  if (!identical) session.exit_code = kExitNo;
  if (o.json) {
    json out = {{"identical", identical},
                {"changed", changed},
                {"removed", removed},
                {"added", added},
                {"words", {a.found.words.size(), b.found.words.size()}},
                {"lines", json::array()}};
    for (const DiffLine& line : lines)
      if (o.all || line.kind != DiffKind::kSame) out["lines"].push_back(to_json(line, a, b));
    return print_json(session, out);
  }
  for (const DiffLine& line : lines)
    if (o.all || line.kind != DiffKind::kSame) print(session, line, a, b);
  if (identical)
    session.out << fmt::format("identical: {} words\n", a.found.words.size());
  else
    session.out << fmt::format("{} commands changed, {} removed, {} added; {} -> {} words\n", changed, removed, added,
                               a.found.words.size(), b.found.words.size());
  if (a.found.target.ptr_bytes != b.found.target.ptr_bytes)
    session.out << fmt::format("pointers were taken for {} and {} bytes (--ptr decides)\n", a.found.target.ptr_bytes,
                               b.found.target.ptr_bytes);
}

}  // namespace

void add_diff(CLI::App& app, Session& session) {
  CLI::App* sub = app.add_subcommand("diff", "Compare two descriptors command by command");
  auto o = std::make_shared<DiffOptions>();
  sub->add_option("before", o->before, "file with words, in any layout that caam dump reads, or -")->required();
  sub->add_option("after", o->after, "the other file, or -")->required();
  add_target_options(*sub, o->target);
  sub->add_flag("--all", o->all, "show the commands that are the same, too");
  sub->add_flag("--json", o->json, "structured output");
  sub->footer(
      "Jumps that go to the same command as before are the same. Of several dumps in a file the first is taken.\n"
      "exit codes: 0 identical, 1 they differ, 2 wrong usage or unreadable input\n"
      "example: caam build cnstr_shdsc_gcm_encap --key 000102030405060708090a0b0c0d0e0f --share never |\n"
      "             caam diff words.txt -");
  sub->callback([o, &session] { diff(session, *o); });
}

}  // namespace caamlab::tools
