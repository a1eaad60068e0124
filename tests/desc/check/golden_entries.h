// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The kernel's descriptors (tests/golden) and recorded jobs (tests/replay) as inputs of the checks.
#pragma once

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "desc/check/check.h"

namespace caamlab::desc {

using nlohmann::json;

inline std::vector<uint32_t> words_of(const json& list) {
  std::vector<uint32_t> words;
  for (const auto& w : list) words.push_back(static_cast<uint32_t>(std::stoul(w.get<std::string>(), nullptr, 16)));
  return words;
}

struct Sample {
  std::string name, constructor;
  std::vector<uint32_t> shared, job;
  Target target;
  std::optional<int> era{};
  std::vector<KnownTable> tables{};
  std::string status{};  // of a recorded job

  ProgramInput input() const { return {.shared = shared, .job = job, .target = target}; }
  CheckOptions options() const { return {.era = era, .tables = tables}; }
};

// Bytes of a sec4_sg table, [ptr, length and flags, offset] an entry, up to the final one.
inline uint64_t table_bytes(const json& table) {
  uint64_t bytes = 0;
  for (const auto& entry : table) {
    const auto len = std::stoul(entry[1].get<std::string>(), nullptr, 16);
    bytes += len & 0x3FFFFFFF;
    if ((len & 0x40000000) != 0) break;
  }
  return bytes;
}

inline Sample golden_sample(const json& e) {
  const json& p = e["params"];
  Sample s{.name = e["name"], .constructor = e["constructor"], .shared = {}, .job = {}, .target = {}};
  s.target.ptr_bytes = p.value("caam_ptr_sz", uint8_t{8});
  s.target.endian = p.value("caam_little_end", true) ? Endian::kLittle : Endian::kBig;
  s.target.imx = p.value("caam_imx", false);
  const auto words = words_of(e["words"]);
  const auto split = program_input(words, s.target);
  s.shared.assign(split.shared.begin(), split.shared.end());
  s.job.assign(split.job.begin(), split.job.end());
  if (p.contains("era") && p["era"].is_number()) s.era = p["era"].get<int>();
  // The source's table comes first, from sec4_sg_dma on; only where it is the whole table are its bytes known.
  if (e.contains("sec4_sg") && !e["sec4_sg"].empty() && p.contains("sec4_sg_dma") && p.contains("dst") &&
      p["dst"].is_null())
    s.tables.push_back({std::stoull(p["sec4_sg_dma"].get<std::string>(), nullptr, 16), table_bytes(e["sec4_sg"])});
  return s;
}

template <class Fn>
unsigned for_each_golden(Fn&& fn) {
  unsigned n = 0;
  for (const char* name : {"gcm", "endian", "misc", "aead", "hash", "skcipher", "pkc"}) {
    const json file = json::parse(std::ifstream(fmt::format("tests/golden/{}.json", name)));
    for (const json& e : file["entries"]) {
      fn(golden_sample(e));
      ++n;
    }
  }
  return n;
}

template <class Fn>
unsigned for_each_recorded(Fn&& fn) {
  std::ifstream in("tests/replay/kernel-jobs.jsonl");
  std::string line;
  unsigned n = 0;
  while (std::getline(in, line)) {
    const json e = json::parse(line);
    Sample s{
        .name = fmt::format("line {}", ++n), .constructor = {}, .shared = {}, .job = words_of(e["job"]), .target = {}};
    if (e.contains("shared")) s.shared = words_of(e["shared"]);
    s.target.ptr_bytes = e["ptr_bytes"];
    s.target.endian = e["endian"] == "big" ? Endian::kBig : Endian::kLittle;
    s.target.imx = e["imx_ptr_order"];
    s.era = e["era"].get<int>();
    s.status = e["status"];
    fn(s);
  }
  return n;
}

inline std::string text_of(const Finding& f) {
  return fmt::format("{} {}: {} {}: {}", part_name(f.part), f.index, severity_name(f.severity), rule_row(f.rule).name,
                     f.message);
}

}  // namespace caamlab::desc
