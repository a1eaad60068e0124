// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// FIFO LOAD and SEQ FIFO LOAD (hardware.md 2.6, 3.3, 3.4): legal forms, where each type's bytes go, lengths of all
// kinds, the size registers, entries made or not made, zero lengths.
#include "tests/hw_model/deco/fixture.h"

namespace caamlab::tests {
namespace {

using desc::ClassSel;
using desc::DecoError;
using desc::FifoLoad;
using desc::FifoLoadType;
using desc::MathReg;
using desc::MoveDst;
using desc::MoveSrc;

constexpr uint8_t kMsg = 0x10, kIv = 0x20, kAad = 0x30, kIcv = 0x38, kNoInfo = 0x0F;
constexpr uint8_t kFlush1 = 1, kLast1 = 2, kLast2 = 4;
constexpr desc::AlgOperation kGcm{.aai = desc::aai::kGcm, .as = desc::AlgState::kInitFinal, .enc = true};
constexpr desc::AlgOperation kSha256{
    .cls = ClassSel::kClass2, .alg = desc::Alg::kSha256, .as = desc::AlgState::kInitFinal, .enc = true};

// -- forms
// ----------------------------------------------------------------------------------------------------------------

bool legal(const FifoLoad& c) {
  const bool pkha = c.type <= 8 || c.type == 0x0C || c.type == 0x0D;
  const bool unknown = c.type == 0x09 || c.type == 0x0A || c.type == 0x0B || c.type == 0x0E;
  if (c.seq) {
    if (c.ext && c.sgf_vlf) return false;
  } else {
    if (c.cls == ClassSel::kNone) return false;
    if (c.imm_aidf && (c.sgf_vlf || c.ext)) return false;
  }
  if (c.cls == ClassSel::kNone) return true;  // a skip has no type
  if (pkha) return c.cls == ClassSel::kClass1;
  return !unknown;
}

TEST(FifoLoad, Forms) {
  Rig rig;
  const Buffer in = rig.mem.input(filler(64, 1));
  const Buffer table = rig.mem.table({Memory::entry(in)});
  size_t refused = 0;
  for (unsigned bits = 0; bits < 16; ++bits)
    for (unsigned cls = 0; cls < 4; ++cls)
      for (unsigned type = 0; type < 64; ++type)
        for (const uint16_t len : {0, 5}) {
          FifoLoad cmd{.seq = (bits & 1) != 0, .cls = static_cast<ClassSel>(cls)};
          cmd.sgf_vlf = (bits & 2) != 0;
          cmd.imm_aidf = (bits & 4) != 0;
          cmd.ext = (bits & 8) != 0;
          cmd.type = static_cast<uint8_t>(type);
          cmd.len = cmd.ext || (cmd.seq && cmd.sgf_vlf) ? uint16_t{0} : len;
          Builder b = rig.job();
          b.append_seq_in_ptr(in.addr, 64);
          const unsigned index = b.len();
          b.append_cmd(cmd);
          if (!cmd.seq && !cmd.imm_aidf) b.append_ptr(cmd.sgf_vlf ? table.addr : in.addr);
          if (cmd.ext) b.append_word(5);
          if (!cmd.seq && cmd.imm_aidf && !cmd.ext) b.append_space(cmd.operands().imm_words);
          const JrStatus status = rig.run(b);
          ASSERT_EQ(status == deco(DecoError::kFifoLoad, index), !legal(cmd)) << std::hex << encode(cmd);
          refused += !legal(cmd);
        }
  EXPECT_GT(refused, 1000u);
}

// -- where the bytes go
// -----------------------------------------------------------------------------------------------------

// Bytes that wait in the alignment blocks: [0] of class 1, [1] of class 2.
class Blocks {
 public:
  explicit Blocks(Rig& rig) : rig_(rig), out_{rig.mem.output(64), rig.mem.output(64)} {}
  // Commands that fetch `n` bytes of the block of `cls` (1 or 2).
  void fetch(Builder& b, uint8_t cls, uint8_t n) {
    b.append_move({.aux = cls, .src = MoveSrc::kAlignBlock, .dst = MoveDst::kOutFifo, .len = n});
    b.append_fifo_store(out_[cls - 1].addr, {.type = desc::FifoStoreType::kMsg, .len = n});
  }
  std::string got(uint8_t cls, size_t n) const { return hex({out_[cls - 1].data, n}); }

 private:
  Rig& rig_;
  Buffer out_[2];
};

class FifoLoadTest : public OnEveryPart {};

TEST_P(FifoLoadTest, EveryTypeReachesItsClasses) {
  Blocks blocks(rig);
  const Bytes bytes = filler(13, 2);
  const Buffer in = rig.mem.input(bytes);
  for (const FifoLoadType type : {FifoLoadType::kMsg, FifoLoadType::kIv, FifoLoadType::kAad, FifoLoadType::kIcv})
    for (unsigned cls = 1; cls <= 3; ++cls)
      for (const int from : {0, 1, 2}) {
        Builder b = rig.job();
        FifoLoad cmd{.cls = static_cast<ClassSel>(cls), .type = static_cast<uint8_t>(type)};
        if (from == 0) {
          b.append_fifo_load_as_imm(bytes, cmd);
        } else if (from == 1) {
          cmd.len = 13;
          b.append_fifo_load(in.addr, cmd);
        } else {
          b.append_seq_in_ptr(in.addr, 13);
          b.append_seq_fifo_load(13, cmd);
        }
        for (const uint8_t c : {1, 2})
          if ((cls & c) != 0) blocks.fetch(b, c, 13);
        ASSERT_EQ(rig.run(b), ok()) << static_cast<int>(type) << " " << cls;
        for (const uint8_t c : {1, 2}) {
          if ((cls & c) != 0) {
            ASSERT_EQ(blocks.got(c, 13), hex(bytes));
          }
        }
      }
}

TEST_P(FifoLoadTest, ScatterGather) {
  const Bytes bytes = filler(60, 3);
  Blocks blocks(rig);
  const Buffer table = rig.mem.table_of(rig.mem.pieces(bytes, {1, 16, 3}, hw_model::DmaDirection::kToDevice));
  for (const bool seq : {false, true}) {
    Builder b = rig.job();
    if (seq) {
      b.append_seq_in_ptr(table.addr, 60, {.sgf = true});
      b.append_seq_fifo_load(25, {.cls = ClassSel::kClass1, .type = kMsg});
      b.append_seq_fifo_load(35, {.cls = ClassSel::kClass1, .type = kMsg});
    } else {
      b.append_fifo_load(table.addr, {.cls = ClassSel::kClass1, .sgf_vlf = true, .type = kMsg, .len = 60});
    }
    blocks.fetch(b, 1, 60);
    EXPECT_EQ(rig.run(b), ok());
    EXPECT_EQ(blocks.got(1, 60), hex(bytes));
  }
}

TEST_P(FifoLoadTest, ExtendedLength) {
  const Bytes bytes = filler(70000, 4);
  const Buffer in = rig.mem.input(bytes), out = rig.mem.output(70000);
  for (const bool seq : {false, true}) {
    Builder b = rig.job();
    if (seq) {
      b.append_seq_in_ptr(in.addr, 70000);
      b.append_cmd(FifoLoad{.seq = true, .cls = ClassSel::kClass1, .ext = true, .type = kMsg});
      b.append_word(70000);
    } else {
      b.append_fifo_load_extlen(in.addr, 70000, {.cls = ClassSel::kClass1, .type = kMsg});
    }
    b.append_math_add_imm_u32(MathReg::kReg0, MathReg::kZero, MathReg::kImm, 70000);
    b.append_move_len({.aux = 1, .src = MoveSrc::kAlignBlock, .dst = MoveDst::kOutFifo});
    b.append_fifo_store_extlen(out.addr, 70000, {.type = desc::FifoStoreType::kMsg});
    EXPECT_EQ(rig.run(b), ok());
    EXPECT_TRUE(std::ranges::equal(bytes, out.span()));
    EXPECT_EQ(rig.c1().data_size, 70000u);
  }
}

ON_EVERY_PART(FifoLoadTest);

// -- lengths and sizes
// ----------------------------------------------------------------------------------------------------

TEST(FifoLoad, LengthComesOffSilAtOnce) {
  Rig rig;
  const Buffer in = rig.mem.input(filler(100, 1));
  Builder b = rig.job();
  b.append_seq_in_ptr(in.addr, 100);
  b.append_seq_fifo_load(30, {.cls = ClassSel::kClass1, .type = kMsg});
  b.append_math_add(MathReg::kReg0, MathReg::kSeqInLen, MathReg::kZero);
  b.append_math_add_imm_u32(MathReg::kVarSeqInLen, MathReg::kZero, MathReg::kImm, 45);
  b.append_seq_fifo_load(0, {.cls = ClassSel::kClass1, .sgf_vlf = true, .type = kMsg});
  b.append_math_add(MathReg::kReg1, MathReg::kSeqInLen, MathReg::kZero);
  const unsigned index = b.len();
  b.append_seq_fifo_load(26, {.cls = ClassSel::kClass1, .type = kMsg});
  EXPECT_EQ(rig.run(b), deco(DecoError::kSequence, index));
  EXPECT_EQ(rig.math(0), 70u);
  EXPECT_EQ(rig.math(1), 25u);
  EXPECT_EQ(rig.deco.r.vsil, 45u);
  EXPECT_EQ(rig.c1().data_size, 75u);
}

TEST(FifoLoad, SizeRegisters) {
  Rig rig;
  Builder b = rig.job();
  const Bytes bytes = filler(21, 1);
  const auto load = [&](ClassSel cls, uint8_t type, size_t len) {
    b.append_fifo_load_as_imm(desc::ByteSpan(bytes).first(len), {.cls = cls, .type = type});
  };
  load(ClassSel::kClass1, kIv, 20);
  load(ClassSel::kClass1, kAad, 18);
  load(ClassSel::kBoth, kMsg, 9);
  load(ClassSel::kClass2, kMsg, 4);
  load(ClassSel::kClass1, kIcv, 12);
  load(ClassSel::kClass1, kNoInfo, 21);
  EXPECT_EQ(rig.run(b), ok());
  EXPECT_EQ(rig.c1().iv_size, 4u);
  EXPECT_EQ(rig.c1().aad_size, 2u);
  EXPECT_EQ(rig.c1().icv_size, 12u);
  EXPECT_EQ(rig.c1().data_size, 9u) << "bytes without an entry are no message";
  EXPECT_EQ(rig.c2().data_size, 13u);
  EXPECT_EQ(rig.c2().iv_size, 0u);
}

// Length in bits: whole bytes and a last one of which NUMBITS (63:61) are valid.
TEST(FifoLoad, BitData) {
  Rig rig;
  Blocks blocks(rig);
  const Bytes bytes = filler(16, 3);
  const Buffer in = rig.mem.input(bytes);
  for (const bool ext : {false, true})
    for (const unsigned bits : {0u, 1u, 7u, 8u, 12u, 64u, 65u, 127u}) {
      const uint8_t n = static_cast<uint8_t>((bits + 7) / 8);
      Builder b = rig.job();
      FifoLoad cmd{.cls = ClassSel::kClass2, .ext = ext, .type = 0x28 | kLast2};
      cmd.len = static_cast<uint16_t>(ext ? bits % 8 : bits);
      b.append_cmd(cmd);
      b.append_ptr(in.addr);
      if (ext) b.append_word(bits / 8);
      blocks.fetch(b, 2, n);
      EXPECT_EQ(rig.run(b), ok()) << bits;
      EXPECT_EQ(blocks.got(2, n), hex({bytes.data(), n}));
      EXPECT_EQ(rig.c2().data_size, n | uint64_t{bits % 8} << 61) << bits;
    }
  Builder imm = rig.job();
  imm.append_cmd(FifoLoad{.cls = ClassSel::kClass2, .imm_aidf = true, .type = 0x2C, .len = 33});
  imm.append_data(desc::ByteSpan(bytes).first(5));
  blocks.fetch(imm, 2, 5);
  EXPECT_EQ(rig.run(imm), ok());
  EXPECT_EQ(blocks.got(2, 5), hex({bytes.data(), 5}));
}

// -- marks
// ------------------------------------------------------------------------------------------------------------------

TEST(FifoLoad, LastEndsTheOperation) {
  for (unsigned actions = 0; actions < 8; ++actions)
    for (unsigned cls = 1; cls <= 3; ++cls) {
      Rig rig;
      Builder b = rig.job();
      b.append_key_as_imm(filler(16, 1), 16, {.cls = ClassSel::kClass1});
      b.append_operation(kGcm);
      b.append_operation(kSha256);
      b.append_fifo_load_as_imm(filler(12, 2), {.cls = ClassSel::kClass1, .type = kIv | kFlush1});
      b.append_fifo_load_as_imm(filler(5, 3),
                                {.cls = static_cast<ClassSel>(cls), .type = static_cast<uint8_t>(kMsg | actions)});
      const JrStatus status = rig.run(b);
      const bool done1 = (cls & 1) != 0 && (actions & kLast1) != 0, done2 = (cls & 2) != 0 && (actions & kLast2) != 0;
      EXPECT_EQ(rig.deco.ccb.in_flight(Ccb::kClass1), !done1);
      EXPECT_EQ(rig.deco.ccb.in_flight(Ccb::kClass2), !done2);
      // Class 1 has its IV and must end; class 2 only if it got anything.
      const bool ends = done1 && (done2 || (cls & 2) == 0);
      EXPECT_EQ(status, ends ? ok() : deco(DecoError::kWatchdog, b.len() - 3)) << actions << " " << cls;
    }
}

TEST(FifoLoad, NothingWithLastIsAnEmptyMessage) {
  for (const bool immediate : {false, true}) {
    Rig rig;
    Builder b = rig.job();
    b.append_operation(kSha256);
    const FifoLoad cmd{.cls = ClassSel::kClass2, .type = kMsg | kLast2};
    if (immediate)
      b.append_fifo_load_as_imm({}, cmd);
    else
      b.append_fifo_load(0x40, cmd);  // nobody looks at the address of nothing
    EXPECT_EQ(rig.run(b), ok());
    EXPECT_EQ(hex({rig.c2().context(), 32}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  }
}

// -- entries, or none
// --------------------------------------------------------------------------------------------------------

TEST(FifoLoad, WithoutAutomaticEntriesTheDataWaits) {
  for (const uint8_t type : {kMsg, uint8_t{0x00}, uint8_t{0x08}, kNoInfo}) {  // PKHA types too
    Rig rig;
    Builder b = rig.job();
    b.append_load_cmd({.cls = ClassSel::kDeco, .dst = desc::kRegControl, .offset = 0x08});
    b.append_fifo_load_as_imm(filler(8, 1), {.cls = ClassSel::kClass1, .type = type});
    b.append_load_imm_u32(encode(desc::NfifoEntry{.data = desc::NfifoData::kMsg, .len = 8}), {.dst = desc::kRegNfifo});
    b.append_move({.src = MoveSrc::kAlignBlock, .dst = MoveDst::kMath0, .len = 8});
    EXPECT_EQ(rig.run(b), ok()) << unsigned{type};
    EXPECT_EQ(rig.math(0), desc::load_be64(filler(8, 1).data()));
  }
}

// AIDF: the data came before, the command makes the entry and takes nothing off SIL.
TEST(FifoLoad, DataAlreadyInTheInputFifo) {
  Rig rig;
  Blocks blocks(rig);
  const Buffer in = rig.mem.input(filler(10, 1));
  Builder b = rig.job();
  b.append_seq_in_ptr(in.addr, 10);
  b.append_seq_fifo_load(10, {.cls = ClassSel::kClass1, .type = kNoInfo});
  b.append_seq_fifo_load(4, {.cls = ClassSel::kNone, .imm_aidf = true});  // a skip
  b.append_seq_fifo_load(6, {.cls = ClassSel::kClass2, .imm_aidf = true, .type = kMsg});
  blocks.fetch(b, 2, 6);
  EXPECT_EQ(rig.run(b), ok());
  EXPECT_EQ(blocks.got(2, 6), hex(filler(10, 1)).substr(8));
  EXPECT_EQ(rig.deco.r.sil, 0u);
}

TEST(FifoLoad, UnclaimedInputIsDropped) {
  Rig rig;
  Builder b = rig.job();
  b.append_fifo_load_as_imm(filler(8, 1), {.cls = ClassSel::kClass1, .type = kNoInfo});
  b.append_fifo_load_as_imm(filler(8, 1), {.cls = ClassSel::kClass2, .type = kMsg});
  EXPECT_EQ(rig.run(b), ok());
  Builder next = rig.job();
  next.append_fifo_load_as_imm(filler(8, 2), {.cls = ClassSel::kClass2, .type = kMsg});
  next.append_move({.aux = 2, .src = MoveSrc::kAlignBlock, .dst = MoveDst::kMath0, .len = 8});
  EXPECT_EQ(rig.run(next), ok());
  EXPECT_EQ(rig.math(0), desc::load_be64(filler(8, 2).data()));
}

// -- skips
// ----------------------------------------------------------------------------------------------------------------

TEST(FifoLoad, Skip) {
  Rig rig;
  const Bytes bytes = filler(40, 5);
  const Buffer plain = rig.mem.input(bytes);
  const Buffer table = rig.mem.table_of(rig.mem.pieces(bytes, {7, 1}, hw_model::DmaDirection::kToDevice));
  for (const bool sgf : {false, true})
    for (const bool vlf : {false, true}) {
      Builder b = rig.job();
      b.append_seq_in_ptr(sgf ? table.addr : plain.addr, 40, {.sgf = sgf});
      if (vlf) b.append_math_add_imm_u32(MathReg::kVarSeqInLen, MathReg::kZero, MathReg::kImm, 21);
      b.append_cmd(FifoLoad{.seq = true,
                            .cls = ClassSel::kNone,
                            .sgf_vlf = vlf,
                            .type = 0x3F,
                            .len = static_cast<uint16_t>(vlf ? 0 : 21)});
      b.append_cmd(FifoLoad{.seq = true});  // of nothing: the kernel's filler between two skips
      b.append_seq_load(16, {.cls = ClassSel::kClass1, .dst = desc::kRegContext});
      EXPECT_EQ(rig.run(b), ok());
      EXPECT_EQ(hex({rig.c1().context(), 16}), hex({&bytes[21], 16}));
      EXPECT_EQ(rig.deco.r.sil, 3u);
    }
}

TEST(FifoLoad, SkippedBytesMustBeReadable) {
  Rig rig;
  const Buffer in = rig.mem.input(filler(8, 1));
  Builder b = rig.job();
  b.append_seq_in_ptr(in.addr, 100);
  const unsigned index = b.len();
  b.append_cmd(FifoLoad{.seq = true, .len = 9});
  EXPECT_EQ(rig.run(b), deco(DecoError::kDma, index));
  EXPECT_EQ(rig.mem.take_faults(), 1u);
}

TEST(FifoLoad, Errors) {
  Rig rig;
  const Buffer in = rig.mem.input(filler(8, 1)), out = rig.mem.output(8);
  for (const Buffer& b : {in, out}) {
    Builder job = rig.job();
    job.append_fifo_load(b.addr, {.cls = ClassSel::kClass1, .type = kMsg, .len = 9});
    EXPECT_EQ(rig.run(job), deco(DecoError::kDma, 1));
  }
  EXPECT_EQ(rig.mem.take_faults(), 2u);
  const FifoLoad plain{.cls = ClassSel::kClass1, .type = kMsg, .len = 8};
  FifoLoad ext = plain, imm = plain;
  ext.ext = true;
  imm.imm_aidf = true;
  EXPECT_EQ(rig.run(Words{0xB0800002, encode(plain)}), deco(DecoError::kFifoLoad, 1));
  EXPECT_EQ(
      rig.run(Words{0xB0800004, encode(ext), static_cast<uint32_t>(in.addr), static_cast<uint32_t>(in.addr >> 32)}),
      deco(DecoError::kFifoLoad, 1));
  EXPECT_EQ(rig.run(Words{0xB0800003, encode(imm), 0}), deco(DecoError::kFifoLoad, 1));
}

// A kernel JD loads the IV with FLUSH1 before KEY and OPERATION (reference program 5's essence).
TEST(FifoLoad, BeforeKeyAndOperation) {
  std::string tags[2];
  for (const bool early : {false, true}) {
    Rig rig;
    Builder b = rig.job();
    const auto iv = [&] {
      b.append_fifo_load_as_imm(filler(12, 2), {.cls = ClassSel::kClass1, .type = kIv | kFlush1});
    };
    if (early) iv();
    b.append_key_as_imm(filler(16, 1), 16, {.cls = ClassSel::kClass1});
    b.append_operation(kGcm);
    if (!early) iv();
    b.append_fifo_load_as_imm(filler(20, 3), {.cls = ClassSel::kClass1, .type = kAad | kLast1});
    EXPECT_EQ(rig.run(b), ok());
    tags[early] = hex({rig.c1().context(), 16});
  }
  EXPECT_EQ(tags[0], tags[1]);
}

}  // namespace
}  // namespace caamlab::tests
