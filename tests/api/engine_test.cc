// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Queue and engine: full, backlog, notices, a device that fills up and empties, errors, order, threads.
#include "api/engine.h"

#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <list>
#include <thread>
#include <vector>

namespace caamlab::api {
namespace {

constexpr uint32_t kBacklog = CRYPTO_TFM_REQ_MAY_BACKLOG;

struct Request : CryptoAsyncRequest {
  int id = 0;
  std::vector<int> statuses;
  explicit Request(int number, uint32_t request_flags = 0) : id(number) {
    flags = request_flags;
    data = this;
    complete = [](void* self, int err) { static_cast<Request*>(self)->statuses.push_back(err); };
  }
};

int id_of(CryptoAsyncRequest* req) { return req == nullptr ? -1 : static_cast<Request*>(req)->id; }

TEST(Queue, LimitAndBacklog) {
  CryptoQueue queue(2);
  Request a(1), b(2), refused(3), c(4, kBacklog), d(5, kBacklog);
  EXPECT_EQ(queue.enqueue(a), -EINPROGRESS);
  EXPECT_EQ(queue.enqueue(b), -EINPROGRESS);
  EXPECT_EQ(queue.enqueue(refused), -ENOSPC);
  EXPECT_EQ(queue.enqueue(c), -EBUSY);
  EXPECT_EQ(queue.enqueue(d), -EBUSY);
  EXPECT_EQ(queue.qlen(), 4u);
  // Who is notified before each dequeue, and what comes.
  const std::pair<int, int> expected[] = {{4, 1}, {5, 2}, {-1, 4}, {-1, 5}, {-1, -1}};
  for (const auto& [notified, taken] : expected) {
    EXPECT_EQ(id_of(queue.backlog()), notified);
    EXPECT_EQ(id_of(queue.dequeue()), taken);
  }
  EXPECT_EQ(queue.enqueue(a), -EINPROGRESS);
}

// The device's room is a limit too, and nothing overtakes what waits because of it.
TEST(Queue, RoomOfTheDevice) {
  CryptoQueue queue(10);
  Request a(1, kBacklog), b(2, kBacklog), refused(3), c(4, kBacklog), d(5, kBacklog);
  EXPECT_EQ(queue.enqueue(a, 1), -EINPROGRESS);
  EXPECT_EQ(queue.enqueue(refused, 1), -ENOSPC);
  EXPECT_EQ(queue.enqueue(b, 1), -EBUSY);
  EXPECT_EQ(queue.enqueue(c, 9), -EBUSY);
  const std::pair<int, int> expected[] = {{2, 1}, {4, 2}, {-1, 4}, {-1, -1}};
  for (const auto& [notified, taken] : expected) {
    EXPECT_EQ(id_of(queue.backlog()), notified);
    EXPECT_EQ(id_of(queue.dequeue()), taken);
  }
  EXPECT_EQ(queue.enqueue(d, 0), -EBUSY);
  CryptoAsyncRequest* backlog = queue.backlog();
  EXPECT_EQ(id_of(backlog), 5);
  queue.put_back(*queue.dequeue(), backlog);
  EXPECT_EQ(id_of(queue.backlog()), 5);
  EXPECT_EQ(id_of(queue.dequeue()), 5);
}

TEST(Queue, PutBackRestores) {
  CryptoQueue queue(1);
  Request a(1), b(2, kBacklog);
  queue.enqueue(a);
  queue.enqueue(b);
  for (int i = 0; i < 3; ++i) {
    CryptoAsyncRequest* backlog = queue.backlog();
    EXPECT_EQ(id_of(backlog), 2);
    CryptoAsyncRequest* taken = queue.dequeue();
    EXPECT_EQ(id_of(taken), 1);
    EXPECT_EQ(queue.backlog(), nullptr);
    queue.put_back(*taken, backlog);
    EXPECT_EQ(queue.qlen(), 2u);
  }
}

// Holds as many requests as it has room for.
struct Device {
  size_t room = 0;
  std::deque<Request*> taken;
  std::vector<int> order;
  static int do_one(CryptoEngine& engine, CryptoAsyncRequest& req) {
    auto& device = *static_cast<Device*>(engine.owner());
    if (device.taken.size() >= device.room) return -ENOSPC;
    auto& request = static_cast<Request&>(req);
    device.order.push_back(request.id);
    if (request.id == 99) return -EIO;
    device.taken.push_back(&request);
    return 0;
  }
};

TEST(Engine, StartStop) {
  CryptoEngine engine(4, nullptr);
  Request a(1);
  EXPECT_EQ(engine.transfer(a, Device::do_one), -ESHUTDOWN);
  EXPECT_EQ(engine.start(), 0);
  EXPECT_EQ(engine.start(), -EBUSY);
  EXPECT_EQ(engine.transfer(a, Device::do_one), -EINPROGRESS);
  EXPECT_EQ(engine.stop(), -EBUSY);
}

TEST(Engine, FullDeviceThenRoom) {
  Device device;
  CryptoEngine engine(2, &device);
  ASSERT_EQ(engine.start(), 0);
  Request a(1, kBacklog), b(2, kBacklog), c(3, kBacklog), d(4);
  EXPECT_EQ(engine.transfer(a, Device::do_one), -EINPROGRESS);
  EXPECT_EQ(engine.transfer(b, Device::do_one), -EINPROGRESS);
  EXPECT_EQ(engine.transfer(c, Device::do_one), -EBUSY);
  EXPECT_EQ(engine.transfer(d, Device::do_one), -ENOSPC);
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(engine.pump());  // no room: nothing moves, nobody is told anything
  EXPECT_TRUE(c.statuses.empty());
  device.room = 1;
  EXPECT_TRUE(engine.pump());
  EXPECT_EQ(c.statuses, (std::vector<int>{-EINPROGRESS}));
  // Each finished one makes room for the next, in order; the notice is not repeated.
  while (!device.taken.empty()) {
    Request* finished = device.taken.front();
    device.taken.pop_front();
    engine.finalize(*finished, 0);
  }
  EXPECT_EQ(device.order, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(a.statuses, (std::vector<int>{0}));
  EXPECT_EQ(b.statuses, (std::vector<int>{0}));
  EXPECT_EQ(c.statuses, (std::vector<int>{-EINPROGRESS, 0}));
  EXPECT_TRUE(d.statuses.empty());
  EXPECT_EQ(engine.stop(), 0);
}

TEST(Engine, ErrorsAreCompletedAndTheRestGoesOn) {
  Device device;
  device.room = 5;
  CryptoEngine engine(8, &device);
  ASSERT_EQ(engine.start(), 0);
  Request bad(99), good(1);
  engine.transfer(bad, Device::do_one);
  engine.transfer(good, Device::do_one);
  EXPECT_TRUE(bad.statuses.empty());  // nothing runs from inside transfer
  EXPECT_TRUE(engine.pump());
  EXPECT_EQ(bad.statuses, (std::vector<int>{-EIO}));
  ASSERT_EQ(device.taken.size(), 1u);
  engine.finalize(good, 0);
  EXPECT_EQ(good.statuses, (std::vector<int>{0}));
}

// Many threads submit and pump; every request is done exactly once.
TEST(Engine, Threads) {
  constexpr int kThreads = 4;
  constexpr int kRequests = 500;
  struct Counter : CryptoAsyncRequest {
    std::atomic<int> runs{0};
  };
  std::vector<std::list<Counter>> requests(kThreads);
  CryptoEngine engine(kThreads * kRequests, nullptr);
  ASSERT_EQ(engine.start(), 0);
  const auto run_one = [](CryptoEngine&, CryptoAsyncRequest& req) {
    ++static_cast<Counter&>(req).runs;
    return 0;
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kRequests; ++i) {
        Counter& req = requests[t].emplace_back();
        EXPECT_EQ(engine.transfer(req, run_one), -EINPROGRESS);
        engine.pump();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  engine.pump();
  for (const auto& list : requests) {
    for (const Counter& req : list) EXPECT_EQ(req.runs.load(), 1);
  }
  EXPECT_EQ(engine.stop(), 0);
}

}  // namespace
}  // namespace caamlab::api
