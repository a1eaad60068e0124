// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See share_run.h.
#include "tools/share_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "desc/codec.h"
#include "hw_model/cha/device_units.h"
#include "hw_model/platform.h"
#include "hw_model/scheduler.h"
#include "hw_model/sparse_memory.h"
#include "tools/hex.h"

namespace caamlab::tools {
namespace {

using hw_model::BusAddr;
using hw_model::Deco;

constexpr unsigned kDecos = 3;
constexpr size_t kPaired = 3;       // jobs that are tried in pairs
constexpr size_t kShownBytes = 16;  // of a difference

class Noise final : public hw_model::EntropySource, public hw_model::PadRandom {
 public:
  bool entropy(std::span<uint8_t> out) override {
    random_bytes(out);
    return true;
  }
  void random_bytes(std::span<uint8_t> out) override { std::ranges::fill(out, kPadByte); }
};

hw_model::Platform part_for(const ShareFlow& flow) {
  hw_model::Platform p = *hw_model::find_platform(flow.era >= 10 ? "lx2160a" : "ls1046a");
  p.era = flow.era;
  p.target = flow.target;
  p.sg_format = desc::SgFormat::kSec4;
  p.decos = kDecos;
  p.virt_at_reset = p.virt_included = false;
  return p;
}

desc::ShareMode mode_of(ShareWay way) {
  return way >= ShareWay::kSameDeco ? desc::ShareMode::kSerial : static_cast<desc::ShareMode>(way);
}
hw_model::SerialPolicy policy_of(ShareWay way) {
  return way == ShareWay::kCrossDeco ? hw_model::SerialPolicy::kCross : hw_model::SerialPolicy::kSelf;
}

void give_words(hw_model::SparseMemory& memory, uint64_t addr, std::span<const uint32_t> words, desc::Endian e) {
  std::vector<uint8_t> raw(words.size() * 4);
  for (size_t i = 0; i < words.size(); ++i) desc::store32(raw.data() + i * 4, words[i], e);
  memory.give(addr, raw);
}

// The descriptors are common to the jobs of a queue, all other memory belongs to the one that runs.
class Router final : public hw_model::BusMemory {
 public:
  std::span<uint8_t> window(BusAddr addr, size_t len, hw_model::DmaDirection dir) override {
    std::span<uint8_t> found = common.window(addr, len, dir);
    return found.empty() && own != nullptr ? own->window(addr, len, dir) : found;
  }
  hw_model::SparseMemory common{hw_model::SparseMemory::WritePolicy::kDeclaredOnly};
  hw_model::SparseMemory* own = nullptr;
};

enum class EndOrder : uint8_t { kOldestFirst, kNewestFirst };

// One run of a queue. Jobs lie far from everything they refer to, so that the same job can be queued twice.
class Run final : public hw_model::JobSource {
 public:
  Run(const ShareFlow& flow, const std::vector<size_t>& queue, ShareWay way, EndOrder order)
      : flow_(flow), queue_(queue), platform_(part_for(flow)), units_(platform_, noise_), outcomes_(queue.size()) {
    units_.keks.transparent = units_.keks.loaded = true;
    place_memory(mode_of(way));
    std::vector<std::unique_ptr<Deco>> decos;
    for (unsigned n = 0; n < platform_.decos; ++n) {
      decos.push_back(std::make_unique<Deco>(n, router_, platform_, platform_.target, noise_,
                                             hw_model::DecoOptions{.sg_burst = 1, .era = platform_.era}));
      decos.back()->units.attach(units_);
    }
    // All jobs wait in tanks before the first one ends: they are back to back.
    scheduler_ = std::make_unique<hw_model::Scheduler>(
        std::move(decos), hw_model::Dma(router_, desc::SgFormat::kSec4, platform_.target),
        hw_model::SchedulerOptions{.serial_policy = policy_of(way), .tanks = static_cast<unsigned>(queue.size())});
    scheduler_->notify(scheduler_->add_source(*this));
    run_all(order);
  }

  const std::vector<JobOutcome>& outcomes() const { return outcomes_; }
  unsigned shared_keys() const { return shared_keys_; }
  const hw_model::SchedulerStats& stats() const { return scheduler_->stats(); }

  hw_model::SourceId id() const override { return hw_model::SourceId::kJr0; }
  bool has_job() const override { return taken_ < queue_.size(); }
  BusAddr take() override { return addr_of(taken_++); }
  void complete(BusAddr desc, uint32_t status, uint32_t) override { outcomes_[position(desc)].status = status; }

 private:
  static constexpr BusAddr kJobs = 0xE0000000, kStride = 0x1000;
  static BusAddr addr_of(size_t i) { return kJobs + i * kStride; }
  static size_t position(BusAddr addr) { return (addr - kJobs) / kStride; }

  void place_memory(desc::ShareMode mode) {
    std::vector<uint32_t> shared = flow_.shared;
    desc::SharedHeader header = desc::decode_as<desc::SharedHeader>(shared[0]);
    header.share = mode;
    shared[0] = desc::encode(header);
    give_words(router_.common, flow_.shared_addr, shared, platform_.target.endian);
    router_.common.allow_write(flow_.shared_addr, 4 * shared.size());
    for (const MemoryPiece& piece : flow_.common) {
      router_.common.give(piece.addr, piece.bytes);
      router_.common.allow_write(piece.addr, piece.bytes.size() + kCommonRoom);
    }
    for (size_t i = 0; i < queue_.size(); ++i)
      give_words(router_.common, addr_of(i), flow_.jobs[queue_[i]].words, platform_.target.endian);
  }

  // All that may start have started, and have their descriptors, before the next one runs.
  void run_all(EndOrder order) {
    std::vector<Deco*> under_way;
    for (;;) {
      scheduler_->dispatch();
      while (Deco* deco = scheduler_->next_dispatched()) under_way.push_back(deco);
      if (under_way.empty()) return;
      const auto it = order == EndOrder::kOldestFirst ? under_way.begin() : under_way.end() - 1;
      Deco* deco = *it;
      under_way.erase(it);
      run_one(*deco);
    }
  }

  void run_one(Deco& deco) {
    const size_t at = position(deco.job_addr());
    hw_model::SparseMemory own(hw_model::SparseMemory::WritePolicy::kAnywhere);
    for (const MemoryPiece& piece : flow_.jobs[queue_[at]].reads) own.give(piece.addr, piece.bytes);
    router_.own = &own;
    shared_keys_ += deco.shrd();
    const desc::JrStatus status = deco.run();
    router_.own = nullptr;
    for (const auto& w : own.writes())
      for (size_t i = 0; i < w.bytes.size(); ++i) outcomes_[at].bytes[w.addr + i] = w.bytes[i];
    scheduler_->complete(deco, status);
  }

  const ShareFlow& flow_;
  const std::vector<size_t>& queue_;
  Router router_;
  Noise noise_;
  hw_model::Platform platform_;
  hw_model::DeviceUnits units_;
  std::unique_ptr<hw_model::Scheduler> scheduler_;
  std::vector<JobOutcome> outcomes_;
  size_t taken_ = 0;
  unsigned shared_keys_ = 0;
};

// Address of the first byte that differs. Where only one has written, that is where.
std::optional<uint64_t> first_difference(const JobOutcome& a, const JobOutcome& b) {
  auto x = a.bytes.begin();
  auto y = b.bytes.begin();
  for (; x != a.bytes.end() && y != b.bytes.end(); ++x, ++y)
    if (*x != *y) return std::min(x->first, y->first);
  if (x != a.bytes.end()) return x->first;
  if (y != b.bytes.end()) return y->first;
  return std::nullopt;
}

std::vector<uint8_t> bytes_from(const JobOutcome& o, uint64_t addr) {
  std::vector<uint8_t> out;
  for (auto it = o.bytes.find(addr); it != o.bytes.end() && it->first == addr + out.size(); ++it) {
    if (out.size() == kShownBytes) break;
    out.push_back(it->second);
  }
  return out;
}

std::optional<ShareCounterExample> first_wrong(const std::vector<size_t>& queue, const Run& run,
                                               std::span<const JobOutcome> alone) {
  for (size_t i = 0; i < queue.size(); ++i) {
    const JobOutcome &want = alone[queue[i]], &got = run.outcomes()[i];
    const auto addr = first_difference(want, got);
    if (!addr && want.status == got.status) continue;
    ShareCounterExample example{queue, i, want.status, got.status, addr, {}, {}};
    if (addr) {
      example.alone = bytes_from(want, *addr);
      example.shared = bytes_from(got, *addr);
    }
    return example;
  }
  return std::nullopt;
}

std::vector<std::vector<size_t>> queues_of(size_t jobs) {
  std::vector<std::vector<size_t>> out;
  const size_t paired = std::min(jobs, kPaired);
  for (size_t a = 0; a < paired; ++a)
    for (size_t b = 0; b < paired; ++b) out.push_back({a, b});
  std::vector<size_t> all;
  for (size_t i = 0; i < 2 * jobs; ++i) all.push_back(i % jobs);
  out.push_back(std::move(all));
  return out;
}

std::vector<JobOutcome> all_alone(const ShareFlow& flow) {
  std::vector<JobOutcome> out;
  for (size_t i = 0; i < flow.jobs.size(); ++i) out.push_back(run_alone(flow, i));
  return out;
}

}  // namespace

JobOutcome run_alone(const ShareFlow& flow, size_t job) {
  const std::vector<size_t> queue{job};
  return Run(flow, queue, ShareWay::kNever, EndOrder::kOldestFirst).outcomes()[0];
}

std::vector<std::pair<size_t, std::string>> wrong_alone(const ShareFlow& flow) {
  std::vector<std::pair<size_t, std::string>> out;
  const std::vector<JobOutcome> alone = all_alone(flow);
  for (size_t i = 0; i < alone.size(); ++i) {
    if (!flow.jobs[i].known) continue;
    if (alone[i].status != 0) {
      out.emplace_back(i, fmt::format("status {:08x}", alone[i].status));
      continue;
    }
    for (const MemoryPiece& piece : flow.jobs[i].expected) {
      std::vector<uint8_t> got;
      for (size_t n = 0; n < piece.bytes.size(); ++n) {
        const auto it = alone[i].bytes.find(piece.addr + n);
        if (it != alone[i].bytes.end()) got.push_back(it->second);
      }
      if (got == piece.bytes) continue;
      out.emplace_back(i,
                       fmt::format("at {:#x} it writes {}, right is {}", piece.addr, to_hex(got), to_hex(piece.bytes)));
      break;
    }
  }
  return out;
}

ShareRun run_flow(const ShareFlow& flow, ShareWay way) {
  const std::vector<JobOutcome> alone = all_alone(flow);
  ShareRun result{.way = way};
  for (const std::vector<size_t>& queue : queues_of(flow.jobs.size())) {
    for (const EndOrder order : {EndOrder::kOldestFirst, EndOrder::kNewestFirst}) {
      const Run run(flow, queue, way, order);
      ++result.queues;
      result.jobs += static_cast<unsigned>(queue.size());
      result.shared_keys += run.shared_keys();
      result.keys_loaded += run.stats().keys_loaded;
      result.out_of_order += static_cast<unsigned>(run.stats().completed_out_of_order);
      if (!result.wrong) result.wrong = first_wrong(queue, run, alone);
    }
  }
  return result;
}

}  // namespace caamlab::tools
