// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// STORE and SEQ STORE (hardware.md 2.5): which sources there are, byte lanes, waiting for a class, descriptors written
// back to where they came from, order against other output.
#include <functional>

#include "tests/hw_model/deco/fixture.h"

namespace caamlab::tests {
namespace {

using desc::ClassSel;
using desc::DecoError;
using desc::MathReg;
using desc::Store;

// -- the sources, written down once more ------------------------------------------------------------------------------

enum class Verdict { kLegal, kBad, kContext, kUnsaid };

bool is(unsigned off, unsigned len, std::initializer_list<std::pair<unsigned, unsigned>> len_at_off) {
  return std::ranges::any_of(len_at_off, [&](auto p) { return p.first == len && p.second == off; });
}
constexpr auto kFourAt0 = {std::pair{4u, 0u}};
constexpr auto kWide = {std::pair{4u, 0u}, std::pair{4u, 4u}, std::pair{8u, 0u}};

Verdict verdict(unsigned cls, unsigned src, unsigned off, unsigned len) {
  const auto when = [](bool legal) { return legal ? Verdict::kLegal : Verdict::kBad; };
  if (cls == 0) {
    if (src == 0x09) return when(off + len <= 8);
    if (src >= 0x06 && src <= 0x0A) return when(is(off, len, kFourAt0));
    return Verdict::kBad;
  }
  if (cls == 3) {
    if (src >= 0x08 && src <= 0x0B) return when(off + len <= 32 - 8 * (src - 0x08));
    if (src >= 0x30 && src <= 0x33) return when(off + len <= 32 - 8 * (src - 0x30));
    if (src >= 0x38 && src <= 0x3B) return when(off + len <= 32 - 8 * (src - 0x38));
    switch (src) {
      case 0x00:
      case 0x01:
      case 0x02:
      case 0x03:
        return when(off + len <= 8);
      case 0x04:
        return when(is(off, len, kWide));
      case 0x07:
        return when(is(off, len, kFourAt0));
      case 0x10:
      case 0x20:
        return Verdict::kUnsaid;  // gather and scatter table: not modelled
      case 0x40:
        return when(off + len <= 64);
      case 0x41:
      case 0x42:
      case 0x45:
      case 0x46:
        return Verdict::kUnsaid;  // below
      default:
        return Verdict::kBad;
    }
  }
  switch (src) {
    case 0x00:
    case 0x01:
    case 0x03:
      return when(is(off, len, kFourAt0));
    case 0x02:
      return when(is(off, len, kWide));
    case 0x0B:
    case 0x0C:
      return cls == 2 ? Verdict::kUnsaid : when(is(off, len, kFourAt0));
    case 0x0F:
      return cls == 2 ? Verdict::kUnsaid : when(is(off, len, kWide));
    case 0x10:
    case 0x11:
    case 0x12:
    case 0x13:
      return when(cls == 1 && is(off, len, kFourAt0));
    case 0x20:
      return off + len <= (cls == 1 ? 64u : 72u) ? Verdict::kLegal : Verdict::kContext;
    default:
      return Verdict::kBad;
  }
}

TEST(Store, EverySourceGivesWhatTheTableSays) {
  Rig rig;
  const Buffer out = rig.mem.output(1024);
  const unsigned values[] = {0, 1, 2, 4, 5, 8, 9, 16, 24, 32, 33, 63, 64, 65, 72, 73, 128};
  size_t legal = 0, bad = 0;
  for (unsigned cls = 0; cls < 4; ++cls)
    for (unsigned src = 0; src < 128; ++src)
      for (const bool seq : {false, true})
        for (const unsigned off : values)
          for (const unsigned len : values) {
            const Verdict want = verdict(cls, src, off, len);
            if (want == Verdict::kUnsaid) continue;
            Store cmd{.seq = seq, .cls = static_cast<ClassSel>(cls), .src = static_cast<uint8_t>(src)};
            cmd.offset = static_cast<uint8_t>(off);
            cmd.len = static_cast<uint8_t>(len);
            Builder b = rig.job();
            b.append_seq_out_ptr(out.addr, 1024);
            const unsigned index = b.len();
            b.append_cmd(cmd);
            if (!seq) b.append_ptr(out.addr);
            const JrStatus status = rig.run(b);
            const JrStatus refused =
                deco(want == Verdict::kContext ? DecoError::kContextLength : DecoError::kStore, index);
            ASSERT_EQ(status, want == Verdict::kLegal ? ok() : refused) << std::hex << encode(cmd);
            (want == Verdict::kLegal ? legal : bad) += 1;
            if (seq && want == Verdict::kLegal) {
              const unsigned bytes = cls == 3 && src == 0x40 ? len * 4 : len;
              ASSERT_EQ(rig.deco.r.sol, 1024 - bytes);
              ASSERT_EQ(rig.deco.out_bytes(), bytes);
            }
          }
  EXPECT_GT(legal, 1500u);
  EXPECT_GT(bad, 100000u);
}

// -- values
// --------------------------------------------------------------------------------------------------------------

class StoreTest : public OnEveryPart {
 protected:
  // The bytes a STORE of an 8-byte register with this value writes.
  Bytes as_stored(uint64_t value) const {
    Bytes out(8);
    desc::store32(&out[0], static_cast<uint32_t>(value >> 32), GetParam().endian);
    desc::store32(&out[4], static_cast<uint32_t>(value), GetParam().endian);
    return out;
  }
};

TEST_P(StoreTest, MathByteLanesAreThoseOfLoad) {
  const Bytes pattern = filler(32, 5);
  const Buffer in = rig.mem.input(pattern), out = rig.mem.output(32);
  for (const uint8_t view : {desc::kRegMath0, desc::kRegMath0Dword, desc::kRegMath0Byte})
    for (unsigned reg = 0; reg < 4; ++reg)
      for (unsigned off = 0; off < 32 - 8 * reg; ++off)
        for (unsigned len = 1; off + len <= 32 - 8 * reg; ++len) {
          Builder b = rig.job();
          desc::Load load{.cls = ClassSel::kDeco, .dst = view};
          load.len = 32;
          b.append_load(in.addr, load);
          Store store{.cls = ClassSel::kDeco, .src = static_cast<uint8_t>(view + reg)};
          store.offset = static_cast<uint8_t>(off);
          store.len = static_cast<uint8_t>(len);
          b.append_store(out.addr, store);
          ASSERT_EQ(rig.run(b), ok());
          ASSERT_EQ(hex({out.data, len}), hex({pattern.data() + reg * 8 + off, len})) << reg << " " << off;
        }
}

TEST_P(StoreTest, MathLowWord) {  // MCUX reads an RSA result length so
  const Buffer out = rig.mem.output(4);
  Builder b = rig.job();
  b.append_math_add_imm_u32(MathReg::kReg0, MathReg::kZero, MathReg::kImm, 0x01020304);
  b.append_store(out.addr, {.cls = ClassSel::kDeco, .src = desc::kRegMath0, .offset = 4, .len = 4});
  EXPECT_EQ(rig.run(b), ok());
  EXPECT_EQ(desc::load32(out.data, GetParam().endian), 0x01020304u);
}

TEST_P(StoreTest, WordRegisters) {
  const Buffer out = rig.mem.output(4);
  const auto stored = [&](ClassSel cls, uint8_t src, Words before) {
    Builder b = rig.job();
    for (const uint32_t w : before) b.append_word(w);
    b.append_store(out.addr, {.cls = cls, .src = src, .len = 4});
    EXPECT_EQ(rig.run(b), ok());
    return desc::load32(out.data, GetParam().endian);
  };
  const auto load = [](ClassSel cls, uint8_t dst, uint32_t value) {
    return Words{encode(desc::Load{.cls = cls, .imm = true, .dst = dst, .len = 4}), value};
  };
  for (const ClassSel cls : {ClassSel::kClass1, ClassSel::kClass2}) {
    EXPECT_EQ(stored(cls, desc::kRegKeySize, load(cls, desc::kRegKeySize, 24)), 24u);
    EXPECT_EQ(stored(cls, desc::kRegDataSize, load(cls, desc::kRegDataSize, 1000)), 1000u);
    EXPECT_EQ(stored(cls, desc::kRegIcvSize, load(cls, desc::kRegIcvSize, 12)), 12u);
  }
  EXPECT_EQ(stored(ClassSel::kClass1, desc::kRegIvSize, load(ClassSel::kClass1, desc::kRegIvSize, 12)), 12u);
  EXPECT_EQ(stored(ClassSel::kClass1, desc::kRegAadSize, load(ClassSel::kClass1, desc::kRegAadSize, 7)), 7u);
  EXPECT_EQ(stored(ClassSel::kDeco, desc::kRegDpovrd, load(ClassSel::kDeco, desc::kRegDpovrd, 0xAABBCCDD)),
            0xAABBCCDDu);
  const desc::AlgOperation op{.aai = desc::aai::kGcm, .as = desc::AlgState::kInitFinal, .enc = true};
  EXPECT_EQ(stored(ClassSel::kClass1, desc::kRegMode, {encode(op)}), op.mode_word());
  EXPECT_EQ(stored(ClassSel::kNone, desc::kRegControl, load(ClassSel::kNone, desc::kRegControl, 0x200)), 0x200u);
}

TEST_P(StoreTest, DescriptorAddress) {
  const Buffer out = rig.mem.output(8);
  Builder b = rig.job();
  b.append_store(out.addr, {.cls = ClassSel::kDeco, .src = 0x01, .len = 8});
  EXPECT_EQ(rig.run(b), ok());
  EXPECT_EQ(out.hex(), hex(as_stored(rig.job_memory.addr)));
}

TEST_P(StoreTest, ContextIsAByteString) {
  const Bytes bytes = filler(40, 2);
  const Buffer out = rig.mem.output(24);
  for (const ClassSel cls : {ClassSel::kClass1, ClassSel::kClass2}) {
    Builder b = rig.job();
    b.append_load_as_imm(bytes, {.cls = cls, .dst = desc::kRegContext, .offset = 8});
    b.append_store(out.addr, {.cls = cls, .src = desc::kRegContext, .offset = 20, .len = 24});
    EXPECT_EQ(rig.run(b), ok());
    EXPECT_EQ(out.hex(), hex({bytes.data() + 12, 24}));
  }
}

TEST_P(StoreTest, ImmediateDataBehindThePointer) {
  const Bytes bytes = filler(7, 2);
  const Buffer out = rig.mem.output(7);
  for (const bool seq : {false, true}) {
    Builder b = rig.job();
    if (seq) b.append_seq_out_ptr(out.addr, 10);
    b.append_cmd(Store{.seq = seq, .imm = true, .len = 7});
    if (!seq) b.append_ptr(out.addr);
    b.append_data(bytes);
    b.append_jump_halt({.type = desc::JumpType::kHaltUser, .offset = 1});
    EXPECT_EQ(rig.run(b), JrStatus::jump_user(1, b.len() - 1));
    EXPECT_EQ(out.hex(), hex(bytes));
    if (seq) {
      EXPECT_EQ(rig.deco.r.sol, 3u);
    }
  }
}

TEST_P(StoreTest, ScatterGather) {
  const auto pieces = rig.mem.pieces(Bytes(64), {3, 20, 1}, hw_model::DmaDirection::kFromDevice);
  const Buffer table = rig.mem.table_of(pieces);
  const Bytes bytes = filler(60, 2);
  Builder b = rig.job();
  b.append_load_as_imm(bytes, {.cls = ClassSel::kClass1, .dst = desc::kRegContext});
  b.append_store(table.addr, {.cls = ClassSel::kClass1, .sgf_vlf = true, .src = desc::kRegContext, .len = 60});
  EXPECT_EQ(rig.run(b), ok());
  std::string got;
  for (const Buffer& p : pieces) got += p.hex();
  EXPECT_EQ(got.substr(0, 120), hex(bytes));
}

// -- descriptors
// ----------------------------------------------------------------------------------------------------------

TEST_P(StoreTest, DescriptorBuffer) {
  const Buffer out = rig.mem.output(12);
  Builder b = rig.job();
  b.append_store(out.addr, {.cls = ClassSel::kDeco, .src = desc::kRegDescBuf, .offset = 1, .len = 3});
  b.append_word(0xA0C00000);
  b.append_word(0x12345678);
  const Words words = Rig::finish(b);
  EXPECT_EQ(rig.run(words), ok());
  EXPECT_EQ(rig.mem.read_words(out), Words(words.begin() + 1, words.begin() + 4));
}

// Job and shared descriptor go back to their own memory, as the buffer holds them now: no pointer.
TEST_P(StoreTest, JobAndSharedDescriptor) {
  for (const bool write_efficient : {false, true}) {
    const Words sd = {0xB8840006, 0x11111111, 0x22222222, 0x33333333, 0xA0000001, 0xA0000001};
    Buffer sd_mem = rig.mem.words(sd);
    Builder jd = rig.job_with(sd_mem.addr, 6);
    // Into the PDB of the shared descriptor, and into a word of this job.
    jd.append_math_add_imm_u32(MathReg::kReg0, MathReg::kZero, MathReg::kImm, 0xAABBCCDD);
    const unsigned job_pdb = 6 + jd.len() + 6;
    jd.append_move({.src = desc::MoveSrc::kMath0, .dst = desc::MoveDst::kDescBuf, .offset = 8, .len = 8});
    jd.append_move({.src = desc::MoveSrc::kMath0,
                    .dst = desc::MoveDst::kDescBuf,
                    .offset = static_cast<uint8_t>(4 * (job_pdb - 1)),
                    .len = 8});
    const uint8_t job_code = write_efficient ? desc::kRegJobDescWe : desc::kRegJobDesc;
    const uint8_t shared_code = write_efficient ? desc::kRegSharedDescWe : desc::kRegSharedDesc;
    jd.append_cmd(Store{.cls = ClassSel::kDeco, .src = shared_code, .offset = 3, .len = 1});
    jd.append_cmd(
        Store{.cls = ClassSel::kDeco, .src = job_code, .offset = static_cast<uint8_t>(job_pdb - 6), .len = 1});
    jd.append_jump_halt({.type = desc::JumpType::kHaltUser});
    jd.append_word(0);  // takes the upper half of MATH0
    jd.append_word(0x44444444);
    ASSERT_EQ(jd.len() + 6, job_pdb + 1);
    const Words jd_words = Rig::finish(jd);
    const Buffer jd_mem = rig.mem.words(jd_words);
    EXPECT_EQ(rig.run_at(jd_mem.addr), JrStatus{});
    Words sd_want = sd, jd_want = jd_words;
    sd_want[3] = 0xAABBCCDD;
    jd_want[job_pdb - 6] = 0xAABBCCDD;
    EXPECT_EQ(rig.mem.read_words(sd_mem), sd_want) << "only the words asked for";
    EXPECT_EQ(rig.mem.read_words(jd_mem), jd_want);
  }
}

ON_EVERY_PART(StoreTest);

TEST(Store, DescriptorErrors) {
  Rig rig;
  const Buffer out = rig.mem.output(64);
  for (const uint8_t src : {desc::kRegJobDesc, desc::kRegSharedDesc, desc::kRegJobDescWe, desc::kRegSharedDescWe}) {
    const bool job = src == desc::kRegJobDesc || src == desc::kRegJobDescWe;
    Builder seq = rig.job();
    seq.append_seq_out_ptr(out.addr, 64);
    seq.append_cmd(Store{.seq = true, .cls = ClassSel::kDeco, .src = src, .len = 1});
    EXPECT_EQ(rig.run(seq), deco(DecoError::kStore, 4)) << "not available as SEQ";
    Builder end = rig.job();
    end.append_cmd(Store{.cls = ClassSel::kDeco, .src = src, .len = 2});
    EXPECT_EQ(rig.run(end), job ? ok() : deco(DecoError::kStore, 1)) << "no shared descriptor";
    Builder beyond = rig.job();
    beyond.append_cmd(Store{.cls = ClassSel::kDeco, .src = src, .offset = 1, .len = 2});
    EXPECT_EQ(rig.run(beyond), deco(DecoError::kStore, 1));
  }
}

// After a non-local jump the job descriptor is the target's.
TEST(Store, JobDescriptorAfterNonLocalJump) {
  Rig rig;
  Builder second = rig.job();
  second.append_math_add_imm_u32(MathReg::kReg0, MathReg::kZero, MathReg::kImm, 0x5A5A5A5A);
  second.append_move({.src = desc::MoveSrc::kMath0, .dst = desc::MoveDst::kDescBuf, .offset = 6 * 4, .len = 8});
  second.append_cmd(Store{.cls = ClassSel::kDeco, .src = desc::kRegJobDesc, .len = 8});
  second.append_jump_halt({.type = desc::JumpType::kHaltUser});
  second.append_word(0);
  second.append_word(0);
  const Buffer second_mem = rig.mem.words(Rig::finish(second));
  Builder first = rig.job();
  first.append_jump_nonlocal(second_mem.addr, {});
  const Words first_words = Rig::finish(first);
  EXPECT_EQ(rig.run(first_words), ok());
  EXPECT_EQ(rig.mem.read_words(second_mem)[7], 0x5A5A5A5Au);
  const Words kept = rig.mem.read_words(rig.job_memory);
  EXPECT_EQ(Words(kept.begin(), kept.begin() + static_cast<ptrdiff_t>(first_words.size())), first_words);
}

// -- order and waiting
// --------------------------------------------------------------------------------------------------------

constexpr desc::AlgOperation kGcmEncrypt{.aai = desc::aai::kGcm, .as = desc::AlgState::kInitFinal, .enc = true};

TEST(Store, ContextWaitsForTheClass) {
  Rig rig;
  const Buffer out = rig.mem.output(16);
  for (const bool fed : {false, true}) {
    Builder b = rig.job();
    b.append_key_as_imm(filler(16, 1), 16, {.cls = ClassSel::kClass1});
    b.append_operation(kGcmEncrypt);
    if (fed) b.append_fifo_load_as_imm(filler(12, 2), {.cls = ClassSel::kClass1, .type = 0x22});
    const unsigned index = b.len();
    b.append_store(out.addr, {.cls = ClassSel::kClass1, .src = desc::kRegContext, .len = 16});
    EXPECT_EQ(rig.run(b), fed ? ok() : deco(DecoError::kWatchdog, index));
  }
  EXPECT_NE(out.hex(), hex(Bytes(16, Memory::kUnwritten)));
}

// Everything but the context is taken when the command executes.
TEST(Store, SizesDoNotWait) {
  Rig rig;
  const Buffer out = rig.mem.output(4);
  Builder b = rig.job();
  b.append_operation(kGcmEncrypt);
  b.append_load_imm_u32(77, {.cls = ClassSel::kClass1, .dst = desc::kRegIcvSize});
  b.append_store(out.addr, {.cls = ClassSel::kClass1, .src = desc::kRegIcvSize, .len = 4});
  EXPECT_EQ(rig.run(b), ok()) << "an operation that never got data is ignored at the end";
  EXPECT_EQ(desc::load32(out.data, desc::Endian::kLittle), 77u);
}

// SEQ STORE comes behind the SEQ FIFO STORE before it, even while that still waits for its data.
TEST(Store, AppendsBehindPendingOutput) {
  Rig rig;
  const Buffer out = rig.mem.output(24);
  Builder b = rig.job();
  b.append_seq_out_ptr(out.addr, 24);
  b.append_seq_fifo_store(8, {.type = desc::FifoStoreType::kMsg});
  b.append_load_as_imm(filler(16, 3), {.cls = ClassSel::kClass2, .dst = desc::kRegContext});
  b.append_seq_store(16, {.cls = ClassSel::kClass2, .src = desc::kRegContext});
  b.append_load_as_imm(filler(8, 4), {.dst = desc::kRegOfifo});
  EXPECT_EQ(rig.run(b), ok());
  EXPECT_EQ(out.hex(), hex(filler(8, 4)) + hex(filler(16, 3)));
  EXPECT_EQ(rig.deco.out_bytes(), 24u);
}

TEST(Store, VariableLength) {
  Rig rig;
  const Buffer out = rig.mem.output(64);
  for (const uint32_t vsol : {0u, 5u, 64u, 65u, 300u}) {
    Builder b = rig.job();
    b.append_seq_out_ptr(out.addr, 64);
    b.append_math_add_imm_u32(MathReg::kVarSeqOutLen, MathReg::kZero, MathReg::kImm, vsol);
    const unsigned index = b.len();
    b.append_cmd(Store{.seq = true, .cls = ClassSel::kClass1, .sgf_vlf = true, .src = desc::kRegContext});
    EXPECT_EQ(rig.run(b), vsol > 64 ? deco(DecoError::kContextLength, index) : ok()) << vsol;
    if (vsol <= 64) {
      EXPECT_EQ(rig.deco.r.sol, 64 - vsol);
    }
    EXPECT_EQ(rig.deco.r.vsol, vsol);
  }
}

TEST(Store, Errors) {
  Rig rig;
  const Buffer small = rig.mem.output(8), read_only = rig.mem.input(Bytes(16));
  const Store ctx{.cls = ClassSel::kClass1, .src = desc::kRegContext, .len = 16};
  for (const BusAddr addr : {small.addr, read_only.addr, BusAddr{0}}) {
    Builder b = rig.job();
    b.append_store(addr, ctx);
    EXPECT_EQ(rig.run(b), deco(DecoError::kDma, 1));
  }
  EXPECT_EQ(rig.mem.take_faults(), 3u);
  EXPECT_EQ(small.hex(), hex(Bytes(8, 0))) << "written up to the failing point";

  Builder underflow = rig.job();
  underflow.append_seq_out_ptr(small.addr, 8);
  underflow.append_seq_store(9, ctx);
  EXPECT_EQ(rig.run(underflow), deco(DecoError::kSequence, 4));
  EXPECT_EQ(rig.deco.r.sol, 8u);

  Builder no_operand = rig.job();
  no_operand.append_cmd(ctx);
  EXPECT_EQ(rig.run(no_operand), deco(DecoError::kStore, 1));
  Builder imm_table = rig.job();
  imm_table.append_cmd(Store{.sgf_vlf = true, .imm = true, .len = 4});
  imm_table.append_ptr(small.addr);
  imm_table.append_word(1);
  EXPECT_EQ(rig.run(imm_table), deco(DecoError::kStore, 1));

  const Buffer short_table = rig.mem.table({Memory::entry(small)});
  Builder table = rig.job();
  table.append_store(short_table.addr, {.cls = ClassSel::kClass1, .sgf_vlf = true, .src = desc::kRegContext, .len = 9});
  EXPECT_EQ(rig.run(table), deco(DecoError::kSgLength, 1));
}

}  // namespace
}  // namespace caamlab::tests
