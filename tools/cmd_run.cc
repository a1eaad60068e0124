// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam run: requests through the whole path, and what happened.
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "api/errno.h"
#include "desc/text/disassemble.h"
#include "tools/hex.h"
#include "tools/run.h"
#include "tools/run_job.h"
#include "tools/subcommands.h"

namespace caamlab::tools {
namespace {

using desc::ShareMode;

struct RunOptionsCli {
  std::string algorithm, key, iv, aad, in, out, share, platform = "lx2160a";
  bool decrypt = false, json = false;
  RunJobOptions job;
  unsigned tag = 0, jobs = 0;
  std::string bytes = "32";
  std::string chunk = "1073741824";
};

// AES-GCM test case 4 of McGrew and Viega's submission to NIST (the GCM specification, appendix B).
constexpr std::string_view kKey = "feffe9928665731c6d6a8f9467308308";
constexpr std::string_view kIv = "cafebabefacedbaddecaf888";
constexpr std::string_view kAad = "feedfacedeadbeeffeedfacedeadbeefabaddad2";
constexpr std::string_view kPlain =
    "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657"
    "ba637b39";
constexpr std::string_view kCipher =
    "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac97"
    "3d58e091";
constexpr std::string_view kTag = "5bc94fbc3221a5db94fae95ae7121a47";
constexpr unsigned kDemoJobs = 8;

std::vector<uint8_t> known(std::string_view hex) { return *parse_hex(hex); }

std::string_view mode_name(ShareMode mode) { return desc::value_name(desc::kShareNames, static_cast<uint32_t>(mode)); }

std::vector<ShareMode> modes_of(const std::string& text) {
  if (text.empty()) return {ShareMode::kSerial, ShareMode::kNever};
  for (const desc::ValueName& v : desc::kSharedShareNames)
    if (v.name == text) return {static_cast<ShareMode>(v.value)};
  throw UsageError(fmt::format("--share: \"{}\" is none of never, wait, serial, always", text));
}

std::string statuses_text(const RunOutcome& o) {
  std::string out;
  for (const auto& [word, count] : o.statuses)
    out += fmt::format("{}{:08x} ({} job{})", out.empty() ? "" : ", ", word, count, count == 1 ? "" : "s");
  return out.empty() ? "none: the driver chosen is software" : out;
}

nlohmann::json outcome_json(const RunOutcome& o) {
  nlohmann::json statuses = nlohmann::json::object();
  for (const auto& [word, count] : o.statuses) statuses[fmt::format("{:08x}", word)] = count;
  nlohmann::json words = nlohmann::json::array();
  for (const uint32_t w : o.shared_words) words.push_back(fmt::format("0x{:08x}", w));
  return {{"share", mode_name(o.share)},          {"driver", o.driver_name},       {"errno", o.err},
          {"output", to_hex(o.output)},           {"all_jobs_equal", o.all_equal}, {"statuses", std::move(statuses)},
          {"device_jobs", o.device_jobs},         {"keys_loaded", o.keys_loaded},  {"keys_reused", o.keys_reused},
          {"shared_descriptor", std::move(words)}};
}

nlohmann::json lookup_json(const api::LookupReport& lookup) {
  nlohmann::json candidates = nlohmann::json::array();
  for (const api::Candidate& c : lookup.candidates)
    candidates.push_back({{"driver", c.driver_name},
                          {"priority", c.priority},
                          {"verdict", verdict_text(c.verdict)},
                          {"reason", c.reason}});
  return {{"name", lookup.name}, {"chosen", lookup.driver_name}, {"candidates", std::move(candidates)}};
}

void print_listing(Session& session, const RunOutcome& o) {
  const desc::Listing listing = desc::disassemble(o.shared_words, {.target = o.target});
  session.out << desc::to_text(listing);
}

void print_outcome(Session& session, const RunOutcome& o) {
  session.out << fmt::format("  status      {}\n", statuses_text(o));
  if (o.device_jobs != 0)
    session.out << fmt::format("  keys        {} loaded, {} reused by sharing\n", o.keys_loaded, o.keys_reused);
  if (o.err != 0) session.out << fmt::format("  answer      {}\n", api::errno_text(o.err));
  if (!o.all_equal) session.out << "  results     NOT the same for all jobs\n";
}

// What the share modes change: the words of the shared descriptor that differ, and whether the results do.
void print_comparison(Session& session, const RunReport& report) {
  const RunOutcome &a = report.outcomes[0], &b = report.outcomes[1];
  session.out << fmt::format("\n{} against {}\n", mode_name(a.share), mode_name(b.share));
  for (size_t i = 0; i < a.shared_words.size() && i < b.shared_words.size(); ++i)
    if (a.shared_words[i] != b.shared_words[i])
      session.out << fmt::format("  word {:2}     {:08x} -> {:08x}\n", i, a.shared_words[i], b.shared_words[i]);
  session.out << fmt::format("  results     {}\n", a.output == b.output && a.err == b.err ? "the same" : "DIFFERENT");
}

bool consistent(const RunReport& report) {
  for (const RunOutcome& o : report.outcomes)
    if (!o.random && (!o.all_equal || o.err != report.outcomes[0].err || o.output != report.outcomes[0].output))
      return false;
  return true;
}

// Without data: the published vector, encrypted and decrypted, in serial and in never mode.
void demo(Session& session, const RunOptionsCli& o) {
  RunInput encrypt{
      .platform = o.platform, .key = known(kKey), .iv = known(kIv), .aad = known(kAad), .data = known(kPlain)};
  encrypt.jobs = o.jobs != 0 ? o.jobs : kDemoJobs;
  std::vector<uint8_t> published = known(kCipher);
  const std::vector<uint8_t> tag = known(kTag);
  published.insert(published.end(), tag.begin(), tag.end());
  RunInput decrypt = encrypt;
  decrypt.decrypt = true;
  decrypt.data = published;
  const auto modes = modes_of(o.share);
  const RunReport there = value_or_throw(run_requests(encrypt, modes), encrypt.algorithm);
  const RunReport back = value_or_throw(run_requests(decrypt, modes), decrypt.algorithm);

  bool good = consistent(there) && consistent(back);
  for (size_t i = 0; i < modes.size(); ++i)
    good = good && there.outcomes[i].err == 0 && back.outcomes[i].err == 0 && there.outcomes[i].output == published &&
           back.outcomes[i].output == known(kPlain);
  if (!good) session.exit_code = kExitNo;
  if (o.json) {
    nlohmann::json encrypted = nlohmann::json::array(), decrypted = nlohmann::json::array();
    for (const RunOutcome& r : there.outcomes) encrypted.push_back(outcome_json(r));
    for (const RunOutcome& r : back.outcomes) decrypted.push_back(outcome_json(r));
    return print_json(session, {{"platform", o.platform},
                                {"lookup", lookup_json(there.lookup)},
                                {"published", to_hex(published)},
                                {"equal_to_published", good},
                                {"encrypt", std::move(encrypted)},
                                {"decrypt", std::move(decrypted)}});
  }
  session.out << fmt::format("{}: {} requests of gcm(aes), AES-GCM test case 4 of the GCM specification\n\n",
                             there.platform_title, encrypt.jobs);
  session.out << there.lookup.text();
  session.out << fmt::format("\nshared descriptor (encryption, {})\n", mode_name(there.outcomes[0].share));
  print_listing(session, there.outcomes[0]);
  for (size_t i = 0; i < modes.size(); ++i) {
    const RunOutcome &e = there.outcomes[i], &d = back.outcomes[i];
    session.out << fmt::format("\n{}, encryption\n", mode_name(modes[i]));
    print_outcome(session, e);
    session.out << fmt::format("  result      {}\n  published   {}\n  -> {}\n", to_hex(e.output), to_hex(published),
                               e.output == published ? "equal" : "NOT EQUAL");
    session.out << fmt::format("{}, decryption\n", mode_name(modes[i]));
    print_outcome(session, d);
    session.out << fmt::format("  -> {}\n", d.output == known(kPlain) ? "the plain text again" : "NOT the plain text");
  }
  if (there.outcomes.size() == 2) print_comparison(session, there);
}

struct CloseFile {
  void operator()(std::FILE* f) const { std::fclose(f); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

File open_file(const std::string& option, const std::string& path, const char* how) {
  File file(std::fopen(path.c_str(), how));
  if (!file) throw UsageError(fmt::format("{}: {} cannot be opened", option, path));
  return file;
}

uint64_t file_size(std::FILE* file) {
  std::fseek(file, 0, SEEK_END);
  const long end = std::ftell(file);
  std::fseek(file, 0, SEEK_SET);
  return end < 0 ? 0 : static_cast<uint64_t>(end);
}

RunInput input_of(const RunOptionsCli& o) {
  RunInput in;
  in.algorithm = o.algorithm.empty() ? "gcm(aes)" : o.algorithm;
  in.platform = o.platform;
  in.key = bytes_argument("--key", o.key);
  in.iv = bytes_argument("--iv", o.iv);
  in.aad = bytes_argument("--aad", o.aad);
  in.decrypt = o.decrypt;
  in.tag_bytes = o.tag;
  in.jobs = o.jobs != 0 ? o.jobs : 1;
  in.bytes = static_cast<size_t>(number_argument("--bytes", o.bytes, 0x1000000));
  return in;
}

// A file larger than a chunk goes as many requests.
void stream(Session& session, const RunOptionsCli& o, RunInput in, std::FILE* file, size_t chunk) {
  File out = o.out.empty() ? nullptr : open_file("--out", o.out, "wb");
  StreamIo io;
  io.read = [&](size_t n) {
    std::vector<uint8_t> data(n);
    data.resize(std::fread(data.data(), 1, n, file));
    return data;
  };
  io.write = [&](desc::ByteSpan data) {
    return !out || std::fwrite(data.data(), 1, data.size(), out.get()) == data.size();
  };
  const ShareMode mode = o.share.empty() ? ShareMode::kSerial : modes_of(o.share)[0];
  const StreamResult r = value_or_throw(run_stream(in, mode, chunk, io), in.algorithm);
  if (r.err != 0) session.exit_code = kExitNo;
  if (o.json)
    return print_json(session, {{"driver", r.driver_name},
                                {"requests", r.requests},
                                {"bytes_in", r.bytes_in},
                                {"bytes_out", r.bytes_out},
                                {"errno", r.err}});
  session.out << fmt::format("{} ({}): {} requests, {} bytes in, {} bytes out: {}\n", in.algorithm, r.driver_name,
                             r.requests, r.bytes_in, r.bytes_out, r.err == 0 ? "done" : api::errno_text(r.err));
}

void run(Session& session, const RunOptionsCli& o) {
  if (!o.job.job.empty()) {
    RunJobOptions job = o.job;
    job.json = o.json;
    return run_job(session, job);
  }
  if (o.algorithm.empty() && o.key.empty() && o.in.empty() && o.iv.empty()) return demo(session, o);
  RunInput in = input_of(o);
  const size_t chunk = static_cast<size_t>(number_argument("--chunk", o.chunk, 0xF0000000));
  if (chunk == 0 || chunk % 16 != 0) throw UsageError("--chunk: a multiple of 16 above 0 is needed");
  if (!o.in.empty()) {
    File file = open_file("--in", o.in, "rb");
    const uint64_t size = file_size(file.get());
    if (size > chunk) return stream(session, o, std::move(in), file.get(), chunk);
    in.data.resize(size);
    if (std::fread(in.data.data(), 1, size, file.get()) != size) throw UsageError("--in: " + o.in + " cannot be read");
  }
  const RunReport report = value_or_throw(run_requests(in, modes_of(o.share)), in.algorithm);
  const RunOutcome& first = report.outcomes[0];
  if (!consistent(report) || first.err != 0) session.exit_code = kExitNo;
  if (!o.out.empty() && first.err == 0) {
    File out = open_file("--out", o.out, "wb");
    if (std::fwrite(first.output.data(), 1, first.output.size(), out.get()) != first.output.size())
      throw UsageError("--out: " + o.out + " cannot be written");
  }
  if (o.json) {
    nlohmann::json outcomes = nlohmann::json::array();
    for (const RunOutcome& r : report.outcomes) outcomes.push_back(outcome_json(r));
    return print_json(session, {{"platform", o.platform}, {"lookup", lookup_json(report.lookup)}, {"runs", outcomes}});
  }
  session.out << report.lookup.text();
  for (const RunOutcome& r : report.outcomes) {
    session.out << fmt::format("\n{}\n", mode_name(r.share));
    print_outcome(session, r);
    if (r.err == 0 && o.out.empty()) session.out << fmt::format("  result      {}\n", to_hex(r.output));
  }
  if (report.outcomes.size() == 2 && !first.shared_words.empty()) print_comparison(session, report);
}

}  // namespace

void add_run(CLI::App& app, Session& session) {
  CLI::App* sub = app.add_subcommand("run", "Run requests through driver, job ring and DECO, and show what happened");
  auto o = std::make_shared<RunOptionsCli>();
  sub->add_option("--alg", o->algorithm, "algorithm, such as \"gcm(aes)\", or driver, such as gcm-aes-caam");
  sub->add_option("--key", o->key, "key: hexadecimal, or @FILE; of rsa in DER form");
  sub->add_option("--iv", o->iv, "IV: hexadecimal, or @FILE");
  sub->add_option("--aad", o->aad, "associated data: hexadecimal, or @FILE");
  sub->add_option("--in", o->in, "file with the data; none: no data");
  sub->add_option("--out", o->out, "file for the result; none: it is printed");
  sub->add_flag("--decrypt", o->decrypt, "the other direction; an aead's tag stands behind its cipher text");
  sub->add_option("--tag", o->tag, "tag size of an aead in bytes (default: the largest)");
  sub->add_option("--bytes", o->bytes, "random numbers to get, with --alg stdrng")->capture_default_str();
  sub->add_option("--share", o->share, "share mode: never, wait, serial, always (default: serial and never, compared)");
  sub->add_option("--jobs", o->jobs, "how many times the request is queued at once");
  sub->add_option("--platform", o->platform, "SoC by name, or a profile file")->capture_default_str();
  sub->add_option("--chunk", o->chunk, "bytes of data in one request at most")->capture_default_str();
  add_run_job_options(*sub, o->job);
  sub->add_flag("--json", o->json, "structured output");
  sub->footer(
      "Without options: a published AES-GCM vector, both directions, in serial and in never mode.\n"
      "A file larger than --chunk goes as several requests: a cipher goes on with its IV, a hash with its state; an "
      "aead\n"
      "makes one message a chunk, cipher text then tag, and counts up the last four bytes of the IV.\n"
      "exit codes: 0 done, 1 a request failed or results differ, 2 wrong usage or an input that cannot be read\n"
      "example: caam run --alg 'gcm(aes)' --key 000102030405060708090a0b0c0d0e0f --iv 000000000000000000000001 --in "
      "FILE");
  sub->callback([o, &session] { run(session, *o); });
}

}  // namespace caamlab::tools
