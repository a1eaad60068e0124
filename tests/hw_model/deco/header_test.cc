// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Job and shared descriptor headers, placement and order of the two (hardware.md 2.2, 9), fetching, headers and other
// words met as commands, operations that do not exist.
#include "tests/hw_model/deco/fixture.h"

namespace caamlab::tests {
namespace {

using desc::ClassSel;
using desc::DecoError;
using desc::JobHeader;
using desc::JumpType;
using desc::MathReg;
using desc::SharedHeader;

constexpr uint32_t kNop = 0xA0000001;
uint32_t halt(uint8_t code) { return 0xA0C00000 | code; }

// `len` words: the header, then NOPs, the last one halting with its index.
Words job_of(unsigned len, uint32_t header_bits) {
  Words w(len, kNop);
  w[0] = 0xB0000000 | header_bits | len;
  w[len - 1] = halt(static_cast<uint8_t>(len - 1));
  return w;
}

// -- job headers
// ----------------------------------------------------------------------------------------------------------

TEST(Header, StartIndex) {
  for (unsigned start = 0; start < 128; ++start) {
    Rig rig;
    Words w(20);
    for (unsigned i = 1; i < 20; ++i) w[i] = halt(static_cast<uint8_t>(i));
    w[0] = 0xB0800014 | start << 16;
    const unsigned first = start == 0 ? 1 : start;
    EXPECT_EQ(rig.run(w),
              start < 20 ? JrStatus::jump_user(static_cast<uint8_t>(first), first) : deco(DecoError::kJobHeader, 0))
        << start;
  }
}

TEST(Header, Lengths) {
  Rig rig;
  for (unsigned len = 2; len <= 64; ++len)
    EXPECT_EQ(rig.run(job_of(len, 0x800000)), JrStatus::jump_user(static_cast<uint8_t>(len - 1), len - 1));
  EXPECT_EQ(rig.run(Words{0xB0800001}), ok()) << "a header alone";
  EXPECT_EQ(rig.run(Words{0xB0800000, kNop}), deco(DecoError::kJobHeader, 0));
  for (unsigned len = 65; len < 128; ++len)
    EXPECT_EQ(rig.run(Words{0xB0800000 | len, kNop}), deco(DecoError::kJobHeader, 0)) << len;
}

TEST(Header, FixedBits) {
  Rig rig;
  EXPECT_EQ(rig.run(Words{0xB0000002, kNop}), deco(DecoError::kJobHeader, 0)) << "ONE";
  EXPECT_EQ(rig.run(Words{0xB0808002, kNop}), deco(DecoError::kJobHeader, 0)) << "ZRO";
  EXPECT_EQ(rig.run(Words{desc::bswap32(0xB0800002), kNop}), deco(DecoError::kJobHeader, 0)) << "wrong byte order";
  EXPECT_EQ(rig.run(Words{0xB8800002, kNop}), deco(DecoError::kJobHeader, 0)) << "a shared descriptor";
  EXPECT_EQ(rig.run(Words{0xDEADBEEF, kNop}), deco(DecoError::kJobHeader, 0)) << "garbage";
  EXPECT_EQ(rig.run(Words{0x00000001, kNop}), deco(DecoError::kJobHeader, 0));
  EXPECT_EQ(rig.run(Words(4)), deco(DecoError::kKey, 0)) << "zeroed memory decodes as KEY";
}

// Bit 24: do not run before era 5, an extension word since.
TEST(Header, DoNotRunOrExtension) {
  for (const int era : {1, 4, 5, 10}) {
    Rig rig(kLittle64, {.era = era});
    const Words job = {0xB1820004, 0x00000087, halt(2), halt(3)};
    EXPECT_EQ(rig.run(job), era < 5 ? deco(DecoError::kDoNotRun, 0) : JrStatus::jump_user(2, 2)) << era;
    Words third = job;
    third[0] = 0xB1830004;
    EXPECT_EQ(rig.run(third), era < 5 ? deco(DecoError::kDoNotRun, 0) : JrStatus::jump_user(3, 3)) << era;
    for (const uint32_t start : {0u, 1u}) {
      Words low = job;
      low[0] = 0xB1800004 | start << 16;
      EXPECT_EQ(rig.run(low), deco(era < 5 ? DecoError::kDoNotRun : DecoError::kJobHeader, 0))
          << "the start index must pass over the extension";
    }
  }
}

TEST(Header, ExtensionBehindTheSharedPointer) {
  for (const desc::Target& target : kTargets) {
    Rig rig(target);
    const Buffer sd = rig.mem.words(Words{0xB8800002, kNop});
    Builder b = rig.job_with(sd.addr, 2, {.dnr_ext = true});
    b.append_word(0x00000080);  // would be a KEY
    b.append_word(halt(0x55));
    EXPECT_EQ(rig.run(b), JrStatus::jump_user(0x55, 2 + b.len() - 1));
  }
}

TEST(Header, TrustedDescriptors) {
  Rig new_part, old_part(kLittle64, {.era = 6});
  EXPECT_EQ(new_part.run(Words{0xB0804802, kNop}), deco(DecoError::kJobHeader, 0)) << "TD with REO";
  EXPECT_EQ(old_part.run(Words{0xB0802002, kNop}), deco(DecoError::kJobHeader, 0)) << "MTD without TD before era 7";
  EXPECT_EQ(new_part.run(Words{0xB0802002, kNop}), deco(DecoError::kKekNotLoaded, 0));
  EXPECT_EQ(new_part.run(Words{0xB0804002, kNop}), deco(DecoError::kKekNotLoaded, 0));
  EXPECT_EQ(new_part.run(Words{0xB0806002, kNop}), deco(DecoError::kKekNotLoaded, 0));
}

// -- fetching
// --------------------------------------------------------------------------------------------------------------

TEST(Header, MemoryMayEndWithTheDescriptor) {
  for (unsigned len = 1; len <= 8; ++len) {
    Rig rig;
    const Words w = len == 1 ? Words{0xB0800001} : job_of(len, 0x800000);
    const JrStatus want = len == 1 ? ok() : JrStatus::jump_user(static_cast<uint8_t>(len - 1), len - 1);
    EXPECT_EQ(rig.run_at(rig.mem.words(w).addr), want);
    Words cut = w;
    cut[0] += 1;  // one word more than there is
    EXPECT_EQ(rig.run_at(rig.mem.words(cut).addr), deco(DecoError::kDma, 0));
    EXPECT_EQ(rig.mem.take_faults(), 1u);
  }
}

TEST(Header, UnreadableDescriptors) {
  Rig rig;
  EXPECT_EQ(rig.run_at(0x1000), deco(DecoError::kDma, 0));
  const Buffer write_only = rig.mem.output(8);
  EXPECT_EQ(rig.run_at(write_only.addr), deco(DecoError::kDma, 0));
  const Buffer gone = rig.mem.words(Words{0xB0800001});
  rig.mem.unmap(gone);
  EXPECT_EQ(rig.run_at(gone.addr), deco(DecoError::kDma, 0));
  EXPECT_EQ(rig.mem.take_faults(), 3u);

  Builder b = rig.job_with(0x2000, 4);
  EXPECT_EQ(rig.run(b), deco(DecoError::kDma, 0)) << "the shared one";
  const Buffer short_sd = rig.mem.words(Words{0xB8800004, kNop, kNop});
  Builder c = rig.job_with(short_sd.addr, 4);
  EXPECT_EQ(rig.run(c), deco(DecoError::kDma, 0));
  EXPECT_EQ(rig.mem.take_faults(), 2u);
}

// -- shared descriptors
// ------------------------------------------------------------------------------------------------------

class SharedTest : public OnEveryPart {
 protected:
  // Runs a job with this shared descriptor whose length the job header gives as `len`.
  JrStatus run(const Words& sd, unsigned len, const Words& job_commands, JobHeader header) {
    Builder b = rig.job_with(rig.mem.words(sd).addr, len, header);
    for (const uint32_t w : job_commands) b.append_word(w);
    return rig.run(b);
  }
  unsigned job_body() const { return 1 + GetParam().ptr_words(); }  // words before the job's first command
};

// Word 0 of the buffer is the shared header, the job follows at once; indices count from there.
TEST_P(SharedTest, PlacementAndOrder) {
  // Each part shifts its number into MATH0, so that the order shows.
  const auto note = [](unsigned n) {
    return Words{encode(desc::Math{.fn = desc::MathFn::kLshift,
                                   .src0 = desc::MathSrc0::kMath0,
                                   .src1 = desc::MathSrc1::kImm,
                                   .dst = desc::MathDst::kMath0,
                                   .len = 8}),
                 0, 4,
                 encode(desc::MathI{.fn = desc::MathFn::kOr,
                                    .src = 0,
                                    .dst = desc::MathDst::kMath0,
                                    .imm = static_cast<uint8_t>(n),
                                    .len = 8})};
  };
  Words sd = {0xB8800000};
  for (const uint32_t w : note(5)) sd.push_back(w);
  sd[0] |= static_cast<uint32_t>(sd.size());
  const Words job = note(7);
  const unsigned len = static_cast<unsigned>(sd.size());
  EXPECT_EQ(run(sd, len, job, {}), ok());
  EXPECT_EQ(rig.math(0), 0x57u) << "shared first";
  EXPECT_EQ(rig.deco.buffer()[len] >> 27, 0x16u);
  EXPECT_EQ(rig.deco.total_words(), len + job_body() + job.size());
  EXPECT_EQ(run(sd, len, job, {.reo = true}), ok());
  EXPECT_EQ(rig.math(0), 0x75u) << "REVERSE: the job's commands first";

  // An error in either part has its index in the whole buffer.
  Words bad_sd = sd, bad_job = job;
  bad_sd[1] = 0x00000001;
  bad_job[0] = 0x00000001;
  for (const bool reo : {false, true}) {
    EXPECT_EQ(run(bad_sd, len, job, {.reo = reo}), deco(DecoError::kKey, 1));
    EXPECT_EQ(run(sd, len, bad_job, {.reo = reo}), deco(DecoError::kKey, len + job_body()));
  }
}

TEST_P(SharedTest, StartIndexPassesOverThePdb) {
  const auto sd = [](unsigned start) { return Words{0xB8800004 | start << 16, halt(1), halt(2), halt(3)}; };
  for (const bool reo : {false, true})
    for (unsigned start = 0; start < 4; ++start) {
      const unsigned first = start == 0 ? 1 : start;
      EXPECT_EQ(run(sd(start), 4, {kNop}, {.reo = reo}), JrStatus::jump_user(static_cast<uint8_t>(first), first));
    }
  for (unsigned start = 4; start < 128; ++start)
    EXPECT_EQ(run(sd(start), 4, {kNop}, {}), deco(DecoError::kSharedHeader, 0)) << start;
}

TEST_P(SharedTest, HeaderChecks) {
  const auto status = [&](uint32_t header, unsigned len) {
    return run(Words{header, kNop, kNop, kNop}, len, {kNop}, {.reo = true});
  };
  EXPECT_EQ(status(0xB8800004, 4), ok());
  EXPECT_EQ(status(0xB8800004, 3), deco(DecoError::kSharedHeader, 0)) << "lengths differ";
  EXPECT_EQ(status(0xB8800003, 4), deco(DecoError::kSharedHeader, 0));
  EXPECT_EQ(status(0xB8000004, 4), deco(DecoError::kSharedHeader, 0)) << "ONE";
  EXPECT_EQ(status(0xB8808004, 4), deco(DecoError::kSharedHeader, 0)) << "ZRO";
  EXPECT_EQ(status(0xB0800004, 4), deco(DecoError::kSharedHeader, 0)) << "a job header";
  EXPECT_EQ(status(0x00000000, 4), deco(DecoError::kSharedHeader, 0));
  EXPECT_EQ(status(0xB9800004, 4), deco(DecoError::kDoNotRun, 0)) << "DNR";
  EXPECT_EQ(status(0xBA803F04, 4), ok()) << "RIF, CIF, SAVECTX, PD and SHARE do not matter to a job of its own";
  EXPECT_EQ(status(0xB8800004, 0), deco(DecoError::kSharedHeader, 0)) << "a job that has one of no length";
}

TEST_P(SharedTest, TogetherAtMostSixtyFourWords) {
  for (const unsigned sd_len : {20u, 50u, 60u, 64u - job_body()})
    for (const int over : {0, 1}) {
      Words sd(sd_len, kNop);
      sd[0] = 0xB8800000 | sd_len;
      const Words job(64 - sd_len - job_body() + static_cast<unsigned>(over), kNop);
      EXPECT_EQ(run(sd, sd_len, job, {.reo = true}), over != 0 ? deco(DecoError::kJobHeader, 0) : ok()) << sd_len;
    }
}

TEST_P(SharedTest, JobTooShortForItsPointer) {
  Words w = {0xB0841001, kNop, kNop};
  EXPECT_EQ(rig.run(w), deco(DecoError::kJobHeader, 0));
  w[0] = 0xB0841002;
  if (GetParam().ptr_words() == 2) {
    EXPECT_EQ(rig.run(w), deco(DecoError::kJobHeader, 0));
  }
}

// Jumps from one part into the other, to its header, and over the end.
TEST_P(SharedTest, JumpsBetweenTheParts) {
  const unsigned body = 4 + job_body();
  const auto jump = [](int words) { return 0xA0000000 | (static_cast<uint32_t>(words) & 0xFF); };
  // Into the job past its header, without REVERSE and with it.
  EXPECT_EQ(run({0xB8800004, jump(static_cast<int>(body)), halt(2), halt(3)}, 4, {halt(8), halt(9)}, {}),
            JrStatus::jump_user(9, body + 1));
  EXPECT_EQ(run({0xB8800004, jump(static_cast<int>(body)), halt(2), halt(3)}, 4, {kNop, halt(9)}, {.reo = true}),
            JrStatus::jump_user(9, body + 1));
  // To the end of the shared descriptor: the job comes, or the job is over.
  EXPECT_EQ(run({0xB8800004, jump(3), halt(2), halt(3)}, 4, {halt(8)}, {}), JrStatus::jump_user(8, body));
  EXPECT_EQ(run({0xB8800004, jump(3), halt(2), halt(3)}, 4, {kNop}, {.reo = true}), ok());
  // From the job back into the shared descriptor.
  EXPECT_EQ(run({0xB8800004, kNop, kNop, halt(3)}, 4, {jump(3 - static_cast<int>(body))}, {.reo = true}),
            JrStatus::jump_user(3, 3));
  // A job header reached by execution.
  EXPECT_EQ(run({0xB8800004, kNop, kNop, kNop}, 4, {jump(4 - static_cast<int>(body))}, {.reo = true}),
            deco(DecoError::kJobHeader, 4));
  // Behind the job: in REVERSE order its shared descriptor follows.
  EXPECT_EQ(run({0xB8800004, halt(1), kNop, kNop}, 4, {jump(2), kNop}, {.reo = true}), JrStatus::jump_user(1, 1));
  EXPECT_EQ(run({0xB8800004, kNop, kNop, kNop}, 4, {jump(2), kNop}, {}), ok());
}

ON_EVERY_PART(SharedTest);

// -- words met as commands
// ------------------------------------------------------------------------------------------------------

// flib's computed jumps: a shared header in the way is a jump to its start index, whatever else it says.
TEST(Header, SharedHeaderIsAnAbsoluteJump) {
  Rig rig;
  EXPECT_EQ(rig.run(Words{0xB0800006, 0xB8040000, halt(2), halt(3), halt(4), halt(5)}), JrStatus::jump_user(4, 4));
  EXPECT_EQ(rig.run(Words{0xB0800006, 0xBF85FFFF, halt(2), halt(3), halt(4), halt(5)}), JrStatus::jump_user(5, 5));
  EXPECT_EQ(rig.run(Words{0xB0800003, 0xB8830000, halt(2)}), ok()) << "behind the last word";
  EXPECT_EQ(rig.run(Words{0xB0800003, 0xB8840000, halt(2)}), deco(DecoError::kSharedHeader, 1));
  // One without a start index begins at word 1: a loop that a counter ends.
  Builder sd = rig.shared();
  sd.append_math_add(MathReg::kReg0, MathReg::kReg0, MathReg::kOne);
  sd.append_math_imm_u32(desc::MathFn::kSub, MathReg::kNone, MathReg::kReg0, MathReg::kImm, 3);
  sd.append_word(encode(desc::Jump{.test = desc::JumpTest::kNotAll, .cond = desc::kCondMathZ, .offset = -4}));
  EXPECT_EQ(rig.run_shared(sd, {kNop}), ok());
  EXPECT_EQ(rig.math(0), 3u);
}

TEST(Header, WordsThatAreNoCommands) {
  Rig rig;
  for (const unsigned ctype : {0x09, 0x11, 0x13, 0x18, 0x19, 0x1A, 0x1B, 0x1C})
    for (const uint32_t rest : {0u, 0x07FFFFFFu, 0x00800001u})
      EXPECT_EQ(rig.run(Words{0xB0800003, kNop, ctype << 27 | rest}), deco(DecoError::kInvalidCommand, 2)) << ctype;
  EXPECT_EQ(rig.run(Words{0xB0800003, kNop, 0x40010010}), deco(DecoError::kInvalidCommand, 2)) << "external key";
  for (uint32_t type = 0; type < 16; ++type)
    EXPECT_EQ(rig.run(Words{0xB0800002, 0x90000000 | type << 16}), deco(DecoError::kSignature, 1)) << type;
}

TEST(Header, OperationsThatDoNotExist) {
  Rig rig;
  for (const uint32_t type : {3u, 5u})
    EXPECT_EQ(rig.run(Words{0xB0800002, 0x80000000 | type << 24}), deco(DecoError::kOperation, 1));
  EXPECT_EQ(rig.run(Words{0xB0800002, 0x81000001}), deco(DecoError::kOperation, 1)) << "PKHA without its bit 23";
  EXPECT_EQ(rig.run(Words{0xB0800002, 0x80FF0000}), deco(DecoError::kProtocolUndefined, 1));
  EXPECT_EQ(rig.run(Words{0xB0800002, 0x86FF0000}), deco(DecoError::kProtocolUndefined, 1));
  EXPECT_EQ(rig.run(Words{0xB0800002, 0x87FF0000}), deco(DecoError::kProtocolUndefined, 1));
  // A CHA that is not there, or not of this class; a mode it does not have.
  EXPECT_EQ(rig.run(Words{0xB0800002, 0x82F00000}), ccb(desc::ChaId{0xF}, desc::CcbError::kInvalidCha, 1));
  EXPECT_EQ(rig.run(Words{0xB0800002, 0x82430000}), ccb(desc::ChaId::kMdha, desc::CcbError::kInvalidCha, 1));
  EXPECT_EQ(rig.run(Words{0xB0800002, 0x84100900}), ccb(desc::ChaId::kAes, desc::CcbError::kMode, 1));
  EXPECT_EQ(rig.run(Words{0xB0800002, 0x82100F00}), ccb(desc::ChaId::kAes, desc::CcbError::kMode, 1));
}

// A class at work is waited for; one that is done is taken again (not in strict mode: load_test.cc).
TEST(Header, SecondOperationOfAClass) {
  const desc::AlgOperation gcm{.aai = desc::aai::kGcm, .as = desc::AlgState::kInitFinal, .enc = true};
  Rig rig;
  Builder stuck = rig.job();
  stuck.append_operation(gcm);
  stuck.append_operation(gcm);
  EXPECT_EQ(rig.run(stuck), deco(DecoError::kWatchdog, 2));
  Builder twice = rig.job();
  twice.append_key_as_imm(filler(16, 1), 16, {.cls = ClassSel::kClass1});
  for (int i = 0; i < 2; ++i) {
    twice.append_operation(gcm);
    twice.append_fifo_load_as_imm(filler(12, 2), {.cls = ClassSel::kClass1, .type = 0x22});
  }
  EXPECT_EQ(rig.run(twice), ok());
}

// An operation that got some data and never its LAST; one that never got any.
TEST(Header, UnfinishedOperations) {
  const desc::AlgOperation gcm{.aai = desc::aai::kGcm, .as = desc::AlgState::kInitFinal, .enc = true};
  Rig rig;
  Builder fed = rig.job();
  fed.append_key_as_imm(filler(16, 1), 16, {.cls = ClassSel::kClass1});
  fed.append_operation(gcm);
  fed.append_fifo_load_as_imm(filler(12, 2), {.cls = ClassSel::kClass1, .type = 0x21});
  EXPECT_EQ(rig.run(fed), deco(DecoError::kWatchdog, 7));
  Builder unfed = rig.job();
  unfed.append_operation(gcm);
  EXPECT_EQ(rig.run(unfed), ok());
}

}  // namespace
}  // namespace caamlab::tests
