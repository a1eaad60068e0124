// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// MOVE, MOVEB, MOVEDW and MOVE_LEN (hardware.md 2.9): the table of operands and AUX over random contents, FIFOs as
// sources and destinations, byte order (0.3 rules 5 and 6), lengths from MATH, descriptors that patch themselves.
#include <functional>
#include <random>

#include "tests/hw_model/deco/fixture.h"

namespace caamlab::tests {
namespace {

using desc::ClassSel;
using desc::DecoError;
using desc::MathReg;
using desc::Move;
using desc::MoveDst;
using desc::MoveLen;
using desc::MoveSrc;

// -- registers as plain bytes
// -----------------------------------------------------------------------------------------------

// Everything a MOVE between registers can touch, most significant byte of a word first.
struct State {
  Bytes ctx1, ctx2, descbuf, math, key1, key2;

  Bytes& source(MoveSrc s) {
    switch (s) {
      case MoveSrc::kClass1Ctx:
        return ctx1;
      case MoveSrc::kClass2Ctx:
        return ctx2;
      case MoveSrc::kDescBuf:
        return descbuf;
      case MoveSrc::kClass1Key:
        return key1;
      case MoveSrc::kClass2Key:
        return key2;
      default:
        return math;
    }
  }
  Bytes& destination(MoveDst d) { return source(static_cast<MoveSrc>(d)); }
};

State read_state(const hw_model::Deco& d) {
  const hw_model::ClassRegs &c1 = d.ccb.regs(Ccb::kClass1), &c2 = d.ccb.regs(Ccb::kClass2);
  State s{Bytes(c1.ctx.begin(), c1.ctx.begin() + 64),
          Bytes(c2.ctx.begin(), c2.ctx.end()),
          Bytes(256),
          Bytes(32),
          Bytes(c1.key.bytes.begin(), c1.key.bytes.begin() + 64),
          Bytes(c2.key.bytes.begin(), c2.key.bytes.end())};
  for (unsigned i = 0; i < 64; ++i) desc::store_be32(&s.descbuf[i * 4], d.buffer()[i]);
  for (unsigned i = 0; i < 4; ++i) desc::store_be64(&s.math[i * 8], d.r.math[i]);
  return s;
}

void write_state(hw_model::Deco& d, const State& s) {
  std::copy(s.ctx1.begin(), s.ctx1.end(), d.ccb.regs(Ccb::kClass1).ctx.begin());
  std::copy(s.ctx2.begin(), s.ctx2.end(), d.ccb.regs(Ccb::kClass2).ctx.begin());
  std::copy(s.key1.begin(), s.key1.end(), d.ccb.regs(Ccb::kClass1).key.bytes.begin());
  std::copy(s.key2.begin(), s.key2.end(), d.ccb.regs(Ccb::kClass2).key.bytes.begin());
  for (unsigned i = 2; i < 64; ++i) d.buffer()[i] = desc::load_be32(&s.descbuf[i * 4]);
  for (unsigned i = 0; i < 4; ++i) d.r.math[i] = desc::load_be64(&s.math[i * 8]);
}

// -- the table of 2.9, row by row
// ---------------------------------------------------------------------------------------------

enum class Kind { kCtx, kDescBuf, kMath, kKey, kOut, kClassIn, kIn, kPkha, kAux, kAb, kNone };

Kind kind_of_src(unsigned code) {
  constexpr Kind kinds[16] = {Kind::kCtx,  Kind::kCtx,  Kind::kOut, Kind::kDescBuf, Kind::kMath, Kind::kMath,
                              Kind::kMath, Kind::kMath, Kind::kAb,  Kind::kAb,      Kind::kAb,   Kind::kNone,
                              Kind::kNone, Kind::kKey,  Kind::kKey, Kind::kNone};
  return kinds[code];
}
Kind kind_of_dst(unsigned code) {
  constexpr Kind kinds[16] = {Kind::kCtx,  Kind::kCtx,  Kind::kOut,     Kind::kDescBuf, Kind::kMath, Kind::kMath,
                              Kind::kMath, Kind::kMath, Kind::kClassIn, Kind::kClassIn, Kind::kIn,   Kind::kNone,
                              Kind::kPkha, Kind::kKey,  Kind::kKey,     Kind::kAux};
  return kinds[code];
}

struct Offsets {
  bool legal = true;
  unsigned src = 0, dst = 0;
};
constexpr unsigned kMathOffset[4] = {0, 4, 6, 7};

// Offsets from the start of each operand for OFFSET `o` and AUX `a`.
Offsets table(Kind src, Kind dst, unsigned o, unsigned a) {
  const Offsets illegal{.legal = false};
  const auto multiple_of_4 = [&](Offsets p) { return o % 4 == 0 ? p : illegal; };
  const bool dst_is_fifo = dst == Kind::kOut || dst == Kind::kAux;
  const bool dst_is_input = dst == Kind::kClassIn || dst == Kind::kIn || dst == Kind::kPkha;
  if (src == Kind::kNone || dst == Kind::kNone) return illegal;
  switch (src) {
    case Kind::kCtx:
      if (dst == Kind::kDescBuf) return {.src = 16 * a, .dst = o};
      if (dst == Kind::kKey) return a == 1 ? Offsets{.dst = o} : Offsets{.src = o};
      if (dst == Kind::kMath) return {.src = o, .dst = kMathOffset[a]};
      if (dst_is_fifo) return multiple_of_4({.src = o});
      return {.src = o};
    case Kind::kDescBuf:
      if (dst == Kind::kDescBuf) return illegal;
      if (dst == Kind::kCtx) return {.src = o, .dst = 16 * a};
      if (dst == Kind::kMath) return {.src = o, .dst = kMathOffset[a]};
      if (dst == Kind::kOut) return multiple_of_4({.src = o});
      return {.src = o};
    case Kind::kMath:
      if (dst_is_fifo) return multiple_of_4({.src = o});
      if (dst_is_input) return {.src = o};
      if (dst == Kind::kKey) return {.dst = o};
      return {.src = kMathOffset[a], .dst = o};
    case Kind::kOut:
      if (dst == Kind::kOut) return illegal;
      if (dst_is_input || dst_is_fifo) return {};
      return {.dst = o};
    case Kind::kAb:
      if (dst_is_input || dst == Kind::kAux) return illegal;
      return dst == Kind::kOut ? Offsets{} : multiple_of_4({.dst = o});
    default:
      return {.dst = o};  // a key that may be read
  }
}

class MoveTest : public OnEveryPart {
 protected:
  // Loads a job of one command, fills the registers at random, runs it.
  JrStatus run_on_random_state(uint32_t word, State& before) {
    const Words job = {0xB0800002, word};
    for (size_t i = 0; i < job.size(); ++i) desc::store32(rig.job_memory.data + 4 * i, job[i], rig.target.endian);
    hw_model::JobFetch fetch;
    fetch_job(rig.deco.dma, rig.source, rig.job_memory.addr, 10, fetch);
    rig.deco.begin(fetch, ShareState::kFresh);
    before = read_state(rig.deco);
    for (Bytes* bytes : {&before.ctx1, &before.ctx2, &before.math, &before.key1, &before.key2})
      for (uint8_t& b : *bytes) b = static_cast<uint8_t>(random_());
    for (size_t i = 8; i < before.descbuf.size(); ++i) before.descbuf[i] = static_cast<uint8_t>(random_());
    write_state(rig.deco, before);
    rig.c1().key.plaintext_store = rig.c2().key.plaintext_store = true;
    return rig.deco.run();
  }
  static unsigned start(unsigned code) { return code >= 4 && code <= 7 ? 8 * (code - 4) : 0; }

  std::mt19937 random_{11};
};

TEST_P(MoveTest, BetweenRegisters) {
  size_t moved = 0;
  for (unsigned src = 0; src < 16; ++src)
    for (unsigned dst = 0; dst < 16; ++dst)
      for (unsigned aux = 0; aux < 4; ++aux)
        for (int turn = 0; turn < 20; ++turn) {
          const Kind from = kind_of_src(src), to = kind_of_dst(dst);
          const bool plain = to == Kind::kCtx || to == Kind::kDescBuf || to == Kind::kMath || to == Kind::kKey;
          if (from == Kind::kAb || from == Kind::kOut || !plain) continue;
          Move cmd{.aux = static_cast<uint8_t>(aux), .wait = bool(random_() & 1)};
          cmd.src = static_cast<MoveSrc>(src);
          cmd.dst = static_cast<MoveDst>(dst);
          cmd.offset = static_cast<uint8_t>(turn % 2 == 0 ? random_() % 40 : random_() % 256);
          cmd.len = static_cast<uint8_t>(turn % 3 == 0 ? random_() % 256 : random_() % 24);
          const Offsets offsets = table(from, to, cmd.offset, aux);
          State before;
          if (!offsets.legal) {
            ASSERT_EQ(run_on_random_state(encode(cmd), before), deco(DecoError::kMove, 1)) << std::hex << encode(cmd);
            continue;
          }
          State probe;
          run_on_random_state(0xA0000001, probe);  // sizes only
          const unsigned s = start(src) + offsets.src, d = start(dst) + offsets.dst;
          if (s + cmd.len > probe.source(cmd.src).size()) continue;  // past the end of a source: not said
          const bool cut = d + cmd.len > probe.destination(cmd.dst).size();
          if (cut && to != Kind::kCtx) continue;
          ASSERT_EQ(run_on_random_state(encode(cmd), before), ok()) << std::hex << encode(cmd);
          State want = before;
          const Bytes bytes(before.source(cmd.src).begin() + s, before.source(cmd.src).begin() + s + cmd.len);
          Bytes& target = want.destination(cmd.dst);
          for (size_t i = 0; i < bytes.size() && d + i < target.size(); ++i) target[d + i] = bytes[i];
          const State got = read_state(rig.deco);
          ASSERT_EQ(hex(got.ctx1), hex(want.ctx1)) << std::hex << encode(cmd);
          ASSERT_EQ(hex(got.ctx2), hex(want.ctx2)) << std::hex << encode(cmd);
          ASSERT_EQ(hex(got.math), hex(want.math)) << std::hex << encode(cmd);
          ASSERT_EQ(hex(got.descbuf), hex(want.descbuf)) << std::hex << encode(cmd);
          ASSERT_EQ(hex(got.key1), hex(want.key1)) << std::hex << encode(cmd);
          ASSERT_EQ(hex(got.key2), hex(want.key2)) << std::hex << encode(cmd);
          ++moved;
        }
  EXPECT_GT(moved, 2000u);
}

// -- FIFOs as destinations
// ------------------------------------------------------------------------------------------------------

TEST_P(MoveTest, RegistersToFifos) {
  const Buffer out = rig.mem.output(64);
  for (const MoveSrc src : {MoveSrc::kClass1Ctx, MoveSrc::kClass2Ctx, MoveSrc::kDescBuf, MoveSrc::kMath0,
                            MoveSrc::kMath1, MoveSrc::kMath2, MoveSrc::kMath3})
    for (const MoveDst dst :
         {MoveDst::kOutFifo, MoveDst::kClass1InFifo, MoveDst::kClass2InFifo, MoveDst::kInFifo, MoveDst::kAuxFifo})
      for (uint8_t offset = 0; offset <= 12; ++offset)
        for (const uint8_t len : {0, 1, 7, 8, 20}) {
          const Kind from = kind_of_src(static_cast<unsigned>(src)), to = kind_of_dst(static_cast<unsigned>(dst));
          const Offsets offsets = table(from, to, offset, 0);
          const unsigned s = start(static_cast<unsigned>(src)) + offsets.src;
          if (from == Kind::kMath && s + len > 32) continue;
          const Bytes ctx = filler(64, 1), math = filler(32, 2);
          Builder b = rig.job();
          b.append_load_as_imm(ctx, {.cls = ClassSel::kClass1, .dst = desc::kRegContext});
          b.append_load_as_imm(ctx, {.cls = ClassSel::kClass2, .dst = desc::kRegContext});
          b.append_load_as_imm(math, {.cls = ClassSel::kDeco, .dst = desc::kRegMath0Byte});
          const unsigned index = b.len();
          b.append_move({.src = src, .dst = dst, .offset = offset, .len = len});
          desc::NfifoEntry entry{.data = desc::NfifoData::kMsg, .ast = to == Kind::kAux, .len = len};
          if (to == Kind::kIn || to == Kind::kAux) b.append_load_imm_u32(encode(entry), {.dst = desc::kRegNfifo});
          const uint8_t block = dst == MoveDst::kClass1InFifo ? 1 : dst == MoveDst::kClass2InFifo ? 2 : 0;
          if (to != Kind::kOut)
            b.append_move({.aux = block, .src = MoveSrc::kAlignBlock, .dst = MoveDst::kOutFifo, .len = len});
          b.append_fifo_store(out.addr, {.type = desc::FifoStoreType::kMsg, .len = len});
          const Words words = Rig::finish(b);
          const JrStatus status = rig.run(words);
          ASSERT_EQ(status, offsets.legal ? ok() : deco(DecoError::kMove, index)) << unsigned{offset};
          if (!offsets.legal) continue;
          Bytes whole(256);
          for (size_t i = 0; i < words.size(); ++i) desc::store_be32(&whole[i * 4], words[i]);
          if (from == Kind::kCtx) whole = ctx;
          if (from == Kind::kMath) whole = math;
          ASSERT_EQ(hex({out.data, len}), hex({&whole[s], len})) << unsigned{offset} << " " << unsigned{len};
          if (to == Kind::kClassIn) {
            EXPECT_EQ((block == 1 ? rig.c1() : rig.c2()).data_size, len);
          }
        }
}

// -- FIFOs as sources
// -----------------------------------------------------------------------------------------------------------

TEST_P(MoveTest, OutputFifoToRegisters) {
  const Bytes bytes = filler(24, 3);
  for (unsigned dst = 0; dst < 16; ++dst)
    for (const uint8_t offset : {0, 3, 4, 9}) {
      const Kind to = kind_of_dst(dst);
      if (to == Kind::kPkha || to == Kind::kDescBuf) continue;
      const Offsets offsets = table(Kind::kOut, to, offset, 0);
      Builder b = rig.job();
      for (int i = 0; i < 3; ++i)
        b.append_load_as_imm(desc::ByteSpan(bytes).subspan(static_cast<size_t>(i) * 8, 8), {.dst = desc::kRegOfifo});
      const unsigned index = b.len();
      b.append_move({.src = MoveSrc::kOutFifo, .dst = static_cast<MoveDst>(dst), .offset = offset, .len = 5});
      b.append_move({.src = MoveSrc::kOutFifo, .dst = MoveDst::kClass2Ctx, .offset = 40, .len = 8});
      const JrStatus status = rig.run(b);
      ASSERT_EQ(status, offsets.legal ? ok() : deco(DecoError::kMove, index)) << dst << " " << unsigned{offset};
      if (!offsets.legal) continue;
      EXPECT_EQ(hex({rig.c2().context() + 40, 8}), hex({&bytes[5], 8})) << "the rest of the bytes, in order";
      State got = read_state(rig.deco);
      if (to == Kind::kCtx || to == Kind::kMath || to == Kind::kKey) {
        const Bytes& target = got.destination(static_cast<MoveDst>(dst));
        const unsigned d = start(dst) + offsets.dst;
        if (d + 5 <= target.size()) {
          EXPECT_EQ(hex({&target[d], 5}), hex({bytes.data(), 5}));
        }
      }
    }
}

TEST_P(MoveTest, InputFifoAndAlignmentBlocks) {
  const Bytes bytes = filler(24, 4);
  struct Source {
    MoveSrc code;
    uint8_t aux;
    desc::NfifoDest dest;
    bool makes_entry, legal = true;
  };
  const Source sources[] = {{MoveSrc::kInFifoDeco, 0, desc::NfifoDest::kDeco, true},
                            {MoveSrc::kInFifoClass, 0, desc::NfifoDest::kClass2, true},
                            {MoveSrc::kInFifoClass, 1, desc::NfifoDest::kClass1, true},
                            {MoveSrc::kInFifoClass, 2, desc::NfifoDest::kDeco, true, false},
                            {MoveSrc::kInFifoClass, 3, desc::NfifoDest::kDeco, true, false},
                            {MoveSrc::kAlignBlock, 0, desc::NfifoDest::kDeco, false},
                            {MoveSrc::kAlignBlock, 1, desc::NfifoDest::kClass1, false},
                            {MoveSrc::kAlignBlock, 2, desc::NfifoDest::kClass2, false},
                            {MoveSrc::kAlignBlock, 3, desc::NfifoDest::kDeco, false, false}};
  for (const Source& source : sources)
    for (unsigned dst = 0; dst < 16; ++dst)
      for (const uint8_t offset : {0, 2, 4, 8}) {
        for (const bool automatic : {false, true}) {
          const Kind to = kind_of_dst(dst);
          if (to == Kind::kOut || to == Kind::kDescBuf) continue;
          Offsets offsets = table(Kind::kAb, to, offset, source.aux);
          offsets.legal = offsets.legal && source.legal;
          Builder b = rig.job();
          if (!automatic) b.append_load_cmd({.cls = ClassSel::kDeco, .dst = desc::kRegControl, .offset = 0x08});
          b.append_fifo_load_as_imm(bytes, {.cls = ClassSel::kClass1, .type = 0x0F});
          const desc::NfifoEntry entry{.dest = source.dest, .data = desc::NfifoData::kMsg, .len = 6};
          if (!source.makes_entry || !automatic) b.append_load_imm_u32(encode(entry), {.dst = desc::kRegNfifo});
          const unsigned index = b.len();
          b.append_move(
              {.aux = source.aux, .src = source.code, .dst = static_cast<MoveDst>(dst), .offset = offset, .len = 6});
          ASSERT_EQ(rig.run(b), offsets.legal ? ok() : deco(DecoError::kMove, index))
              << encode(Move{.src = source.code}) << " aux " << unsigned{source.aux} << " to " << dst;
          if (!offsets.legal) continue;
          State got = read_state(rig.deco);
          const Bytes& target = got.destination(static_cast<MoveDst>(dst));
          const unsigned d = start(dst) + offsets.dst;
          if (d + 6 <= target.size()) {
            ASSERT_EQ(hex({&target[d], 6}), hex({bytes.data(), 6})) << dst;
          }
        }
      }
}

// To OFIFO the length has sixteen bits and there is no offset.
TEST_P(MoveTest, SixteenBitLength) {
  const Bytes bytes = filler(65535, 5);
  const Buffer in = rig.mem.input(bytes), out = rig.mem.output(65535);
  for (const uint32_t len : {0u, 1u, 255u, 256u, 4096u, 65535u}) {
    Builder b = rig.job();
    b.append_fifo_load(in.addr, {.cls = ClassSel::kClass1, .type = 0x10, .len = static_cast<uint16_t>(len)});
    Move cmd{.aux = 1, .src = MoveSrc::kAlignBlock, .dst = MoveDst::kOutFifo};
    cmd.offset = static_cast<uint8_t>(len >> 8);
    cmd.len = static_cast<uint8_t>(len);
    b.append_move(cmd);
    b.append_fifo_store(out.addr, {.type = desc::FifoStoreType::kMsg, .len = static_cast<uint16_t>(len)});
    EXPECT_EQ(rig.run(b), ok()) << len;
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.begin() + len, out.data)) << len;
  }
}

// -- MOVE_LEN, MOVEB, MOVEDW
// ----------------------------------------------------------------------------------------------------

TEST_P(MoveTest, LengthFromMath) {
  const Bytes ctx = filler(64, 6);
  for (unsigned reg = 0; reg < 4; ++reg)
    for (const uint32_t len : {0u, 1u, 8u, 63u, 64u}) {
      const Buffer out = rig.mem.output(64);
      Builder b = rig.job();
      b.append_load_as_imm(ctx, {.cls = ClassSel::kClass1, .dst = desc::kRegContext});
      b.append_math_imm_u64(desc::MathFn::kOr, static_cast<MathReg>(reg), MathReg::kZero, MathReg::kImm,
                            0x5'0000'0000 | len);  // only the lower 32 bits count
      b.append_move_len({.src = MoveSrc::kClass1Ctx, .dst = MoveDst::kOutFifo, .math = static_cast<uint8_t>(reg)});
      b.append_fifo_store(out.addr, {.type = desc::FifoStoreType::kMsg, .len = static_cast<uint16_t>(len)});
      EXPECT_EQ(rig.run(b), ok());
      EXPECT_EQ(hex({out.data, len}), hex({ctx.data(), len}));
    }
}

TEST_P(MoveTest, LengthFromMathTooLong) {
  Builder b = rig.job();
  b.append_math_add_imm_u32(MathReg::kReg1, MathReg::kZero, MathReg::kImm, 0x10000);
  const unsigned index = b.len();
  b.append_move_len({.src = MoveSrc::kMath0, .dst = MoveDst::kClass1Ctx, .math = 1});
  EXPECT_EQ(rig.run(b), deco(DecoError::kMove, index));
}

Bytes groups_reversed(Bytes bytes, size_t group, size_t unit) {
  Bytes out(bytes.size());
  for (size_t i = 0; i < bytes.size(); ++i) {
    const size_t g = i / group, in = i % group;
    out[g * group + (group / unit - 1 - in / unit) * unit + in % unit] = bytes[i];
  }
  return out;
}

// Rule 6: MOVEB turns the bytes of each word round where DESCBUF or MATH takes part, MOVEDW the words of each dword;
// on little-endian parts only. MOVE_LEN does the same by its size field.
TEST_P(MoveTest, ByteAndDwordForms) {
  const Bytes ctx = filler(48, 7);
  struct Form {
    bool touches_words;
    MoveSrc src;
    MoveDst dst;
  };
  const Form forms[] = {
      {true, MoveSrc::kClass1Ctx, MoveDst::kMath0},      {true, MoveSrc::kMath0, MoveDst::kClass2Ctx},
      {true, MoveSrc::kMath0, MoveDst::kMath2},          {true, MoveSrc::kMath0, MoveDst::kDescBuf},
      {false, MoveSrc::kClass1Ctx, MoveDst::kClass2Ctx}, {false, MoveSrc::kClass1Ctx, MoveDst::kOutFifo}};
  for (const Form& form : forms)
    for (const int kind : {0, 1, 2, 3, 4}) {  // MOVE, MOVEB, MOVEDW, MOVE_LEN by byte, by dword
      Builder b = rig.job();
      b.append_load_as_imm(ctx, {.cls = ClassSel::kClass1, .dst = desc::kRegContext});
      b.append_load_as_imm(desc::ByteSpan(ctx).first(16), {.cls = ClassSel::kDeco, .dst = desc::kRegMath0Byte});
      const uint8_t offset = form.dst == MoveDst::kDescBuf ? 200 : 0;
      if (kind >= 3) b.append_math_add_imm_u32(MathReg::kReg3, MathReg::kZero, MathReg::kImm, 16);
      if (kind == 0) b.append_move({.src = form.src, .dst = form.dst, .offset = offset, .len = 16});
      if (kind == 1) b.append_cmd(desc::MoveB{.src = form.src, .dst = form.dst, .offset = offset, .len = 16});
      if (kind == 2) b.append_cmd(desc::MoveDw{.src = form.src, .dst = form.dst, .offset = offset, .len = 16});
      if (kind >= 3) {
        const uint8_t size = kind == 3 ? 2 : 3;
        b.append_move_len({.src = form.src, .dst = form.dst, .offset = offset, .size = size, .math = 3});
      }
      if (form.dst == MoveDst::kOutFifo)
        b.append_move({.src = MoveSrc::kOutFifo, .dst = MoveDst::kClass2Ctx, .len = 16});
      ASSERT_EQ(rig.run(b), ok());
      Bytes want(ctx.begin(), ctx.begin() + 16);
      const bool little = !big();
      if (little && (kind == 1 || kind == 3) && form.touches_words) want = groups_reversed(want, 4, 1);
      if (little && (kind == 2 || kind == 4)) want = groups_reversed(want, 8, 4);
      State got = read_state(rig.deco);
      const MoveDst seen = form.dst == MoveDst::kOutFifo ? MoveDst::kClass2Ctx : form.dst;
      EXPECT_EQ(hex({&got.destination(seen)[start(static_cast<unsigned>(seen)) + offset], 16}), hex(want)) << kind;
    }
}

// -- descriptors that change themselves
// -----------------------------------------------------------------------------------------

// The idiom of the kernel's null AEAD and rfc4543 descriptors (2.9): six bytes out, eight bytes back, and the MOVE has
// the length that MATH computed, up to sixteen bits of it.
TEST_P(MoveTest, SelfPatchedLength) {
  const Bytes bytes = filler(65535, 8);
  const Buffer in = rig.mem.input(bytes), out = rig.mem.output(65535);
  for (const uint32_t len : {0u, 1u, 16u, 300u, 65535u}) {
    Builder b = rig.job();
    b.append_seq_in_ptr(in.addr, len);
    b.append_seq_out_ptr(out.addr, len);
    b.append_math_add(MathReg::kReg3, MathReg::kSeqInLen, MathReg::kZero);
    const auto read = b.append_move_patched({.src = MoveSrc::kDescBuf, .dst = MoveDst::kMath3, .len = 6});
    const auto write =
        b.append_move_patched({.wait = true, .src = MoveSrc::kMath3, .dst = MoveDst::kDescBuf, .len = 8});
    b.append_math_add(MathReg::kVarSeqInLen, MathReg::kSeqInLen, MathReg::kZero);
    b.append_math_add(MathReg::kVarSeqOutLen, MathReg::kSeqInLen, MathReg::kZero);
    b.append_seq_fifo_store(0, {.sgf_vlf = true, .type = desc::FifoStoreType::kMsg});
    b.append_seq_fifo_load(0, {.cls = ClassSel::kClass2, .sgf_vlf = true, .type = 0x10});
    b.set_move_tgt_here(read);
    b.set_move_tgt_here(write);
    b.append_load_cmd({.cls = ClassSel::kDeco, .dst = desc::kRegControl, .offset = 0x08});
    b.append_move({.src = MoveSrc::kInFifoClass, .dst = MoveDst::kOutFifo});
    const Words words = Rig::finish(b);
    EXPECT_EQ(rig.run(words), ok()) << len;
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.begin() + len, out.data)) << len;
    EXPECT_EQ(rig.deco.buffer()[words.size() - 1], words.back() | len);
  }
}

// A command written by MOVE runs as written, even the very next one.
TEST_P(MoveTest, PatchedCommandRuns) {
  Builder b = rig.job();
  const uint32_t halt = encode(desc::Jump{.type = desc::JumpType::kHaltUser, .offset = 0x2A});
  b.append_math_imm_u64(desc::MathFn::kOr, MathReg::kReg0, MathReg::kZero, MathReg::kImm, halt);
  b.append_move({.aux = 1, .src = MoveSrc::kMath0, .dst = MoveDst::kDescBuf, .offset = 5 * 4, .len = 4});
  b.append_word(0xA0000001);
  EXPECT_EQ(rig.run(b), JrStatus::jump_user(0x2A, 5));
}

ON_EVERY_PART(MoveTest);

// -- waiting and errors
// ----------------------------------------------------------------------------------------------------------

TEST(Move, SourceFifoWithoutDataHangs) {
  for (const MoveSrc src : {MoveSrc::kOutFifo, MoveSrc::kInFifoDeco, MoveSrc::kInFifoClass, MoveSrc::kAlignBlock})
    for (const MoveDst dst : {MoveDst::kMath0, MoveDst::kClass1Ctx, MoveDst::kOutFifo}) {
      if (src == MoveSrc::kOutFifo && dst == MoveDst::kOutFifo) continue;
      Rig rig;
      Builder b = rig.job();
      b.append_fifo_load_as_imm(filler(3, 1), {.cls = ClassSel::kClass1, .type = 0x0F});
      b.append_load_as_imm(filler(3, 1), {.dst = desc::kRegOfifo});
      const unsigned index = b.len();
      b.append_move({.src = src, .dst = dst, .len = 4});
      EXPECT_EQ(rig.run(b), deco(DecoError::kWatchdog, index));
    }
}

TEST(Move, ContextWaitsForItsClassOnly) {
  const desc::AlgOperation gcm{.aai = desc::aai::kGcm, .as = desc::AlgState::kInitFinal, .enc = true};
  for (const MoveSrc src : {MoveSrc::kClass1Ctx, MoveSrc::kClass2Ctx}) {
    Rig rig;
    Builder b = rig.job();
    b.append_operation(gcm);
    b.append_move({.src = src, .dst = MoveDst::kMath0, .len = 8});
    EXPECT_EQ(rig.run(b), src == MoveSrc::kClass1Ctx ? deco(DecoError::kWatchdog, 2) : ok());
  }
}

// Nothing from OFIFO is no wait, even while stores before it still have none of theirs.
TEST(Move, NothingFromTheOutputFifo) {
  Rig rig;
  const Buffer out = rig.mem.output(8);
  Builder b = rig.job();
  b.append_fifo_store(out.addr, {.type = desc::FifoStoreType::kMsg, .len = 8});
  b.append_move({.src = MoveSrc::kOutFifo, .dst = MoveDst::kMath0});
  b.append_load_as_imm(filler(8, 1), {.dst = desc::kRegOfifo});
  EXPECT_EQ(rig.run(b), ok());
  EXPECT_EQ(out.hex(), hex(filler(8, 1)));
}

// AUX of a MOVE to a class's input: 1 ends the operation, 2 flushes.
TEST(Move, LastAndFlushOfTheClass) {
  for (const uint8_t aux : {0, 1, 2, 3}) {
    Rig rig;
    Builder b = rig.job();
    b.append_key_as_imm(filler(16, 1), 16, {.cls = ClassSel::kClass1});
    b.append_operation(desc::AlgOperation{.aai = desc::aai::kGcm, .as = desc::AlgState::kInitFinal, .enc = true});
    b.append_fifo_load_as_imm(filler(12, 2), {.cls = ClassSel::kClass1, .type = 0x21});
    b.append_move({.aux = aux, .src = MoveSrc::kMath0, .dst = MoveDst::kClass1InFifo, .len = 8});
    EXPECT_EQ(rig.run(b), (aux & 1) != 0 ? ok() : deco(DecoError::kWatchdog, b.len() - 1)) << unsigned{aux};
    EXPECT_EQ(rig.deco.ccb.in_flight(Ccb::kClass1), (aux & 1) == 0);
  }
  Rig rig;  // class 2: a hash of eight zero bytes
  Builder b = rig.job();
  b.append_operation(desc::AlgOperation{
      .cls = ClassSel::kClass2, .alg = desc::Alg::kSha256, .as = desc::AlgState::kInitFinal, .enc = true});
  b.append_move({.aux = 1, .src = MoveSrc::kMath0, .dst = MoveDst::kClass2InFifo, .len = 8});
  EXPECT_EQ(rig.run(b), ok());
  EXPECT_EQ(hex({rig.c2().context(), 32}), "af5570f5a1810b7af78caf4bc70a660f0df51e42baf91d4de5b2328de0e83dfc");
}

// A MOVE from the input of a class gets its bytes although the class's CHA would take them.
TEST(Move, InputOfABusyClass) {
  Rig rig;
  Builder b = rig.job();
  b.append_key_as_imm(filler(16, 1), 16, {.cls = ClassSel::kClass1});
  b.append_operation(desc::AlgOperation{.aai = desc::aai::kGcm, .as = desc::AlgState::kInitFinal, .enc = true});
  b.append_fifo_load_as_imm(filler(8, 3), {.cls = ClassSel::kClass1, .type = 0x0F});
  b.append_move({.aux = 1, .src = MoveSrc::kInFifoClass, .dst = MoveDst::kMath0, .len = 8});
  b.append_fifo_load_as_imm(filler(12, 2), {.cls = ClassSel::kClass1, .type = 0x22});
  EXPECT_EQ(rig.run(b), ok());
  EXPECT_EQ(rig.math(0), desc::load_be64(filler(8, 3).data()));
}

// OP-TEE drains up to 112 bytes of OFIFO into the 64-byte context.
TEST(Move, TooMuchForTheContextIsCut) {
  Rig rig;
  const Bytes bytes = filler(112, 4);
  const Buffer in = rig.mem.input(bytes);
  Builder b = rig.job();
  b.append_fifo_load(in.addr, {.cls = ClassSel::kClass2, .type = 0x10, .len = 112});
  b.append_move({.aux = 2, .src = MoveSrc::kAlignBlock, .dst = MoveDst::kOutFifo, .len = 112});
  b.append_move({.src = MoveSrc::kOutFifo, .dst = MoveDst::kClass1Ctx, .len = 112});
  EXPECT_EQ(rig.run(b), ok());
  EXPECT_EQ(hex({rig.c1().context(), 64}), hex({bytes.data(), 64}));
}

TEST(Move, KeyIsReadOnlyByFifoStore) {
  Rig rig;
  for (const MoveSrc src : {MoveSrc::kClass1Key, MoveSrc::kClass2Key}) {
    Builder b = rig.job();
    b.append_key_as_imm(filler(16, 1), 16, {.cls = ClassSel::kClass1});
    b.append_key_as_imm(filler(16, 1), 16, {.cls = ClassSel::kClass2});
    b.append_move({.src = src, .dst = MoveDst::kMath0, .len = 8});
    EXPECT_EQ(rig.run(b), deco(DecoError::kMove, 11));
  }
}

}  // namespace
}  // namespace caamlab::tests
