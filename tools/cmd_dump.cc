// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam dump: descriptor words to a listing.
#include <fmt/format.h>

#include "desc/era.h"
#include "desc/text/disassemble.h"
#include "desc/text/read_words.h"
#include "tools/listing_json.h"
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
  bool json = false;
};

desc::ReadWords read(Session& session, const DumpOptions& o) {
  const std::string text = read_input(session, o.file);
  const desc::Endian endian = o.target.target().endian;
  const std::string where = o.file == "-" ? "standard input" : o.file;
  if (!o.binary) return value_or_throw(desc::read_words(text, endian), where);
  const std::vector<uint8_t> bytes(text.begin(), text.end());
  return value_or_throw(desc::read_binary(bytes, endian), where);
}

void dump(Session& session, const DumpOptions& o) {
  const desc::ReadWords input = read(session, o);
  desc::DisassembleOptions options{.target = o.target.target(),
                                   .era = o.era != 0 ? std::optional(o.era) : std::nullopt,
                                   .first_index = input.first_index != 0 ? input.first_index : o.first_index,
                                   .single = o.single};
  const bool guessed = o.target.ptr.empty() && !o.single;
  if (guessed) options.target.ptr_bytes = desc::guess_ptr_bytes(input.words, options.target, 8);
  const desc::Listing listing = desc::disassemble(input.words, options);

  for (const desc::ListedLine& line : listing.lines)
    if (!line.notes.empty()) session.exit_code = kExitNo;
  const char* order = options.target.endian == desc::Endian::kBig ? "big" : options.target.imx ? "imx" : "little";
  if (o.json) {
    nlohmann::json out = to_json(listing);
    out["words"] = input.words.size();
    out["ptr_bytes"] = options.target.ptr_bytes;
    out["ptr_guessed"] = guessed;
    out["endian"] = order;
    out["input_notes"] = input.notes;
    print_json(session, out);
    return;
  }
  session.out << fmt::format("# {} words, pointers of {} bytes{}, byte order {}\n", input.words.size(),
                             options.target.ptr_bytes, guessed ? " (guessed; --ptr says)" : "", order);
  session.out << fmt::format(".target ptr={} endian={}\n", options.target.ptr_bytes, order);
  for (const std::string& note : input.notes) session.out << "# " << note << '\n';
  session.out << to_text(listing);
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
  sub->add_flag("--json", o->json, "structured output");
  sub->footer(
      "Text may be bare words, a C array, a kernel's or boot loader's hex dump, \"[12] b0800008\" lines, quoted or "
      "with\n"
      "time stamps; other lines are passed over where that is clear.\n"
      "exit codes: 0 nothing to complain about, 1 some lines are marked with !, 2 the input cannot be read\n"
      "example: caam build cnstr_shdsc_gcm_encap --key 000102030405060708090a0b0c0d0e0f | caam dump");
  sub->callback([o, &session] { dump(session, *o); });
}

}  // namespace caamlab::tools
