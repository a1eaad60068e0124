// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The job queue controller (hardware.md 1.1, 5.3): takes jobs from the sources in turn, holds them in tanks, gives them
// to DECOs under the share rules, reports them. Who runs a dispatched job, and when, is not its business:
//   inline        step(): dispatch what can start, run the oldest, complete it; deterministic
//   threads       a worker takes next_dispatched() and calls complete() under the device's lock
//   virtual time  an event at now + cost calls complete()
// All of them see the same decisions: what a job finds preloaded depends on the order of dispatch and completion only.
#pragma once

#include <memory>
#include <vector>

#include "hw_model/deco/deco.h"
#include "hw_model/sharing.h"

namespace caamlab::hw_model {

struct SchedulerOptions {
  SerialPolicy serial_policy = SerialPolicy::kSelf;
  unsigned tanks = 0;  // holding tanks; 0: as many as DECOs
  // Jobs run in other threads: nothing of a DECO that runs one is looked at, so that with WAIT an OK-to-share counts
  // when the job has ended.
  bool concurrent = false;
};

// Totals since the device was made; the difference between two readings is what a run did.
struct SchedulerStats {
  uint64_t jobs = 0, failed = 0;
  uint64_t keys_loaded = 0, jobs_with_shared_keys = 0;
  uint64_t words_fetched = 0, commands = 0;
  uint64_t class1_bytes = 0, class2_bytes = 0;
  uint64_t completed_out_of_order = 0;  // jobs reported after a later one of their source
};

class Scheduler {
 public:
  Scheduler(std::vector<std::unique_ptr<Deco>> decos, Dma dma, SchedulerOptions options);

  static constexpr unsigned kMaxSources = 64;
  // Returns the number that notify() takes. Before the first job.
  unsigned add_source(JobSource& source);
  // Source `n` may have a job now (doorbell, room in its output ring). Without this nobody looks at a source again once
  // it was found empty.
  void notify(unsigned n) { ready_ |= uint64_t{1} << n; }
  unsigned num_decos() const { return static_cast<unsigned>(decos_.size()); }
  Deco& deco(unsigned n) { return *decos_[n].deco; }
  const Deco& deco_at(unsigned n) const { return *decos_[n].deco; }
  SchedulerStats& stats() { return stats_; }
  SchedulerOptions& options() { return options_; }

  // Runs one job inline; false when no source has one.
  bool step();
  bool busy() const;

  // -- the parts of step(), for other ways to run ---------------------------------------------------------------------
  // Fills the tanks and starts every job that may start now.
  void dispatch();
  // The DECO whose job was dispatched first and has not been taken yet; null if none.
  Deco* next_dispatched();
  bool has_dispatched() const { return !dispatched_.empty(); }
  // The job of `deco` has ended with `status`.
  void complete(Deco& deco, JrStatus status);

  // -- DECOs withheld for direct access (hardware.md 8.4)
  // ---------------------------------------------------------------
  void withhold(unsigned deco, bool withheld);
  bool idle(unsigned deco) const { return decos_[deco].state == SlotState::kIdle; }

  // Forgets everything that is under way, without reports (hardware reset).
  void reset();

 private:
  enum class SlotState : uint8_t { kIdle, kDispatched, kRunning };
  struct SourceState {
    JobSource* source = nullptr;
    uint64_t highest_reported = 0;  // sequence number
  };
  struct Slot {
    std::unique_ptr<Deco> deco;
    SlotState state = SlotState::kIdle;
    bool withheld = false;
    SourceState* source = nullptr;
    uint64_t sequence = 0;       // of the job among all taken
    BusAddr flow = 0;            // shared descriptor, 0: none
    bool rewrites_flow = false;  // concurrent: its shared descriptor holds a DKP, which rewrites it in memory
    // After a job of a flow: what the next one would find, as long as a waiting job of the flow saw it end.
    BusAddr held_flow = 0;
    uint64_t held_since = 0;  // order of ends
    bool held_error = false;
    bool refuses_followers = false;  // PD of a failed job: do not run
  };
  struct Waiting {
    JobFetch job;
    SourceState* source = nullptr;
    uint64_t sequence = 0;
    desc::ShareMode share = desc::ShareMode::kNever;
    bool saw_end = false;  // a job of its flow ended while it waited
  };

  void fill_tanks();
  desc::ShareMode share_of(const JobFetch& job);
  bool try_start(size_t tank);
  void start(Slot& slot, size_t tank, ShareState state, const Deco* from);
  void finish_in_tank(size_t tank, JrStatus status);
  Slot* free_slot(const Slot* avoid = nullptr);  // `avoid` only if there is no other
  void note_state(const Slot& slot);             // after each change of its state or withholding
  Slot* slot_of(const Deco& deco);
  Slot* running_slot(BusAddr flow);
  Slot* holding_slot(BusAddr flow);
  void report(SourceState& source, uint64_t sequence, BusAddr addr, JrStatus status, uint32_t out_bytes);
  void remove_tank(size_t tank);

  static constexpr unsigned kMaxDecos = 64;
  std::vector<Slot> decos_;
  uint64_t idle_ = 0;  // DECOs that may take a job, a bit each
  Dma dma_;
  SchedulerOptions options_;
  std::vector<SourceState> sources_;
  unsigned next_source_ = 0;  // round robin
  uint64_t ready_ = 0;        // sources that may have a job, a bit each
  Fifo<Slot*> dispatched_;    // in the order of dispatch
  std::vector<Waiting> tank_memory_;
  std::vector<Waiting*> tanks_, spare_;  // tanks_ in the order taken
  uint64_t next_sequence_ = 1, ended_ = 0;
  SchedulerStats stats_;
};

}  // namespace caamlab::hw_model
