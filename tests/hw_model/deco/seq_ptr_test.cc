// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// SEQ IN PTR and SEQ OUT PTR (hardware.md 2.8): definition, PRE, RTO, RST, SOP, replacement job descriptors, the length
// registers, underflow.
#include "tests/hw_model/deco/fixture.h"

namespace caamlab::tests {
namespace {

using desc::ClassSel;
using desc::DecoError;
using desc::MathReg;
using desc::SeqInPtr;
using desc::SeqOutPtr;

class SeqPtrTest : public OnEveryPart {
 protected:
  static void load(Builder& b, unsigned len, uint8_t at) {
    b.append_seq_load(len, {.cls = ClassSel::kClass1, .dst = desc::kRegContext, .offset = at});
  }
  static void store(Builder& b, unsigned len, uint8_t at) {
    b.append_seq_store(len, {.cls = ClassSel::kClass1, .src = desc::kRegContext, .offset = at});
  }
  std::string ctx(size_t from, size_t len) { return hex({rig.c1().context() + from, len}); }
};

TEST_P(SeqPtrTest, PlainAndExtendedLengths) {
  const Bytes bytes = filler(40, 1);
  const Buffer in = rig.mem.input(bytes), out = rig.mem.output(40);
  for (const bool ext : {false, true}) {
    Builder b = rig.job();
    if (ext) {
      b.append_seq_in_ptr_extlen(in.addr, 0x10028);
      b.append_seq_out_ptr_extlen(out.addr, 0x10028);
    } else {
      b.append_seq_in_ptr(in.addr, 0x28);
      b.append_seq_out_ptr(out.addr, 0x28);
    }
    b.append_math_add(MathReg::kReg0, MathReg::kSeqInLen, MathReg::kZero);
    b.append_math_add(MathReg::kReg1, MathReg::kSeqOutLen, MathReg::kZero);
    load(b, 40, 0);
    store(b, 40, 0);
    EXPECT_EQ(rig.run(b), ok());
    EXPECT_EQ(rig.math(0), ext ? 0x10028u : 0x28u);
    EXPECT_EQ(rig.math(1), rig.math(0));
    EXPECT_EQ(rig.deco.r.sil, rig.math(0) - 40);
    EXPECT_EQ(rig.deco.r.sol, rig.math(0) - 40);
    EXPECT_EQ(out.hex(), hex(bytes));
  }
}

TEST_P(SeqPtrTest, SecondDefinitionReplacesTheFirst) {
  const Buffer in1 = rig.mem.input(filler(8, 1)), in2 = rig.mem.input(filler(8, 2));
  const Buffer table = rig.mem.table({Memory::entry(in2)});
  const Buffer out1 = rig.mem.output(4), out2 = rig.mem.output(8);
  Builder b = rig.job();
  b.append_seq_in_ptr(in1.addr, 8);
  load(b, 4, 0);
  b.append_seq_in_ptr(table.addr, 8, {.sgf = true});
  load(b, 8, 4);
  b.append_seq_out_ptr(out1.addr, 100);
  store(b, 4, 0);
  b.append_seq_out_ptr(out2.addr, 8);
  store(b, 8, 4);
  EXPECT_EQ(rig.run(b), ok());
  EXPECT_EQ(out1.hex(), hex(filler(8, 1)).substr(0, 8));
  EXPECT_EQ(out2.hex(), hex(filler(8, 2)));
  EXPECT_EQ(rig.deco.r.sol, 0u);
}

// PRE has no pointer: the sequence gets longer.
TEST_P(SeqPtrTest, Append) {
  const Bytes bytes = filler(24, 1);
  const Buffer in = rig.mem.input(bytes), out = rig.mem.output(24);
  for (const bool ext : {false, true}) {
    Builder b = rig.job();
    b.append_seq_in_ptr(in.addr, 8);
    b.append_seq_out_ptr(out.addr, 8);
    load(b, 8, 0);
    store(b, 8, 0);
    b.append_cmd(SeqInPtr{.pre = true, .ext = ext, .len = static_cast<uint16_t>(ext ? 0 : 16)});
    if (ext) b.append_word(16);
    b.append_cmd(SeqOutPtr{.pre = true, .ext = ext, .len = static_cast<uint16_t>(ext ? 0 : 16)});
    if (ext) b.append_word(16);
    load(b, 16, 8);
    store(b, 16, 8);
    EXPECT_EQ(rig.run(b), ok());
    EXPECT_EQ(out.hex(), hex(bytes));
    EXPECT_EQ(rig.deco.out_bytes(), 24u);
  }
}

// RTO: back to the start of buffer or table; the length is added.
TEST_P(SeqPtrTest, RestoreInput) {
  const Bytes bytes = filler(20, 1);
  const Buffer plain = rig.mem.input(bytes);
  const Buffer table = rig.mem.table_of(rig.mem.pieces(bytes, {3, 5}, hw_model::DmaDirection::kToDevice));
  for (const bool sgf : {false, true})
    for (const bool ext : {false, true}) {
      Builder b = rig.job();
      b.append_seq_in_ptr(sgf ? table.addr : plain.addr, 20, {.sgf = sgf});
      load(b, 1, 63);  // a header byte, as in caamflib's PDCP
      b.append_cmd(SeqInPtr{.ext = ext, .rto = true, .len = static_cast<uint16_t>(ext ? 0 : 1)});
      if (ext) b.append_word(1);
      b.append_math_add(MathReg::kReg0, MathReg::kSeqInLen, MathReg::kZero);
      load(b, 20, 0);
      EXPECT_EQ(rig.run(b), ok());
      EXPECT_EQ(rig.math(0), 20u);
      EXPECT_EQ(ctx(0, 20), hex(bytes));
      EXPECT_EQ(ctx(63, 1), hex({bytes.data(), 1}));
    }
}

// On the output side, too; with RST the length is ignored, what was written comes back to SOL and the count restarts.
TEST_P(SeqPtrTest, RestoreOutput) {
  for (const bool rst : {false, true}) {
    const Buffer out = rig.mem.output(12);
    Builder b = rig.job();
    b.append_load_as_imm(filler(12, 3), {.cls = ClassSel::kClass1, .dst = desc::kRegContext});
    b.append_seq_out_ptr(out.addr, 12);
    store(b, 8, 0);
    b.append_cmd(SeqOutPtr{.rto = true, .rst = rst, .len = 100});
    b.append_math_add(MathReg::kReg0, MathReg::kSeqOutLen, MathReg::kZero);
    store(b, 4, 8);
    EXPECT_EQ(rig.run(b), ok());
    EXPECT_EQ(rig.math(0), rst ? 12u : 104u);
    EXPECT_EQ(rig.deco.out_bytes(), rst ? 4u : 12u);
    EXPECT_EQ(out.hex(), hex({&filler(12, 3)[8], 4}) + hex({&filler(12, 3)[4], 4}) + "eeeeeeee");
  }
}

// SOP: a new input sequence over what the output sequence wrote.
TEST_P(SeqPtrTest, InputFromOutput) {
  const Bytes bytes = filler(16, 3);
  for (const bool sgf : {false, true}) {
    const auto pieces = rig.mem.pieces(Bytes(16), {5}, hw_model::DmaDirection::kBidirectional);
    const Buffer table = rig.mem.table_of(pieces), plain = rig.mem.both(Bytes(16));
    Builder b = rig.job();
    b.append_load_as_imm(bytes, {.cls = ClassSel::kClass1, .dst = desc::kRegContext});
    b.append_seq_out_ptr(sgf ? table.addr : plain.addr, 16, {.sgf = sgf});
    store(b, 12, 0);
    b.append_cmd(SeqInPtr{.sop = true, .len = 2});
    b.append_math_add(MathReg::kReg0, MathReg::kSeqInLen, MathReg::kZero);
    load(b, 12, 32);
    EXPECT_EQ(rig.run(b), ok());
    EXPECT_EQ(rig.math(0), 14u) << "length and what was written";
    EXPECT_EQ(ctx(32, 12), hex({bytes.data(), 12}));
    EXPECT_EQ(rig.deco.r.sol, 4u) << "the output sequence goes on";
  }
}

// RJD: the pointer is that of a job descriptor that replaces this one; INL: of one in line with the data.
TEST_P(SeqPtrTest, ReplacementJob) {
  for (const bool inl : {false, true}) {
    Builder other = rig.job();
    other.append_math_add(MathReg::kReg1, MathReg::kSeqInLen, MathReg::kReg0);
    other.append_jump_halt({.type = desc::JumpType::kHaltUser, .offset = 0x21});
    const Words words = Rig::finish(other);
    const Buffer mem = rig.mem.words(words);
    Builder b = rig.job();
    b.append_math_add_imm_u32(MathReg::kReg0, MathReg::kZero, MathReg::kImm, 1000);
    b.append_seq_in_ptr(mem.addr, 24, {.inl = inl, .rjd = !inl});
    b.append_word(0);  // not reached
    EXPECT_EQ(rig.run(b), JrStatus::jump_user(0x21, 2)) << "index in the new one, no NLJ";
    EXPECT_EQ(rig.math(1), 1024u) << "registers stay";
    EXPECT_EQ(rig.deco.job_words(), words.size());
  }
}

// With a shared descriptor the replacement takes the job's place behind it.
TEST_P(SeqPtrTest, ReplacementJobBesideASharedDescriptor) {
  Builder other = rig.job();
  other.append_math_add(MathReg::kReg1, MathReg::kOne, MathReg::kOne);
  const Buffer mem = rig.mem.words(Rig::finish(other));
  Builder sd = rig.shared();
  sd.append_math_add(MathReg::kReg0, MathReg::kReg1, MathReg::kReg1);
  Builder commands = rig.job();
  commands.append_seq_in_ptr(mem.addr, 8, {.rjd = true});
  commands.append_word(0);
  EXPECT_EQ(rig.run_shared(sd, commands_of(commands)), ok());
  EXPECT_EQ(rig.math(0), 4u) << "REO: the shared descriptor comes after the replacement";
}

ON_EVERY_PART(SeqPtrTest);

TEST(SeqPtr, IllegalCombinations) {
  Rig rig;
  Words words(16);  // a job descriptor, or four entries of a table
  words[0] = 0xB0800001;
  const Buffer mem = rig.mem.words(words);
  for (unsigned bits = 0; bits < 256; ++bits) {
    SeqInPtr in{};
    in.rbs = (bits & 1) != 0;
    in.inl = (bits & 2) != 0;
    in.sgf = (bits & 4) != 0;
    in.pre = (bits & 8) != 0;
    in.ext = (bits & 16) != 0;
    in.rto = (bits & 32) != 0;
    in.rjd = (bits & 64) != 0;
    in.sop = (bits & 128) != 0;
    const bool illegal = (in.rto && in.pre) || (in.inl && in.rjd) || (in.sop && (in.rbs || in.pre || in.rto || in.ext));
    Builder b = rig.job();
    b.append_cmd(in);
    if (in.has_pointer()) b.append_ptr(mem.addr);
    if (in.ext) b.append_word(8);
    EXPECT_EQ(rig.run(b), illegal ? deco(DecoError::kSequence, 1) : ok()) << std::hex << encode(in);
  }
  for (unsigned bits = 0; bits < 64; ++bits) {
    SeqOutPtr out{};
    out.sgf = (bits & 1) != 0;
    out.pre = (bits & 2) != 0;
    out.ext = (bits & 4) != 0;
    out.rto = (bits & 8) != 0;
    out.rst = (bits & 16) != 0;
    out.ews = (bits & 32) != 0;
    const bool illegal = (out.rto && out.pre) || (out.rst && !out.rto);
    Builder b = rig.job();
    b.append_cmd(out);
    if (out.has_pointer()) b.append_ptr(mem.addr);
    if (out.ext) b.append_word(8);
    EXPECT_EQ(rig.run(b), illegal ? deco(DecoError::kSequence, 1) : ok()) << std::hex << encode(out);
  }
}

TEST(SeqPtr, MissingOperands) {
  Rig rig;
  for (const uint32_t word : {encode(SeqInPtr{.len = 8}), encode(SeqOutPtr{.len = 8})})
    EXPECT_EQ(rig.run(Words{0xB0800003, word, 0}), deco(DecoError::kSequence, 1));
  for (const uint32_t word : {encode(SeqInPtr{.ext = true, .rto = true}), encode(SeqOutPtr{.ext = true, .rto = true})})
    EXPECT_EQ(rig.run(Words{0xB0800002, word}), deco(DecoError::kSequence, 1));
}

// A sequence command without a sequence: there is nothing to take.
TEST(SeqPtr, Undefined) {
  Rig rig;
  Builder b = rig.job();
  b.append_seq_load(1, {.cls = ClassSel::kClass1, .dst = desc::kRegContext});
  EXPECT_EQ(rig.run(b), deco(DecoError::kSequence, 1));
  // With a length written by MATH it reads at address zero.
  Builder math = rig.job();
  math.append_math_add_imm_u32(MathReg::kSeqInLen, MathReg::kZero, MathReg::kImm, 8);
  math.append_seq_load(1, {.cls = ClassSel::kClass1, .dst = desc::kRegContext});
  EXPECT_EQ(rig.run(math), deco(DecoError::kDma, 3));
  EXPECT_EQ(rig.mem.take_faults(), 1u);
}

// Writing SIL or SOL changes what is left, nothing else.
TEST(SeqPtr, LengthWrittenByMath) {
  Rig rig;
  const Bytes bytes = filler(16, 1);
  const Buffer in = rig.mem.input(bytes);
  Builder b = rig.job();
  b.append_seq_in_ptr(in.addr, 4);
  b.append_seq_load(4, {.cls = ClassSel::kClass1, .dst = desc::kRegContext});
  b.append_math_add_imm_u32(MathReg::kSeqInLen, MathReg::kZero, MathReg::kImm, 12);
  b.append_seq_load(12, {.cls = ClassSel::kClass1, .dst = desc::kRegContext, .offset = 4});
  EXPECT_EQ(rig.run(b), ok());
  EXPECT_EQ(hex({rig.c1().context(), 16}), hex(bytes));
}

// An edited pointer command executed again (flib's IPsec): the same words, a second time.
TEST(SeqPtr, ExecutedAgain) {
  Rig rig;
  const Buffer in = rig.mem.input(filler(8, 1));
  Builder b = rig.job();
  b.append_seq_in_ptr(in.addr, 8);
  b.append_seq_load(8, {.cls = ClassSel::kClass1, .dst = desc::kRegContext});
  b.append_word(encode(desc::Jump{.type = desc::JumpType::kLocalInc,
                                  .test = desc::JumpTest::kNotAll,
                                  .cond = 0x80 | desc::kCondMathC,  // SIL back to one, and no carry: once more
                                  .offset = 1}));
  b.append_math_add(MathReg::kReg0, MathReg::kReg0, MathReg::kOne);
  b.append_math_imm_u64(desc::MathFn::kSub, MathReg::kNone, MathReg::kReg0, MathReg::kImm, 3);
  b.append_word(encode(desc::Jump{.test = desc::JumpTest::kNotAll, .cond = desc::kCondMathZ, .offset = -9}));
  EXPECT_EQ(rig.run(b), ok());
  EXPECT_EQ(rig.math(0), 3u);
  EXPECT_EQ(hex({rig.c1().context(), 8}), hex(filler(8, 1)));
}

}  // namespace
}  // namespace caamlab::tests
