// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Sees the jobs of a device from outside it: their words, the memory they use as data, their status. It lies between
// the device and memory, and is told by the device when a job begins and ends, so that reads of rings and descriptors
// are told apart from a job's data.
#pragma once

#include <vector>

#include "hw_model/deco/deco.h"

namespace caamlab::tools::qemu {

// One window that a job took.
struct JobAccess {
  hw_model::BusAddr addr = 0;
  std::span<uint8_t> memory;  // valid until the job is done
  bool write = false;
  std::vector<uint8_t> read;  // what was there when the device asked; kept with keep_reads() only
};

struct SeenJob {
  hw_model::SourceId source = hw_model::SourceId::kJr0;
  bool direct = false;  // by direct access to a DECO
  hw_model::BusAddr addr = 0, shared_addr = 0;
  std::vector<uint32_t> words, shared;    // as they lay in memory, logical words
  std::vector<desc::Command> operations;  // OPERATIONs executed, and keys loaded in encrypted form
  std::vector<uint32_t> operation_words;  // and their words
  std::vector<JobAccess> accesses;        // in order
  desc::JrStatus status;
};

class JobListener {
 public:
  virtual ~JobListener() = default;
  // False makes the access a bus error.
  virtual bool allow(const SeenJob&) { return true; }
  // The job has ended; its result is not reported yet. What lies in job.accesses may be changed.
  virtual void job_done(const SeenJob& job) = 0;
};

class JobWatch final : public hw_model::BusMemory, public hw_model::TraceSink {
 public:
  explicit JobWatch(hw_model::BusMemory& memory) : memory_(memory) {}
  void add(JobListener& listener) { listeners_.push_back(&listener); }
  void keep_reads(bool keep) { keep_reads_ = keep; }

  std::span<uint8_t> window(hw_model::BusAddr addr, size_t len, hw_model::DmaDirection dir) override;

  void job_begins(const hw_model::Deco& deco) override;
  void before_command(const hw_model::Deco& deco, unsigned index, const desc::Command& command) override;
  void after_command(const hw_model::Deco&, unsigned, const desc::Command&) override {}
  void job_ends(const hw_model::Deco& deco, desc::JrStatus status) override;

 private:
  std::vector<uint32_t> words_at(hw_model::BusAddr addr, size_t count, desc::Endian endian);

  hw_model::BusMemory& memory_;
  std::vector<JobListener*> listeners_;
  SeenJob job_;
  bool running_ = false, keep_reads_ = false;
};

}  // namespace caamlab::tools::qemu
