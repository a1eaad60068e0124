// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam status: status words, alone or in logs, in plain words; beside the descriptor they belong to.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "desc/status/status_line.h"
#include "desc/text/find_status.h"
#include "desc/text/status_place.h"
#include "tools/listing_json.h"
#include "tools/pasted.h"
#include "tools/subcommands.h"

namespace caamlab::tools {
namespace {

using desc::FoundKind;
using desc::FoundStatus;
using desc::JrStatus;
using desc::StatusSource;
using nlohmann::json;

struct StatusOptions {
  std::vector<std::string> words;
  std::string log;
  std::string descriptor;
  TargetOptions target;
  bool json = false;
};

struct Described {
  std::vector<uint32_t> words;
  desc::DisassembleOptions options;
};

std::optional<Described> read_descriptor(Session& session, const StatusOptions& o) {
  if (o.descriptor.empty()) return std::nullopt;
  Described d;
  const desc::PastedDump dump = read_pasted(session, o.descriptor)[0];
  desc::Detected found = detect_pasted(dump, o.target);
  d.words = std::move(found.words);
  d.options.target = found.target;
  d.options.first_index = dump.first_index;
  return d;
}

// True if every argument is a number: then they are asked about, and not a log.
bool only_numbers(const std::vector<std::string>& words) {
  return std::ranges::all_of(words, [](std::string_view w) {
    if (w.starts_with('-')) w.remove_prefix(1);
    if (w.starts_with("0x") || w.starts_with("0X")) w.remove_prefix(2);
    return !w.empty() && w.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
  });
}

const char* source_name(JrStatus status) {
  switch (status.source()) {
    case StatusSource::kNone:
      return "none";
    case StatusSource::kCcb:
      return "ccb";
    case StatusSource::kJumpUser:
      return "jump_user";
    case StatusSource::kDeco:
      return "deco";
    case StatusSource::kQi:
      return "qi";
    case StatusSource::kJr:
      return "jr";
    case StatusSource::kJumpCond:
      return "jump_cond";
  }
  return "unknown";
}
const char* kind_name(FoundKind kind) {
  switch (kind) {
    case FoundKind::kStatus:
      return "status";
    case FoundKind::kRingInterrupt:
      return "ring_interrupt";
    case FoundKind::kErrno:
      return "errno";
    case FoundKind::kTee:
      return "tee";
  }
  return "";
}
bool has_index(JrStatus s) {
  return s.source() == StatusSource::kCcb || s.source() == StatusSource::kDeco ||
         s.source() == StatusSource::kJumpUser || s.source() == StatusSource::kJumpCond;
}

// What the parts of the word are, besides what the line in the log's form says.
std::string parts_text(JrStatus s) {
  if (s.ok()) return "the job was done";
  const unsigned low = s.word & 0xFF;
  switch (s.source()) {
    case StatusSource::kCcb:
      return fmt::format("bits 31:28 = 2, CCB: a CHA found it; CHA {:#x} ({}), code {:#x}", low >> 4,
                         s.cha() == desc::ChaId::kNone ? "none of them" : desc::cha_text(s), low & 0xF);
    case StatusSource::kDeco:
      return fmt::format("bits 31:28 = 4, DECO: executing the command at {}; code {:#04x}", s.index(), low);
    case StatusSource::kJumpUser:
      return fmt::format("bits 31:28 = 3, JUMP halt-user at {} with status byte {:#04x}", s.index(), low);
    case StatusSource::kJumpCond:
      return fmt::format("bits 31:28 = 7, JUMP halt at {} with condition codes {:#04x}", s.index(), low);
    case StatusSource::kQi:
      return fmt::format("bits 31:28 = 5, queue interface: before or after the descriptor ran; code {:#04x}", low);
    case StatusSource::kJr:
      return fmt::format("bits 31:28 = 6, job ring: about the ring, not about a job; code {:#04x}", low);
    default:
      return fmt::format("bits 31:28 = {}: no such source", s.word >> 28);
  }
}

json to_json(const FoundStatus& f, const std::optional<Described>& described) {
  json out = {{"kind", kind_name(f.kind)},
              {"line", f.line},
              {"text", f.text},
              {"notes", f.notes},
              {"contradictions", f.contradictions}};
  if (f.kind != FoundKind::kStatus) {
    out["status"] = nullptr;
    out["word"] = fmt::format("{:08x}", f.word);
    out["means"] = desc::look_alike_text(f);
    return out;
  }
  const JrStatus s{f.word};
  out["status"] = fmt::format("{:08x}", f.word);
  out["source"] = source_name(s);
  out["kernel"] = desc::status_line(f.word);
  out["known"] = f.word == 0 || desc::is_known_status(f.word);
  if (has_index(s)) {
    out["index"] = s.index();
    out["jumped"] = s.jumped();
  }
  if (s.source() == StatusSource::kCcb) {
    out["unit"] = static_cast<unsigned>(s.cha());
    out["cha"] = desc::cha_text(s);
    out["error"] = static_cast<unsigned>(s.ccb_error());
  } else {
    out["error"] = f.word & 0xFF;
  }
  out["means"] = desc::code_text(s);
  out["causes"] = desc::code_causes(s);
  if (described) {
    const desc::StatusPlace place = desc::place_status(s, described->words, described->options);
    out["place"] = {{"where", place.where}, {"contradictions", place.contradictions}, {"remarks", place.remarks}};
    if (place.line) {
      const desc::Listing listing = desc::disassemble(described->words, described->options);
      out["place"]["command"] = tools::to_json(listing.lines[*place.line]);
    }
  }
  return out;
}

void print_place(Session& session, JrStatus s, const Described& described) {
  const desc::StatusPlace place = desc::place_status(s, described.words, described.options);
  session.out << fmt::format("  command  {}\n", place.where);
  if (place.line) {
    const desc::Listing listing = desc::disassemble(described.words, described.options);
    const size_t first = *place.line < 3 ? 0 : *place.line - 3;
    for (size_t i = first; i < listing.lines.size() && i < *place.line + 3; ++i) {
      std::string text = desc::to_text(listing.lines[i]);
      session.out << (i == *place.line ? "  ---> " : "       ") << text.substr(0, text.find('\n') + 1);
    }
  }
  for (const std::string& remark : place.remarks) session.out << fmt::format("  note     {}\n", remark);
  for (const std::string& wrong : place.contradictions) session.out << fmt::format("  !        {}\n", wrong);
}

void print(Session& session, const FoundStatus& f, bool from_text, const std::optional<Described>& described) {
  if (f.kind == FoundKind::kStatus)
    session.out << desc::status_line(f.word) << '\n';
  else
    session.out << fmt::format("{:08x}: {}\n", f.word, desc::look_alike_text(f));
  if (from_text) session.out << fmt::format("  line {:<4}{}\n", f.line, f.text);
  if (f.kind == FoundKind::kStatus) {
    const JrStatus s{f.word};
    session.out << fmt::format("  word     {}\n", parts_text(s));
    if (const auto causes = desc::code_causes(s); !causes.empty())
      session.out << fmt::format("  causes   {}\n", causes);
    if (described) print_place(session, s, *described);
  }
  for (const std::string& note : f.notes) session.out << fmt::format("  note     {}\n", note);
  for (const std::string& wrong : f.contradictions) session.out << fmt::format("  !        {}\n", wrong);
}

bool contradicts(const FoundStatus& f, const std::optional<Described>& described) {
  if (!f.contradictions.empty()) return true;
  return f.kind == FoundKind::kStatus && described &&
         !desc::place_status(JrStatus{f.word}, described->words, described->options).contradictions.empty();
}

// Every word once, with the lines on which it stands again; one that its line contradicts stands by itself.
void print_all(Session& session, const std::vector<FoundStatus>& found, bool from_text,
               const std::optional<Described>& described) {
  std::map<std::pair<FoundKind, uint32_t>, std::vector<const FoundStatus*>> groups;
  std::vector<const FoundStatus*> order;
  for (const FoundStatus& f : found) {
    auto& group = groups[{f.kind, f.word}];
    if (group.empty() || !f.contradictions.empty()) order.push_back(&f);
    group.push_back(&f);
  }
  for (const FoundStatus* f : order) {
    if (f != order.front()) session.out << '\n';
    print(session, *f, from_text, described);
    const auto& group = groups[{f->kind, f->word}];
    if (!from_text || group.size() == 1 || f != group.front()) continue;
    std::string lines;
    constexpr size_t kShown = 8;
    for (size_t i = 1; i < group.size() && i <= kShown; ++i)
      lines += fmt::format("{}{}", i == 1 ? "" : ", ", group[i]->line);
    session.out << fmt::format("  again    on line {}{}\n", lines, group.size() > kShown + 1 ? " and others" : "");
  }
}

void status(Session& session, const StatusOptions& o) {
  const bool from_text = !o.log.empty() || o.words.empty() || o.words == std::vector<std::string>{"-"};
  std::string text;
  if (from_text) {
    text = read_input(session, o.log.empty() ? "-" : o.log);
  } else {
    for (const std::string& word : o.words) text += (text.empty() ? "" : " ") + word;
  }
  const std::optional<Described> described = read_descriptor(session, o);
  const std::vector<FoundStatus> found = desc::find_status(text, !from_text && only_numbers(o.words));
  if (found.empty() || std::ranges::any_of(found, [&](const FoundStatus& f) { return contradicts(f, described); }))
    session.exit_code = kExitNo;
  if (o.json) {
    json list = json::array();
    for (const FoundStatus& f : found) list.push_back(to_json(f, described));
    return print_json(session, {{"found", std::move(list)}});
  }
  if (found.empty()) session.out << "no status word there: eight hexadecimal digits such as 2000081a\n";
  print_all(session, found, from_text, described);
}

}  // namespace

void add_status(CLI::App& app, Session& session) {
  CLI::App* sub = app.add_subcommand("status", "Explain status words of jobs, alone or out of a log");
  auto o = std::make_shared<StatusOptions>();
  sub->add_option("words", o->words, "status words, a line of a log, or - (the default) for a log on standard input");
  sub->add_option("--log", o->log, "file to search for status words");
  sub->add_option("--desc", o->descriptor,
                  "file with the words of the descriptor, in any layout that caam dump reads: shows the command at the "
                  "index, and whether it can have raised the error");
  add_target_options(*sub, o->target);
  sub->add_flag("--json", o->json, "structured output");
  sub->footer(
      "Finds words in kernel logs (with time stamps, quoted), boot loader output, in decimal, cut in two, and in the\n"
      "bytes of an i.MX HAB event. Says so when a number is something else: a ring's interrupt register (irqstate),\n"
      "an errno, a result code of the TEE.\n"
      "exit codes: 0 understood, 1 nothing found, no such code, or a contradiction (lines marked !), 2 wrong usage\n"
      "example: dmesg | caam status -          caam status 20000254          caam status 40000006 --desc words.txt");
  sub->callback([o, &session] { status(session, *o); });
}

}  // namespace caamlab::tools
