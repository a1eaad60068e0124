// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam dump: descriptor words to a listing.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "desc/era.h"
#include "desc/text/builder_calls.h"
#include "desc/text/disassemble.h"
#include "desc/text/explain.h"
#include "desc/text/flow_graph.h"
#include "tools/graphviz.h"
#include "tools/listing_json.h"
#include "tools/paint.h"
#include "tools/pasted.h"
#include "tools/subcommands.h"

namespace caamlab::tools {
namespace {

struct DumpOptions {
  std::string file = "-";
  TargetOptions target;
  int era = 0;
  unsigned first_index = 0;
  bool binary = false;
  bool single = false;
  bool explain = false;
  bool json = false, c = false, dot = false, svg = false;
  std::string color = "auto";
};

desc::Detected detect(const desc::PastedDump& dump, const DumpOptions& o) {
  const bool numbered = o.first_index == 0 || dump.first_index != 0;
  return detect_pasted(dump, o.target, numbered ? std::nullopt : std::optional(o.first_index));
}

const char* order_name(const desc::Target& t) {
  return t.endian == desc::Endian::kBig ? "big" : t.imx ? "imx" : "little";
}

struct Dumped {
  desc::PastedDump input;
  desc::Detected detected;
  desc::Listing listing;
  std::optional<size_t> shared{};  // the dump with its shared descriptor
};

Dumped list(desc::PastedDump dump, const DumpOptions& o) {
  Dumped out{.input = std::move(dump), .detected = {}, .listing = {}};
  out.detected = detect(out.input, o);
  const desc::DisassembleOptions options{
      .target = out.detected.target,
      .era = o.era != 0 ? std::optional(o.era) : std::nullopt,
      .first_index = out.input.first_index != 0 ? out.input.first_index : o.first_index,
      .single = o.single};
  out.listing = desc::disassemble(out.detected.words, options);
  return out;
}

nlohmann::json judged_json(const desc::Judged& j) { return {{"sure", desc::sureness_name(j.sure)}, {"why", j.why}}; }
nlohmann::json dumped_json(const Dumped& d) {
  nlohmann::json out = to_json(d.listing);
  const auto& found = d.detected;
  out["words"] = found.words.size();
  out["line"] = d.input.line;
  out["ptr_bytes"] = found.target.ptr_bytes;
  out["ptr_guessed"] = found.ptr.sure != desc::Sureness::kGiven;
  out["endian"] = order_name(found.target);
  out["input_notes"] = d.input.notes;
  out["detected"] = {{"read", found.how},
                     {"reading", judged_json(found.reading)},
                     {"ptr", judged_json(found.ptr)},
                     {"ptr_order", judged_json(found.ptr_order)}};
  return out;
}

// Each line with what it does above it.
std::string explained(const desc::Listing& listing, const Paint& paint) {
  const std::vector<std::string> texts = desc::explain(listing);
  std::string out;
  for (size_t i = 0; i < listing.lines.size(); ++i) {
    if (!texts[i].empty()) out += paint.comment(texts[i]);
    out += paint.line(listing.lines[i]);
  }
  for (const std::string& note : listing.notes) out += paint.note(note);
  return out;
}

void print(Session& session, const std::vector<Dumped>& all, size_t number, const DumpOptions& o) {
  const Dumped& d = all[number];
  const auto& found = d.detected;
  const Paint paint(o.color == "always" || (o.color == "auto" && session.colours));
  if (all.size() > 1)
    session.out << fmt::format("{}# dump {} of {}, from line {}\n", number == 0 ? "" : "\n", number + 1, all.size(),
                               d.input.line);
  session.out << fmt::format("# {} words, {}\n", found.words.size(), found.how);
  const auto say = [&](std::string_view what, const desc::Judged& j) {
    session.out << fmt::format("# {}: {}, {}\n", what, desc::sureness_name(j.sure), j.why);
  };
  say("order of bytes", found.reading);
  if (!o.single) {
    say(fmt::format("pointers of {} bytes (--ptr)", found.target.ptr_bytes), found.ptr);
    say(fmt::format("byte order {} (--endian)", order_name(found.target)), found.ptr_order);
  }
  session.out << fmt::format(".target ptr={} endian={}\n", found.target.ptr_bytes, order_name(found.target));
  for (const std::string& note : d.input.notes) session.out << "# " << note << '\n';
  if (d.shared) session.out << fmt::format("# its shared descriptor has the length of dump {}\n", *d.shared + 1);
  session.out << (o.explain ? explained(d.listing, paint) : paint.listing(d.listing));
}

// One function a dump.
std::string cpp_of(const std::vector<Dumped>& all) {
  std::string text = "#include \"desc/builder.h\"\n\nnamespace caamlab {\n";
  for (size_t i = 0; i < all.size(); ++i) {
    const auto& found = all[i].detected;
    const std::string name = all.size() == 1 ? "make_descriptor" : fmt::format("make_descriptor_{}", i + 1);
    text += '\n' + desc::to_cpp(desc::builder_calls(found.words, found.target), found.target, name);
  }
  return text + "\n}  // namespace caamlab\n";
}

// Shared descriptor and job as they lie in the DECO's buffer.
std::vector<uint32_t> in_one_buffer(const Dumped& shared, const Dumped& job) {
  std::vector<uint32_t> words = shared.detected.words;
  words.resize(std::min<size_t>(words.size(), desc::get_bits(words[0], 6, 0)));
  words.insert(words.end(), job.detected.words.begin(), job.detected.words.end());
  return words;
}

// One graph a dump; a job and its shared descriptor are one.
std::vector<std::string> graphs_of(const std::vector<Dumped>& all) {
  std::vector<bool> drawn(all.size(), false);
  for (const Dumped& d : all)
    if (d.shared) drawn[*d.shared] = true;
  std::vector<std::string> graphs;
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].shared) {
      const desc::Listing both =
          desc::disassemble(in_one_buffer(all[*all[i].shared], all[i]), {.target = all[i].detected.target});
      graphs.push_back(
          desc::to_dot(both, desc::flow_graph(both), fmt::format("dumps {} and {}", *all[i].shared + 1, i + 1)));
    } else if (!drawn[i]) {
      graphs.push_back(desc::to_dot(all[i].listing, desc::flow_graph(all[i].listing), fmt::format("dump {}", i + 1)));
    }
  }
  return graphs;
}

std::string picture_of(const std::vector<std::string>& graphs) {
  if (graphs.size() != 1)
    throw UsageError(
        fmt::format("--svg draws one descriptor, and there are {}: give one, or take --dot", graphs.size()));
  return graphviz_svg(graphs[0]);
}

void dump(Session& session, const DumpOptions& o) {
  std::vector<Dumped> all;
  for (desc::PastedDump& input : read_pasted(session, o.file, o.binary)) all.push_back(list(std::move(input), o));
  std::vector<desc::Detected> found;
  for (const Dumped& d : all) found.push_back(d.detected);
  for (size_t i = 0; i < all.size(); ++i) all[i].shared = shared_of(found, i);
  for (const Dumped& d : all)
    for (const desc::ListedLine& line : d.listing.lines)
      if (!line.notes.empty()) session.exit_code = kExitNo;
  if (o.json) {
    nlohmann::json out = dumped_json(all[0]);
    for (size_t i = 1; i < all.size(); ++i) out["more"].push_back(dumped_json(all[i]));
    return print_json(session, out);
  }
  if (o.c) {
    session.out << cpp_of(all);
  } else if (o.dot) {
    for (const std::string& graph : graphs_of(all)) session.out << graph;
  } else if (o.svg) {
    session.out << picture_of(graphs_of(all));
  } else {
    for (size_t i = 0; i < all.size(); ++i) print(session, all, i, o);
  }
}

}  // namespace

void add_dump(CLI::App& app, Session& session) {
  CLI::App* sub = app.add_subcommand("dump", "List the commands of a descriptor given as words");
  auto o = std::make_shared<DumpOptions>();
  sub->add_option("file", o->file, "file with the words, - (the default) for standard input");
  add_target_options(*sub, o->target);
  sub->add_option("--era", o->era, "note what this SEC era does not have")
      ->check(CLI::Range(desc::kMinEra, desc::kMaxEra));
  sub->add_option("--first-index", o->first_index, "index of the first word, for a piece of a descriptor");
  sub->add_flag("--binary", o->binary, "the input is the descriptor's bytes, not text");
  sub->add_flag("--single", o->single, "every word is a command of its own");
  CLI::Option_group* form = sub->add_option_group("form", "instead of a listing");
  form->add_flag("--json", o->json, "structured output");
  form->add_flag("--c", o->c, "calls of the builder that make the same words, as a C++ function");
  form->add_flag("--dot", o->dot, "the ways through it, as a graph for Graphviz");
  form->add_flag("--svg", o->svg, "the same as a picture, by Graphviz's dot");
  form->require_option(0, 1);
  sub->add_flag("--explain", o->explain, "say what each command does, above it");
  sub->add_option("--color", o->color, "auto: on a terminal, unless NO_COLOR is set")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  sub->footer(
      "Text may be bare words, a C array, JSON, a kernel's or boot loader's hex dump in groups of 1, 2, 4 or 8 bytes,\n"
      "\"[12] b0800008\" lines, quoted or with time stamps, with other lines between; several dumps in one text. In\n"
      "which order bytes stand and how wide pointers are is found out, and said with a reason; --ptr and --endian\n"
      "decide.\n"
      "exit codes: 0 nothing to complain about, 1 some lines are marked with !, 2 the input cannot be read\n"
      "example: caam build cnstr_shdsc_gcm_encap --key 000102030405060708090a0b0c0d0e0f | caam dump");
  sub->callback([o, &session] { dump(session, *o); });
}

}  // namespace caamlab::tools
