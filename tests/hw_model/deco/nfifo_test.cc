// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Information FIFO entries written by hand (hardware.md 3.1 to 3.4): sources and destinations, order, pads, snooping,
// boundary padding, the copy of OFIFO, and the LOAD destinations 0x70 to 0x7A.
#include <functional>

#include "tests/hw_model/deco/fixture.h"

namespace caamlab::tests {
namespace {

using desc::ClassSel;
using desc::DecoError;
using desc::MathReg;
using desc::MoveDst;
using desc::MoveSrc;
using desc::NfifoData;
using desc::NfifoDest;
using desc::NfifoEntry;
using desc::NfifoPad;
using desc::NfifoSource;

constexpr desc::AlgOperation kGcm{.aai = desc::aai::kGcm, .as = desc::AlgState::kInitFinal, .enc = true};
constexpr desc::AlgOperation kCbc{.aai = desc::aai::kCbc, .as = desc::AlgState::kInitFinal, .enc = true};
constexpr desc::AlgOperation kSha256{
    .cls = ClassSel::kClass2, .alg = desc::Alg::kSha256, .as = desc::AlgState::kInitFinal, .enc = true};

// A job that works with entries: automatic ones are off.
class Program {
 public:
  explicit Program(Rig& rig) : b(rig.job()), rig_(rig) {
    b.append_load_cmd({.cls = ClassSel::kDeco, .dst = desc::kRegControl, .offset = 0x08});
  }
  void data(const Bytes& bytes) { b.append_fifo_load_as_imm(bytes, {.cls = ClassSel::kClass1, .type = 0x0F}); }
  void entry(const NfifoEntry& e) { b.append_load_imm_u32(encode(e), {.dst = desc::kRegNfifo}); }
  // Entry whose length does not fit DLEN or PLEN.
  void entry(const NfifoEntry& e, uint32_t len) {
    b.append_cmd(desc::Load{.imm = true, .dst = desc::kRegNfifo, .len = 8});
    b.append_word(encode(e));
    b.append_word(len);
  }
  void output(const Bytes& bytes) {
    for (size_t at = 0; at < bytes.size(); at += 8)
      b.append_load_as_imm(desc::ByteSpan(bytes).subspan(at, std::min<size_t>(8, bytes.size() - at)),
                           {.dst = desc::kRegOfifo});
  }
  // Block 0 of the DECO, 1 and 2 of the classes; `n` bytes to memory that the result can be read from.
  Buffer fetch(uint8_t block, uint16_t n) {
    const Buffer out = rig_.mem.output(n);
    desc::Move move{.aux = block, .src = MoveSrc::kAlignBlock, .dst = MoveDst::kOutFifo};
    move.offset = static_cast<uint8_t>(n >> 8);
    move.len = static_cast<uint8_t>(n);
    b.append_move(move);
    b.append_fifo_store(out.addr, {.type = desc::FifoStoreType::kMsg, .len = n});
    return out;
  }
  JrStatus run() { return rig_.run(b); }

  Builder b;

 private:
  Rig& rig_;
};

NfifoEntry to(NfifoDest dest, uint16_t len, NfifoData data = NfifoData::kMsg) {
  return {.dest = dest, .data = data, .len = len};
}

TEST(Nfifo, DestinationsInOrder) {
  Rig rig;
  const Bytes bytes = filler(30, 1);
  Program p(rig);
  p.entry(to(NfifoDest::kClass2, 7));  // entries may come before their data
  p.entry(to(NfifoDest::kBoth, 5));
  p.entry(to(NfifoDest::kDeco, 4, NfifoData::kSkip));
  p.entry(to(NfifoDest::kDeco, 8));
  p.entry(to(NfifoDest::kClass1, 6));
  p.data(bytes);
  const Buffer c2 = p.fetch(2, 12), c1 = p.fetch(1, 11), d = p.fetch(0, 8);
  EXPECT_EQ(p.run(), ok());
  const std::string all = hex(bytes);
  const auto part = [&](size_t at, size_t n) { return all.substr(2 * at, 2 * n); };
  EXPECT_EQ(c2.hex(), part(0, 7) + part(7, 5));
  EXPECT_EQ(c1.hex(), part(7, 5) + part(24, 6));
  EXPECT_EQ(d.hex(), part(16, 8));
}

// An earlier entry without data starves everybody behind it.
TEST(Nfifo, EarlierEntryStarvesLaterOnes) {
  Rig rig;
  Program p(rig);
  p.entry({.src = NfifoSource::kInFifo, .data = NfifoData::kMsg, .ast = true, .len = 1});  // the AUX FIFO is empty
  p.entry(to(NfifoDest::kDeco, 8));
  p.data(filler(8, 1));
  const unsigned index = p.b.len();
  p.fetch(0, 8);
  EXPECT_EQ(p.run(), deco(DecoError::kWatchdog, index));
}

TEST(Nfifo, EntryLeftAtTheEndHangs) {
  Rig rig;
  Program p(rig);
  p.entry(to(NfifoDest::kClass1, 8));
  p.data(filler(7, 1));
  EXPECT_EQ(p.run().deco_error(), DecoError::kWatchdog);
}

TEST(Nfifo, DataTypesOfTheDeco) {
  for (unsigned type = 0; type < 16; ++type)
    for (const uint16_t len : {0, 4}) {
      Rig rig;
      Program p(rig);
      p.data(filler(4, 1));
      p.entry(to(NfifoDest::kDeco, len, static_cast<NfifoData>(type)));
      const bool legal = type == 0xE || type == 0xF;
      EXPECT_EQ(p.run(), legal ? ok() : deco(DecoError::kSkipType, p.b.len() - 2)) << type;
    }
}

// -- the LOAD destinations
// ------------------------------------------------------------------------------------------------

class NfifoOnParts : public OnEveryPart {};

// Literal (4 or 8 bytes) or from MATH; with or without an entry; with or without adding to the size.
TEST_P(NfifoOnParts, LoadDestinations) {
  struct Row {
    uint8_t dst;
    bool from_math, entry, adds;
  };
  const Row rows[] = {{desc::kRegNfifoSzl, false, true, true}, {desc::kRegNfifoSzm, true, true, true},
                      {desc::kRegNfifoL, false, true, false},  {desc::kRegNfifoM, true, true, false},
                      {desc::kRegSizeSzl, false, false, true}, {desc::kRegSizeSzm, true, false, true},
                      {desc::kRegNfifo, false, true, false}};
  const Bytes bytes = filler(40, 1);
  for (const Row& row : rows)
    for (const uint8_t len : {uint8_t{4}, uint8_t{8}}) {
      if (row.from_math && len == 8) continue;
      Program p(rig);
      p.b.append_math_add_imm_u32(MathReg::kReg2, MathReg::kZero, MathReg::kImm, 20);
      p.data(bytes);
      desc::Load load{.imm = true, .dst = row.dst, .len = row.from_math ? uint8_t{2} : len};
      p.b.append_cmd(load);
      // The length that counts: MATH2's, DLEN's, or the second word's.
      p.b.append_word(encode(to(NfifoDest::kClass2, row.from_math ? 5 : len == 8 ? 3 : 20)));
      if (!row.from_math && len == 8) p.b.append_word(20);
      Buffer got;
      if (row.entry) got = p.fetch(2, 20);
      EXPECT_EQ(p.run(), ok()) << std::hex << unsigned{row.dst};
      if (row.entry) {
        EXPECT_EQ(got.hex(), hex({bytes.data(), 20}));
      }
      EXPECT_EQ(rig.c2().data_size, row.adds ? 20u : 0u) << std::hex << unsigned{row.dst};
      EXPECT_EQ(rig.c1().data_size, 0u);
    }
}

ON_EVERY_PART(NfifoOnParts);

TEST(Nfifo, SizesByDataTypeAndDestination) {
  for (const NfifoDest dest : {NfifoDest::kDeco, NfifoDest::kClass1, NfifoDest::kClass2, NfifoDest::kBoth})
    for (const NfifoData type :
         {NfifoData::kMsg, NfifoData::kIv, NfifoData::kAad, NfifoData::kSad, NfifoData::kPoly, NfifoData::kIcv}) {
      Rig rig;
      Builder b = rig.job();
      b.append_load_imm_u32(encode(to(dest, 20, type)), {.dst = desc::kRegSizeSzl});
      EXPECT_EQ(rig.run(b), ok());
      for (const unsigned c : {1u, 2u}) {
        const hw_model::ClassRegs& regs = c == 1 ? rig.c1() : rig.c2();
        const bool here = (static_cast<unsigned>(dest) & c) != 0;
        const bool aad = type == NfifoData::kAad || type == NfifoData::kSad || type == NfifoData::kPoly;
        EXPECT_EQ(regs.data_size, here && type == NfifoData::kMsg ? 20u : 0u);
        EXPECT_EQ(regs.iv_size, here && type == NfifoData::kIv ? 4u : 0u);
        EXPECT_EQ(regs.aad_size, here && aad ? 4u : 0u);
        EXPECT_EQ(regs.icv_size, here && type == NfifoData::kIcv ? 20u : 0u);
      }
    }
}

TEST(Nfifo, LengthOfMathIsThirtyTwoBits) {
  Rig rig;
  const Bytes bytes = filler(5000, 1);
  const Buffer in = rig.mem.input(bytes);
  Program p(rig);
  p.b.append_math_imm_u64(desc::MathFn::kOr, MathReg::kReg1, MathReg::kZero, MathReg::kImm, 0xFF'0000'1388);
  p.b.append_fifo_load(in.addr, {.cls = ClassSel::kClass1, .type = 0x0F, .len = 5000});
  p.b.append_load_imm_u32(encode(to(NfifoDest::kDeco, 0)), {.dst = desc::kRegNfifoM, .len = 1});
  const Buffer got = p.fetch(0, 5000);
  EXPECT_EQ(p.run(), ok());
  EXPECT_EQ(got.hex(), hex(bytes));
}

// -- pads
// -------------------------------------------------------------------------------------------------------------------

TEST(Nfifo, PadPatterns) {
  for (unsigned type = 0; type < 8; ++type)
    for (unsigned n = 0; n <= 255; n += n < 20 ? 1 : 47) {
      Rig rig;
      Program p(rig);
      p.entry({.src = NfifoSource::kPad,
               .data = NfifoData::kMsg,
               .pad = static_cast<NfifoPad>(type),
               .len = static_cast<uint16_t>(n)});
      const Buffer got = p.fetch(0, static_cast<uint16_t>(n));
      ASSERT_EQ(p.run(), ok()) << type << " " << n;
      if (n == 0) continue;
      const uint8_t last = static_cast<uint8_t>(n - 1);
      bool zero_inside = false, all_zero = true;
      for (unsigned i = 0; i + 1 < n; ++i) {
        zero_inside = zero_inside || got.data[i] == 0;
        all_zero = all_zero && got.data[i] == 0;
      }
      const uint8_t end = got.data[n - 1];
      switch (type) {
        case 0:
          EXPECT_TRUE(all_zero && end == 0);
          break;
        case 1:
          EXPECT_FALSE(zero_inside || end == 0);
          break;
        case 2:
          for (unsigned i = 0; i + 1 < n; ++i) EXPECT_EQ(got.data[i], static_cast<uint8_t>(i + 1));
          EXPECT_EQ(end, last);
          break;
        case 3:
          EXPECT_TRUE(n < 8 || !all_zero);
          break;
        case 4:
          EXPECT_TRUE(all_zero && end == last);
          break;
        case 5:
          EXPECT_TRUE(!zero_inside && end == 0);
          break;
        case 6:
          for (unsigned i = 0; i < n; ++i) EXPECT_EQ(got.data[i], last);
          break;
        default:
          EXPECT_TRUE(!zero_inside && end == last);
      }
    }
}

TEST(Nfifo, PadToEveryDestination) {
  for (const NfifoDest dest : {NfifoDest::kDeco, NfifoDest::kClass1, NfifoDest::kClass2, NfifoDest::kBoth}) {
    Rig rig;
    Program p(rig);
    p.entry({.dest = dest, .src = NfifoSource::kPad, .data = NfifoData::kMsg, .pad = NfifoPad::kIncrement, .len = 4});
    std::vector<Buffer> got;
    if (dest == NfifoDest::kDeco) got.push_back(p.fetch(0, 4));
    if ((static_cast<unsigned>(dest) & 1) != 0) got.push_back(p.fetch(1, 4));
    if ((static_cast<unsigned>(dest) & 2) != 0) got.push_back(p.fetch(2, 4));
    EXPECT_EQ(p.run(), ok());
    for (const Buffer& g : got) EXPECT_EQ(g.hex(), "01020303");
  }
}

// The kernel's random IV: pad to the DECO, MOVE to the context with entries off.
TEST(Nfifo, RandomIv) {
  Rig rig;
  Program p(rig);
  p.entry({.lc1 = true, .src = NfifoSource::kPad, .data = NfifoData::kMsg, .pad = NfifoPad::kRandom, .len = 16});
  p.b.append_move({.wait = true, .src = MoveSrc::kInFifoDeco, .dst = MoveDst::kClass1Ctx, .len = 16});
  EXPECT_EQ(p.run(), ok());
  TestRandom same;
  Bytes want(16);
  same.random_bytes(want);
  EXPECT_EQ(hex({rig.c1().context(), 16}), hex(want));
}

TEST(Nfifo, PadLongerThanAnyMemory) {
  Rig rig;
  Program p(rig);
  p.entry({.src = NfifoSource::kPad, .data = NfifoData::kMsg}, 0xFFFFFFFF);
  EXPECT_EQ(p.run().deco_error(), DecoError::kWatchdog);
}

// -- boundaries
// ---------------------------------------------------------------------------------------------------------------

// BND on data: zeros up to the next sixteen bytes, counted from where the data of this kind began.
TEST(Nfifo, BoundaryPaddingOfData) {
  for (const NfifoDest dest : {NfifoDest::kClass1, NfifoDest::kClass2, NfifoDest::kBoth})
    for (unsigned before = 0; before <= 20; before += 5)
      for (unsigned n = 0; n <= 33; n += 3) {
        Rig rig;
        const Bytes bytes = filler(before + n, 1);
        Program p(rig);
        NfifoEntry first = to(dest, static_cast<uint16_t>(before));
        first.fc1 = first.fc2 = true;  // what follows starts a block of its own
        p.entry(first);
        NfifoEntry padded = to(dest, static_cast<uint16_t>(n));
        padded.bnd = true;
        p.entry(padded);
        p.data(bytes);
        const uint16_t whole = static_cast<uint16_t>(before + (n + 15) / 16 * 16);
        std::vector<Buffer> got;
        for (const uint8_t c : {1, 2})
          if ((static_cast<unsigned>(dest) & c) != 0) got.push_back(p.fetch(c, whole));
        ASSERT_EQ(p.run(), ok()) << before << " " << n;
        for (const Buffer& g : got) ASSERT_EQ(g.hex(), hex(bytes) + std::string(2 * (whole - before - n), '0'));
      }
}

// Boundary padding that nobody moved does not reach the CHA once the data before it is out (3.3).
TEST(Nfifo, BoundaryPaddingIsDroppedByMove) {
  Rig rig;
  Program p(rig);
  p.b.append_key_as_imm(filler(16, 1), 16, {.cls = ClassSel::kClass1});
  NfifoEntry padded = to(NfifoDest::kClass1, 5);
  padded.bnd = true;
  p.entry(padded);
  p.data(filler(5, 2));
  const Buffer got = p.fetch(1, 5);
  p.b.append_load_as_imm(filler(16, 3), {.cls = ClassSel::kClass1, .dst = desc::kRegContext});
  p.b.append_operation(kCbc);
  NfifoEntry message = to(NfifoDest::kClass1, 16);
  message.lc1 = true;
  p.entry(message);
  p.data(filler(16, 4));
  const Buffer out = rig.mem.output(16);
  p.b.append_fifo_store(out.addr, {.type = desc::FifoStoreType::kMsg, .len = 16});
  EXPECT_EQ(p.run(), ok());
  EXPECT_EQ(got.hex(), hex(filler(5, 2)));

  Builder plain = rig.job();
  const Buffer want = rig.mem.output(16);
  plain.append_key_as_imm(filler(16, 1), 16, {.cls = ClassSel::kClass1});
  plain.append_load_as_imm(filler(16, 3), {.cls = ClassSel::kClass1, .dst = desc::kRegContext});
  plain.append_operation(kCbc);
  plain.append_fifo_load_as_imm(filler(16, 4), {.cls = ClassSel::kClass1, .type = 0x12});
  plain.append_fifo_store(want.addr, {.type = desc::FifoStoreType::kMsg, .len = 16});
  EXPECT_EQ(rig.run(plain), ok());
  EXPECT_EQ(out.hex(), want.hex());
}

// BND on a pad: as many bytes as the boundary needs, PLEN more; BM: one less.
TEST(Nfifo, BoundaryPads) {
  for (const bool minus_one : {false, true})
    for (const unsigned plen : {0u, 2u, 16u})
      for (unsigned n = 0; n <= 32; ++n) {
        Rig rig;
        Program p(rig);
        p.data(filler(n, 1));
        p.entry(to(NfifoDest::kClass2, static_cast<uint16_t>(n)));
        p.entry({.dest = NfifoDest::kClass2,
                 .src = NfifoSource::kPad,
                 .data = NfifoData::kMsg,
                 .bnd = true,
                 .pad = NfifoPad::kAllN,
                 .len = static_cast<uint16_t>(plen | (minus_one ? 0x800 : 0))});
        unsigned end = n + plen;
        while (end % 16 != (minus_one ? 15 : 0)) ++end;
        const unsigned pad = end - n;
        const Buffer got = p.fetch(2, static_cast<uint16_t>(end));
        ASSERT_EQ(p.run(), ok()) << n << " " << plen;
        std::string want = hex(filler(n, 1));
        if (pad != 0) want += hex(Bytes(pad, static_cast<uint8_t>(pad - 1)));
        ASSERT_EQ(got.hex(), want) << n << " " << plen;
      }
}

// -- OFIFO as a source
// ----------------------------------------------------------------------------------------------------------

TEST(Nfifo, OutputFifoIsCopiedAndNeverPopped) {
  Rig rig;
  const Bytes bytes = filler(24, 1);
  const Buffer out = rig.mem.output(24);
  Program p(rig);
  p.output(bytes);
  for (const bool ast : {false, true})
    p.entry({.dest = NfifoDest::kClass2, .src = NfifoSource::kOutFifo, .data = NfifoData::kMsg, .ast = ast, .len = 16});
  const Buffer copies = p.fetch(2, 32);
  p.b.append_fifo_store(out.addr, {.type = desc::FifoStoreType::kMsg, .len = 24});
  // fetch() pushed 32 bytes behind the 24, and took the first 32 for its own store.
  EXPECT_EQ(p.run(), ok());
  EXPECT_EQ(copies.hex(), hex(bytes) + hex({bytes.data(), 8}));
  EXPECT_EQ(out.hex(), hex({&bytes[8], 8}) + hex({bytes.data(), 16}));
}

// The kernel's IV-generating descriptors: one store of IV and text, the IV copied to class 2 on its way.
TEST(Nfifo, OutputFifoCopyWithAStoreBehind) {
  for (const bool store_first : {false, true}) {
    Rig rig;
    const Bytes bytes = filler(24, 1);
    const Buffer out = rig.mem.output(24);
    Program p(rig);
    const auto store = [&] { p.b.append_fifo_store(out.addr, {.type = desc::FifoStoreType::kMsg, .len = 24}); };
    if (store_first) p.b.append_operation(kSha256);
    p.output({bytes.begin(), bytes.begin() + 16});
    p.entry(
        {.dest = NfifoDest::kClass2, .lc2 = true, .src = NfifoSource::kOutFifo, .data = NfifoData::kMsg, .len = 16});
    store();
    p.output({bytes.begin() + 16, bytes.end()});
    if (!store_first) p.b.append_operation(kSha256);
    EXPECT_EQ(p.run(), ok());
    EXPECT_EQ(out.hex(), hex(bytes));
    Builder hash = rig.job();
    const std::string got = hex({rig.c2().context(), 32});
    hash.append_operation(kSha256);
    hash.append_fifo_load_as_imm(desc::ByteSpan(bytes).first(16), {.cls = ClassSel::kClass2, .type = 0x14});
    EXPECT_EQ(rig.run(hash), ok());
    EXPECT_EQ(got, hex({rig.c2().context(), 32}));
  }
}

// It sees the head behind all stores issued before it (PDCP: the payload stored, the MAC behind it passed on).
TEST(Nfifo, OutputFifoBehindEarlierStores) {
  for (const bool data_first : {false, true}) {
    Rig rig;
    const Bytes bytes = filler(24, 1);
    const Buffer out = rig.mem.output(16);
    Program p(rig);
    if (data_first) p.output(bytes);
    p.b.append_fifo_store(out.addr, {.type = desc::FifoStoreType::kMsg, .len = 16});
    p.entry({.src = NfifoSource::kOutFifo, .data = NfifoData::kMsg, .len = 8});
    if (!data_first) p.output(bytes);
    p.b.append_move({.src = MoveSrc::kAlignBlock, .dst = MoveDst::kMath0, .len = 8});
    p.b.append_move({.src = MoveSrc::kOutFifo, .dst = MoveDst::kMath1, .len = 8});
    EXPECT_EQ(p.run(), ok());
    EXPECT_EQ(out.hex(), hex({bytes.data(), 16}));
    EXPECT_EQ(rig.math(0), desc::load_be64(&bytes[16]));
    EXPECT_EQ(rig.math(1), desc::load_be64(&bytes[16])) << "and they are still there";
  }
}

// After DECO control emptied OFIFO, the head is where new data begins.
TEST(Nfifo, OutputFifoAfterAReset) {
  Rig rig;
  const Buffer out = rig.mem.output(8);
  Program p(rig);
  p.output(filler(5, 1));
  p.b.append_load_cmd({.cls = ClassSel::kDeco, .dst = desc::kRegControl, .len = 0x20});
  p.b.append_fifo_store(out.addr, {.type = desc::FifoStoreType::kMsg, .len = 8});
  p.b.append_load_cmd({.cls = ClassSel::kDeco, .dst = desc::kRegControl, .len = 0x20});
  p.entry({.src = NfifoSource::kOutFifo, .data = NfifoData::kMsg, .len = 8});
  p.output(filler(8, 2));
  p.output(filler(8, 3));
  p.b.append_move({.src = MoveSrc::kAlignBlock, .dst = MoveDst::kMath0, .len = 8});
  EXPECT_EQ(p.run(), ok());
  EXPECT_EQ(out.hex(), hex(filler(8, 2)));
  EXPECT_EQ(rig.math(0), desc::load_be64(filler(8, 3).data()));
}

// -- snooping
// -------------------------------------------------------------------------------------------------------------------

// Class 1 encrypts, class 2 hashes what comes out: against the same in two jobs.
TEST(Nfifo, OutSnoop) {
  for (const bool ast : {false, true})
    for (const int order : {0, 1, 2}) {  // data first, store first, operations last
      Rig rig;
      const Bytes bytes = filler(48, 1);
      const Buffer out = rig.mem.output(48);
      Program p(rig);
      p.b.append_key_as_imm(filler(16, 2), 16, {.cls = ClassSel::kClass1});
      const auto operations = [&] {
        p.b.append_operation(kCbc);
        p.b.append_operation(kSha256);
      };
      const auto store = [&] { p.b.append_fifo_store(out.addr, {.type = desc::FifoStoreType::kMsg, .len = 48}); };
      if (order != 2) operations();
      if (order == 1) store();
      NfifoEntry e{.dest = NfifoDest::kBoth, .lc2 = true, .lc1 = true, .src = NfifoSource::kSnoop};
      e.data = NfifoData::kMsg;
      e.ast = ast;
      e.len = 48;
      p.entry(e);
      if (ast)
        for (size_t at = 0; at < 48; at += 8)
          p.b.append_load_as_imm(desc::ByteSpan(bytes).subspan(at, 8), {.dst = desc::kRegAltSource});
      else
        p.data(bytes);
      if (order != 1) store();
      if (order == 2) operations();
      EXPECT_EQ(p.run(), ok()) << order;
      const std::string digest = hex({rig.c2().context(), 32});
      Builder hash = rig.job();
      hash.append_operation(kSha256);
      const Buffer cipher = rig.mem.input(out.bytes());
      hash.append_fifo_load(cipher.addr, {.cls = ClassSel::kClass2, .type = 0x14, .len = 48});
      EXPECT_EQ(rig.run(hash), ok());
      EXPECT_EQ(digest, hex({rig.c2().context(), 32})) << order;
      EXPECT_NE(out.hex(), hex(bytes));
    }
}

// What goes to class 2 directly waits behind what it snoops, even when class 1 starts last.
TEST(Nfifo, SnoopedDataKeepsItsPlace) {
  std::string digests[2];
  for (const bool class1_last : {false, true}) {
    Rig rig;
    const Buffer out = rig.mem.output(16);
    Builder b = rig.job();
    b.append_key_as_imm(filler(16, 2), 16, {.cls = ClassSel::kClass1});
    if (!class1_last) b.append_operation(kCbc);
    b.append_operation(kSha256);
    b.append_fifo_load_as_imm(filler(16, 1), {.cls = ClassSel::kBoth, .type = 0x18 | 2});
    b.append_fifo_load_as_imm(filler(5, 3), {.cls = ClassSel::kClass2, .type = 0x14});
    b.append_fifo_store(out.addr, {.type = desc::FifoStoreType::kMsg, .len = 16});
    b.append_word(encode(desc::Jump{.jsl = true, .cond = desc::kCondNip, .offset = 1}));  // runs the agents
    if (class1_last) b.append_operation(kCbc);
    EXPECT_EQ(rig.run(b), ok());
    digests[class1_last] = hex({rig.c2().context(), 32});
  }
  EXPECT_EQ(digests[0], digests[1]);
}

// PS: class 2 takes the pad as class 1 puts it out.
TEST(Nfifo, PadSnoopedFromOutput) {
  Rig rig;
  const Buffer out = rig.mem.output(16);
  Program p(rig);
  p.b.append_key_as_imm(filler(16, 2), 16, {.cls = ClassSel::kClass1});
  p.b.append_operation(kCbc);
  p.b.append_operation(kSha256);
  p.entry({.dest = NfifoDest::kBoth,
           .lc2 = true,
           .lc1 = true,
           .src = NfifoSource::kPad,
           .data = NfifoData::kMsg,
           .pad = NfifoPad::kIncrement,
           .len = 16 | 0x400});
  p.b.append_fifo_store(out.addr, {.type = desc::FifoStoreType::kMsg, .len = 16});
  EXPECT_EQ(p.run(), ok());
  const std::string digest = hex({rig.c2().context(), 32});
  Builder hash = rig.job();
  hash.append_operation(kSha256);
  hash.append_fifo_load_as_imm(out.bytes(), {.cls = ClassSel::kClass2, .type = 0x14});
  EXPECT_EQ(rig.run(hash), ok());
  EXPECT_EQ(digest, hex({rig.c2().context(), 32}));
}

// -- the CHA's view
// ---------------------------------------------------------------------------------------------------------------

TEST(Nfifo, DataOutOfSequence) {
  struct Case {
    std::vector<NfifoData> order;
    bool wrong;
  };
  const NfifoData iv = NfifoData::kIv, aad = NfifoData::kAad, msg = NfifoData::kMsg;
  for (const Case& c : {Case{{iv, aad, msg}, false}, Case{{iv, msg}, false}, Case{{aad}, true},
                        Case{{iv, msg, aad}, true}, Case{{iv, aad, iv}, true}, Case{{msg}, true}}) {
    Rig rig;
    Program p(rig);
    p.b.append_key_as_imm(filler(16, 1), 16, {.cls = ClassSel::kClass1});
    p.b.append_operation(kGcm);
    for (size_t i = 0; i < c.order.size(); ++i) {
      NfifoEntry e = to(NfifoDest::kClass1, 12, c.order[i]);
      e.fc1 = true;
      e.lc1 = i + 1 == c.order.size();
      p.entry(e);
    }
    p.data(filler(36, 2));
    EXPECT_EQ(p.run().word & 0xF00000FF, c.wrong ? 0x20000016u : 0u) << c.order.size();
  }
}

// DTYPE Poly waits in the block of class 1 for a MOVE, whatever runs there.
TEST(Nfifo, PolyDataIsNotEncrypted) {
  Rig rig;
  Program p(rig);
  p.b.append_key_as_imm(filler(16, 1), 16, {.cls = ClassSel::kClass1});
  p.b.append_operation(kCbc);
  NfifoEntry poly = to(NfifoDest::kClass1, 5, NfifoData::kPoly);
  poly.bnd = poly.fc1 = true;
  p.entry(poly);
  NfifoEntry message = to(NfifoDest::kClass1, 16);
  message.lc1 = true;
  p.entry(message);
  p.data(filler(21, 2));
  const Buffer moved = p.fetch(1, 5), cipher = rig.mem.output(16);
  p.b.append_fifo_store(cipher.addr, {.type = desc::FifoStoreType::kMsg, .len = 16});
  EXPECT_EQ(p.run(), ok());
  EXPECT_EQ(moved.hex(), hex({filler(21, 2).data(), 5}));
}

// An empty entry is passed over by a MOVE of nothing, and only by that.
TEST(Nfifo, EmptyEntryAndMoveOfNothing) {
  Rig rig;
  Program p(rig);
  NfifoEntry empty = to(NfifoDest::kClass1, 0, NfifoData::kPoly);
  empty.fc1 = true;
  p.entry(empty);
  p.entry(to(NfifoDest::kClass1, 8));
  p.data(filler(8, 1));
  p.b.append_move({.aux = 1, .src = MoveSrc::kAlignBlock, .dst = MoveDst::kMath1});
  p.b.append_move({.aux = 1, .src = MoveSrc::kAlignBlock, .dst = MoveDst::kMath0, .len = 8});
  EXPECT_EQ(p.run(), ok());
  EXPECT_EQ(rig.math(0), desc::load_be64(filler(8, 1).data()));
}

}  // namespace
}  // namespace caamlab::tests
