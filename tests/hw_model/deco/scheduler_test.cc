// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The scheduler (hardware.md 1.1, 5) with several DECOs and rings: what followers find, in which DECO, in which order;
// errors and their propagation; DECOs withheld; and that no share mode changes a result.
#include "hw_model/scheduler.h"

#include <map>

#include "desc/constructors/gcm.h"
#include "tests/hw_model/deco/fixture.h"

namespace caamlab::tests {
namespace {

using desc::ClassSel;
using desc::DecoError;
using desc::MathReg;
using desc::ShareMode;
using hw_model::Deco;
using hw_model::Scheduler;
using hw_model::SerialPolicy;
using hw_model::SourceId;

// A ring without registers.
class FakeRing final : public hw_model::JobSource {
 public:
  struct Done {
    BusAddr desc;
    JrStatus status;
    uint32_t out_bytes;
  };
  explicit FakeRing(SourceId id) : id_(id) {}
  SourceId id() const override { return id_; }
  bool has_job() const override { return !halted && next_ < jobs_.size(); }
  BusAddr take() override {
    EXPECT_TRUE(has_job());
    ++taken;
    return jobs_[next_++];
  }
  void complete(BusAddr desc, uint32_t status, uint32_t out_bytes) override {
    done.push_back({desc, JrStatus{status}, out_bytes});
  }
  void add(BusAddr job) { jobs_.push_back(job); }

  bool halted = false;
  size_t taken = 0;
  std::vector<Done> done;

 private:
  SourceId id_;
  std::vector<BusAddr> jobs_;
  size_t next_ = 0;
};

struct Lab {
  explicit Lab(unsigned decos = 4, SerialPolicy policy = SerialPolicy::kSelf, unsigned tanks = 0)
      : platform(make_part(kLittle64)), mem(kLittle64) {
    std::vector<std::unique_ptr<Deco>> list;
    for (unsigned n = 0; n < decos; ++n)
      list.push_back(std::make_unique<Deco>(n, mem.space, platform, platform.target, random));
    scheduler =
        std::make_unique<Scheduler>(std::move(list), hw_model::Dma(mem.space, desc::SgFormat::kSec4, platform.target),
                                    hw_model::SchedulerOptions{.serial_policy = policy, .tanks = tanks});
    for (unsigned n = 0; n < 4; ++n) {
      rings.push_back(std::make_unique<FakeRing>(static_cast<SourceId>(n)));
      scheduler->add_source(*rings.back());
    }
  }

  Buffer place(Builder& b) { return mem.words(Rig::finish(b)); }
  // A shared descriptor with these commands.
  Buffer shared(desc::SharedHeader header, const Words& commands) {
    Builder b(kLittle64);
    b.init_sh_desc(header);
    for (const uint32_t w : commands) b.append_word(w);
    return place(b);
  }
  // A job of it that runs first (REVERSE).
  BusAddr job_of(const Buffer& sd, const Words& commands = {}, ShareMode share = ShareMode::kDefer) {
    Builder b(kLittle64);
    b.init_job_desc_shared(sd.addr, static_cast<unsigned>(sd.len / 4), {.reo = true, .share = share});
    for (const uint32_t w : commands) b.append_word(w);
    return place(b).addr;
  }
  BusAddr job(const Words& commands) {
    Builder b(kLittle64);
    b.init_job_desc({});
    for (const uint32_t w : commands) b.append_word(w);
    return place(b).addr;
  }
  void submit(BusAddr job, unsigned ring = 0) {
    rings[ring]->add(job);
    scheduler->notify(ring);
  }
  unsigned run() {
    unsigned n = 0;
    while (scheduler->step()) ++n;
    return n;
  }

  hw_model::Platform platform;
  Memory mem;
  TestRandom random;
  std::vector<std::unique_ptr<FakeRing>> rings;
  std::unique_ptr<Scheduler> scheduler;
};

// Ends with 0x01 if SHRD, 0x02 if SELF as well, with success if neither.
Words report_sharing() {
  return {encode(desc::Jump{.jsl = true, .cond = desc::kCondShrd, .offset = 2}), 0xA0C00000,
          encode(desc::Jump{.jsl = true, .cond = desc::kCondSelf, .offset = 2}), 0xA0C00001, 0xA0C00002};
}
// As the word that a status says.
std::string share_of(JrStatus s) {
  if (s.ok()) return "fresh";
  if (s.source() != desc::StatusSource::kJumpUser) return "status " + std::to_string(s.word);
  return (s.word & 0xFF) == 2 ? "self" : "shrd";
}
std::vector<std::string> shares_of(const FakeRing& ring) {
  std::vector<std::string> out;
  for (const auto& d : ring.done) out.push_back(share_of(d.status));
  return out;
}
using Strings = std::vector<std::string>;

Words operator+(Words a, const Words& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}
// Loads a class 1 key unless SHRD.
Words key_unless_shared() {
  return {encode(desc::Jump{.jsl = true, .cond = desc::kCondShrd, .offset = 6}),
          encode(desc::Key{.cls = ClassSel::kClass1, .imm_aidf = true, .len = 16}),
          1,
          2,
          3,
          4};
}
// Something that always succeeds.
const Words kWork = {encode(desc::Math{.src0 = desc::MathSrc0::kZero, .src1 = desc::MathSrc1::kOne, .len = 4})};

// -- what followers find
// ------------------------------------------------------------------------------------------------

// A halt with a user status counts as a failure (5.5), so sharing is told by what the job does instead: a follower
// that found its keys loads none.
TEST(Scheduler, SerialFollowersFindKeys) {
  for (const unsigned decos : {1u, 2u, 16u}) {
    Lab lab(decos);
    const Buffer sd = lab.shared({.share = ShareMode::kSerial}, key_unless_shared() + kWork);
    for (int i = 0; i < 10; ++i) lab.submit(lab.job_of(sd));
    EXPECT_EQ(lab.run(), 10u);
    EXPECT_EQ(lab.scheduler->stats().keys_loaded, 1u) << decos;
    EXPECT_EQ(lab.scheduler->stats().jobs_with_shared_keys, 9u);
    EXPECT_EQ(lab.scheduler->stats().jobs, 10u);
    EXPECT_EQ(lab.scheduler->stats().failed, 0u);
    EXPECT_EQ(lab.rings[0]->done.size(), 10u);
  }
}

TEST(Scheduler, NeverSharesNothing) {
  for (const unsigned decos : {1u, 4u})
    for (const bool by_job : {false, true}) {
      Lab lab(decos);
      const Buffer sd =
          lab.shared({.share = by_job ? ShareMode::kSerial : ShareMode::kNever}, key_unless_shared() + kWork);
      for (int i = 0; i < 10; ++i) lab.submit(lab.job_of(sd, {}, by_job ? ShareMode::kNever : ShareMode::kDefer));
      EXPECT_EQ(lab.run(), 10u);
      EXPECT_EQ(lab.scheduler->stats().keys_loaded, 10u);
      EXPECT_EQ(lab.scheduler->stats().jobs_with_shared_keys, 0u);
    }
}

// OK-to-share without propagation (3) lets the halts below pass their state on although they are no successes.
Words pass_on() {
  return {encode(desc::Load{.cls = ClassSel::kDeco, .imm = true, .dst = desc::kRegControl, .offset = 3})};
}

TEST(Scheduler, SignalsUnderEveryModeAndPolicy) {
  struct Row {
    ShareMode mode;
    SerialPolicy policy;
    unsigned decos;
    Strings want;
  };
  const Row rows[] = {
      {ShareMode::kNever, SerialPolicy::kSelf, 3, {"fresh", "fresh", "fresh"}},
      {ShareMode::kSerial, SerialPolicy::kSelf, 3, {"fresh", "self", "self"}},
      {ShareMode::kSerial, SerialPolicy::kSelf, 1, {"fresh", "self", "self"}},
      {ShareMode::kSerial, SerialPolicy::kCross, 3, {"fresh", "shrd", "shrd"}},
      {ShareMode::kSerial, SerialPolicy::kCross, 1, {"fresh", "self", "self"}},  // there is no other DECO
      {ShareMode::kWait, SerialPolicy::kSelf, 3, {"fresh", "self", "self"}},     // nobody says OK while running
      {ShareMode::kWait, SerialPolicy::kCross, 3, {"fresh", "shrd", "shrd"}},
      {ShareMode::kAlways, SerialPolicy::kSelf, 3, {"fresh", "fresh", "fresh"}},  // all start at once
      {ShareMode::kAlways, SerialPolicy::kSelf, 1, {"fresh", "self", "self"}},
  };
  for (const Row& row : rows) {
    Lab lab(row.decos, row.policy);
    const Buffer sd = lab.shared({.share = row.mode}, pass_on() + report_sharing());
    for (int i = 0; i < 3; ++i) lab.submit(lab.job_of(sd));
    EXPECT_EQ(lab.run(), 3u);
    EXPECT_EQ(shares_of(*lab.rings[0]), row.want) << static_cast<int>(row.mode) << " " << row.decos;
  }
}

// Jobs queued only after the flow drained start from memory: a setkey in place is seen.
TEST(Scheduler, DrainedFlowIsFetchedAgain) {
  Lab lab;
  const Buffer sd = lab.shared({.share = ShareMode::kSerial}, key_unless_shared() + kWork);
  for (int round = 0; round < 3; ++round) {
    sd.data[12] = static_cast<uint8_t>(round);  // a byte of the key
    for (int i = 0; i < 2; ++i) lab.submit(lab.job_of(sd));
    EXPECT_EQ(lab.run(), 2u);
    EXPECT_EQ(lab.scheduler->stats().keys_loaded, static_cast<uint64_t>(round) + 1);
    bool seen = false;
    for (unsigned n = 0; n < lab.scheduler->num_decos(); ++n)
      seen = seen || lab.scheduler->deco(n).ccb.regs(Ccb::kClass1).key.bytes[0] == round;
    EXPECT_TRUE(seen);
  }
}

// Context is kept on the same DECO with SAVECTX, and only then; MATH and the rest never.
TEST(Scheduler, ContextNeedsSaveContextAndTheSameDeco) {
  for (const bool savectx : {false, true})
    for (const SerialPolicy policy : {SerialPolicy::kSelf, SerialPolicy::kCross}) {
      Lab lab(2, policy);
      const Buffer out = lab.mem.output(2 * 16);
      // Stores what is in the context and MATH0, then writes both.
      Builder b(kLittle64);
      b.init_sh_desc({.savectx = savectx, .share = ShareMode::kSerial});
      b.append_seq_store(8, {.cls = ClassSel::kClass1, .src = desc::kRegContext});
      b.append_seq_store(8, {.cls = ClassSel::kDeco, .src = desc::kRegMath0});
      b.append_load_as_imm(filler(8, 1), {.cls = ClassSel::kClass1, .dst = desc::kRegContext});
      b.append_load_as_imm(filler(8, 2), {.cls = ClassSel::kDeco, .dst = desc::kRegMath0});
      const Buffer sd = lab.place(b);
      for (size_t i = 0; i < 2; ++i) {
        Builder seq(kLittle64);
        seq.init_job_desc({});
        seq.append_seq_out_ptr(out.addr + 16 * i, 16);
        lab.submit(lab.job_of(sd, commands_of(seq)));
      }
      EXPECT_EQ(lab.run(), 2u);
      EXPECT_EQ(hex({out.data, 16}), std::string(32, '0'));
      const bool kept = savectx && policy == SerialPolicy::kSelf;
      EXPECT_EQ(hex({out.data + 16, 8}), kept ? hex(filler(8, 1)) : std::string(16, '0')) << savectx;
      EXPECT_EQ(hex({out.data + 24, 8}), std::string(16, '0'));
    }
}

// Followers run the descriptor as the predecessor left it, self-modifications included, and fetch no words of it.
TEST(Scheduler, FollowersRunTheModifiedDescriptor) {
  for (const SerialPolicy policy : {SerialPolicy::kSelf, SerialPolicy::kCross}) {
    Lab lab(2, policy);
    const Buffer out = lab.mem.output(3 * 4);
    // A word of the descriptor counts the jobs: stored, incremented, put back.
    Builder b(kLittle64);
    b.init_sh_desc_pdb({.share = ShareMode::kSerial}, std::array<uint32_t, 2>{0, 7});
    b.append_move({.src = desc::MoveSrc::kDescBuf, .dst = desc::MoveDst::kMath0, .offset = 4, .len = 8});
    b.append_seq_store(4, {.cls = ClassSel::kDeco, .src = desc::kRegMath0, .offset = 4});
    b.append_math_add(MathReg::kReg0, MathReg::kReg0, MathReg::kOne);
    b.append_move({.src = desc::MoveSrc::kMath0, .dst = desc::MoveDst::kDescBuf, .offset = 4, .len = 8});
    const Buffer sd = lab.place(b);
    for (size_t i = 0; i < 3; ++i) {
      Builder seq(kLittle64);
      seq.init_job_desc({});
      seq.append_seq_out_ptr(out.addr + 4 * i, 4);
      lab.submit(lab.job_of(sd, commands_of(seq)));
    }
    EXPECT_EQ(lab.run(), 3u);
    EXPECT_EQ(lab.mem.read_words(out), (Words{7, 8, 9}));
    EXPECT_EQ(lab.mem.read_words(sd)[2], 7u) << "memory keeps what was written there";
    const unsigned job_words = 6;  // header, two of the pointer, SEQ OUT PTR with its own
    EXPECT_EQ(lab.scheduler->stats().words_fetched, 3 * job_words + sd.len / 4);
  }
}

// -- which DECO, in which order
// ------------------------------------------------------------------------------------------

TEST(Scheduler, NeverSpreadsOverDecos) {
  Lab lab(4);
  const Buffer sd = lab.shared({.share = ShareMode::kNever}, kWork);
  for (int i = 0; i < 8; ++i) lab.submit(lab.job_of(sd));
  lab.scheduler->dispatch();
  for (unsigned n = 0; n < 4; ++n) EXPECT_FALSE(lab.scheduler->idle(n)) << "all four have one";
  EXPECT_EQ(lab.rings[0]->taken, 8u) << "four in DECOs, four in tanks";
}

TEST(Scheduler, SerialKeepsOneFlowToOneDeco) {
  Lab lab(4);
  const Buffer sd = lab.shared({.share = ShareMode::kSerial}, kWork);
  for (int i = 0; i < 8; ++i) lab.submit(lab.job_of(sd));
  lab.scheduler->dispatch();
  unsigned busy = 0;
  for (unsigned n = 0; n < 4; ++n) busy += !lab.scheduler->idle(n);
  EXPECT_EQ(busy, 1u);
  EXPECT_EQ(lab.rings[0]->taken, 5u) << "one runs, the tanks are full";
}

TEST(Scheduler, SerialFlowsDoNotHoldUpEachOther) {
  Lab lab(2);
  const Buffer a = lab.shared({.share = ShareMode::kSerial}, kWork),
               b = lab.shared({.share = ShareMode::kSerial}, kWork);
  lab.submit(lab.job_of(a));
  lab.submit(lab.job_of(a));
  lab.submit(lab.job_of(b));
  lab.scheduler->dispatch();
  EXPECT_FALSE(lab.scheduler->idle(0) || lab.scheduler->idle(1)) << "b starts past the waiting one of a";
  EXPECT_EQ(lab.run(), 3u);
}

TEST(Scheduler, SerialJobsEndInOrder) {
  Lab lab(4);
  const Buffer sd = lab.shared({.share = ShareMode::kSerial}, kWork);
  std::vector<BusAddr> jobs;
  for (int i = 0; i < 20; ++i) {
    jobs.push_back(lab.job_of(sd));
    lab.submit(jobs.back());
  }
  lab.run();
  for (size_t i = 0; i < 20; ++i) EXPECT_EQ(lab.rings[0]->done[i].desc, jobs[i]);
  EXPECT_EQ(lab.scheduler->stats().completed_out_of_order, 0u);
}

TEST(Scheduler, TanksBoundWhatIsTaken) {
  for (const unsigned tanks : {1u, 2u, 7u}) {
    Lab lab(2, SerialPolicy::kSelf, tanks);
    const Buffer sd = lab.shared({.share = ShareMode::kSerial}, kWork);
    for (int i = 0; i < 20; ++i) lab.submit(lab.job_of(sd));
    lab.scheduler->dispatch();
    EXPECT_EQ(lab.rings[0]->taken, 1 + tanks);
    EXPECT_EQ(lab.run(), 20u);
  }
}

TEST(Scheduler, RoundRobinOverRings) {
  Lab lab(1);
  for (unsigned ring = 0; ring < 4; ++ring)
    for (int i = 0; i < 3; ++i)
      if (ring != 2) lab.submit(lab.job({0xA0000001}), ring);
  std::vector<size_t> done(4), before(4);
  std::string order;
  while (lab.scheduler->step()) {
    for (unsigned ring = 0; ring < 4; ++ring)
      if (lab.rings[ring]->done.size() != done[ring]) order += static_cast<char>('0' + ring);
    for (unsigned ring = 0; ring < 4; ++ring) done[ring] = lab.rings[ring]->done.size();
  }
  EXPECT_EQ(order, "013013013");
}

TEST(Scheduler, HaltedRingIsPassedOver) {
  Lab lab(1);
  lab.submit(lab.job({0xA0000001}), 0);
  lab.submit(lab.job({0xA0000001}), 1);
  lab.rings[0]->halted = true;
  EXPECT_EQ(lab.run(), 1u);
  EXPECT_EQ(lab.rings[1]->done.size(), 1u);
  lab.rings[0]->halted = false;
  lab.scheduler->notify(0);
  EXPECT_EQ(lab.run(), 1u);
}

// Overtaking is counted within a ring.
TEST(Scheduler, OrderStatistics) {
  Lab lab(2);
  const Buffer sd = lab.shared({.share = ShareMode::kSerial}, kWork);
  lab.submit(lab.job_of(sd), 0);
  lab.submit(lab.job_of(sd), 0);  // waits
  lab.submit(lab.job({0xA0000001}), 0);
  lab.scheduler->dispatch();
  Deco* first = lab.scheduler->next_dispatched();
  Deco* third = lab.scheduler->next_dispatched();
  ASSERT_TRUE(first != nullptr && third != nullptr);
  EXPECT_EQ(lab.scheduler->next_dispatched(), nullptr);
  lab.scheduler->complete(*third, third->run());
  lab.scheduler->complete(*first, first->run());
  EXPECT_EQ(lab.scheduler->stats().completed_out_of_order, 1u);
  lab.run();
  EXPECT_EQ(lab.scheduler->stats().completed_out_of_order, 2u) << "the second, after the third";

  Lab two(2);
  two.submit(two.job({0xA0000001}), 0);
  two.submit(two.job({0xA0000001}), 1);
  two.scheduler->dispatch();
  Deco* a = two.scheduler->next_dispatched();
  Deco* b = two.scheduler->next_dispatched();
  two.scheduler->complete(*b, b->run());
  two.scheduler->complete(*a, a->run());
  EXPECT_EQ(two.scheduler->stats().completed_out_of_order, 0u) << "different rings";
}

TEST(Scheduler, MoreWorkPending) {
  Lab lab(1, SerialPolicy::kSelf, 1);
  const Words jqp = {encode(desc::Jump{.jsl = true, .cond = desc::kCondJqp, .offset = 2}), 0xA0C00000, 0xA0C00009};
  for (int i = 0; i < 4; ++i) lab.submit(lab.job(jqp));
  EXPECT_EQ(lab.run(), 4u);
  Strings got;
  for (const auto& d : lab.rings[0]->done) got.push_back(d.status.ok() ? "none" : "more");
  EXPECT_EQ(got, (Strings{"more", "more", "more", "none"}));
}

// -- WAIT and CHG SHARE
// ------------------------------------------------------------------------------------------------

Words say(unsigned chg_share) {
  return {encode(desc::Load{
      .cls = ClassSel::kDeco, .imm = true, .dst = desc::kRegControl, .offset = static_cast<uint8_t>(chg_share)})};
}

// Once the running job says OK, the next starts beside it, on another DECO, with SHRD and without SELF.
TEST(Scheduler, WaitStartsWhenTheRunningJobAllows) {
  for (const unsigned chg : {0u, 1u, 2u, 3u}) {
    Lab lab(2);
    Words commands = key_unless_shared();
    if (chg != 0) commands = commands + say(chg);
    const Buffer sd = lab.shared({.share = ShareMode::kWait}, commands + kWork);
    lab.submit(lab.job_of(sd));
    lab.submit(lab.job_of(sd));
    lab.scheduler->dispatch();
    Deco* a = lab.scheduler->next_dispatched();
    EXPECT_EQ(lab.scheduler->next_dispatched(), nullptr);
    const JrStatus status = a->run();  // it has run, but nobody has been told
    lab.scheduler->dispatch();
    Deco* b = lab.scheduler->next_dispatched();
    EXPECT_EQ(b != nullptr, chg >= 2) << chg;
    if (b != nullptr) {
      EXPECT_NE(a, b);
      EXPECT_TRUE(b->shrd() && !b->self());
      EXPECT_EQ(hex(b->ccb.regs(Ccb::kClass1).key.key()), hex(a->ccb.regs(Ccb::kClass1).key.key()));
      lab.scheduler->complete(*b, b->run());
    }
    lab.scheduler->complete(*a, status);
    lab.run();
    EXPECT_EQ(lab.scheduler->stats().keys_loaded, chg == 1 ? 2u : 1u) << "1 forbids sharing altogether";
    EXPECT_EQ(lab.scheduler->stats().jobs, 2u);
  }
}

TEST(Scheduler, NeverToShareFromThisJob) {
  Lab lab(2);
  const Buffer sd = lab.shared({.share = ShareMode::kSerial}, key_unless_shared() + say(1) + kWork);
  for (int i = 0; i < 4; ++i) lab.submit(lab.job_of(sd));
  lab.run();
  EXPECT_EQ(lab.scheduler->stats().keys_loaded, 4u);
}

// -- errors
// -----------------------------------------------------------------------------------------------------------------

// The first job fails, by an ICV or so; what becomes of the second?
TEST(Scheduler, ErrorPropagation) {
  struct Row {
    const char* what;
    SerialPolicy policy;
    unsigned chg_share;
    bool pd;
    std::string second;
  };
  const Row rows[] = {
      {"the DECO was cleared: afresh", SerialPolicy::kSelf, 0, false, "fresh"},
      {"so with propagation", SerialPolicy::kSelf, 2, false, "fresh"},
      {"not propagated: shared as usual", SerialPolicy::kSelf, 3, false, "self"},
      {"one that would copy fails", SerialPolicy::kCross, 0, false, "1e"},
      {"so with propagation", SerialPolicy::kCross, 2, false, "1e"},
      {"not propagated", SerialPolicy::kCross, 3, false, "shrd"},
      {"PD: followers do not run", SerialPolicy::kSelf, 0, true, "80"},
      {"PD, cross", SerialPolicy::kCross, 0, true, "80"},
  };
  for (const Row& row : rows) {
    Lab lab(2, row.policy);
    const Buffer sd = lab.shared({.pd = row.pd, .share = ShareMode::kSerial}, kWork);
    Words fail = {0x00000000};  // KEY of class 0
    if (row.chg_share != 0) fail = say(row.chg_share) + fail;
    lab.submit(lab.job_of(sd, fail));
    lab.submit(lab.job_of(sd));
    lab.scheduler->dispatch();
    Deco* a = lab.scheduler->next_dispatched();
    lab.scheduler->complete(*a, a->run());
    EXPECT_EQ(lab.rings[0]->done[0].status.deco_error(), DecoError::kKey);
    lab.scheduler->dispatch();
    std::string second;
    if (Deco* b = lab.scheduler->next_dispatched()) {
      second = b->self() ? "self" : b->shrd() ? "shrd" : "fresh";
      lab.scheduler->complete(*b, b->run());
      EXPECT_EQ(lab.rings[0]->done[1].status, ok()) << row.what;
    } else {
      ASSERT_EQ(lab.rings[0]->done.size(), 2u);
      const JrStatus s = lab.rings[0]->done[1].status;
      EXPECT_EQ(s.source(), desc::StatusSource::kDeco);
      second = s.deco_error() == DecoError::kShareError ? "1e" : s.deco_error() == DecoError::kDoNotRun ? "80" : "?";
    }
    EXPECT_EQ(second, row.second) << row.what;
  }
}

// PD reaches those who waited; later ones fetch the descriptor from memory, where it may run.
TEST(Scheduler, PropagatedDnrEndsWithTheFlow) {
  Lab lab(1);
  const Buffer sd = lab.shared({.pd = true, .share = ShareMode::kSerial}, kWork);
  lab.submit(lab.job_of(sd, {0}));
  lab.submit(lab.job_of(sd));
  lab.run();
  EXPECT_EQ(lab.rings[0]->done[1].status, deco(DecoError::kDoNotRun, 0));
  lab.submit(lab.job_of(sd));
  lab.run();
  EXPECT_EQ(lab.rings[0]->done[2].status, ok());
  EXPECT_EQ(lab.scheduler->stats().failed, 2u);
}

// A shared descriptor that cannot be read says nothing about PD, whatever ran before on that DECO.
TEST(Scheduler, UnreadableDescriptorPropagatesNothing) {
  Lab lab(1);
  const Buffer pd = lab.shared({.pd = true, .share = ShareMode::kSerial}, kWork);
  const Buffer gone = lab.shared({.share = ShareMode::kSerial}, kWork);
  lab.submit(lab.job_of(pd));
  const BusAddr bad = lab.job_of(gone, {}, ShareMode::kSerial);
  lab.mem.unmap(gone);
  lab.submit(bad);
  lab.submit(bad);
  EXPECT_EQ(lab.run(), 3u);
  for (const size_t i : {1u, 2u}) EXPECT_EQ(lab.rings[0]->done[i].status, deco(DecoError::kDma, 0)) << i;
  EXPECT_GT(lab.mem.take_faults(), 0u);
}

TEST(Scheduler, BadJobsAreReported) {
  Lab lab(2);
  const BusAddr garbage = lab.mem.words(Words{0x12345678}).addr;
  lab.submit(garbage);
  lab.submit(0x10);
  const Buffer sd = lab.shared({.share = ShareMode::kSerial}, kWork);
  lab.submit(lab.job_of(sd));
  EXPECT_EQ(lab.run(), 3u);
  EXPECT_EQ(lab.mem.take_faults(), 1u);
  std::map<BusAddr, JrStatus> by_desc;
  for (const auto& d : lab.rings[0]->done) by_desc[d.desc] = d.status;
  EXPECT_EQ(by_desc[garbage], deco(DecoError::kJobHeader, 0));
  EXPECT_EQ(by_desc[0x10], deco(DecoError::kDma, 0));
}

// A job that jumped to another descriptor leaves nothing to share: its shared descriptor is gone from the buffer.
TEST(Scheduler, NonLocalJumpLeavesNothingToShare) {
  for (const SerialPolicy policy : {SerialPolicy::kSelf, SerialPolicy::kCross}) {
    Lab lab(2, policy);
    Builder target(kLittle64);
    target.init_job_desc({});
    target.append_word(0xA0000001);
    Builder b(kLittle64);
    b.init_sh_desc({.share = ShareMode::kSerial});
    b.append_jump_nonlocal(lab.place(target).addr, {});
    const Buffer sd = lab.place(b);
    for (int i = 0; i < 3; ++i) lab.submit(lab.job_of(sd));
    EXPECT_EQ(lab.run(), 3u);
    for (const auto& d : lab.rings[0]->done) EXPECT_EQ(d.status, ok());
    EXPECT_EQ(lab.scheduler->stats().jobs_with_shared_keys, 0u);
  }
}

// Of two jobs of a flow that ended on different DECOs the later one counts.
TEST(Scheduler, TheLastJobOfTheFlowIsTheOneSharedFrom) {
  Lab lab(2, SerialPolicy::kCross);
  const Buffer sd = lab.shared({.share = ShareMode::kSerial}, kWork);
  lab.submit(lab.job_of(sd));       // on one DECO
  lab.submit(lab.job_of(sd, {0}));  // copied to the other, where it fails
  lab.submit(lab.job_of(sd));       // would copy from there
  lab.run();
  ASSERT_EQ(lab.rings[0]->done.size(), 3u);
  EXPECT_EQ(lab.rings[0]->done[1].status.deco_error(), DecoError::kKey);
  EXPECT_EQ(lab.rings[0]->done[2].status, deco(DecoError::kShareError, 0));
}

// -- withheld DECOs
// -------------------------------------------------------------------------------------------------------

TEST(Scheduler, WithheldDecoGetsNoJobs) {
  Lab lab(2);
  lab.scheduler->withhold(0, true);
  for (int i = 0; i < 4; ++i) lab.submit(lab.job({0xA0000001}));
  lab.scheduler->dispatch();
  EXPECT_TRUE(lab.scheduler->idle(0));
  EXPECT_FALSE(lab.scheduler->idle(1));
  EXPECT_EQ(lab.run(), 4u);
  lab.scheduler->withhold(1, true);
  lab.submit(lab.job({0xA0000001}));
  EXPECT_EQ(lab.run(), 0u) << "none is left";
  lab.scheduler->withhold(0, false);
  EXPECT_EQ(lab.run(), 1u);
}

// Software used the DECO in between: what it held is not there any more.
TEST(Scheduler, WithheldDecoForgetsItsFlow) {
  Lab lab(1);
  const Buffer sd = lab.shared({.share = ShareMode::kSerial}, key_unless_shared() + kWork);
  lab.submit(lab.job_of(sd));
  lab.submit(lab.job_of(sd));
  EXPECT_TRUE(lab.scheduler->step());
  lab.scheduler->withhold(0, true);
  hw_model::JobFetch direct;
  direct.words[0] = 0xB0800002;
  direct.words[1] = 0xA0000001;
  direct.len = 64;
  check_job(lab.platform.target, 10, direct);
  lab.scheduler->deco(0).begin(direct, ShareState::kFresh);
  EXPECT_EQ(lab.scheduler->deco(0).run(), ok());
  lab.scheduler->withhold(0, false);
  EXPECT_EQ(lab.run(), 1u);
  EXPECT_EQ(lab.rings[0]->done[1].status, ok());
  EXPECT_EQ(lab.scheduler->stats().keys_loaded, 2u);
}

TEST(Scheduler, ResetForgetsEverything) {
  Lab lab(2);
  const Buffer sd = lab.shared({.share = ShareMode::kSerial}, kWork);
  for (int i = 0; i < 3; ++i) lab.submit(lab.job_of(sd));
  lab.scheduler->dispatch();
  EXPECT_TRUE(lab.scheduler->busy());
  lab.scheduler->reset();
  EXPECT_FALSE(lab.scheduler->busy());
  EXPECT_EQ(lab.run(), 0u);
  EXPECT_TRUE(lab.rings[0]->done.empty()) << "no reports";
  lab.submit(lab.job_of(sd));
  EXPECT_EQ(lab.run(), 1u);
}

// -- results
// ------------------------------------------------------------------------------------------------------------------

// 9 of hardware.md 10, and more of it: GCM jobs of two flows, queued together or one by one, give the same bytes and
// statuses under every mode, policy and number of DECOs; a bad tag in the middle disturbs nobody else.
TEST(Scheduler, GcmGivesTheSameUnderEveryMode) {
  const Bytes key = filler(16, 1);
  desc::AlgInfo info{.op = {.alg = desc::Alg::kAes, .aai = desc::aai::kGcm}, .keylen = 16};
  info.key = key;
  constexpr size_t kJobs = 12;
  std::vector<std::string> want;
  for (const ShareMode mode : {ShareMode::kNever, ShareMode::kSerial, ShareMode::kWait, ShareMode::kAlways})
    for (const SerialPolicy policy : {SerialPolicy::kSelf, SerialPolicy::kCross})
      for (const unsigned decos : {1u, 3u, 16u})
        for (const bool together : {false, true}) {
          Lab lab(decos, policy);
          Builder enc(kLittle64), dec(kLittle64);
          cnstr_shdsc_gcm_encap(enc, info, {.share = mode});
          cnstr_shdsc_gcm_decap(dec, info, {.share = mode});
          const Buffer sd[2] = {lab.place(enc), lab.place(dec)};
          std::vector<Buffer> outs;
          std::map<BusAddr, size_t> number;
          for (size_t i = 0; i < kJobs; ++i) {
            const bool encrypt = i % 3 != 2;
            // A decryption of noise fails, but for its plaintext, which is what it is.
            const Bytes data = filler(20 + 16 * i + (encrypt ? 0 : 16), static_cast<uint32_t>(i));
            const Buffer in = lab.mem.input(data);
            outs.push_back(lab.mem.output(encrypt ? data.size() + 16 : data.size() - 16));
            desc::GcmJob job{};
            const Bytes iv = filler(12, static_cast<uint32_t>(100 + i));
            job.iv = iv;
            job.aead.sh_desc = sd[!encrypt].addr;
            job.aead.sh_len = static_cast<unsigned>(sd[!encrypt].len / 4);
            job.aead.in = {.addr = in.addr, .len = static_cast<uint32_t>(in.len)};
            job.aead.out = {.addr = outs.back().addr, .len = static_cast<uint32_t>(outs.back().len)};
            job.aead.assoclen = 20;
            job.aead.encrypt = encrypt;
            Builder jd(kLittle64);
            init_gcm_job(jd, job);
            const BusAddr addr = lab.place(jd).addr;
            number[addr] = i;
            lab.submit(addr, static_cast<unsigned>(i % 2));
            if (!together) lab.run();
          }
          lab.run();
          std::vector<std::string> got(kJobs);
          for (const auto& ring : lab.rings)
            for (const auto& d : ring->done) {
              const bool followed_error =
                  policy == SerialPolicy::kCross && d.status.deco_error() == DecoError::kShareError;
              const size_t i = number.at(d.desc);
              // Under the cross policy a job that would copy from a failed one does not run (5.5).
              got[i] = followed_error ? "0x1e" : std::to_string(d.status.word & 0xF00000FF) + outs[i].hex();
            }
          if (want.empty()) want = got;
          size_t share_errors = 0;
          for (size_t i = 0; i < kJobs; ++i) {
            if (got[i] == "0x1e") {
              EXPECT_EQ(i % 3, 2u) << "only decryptions follow a failed one";
              ++share_errors;
              continue;
            }
            EXPECT_EQ(got[i], want[i]) << i << " mode " << static_cast<int>(mode);
          }
          if (policy == SerialPolicy::kSelf || mode == ShareMode::kNever || !together) {
            EXPECT_EQ(share_errors, 0u);
          }
          if (mode == ShareMode::kNever) {
            EXPECT_EQ(lab.scheduler->stats().keys_loaded, kJobs);
          }
          if (mode == ShareMode::kSerial && together && policy == SerialPolicy::kSelf) {
            EXPECT_LT(lab.scheduler->stats().keys_loaded, kJobs);
          }
        }
}

}  // namespace
}  // namespace caamlab::tests
