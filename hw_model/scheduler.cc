// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See scheduler.h.
#include "hw_model/scheduler.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace caamlab::hw_model {

Scheduler::Scheduler(std::vector<std::unique_ptr<Deco>> decos, Dma dma, SchedulerOptions options)
    : dma_(dma), options_(options) {
  assert(decos.size() <= kMaxDecos);
  for (auto& deco : decos) {
    decos_.push_back({.deco = std::move(deco)});
    note_state(decos_.back());
  }
  if (options_.tanks == 0) options_.tanks = num_decos();
  tank_memory_.resize(options_.tanks);
  for (Waiting& w : tank_memory_) spare_.push_back(&w);
  tanks_.reserve(options_.tanks);
}

bool Scheduler::busy() const {
  return !tanks_.empty() ||
         std::ranges::any_of(decos_, [](const Slot& slot) { return slot.state != SlotState::kIdle; });
}

bool Scheduler::step() {
  dispatch();
  Deco* deco = next_dispatched();
  if (deco == nullptr) return false;
  complete(*deco, deco->run());
  return true;
}

unsigned Scheduler::add_source(JobSource& source) {
  assert(sources_.size() < kMaxSources);
  const auto n = static_cast<unsigned>(sources_.size());
  sources_.push_back({.source = &source});
  notify(n);
  return n;
}

// Round robin over the sources (hardware.md 1.1).
void Scheduler::fill_tanks() {
  while (ready_ != 0 && !spare_.empty()) {
    const uint64_t ahead = ready_ >> next_source_ << next_source_;
    const auto n = static_cast<unsigned>(std::countr_zero(ahead != 0 ? ahead : ready_));
    JobSource& source = *sources_[n].source;
    if (!source.has_job()) {
      ready_ &= ~(uint64_t{1} << n);
      continue;
    }
    next_source_ = n + 1 == sources_.size() ? 0 : n + 1;
    tanks_.push_back(spare_.back());
    spare_.pop_back();
    Waiting& w = *tanks_.back();
    w.source = &sources_[n];
    w.sequence = next_sequence_++;
    w.saw_end = false;
    fetch_job(dma_, source.id(), source.take(), decos_[0].deco->options().era, w.job);
    w.share = share_of(w.job);
  }
}

// SHARE of the shared descriptor is in its header, which the holding tank reads for DEFER.
desc::ShareMode Scheduler::share_of(const JobFetch& job) {
  if (!job.status.ok() || !job.has_shared()) return desc::ShareMode::kNever;
  uint32_t header = 0;
  if (job.header.share == desc::ShareMode::kDefer && dma_.read_words_upto(job.shared_addr, {&header, 1}) == 0)
    return desc::ShareMode::kNever;  // begin() will meet the same error and report it
  return effective_share(job.header, desc::decode_as<desc::SharedHeader>(header).share);
}

void Scheduler::dispatch() {
  fill_tanks();
  for (size_t i = 0; i < tanks_.size();) {
    if (!try_start(i)) {
      ++i;
      continue;
    }
    fill_tanks();
    i = 0;  // a start may let an earlier job of another flow go
  }
}

namespace {

bool has_dkp(std::span<const uint32_t> words) {
  return std::ranges::any_of(words, [](uint32_t word) {
    return desc::matches<desc::ProtocolOperation>(word) && desc::decode_as<desc::ProtocolOperation>(word).is_dkp();
  });
}

}  // namespace

bool Scheduler::try_start(size_t tank) {
  Waiting& w = *tanks_[tank];
  // A DKP writes the derived key over its own words in memory. What others fetch meanwhile is open on silicon; here
  // they wait, whatever their share mode, since threads must not read what another one writes.
  if (options_.concurrent && w.job.status.ok() && w.job.has_shared())
    if (const Slot* running = running_slot(w.job.shared_addr); running != nullptr && running->rewrites_flow)
      return false;
  if (!w.job.has_shared() || !w.job.status.ok() || w.share == desc::ShareMode::kNever) {
    Slot* slot = free_slot();
    if (slot == nullptr) return false;
    start(*slot, tank, ShareState::kFresh, nullptr);
    return true;
  }
  const BusAddr flow = w.job.shared_addr;
  Slot* running = running_slot(flow);
  Slot* holding = w.saw_end ? holding_slot(flow) : nullptr;
  if (holding != nullptr && holding->refuses_followers) {
    finish_in_tank(tank, JrStatus::deco(DecoError::kDoNotRun, 0));
    return true;
  }
  FlowView view;
  view.running = running != nullptr;
  view.ok_to_share =
      running != nullptr && !options_.concurrent && running->deco->change_share() >= 2 && running->deco->has_shared();
  view.just_ended = holding != nullptr;
  view.ended_in_error = holding != nullptr && holding->held_error;
  view.earlier_waiting =
      std::any_of(tanks_.begin(), tanks_.begin() + static_cast<ptrdiff_t>(tank), [&](const Waiting* o) {
        return o->job.status.ok() && o->job.has_shared() && o->job.shared_addr == flow &&
               o->share != desc::ShareMode::kNever;
      });
  const ShareDecision decision = decide_sharing(w.share, view, options_.serial_policy);
  if (decision.verdict == Verdict::kWait) return false;
  if (decision.verdict == Verdict::kShareError) {
    finish_in_tank(tank, JrStatus::deco(DecoError::kShareError, 0));
    return true;
  }
  if (decision.state == ShareState::kSelf) {
    start(*holding, tank, ShareState::kSelf, nullptr);
    return true;
  }
  const bool cross = decision.state == ShareState::kCross;
  Slot* slot = free_slot(cross ? holding : nullptr);
  const Slot* from = holding != nullptr ? holding : running;
  // With one DECO there is no other to copy to.
  if (cross && slot == holding) {
    start(*holding, tank, ShareState::kSelf, nullptr);
    return true;
  }
  if (slot == nullptr) return false;
  start(*slot, tank, decision.state, cross ? from->deco.get() : nullptr);
  return true;
}

void Scheduler::start(Slot& slot, size_t tank, ShareState state, const Deco* from) {
  Waiting& w = *tanks_[tank];
  slot.deco->begin(w.job, state, from);
  slot.deco->set_more_work(w.source->source->has_job());
  slot.rewrites_flow = options_.concurrent && has_dkp(slot.deco->buffer().first(slot.deco->shared_words()));
  slot.state = SlotState::kDispatched;
  note_state(slot);
  slot.source = w.source;
  dispatched_.push(&slot);
  slot.sequence = w.sequence;
  slot.flow = w.job.status.ok() && w.job.has_shared() ? w.job.shared_addr : 0;
  slot.held_flow = 0;
  slot.refuses_followers = false;
  remove_tank(tank);
}

void Scheduler::remove_tank(size_t tank) {
  spare_.push_back(tanks_[tank]);
  tanks_.erase(tanks_.begin() + static_cast<ptrdiff_t>(tank));
}

void Scheduler::finish_in_tank(size_t tank, JrStatus status) {
  const Waiting& w = *tanks_[tank];
  SourceState& source = *w.source;
  const uint64_t sequence = w.sequence;
  const BusAddr addr = w.job.addr;
  remove_tank(tank);
  report(source, sequence, addr, status, 0);
}

Deco* Scheduler::next_dispatched() {
  if (dispatched_.empty()) return nullptr;
  Slot* oldest = dispatched_.front();
  dispatched_.pop();
  oldest->state = SlotState::kRunning;
  return oldest->deco.get();
}

void Scheduler::complete(Deco& deco, JrStatus status) {
  Slot& slot = *slot_of(deco);
  const JobStats& job = deco.stats();
  stats_.keys_loaded += job.keys_loaded;
  stats_.jobs_with_shared_keys += job.keys_shared;
  stats_.words_fetched += job.words_fetched;
  stats_.commands += job.commands;
  stats_.class1_bytes += job.class1_bytes;
  stats_.class2_bytes += job.class2_bytes;

  slot.state = SlotState::kIdle;
  note_state(slot);
  slot.held_error = !status.ok() && deco.change_share() != 3;
  slot.refuses_followers = !status.ok() && deco.shared_header().pd;
  // A job that jumped elsewhere (non-locally) left no shared descriptor behind.
  slot.held_flow = deco.change_share() != 1 && deco.has_shared() ? slot.flow : 0;
  slot.held_since = ++ended_;
  // Only a job that was waiting by now can share with this one (hardware.md 5.3).
  for (Waiting* w : tanks_)
    if (w->job.status.ok() && w->job.has_shared() && w->job.shared_addr == slot.flow) w->saw_end = true;
  slot.flow = 0;
  report(*slot.source, slot.sequence, deco.job_addr(), status, deco.out_bytes());
}

void Scheduler::report(SourceState& source, uint64_t sequence, BusAddr addr, JrStatus status, uint32_t out_bytes) {
  ++stats_.jobs;
  stats_.failed += !status.ok();
  stats_.completed_out_of_order += sequence < source.highest_reported;
  source.highest_reported = std::max(source.highest_reported, sequence);
  source.source->complete(addr, status.word, out_bytes);
}

void Scheduler::withhold(unsigned deco, bool withheld) {
  decos_[deco].withheld = withheld;
  note_state(decos_[deco]);
  decos_[deco].held_flow = 0;  // software does with the DECO what it likes
}

void Scheduler::note_state(const Slot& slot) {
  const uint64_t bit = uint64_t{1} << slot.deco->number();
  if (slot.state == SlotState::kIdle && !slot.withheld)
    idle_ |= bit;
  else
    idle_ &= ~bit;
}

Scheduler::Slot* Scheduler::free_slot(const Slot* avoid) {
  // A DECO that holds a flow somebody waits for is taken last.
  Slot* holding = nullptr;
  for (uint64_t left = idle_; left != 0; left &= left - 1) {
    Slot& slot = decos_[static_cast<unsigned>(std::countr_zero(left))];
    if (&slot == avoid) {
      if (holding == nullptr) holding = &slot;
      continue;
    }
    if (slot.held_flow == 0 || tanks_.size() <= 1) return &slot;
    const bool wanted = std::ranges::any_of(tanks_, [&](const Waiting* w) {
      return w->saw_end && w->job.has_shared() && w->job.shared_addr == slot.held_flow;
    });
    if (!wanted) return &slot;
    if (holding == nullptr || holding == avoid) holding = &slot;
  }
  return holding;
}

Scheduler::Slot* Scheduler::slot_of(const Deco& deco) { return &decos_[deco.number()]; }

Scheduler::Slot* Scheduler::running_slot(BusAddr flow) {
  for (Slot& slot : decos_)
    if (slot.state != SlotState::kIdle && slot.flow == flow) return &slot;
  return nullptr;
}

// Of several DECOs that hold a flow the one that ran its last job.
Scheduler::Slot* Scheduler::holding_slot(BusAddr flow) {
  Slot* latest = nullptr;
  for (Slot& slot : decos_)
    if (slot.state == SlotState::kIdle && !slot.withheld && slot.held_flow == flow &&
        (latest == nullptr || slot.held_since > latest->held_since))
      latest = &slot;
  return latest;
}

void Scheduler::reset() {
  for (Slot& slot : decos_) {
    slot.state = SlotState::kIdle;
    note_state(slot);
    slot.flow = slot.held_flow = 0;
  }
  dispatched_.clear();
  while (!tanks_.empty()) remove_tank(tanks_.size() - 1);
  for (unsigned n = 0; n < sources_.size(); ++n) notify(n);
}

}  // namespace caamlab::hw_model
