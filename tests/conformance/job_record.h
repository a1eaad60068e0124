// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Watches the DECOs of a lab: what status each job ended with, and the way it took through its descriptors.
#pragma once

#include <vector>

#include "hw_model/deco/deco.h"

namespace caamlab::tests {

class JobRecord final : public hw_model::TraceSink {
 public:
  struct Job {
    desc::JrStatus status;
    std::vector<uint8_t> path;  // index of each command run
    bool shared_with_predecessor = false;
  };
  const std::vector<Job>& jobs() const { return jobs_; }
  const Job& last() const { return jobs_.back(); }
  void clear() { jobs_.clear(); }

  void job_begins(const hw_model::Deco& deco) override {
    jobs_.emplace_back();
    jobs_.back().shared_with_predecessor = deco.shrd();
  }
  void before_command(const hw_model::Deco&, unsigned index, const desc::Command&) override {
    jobs_.back().path.push_back(static_cast<uint8_t>(index));
  }
  void after_command(const hw_model::Deco&, unsigned, const desc::Command&) override {}
  void job_ends(const hw_model::Deco&, desc::JrStatus status) override { jobs_.back().status = status; }

 private:
  std::vector<Job> jobs_;
};

}  // namespace caamlab::tests
