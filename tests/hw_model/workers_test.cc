// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Jobs in threads: the results of inline execution, serial jobs of one shared descriptor never side by side.
// CAAMLAB_REQUESTS: how many random requests in all (default 6,000).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <mutex>
#include <random>

#include "driver/caam/algs/aead.h"
#include "driver/caam/algs/hash.h"
#include "driver/caam/algs/skcipher.h"
#include "driver/caam/jr.h"
#include "tools/lab.h"
#include "tools/requests.h"

namespace caamlab {
namespace {

using desc::ShareMode;
using tools::Lab;
using tools::LabOptions;
using tools::Requests;

constexpr unsigned kWorkers = 4, kSlots = 24;

size_t requests_in_all() {
  const char* text = std::getenv("CAAMLAB_REQUESTS");
  return text != nullptr ? std::strtoul(text, nullptr, 10) : 6000;
}

struct Count final : Requests::Sink {
  void request_done(unsigned, int err) override {
    ++done;
    failed += err != 0;
  }
  uint64_t done = 0, failed = 0;
};

std::unique_ptr<Lab> make_lab(unsigned workers, ShareMode share, const std::string& platform = "lx2160a") {
  LabOptions options;
  options.driver.share = share;
  options.hardware.workers = workers;
  options.memory.concurrent = workers != 0;
  auto lab = Lab::make(platform, options);
  EXPECT_TRUE(lab) << lab.error().to_string();
  return std::move(*lab);
}

// All drivers whose results are the same at every run: those that make their own IV are not.
std::vector<std::string> drivers() {
  std::vector<std::string> names;
  for (const auto& row : driver::caam::driver_aeads())
    if (row.driver_name.find("echainiv") == std::string::npos && row.driver_name.find("seqiv") == std::string::npos)
      names.push_back(row.driver_name);
  for (const auto& row : driver::caam::driver_algs()) names.emplace_back(row.driver_name);
  for (const auto& row : driver::caam::driver_hash()) {
    if (row.name != nullptr) names.emplace_back(row.driver_name);
    names.emplace_back(row.keyed_driver_name);
  }
  return names;
}

// Rounds of kSlots requests each, all in flight at once.
void run_rounds(Lab& lab, Requests& requests, Count& count, unsigned rounds) {
  for (unsigned r = 0; r < rounds; ++r) {
    for (unsigned i = 0; i < kSlots; ++i) {
      const int err = requests.submit(i);
      if (err != -EINPROGRESS && err != -EBUSY) count.request_done(i, err);
    }
    const uint64_t wanted = (r + 1) * uint64_t{kSlots};
    while (count.done < wanted && lab.run() != 0) {
    }
    ASSERT_EQ(count.done, wanted);
  }
}

TEST(Workers, ResultsAreThoseOfInlineExecution) {
  std::mt19937 random(1);
  const std::vector<std::string> all = drivers();
  constexpr ShareMode kModes[] = {ShareMode::kNever, ShareMode::kSerial, ShareMode::kWait, ShareMode::kAlways};
  std::map<ShareMode, std::pair<std::unique_ptr<Lab>, std::unique_ptr<Lab>>> labs;
  for (const ShareMode share : kModes) labs[share] = {make_lab(0, share), make_lab(kWorkers, share)};
  const unsigned rounds = 2;
  for (size_t done = 0, i = 0; done < requests_in_all(); done += rounds * kSlots, ++i) {
    auto& [inline_lab, threads_lab] = labs[kModes[random() % std::size(kModes)]];
    const tools::RequestPlan plan{all[i % all.size()],
                                  0,
                                  random() % (i % 5 == 0 ? 16000 : 600) + 1,
                                  kSlots,
                                  static_cast<unsigned>(random() % 3 + 1),
                                  true};
    SCOPED_TRACE(fmt::format("{}, {} bytes, {} keys", plan.driver, plan.bytes, plan.keys));
    Count a, b;
    auto x = Requests::make(inline_lab->registry(), plan, a);
    auto y = Requests::make(threads_lab->registry(), plan, b);
    ASSERT_TRUE(x && y) << x.error().to_string();
    run_rounds(*inline_lab, **x, a, rounds);
    run_rounds(*threads_lab, **y, b, rounds);
    EXPECT_EQ(a.failed, 0u);
    EXPECT_EQ(b.failed, 0u);
    for (unsigned slot = 0; slot < kSlots; ++slot) {
      const desc::ByteSpan want = (*x)->output(slot), got = (*y)->output(slot);
      ASSERT_TRUE(std::equal(want.begin(), want.end(), got.begin(), got.end())) << "request " << slot;
    }
  }
  for (auto& [share, pair] : labs) {
    EXPECT_EQ(pair.second->dma().bug_count(), 0u);
    EXPECT_EQ(pair.second->dma().fault_count(), 0u);
  }
}

// Sees which jobs of one shared descriptor run side by side.
class Overlap final : public hw_model::TraceSink {
 public:
  void job_begins(const hw_model::Deco& deco) override {
    const std::lock_guard lock(mutex_);
    most_ = std::max(most_, ++running_[deco.shared_addr()]);
  }
  void before_command(const hw_model::Deco&, unsigned, const desc::Command&) override {}
  void after_command(const hw_model::Deco&, unsigned, const desc::Command&) override {}
  void job_ends(const hw_model::Deco& deco, desc::JrStatus) override {
    const std::lock_guard lock(mutex_);
    --running_[deco.shared_addr()];
  }
  unsigned most() const { return most_; }

 private:
  std::mutex mutex_;
  std::map<hw_model::BusAddr, unsigned> running_;
  unsigned most_ = 0;
};

struct Seen {
  unsigned side_by_side;
  hw_model::SchedulerStats stats;
};
Seen run_share(ShareMode share) {
  auto lab = make_lab(kWorkers, share);
  Overlap overlap;
  Count count;
  auto requests = Requests::make(lab->registry(), {"gcm-aes-caam", 0, 16384, kSlots, 1, true}, count).value();
  lab->caam().set_trace(&overlap);
  run_rounds(*lab, *requests, count, 20);
  lab->caam().set_trace(nullptr);
  EXPECT_EQ(count.failed, 0u);
  return {overlap.most(), lab->caam().scheduler().stats()};
}

TEST(Workers, SerialJobsOfOneDescriptorRunOneAfterTheOther) {
  const Seen serial = run_share(ShareMode::kSerial);
  EXPECT_EQ(serial.side_by_side, 1u);
  EXPECT_EQ(serial.stats.completed_out_of_order, 0u);
  EXPECT_GT(serial.stats.jobs_with_shared_keys, 0u);
  const Seen never = run_share(ShareMode::kNever);
  EXPECT_LE(never.side_by_side, kWorkers);
  EXPECT_EQ(never.stats.jobs_with_shared_keys, 0u);
  EXPECT_GE(never.stats.keys_loaded, 20u * kSlots);
}

TEST(Workers, RingsAreResetWithJobsInFlight) {
  auto lab = make_lab(kWorkers, ShareMode::kNever);
  Count count;
  auto requests = Requests::make(lab->registry(), {"gcm-aes-caam", 0, 8192, kSlots, 4, false}, count).value();
  for (unsigned round = 0; round < 20; ++round) {
    uint64_t taken = 0;
    for (unsigned i = 0; i < kSlots; ++i) taken += requests->submit(i) == -EINPROGRESS;
    const uint64_t before = count.done;
    EXPECT_EQ(taken, kSlots);
    for (const auto& jr : lab->driver()->rings) {
      EXPECT_EQ(caam_jr_shutdown(*jr), 0);
      EXPECT_EQ(caam_jr_restart(*jr), 0);
    }
    lab->run();
    EXPECT_EQ(count.done - before, taken);
  }
  requests.reset();
  EXPECT_EQ(lab->dma().bug_count(), 0u);
}

TEST(Workers, ADeviceMayGoWhileNothingRuns) {
  for (int i = 0; i < 20; ++i) {
    auto lab = make_lab(i % 5, ShareMode::kSerial, i % 2 == 0 ? "imx6ul" : "ls1046a");
    EXPECT_EQ(lab->run(), 0u);
  }
}

}  // namespace
}  // namespace caamlab
