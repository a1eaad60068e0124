// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// LOAD and SEQ LOAD (hardware.md 2.4): which combinations each destination takes, byte lanes of the MATH registers
// (0.3 rule 4), sizes that add, CLRW, DECO control, the descriptor buffer. NFIFO destinations are in nfifo_test.cc.
#include <functional>

#include "tests/hw_model/deco/fixture.h"

namespace caamlab::tests {
namespace {

using desc::ClassSel;
using desc::DecoError;
using desc::Load;
using desc::MathReg;

// -- the table of 2.4, written down once more -------------------------------------------------------------------------

enum class Verdict { kLegal, kBad, kContext, kUnsaid };

bool is(unsigned off, unsigned len, std::initializer_list<std::pair<unsigned, unsigned>> len_at_off) {
  return std::ranges::any_of(len_at_off, [&](auto p) { return p.first == len && p.second == off; });
}

// `mode`: how the data comes. OFFSET and LENGTH in the units of the destination.
enum class From { kImm, kMemory, kSequence };

Verdict class_row(unsigned cls, unsigned dst, From from, unsigned off, unsigned len) {
  const bool imm = from == From::kImm;
  const auto when = [](bool legal) { return legal ? Verdict::kLegal : Verdict::kBad; };
  switch (dst) {
    case 0x00:
      return Verdict::kUnsaid;
    case 0x01:
    case 0x03:
      return when(imm && is(off, len, {{4, 0}}));
    case 0x02:
      return when(imm && is(off, len, {{4, 0}, {4, 4}, {8, 0}}));
    case 0x0B:
    case 0x0C:
      return cls == 2 ? Verdict::kUnsaid : when(imm && is(off, len, {{4, 0}}));
    case 0x0F:
      return cls == 2 ? Verdict::kUnsaid : when(imm && is(off, len, {{4, 0}, {4, 4}, {8, 0}}));
    case 0x10:
    case 0x11:
    case 0x12:
    case 0x13:
      return when(cls == 1 && imm && is(off, len, {{4, 0}}));
    case 0x20:
      return off + len <= (cls == 1 ? 64u : 72u) ? Verdict::kLegal : Verdict::kContext;
    case 0x40:
      return when(off + len <= (cls == 1 ? 32u : 128u));
    default:
      return Verdict::kBad;
  }
}

Verdict common_row(unsigned dst, From from, unsigned off, unsigned len) {
  const bool imm = from == From::kImm;
  const auto when = [&](bool legal) { return imm && legal ? Verdict::kLegal : Verdict::kBad; };
  switch (dst) {
    case 0x06:
    case 0x07:
    case 0x08:
    case 0x0A:
      return when(is(off, len, {{4, 0}}));
    case 0x70:
    case 0x72:
    case 0x74:
    case 0x7A:
      return when(is(off, len, {{4, 0}, {8, 0}}));
    case 0x71:
    case 0x73:
    case 0x75:
      return when(off == 0 && len <= 3);
    case 0x76:
    case 0x77:
    case 0x78:
    case 0x7C:
    case 0x7E:
      return when(off == 0 && len >= 1 && len <= 8);
    default:
      return Verdict::kBad;
  }
}

Verdict deco_row(unsigned dst, From from, unsigned off, unsigned len) {
  const bool imm = from == From::kImm;
  const auto when = [](bool legal) { return legal ? Verdict::kLegal : Verdict::kBad; };
  if (dst >= 0x08 && dst <= 0x0B) return when(off + len <= 32 - 8 * (dst - 0x08));
  if (dst >= 0x30 && dst <= 0x33) return when(off + len <= 32 - 8 * (dst - 0x30));
  if (dst >= 0x38 && dst <= 0x3B) return when(off + len <= 32 - 8 * (dst - 0x38));
  switch (dst) {
    case 0x03:
    case 0x07:
      return imm && is(off, len, {{4, 0}}) ? Verdict::kLegal : Verdict::kUnsaid;
    case 0x04:
      return when(imm && is(off, len, {{4, 0}, {4, 4}, {8, 0}}));
    case 0x05:
      return when(imm && is(off, len, {{4, 0}}));
    case 0x06:
      return when(imm);  // OFFSET and LENGTH are operands
    case 0x40:
      return when(!imm && len >= 1 && off + len <= 64);
    default:
      return Verdict::kBad;
  }
}

TEST(Load, EveryDestinationTakesWhatTheTableSays) {
  Rig rig;
  const Buffer in = rig.mem.input(filler(256, 1));
  const unsigned values[] = {0, 1, 2, 3, 4, 5, 8, 9, 16, 24, 32, 33, 64, 65, 72, 73, 128, 129};
  size_t legal = 0, bad = 0;
  for (unsigned cls = 0; cls < 4; ++cls)
    for (unsigned dst = 0; dst < 128; ++dst)
      for (const From from : {From::kImm, From::kMemory, From::kSequence})
        for (const unsigned off : values)
          for (const unsigned len : values) {
            Load cmd{.cls = static_cast<ClassSel>(cls), .dst = static_cast<uint8_t>(dst)};
            cmd.seq = from == From::kSequence;
            cmd.imm = from == From::kImm;
            cmd.offset = static_cast<uint8_t>(off);
            cmd.len = static_cast<uint8_t>(len);
            if (cmd.operands().imm_words > 50) continue;
            const Verdict want = cls == 0   ? common_row(dst, from, off, len)
                                 : cls == 3 ? deco_row(dst, from, off, len)
                                            : class_row(cls, dst, from, off, len);
            if (want == Verdict::kUnsaid) continue;
            Builder b = rig.job();
            b.append_seq_in_ptr(in.addr, 256);
            const unsigned index = b.len();
            b.append_cmd(cmd);
            if (cmd.imm)
              b.append_space(cmd.operands().imm_words);
            else if (!cmd.seq)
              b.append_ptr(in.addr);
            const JrStatus status = rig.run(b);
            const JrStatus refused =
                deco(want == Verdict::kContext ? DecoError::kContextLength : DecoError::kLoad, index);
            ASSERT_EQ(status == refused, want != Verdict::kLegal) << std::hex << encode(cmd) << " " << status.word;
            (want == Verdict::kLegal ? legal : bad) += 1;
          }
  EXPECT_GT(legal, 2000u);
  EXPECT_GT(bad, 200000u);
}

// -- MATH
// ---------------------------------------------------------------------------------------------------------------

class LoadTest : public OnEveryPart {
 protected:
  // Byte k of the MATH registers as LOAD and STORE see it: 0.3 rule 4.
  static unsigned shift_in_register(unsigned k, bool big_endian) {
    const unsigned in_word = big_endian ? 8 * (3 - k % 4) : 8 * (k % 4);
    return (k % 8 < 4 ? 32 : 0) + in_word;
  }
  void set_math(uint64_t value) {
    for (uint64_t& m : rig.deco.r.math) m = value;
  }
};

TEST_P(LoadTest, MathByteLanes) {
  const Buffer in = rig.mem.input(filler(32, 7));
  for (unsigned reg = 0; reg < 4; ++reg)
    for (unsigned off = 0; off < 32 - 8 * reg; ++off)
      for (unsigned len = 1; off + len <= 32 - 8 * reg; ++len)
        for (const From from : {From::kImm, From::kMemory, From::kSequence}) {
          Load cmd{.cls = ClassSel::kDeco, .dst = static_cast<uint8_t>(desc::kRegMath0 + reg)};
          cmd.offset = static_cast<uint8_t>(off);
          Builder b = rig.job();
          if (from == From::kSequence) b.append_seq_in_ptr(in.addr, 32);
          cmd.len = static_cast<uint8_t>(len);
          if (from == From::kImm)
            b.append_load_as_imm(desc::ByteSpan(in.data, len), cmd);
          else if (from == From::kMemory)
            b.append_load(in.addr, cmd);
          else
            b.append_seq_load(len, cmd);
          ASSERT_EQ(rig.run(b), ok());
          uint64_t want[4] = {};
          for (unsigned i = 0; i < len; ++i) {
            const unsigned k = reg * 8 + off + i;
            want[k / 8] |= uint64_t{in.data[i]} << shift_in_register(k, big());
          }
          for (unsigned n = 0; n < 4; ++n) ASSERT_EQ(rig.math(n), want[n]) << reg << " off " << off << " len " << len;
        }
}

TEST_P(LoadTest, MathByteView) {
  const Bytes bytes = filler(11, 8);
  Builder b = rig.job();
  b.append_load_as_imm(bytes, {.cls = ClassSel::kDeco, .dst = desc::kRegMath0Byte + 1, .offset = 2});
  EXPECT_EQ(rig.run(b), ok());
  Bytes want(32);
  std::copy(bytes.begin(), bytes.end(), want.begin() + 10);
  for (unsigned n = 0; n < 4; ++n) EXPECT_EQ(rig.math(n), desc::load_be64(&want[n * 8])) << "most significant first";
}

// A 64-bit number as the part's own CPU stores it.
TEST_P(LoadTest, MathDwordView) {
  uint8_t raw[16];
  const uint64_t numbers[2] = {0x0123456789ABCDEF, 0xFEDCBA9876543210};
  for (unsigned i = 0; i < 2; ++i) {
    const uint64_t v = big() ? desc::bswap64(numbers[i]) : numbers[i];
    std::memcpy(raw + i * 8, &v, 8);
  }
  Builder b = rig.job();
  b.append_load_as_imm(raw, {.cls = ClassSel::kDeco, .dst = desc::kRegMath0Dword + 2});
  EXPECT_EQ(rig.run(b), ok());
  EXPECT_EQ(rig.math(2), numbers[0]);
  EXPECT_EQ(rig.math(3), numbers[1]);
}

// The examples of 0.3 rule 4, with the masks that caamflib's PDCP constructors carry.
TEST_P(LoadTest, PdcpMasks) {
  struct Case {
    unsigned off, len;
    uint32_t big_mask, little_mask;
    Bytes bytes;
    uint32_t number;
  };
  // A 5-bit, a 12-bit and an 18-bit sequence number, most significant bits first in the header.
  const Case cases[] = {{7, 1, 0x0000001F, 0x1F000000, {0xF5}, 0x15},
                        {6, 2, 0x00000FFF, 0xFF0F0000, {0xFA, 0xBC}, 0xABC},
                        {5, 3, 0x0003FFFF, 0xFFFF0300, {0xFE, 0x12, 0x34}, 0x21234}};
  for (const Case& c : cases) {
    const Buffer in = rig.mem.input(c.bytes);
    Builder b = rig.job();
    b.append_seq_in_ptr(in.addr, c.len);
    b.append_seq_load(c.len, {.cls = ClassSel::kDeco, .dst = desc::kRegMath0, .offset = static_cast<uint8_t>(c.off)});
    EXPECT_EQ(rig.run(b), ok());
    const uint64_t mask = big() ? c.big_mask : c.little_mask;
    // The masked bits are the number, in the part's byte order.
    const uint32_t masked = static_cast<uint32_t>(rig.math(0) & mask);
    EXPECT_EQ(big() ? masked : desc::bswap32(masked), c.number) << c.len;
  }
}

TEST_P(LoadTest, WholeWordsAreNumbers) {
  Builder b = rig.job();
  b.append_load_imm_u32(0x11223344, {.cls = ClassSel::kDeco, .dst = desc::kRegMath1, .offset = 4});
  b.append_load_imm_u32(0x55667788, {.cls = ClassSel::kDeco, .dst = desc::kRegDpovrd});
  b.append_load_imm_u32(0x99, {.cls = ClassSel::kClass2, .dst = desc::kRegIcvSize});
  EXPECT_EQ(rig.run(b), ok());
  EXPECT_EQ(rig.math(1), 0x11223344u);
  EXPECT_EQ(rig.deco.r.dpovrd, 0x55667788u);
  EXPECT_EQ(rig.c2().icv_size, 0x99u);
}

TEST_P(LoadTest, ContextAndKeyAreByteStrings) {
  const Bytes bytes = filler(32, 9);
  const Buffer in = rig.mem.input(bytes);
  Builder b = rig.job();
  b.append_load_as_imm(bytes, {.cls = ClassSel::kClass1, .dst = desc::kRegContext, .offset = 16});
  b.append_load(in.addr, {.cls = ClassSel::kClass2, .dst = desc::kRegContext, .offset = 40, .len = 32});
  b.append_load(in.addr, {.cls = ClassSel::kClass2, .dst = desc::kRegKey, .offset = 96, .len = 32});
  EXPECT_EQ(rig.run(b), ok());
  EXPECT_EQ(hex({rig.c1().context() + 16, 32}), hex(bytes));
  EXPECT_EQ(hex({rig.c2().context() + 40, 32}), hex(bytes));
  EXPECT_EQ(hex({rig.c2().key.bytes.data() + 96, 32}), hex(bytes));
  EXPECT_EQ(rig.c2().key.size, 0u) << "LOAD of key bytes says nothing about the size";
}

TEST_P(LoadTest, DescriptorBuffer) {
  const Words words = {0xA0C00011, 0xA0C00022};
  const Buffer in = rig.mem.words(words);
  for (const bool seq : {false, true}) {
    Builder b = rig.job();
    if (seq) b.append_seq_in_ptr(in.addr, 8);
    Load cmd{.cls = ClassSel::kDeco, .dst = desc::kRegDescBuf};
    cmd.len = 2;
    cmd.seq = seq;
    cmd.offset = static_cast<uint8_t>(b.len() + 1 + (seq ? 0 : GetParam().ptr_words()) + 1);
    b.append_cmd(cmd);
    if (!seq) b.append_ptr(in.addr);
    for (int i = 0; i < 3; ++i) b.append_jump_halt({.type = desc::JumpType::kHalt, .cond = desc::kCondPkPrime});
    const unsigned end = b.len();
    EXPECT_EQ(rig.run(b), JrStatus::jump_user(0x11, end - 2)) << "the first of two loaded words runs";
    EXPECT_EQ(rig.deco.buffer()[end - 1], words[1]);
    EXPECT_EQ(rig.deco.r.sil, 0u);
  }
}

ON_EVERY_PART(LoadTest);

// -- sizes, CLRW, control
// ---------------------------------------------------------------------------------------------------

TEST(Load, DataSizeAdds) {
  Rig rig;
  Builder b = rig.job();
  for (const ClassSel cls : {ClassSel::kClass1, ClassSel::kClass2}) {
    b.append_load_imm_u32(100, {.cls = cls, .dst = desc::kRegDataSize});
    b.append_load_imm_u32(28, {.cls = cls, .dst = desc::kRegDataSize, .offset = 4});
    Load wide{.cls = cls, .imm = true, .dst = desc::kRegDataSize};
    wide.len = 8;
    b.append_cmd(wide);
    b.append_u64(0x1'0000'0001);
  }
  EXPECT_EQ(rig.run(b), ok());
  EXPECT_EQ(rig.c1().data_size, 0x1'0000'0081u);
  EXPECT_EQ(rig.c2().data_size, 0x1'0000'0081u);
}

TEST(Load, SizesAreSet) {
  Rig rig;
  Builder b = rig.job();
  for (const uint8_t dst : {desc::kRegKeySize, desc::kRegIcvSize, desc::kRegAadSize, desc::kRegIvSize}) {
    b.append_load_imm_u32(3, {.cls = ClassSel::kClass1, .dst = dst});
    b.append_load_imm_u32(9, {.cls = ClassSel::kClass1, .dst = dst});
  }
  EXPECT_EQ(rig.run(b), ok());
  EXPECT_EQ(rig.c1().key.size, 9u);
  EXPECT_EQ(rig.c1().icv_size, 9u);
  EXPECT_EQ(rig.c1().aad_size, 9u);
  EXPECT_EQ(rig.c1().iv_size, 9u);
}

// AAD and IV size registers have four bits.
TEST(Load, AadAndIvSizeAreModuloSixteen) {
  Rig rig;
  Builder b = rig.job();
  b.append_load_imm_u32(37, {.cls = ClassSel::kClass1, .dst = desc::kRegAadSize});
  b.append_load_imm_u32(28, {.cls = ClassSel::kClass1, .dst = desc::kRegIvSize});
  EXPECT_EQ(rig.run(b), ok());
  EXPECT_EQ(rig.c1().aad_size, 5u);
  EXPECT_EQ(rig.c1().iv_size, 12u);
}

// Every CLRW bit clears its register and no other.
TEST(Load, ClearWritten) {
  struct Row {
    unsigned bit;
    std::function<uint64_t(Rig&)> reg;
  };
  const auto first_bytes = [](const auto& bytes) { return uint64_t{bytes[0]}; };
  const Row rows[] = {
      {0, [](Rig& r) { return r.c1().mode_written; }},
      {2, [](Rig& r) { return r.c1().data_size; }},
      {3, [](Rig& r) { return r.c1().icv_size; }},
      {5, [&](Rig& r) { return first_bytes(r.c1().ctx); }},
      {6, [&](Rig& r) { return first_bytes(r.c1().key.bytes); }},
      {16, [](Rig& r) { return r.c2().mode_written; }},
      {17, [](Rig& r) { return r.c2().key.size; }},
      {18, [](Rig& r) { return r.c2().data_size; }},
      {21, [&](Rig& r) { return first_bytes(r.c2().ctx); }},
      {22, [&](Rig& r) { return first_bytes(r.c2().key.bytes); }},
  };
  const Bytes ones(16, 0xFF);
  const auto fill = [&](Builder& b, ClassSel cls) {
    b.append_key_as_imm(ones, 16, {.cls = cls});
    b.append_load_as_imm(ones, {.cls = cls, .dst = desc::kRegContext});
    b.append_load_imm_u32(1, {.cls = cls, .dst = desc::kRegDataSize});
    b.append_load_imm_u32(1, {.cls = cls, .dst = desc::kRegIcvSize});
  };
  for (unsigned bit = 0; bit < 32; ++bit) {
    if ((bit >= 12 && bit <= 15) || bit == 26 || bit == 27) continue;  // PKHA sizes; done bits: nothing is done here
    Rig rig;
    Builder b = rig.job();
    fill(b, ClassSel::kClass1);
    fill(b, ClassSel::kClass2);
    b.append_operation(desc::AlgOperation{.aai = desc::aai::kGcm});
    b.append_operation(desc::AlgOperation{.cls = ClassSel::kClass2, .alg = desc::Alg::kSha256});
    b.append_load_imm_u32(1u << bit, {.dst = desc::kRegClrw});
    EXPECT_EQ(rig.run(b), ok()) << bit;
    for (const Row& row : rows) {
      const bool reset = (row.bit == 0 && bit == 29) || (row.bit == 16 && bit == 28);  // a CHA's reset
      const bool same_key = row.bit == 17 && bit == 22;
      EXPECT_EQ(row.reg(rig) == 0, row.bit == bit || reset || same_key) << "bit " << bit << " register of " << row.bit;
    }
  }
}

TEST(Load, ClearWrittenEmptiesFifos) {
  for (const unsigned bit : {30u, 31u}) {
    Rig rig;
    Builder b = rig.job();
    b.append_load_as_imm(filler(8, 1), {.dst = desc::kRegOfifo});
    b.append_load_as_imm(filler(8, 2), {.dst = desc::kRegIfifo});
    b.append_load_imm_u32(0x00F00010, {.dst = desc::kRegNfifo});  // 16 bytes to the DECO, of which 8 are there
    b.append_load_imm_u32(1u << bit, {.dst = desc::kRegClrw});
    const unsigned move = b.len();
    b.append_move({.src = desc::MoveSrc::kOutFifo, .dst = desc::MoveDst::kMath0, .len = 8});
    const JrStatus status = rig.run(b);
    if (bit == 30) {
      EXPECT_EQ(status, deco(DecoError::kWatchdog, move)) << "nothing is left to move";
    } else {
      EXPECT_EQ(status, ok()) << "the entry that would never end is gone";
      EXPECT_EQ(rig.math(0), desc::load_be64(filler(8, 1).data()));
    }
  }
}

// CLRW brings a class back to idle: its done is forgotten, and it takes another OPERATION in strict mode.
TEST(Load, ClearWrittenModeAllowsTheNextOperation) {
  for (const bool clear : {false, true}) {
    Rig rig(kLittle64, {.deco = {.strict_mode_clear = true}});
    Builder b = rig.job();
    b.append_key_as_imm(filler(16, 1), 16, {.cls = ClassSel::kClass1});
    for (int turn = 0; turn < 2; ++turn) {
      if (turn == 1 && clear) b.append_load_imm_u32(1, {.dst = desc::kRegClrw});
      b.append_operation(desc::AlgOperation{.aai = desc::aai::kGcm, .as = desc::AlgState::kInitFinal, .enc = true});
      b.append_fifo_load_as_imm(filler(12, 2), {.cls = ClassSel::kClass1, .type = 0x22});
    }
    EXPECT_EQ(rig.run(b), clear ? ok() : ccb(desc::ChaId::kAes, desc::CcbError::kClass1NotReset, b.len() - 5));
  }
}

TEST(Load, ChaControlResetsClasses) {
  for (unsigned bit = 0; bit <= 12; ++bit) {
    Rig rig;
    Builder b = rig.job();
    b.append_operation(desc::AlgOperation{.aai = desc::aai::kGcm});
    b.append_operation(desc::AlgOperation{.cls = ClassSel::kClass2, .alg = desc::Alg::kSha256});
    b.append_load_imm_u32(1u << bit, {.dst = desc::kRegControl});
    EXPECT_EQ(rig.run(b), ok());
    EXPECT_EQ(rig.c1().mode_written, bit != 0 && bit != 1) << bit;  // all, AES
    EXPECT_EQ(rig.c2().mode_written, bit != 0 && bit != 7) << bit;  // all, MDHA
    EXPECT_EQ(rig.deco.r.cha_ctrl, 1u << bit);
  }
}

TEST(Load, DecoControlHasNoOperands) {
  Rig rig;
  for (const uint8_t share : {1, 2, 3}) {
    Builder b = rig.job();
    b.append_load_cmd({.cls = ClassSel::kDeco, .dst = desc::kRegControl, .offset = share});
    b.append_load_cmd({.cls = ClassSel::kDeco, .dst = desc::kRegControl, .offset = 0xF0, .len = 0xD7});
    b.append_load_imm_u32(7, {.cls = ClassSel::kDeco, .dst = desc::kRegDpovrd});
    EXPECT_EQ(rig.run(b), ok());
    EXPECT_EQ(rig.deco.change_share(), share);
    EXPECT_EQ(rig.deco.r.dpovrd, 7u) << "the word behind DECO control is a command";
  }
}

TEST(Load, DecoControlSwitchesAutomaticEntries) {
  Rig rig;
  Builder b = rig.job();
  b.append_load_cmd({.cls = ClassSel::kDeco, .dst = desc::kRegControl, .offset = 0x08});
  EXPECT_EQ(rig.run(b), ok());
  EXPECT_FALSE(rig.deco.auto_nfifo);
  Builder again = rig.job();
  EXPECT_EQ(rig.run(again), ok());
  EXPECT_TRUE(rig.deco.auto_nfifo) << "enabled at job start";
}

TEST(Load, DecoControlResetsOutputFifo) {
  Rig rig;
  Builder b = rig.job();
  b.append_load_as_imm(filler(3, 1), {.dst = desc::kRegOfifo});
  b.append_load_cmd({.cls = ClassSel::kDeco, .dst = desc::kRegControl, .len = 0x20});
  b.append_load_as_imm(filler(8, 2), {.dst = desc::kRegOfifo});
  b.append_move({.src = desc::MoveSrc::kOutFifo, .dst = desc::MoveDst::kMath0, .len = 8});
  EXPECT_EQ(rig.run(b), ok());
  EXPECT_EQ(rig.math(0), desc::load_be64(filler(8, 2).data()));
}

TEST(Load, FifosTakeOneToEightBytes) {
  for (const uint8_t dst :
       {desc::kRegIfifo, desc::kRegIfifoNibble, desc::kRegAltSource, desc::kRegOfifo, desc::kRegOfifoNibble})
    for (uint8_t len = 1; len <= 8; ++len) {
      Rig rig;
      const Bytes bytes = filler(len, dst);
      Builder b = rig.job();
      b.append_load_as_imm(bytes, {.dst = dst});
      const bool output = dst == desc::kRegOfifo || dst == desc::kRegOfifoNibble;
      if (output) {
        b.append_move({.src = desc::MoveSrc::kOutFifo, .dst = desc::MoveDst::kMath2, .len = len});
      } else {
        const desc::NfifoEntry entry{.data = desc::NfifoData::kMsg, .ast = dst == desc::kRegAltSource, .len = len};
        b.append_load_imm_u32(encode(entry), {.dst = desc::kRegNfifo});
        b.append_move({.src = desc::MoveSrc::kAlignBlock, .dst = desc::MoveDst::kMath2, .len = len});
      }
      EXPECT_EQ(rig.run(b), ok());
      uint8_t got[8];
      desc::store_be64(got, rig.math(2));
      EXPECT_EQ(hex({got, len}), hex(bytes)) << unsigned{dst};
    }
}

TEST(Load, InterruptControlClears) {
  Rig rig;
  Builder b = rig.job();
  b.append_load_imm_u32(0xFFFF, {.dst = desc::kRegIrqCtrlOrDpovrd});
  b.append_load_imm_u32(5, {.dst = desc::kRegChaSelect});
  EXPECT_EQ(rig.run(b), ok());
  EXPECT_EQ(rig.deco.r.irq_ctrl, 0u);
  EXPECT_EQ(rig.deco.r.cha_select, 5u);
}

// A mode register written by LOAD is an OPERATION.
TEST(Load, ModeStartsTheCha) {
  Rig rig;
  Builder b = rig.job();
  b.append_key_as_imm(filler(16, 1), 16, {.cls = ClassSel::kClass1});
  const desc::AlgOperation gcm{.aai = desc::aai::kGcm, .as = desc::AlgState::kInitFinal, .enc = true};
  b.append_load_imm_u32(gcm.mode_word(), {.cls = ClassSel::kClass1, .dst = desc::kRegMode});
  b.append_fifo_load_as_imm(filler(12, 2), {.cls = ClassSel::kClass1, .type = 0x22});
  EXPECT_EQ(rig.run(b), ok());
  EXPECT_EQ(encode(rig.c1().op), encode(gcm));
}

TEST(Load, VariableLength) {
  Rig rig;
  const Bytes bytes = filler(64, 3);
  const Buffer in = rig.mem.input(bytes);
  for (const uint32_t vsil : {0u, 1u, 32u, 64u, 65u, 255u, 256u}) {
    Builder b = rig.job();
    b.append_seq_in_ptr(in.addr, 64);
    b.append_math_add_imm_u32(MathReg::kVarSeqInLen, MathReg::kZero, MathReg::kImm, vsil);
    const unsigned index = b.len();
    b.append_cmd(Load{.seq = true, .cls = ClassSel::kClass1, .sgf_vlf = true, .dst = desc::kRegContext});
    EXPECT_EQ(rig.run(b), vsil > 64 ? deco(DecoError::kContextLength, index) : ok()) << vsil;
    if (vsil <= 64) {
      EXPECT_EQ(hex({rig.c1().context(), vsil}), hex({bytes.data(), vsil}));
      EXPECT_EQ(rig.deco.r.sil, 64 - vsil);
    }
  }
}

// A length of nothing is legal; its operand is skipped.
TEST(Load, NothingOfAMultiByteRegister) {
  for (const auto& [cls, dst] : {std::pair{ClassSel::kClass1, desc::kRegContext},
                                 {ClassSel::kClass2, desc::kRegKey},
                                 {ClassSel::kDeco, desc::kRegMath2}}) {
    Rig rig;
    const Buffer in = rig.mem.input({1});
    Builder b = rig.job();
    b.append_load(in.addr, {.cls = cls, .dst = dst});
    b.append_load_imm_u32(9, {.cls = ClassSel::kDeco, .dst = desc::kRegDpovrd});
    EXPECT_EQ(rig.run(b), ok());
    EXPECT_EQ(rig.deco.r.dpovrd, 9u);
  }
}

TEST(Load, ScatterGather) {
  Rig rig;
  const Bytes bytes = filler(32, 3);
  const Buffer table = rig.mem.table_of(rig.mem.pieces(bytes, {5, 1, 13}, hw_model::DmaDirection::kToDevice));
  Builder b = rig.job();
  b.append_load(table.addr, {.cls = ClassSel::kClass1, .sgf_vlf = true, .dst = desc::kRegContext, .len = 32});
  EXPECT_EQ(rig.run(b), ok());
  EXPECT_EQ(hex({rig.c1().context(), 32}), hex(bytes));
}

TEST(Load, Errors) {
  Rig rig;
  const Buffer in = rig.mem.input(filler(8, 1));
  const Load ctx{.cls = ClassSel::kClass1, .dst = desc::kRegContext, .len = 16};
  Builder unmapped = rig.job();
  unmapped.append_load(in.addr, ctx);
  EXPECT_EQ(rig.run(unmapped), deco(DecoError::kDma, 1));
  EXPECT_EQ(rig.mem.take_faults(), 1u);
  Builder underflow = rig.job();
  underflow.append_seq_in_ptr(in.addr, 8);
  underflow.append_seq_load(9, ctx);
  EXPECT_EQ(rig.run(underflow), deco(DecoError::kSequence, 4));
  EXPECT_EQ(rig.deco.r.sil, 8u);
  // Immediate data cannot be a table.
  Builder imm_table = rig.job();
  imm_table.append_load_as_imm(filler(4, 1), {.cls = ClassSel::kClass1, .sgf_vlf = true, .dst = desc::kRegContext});
  EXPECT_EQ(rig.run(imm_table), deco(DecoError::kLoad, 1));
  Builder no_operand = rig.job();
  no_operand.append_cmd(ctx);
  EXPECT_EQ(rig.run(no_operand), deco(DecoError::kLoad, 1));
  Builder no_data = rig.job();
  no_data.append_cmd(Load{.cls = ClassSel::kClass1, .imm = true, .dst = desc::kRegContext, .len = 5});
  no_data.append_word(0);
  EXPECT_EQ(rig.run(no_data), deco(DecoError::kLoad, 1));
}

}  // namespace
}  // namespace caamlab::tests
