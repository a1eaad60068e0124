// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See share_subject.h.
#include "tools/share_subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "desc/text/detect.h"
#include "desc/text/walk.h"
#include "tools/share_recognize.h"

namespace caamlab::tools {
namespace {

MakeFlowOptions flow_options(const ShareSubjectOptions& o) { return {.jobs = o.jobs, .seed = o.seed}; }

void take_flow(ShareSubject& s, desc::Result<MadeFlow> made) {
  if (!made) {
    s.missing = made.error().message;
    return;
  }
  s.jobs_are = fmt::format("{} made-up jobs of {}, right results by software", made->flow.jobs.size(), made->algorithm);
  s.flow = std::move(made->flow);
}

ShareSubject from_constructor(const ConstructorRow& row, const ShareSubjectOptions& o) {
  if (!row.name.starts_with("cnstr_shdsc_"))
    throw UsageError(fmt::format("{} makes a job descriptor: only shared ones are shared", row.name));
  const nlohmann::json params = params_from_options(row, o.values, o.target.target());
  const Built built = value_or_throw(build_descriptor(row, params, o.share), row.name);
  ShareSubject s{.what = std::string(row.name)};
  s.words.assign(built.desc.words().begin(), built.desc.words().end());
  s.target = o.target.target();
  take_flow(s, make_flow(row, params, flow_options(o)));
  return s;
}

// -- words --------------------------------------------------------------------------------------------------------

// The first shared descriptor among the words: at their start, or behind or in front of its job.
std::vector<uint32_t> shared_words(std::span<const uint32_t> words, unsigned ptr_words) {
  std::vector<uint32_t> out;
  desc::walk(words, ptr_words, [&](const desc::Item& item) {
    if (!out.empty() || item.kind != desc::ItemKind::kHeader) return;
    if (!std::holds_alternative<desc::SharedHeader>(item.command)) return;
    const size_t len = std::max<size_t>(std::get<desc::SharedHeader>(item.command).len, 1);
    const auto from = words.subspan(item.index);
    out.assign(from.begin(), from.begin() + static_cast<ptrdiff_t>(std::min(len, from.size())));
  });
  return out;
}

void make_jobs(ShareSubject& s, const ShareSubjectOptions& o) {
  const auto found = recognize(s.words, s.target);
  if (!found) {
    s.missing =
        "it is not like what any of the kernel's constructors makes, so the form of its jobs is not known; give jobs "
        "with their memory, a line each, as caam replay takes them";
    return;
  }
  s.notes.push_back(fmt::format("{} {}{}", found->changed == 0 ? "these are the words of" : "like", found->row->name,
                                found->options));
  if (found->changed != 0)
    s.notes.push_back(fmt::format("{} of its commands not as there; it gets that constructor's jobs", found->changed));
  if (found->changed != 0 && found->replaces_key) {
    s.missing = "the HMAC key of the split key in the descriptor is not known, so nothing says what is right";
    return;
  }
  take_flow(s, make_flow(*found->row, found->params, flow_options(o)));
  if (s.flow && !found->replaces_key) s.flow->shared = s.words;
  if (s.flow && found->changed != 0) {
    // Job descriptors say how long the shared one is.
    for (ShareJob& job : s.flow->jobs) {
      auto header = desc::decode_as<desc::JobHeader>(job.words[0]);
      header.start = static_cast<uint8_t>(s.words.size());
      job.words[0] = desc::encode(header);
    }
  }
}

ShareSubject from_words(const std::string& text, const std::string& where, const ShareSubjectOptions& o) {
  desc::DetectOptions options;
  if (!o.target.ptr.empty()) options.ptr_bytes = o.target.target().ptr_bytes;
  if (!o.target.endian.empty()) {
    options.endian = o.target.target().endian;
    options.imx = o.target.target().imx;
  }
  for (const desc::PastedDump& dump : value_or_throw(desc::read_dumps(text), where)) {
    const desc::Detected found = desc::detect(dump, options);
    ShareSubject s{.what = fmt::format("{}, line {}", where, dump.line)};
    s.words = shared_words(found.words, found.target.ptr_words());
    if (s.words.empty()) continue;
    s.target = found.target;
    if (o.share) {
      auto header = desc::decode_as<desc::SharedHeader>(s.words[0]);
      header.share = *o.share;
      s.words[0] = desc::encode(header);
    }
    if (s.words.size() < desc::decode_as<desc::SharedHeader>(s.words[0]).len)
      throw UsageError(fmt::format("{}: the shared descriptor is cut off after {} words", s.what, s.words.size()));
    make_jobs(s, o);
    return s;
  }
  throw UsageError(fmt::format("{}: no shared descriptor: none of its words is a header of one (b8...)", where));
}

// -- recorded jobs ------------------------------------------------------------------------------------------------

std::vector<MemoryPiece> last_values(std::span<const MemoryPiece> writes) {
  std::map<uint64_t, uint8_t> bytes;
  for (const MemoryPiece& w : writes)
    for (size_t i = 0; i < w.bytes.size(); ++i) bytes[w.addr + i] = w.bytes[i];
  std::vector<MemoryPiece> out;
  for (const auto& [addr, byte] : bytes) {
    if (out.empty() || out.back().addr + out.back().bytes.size() != addr) out.push_back({addr, {}});
    out.back().bytes.push_back(byte);
  }
  return out;
}

// Where the descriptor has a pointer, and the job's memory begins there, the memory is the flow's.
bool points_to(std::span<const uint32_t> words, const desc::Target& target, uint64_t addr) {
  for (size_t i = 1; i + target.ptr_words() <= words.size(); ++i)
    if (desc::pointer_from_words(&words[i], target) == addr) return true;
  return false;
}

ShareJob recorded_job(const ReplayJob& job, ShareFlow& flow) {
  ShareJob out{.words = job.job, .reads = {}, .expected = {}};
  for (const MemoryPiece& piece : job.reads) {
    if (!points_to(flow.shared, flow.target, piece.addr)) {
      out.reads.push_back(piece);
    } else if (std::ranges::none_of(flow.common, [&](const MemoryPiece& c) { return c.addr == piece.addr; })) {
      flow.common.push_back(piece);
    }
  }
  out.known = job.executed && !job.device_specific && job.status == 0;
  for (const MemoryPiece& piece : last_values(job.writes))
    if (piece.addr != flow.shared_addr && !points_to(flow.shared, flow.target, piece.addr))
      out.expected.push_back(piece);
  return out;
}

ShareSubject from_recorded(const std::string& text, const std::string& where, const ShareSubjectOptions& o) {
  std::istringstream lines(text);
  std::string line;
  size_t number = 0, first = 0;
  std::vector<ReplayJob> jobs;
  while (std::getline(lines, line)) {
    ++number;
    if (line.empty() || number < o.line) continue;
    ReplayJob job = value_or_throw(parse_replay_line(line), fmt::format("{}, line {}", where, number));
    if (number == o.line && job.shared.empty())
      throw UsageError(fmt::format("{}, line {}: the job has no shared descriptor", where, number));
    if (job.shared.empty() || !job.memory_known) continue;
    if (first == 0) first = number;
    if (jobs.empty() ||
        (job.shared == jobs[0].shared && job.shared_addr == jobs[0].shared_addr && job.run == jobs[0].run))
      jobs.push_back(std::move(job));
  }
  if (jobs.empty()) throw UsageError(fmt::format("{}: no job with a shared descriptor and its memory", where));
  ShareSubject s{.what = fmt::format("{}, line {}", where, first), .words = jobs[0].shared, .target = jobs[0].target};
  ShareFlow flow{.target = s.target, .era = jobs[0].era, .shared = s.words, .shared_addr = jobs[0].shared_addr};
  for (const ReplayJob& job : jobs) flow.jobs.push_back(recorded_job(job, flow));
  s.flow = std::move(flow);
  s.jobs_are = fmt::format("{} recorded jobs, right results as recorded", jobs.size());
  return s;
}

}  // namespace

ShareSubject read_share_subject(Session& session, const ShareSubjectOptions& o) {
  if (const ConstructorRow* row = find_constructor(o.subject)) return from_constructor(*row, o);
  if (!o.values.empty())
    throw UsageError(fmt::format("{} goes with the name of a constructor; \"{}\" is none (caam build --list)",
                                 o.values.begin()->first, o.subject));
  const std::string text = read_input(session, o.subject);
  const std::string where = o.subject == "-" ? "standard input" : o.subject;
  const size_t begin = text.find_first_not_of(" \t\r\n");
  const bool recorded = begin != std::string::npos && text[begin] == '{' && text.find("\"job_addr\"") != text.npos;
  return recorded ? from_recorded(text, where, o) : from_words(text, where, o);
}

}  // namespace caamlab::tools
