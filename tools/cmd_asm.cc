// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam asm: a listing, or text written like one, to words.
#include <fmt/format.h>

#include "desc/text/assemble.h"
#include "tools/subcommands.h"

namespace caamlab::tools {
namespace {

struct AsmOptions {
  std::string file = "-";
  TargetOptions target;
  bool single = false;
  std::string format = "words";
};

void write(Session& session, const desc::Assembled& out, const AsmOptions& o) {
  if (o.format == "json") {
    nlohmann::json words = nlohmann::json::array();
    for (uint32_t word : out.words) words.push_back(fmt::format("{:08x}", word));
    return print_json(session, {{"words", std::move(words)}, {"notes", out.notes}});
  }
  for (const std::string& note : out.notes) session.err << "caam asm: " << note << '\n';
  if (o.format == "c") {
    session.out << fmt::format("static const u32 desc[{}] = {{\n", out.words.size());
    for (size_t i = 0; i < out.words.size(); ++i)
      session.out << fmt::format("{}0x{:08x},{}", i % 6 == 0 ? "\t" : " ", out.words[i],
                                 i % 6 == 5 || i + 1 == out.words.size() ? "\n" : "");
    session.out << "};\n";
    return;
  }
  for (uint32_t word : out.words) session.out << fmt::format("{:08x}\n", word);
}

void assemble_file(Session& session, const AsmOptions& o) {
  const std::string text = read_input(session, o.file);
  const auto out =
      value_or_throw(desc::assemble(text, {.target = o.target.target(),
                                           .single = o.single,
                                           .target_fixed = !o.target.ptr.empty() || !o.target.endian.empty()}),
                     o.file == "-" ? "standard input" : o.file);
  if (!out.notes.empty()) session.exit_code = kExitNo;
  write(session, out, o);
}

}  // namespace

void add_asm(CLI::App& app, Session& session) {
  CLI::App* sub = app.add_subcommand("asm", "Make words of a listing, or of commands written like one");
  auto o = std::make_shared<AsmOptions>();
  sub->add_option("file", o->file, "file with the commands, - (the default) for standard input");
  add_target_options(*sub, o->target);
  sub->add_flag("--single", o->single, "every line is a command word by itself, without operands");
  sub->add_option("--format", o->format, "words, c, json")->check(CLI::IsMember({"words", "c", "json"}));
  sub->footer(
      "The language is that of caam dump (docs/assembler.md): \"KEY class1 len=16 ptr=0x1000\", \"JUMP -> label\".\n"
      "Numbers and words in front of a command and comments behind ; are not needed. --ptr and --endian go before\n"
      "what a line .target says.\n"
      "exit codes: 0 done, 1 done with notes (a header's length, columns out of date), 2 a line is wrong\n"
      "example: caam dump words.txt | caam asm");
  sub->callback([o, &session] { assemble_file(session, *o); });
}

}  // namespace caamlab::tools
