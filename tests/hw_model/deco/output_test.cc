// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// How data and commands meet (hardware.md 2.16, 3.1, 3.7): stores before their data, the operation last, in place,
// input and output cut differently, both classes at once, output for several takers, and work without end.
#include "tests/hw_model/deco/fixture.h"

namespace caamlab::tests {
namespace {

using desc::AlgOperation;
using desc::AlgState;
using desc::ClassSel;
using desc::DecoError;
using desc::FifoStoreType;
using desc::MathReg;
using desc::MoveDst;
using desc::MoveSrc;
using hw_model::DmaDirection;

// A cipher of class 1 with what it needs before its data.
struct Cipher {
  const char* name;
  AlgOperation op;
  unsigned key_len, ctx_at, ctx_len;  // GCM takes its IV as data
};
const Cipher kCiphers[] = {
    {"cbc", {.aai = desc::aai::kCbc, .as = AlgState::kInitFinal, .enc = true}, 16, 0, 16},
    {"cbc_dec", {.aai = desc::aai::kCbc, .as = AlgState::kInitFinal}, 32, 0, 16},
    {"ctr", {.aai = desc::aai::kCtrMod128, .as = AlgState::kUpdate, .enc = true}, 24, 16, 16},
    {"gcm", {.aai = desc::aai::kGcm, .as = AlgState::kInitFinal, .enc = true}, 16, 0, 0},
    {"gcm_dec", {.aai = desc::aai::kGcm, .as = AlgState::kInitFinal}, 32, 0, 0},
    {"des", {.alg = desc::Alg::kDes, .aai = desc::aai::kCbc, .as = AlgState::kInitFinal, .enc = true}, 8, 0, 8},
    {"3des_dec", {.alg = desc::Alg::k3Des, .aai = desc::aai::kEcb, .as = AlgState::kInitFinal}, 24, 0, 0},
};

void append_setup(Builder& b, const Cipher& c) {
  b.append_key_as_imm(filler(c.key_len, 1), c.key_len, {.cls = ClassSel::kClass1});
  if (c.ctx_len != 0)
    b.append_load_as_imm(
        filler(c.ctx_len, 2),
        {.cls = ClassSel::kClass1, .dst = desc::kRegContext, .offset = static_cast<uint8_t>(c.ctx_at)});
  if (c.op.aai == desc::aai::kGcm) b.append_fifo_load_as_imm(filler(12, 3), {.cls = ClassSel::kClass1, .type = 0x21});
}

class CipherTest : public testing::TestWithParam<Cipher> {
 protected:
  // The plain way: set up, operation, load, store.
  Bytes reference(const Bytes& text) {
    const Buffer in = rig.mem.input(text), out = rig.mem.output(text.size());
    Builder b = rig.job();
    append_setup(b, GetParam());
    b.append_operation(GetParam().op);
    b.append_fifo_load_extlen(in.addr, static_cast<uint32_t>(text.size()), {.cls = ClassSel::kClass1, .type = 0x12});
    b.append_fifo_store_extlen(out.addr, static_cast<uint32_t>(text.size()), {.type = FifoStoreType::kMsg});
    EXPECT_EQ(rig.run(b), ok());
    return out.bytes();
  }
  Rig rig;
};

// MCUX's templates issue whole loads and stores before the OPERATION; the kernel's AEAD stores before it loads.
TEST_P(CipherTest, AnyOrderOfCommands) {
  const Bytes text = filler(160, 5);
  const std::string want = hex(reference(text));
  std::vector<int> order = {0, 1, 2};
  do {
    const Buffer in = rig.mem.input(text), out = rig.mem.output(160);
    Builder b = rig.job();
    append_setup(b, GetParam());
    for (const int step : order) {
      if (step == 0) b.append_operation(GetParam().op);
      if (step == 1) b.append_fifo_load(in.addr, {.cls = ClassSel::kClass1, .type = 0x12, .len = 160});
      if (step == 2) b.append_fifo_store(out.addr, {.type = FifoStoreType::kMsg, .len = 160});
    }
    EXPECT_EQ(rig.run(b), ok());
    EXPECT_EQ(out.hex(), want) << order[0] << order[1] << order[2];
  } while (std::ranges::next_permutation(order).found);
}

TEST_P(CipherTest, InPlace) {
  for (const bool store_first : {false, true})
    for (const uint32_t len : {16u, 160u, 4096u, 70000u / 48 * 48}) {
      const Bytes text = filler(len, len);
      const Bytes want = reference(text);
      const Buffer mem = rig.mem.both(text);
      Builder b = rig.job();
      append_setup(b, GetParam());
      b.append_seq_in_ptr_extlen(mem.addr, len);
      b.append_seq_out_ptr_extlen(mem.addr, len);
      b.append_math_add(MathReg::kVarSeqInLen, MathReg::kSeqInLen, MathReg::kZero);
      b.append_math_add(MathReg::kVarSeqOutLen, MathReg::kSeqInLen, MathReg::kZero);
      b.append_operation(GetParam().op);
      const auto store = [&] { b.append_seq_fifo_store(0, {.sgf_vlf = true, .type = FifoStoreType::kMsg}); };
      if (store_first) store();
      b.append_seq_fifo_load(0, {.cls = ClassSel::kClass1, .sgf_vlf = true, .type = 0x12});
      if (!store_first) store();
      EXPECT_EQ(rig.run(b), ok());
      EXPECT_TRUE(mem.bytes() == want) << len;
    }
}

// In place through tables that cut the same memory differently for input and output.
TEST_P(CipherTest, CutsOfInputAndOutputDoNotMatter) {
  const Bytes text = filler(192, 6);
  const Bytes want = reference(text);
  const std::vector<std::vector<size_t>> cuts = {{192}, {1}, {3}, {16}, {64}, {5, 11}, {17, 1, 30}, {191, 1}, {1, 191}};
  for (const bool in_place : {false, true})
    for (const auto& in_cut : cuts)
      for (const auto& out_cut : cuts) {
        const Buffer from = rig.mem.both(text), to = in_place ? from : rig.mem.both(Bytes(192));
        const auto table = [&](const Buffer& mem, const std::vector<size_t>& cut) {
          std::vector<desc::SgEntry> entries;
          for (size_t at = 0, turn = 0; at < 192; ++turn) {
            const size_t n = std::min(cut[turn % cut.size()], 192 - at);
            entries.push_back(Memory::entry(mem, at, n));
            at += n;
          }
          return rig.mem.table(entries);
        };
        const Buffer in = table(from, in_cut), out = table(to, out_cut);
        Builder b = rig.job();
        append_setup(b, GetParam());
        b.append_seq_in_ptr(in.addr, 192, {.sgf = true});
        b.append_seq_out_ptr(out.addr, 192, {.sgf = true});
        b.append_operation(GetParam().op);
        b.append_seq_fifo_store(192, {.type = FifoStoreType::kMsg});
        b.append_seq_fifo_load(100, {.cls = ClassSel::kClass1, .type = 0x10});
        b.append_seq_fifo_load(92, {.cls = ClassSel::kClass1, .type = 0x12});
        ASSERT_EQ(rig.run(b), ok());
        ASSERT_EQ(to.hex(), hex(want)) << in_place << " " << in_cut[0] << " " << out_cut[0];
      }
}

// Output taken by stores, MOVE and MATH in turn: one stream in the order of the commands.
TEST_P(CipherTest, OutputGoesToItsTakersInOrder) {
  const Bytes text = filler(48, 7);
  const Bytes want = reference(text);
  const Buffer in = rig.mem.input(text), first = rig.mem.output(11), last = rig.mem.output(16);
  Builder b = rig.job();
  append_setup(b, GetParam());
  b.append_operation(GetParam().op);
  b.append_fifo_load(in.addr, {.cls = ClassSel::kClass1, .type = 0x12, .len = 48});
  b.append_fifo_store(first.addr, {.cont = true, .type = FifoStoreType::kMsg, .len = 11});
  b.append_move({.src = MoveSrc::kOutFifo, .dst = MoveDst::kMath1, .len = 8});
  b.append_math(desc::MathFn::kOr, MathReg::kReg2, MathReg::kZero, MathReg::kOutFifo, 8);
  b.append_move({.src = MoveSrc::kOutFifo, .dst = MoveDst::kClass2Ctx, .offset = 4, .len = 5});
  b.append_fifo_store(last.addr, {.type = FifoStoreType::kMsg, .len = 16});
  EXPECT_EQ(rig.run(b), ok());
  EXPECT_EQ(first.hex(), hex({want.data(), 11}));
  EXPECT_EQ(rig.math(1), desc::load_be64(&want[11]));
  EXPECT_EQ(rig.math(2), desc::load_be64(&want[19]));
  EXPECT_EQ(hex({rig.c2().context() + 4, 5}), hex({&want[27], 5}));
  EXPECT_EQ(last.hex(), hex({&want[32], 16}));
}

INSTANTIATE_TEST_SUITE_P(Ciphers, CipherTest, testing::ValuesIn(kCiphers),
                         [](const testing::TestParamInfo<Cipher>& info) { return std::string(info.param.name); });

// NIST SP 800-38A F.2.1, so that the comparisons above stand on something.
TEST(Output, CbcIsCbc) {
  Rig rig;
  const auto bytes = [](std::string_view s) {
    Bytes out;
    for (size_t i = 0; i < s.size(); i += 2)
      out.push_back(static_cast<uint8_t>(std::stoi(std::string(s.substr(i, 2)), nullptr, 16)));
    return out;
  };
  const Buffer out = rig.mem.output(16);
  Builder b = rig.job();
  b.append_key_as_imm(bytes("2b7e151628aed2a6abf7158809cf4f3c"), 16, {.cls = ClassSel::kClass1});
  b.append_load_as_imm(bytes("000102030405060708090a0b0c0d0e0f"), {.cls = ClassSel::kClass1, .dst = desc::kRegContext});
  b.append_fifo_load_as_imm(bytes("6bc1bee22e409f96e93d7e117393172a"), {.cls = ClassSel::kClass1, .type = 0x12});
  b.append_fifo_store(out.addr, {.type = FifoStoreType::kMsg, .len = 16});
  b.append_operation(kCiphers[0].op);
  EXPECT_EQ(rig.run(b), ok());
  EXPECT_EQ(out.hex(), "7649abac8119b246cee98e9b12e9197d");
}

// -- both classes
// -----------------------------------------------------------------------------------------------------------

// Encrypt then hash the ciphertext (out-snoop), or hash the input and encrypt or decrypt it (in-snoop), in place and
// apart, in pieces, class 1 or class 2 first, the operations last: always the same text and the same digest.
TEST(Output, CipherAndHashAtOnce) {
  const AlgOperation sha{.cls = ClassSel::kClass2, .alg = desc::Alg::kSha256, .as = AlgState::kInitFinal, .enc = true};
  for (const Cipher& cipher : kCiphers) {
    if (cipher.op.aai == desc::aai::kGcm) continue;
    for (const bool out_snoop : {false, true}) {
      std::string text_want, digest_want;
      for (unsigned way = 0; way < 48; ++way) {
        const bool in_place = (way & 1) != 0, pieces = (way & 2) != 0, class2_first = (way & 4) != 0;
        const bool store_first = (way & 8) != 0;
        const unsigned operations_at = way / 16;  // first, between load and store, last
        Rig rig;
        const Bytes text = filler(144, 9);
        const Buffer from = rig.mem.both(text), to = in_place ? from : rig.mem.both(Bytes(144));
        Builder b = rig.job();
        append_setup(b, cipher);
        std::vector<desc::SgEntry> entries;
        for (size_t at = 0; at < 144; at += 9) entries.push_back(Memory::entry(from, at, 9));
        const Buffer table = rig.mem.table(entries);
        b.append_seq_in_ptr(pieces ? table.addr : from.addr, 144, {.sgf = pieces});
        b.append_seq_out_ptr(to.addr, 144);
        const auto operations = [&] {
          if (class2_first) b.append_operation(sha);
          b.append_operation(cipher.op);
          if (!class2_first) b.append_operation(sha);
        };
        const auto load = [&] {
          b.append_seq_fifo_load(64, {.cls = ClassSel::kBoth, .type = static_cast<uint8_t>(out_snoop ? 0x18 : 0x10)});
          b.append_seq_fifo_load(80, {.cls = ClassSel::kBoth, .type = static_cast<uint8_t>(out_snoop ? 0x1E : 0x16)});
        };
        const auto store = [&] { b.append_seq_fifo_store(144, {.type = FifoStoreType::kMsg}); };
        if (operations_at == 0) operations();
        store_first ? store() : load();
        if (operations_at == 1) operations();
        store_first ? load() : store();
        if (operations_at == 2) operations();
        ASSERT_EQ(rig.run(b), ok()) << cipher.name << " " << way;
        const std::string digest = hex({rig.c2().context(), 32});
        if (way == 0) {
          text_want = to.hex();
          digest_want = digest;
          Builder hash = rig.job();
          hash.append_operation(sha);
          const Buffer hashed = rig.mem.input(out_snoop ? to.bytes() : text);
          hash.append_fifo_load(hashed.addr, {.cls = ClassSel::kClass2, .type = 0x14, .len = 144});
          ASSERT_EQ(rig.run(hash), ok());
          ASSERT_EQ(digest, hex({rig.c2().context(), 32}));
        }
        ASSERT_EQ(to.hex(), text_want) << cipher.name << " " << way;
        ASSERT_EQ(digest, digest_want) << cipher.name << " " << way;
      }
    }
  }
}

// A copy by way of class 2's block while class 1 encrypts nothing: null encryption, in place and apart.
TEST(Output, NullEncryptionCopiesThroughTheBlock) {
  for (const bool in_place : {false, true}) {
    Rig rig;
    const Bytes text = filler(200, 3);
    const Buffer from = rig.mem.both(text), to = in_place ? from : rig.mem.both(Bytes(200));
    Builder b = rig.job();
    b.append_operation(
        AlgOperation{.cls = ClassSel::kClass2, .alg = desc::Alg::kSha256, .as = AlgState::kInitFinal, .enc = true});
    b.append_seq_in_ptr(from.addr, 200);
    b.append_seq_out_ptr(to.addr, 200);
    b.append_seq_fifo_store(200, {.type = FifoStoreType::kMsg});
    b.append_seq_fifo_load(200, {.cls = ClassSel::kBoth, .type = 0x16});
    b.append_load_cmd({.cls = ClassSel::kDeco, .dst = desc::kRegControl, .offset = 0x08});
    b.append_move({.aux = 1, .src = MoveSrc::kInFifoClass, .dst = MoveDst::kOutFifo, .len = 200});
    EXPECT_EQ(rig.run(b), ok());
    EXPECT_EQ(to.hex(), hex(text));
  }
}

// -- waiting that cannot end, and work that would not
// -----------------------------------------------------------------------

TEST(Output, MoveWaitsForEarlierStores) {
  Rig rig;
  const Buffer out = rig.mem.output(16);
  Builder b = rig.job();
  b.append_fifo_store(out.addr, {.type = FifoStoreType::kMsg, .len = 16});
  b.append_load_as_imm(filler(8, 1), {.dst = desc::kRegOfifo});
  const unsigned index = b.len();
  b.append_move({.src = MoveSrc::kOutFifo, .dst = MoveDst::kMath0, .len = 4});
  EXPECT_EQ(rig.run(b), deco(DecoError::kWatchdog, index)) << "the bytes there are the store's";
}

TEST(Output, EndlessOutputIsStopped) {
  Rig rig;
  Builder b = rig.job();
  b.append_math_add_imm_u32(MathReg::kReg1, MathReg::kZero, MathReg::kImm, 0xFFFF);
  const auto loop = b.here();
  b.append_move_len({.src = MoveSrc::kMath0, .dst = MoveDst::kOutFifo, .math = 1});
  b.append_jump_to(loop, {});
  EXPECT_EQ(rig.run(b).deco_error(), DecoError::kWatchdog);
  EXPECT_LT(rig.deco.stats().commands, 10000u) << "long before the bound on commands";
}

TEST(Output, EndlessInputIsStopped) {
  for (const MoveDst dst : {MoveDst::kInFifo, MoveDst::kAuxFifo, MoveDst::kClass1InFifo}) {
    Rig rig;
    Builder b = rig.job();
    b.append_math_add_imm_u32(MathReg::kReg1, MathReg::kZero, MathReg::kImm, 0xFFFF);
    const auto loop = b.here();
    b.append_move_len({.src = MoveSrc::kMath0, .dst = dst, .math = 1});
    b.append_jump_to(loop, {});
    EXPECT_EQ(rig.run(b).deco_error(), DecoError::kWatchdog);
    EXPECT_LT(rig.deco.stats().commands, 10000u);
  }
}

// Class 1 overflowing OFIFO: 300 MB by reference, nobody stores.
TEST(Output, UnstoredOutputIsBounded) {
  Rig rig;
  const Buffer in = rig.mem.input(Bytes(1 << 20));
  Builder b = rig.job();
  append_setup(b, kCiphers[2]);
  b.append_operation(kCiphers[2].op);
  const auto loop = b.here();
  b.append_fifo_load_extlen(in.addr, 1 << 20, {.cls = ClassSel::kClass1, .type = 0x10});
  b.append_word(encode(desc::Jump{.jsl = true, .cond = desc::kCondNip, .offset = 1}));
  b.append_jump_to(loop, {});
  EXPECT_EQ(rig.run(b).deco_error(), DecoError::kWatchdog);
  EXPECT_LT(rig.deco.stats().commands, 300u);
}

}  // namespace
}  // namespace caamlab::tests
