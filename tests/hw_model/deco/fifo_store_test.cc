// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// FIFO STORE and SEQ FIFO STORE (hardware.md 2.7): legal forms, targets and lengths of all kinds, skips, METADATA,
// checksums. Keys, PKHA memory and random data are the tests of their units.
#include "tests/hw_model/deco/fixture.h"

namespace caamlab::tests {
namespace {

using desc::ClassSel;
using desc::DecoError;
using desc::FifoStore;
using desc::FifoStoreType;
using desc::MathReg;

constexpr FifoStoreType kMsg = FifoStoreType::kMsg;

// Output by LOAD, eight bytes at a time.
void produce(Builder& b, const Bytes& bytes) {
  for (size_t at = 0; at < bytes.size(); at += 8)
    b.append_load_as_imm(desc::ByteSpan(bytes).subspan(at, std::min<size_t>(8, bytes.size() - at)),
                         {.dst = desc::kRegOfifo});
}

TEST(FifoStore, UnknownTypes) {
  Rig rig;
  const Buffer out = rig.mem.output(8);
  for (unsigned type = 0; type < 64; ++type) {
    const bool known = type <= 8 || type == 0x0C || type == 0x0D || (type >= 0x10 && type <= 0x17) ||
                       (type >= 0x20 && type <= 0x29) || type == 0x30 || type == 0x31 || type == 0x34 || type == 0x35 ||
                       type == 0x3E || type == 0x3F;
    if (known) continue;
    for (const bool seq : {false, true}) {
      Builder b = rig.job();
      b.append_seq_out_ptr(out.addr, 8);
      b.append_cmd(FifoStore{.seq = seq, .type = static_cast<FifoStoreType>(type)});
      if (!seq) b.append_ptr(out.addr);
      EXPECT_EQ(rig.run(b), deco(DecoError::kFifoStore, 4)) << type;
    }
  }
}

class FifoStoreTest : public OnEveryPart {};

TEST_P(FifoStoreTest, Targets) {
  const Bytes bytes = filler(29, 1);
  for (const bool cont : {false, true})
    for (const int form : {0, 1, 2, 3, 4, 5}) {  // pointer, table, EXT, SEQ, SEQ VLF, SEQ EXT
      const Buffer out = rig.mem.output(29);
      const auto pieces = rig.mem.pieces(Bytes(29), {4, 1, 9}, hw_model::DmaDirection::kFromDevice);
      const Buffer table = rig.mem.table_of(pieces);
      Builder b = rig.job();
      FifoStore cmd{.cont = cont, .type = kMsg, .len = 29};
      if (form >= 3) {
        b.append_seq_out_ptr(out.addr, 40);
        if (form == 4) b.append_math_add_imm_u32(MathReg::kVarSeqOutLen, MathReg::kZero, MathReg::kImm, 29);
        cmd.seq = true;
      }
      cmd.sgf_vlf = form == 1 || form == 4;
      cmd.ext = form == 2 || form == 5;
      if (form == 4 || cmd.ext) cmd.len = 0;
      b.append_cmd(cmd);
      if (!cmd.seq) b.append_ptr(form == 1 ? table.addr : out.addr);
      if (cmd.ext) b.append_word(29);
      produce(b, bytes);
      EXPECT_EQ(rig.run(b), ok()) << form;
      std::string got = out.hex();
      if (form == 1) {
        got.clear();
        for (const Buffer& p : pieces) got += p.hex();
      }
      EXPECT_EQ(got, hex(bytes)) << form;
      EXPECT_EQ(rig.deco.r.sol, form >= 3 ? 11u : 0u);
      EXPECT_EQ(rig.deco.out_bytes(), form >= 3 ? 29u : 0u);
    }
}

TEST_P(FifoStoreTest, SkipMovesTheOutputPointer) {
  for (const bool sgf : {false, true})
    for (const bool vlf : {false, true}) {
      const Buffer out = rig.mem.output(24);
      const Buffer table =
          rig.mem.table({Memory::entry(out, 0, 3), Memory::entry(out, 3, 10), Memory::entry(out, 13, 11)});
      Builder b = rig.job();
      b.append_seq_out_ptr(sgf ? table.addr : out.addr, 24, {.sgf = sgf});
      b.append_seq_fifo_store(8, {.type = kMsg});
      if (vlf) b.append_math_add_imm_u32(MathReg::kVarSeqOutLen, MathReg::kZero, MathReg::kImm, 5);
      b.append_cmd(FifoStore{
          .seq = true, .sgf_vlf = vlf, .type = FifoStoreType::kSkip, .len = static_cast<uint16_t>(vlf ? 0 : 5)});
      b.append_seq_fifo_store(8, {.type = kMsg});
      produce(b, filler(16, 2));
      EXPECT_EQ(rig.run(b), ok());
      const std::string data = hex(filler(16, 2));
      const std::string kept = hex(Bytes(5, Memory::kUnwritten)), rest = hex(Bytes(3, Memory::kUnwritten));
      EXPECT_EQ(out.hex(), data.substr(0, 16) + kept + data.substr(16) + rest);
      EXPECT_EQ(rig.deco.r.sol, 3u);
      EXPECT_EQ(rig.deco.out_bytes(), 21u);
    }
}

// From the input sequence straight to the output sequence; both shrink (kernel rfc7539esp's IV).
TEST_P(FifoStoreTest, Metadata) {
  const Bytes bytes = filler(30, 3);
  const Buffer in_table = rig.mem.table_of(rig.mem.pieces(bytes, {4, 9}, hw_model::DmaDirection::kToDevice));
  const auto out_pieces = rig.mem.pieces(Bytes(30), {7, 2}, hw_model::DmaDirection::kFromDevice);
  const Buffer out_table = rig.mem.table_of(out_pieces);
  for (const bool vlf : {false, true}) {
    Builder b = rig.job();
    b.append_seq_in_ptr(in_table.addr, 30, {.sgf = true});
    b.append_seq_out_ptr(out_table.addr, 30, {.sgf = true});
    if (vlf) b.append_math_add_imm_u32(MathReg::kVarSeqOutLen, MathReg::kZero, MathReg::kImm, 20);
    FifoStore cmd{.seq = true, .cls = ClassSel::kClass2, .sgf_vlf = vlf, .type = FifoStoreType::kMetadata};
    cmd.len = vlf ? 0 : 20;
    b.append_cmd(cmd);
    b.append_seq_load(10, {.cls = ClassSel::kClass1, .dst = desc::kRegContext});
    EXPECT_EQ(rig.run(b), ok());
    std::string got;
    for (const Buffer& p : out_pieces) got += p.hex();
    EXPECT_EQ(got.substr(0, 40), hex({bytes.data(), 20}));
    EXPECT_EQ(hex({rig.c1().context(), 10}), hex({&bytes[20], 10})) << "the input goes on behind it";
    EXPECT_EQ(rig.deco.r.sil, 0u);
    EXPECT_EQ(rig.deco.r.sol, 10u);
  }
}

ON_EVERY_PART(FifoStoreTest);

TEST(FifoStore, MetadataRules) {
  Rig rig;
  const Buffer in = rig.mem.input(filler(8, 1)), out = rig.mem.output(16);
  const auto run = [&](FifoStore cmd, uint32_t in_len, uint32_t out_len) {
    Builder b = rig.job();
    b.append_seq_in_ptr(in.addr, in_len);
    b.append_seq_out_ptr(out.addr, out_len);
    cmd.type = FifoStoreType::kMetadata;
    b.append_cmd(cmd);
    if (!cmd.seq) b.append_ptr(out.addr);
    if (cmd.ext) b.append_word(4);
    return rig.run(b);
  };
  const FifoStore good{.seq = true, .cls = ClassSel::kClass2, .len = 8};
  EXPECT_EQ(run(good, 8, 8), ok());
  for (const unsigned aux : {0, 1, 3}) {
    FifoStore cmd = good;
    cmd.cls = static_cast<ClassSel>(aux);
    EXPECT_EQ(run(cmd, 8, 8), deco(DecoError::kFifoStore, 7)) << aux;
  }
  FifoStore cont = good, ext = good, not_seq = good;
  cont.cont = true;
  ext.ext = true;
  not_seq.seq = false;
  EXPECT_EQ(run(cont, 8, 8), deco(DecoError::kFifoStore, 7));
  EXPECT_EQ(run(ext, 8, 8), deco(DecoError::kFifoStore, 7));
  EXPECT_EQ(run(not_seq, 8, 8), deco(DecoError::kFifoStore, 7));
  EXPECT_EQ(run(good, 7, 8), deco(DecoError::kSequence, 7));
  EXPECT_EQ(run(good, 8, 7), deco(DecoError::kSequence, 7));
}

// In place and overlapping: what comes out is what was there before, or what a copy byte by byte gives; never a crash.
TEST(FifoStore, MetadataInPlace) {
  Rig rig;
  const Bytes bytes = filler(16, 1);
  const Buffer mem = rig.mem.both(bytes);
  Builder b = rig.job();
  b.append_seq_in_ptr(mem.addr, 16);
  b.append_seq_out_ptr(mem.addr, 16);
  b.append_cmd(FifoStore{.seq = true, .cls = ClassSel::kClass2, .type = FifoStoreType::kMetadata, .len = 16});
  EXPECT_EQ(rig.run(b), ok());
  EXPECT_EQ(mem.hex(), hex(bytes));
}

// A 16-bit ones'-complement sum of the stored bytes in DCHKSM.
TEST(FifoStore, Checksum) {
  struct Case {
    Bytes data;
    uint32_t sum;
  };
  const Case cases[] = {{{}, 0},
                        {{0x12}, 0x1200},
                        {{0x12, 0x34}, 0x1234},
                        {{0xFF, 0xFF, 0x00, 0x01}, 0x0001},
                        {{0x80, 0x00, 0x80, 0x00, 0x00, 0x05}, 0x0006},
                        {{0x45, 0x00, 0x00, 0x73, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11,
                          0xb8, 0x61, 0xc0, 0xa8, 0x00, 0x01, 0xc0, 0xa8, 0x00, 0xc7},
                         0xFFFF}};  // an IPv4 header with its checksum
  for (const bool store_first : {false, true})
    for (const Case& c : cases) {
      Rig rig;
      const Buffer out = rig.mem.output(c.data.size() + 1), sum = rig.mem.output(4);
      Builder b = rig.job();
      if (!store_first) produce(b, c.data);
      b.append_fifo_store(out.addr, {.type = FifoStoreType::kMsgChecksum, .len = static_cast<uint16_t>(c.data.size())});
      if (store_first) produce(b, c.data);
      b.append_store(sum.addr, {.cls = ClassSel::kDeco, .src = 0x03, .len = 4});
      EXPECT_EQ(rig.run(b), ok()) << c.data.size();
      EXPECT_EQ(desc::load32(sum.data, desc::Endian::kLittle), c.sum) << c.data.size();
      EXPECT_EQ(hex({out.data, c.data.size()}), hex(c.data));
    }
}

TEST(FifoStore, LengthComesOffSolAtOnce) {
  Rig rig;
  const Buffer out = rig.mem.output(64);
  Builder b = rig.job();
  b.append_seq_out_ptr(out.addr, 20);
  b.append_seq_fifo_store(12, {.type = kMsg});
  b.append_math_add(MathReg::kReg0, MathReg::kSeqOutLen, MathReg::kZero);
  b.append_math_add_imm_u32(MathReg::kVarSeqOutLen, MathReg::kZero, MathReg::kImm, 9);
  const unsigned index = b.len();
  b.append_seq_fifo_store(0, {.sgf_vlf = true, .type = kMsg});
  EXPECT_EQ(rig.run(b), deco(DecoError::kSequence, index));
  EXPECT_EQ(rig.math(0), 8u);
  EXPECT_EQ(rig.deco.r.vsol, 9u);
}

// Nothing produced for a store: the job hangs, whatever comes after it.
TEST(FifoStore, StoreWithoutData) {
  Rig rig;
  const Buffer out = rig.mem.output(8);
  Builder b = rig.job();
  b.append_fifo_store(out.addr, {.type = kMsg, .len = 8});
  produce(b, filler(7, 1));
  EXPECT_EQ(rig.run(b), deco(DecoError::kWatchdog, b.len() - 3));
  EXPECT_EQ(hex({out.data, 7}), hex(filler(7, 1))) << "as far as it goes";
}

TEST(FifoStore, UnstoredOutputIsDropped) {
  Rig rig;
  const Buffer out = rig.mem.output(8);
  Builder b = rig.job();
  produce(b, filler(20, 1));
  b.append_fifo_store(out.addr, {.type = kMsg, .len = 8});
  EXPECT_EQ(rig.run(b), ok());
  Builder next = rig.job();
  produce(next, filler(8, 2));
  next.append_fifo_store(out.addr, {.type = kMsg, .len = 8});
  EXPECT_EQ(rig.run(next), ok());
  EXPECT_EQ(out.hex(), hex(filler(8, 2)));
}

TEST(FifoStore, NonSequenceSkipDoesNothing) {
  Rig rig;
  Builder b = rig.job();
  b.append_cmd(FifoStore{.type = FifoStoreType::kSkip, .len = 100});
  b.append_jump_halt({.type = desc::JumpType::kHaltUser, .offset = 9});
  EXPECT_EQ(rig.run(b), JrStatus::jump_user(9, 2)) << "it has no pointer";
}

TEST(FifoStore, NothingOfAMessage) {
  Rig rig;
  Builder b = rig.job();
  b.append_fifo_store(0x40, {.type = kMsg, .len = 0});
  b.append_cmd(FifoStore{.seq = true, .type = kMsg});
  b.append_cmd(FifoStore{.seq = true, .type = FifoStoreType::kSkip});
  EXPECT_EQ(rig.run(b), ok()) << "without a sequence, too";
}

TEST(FifoStore, Errors) {
  Rig rig;
  const Buffer out = rig.mem.output(8), read_only = rig.mem.input(Bytes(16));
  for (const Buffer& target : {out, read_only}) {
    Builder b = rig.job();
    b.append_fifo_store(target.addr, {.type = kMsg, .len = 9});
    EXPECT_EQ(rig.run(b), deco(DecoError::kDma, 1));
  }
  EXPECT_EQ(rig.mem.take_faults(), 2u);
  const Buffer table = rig.mem.table({Memory::entry(out)});
  Builder b = rig.job();
  b.append_fifo_store(table.addr, {.sgf_vlf = true, .type = kMsg, .len = 9});
  EXPECT_EQ(rig.run(b), deco(DecoError::kSgLength, 1));
  const FifoStore plain{.type = kMsg, .len = 8}, seq_ext_vlf{.seq = true, .sgf_vlf = true, .ext = true, .type = kMsg};
  EXPECT_EQ(rig.run(Words{0xB0800002, encode(plain)}), deco(DecoError::kFifoStore, 1));
  EXPECT_EQ(rig.run(Words{0xB0800003, encode(seq_ext_vlf), 1}), deco(DecoError::kFifoStore, 1));
  FifoStore ext = plain;
  ext.ext = true;
  EXPECT_EQ(
      rig.run(Words{0xB0800004, encode(ext), static_cast<uint32_t>(out.addr), static_cast<uint32_t>(out.addr >> 32)}),
      deco(DecoError::kFifoStore, 1));
}

}  // namespace
}  // namespace caamlab::tests
