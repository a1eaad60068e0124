// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Job rings: enqueue and its errors, completion in any order, budgets, flush, reset, ring errors.
#include "driver/caam/jr.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "desc/builder.h"
#include "desc/regs.h"
#include "tests/driver/caam/lab_fixture.h"

namespace caamlab::tests {
namespace {

using namespace desc::reg;
using driver::caam::Jr;
using driver::caam::kStatusJrReset;

// A job that ends with a status of its choice, and what became of it.
struct Job {
  alignas(64) uint8_t desc[64] = {};
  unsigned bytes = 0;
  int calls = 0;
  uint32_t status = 0;
  std::vector<Job*>* order = nullptr;

  // code: of a halt with user status; 0 is success. delay: words of waiting in front (nothing but length).
  void build(const desc::Target& target, uint8_t code) {
    desc::Builder builder(target);
    builder.init_job_desc({});
    builder.append_jump_halt({.type = desc::JumpType::kHaltUser, .cond = 0, .offset = static_cast<int8_t>(code)});
    const auto words = builder.finish();
    ASSERT_TRUE(words.has_value());
    words->store(desc, target.endian);
    bytes = words->bytes();
  }
  static void done(Jr&, uint8_t* desc, uint32_t status, void* arg) {
    Job& job = *static_cast<Job*>(arg);
    EXPECT_EQ(desc, job.desc);
    ++job.calls;
    job.status = status;
    if (job.order != nullptr) job.order->push_back(&job);
  }
};

class JrTest : public testing::Test {
 protected:
  explicit JrTest(tools::LabOptions options = {}) : lab_("ls1046a", options) {}
  Jr& jr(unsigned n = 0) { return *lab_->driver()->rings[n]; }
  int enqueue(Job& job, unsigned ring = 0) { return caam_jr_enqueue(jr(ring), {job.desc, job.bytes}, Job::done, &job); }
  void build(std::vector<Job>& jobs, uint8_t code = 0) {
    for (Job& job : jobs) job.build(lab_->driver()->target, code);
  }
  LabFixture lab_;
};

TEST_F(JrTest, RunsAJobOnce) {
  std::vector<Job> jobs(2);
  build(jobs, 7);
  EXPECT_EQ(enqueue(jobs[0]), -EINPROGRESS);
  EXPECT_EQ(jobs[0].calls, 0);  // never from inside the enqueue
  EXPECT_EQ(jr().outstanding(), 1u);
  lab_->run();
  EXPECT_EQ(jobs[0].calls, 1);
  EXPECT_EQ(jobs[0].status & 0xF00000FF, 0x30000007u);
  EXPECT_EQ(jr().outstanding(), 0u);
  EXPECT_EQ(enqueue(jobs[0]), -EINPROGRESS);
  lab_->run();
  EXPECT_EQ(jobs[0].calls, 2);
}

TEST_F(JrTest, FullRingSaysNoSpaceAndTakesAnotherOneLater) {
  std::vector<Job> jobs(jr().depth());
  build(jobs);
  for (unsigned i = 0; i + 1 < jr().depth(); ++i) ASSERT_EQ(enqueue(jobs[i]), -EINPROGRESS) << i;
  Job& late = jobs.back();
  const std::vector<uint8_t> before(late.desc, late.desc + late.bytes);
  const size_t live = lab_->dma().live();
  EXPECT_EQ(enqueue(late), -ENOSPC);
  EXPECT_EQ(lab_->dma().live(), live);
  EXPECT_EQ(late.calls, 0);
  lab_->caam().run(1);
  EXPECT_EQ(enqueue(late), -EINPROGRESS);
  lab_->run();
  EXPECT_TRUE(std::ranges::all_of(jobs, [](const Job& job) { return job.calls == 1 && job.status == 0; }));
  EXPECT_TRUE(std::equal(before.begin(), before.end(), late.desc));
}

// Many more jobs than slots, with the indices going round.
TEST_F(JrTest, GoesRound) {
  std::vector<Job> jobs(200);
  build(jobs);
  for (int round = 0; round < 50; ++round) {
    for (Job& job : jobs) ASSERT_EQ(enqueue(job), -EINPROGRESS);
    lab_->run();
    for (const Job& job : jobs) ASSERT_EQ(job.calls, round + 1);
  }
}

TEST_F(JrTest, UnmappableDescriptor) {
  std::vector<Job> jobs(1);
  build(jobs);
  lab_->dma().fail_map_after(1);
  EXPECT_EQ(enqueue(jobs[0]), -EIO);
  EXPECT_EQ(enqueue(jobs[0]), -EINPROGRESS);
  lab_->run();
  EXPECT_EQ(jobs[0].calls, 1);
}

// The parts of step() let a test finish jobs in the order it likes.
TEST_F(JrTest, CompletionInAnyOrder) {
  std::vector<Job> jobs(3);
  build(jobs);
  std::vector<Job*> order;
  for (Job& job : jobs) job.order = &order;
  auto& scheduler = lab_->caam().scheduler();
  for (int round = 0; round < 300; ++round) {  // more than the ring is deep
    order.clear();
    for (Job& job : jobs) ASSERT_EQ(enqueue(job), -EINPROGRESS);
    scheduler.dispatch();
    std::vector<hw_model::Deco*> decos;
    while (hw_model::Deco* deco = scheduler.next_dispatched()) decos.push_back(deco);
    ASSERT_EQ(decos.size(), 3u);
    const size_t first = static_cast<size_t>(round) % 3;
    for (size_t i = 0; i < 3; ++i) {
      hw_model::Deco& deco = *decos[(first + 3 - i) % 3];  // backwards from `first`
      scheduler.complete(deco, deco.run());
    }
    lab_->caam().deliver_interrupts();
    ASSERT_EQ(order.size(), 3u);
    EXPECT_EQ(order[0], &jobs[first]);
    EXPECT_EQ(order[1], &jobs[(first + 2) % 3]);
    ASSERT_EQ(jr().outstanding(), 0u);
  }
}

TEST_F(JrTest, OldestUnfinishedJobHoldsTheRing) {
  // One job stays in its DECO while others come and go: its slot is not used again.
  std::vector<Job> jobs(2);
  build(jobs);
  auto& scheduler = lab_->caam().scheduler();
  ASSERT_EQ(enqueue(jobs[0]), -EINPROGRESS);
  scheduler.dispatch();
  hw_model::Deco* stuck = scheduler.next_dispatched();
  ASSERT_NE(stuck, nullptr);
  unsigned accepted = 0;
  while (enqueue(jobs[1]) == -EINPROGRESS) {
    lab_->caam().step();
    lab_->caam().deliver_interrupts();
    ASSERT_LT(++accepted, jr().depth());
  }
  EXPECT_EQ(accepted, jr().depth() - 2);
  scheduler.complete(*stuck, stuck->run());
  lab_->run();
  EXPECT_EQ(jobs[0].calls, 1);
  EXPECT_EQ(enqueue(jobs[1]), -EINPROGRESS);
  lab_->run();
}

TEST_F(JrTest, ShutdownCallsEveryJobBack) {
  std::vector<Job> jobs(20);
  build(jobs);
  for (Job& job : jobs) ASSERT_EQ(enqueue(job), -EINPROGRESS);
  lab_->caam().step();  // one has run, its result waits; some are in holding tanks
  EXPECT_EQ(caam_jr_shutdown(jr()), 0);
  unsigned ran = 0;
  for (const Job& job : jobs) {
    EXPECT_EQ(job.calls, 1);
    EXPECT_TRUE(job.status == 0 || job.status == kStatusJrReset) << std::hex << job.status;
    ran += job.status == 0 ? 1 : 0;
  }
  EXPECT_GE(ran, 1u);
  EXPECT_EQ(jr().outstanding(), 0u);
  EXPECT_EQ(enqueue(jobs[0]), -EIO);
  EXPECT_EQ(caam_jr_restart(jr()), 0);
  EXPECT_EQ(enqueue(jobs[0]), -EINPROGRESS);
  lab_->run();
  EXPECT_EQ(jobs[0].calls, 2);
  EXPECT_EQ(jobs[0].status, 0u);
}

TEST_F(JrTest, RemovalCallsEveryJobBack) {
  std::vector<Job> jobs(5);
  build(jobs);
  for (Job& job : jobs) ASSERT_EQ(enqueue(job), -EINPROGRESS);
  EXPECT_EQ(driver::caam::caam_remove(lab_->driver()), 0);
  EXPECT_TRUE(std::ranges::all_of(jobs, [](const Job& job) { return job.calls == 1; }));
}

TEST_F(JrTest, RingErrorStopsTheRing) {
  std::vector<Job> jobs(3);
  build(jobs);
  for (Job& job : jobs) ASSERT_EQ(enqueue(job), -EINPROGRESS);
  // More results removed than there are: the hardware complains.
  const uint32_t page = (kPageJobRing + jr().ridx()) * lab_->driver()->page_bytes;
  lab_->driver()->ctrl.at(page).wr_reg32(kOrjr, 3);
  lab_->caam().deliver_interrupts();
  EXPECT_TRUE(jr().dead());
  for (const Job& job : jobs) EXPECT_EQ(job.calls, 1);
  EXPECT_TRUE(std::ranges::any_of(
      lab_->log(), [](const std::string& line) { return line.starts_with("job ring error: irqstate:"); }));
  EXPECT_EQ(enqueue(jobs[0]), -EIO);
  ASSERT_EQ(caam_jr_restart(jr()), 0);
  EXPECT_EQ(enqueue(jobs[0]), -EINPROGRESS);
  lab_->run();
  EXPECT_EQ(jobs[0].calls, 2);
}

// A callback may enqueue: the ring is in order by then.
TEST_F(JrTest, CallbacksMayEnqueue) {
  struct Chain {
    Job job;
    int left = 1500;
    int err = -EINPROGRESS;
    static void done(Jr& jr, uint8_t*, uint32_t, void* arg) {
      Chain& chain = *static_cast<Chain*>(arg);
      if (--chain.left > 0 && chain.err == -EINPROGRESS)
        chain.err = caam_jr_enqueue(jr, {chain.job.desc, chain.job.bytes}, done, arg);
    }
  } chain;
  chain.job.build(lab_->driver()->target, 0);
  ASSERT_EQ(caam_jr_enqueue(jr(), {chain.job.desc, chain.job.bytes}, Chain::done, &chain), -EINPROGRESS);
  lab_->run();
  EXPECT_EQ(chain.left, 0);
  EXPECT_EQ(chain.err, -EINPROGRESS);
}

TEST_F(JrTest, WaitingInACallbackIsRefused) {
  struct Nested {
    Job outer, inner;
    int err = 0;
    static void done(Jr& jr, uint8_t*, uint32_t, void* arg) {
      Nested& n = *static_cast<Nested*>(arg);
      uint32_t status = 0;
      n.err = caam_jr_run(jr, {n.inner.desc, n.inner.bytes}, &status);
    }
  } nested;
  nested.outer.build(lab_->driver()->target, 0);
  nested.inner.build(lab_->driver()->target, 0);
  ASSERT_EQ(caam_jr_enqueue(jr(), {nested.outer.desc, nested.outer.bytes}, Nested::done, &nested), -EINPROGRESS);
  lab_->run();
  EXPECT_EQ(nested.err, -EBUSY);
}

TEST_F(JrTest, RunWaitsForTheEnd) {
  Job job;
  job.build(lab_->driver()->target, 0x42);
  uint32_t status = 0;
  EXPECT_EQ(caam_jr_run(jr(), {job.desc, job.bytes}, &status), 0);
  EXPECT_EQ(status & 0xF00000FF, 0x30000042u);
}

TEST_F(JrTest, RunGivesUpOnADeadDevice) {
  Job job;
  job.build(lab_->driver()->target, 0);
  for (unsigned i = 0; i < lab_->caam().scheduler().num_decos(); ++i) lab_->caam().scheduler().withhold(i, true);
  uint32_t status = 0;
  EXPECT_EQ(caam_jr_run(jr(), {job.desc, job.bytes}, &status), -ETIMEDOUT);
  EXPECT_EQ(jr().outstanding(), 0u);
  for (unsigned i = 0; i < lab_->caam().scheduler().num_decos(); ++i) lab_->caam().scheduler().withhold(i, false);
}

TEST_F(JrTest, AllocationIsEven) {
  auto& ctrl = *lab_->driver();
  std::vector<Jr*> taken;
  for (int i = 0; i < 8; ++i) taken.push_back(caam_jr_alloc(ctrl));
  int least = INT_MAX, most = 0;
  for (const auto& ring : ctrl.rings) {
    least = std::min(least, ring->tfm_count());
    most = std::max(most, ring->tfm_count());
  }
  EXPECT_LE(most - least, 1);
  for (Jr* ring : taken) caam_jr_free(*ring);
}

class JrBudget : public JrTest {
 protected:
  static tools::LabOptions options() {
    tools::LabOptions o;
    o.driver.dequeue_budget = 4;
    o.driver.ring_depth_log2 = 5;
    return o;
  }
  JrBudget() : JrTest(options()) {}
};

TEST_F(JrBudget, InterruptTakesSoManyAtATime) {
  EXPECT_EQ(jr().depth(), 32u);
  std::vector<Job> jobs(10);
  build(jobs);
  for (Job& job : jobs) ASSERT_EQ(enqueue(job), -EINPROGRESS);
  while (lab_->caam().step()) {
  }
  EXPECT_TRUE(lab_->caam().deliver_interrupts());
  EXPECT_EQ(jr().outstanding(), 6u);
  lab_->run();
  EXPECT_EQ(jr().outstanding(), 0u);
}

class JrCoalescing : public JrTest {
 protected:
  static tools::LabOptions options() {
    tools::LabOptions o;
    o.driver.coalesce = true;
    o.driver.coalesce_count = 8;
    return o;
  }
  JrCoalescing() : JrTest(options()) {}
};

TEST_F(JrCoalescing, InterruptWaitsForTheCount) {
  std::vector<Job> jobs(8);
  build(jobs);
  for (unsigned i = 0; i < 7; ++i) ASSERT_EQ(enqueue(jobs[i]), -EINPROGRESS);
  lab_->caam().run();
  EXPECT_EQ(jobs[0].calls, 0);
  ASSERT_EQ(enqueue(jobs[7]), -EINPROGRESS);
  lab_->caam().run();
  for (const Job& job : jobs) EXPECT_EQ(job.calls, 1);
}

}  // namespace
}  // namespace caamlab::tests
