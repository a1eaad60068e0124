// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// A descriptor of one's own as a job of a lab's first ring, with its buffers mapped.
#pragma once

#include <deque>

#include "desc/builder.h"
#include "driver/caam/jr.h"
#include "tests/driver/caam/lab_fixture.h"

namespace caamlab::tests {

class RingJob {
 public:
  explicit RingJob(LabFixture& lab) : lab_(lab), jr_(*lab->driver()->rings.front()), builder_(jr_.ctrl().target) {
    builder_.init_job_desc({});
  }
  RingJob(const RingJob&) = delete;
  RingJob& operator=(const RingJob&) = delete;
  ~RingJob() { unmap(); }

  desc::Builder& builder() { return builder_; }
  // Addresses for the device: of a copy of `bytes`, of room that run() fills.
  hw_model::BusAddr input(Bytes bytes) {
    copies_.push_back(std::move(bytes));
    return map(copies_.back(), hw_model::DmaDirection::kToDevice);
  }
  hw_model::BusAddr output(Bytes& room) { return map(room, hw_model::DmaDirection::kFromDevice); }

  // Once.
  desc::JrStatus run() {
    uint32_t words[desc::kMaxDescWords];
    const unsigned len = builder_.finish_into(words);
    if (len == 0) throw std::runtime_error("the descriptor does not fit");
    alignas(64) uint8_t raw[desc::kMaxDescWords * 4];
    for (unsigned i = 0; i < len; ++i) desc::store32(raw + 4 * i, words[i], builder_.target().endian);
    uint32_t status = ~0u;
    EXPECT_EQ(caam_jr_run(jr_, std::span(raw).first(len * 4), &status), 0);
    unmap();
    return {status};
  }

 private:
  struct Mapped {
    hw_model::BusAddr addr;
    size_t len;
    hw_model::DmaDirection dir;
  };
  hw_model::BusAddr map(Bytes& bytes, hw_model::DmaDirection dir) {
    mapped_.push_back({lab_->dma().map_single(bytes.data(), bytes.size(), dir), bytes.size(), dir});
    return mapped_.back().addr;
  }
  void unmap() {
    for (const Mapped& m : mapped_) lab_->dma().unmap_single(m.addr, m.len, m.dir);
    mapped_.clear();
  }

  LabFixture& lab_;
  driver::caam::Jr& jr_;
  desc::Builder builder_;
  std::deque<Bytes> copies_;
  std::vector<Mapped> mapped_;
};

}  // namespace caamlab::tests
