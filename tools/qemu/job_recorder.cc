// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See job_recorder.h.
#include "tools/qemu/job_recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "desc/text/disassemble.h"
#include "tools/hex.h"

namespace caamlab::tools::qemu {
namespace {

using nlohmann::json;

json words_json(const std::vector<uint32_t>& words) {
  json out = json::array();
  for (const uint32_t word : words) out.push_back(fmt::format("{:08x}", word));
  return out;
}

// Pieces that follow one another become one.
json pieces_json(const SeenJob& job, bool writes) {
  std::vector<std::pair<hw_model::BusAddr, std::vector<uint8_t>>> pieces;
  for (const JobAccess& access : job.accesses) {
    if (access.write != writes) continue;
    const auto bytes = writes ? std::vector<uint8_t>(access.memory.begin(), access.memory.end()) : access.read;
    if (!pieces.empty() && pieces.back().first + pieces.back().second.size() == access.addr)
      pieces.back().second.insert(pieces.back().second.end(), bytes.begin(), bytes.end());
    else
      pieces.emplace_back(access.addr, bytes);
  }
  json out = json::array();
  for (const auto& [addr, bytes] : pieces) out.push_back({fmt::format("{:#x}", addr), to_hex(bytes)});
  return out;
}

bool is_split_key(const desc::AlgOperation& op) {
  return op.cls == desc::ClassSel::kClass2 && op.as == desc::AlgState::kInit && !op.enc && op.aai == desc::aai::kHmac;
}

// Random numbers, and keys encrypted under a device's own key encryption key.
bool is_device_specific(const SeenJob& job) {
  return std::ranges::any_of(job.operations, [&](const desc::Command& command) {
    if (std::holds_alternative<desc::Key>(command)) return true;
    const auto* op = std::get_if<desc::AlgOperation>(&command);
    if (op == nullptr) return false;
    return op->alg == desc::Alg::kRng || (job.shared.empty() && is_split_key(*op));
  });
}

}  // namespace

std::string replay_line(const SeenJob& job, const std::string& run, int era, const desc::Target& target,
                        desc::SgFormat sg_format) {
  json line = {{"run", run},
               {"via", job.direct ? "deco0" : "jr"},
               {"endian", target.endian == desc::Endian::kBig ? "big" : "little"},
               {"imx_ptr_order", target.imx},
               {"ptr_bytes", target.ptr_bytes},
               {"era", era},
               {"ring", job.direct ? -1 : static_cast<int>(job.source)},
               {"job_addr", fmt::format("{:#x}", job.addr)},
               {"job", words_json(job.words)},
               {"executed", true},
               {"status", fmt::format("{:08x}", job.status.word)},
               {"reads", pieces_json(job, false)},
               {"writes", pieces_json(job, true)},
               {"outcome_device_specific", is_device_specific(job)}};
  if (sg_format == desc::SgFormat::kDpaa2) line["sg_format"] = "dpaa2";
  if (!job.shared.empty()) {
    line["shared_addr"] = fmt::format("{:#x}", job.shared_addr);
    line["shared"] = words_json(job.shared);
  }
  json ops = json::array();
  for (size_t i = 0; i < job.operations.size(); ++i)
    if (!std::holds_alternative<desc::Key>(job.operations[i]))
      ops.push_back(desc::describe_word_at(std::span(&job.operation_words[i], 1), 0, {.target = target}));
  line["ops"] = std::move(ops);
  return line.dump();
}

void JobCounter::count(unsigned ring, uint32_t status) {
  if (ring < ring_jobs_.size()) ++ring_jobs_[ring];
  ++statuses_[status];
}

void JobCounter::job_done(const SeenJob& job) {
  if (job.direct) {
    ++direct_jobs_;
    ++direct_statuses_[job.status.word];
  } else {
    count(static_cast<unsigned>(job.source), job.status.word);
  }
}

std::string JobCounter::report() const {
  std::string out;
  for (size_t ring = 0; ring < ring_jobs_.size(); ++ring)
    if (ring_jobs_[ring] != 0) out += fmt::format("jobs jr{} {}\n", ring, ring_jobs_[ring]);
  out += fmt::format("jobs direct {}\n", direct_jobs_);
  for (const auto& [status, count] : statuses_) out += fmt::format("status {:08x} {}\n", status, count);
  for (const auto& [status, count] : direct_statuses_) out += fmt::format("direct-status {:08x} {}\n", status, count);
  return out;
}

JobRecorder::JobRecorder(const std::string& path, std::string run, int era, const desc::Target& target,
                         desc::SgFormat sg_format)
    : file_(std::fopen(path.c_str(), "w")), run_(std::move(run)), era_(era), target_(target), sg_format_(sg_format) {}

void JobRecorder::job_done(const SeenJob& job) {
  if (!file_) return;
  const std::string line = replay_line(job, run_, era_, target_, sg_format_) + "\n";
  std::fwrite(line.data(), 1, line.size(), file_.get());
}

}  // namespace caamlab::tools::qemu
