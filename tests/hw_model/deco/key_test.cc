// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// KEY and SEQ KEY (hardware.md 2.3, 9): field rules, every source, what the key register holds afterwards, errors.
// Black keys are another test's.
#include "tests/hw_model/deco/fixture.h"

namespace caamlab::tests {
namespace {

using desc::ClassSel;
using desc::DecoError;
using desc::Key;
using desc::KeyDest;

class KeyTest : public OnEveryPart {
 protected:
  hw_model::KeyRegister& key(ClassSel cls) { return (cls == ClassSel::kClass1 ? rig.c1() : rig.c2()).key; }
  void expect_key(ClassSel cls, const Bytes& bytes) { EXPECT_EQ(hex(key(cls).key()), hex(bytes)); }
};

TEST_P(KeyTest, ImmediateIsRoundedUpToWords) {
  for (const ClassSel cls : {ClassSel::kClass1, ClassSel::kClass2})
    for (const size_t len : {1, 2, 3, 4, 5, 16, 23, 24, 32, 63, 64, 127, 128}) {
      if (cls == ClassSel::kClass1 && len > 64) continue;
      const Bytes bytes = filler(len, static_cast<uint32_t>(len));
      Builder b = rig.job();
      b.append_key_as_imm(bytes, static_cast<unsigned>(len), {.cls = cls});
      b.append_jump_halt({.type = desc::JumpType::kHaltUser, .offset = 0x42});
      EXPECT_EQ(rig.run(b), JrStatus::jump_user(0x42, 2 + (static_cast<unsigned>(len) + 3) / 4)) << len;
      expect_key(cls, bytes);
      EXPECT_EQ(key(cls).size, len);
    }
}

TEST_P(KeyTest, PointerAndScatterGather) {
  const Bytes bytes = filler(64, 3);
  const Buffer plain = rig.mem.input(bytes);
  const Buffer table = rig.mem.table_of(rig.mem.pieces(bytes, {1, 7, 3, 30}, hw_model::DmaDirection::kToDevice));
  for (const bool sgf : {false, true})
    for (const ClassSel cls : {ClassSel::kClass1, ClassSel::kClass2}) {
      Builder b = rig.job();
      b.append_key(sgf ? table.addr : plain.addr, 64, {.cls = cls, .sgf_vlf = sgf});
      EXPECT_EQ(rig.run(b), ok());
      expect_key(cls, bytes);
    }
}

TEST_P(KeyTest, Sequence) {
  const Bytes bytes = filler(40, 4);
  const Buffer in = rig.mem.input(bytes);
  Builder b = rig.job();
  b.append_seq_in_ptr(in.addr, 40);
  b.append_cmd(Key{.seq = true, .cls = ClassSel::kClass1, .len = 16});
  b.append_math_sub_imm_u32(desc::MathReg::kVarSeqInLen, desc::MathReg::kSeqInLen, desc::MathReg::kImm, 5);
  b.append_cmd(Key{.seq = true, .cls = ClassSel::kClass2, .sgf_vlf = true});  // VLF: 24 - 5 bytes
  EXPECT_EQ(rig.run(b), ok());
  expect_key(ClassSel::kClass1, Bytes(bytes.begin(), bytes.begin() + 16));
  expect_key(ClassSel::kClass2, Bytes(bytes.begin() + 16, bytes.begin() + 35));
  EXPECT_EQ(rig.deco.r.sil, 5u);
  EXPECT_EQ(rig.deco.r.vsil, 19u) << "a VLF command leaves VSIL alone";
}

TEST_P(KeyTest, SequenceFromInputFifo) {
  const Bytes bytes = filler(20, 5);
  const Buffer in = rig.mem.input(bytes);
  Builder b = rig.job();
  b.append_seq_in_ptr(in.addr, 20);
  b.append_seq_fifo_load(20, {.cls = ClassSel::kClass1, .type = 0x0F});  // data without an entry
  b.append_cmd(Key{.seq = true, .cls = ClassSel::kClass1, .imm_aidf = true, .len = 16});
  b.append_cmd(Key{.seq = true, .cls = ClassSel::kClass2, .imm_aidf = true, .len = 4});
  EXPECT_EQ(rig.run(b), ok());
  expect_key(ClassSel::kClass1, Bytes(bytes.begin(), bytes.begin() + 16));
  expect_key(ClassSel::kClass2, Bytes(bytes.begin() + 16, bytes.end()));
}

ON_EVERY_PART(KeyTest);

TEST(Key, EmptyInputFifoHangs) {
  Rig rig;
  Builder b = rig.job();
  b.append_cmd(Key{.seq = true, .cls = ClassSel::kClass1, .imm_aidf = true, .len = 16});
  EXPECT_EQ(rig.run(b), deco(DecoError::kWatchdog, 1));
}

// The rules of 2.3 and 9, written down once more.
bool legal(const Key& k) {
  const bool class1 = k.cls == ClassSel::kClass1, class2 = k.cls == ClassSel::kClass2;
  if (!class1 && !class2) return false;
  if (k.imm_aidf && k.sgf_vlf) return false;
  if (k.pts && (k.enc || k.nwb || k.dest == KeyDest::kPkhaE)) return false;
  switch (k.dest) {
    case KeyDest::kClassReg:
      return k.len >= 1 && k.len <= (class1 ? 64 : 128);
    case KeyDest::kPkhaE:
      return class1 && k.len >= 1 && k.len <= 512;
    case KeyDest::kAfhaSbox:
      return class1 && k.len == 258 && !k.imm_aidf;
    case KeyDest::kMdhaSplit:
      return class2 && k.len >= 1 && k.len <= 128;
  }
  return false;
}

TEST(Key, FieldRules) {
  Rig rig;
  const Buffer source = rig.mem.input(filler(1200, 1));
  const Buffer table = rig.mem.table({Memory::entry(source)});
  unsigned accepted = 0, refused = 0;
  for (unsigned flags = 0; flags < 64; ++flags)
    for (unsigned cls = 0; cls < 4; ++cls)
      for (unsigned dest = 0; dest < 4; ++dest)
        for (const unsigned len : {0, 1, 16, 32, 33, 64, 65, 128, 129, 258, 259, 512, 513, 0x3FF}) {
          Key k{.cls = static_cast<ClassSel>(cls), .dest = static_cast<KeyDest>(dest)};
          k.sgf_vlf = (flags & 1) != 0;
          k.imm_aidf = (flags & 2) != 0;
          k.enc = (flags & 4) != 0;
          k.nwb = (flags & 8) != 0;
          k.ekt = (flags & 16) != 0;
          k.pts = (flags & 32) != 0;
          k.len = static_cast<uint16_t>(len);
          if (k.imm_aidf && k.operands().imm_words > 60) continue;  // does not fit a descriptor
          Builder b = rig.job();
          b.append_cmd(k);
          if (k.imm_aidf)
            b.append_space(k.operands().imm_words);
          else
            b.append_ptr(k.sgf_vlf ? table.addr : source.addr);
          const JrStatus status = rig.run(b);
          const bool key_error = status == deco(DecoError::kKey, 1);
          EXPECT_EQ(key_error, !legal(k)) << std::hex << encode(k) << " " << status.word;
          (legal(k) ? accepted : refused) += 1;
          // What a legal red key ends with: nothing, or no such CHA.
          if (legal(k) && !k.enc && (k.dest == KeyDest::kClassReg || k.dest == KeyDest::kMdhaSplit)) {
            EXPECT_EQ(status, ok()) << std::hex << encode(k);
          }
        }
  EXPECT_GT(accepted, 500u);
  EXPECT_GT(refused, 5000u);
}

TEST(Key, VlfAndAidfNeedEraSix) {
  for (const int era : {4, 5, 6, 8, 10})
    for (const bool aidf : {false, true}) {
      Rig rig(kLittle64, {.era = era});
      const Buffer in = rig.mem.input(filler(16, 1));
      Builder b = rig.job();
      b.append_seq_in_ptr(in.addr, 16);
      if (aidf)
        b.append_seq_fifo_load(16, {.cls = ClassSel::kClass1, .type = 0x0F});
      else
        b.append_math_add(desc::MathReg::kVarSeqInLen, desc::MathReg::kSeqInLen, desc::MathReg::kZero);
      Key k{.seq = true, .cls = ClassSel::kClass1};
      (aidf ? k.imm_aidf : k.sgf_vlf) = true;
      if (aidf) k.len = 16;
      b.append_cmd(k);
      EXPECT_EQ(rig.run(b), era < 6 ? deco(DecoError::kKey, b.len() - 1) : ok()) << era;
    }
}

TEST(Key, WhatTheRegisterRemembers) {
  Rig rig;
  for (unsigned flags = 0; flags < 8; ++flags) {
    Key k{.cls = ClassSel::kClass2};
    k.nwb = (flags & 1) != 0;
    k.pts = (flags & 2) != 0;
    k.dest = (flags & 4) != 0 ? KeyDest::kMdhaSplit : KeyDest::kClassReg;
    if (k.nwb && k.pts) continue;
    Builder b = rig.job();
    b.append_key_as_imm(filler(40, 1), 40, k);
    EXPECT_EQ(rig.run(b), ok());
    EXPECT_EQ(rig.c2().key.no_write_back, k.nwb);
    EXPECT_EQ(rig.c2().key.plaintext_store, k.pts);
    EXPECT_EQ(rig.c2().key.split, k.dest == KeyDest::kMdhaSplit);
    EXPECT_EQ(rig.deco.stats().keys_loaded, 1u);
  }
}

TEST(Key, RegisterIsWriteOnly) {
  for (const bool pts : {false, true}) {
    Rig rig;
    const Buffer out = rig.mem.output(16);
    Builder store = rig.job();
    store.append_key_as_imm(filler(16, 1), 16, {.cls = ClassSel::kClass1, .pts = pts});
    store.append_store(out.addr, {.cls = ClassSel::kClass1, .src = desc::kRegKey, .len = 16});
    EXPECT_EQ(rig.run(store), deco(DecoError::kStore, 6));

    // MOVE reads only a key that may be stored in plaintext.
    Builder move = rig.job();
    move.append_key_as_imm(filler(16, 1), 16, {.cls = ClassSel::kClass1, .pts = pts});
    move.append_move({.src = desc::MoveSrc::kClass1Key, .dst = desc::MoveDst::kMath0, .len = 16});
    EXPECT_EQ(rig.run(move), pts ? ok() : deco(DecoError::kMove, 6));
    uint8_t moved[16];
    desc::store_be64(moved, rig.math(0));
    desc::store_be64(moved + 8, rig.math(1));
    EXPECT_EQ(hex(moved), pts ? hex(filler(16, 1)) : std::string(32, '0'));
  }
}

TEST(Key, WaitsForTheClass) {
  const desc::AlgOperation gcm{.aai = desc::aai::kGcm, .as = desc::AlgState::kInitFinal, .enc = true};
  // A class at work that nothing will ever finish.
  Rig rig;
  Builder stuck = rig.job();
  stuck.append_operation(gcm);
  stuck.append_key_as_imm(filler(16, 1), 16, {.cls = ClassSel::kClass1});
  EXPECT_EQ(rig.run(stuck), deco(DecoError::kWatchdog, 2));
  // The other class is free.
  Builder other = rig.job();
  other.append_operation(gcm);
  other.append_key_as_imm(filler(16, 1), 16, {.cls = ClassSel::kClass2});
  EXPECT_EQ(rig.run(other), ok());
  // One that has all its data uses the key it started with.
  const Buffer tag = rig.mem.output(16);
  Words with_second_key;
  std::string tags[2];
  for (const bool second : {false, true}) {
    Builder b = rig.job();
    b.append_key_as_imm(filler(16, 1), 16, {.cls = ClassSel::kClass1});
    b.append_operation(gcm);
    b.append_fifo_load_as_imm(filler(12, 2), {.cls = ClassSel::kClass1, .type = 0x22});
    if (second) b.append_key_as_imm(filler(16, 9), 16, {.cls = ClassSel::kClass1});
    b.append_store(tag.addr, {.cls = ClassSel::kClass1, .src = desc::kRegContext, .len = 16});
    EXPECT_EQ(rig.run(b), ok());
    tags[second] = tag.hex();
  }
  EXPECT_EQ(tags[0], tags[1]);
}

TEST(Key, Errors) {
  Rig rig;
  const Buffer five = rig.mem.input(filler(5, 1));
  const Buffer out_only = rig.mem.output(16);
  const Buffer short_table = rig.mem.table({Memory::entry(five)});
  const auto status_of = [&](BusAddr addr, bool sgf) {
    Builder b = rig.job();
    b.append_key(addr, 16, {.cls = ClassSel::kClass1, .sgf_vlf = sgf});
    return rig.run(b);
  };
  EXPECT_EQ(status_of(short_table.addr, true), deco(DecoError::kSgLength, 1));
  EXPECT_EQ(rig.mem.take_faults(), 0u);
  EXPECT_EQ(status_of(five.addr, false), deco(DecoError::kDma, 1));  // runs into unmapped memory
  EXPECT_EQ(status_of(out_only.addr, false), deco(DecoError::kDma, 1));
  rig.mem.unmap(five);
  EXPECT_EQ(status_of(five.addr, false), deco(DecoError::kDma, 1));
  EXPECT_EQ(rig.mem.take_faults(), 3u);

  Builder underflow = rig.job();
  underflow.append_seq_in_ptr(out_only.addr, 15);
  underflow.append_cmd(Key{.seq = true, .cls = ClassSel::kClass1, .len = 16});
  EXPECT_EQ(rig.run(underflow), deco(DecoError::kSequence, 4));

  // Operands that the descriptor does not have any more.
  Builder no_pointer = rig.job();
  no_pointer.append_cmd(Key{.cls = ClassSel::kClass1, .len = 16});
  EXPECT_EQ(rig.run(no_pointer), deco(DecoError::kKey, 1));
  Builder no_data = rig.job();
  no_data.append_cmd(Key{.cls = ClassSel::kClass1, .imm_aidf = true, .len = 16});
  no_data.append_space(3);
  EXPECT_EQ(rig.run(no_data), deco(DecoError::kKey, 1));

  // A word of zeros is a KEY of class 0.
  EXPECT_EQ(rig.run(Words{0xB0800003, 0xA0000001, 0}), deco(DecoError::kKey, 2));
}

TEST(Key, BytesBehindAShortKeyStay) {
  Rig rig;
  Builder b = rig.job();
  b.append_key_as_imm(filler(32, 1), 32, {.cls = ClassSel::kClass1});
  b.append_key_as_imm(filler(16, 2), 16, {.cls = ClassSel::kClass1});
  EXPECT_EQ(rig.run(b), ok());
  EXPECT_EQ(rig.c1().key.size, 16u);
  EXPECT_EQ(hex(rig.c1().key.key()), hex(filler(16, 2)));
}

}  // namespace
}  // namespace caamlab::tests
