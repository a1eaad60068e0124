// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// A device whose jobs come from a plain list instead of a ring, so that descriptors can be run as the kernel's driver
// makes them, several waiting at once. No driver, no registers.
#pragma once

#include <algorithm>
#include <map>

#include "desc/constructors/job.h"
#include "hw_model/caam.h"
#include "tests/hw_model/deco/fixture.h"

namespace caamlab::tests {

class DecoBench : private hw_model::JobSource {
 public:
  explicit DecoBench(unsigned decos = 2, hw_model::SerialPolicy policy = hw_model::SerialPolicy::kSelf,
                     const desc::Target& target = kLittle64)
      : target(target), mem(target), caam(part(target, decos), mem.space, options(policy)) {
    caam.scheduler().deco(0).units.device->keks.loaded =
        true;  // as the RNG's instantiation does; XCBC's K1 is a black key
    number_ = caam.scheduler().add_source(*this);
  }

  Builder builder() const { return Builder(target); }
  Buffer place(Builder& b) { return mem.words(Rig::finish(b)); }
  desc::SharedJob shared(const Buffer& sd) const { return {.sh_desc = sd.addr, .sh_len = unsigned(sd.len / 4)}; }
  static desc::SeqLocation at(const Buffer& b) { return {.addr = b.addr, .len = static_cast<uint32_t>(b.len)}; }

  // Queues all, then runs them. Their status words, in the order given.
  std::vector<JrStatus> run(const std::vector<BusAddr>& jobs) {
    jobs_ = jobs;
    next_ = 0;
    done_.clear();
    caam.scheduler().notify(number_);
    while (caam.step()) {
    }
    std::vector<JrStatus> out;
    for (const BusAddr job : jobs) out.push_back(done_.at(job));
    return out;
  }
  JrStatus run_one(Builder& job) { return run({place(job).addr}).front(); }

  const desc::Target target;
  Memory mem;
  hw_model::Caam caam;

 private:
  static hw_model::Platform part(const desc::Target& target, unsigned decos) {
    hw_model::Platform p = make_part(target);
    p.decos = decos;
    return p;
  }
  static hw_model::CaamOptions options(hw_model::SerialPolicy policy) {
    hw_model::CaamOptions o;
    o.scheduler = {.serial_policy = policy, .tanks = 8};
    return o;
  }
  hw_model::SourceId id() const override { return hw_model::SourceId::kJr0; }
  bool has_job() const override { return next_ < jobs_.size(); }
  BusAddr take() override { return jobs_[next_++]; }
  void complete(BusAddr desc, uint32_t status, uint32_t) override { done_[desc] = JrStatus{status}; }

  unsigned number_ = 0;
  std::vector<BusAddr> jobs_;
  size_t next_ = 0;
  std::map<BusAddr, JrStatus> done_;
};

}  // namespace caamlab::tests
