// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// JUMP (hardware.md 2.11): conditions and tests by truth table, every type, waits, halts and their status words, chains
// of descriptors.
#include "tests/hw_model/deco/fixture.h"

namespace caamlab::tests {
namespace {

using desc::ClassSel;
using desc::DecoError;
using desc::Jump;
using desc::JumpTest;
using desc::JumpType;
using desc::MathReg;

constexpr desc::AlgOperation kGcm{.aai = desc::aai::kGcm, .as = desc::AlgState::kInitFinal, .enc = true};

void set_flags(hw_model::DecoRegs& r, uint8_t cond) {
  r.pk_zero = (cond & 0x80) != 0;
  r.pk_gcd1 = (cond & 0x40) != 0;
  r.pk_prime = (cond & 0x20) != 0;
  r.n = (cond & 0x08) != 0;
  r.z = (cond & 0x04) != 0;
  r.c = (cond & 0x02) != 0;
  r.nv = (cond & 0x01) != 0;
}

// Runs `job` with registers set up before its first command.
template <class Setup>
JrStatus run_with(Rig& rig, const Words& job, Setup&& setup, ShareState share = ShareState::kFresh) {
  for (size_t i = 0; i < job.size(); ++i) desc::store32(rig.job_memory.data + i * 4, job[i], rig.target.endian);
  hw_model::JobFetch fetch;
  fetch_job(rig.deco.dma, rig.source, rig.job_memory.addr, 10, fetch);
  rig.deco.begin(fetch, share);
  setup(rig.deco);
  return rig.deco.run();
}

// Taken: halt with 0x11, else with 0x22.
Words two_ways(uint32_t jump_word) { return {0xB0800004, jump_word, 0xA0C00022, 0xA0C00011}; }
const JrStatus kTaken = JrStatus::jump_user(0x11, 3), kNotTaken = JrStatus::jump_user(0x22, 2);

bool expected(JumpTest test, uint8_t selected, uint8_t actual) {
  bool all = true, none = true;
  for (unsigned bit = 0; bit < 8; ++bit) {
    if ((selected >> bit & 1) == 0) continue;
    const bool is_true = (actual >> bit & 1) != 0;
    all = all && is_true;
    none = none && !is_true;
  }
  switch (test) {
    case JumpTest::kAll:
      return all;  // of nothing: true
    case JumpTest::kNotAll:
      return none;  // all selected are false
    case JumpTest::kAny:
      return !none;
    default:
      return !all;  // any selected is false
  }
}

TEST(Jump, MathAndPkhaConditions) {
  Rig rig;
  for (unsigned selected = 0; selected < 256; ++selected)
    for (unsigned actual = 0; actual < 256; actual += 1 + (selected % 3)) {
      if ((actual & 0x10) != 0) continue;  // there is no condition behind this bit
      for (const JumpTest test : {JumpTest::kAll, JumpTest::kNotAll, JumpTest::kAny, JumpTest::kNotAny}) {
        Jump jump{.test = test, .cond = static_cast<uint8_t>(selected), .offset = 2};
        const JrStatus status = run_with(rig, two_ways(encode(jump)),
                                         [&](hw_model::Deco& d) { set_flags(d.r, static_cast<uint8_t>(actual)); });
        ASSERT_EQ(status, expected(test, jump.cond, static_cast<uint8_t>(actual)) ? kTaken : kNotTaken)
            << selected << " " << actual << " " << static_cast<int>(test);
      }
    }
}

// SHRD, SELF and JQP are what they are; CALM, NIP, NIFP, NOP and NCP have come true by the time of the test.
TEST(Jump, SharingAndIdleConditions) {
  for (const ShareState share : {ShareState::kFresh, ShareState::kCross, ShareState::kSelf})
    for (const bool more : {false, true}) {
      Rig rig;
      hw_model::Deco other(1, rig.mem.space, rig.platform, rig.target, rig.random);
      uint8_t actual = 0x1F;
      if (more) actual |= desc::kCondJqp;
      if (share != ShareState::kFresh) actual |= desc::kCondShrd;
      if (share == ShareState::kSelf) actual |= desc::kCondSelf;
      for (unsigned selected = 0; selected < 256; ++selected)
        for (const JumpTest test : {JumpTest::kAll, JumpTest::kNotAll, JumpTest::kAny, JumpTest::kNotAny}) {
          Jump jump{.jsl = true, .test = test, .cond = static_cast<uint8_t>(selected), .offset = 2};
          const JrStatus status = run_with(
              rig, two_ways(encode(jump)), [&](hw_model::Deco& d) { d.set_more_work(more); }, share);
          ASSERT_EQ(status, expected(test, jump.cond, actual) ? kTaken : kNotTaken) << selected;
        }
    }
}

// CLRW bit 25 takes SHRD and SELF away for the rest of the job.
TEST(Jump, ClearedShareSignals) {
  Rig rig;
  for (const uint8_t cond : {desc::kCondShrd, desc::kCondSelf}) {
    const uint32_t jump = encode(Jump{.jsl = true, .cond = cond, .offset = 2});
    const Words job = {0xB0800006, 0x10880004, 1u << 25, jump, 0xA0C00022, 0xA0C00011};
    EXPECT_EQ(run_with(
                  rig, job, [](auto&) {}, ShareState::kSelf),
              JrStatus::jump_user(0x22, 4));
  }
}

// -- where to
// -----------------------------------------------------------------------------------------------------------

TEST(Jump, OffsetCountsFromTheJump) {
  for (int offset = -128; offset < 128; ++offset) {
    Rig rig;
    // 64 words; the jump is at 31, every other word halts with its index.
    Words job = {0xB0800040 | 31 << 16};
    for (unsigned i = 1; i < 64; ++i) job.push_back(0xA0C00000 | i);
    job[31] = encode(Jump{.offset = static_cast<int8_t>(offset)});
    const int target = 31 + offset;
    JrStatus want = deco(DecoError::kJump, 31);  // outside the buffer
    if (target >= 1 && target < 64) want = JrStatus::jump_user(static_cast<uint8_t>(target), target);
    if (target == 0) want = deco(DecoError::kJobHeader, 0);  // a job header reached by execution
    if (target == 64) want = ok();                           // behind the last word: the end of the job
    rig.deco.options();
    if (offset == 0) continue;  // jumps to itself for ever: below
    EXPECT_EQ(rig.run(job), want) << offset;
  }
}

TEST(Jump, EndlessLoopIsStopped) {
  Rig rig(kLittle64, {.deco = {.max_commands = 1000}});
  EXPECT_EQ(rig.run(Words{0xB0800002, 0xA0000000}), deco(DecoError::kWatchdog, 1));
  EXPECT_EQ(rig.deco.stats().commands, 1000u);
  EXPECT_EQ(rig.run(Words{0xB0800003, 0xA0000001, 0xA00000FF}), deco(DecoError::kWatchdog, 1));
}

TEST(Jump, BehindTheLastCommandEndsTheDescriptor) {
  Rig rig;
  EXPECT_EQ(rig.run(Words{0xB0800002, 0xA2000001}), ok()) << "the done checkpoint as last command";
  EXPECT_EQ(rig.run(Words{0xB0800002, 0xA0000002}), deco(DecoError::kJump, 1));
}

TEST(Jump, GosubAndReturn) {
  Rig rig;
  Builder b = rig.job();
  // Twice into a subroutine that adds one, then a halt; the subroutine lies behind it.
  b.append_word(encode(Jump{.type = JumpType::kGosub, .offset = 3}));
  b.append_word(encode(Jump{.type = JumpType::kGosub, .offset = 2}));
  b.append_word(encode(Jump{.type = JumpType::kHaltUser, .offset = 7}));
  b.append_math_add(MathReg::kReg0, MathReg::kReg0, MathReg::kOne);
  b.append_word(encode(Jump{.type = JumpType::kReturn}));
  EXPECT_EQ(rig.run(b), JrStatus::jump_user(7, 3));
  EXPECT_EQ(rig.math(0), 2u);
}

TEST(Jump, GosubAndReturnDependOnConditions) {
  Rig rig;
  const uint8_t z = desc::kCondMathZ;
  const Words job = {0xB0800006,
                     encode(Jump{.type = JumpType::kGosub, .cond = z, .offset = 2}),  // not taken: Z is clear
                     encode(Jump{.type = JumpType::kGosub, .offset = 2}),             //
                     encode(Jump{.type = JumpType::kHaltUser, .offset = 1}),          // not reached
                     encode(Jump{.type = JumpType::kReturn, .cond = z}),              // not taken
                     encode(Jump{.type = JumpType::kHaltUser, .offset = 2})};
  EXPECT_EQ(rig.run(job), JrStatus::jump_user(2, 5));
}

TEST(Jump, NestedGosubOverwrites) {
  Rig rig;
  const uint32_t gosub2 = encode(Jump{.type = JumpType::kGosub, .offset = 2}),
                 ret = encode(Jump{.type = JumpType::kReturn});
  // 1: gosub 3; 3: gosub 5; 5: return -> 4; 4: return -> 4 for ever, were it not for the bound.
  Rig bounded(kLittle64, {.deco = {.max_commands = 100}});
  EXPECT_EQ(bounded.run(Words{0xB0800006, gosub2, 0xA0C00001, gosub2, ret, ret}).deco_error(), DecoError::kWatchdog);
  EXPECT_EQ(rig.run(Words{0xB0800002, ret}), deco(DecoError::kJump, 1)) << "nothing to return to";
}

// Registers by their code as MATH source 0; the flags are those of the addition.
TEST(Jump, IncrementAndDecrement) {
  Rig rig;
  for (unsigned reg = 0; reg < 16; ++reg)
    for (const bool up : {false, true}) {
      const bool is_math = reg < 4;
      const bool legal = is_math || (reg >= 7 && reg <= 0xB);
      const uint64_t top = is_math ? ~uint64_t{0} : 0xFFFFFFFF;
      for (const uint64_t start : {uint64_t{0}, uint64_t{1}, uint64_t{5}, top, top / 2, top / 2 + 1}) {
        Jump jump{.type = up ? JumpType::kLocalInc : JumpType::kLocalDec};
        jump.cond = static_cast<uint8_t>(reg << 4 | desc::kCondMathZ);
        jump.offset = 2;
        uint64_t after = 0;
        const auto value = [&](hw_model::Deco& d) -> uint64_t {
          switch (reg) {
            case 7:
              return d.r.dpovrd;
            case 8:
              return d.r.sil;
            case 9:
              return d.r.sol;
            case 0xA:
              return d.r.vsil;
            case 0xB:
              return d.r.vsol;
            default:
              return d.r.math[reg & 3];
          }
        };
        const JrStatus status = run_with(rig, two_ways(encode(jump)), [&](hw_model::Deco& d) {
          d.r.math[reg & 3] = start;
          d.r.dpovrd = d.r.sil = d.r.sol = d.r.vsil = d.r.vsol = static_cast<uint32_t>(start);
        });
        if (!legal) {
          ASSERT_EQ(status, deco(DecoError::kJump, 1)) << reg;
          continue;
        }
        after = value(rig.deco);
        const uint64_t want = (up ? start + 1 : start - 1) & top;
        ASSERT_EQ(after, want) << reg;
        ASSERT_EQ(status, want == 0 ? kTaken : kNotTaken) << reg << " " << start;
        ASSERT_EQ(rig.deco.r.z, want == 0);
        ASSERT_EQ(rig.deco.r.n, want > top / 2);
        ASSERT_EQ(rig.deco.r.c, up ? start == top : start == 0);
      }
    }
}

TEST(Jump, DecrementLoop) {
  Rig rig;
  Builder b = rig.job();
  b.append_math_add_imm_u32(MathReg::kReg2, MathReg::kZero, MathReg::kImm, 5);
  b.append_math_add(MathReg::kReg0, MathReg::kReg0, MathReg::kOne);
  Jump back{.type = JumpType::kLocalDec, .test = JumpTest::kNotAll, .cond = 0x20 | desc::kCondMathZ, .offset = -1};
  b.append_word(encode(back));
  EXPECT_EQ(rig.run(b), ok());
  EXPECT_EQ(rig.math(0), 5u);
  EXPECT_EQ(rig.math(2), 0u);
}

TEST(Jump, UnknownTypes) {
  Rig rig;
  for (const unsigned type : {5, 7, 9, 10, 11, 13, 14, 15}) {
    const uint32_t word = 0xA0000001 | type << 20;
    EXPECT_EQ(rig.run(Words{0xB0800002, word}), deco(DecoError::kJump, 1)) << type;
    const uint32_t never = word | 0x00020000;  // any of nothing is false
    EXPECT_EQ(rig.run(Words{0xB0800002, never}), deco(DecoError::kJump, 1)) << "whatever its conditions";
  }
}

// -- halts
// ---------------------------------------------------------------------------------------------------------------

TEST(Jump, UserHalt) {
  Rig rig;
  for (unsigned code = 0; code < 256; ++code) {
    const Words job = {0xB0800003, 0xA0000001, 0xA0C00000 | code};
    EXPECT_EQ(rig.run(job), code == 0 ? ok() : JrStatus{0x30000200 | code});
  }
  // Commands behind it do not run.
  EXPECT_EQ(rig.run(Words{0xB0800003, 0xA0C00000, 0x00000000}), ok());
}

TEST(Jump, HaltWithConditionCodes) {
  Rig rig;
  for (unsigned flags = 0; flags < 256; ++flags) {
    if ((flags & 0x10) != 0) continue;
    const JrStatus status = run_with(rig, Words{0xB0800002, 0xA0800000},
                                     [&](hw_model::Deco& d) { set_flags(d.r, static_cast<uint8_t>(flags)); });
    EXPECT_EQ(status, JrStatus{0x70000100 | flags});
  }
  const uint32_t if_zero = encode(Jump{.type = JumpType::kHalt, .cond = desc::kCondMathZ});
  EXPECT_EQ(rig.run(Words{0xB0800002, if_zero}), ok()) << "not taken";
}

// Output issued before a halt is written; errors found while that happens win.
TEST(Jump, HaltAfterOutstandingWork) {
  Rig rig;
  const Buffer out = rig.mem.output(8);
  for (const bool bad : {false, true}) {
    Builder b = rig.job();
    b.append_key_as_imm(filler(16, 1), 16, {.cls = ClassSel::kClass1});
    b.append_operation(kGcm);
    b.append_fifo_load_as_imm(filler(12, 2), {.cls = ClassSel::kClass1, .type = 0x21});
    b.append_fifo_store(out.addr, {.type = desc::FifoStoreType::kMsg, .len = 8});
    b.append_fifo_load_as_imm(filler(8, 3), {.cls = ClassSel::kClass1, .type = 0x12});
    if (bad) b.append_fifo_load_as_imm(filler(8, 3), {.cls = ClassSel::kClass2, .type = 0x10});
    const unsigned index = b.len();
    b.append_jump_halt({.type = JumpType::kHaltUser, .offset = 0x33});
    EXPECT_EQ(rig.run(b), JrStatus::jump_user(0x33, index));
    EXPECT_NE(out.hex(), hex(Bytes(8, Memory::kUnwritten)));
  }
  Builder b = rig.job();
  b.append_key_as_imm(filler(16, 1), 15, {.cls = ClassSel::kClass1});
  b.append_operation(kGcm);
  b.append_fifo_load_as_imm(filler(12, 2), {.cls = ClassSel::kClass1, .type = 0x22});
  const unsigned index = b.len();
  b.append_jump_halt({.type = JumpType::kHaltUser, .offset = 0x33});
  EXPECT_EQ(rig.run(b), ccb(desc::ChaId::kAes, desc::CcbError::kKeySize, index));
}

// -- waits
// ----------------------------------------------------------------------------------------------------------------

TEST(Jump, WaitForClasses) {
  for (unsigned cls = 0; cls < 4; ++cls)
    for (const bool done : {false, true}) {
      Rig rig;
      Builder b = rig.job();
      b.append_key_as_imm(filler(16, 1), 16, {.cls = ClassSel::kClass1});
      b.append_operation(kGcm);
      if (done) b.append_fifo_load_as_imm(filler(12, 2), {.cls = ClassSel::kClass1, .type = 0x22});
      const unsigned index = b.len();
      b.append_word(encode(Jump{.cls = static_cast<ClassSel>(cls), .offset = 1}));
      b.append_jump_halt({.type = JumpType::kHaltUser, .offset = 1});
      const bool hangs = (cls & 1) != 0 && !done;
      EXPECT_EQ(rig.run(b), hangs ? deco(DecoError::kWatchdog, index) : JrStatus::jump_user(1, index + 1)) << cls;
    }
}

TEST(Jump, ClassWaitReportsTheChaError) {
  Rig rig;
  Builder b = rig.job();
  b.append_key_as_imm(filler(15, 1), 15, {.cls = ClassSel::kClass1});
  b.append_operation(kGcm);
  b.append_fifo_load_as_imm(filler(12, 2), {.cls = ClassSel::kClass1, .type = 0x22});
  const unsigned index = b.len();
  b.append_word(encode(Jump{.cls = ClassSel::kClass1, .offset = 1}));
  b.append_word(0xA0000001);
  EXPECT_EQ(rig.run(b), ccb(desc::ChaId::kAes, desc::CcbError::kKeySize, index));
}

// What can never become idle is the watchdog's.
TEST(Jump, IdleConditionsThatCannotComeTrue) {
  for (const uint8_t cond : {desc::kCondCalm, desc::kCondNip, desc::kCondNifp, desc::kCondNop, desc::kCondNcp}) {
    Rig rig;
    const Buffer out = rig.mem.output(8);
    Builder store = rig.job();
    store.append_fifo_store(out.addr, {.type = desc::FifoStoreType::kMsg, .len = 8});
    const unsigned index = store.len();
    store.append_word(encode(Jump{.jsl = true, .cond = cond, .offset = 1}));
    store.append_load_as_imm(filler(8, 1), {.dst = desc::kRegOfifo});
    const bool waits_for_output = cond == desc::kCondCalm || cond == desc::kCondNop;
    EXPECT_EQ(rig.run(store), waits_for_output ? deco(DecoError::kWatchdog, index) : ok()) << unsigned{cond};

    Builder entry = rig.job();
    entry.append_load_imm_u32(encode(desc::NfifoEntry{.data = desc::NfifoData::kMsg, .len = 8}),
                              {.dst = desc::kRegNfifo});
    entry.append_word(encode(Jump{.jsl = true, .cond = cond, .offset = 1}));
    entry.append_load_as_imm(filler(8, 1), {.dst = desc::kRegIfifo});
    EXPECT_EQ(rig.run(entry), cond == desc::kCondNifp ? deco(DecoError::kWatchdog, 3) : ok()) << unsigned{cond};
  }
}

// -- non-local jumps
// --------------------------------------------------------------------------------------------------------

class JumpOnParts : public OnEveryPart {};

// Registers, flags and CCB state survive; the index counts in the target; NLJ shows in what follows.
TEST_P(JumpOnParts, NonLocalChain) {
  const auto end_with = [&](uint32_t last_word) {
    Builder third = rig.job();
    third.append_math_add(MathReg::kReg3, MathReg::kReg0, MathReg::kReg1, 8);
    third.append_word(last_word);
    const Buffer third_mem = rig.mem.words(Rig::finish(third));
    Builder second = rig.job();
    second.append_math_add_imm_u32(MathReg::kReg1, MathReg::kReg0, MathReg::kImm, 10);
    second.append_jump_nonlocal(third_mem.addr, {});
    const Buffer second_mem = rig.mem.words(Rig::finish(second));
    Builder first = rig.job();
    first.append_key_as_imm(filler(16, 1), 16, {.cls = ClassSel::kClass2});
    first.append_load_as_imm(filler(8, 2), {.cls = ClassSel::kClass1, .dst = desc::kRegContext});
    for (const MathReg reg : {MathReg::kReg0, MathReg::kSeqInLen, MathReg::kSeqOutLen, MathReg::kVarSeqInLen,
                              MathReg::kVarSeqOutLen, MathReg::kDpovrd})
      first.append_math_add_imm_u32(reg, MathReg::kZero, MathReg::kImm, 0x80000000 | static_cast<uint32_t>(reg));
    first.append_jump_nonlocal(second_mem.addr, {});
    first.append_word(0);  // never reached
    return rig.run(first);
  };
  EXPECT_EQ(end_with(0xA0000001), ok());
  const hw_model::DecoRegs& r = rig.deco.r;
  EXPECT_EQ(r.math[0], 0x80000000u);
  EXPECT_EQ(r.math[1], 0x8000000Au);
  EXPECT_EQ(r.math[3], 0x10000000Au);
  for (const auto& [value, reg] : {std::pair{r.sil, MathReg::kSeqInLen},
                                   {r.sol, MathReg::kSeqOutLen},
                                   {r.vsil, MathReg::kVarSeqInLen},
                                   {r.vsol, MathReg::kVarSeqOutLen},
                                   {r.dpovrd, MathReg::kDpovrd}})
    EXPECT_EQ(value, 0x80000000 | static_cast<uint32_t>(reg));
  EXPECT_EQ(hex(rig.c2().key.key()), hex(filler(16, 1)));
  EXPECT_EQ(hex({rig.c1().context(), 8}), hex(filler(8, 2)));

  EXPECT_EQ(end_with(0xA0C00042).word, 0x38000242u) << "halt with NLJ";
  EXPECT_EQ(end_with(0xA0800000).word & 0xFFFFFF00, 0x78000200u);
  EXPECT_EQ(end_with(0x00000000).word, 0x48000206u) << "index in the target";
  EXPECT_EQ(end_with(0xA0C00000), ok());
}

// Flags pass as well; a jump that is not taken steps over its pointer.
TEST_P(JumpOnParts, NonLocalDependsOnConditions) {
  const Buffer target = rig.mem.words(Words{0xB0800002, 0xA0C00011});
  for (const bool zero : {false, true}) {
    Builder b = rig.job();
    b.append_math_add(MathReg::kReg0, MathReg::kZero, zero ? MathReg::kZero : MathReg::kOne);
    b.append_jump_nonlocal(target.addr, {.cond = desc::kCondMathZ});
    b.append_jump_halt({.type = JumpType::kHaltUser, .offset = 0x22});
    const unsigned index = b.len() - 1;
    EXPECT_EQ(rig.run(b).word, zero ? 0x38000111u : JrStatus::jump_user(0x22, index).word);
  }
}

ON_EVERY_PART(JumpOnParts);

TEST(Jump, NonLocalTargets) {
  Rig rig;
  const auto status_of = [&](const Words& target) {
    Builder b = rig.job();
    b.append_jump_nonlocal(rig.mem.words(target).addr, {});
    return rig.run(b);
  };
  EXPECT_EQ(status_of({0xB8800002, 0xA0000001}), deco(DecoError::kJump, 1)) << "a shared descriptor";
  EXPECT_EQ(status_of({0xA0000001, 0}), deco(DecoError::kJump, 1)) << "no header";
  EXPECT_EQ(status_of({0, 0}), deco(DecoError::kJump, 1)) << "zeros";
  EXPECT_EQ(status_of({0xB0801005, 0x1000, 0, 0xA0000001, 0xA0000001}), deco(DecoError::kJump, 1)) << "with an SD";
  EXPECT_EQ(status_of({0xB0000002, 0xA0000001}), deco(DecoError::kJump, 1)) << "ONE";
  EXPECT_EQ(status_of({0xB0800002, 0xA0C00001}).word, 0x38000101u);
  EXPECT_EQ(status_of({0xB0820003, 0x00000000, 0xA0C00001}).word, 0x38000201u) << "start index";

  Builder nowhere = rig.job();
  nowhere.append_jump_nonlocal(0x10, {});
  EXPECT_EQ(rig.run(nowhere), deco(DecoError::kDma, 1));
  EXPECT_EQ(rig.mem.take_faults(), 1u);
  EXPECT_EQ(rig.run(Words{0xB0800003, 0xA0400000, 0}), deco(DecoError::kJump, 1)) << "half a pointer";
}

// From a job with a shared descriptor: the target takes the whole buffer.
TEST(Jump, NonLocalFromASharedDescriptor) {
  Rig rig;
  Words target = {0xB080003C};
  for (unsigned i = 1; i < 60; ++i) target.push_back(i == 59 ? 0xA0C00077 : 0xA0000001);
  const Buffer target_mem = rig.mem.words(target);
  Builder sd = rig.shared();
  for (int i = 0; i < 20; ++i) sd.append_word(0xA0000001);
  sd.append_jump_nonlocal(target_mem.addr, {});
  EXPECT_EQ(rig.run_shared(sd, {0xA0000001}).word, 0x38003B77u);
  EXPECT_FALSE(rig.deco.has_shared());
}

}  // namespace
}  // namespace caamlab::tests
