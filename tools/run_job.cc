// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See run_job.h. Memory is what --mem gives; the job may write anywhere, and what it wrote is shown.
#include "tools/run_job.h"

#include <fmt/format.h>

#include "desc/era.h"
#include "desc/status/status_line.h"
#include "desc/text/disassemble.h"
#include "desc/text/read_words.h"
#include "tools/hex.h"
#include "tools/trace.h"

namespace caamlab::tools {
namespace {

MemoryPiece memory_piece(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == text.npos) throw UsageError(fmt::format("--mem {}: expected ADDR=HEX or ADDR=@FILE", text));
  MemoryPiece piece;
  piece.addr = number_argument("--mem", text.substr(0, equals));
  piece.bytes = bytes_argument("--mem", text.substr(equals + 1));
  return piece;
}

std::vector<uint32_t> words_of(Session& session, const std::string& file, desc::Endian endian) {
  return value_or_throw(desc::read_words(read_input(session, file), endian), file).words;
}

// The length in a header is what the device fetches; words behind it are not part of the descriptor.
void check_length(const std::string& file, const std::vector<uint32_t>& words, bool shared) {
  const uint32_t header = words.empty() ? 0 : words[0];
  const bool right = shared ? desc::is_command<desc::SharedHeader>(header) : desc::is_command<desc::JobHeader>(header);
  if (!right)
    throw UsageError(fmt::format("{}: word 0, {:08x}, is not the header of a {} descriptor", file, header,
                                 shared ? "shared" : "job"));
  const unsigned len =
      shared ? desc::decode_as<desc::SharedHeader>(header).len : desc::decode_as<desc::JobHeader>(header).len;
  if (words.size() < len)
    throw UsageError(fmt::format("{}: {} words, but its header says {}", file, words.size(), len));
}

ReplayJob job_of(Session& session, const RunJobOptions& o) {
  ReplayJob job;
  job.target = o.target.target();
  job.era = o.era;
  job.job = words_of(session, o.job, job.target.endian);
  check_length(o.job, job.job, false);
  if (o.target.ptr.empty()) job.target.ptr_bytes = desc::guess_ptr_bytes(job.job, job.target, job.target.ptr_bytes);
  job.job_addr = number_argument("--job-addr", o.job_addr);
  const auto header = desc::decode_as<desc::JobHeader>(job.job[0]);
  if (header.shr) {
    const size_t at = header.dnr_ext && o.era >= 5 ? 2 : 1;  // behind the extension word
    if (job.job.size() < at + job.target.ptr_words()) throw UsageError(o.job + ": the pointer to the SD is missing");
    job.shared_addr = desc::pointer_from_words(&job.job[at], job.target);
  }
  if (!o.shared.empty()) {
    if (!header.shr) throw UsageError("--shared: the job's header says that it has no shared descriptor");
    job.shared = words_of(session, o.shared, job.target.endian);
    check_length(o.shared, job.shared, true);
  }
  for (const std::string& text : o.mem) job.reads.push_back(memory_piece(text));
  job.executed = false;  // nothing to compare with
  return job;
}

void print_result(Session& session, const ReplayResult& result) {
  session.out << "status " << (result.status.ok() ? "00000000: done" : desc::status_line(result.status.word)) << '\n';
  for (const MemoryPiece& piece : result.writes)
    session.out << fmt::format("write  {:#x} {} bytes: {}\n", piece.addr, piece.bytes.size(), to_hex(piece.bytes));
  for (const auto& [addr, len] : result.refused)
    session.out << fmt::format("no memory at {:#x} ({} bytes wanted): give it with --mem\n", addr, len);
}

nlohmann::json result_json(const ReplayResult& result) {
  nlohmann::json writes = nlohmann::json::array(), refused = nlohmann::json::array();
  for (const MemoryPiece& piece : result.writes)
    writes.push_back({fmt::format("{:#x}", piece.addr), to_hex(piece.bytes)});
  for (const auto& [addr, len] : result.refused) refused.push_back({fmt::format("{:#x}", addr), len});
  return {{"status", fmt::format("{:08x}", result.status.word)},
          {"writes", std::move(writes)},
          {"no_memory", std::move(refused)}};
}

}  // namespace

void add_run_job_options(CLI::App& sub, RunJobOptions& o) {
  sub.add_option("--job", o.job, "run this job descriptor instead: file with its words, - for standard input");
  sub.add_option("--shared", o.shared, "with --job: file with the shared descriptor");
  sub.add_option("--mem", o.mem, "with --job: ADDR=HEX or ADDR=@FILE, data or S/G table as it lies in memory; repeat");
  sub.add_option("--job-addr", o.job_addr, "with --job: where the job descriptor lies")->capture_default_str();
  sub.add_option("--era", o.era, "with --job: SEC era")->check(CLI::Range(desc::kMinEra, desc::kMaxEra));
  sub.add_flag("--trace", o.trace, "with --job: each command and what it changed");
  add_target_options(sub, o.target);
}

void run_job(Session& session, const RunJobOptions& o) {
  const ReplayJob job = job_of(session, o);
  TracePrinter printer([&](std::string_view line) { session.out << line << '\n'; });
  const ReplayResult result = run_replay_job(job, {.trace = o.trace ? &printer : nullptr, .plain_black_keys = false});
  if (!result.status.ok()) session.exit_code = kExitNo;
  if (o.json) return print_json(session, result_json(result));
  print_result(session, result);
}

}  // namespace caamlab::tools
