// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See job_watch.h.
#include "tools/qemu/job_watch.h"

#include <algorithm>

#include "hw_model/memory.h"

namespace caamlab::tools::qemu {
namespace {

bool is_noted(const desc::Command& command) {
  if (const auto* key = std::get_if<desc::Key>(&command)) return key->enc;
  return std::holds_alternative<desc::AlgOperation>(command) || std::holds_alternative<desc::PkOperation>(command) ||
         std::holds_alternative<desc::ProtocolOperation>(command);
}

}  // namespace

std::span<uint8_t> JobWatch::window(hw_model::BusAddr addr, size_t len, hw_model::DmaDirection dir) {
  if (running_ && !std::ranges::all_of(listeners_, [&](JobListener* l) { return l->allow(job_); })) return {};
  const std::span<uint8_t> run = memory_.window(addr, len, dir);
  if (!running_ || run.empty()) return run;
  JobAccess& access = job_.accesses.emplace_back();
  access.addr = addr;
  access.memory = run;
  access.write = dir != hw_model::DmaDirection::kToDevice;
  if (keep_reads_ && !access.write) access.read.assign(run.begin(), run.end());
  return run;
}

// The shared descriptor is read from memory: a DECO that kept it from the job before may hold a changed one.
void JobWatch::job_begins(const hw_model::Deco& deco) {
  job_ = {};
  job_.source = deco.source();
  job_.addr = deco.job_addr();
  job_.direct = job_.addr == 0;
  const auto buffer = deco.buffer();
  const auto own = buffer.subspan(deco.shared_words(), deco.job_words());
  job_.words.assign(own.begin(), own.end());
  if (deco.has_shared()) {
    job_.shared_addr = deco.shared_addr();
    job_.shared = words_at(deco.shared_addr(), deco.shared_words(), deco.endian());
  }
  running_ = true;
}

void JobWatch::before_command(const hw_model::Deco& deco, unsigned index, const desc::Command& command) {
  if (!is_noted(command)) return;
  job_.operations.push_back(command);
  job_.operation_words.push_back(deco.buffer()[index]);
}

void JobWatch::job_ends(const hw_model::Deco&, desc::JrStatus status) {
  running_ = false;
  job_.status = status;
  for (JobListener* listener : listeners_) listener->job_done(job_);
}

std::vector<uint32_t> JobWatch::words_at(hw_model::BusAddr addr, size_t count, desc::Endian endian) {
  std::vector<uint8_t> raw(count * 4);
  if (!hw_model::bus_read(memory_, addr, raw)) return {};
  std::vector<uint32_t> words(count);
  for (size_t i = 0; i < count; ++i) words[i] = desc::load32(raw.data() + i * 4, endian);
  return words;
}

}  // namespace caamlab::tools::qemu
