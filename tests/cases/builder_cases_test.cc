// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Words that people have posted or that a fix changed: built, stored in memory, measured; tables as they were logged.
#include "desc/constructors/aead.h"
#include "desc/constructors/gcm.h"
#include "desc/constructors/rng.h"
#include "desc/text/walk.h"
#include "driver/caam/alg_ctx.h"
#include "tests/hw_model/deco/fixture.h"

namespace caamlab::tests {
namespace {

using desc::ClassSel;
using desc::FifoStoreType;
using desc::MathReg;

TEST(BuilderCases, BlobExample) {
  Builder b(kBig32);
  b.init_job_desc({});
  b.append_key(0x092beebe, 16, {.cls = ClassSel::kClass2});
  b.append_seq_in_ptr(0x37d49f77, 75);
  b.append_seq_out_ptr(0x419d8fbf, 75 + 48);
  b.append_word(0x870d0000);
  EXPECT_EQ(Rig::finish(b),
            (Words{0xb0800008, 0x04000010, 0x092beebe, 0xf000004b, 0x37d49f77, 0xf800007b, 0x419d8fbf, 0x870d0000}));
}

TEST(BuilderCases, HmacWithASplitKey) {
  Builder b(kBig64);
  b.init_job_desc({});
  b.append_key(0xacd1f8000, 64, {.cls = ClassSel::kClass2, .dest = desc::KeyDest::kMdhaSplit});
  b.append_operation({.cls = ClassSel::kClass2,
                      .alg = desc::Alg::kSha256,
                      .aai = desc::aai::kHmacPrecomp,
                      .as = desc::AlgState::kInitFinal,
                      .enc = true});
  b.append_fifo_load_extlen(0xef7452b00, 1601, {.cls = ClassSel::kClass2, .type = 0x14});
  b.append_store(0x859adb800, {.cls = ClassSel::kClass2, .src = desc::kRegContext, .len = 32});
  EXPECT_EQ(Rig::finish(b), (Words{0xb080000c, 0x04030040, 0x0000000a, 0xcd1f8000, 0x8443004d, 0x24540000, 0x0000000e,
                                   0xf7452b00, 0x00000641, 0x54200020, 0x00000008, 0x59adb800}));
}

TEST(BuilderCases, CbcOverSequences) {
  Builder b(kBig32);
  b.init_job_desc({});
  b.append_seq_in_ptr(0x01234567, 512);
  b.append_seq_out_ptr(0x06123475, 512);
  b.append_load(0x11223344, {.cls = ClassSel::kClass1, .dst = desc::kRegContext, .len = 16});
  b.append_key(0x778899aa, 32, {.cls = ClassSel::kClass1});
  b.append_math_add(MathReg::kVarSeqInLen, MathReg::kSeqInLen, MathReg::kZero);
  b.append_math_add(MathReg::kVarSeqOutLen, MathReg::kSeqOutLen, MathReg::kZero);
  b.append_operation({.alg = desc::Alg::kAes, .aai = desc::aai::kCbc, .enc = true});
  b.append_seq_fifo_load(0, {.cls = ClassSel::kClass1, .sgf_vlf = true, .type = 0x12});
  b.append_seq_fifo_store(0, {.sgf_vlf = true, .type = FifoStoreType::kMsg});
  EXPECT_EQ(Rig::finish(b),
            (Words{0xb080000e, 0xf0000200, 0x01234567, 0xf8000200, 0x06123475, 0x12200010, 0x11223344, 0x02000020,
                   0x778899aa, 0xa808fa04, 0xa809fb04, 0x82100101, 0x2b120000, 0x69300000}));
}

TEST(BuilderCases, HmacCheckedAgainstAnIcv) {
  Builder b(kBig64);
  b.init_job_desc({});
  b.append_key(0xab8050640, 61, {.cls = ClassSel::kClass2});
  b.append_operation({.cls = ClassSel::kClass2,
                      .alg = desc::Alg::kSha256,
                      .aai = desc::aai::kHmac,
                      .as = desc::AlgState::kInitFinal,
                      .icv = true});
  b.append_fifo_load_extlen(0x806d8f600, 1601, {.cls = ClassSel::kClass2, .type = 0x14});
  b.append_fifo_load(0xde5ebe080, {.cls = ClassSel::kClass2, .type = 0x3c, .len = 32});
  EXPECT_EQ(Rig::finish(b), (Words{0xb080000c, 0x0400003d, 0x0000000a, 0xb8050640, 0x8443001e, 0x24540000, 0x00000008,
                                   0x06d8f600, 0x00000641, 0x243c0020, 0x0000000d, 0xe5ebe080}));
}

// A message of two parts, encrypted and, with the IV before it, authenticated.
TEST(BuilderCases, CbcAndHmac) {
  Builder b(kBig64);
  b.init_job_desc({});
  b.append_load(0xdf8093280, {.cls = ClassSel::kClass1, .dst = desc::kRegContext, .len = 16});
  b.append_key(0x5c36c3700, 16, {.cls = ClassSel::kClass1});
  b.append_key(0xc835c4200, 4, {.cls = ClassSel::kClass2});
  b.append_operation({.cls = ClassSel::kClass2,
                      .alg = desc::Alg::kSha256,
                      .aai = desc::aai::kHmac,
                      .as = desc::AlgState::kInitFinal,
                      .enc = true});
  b.append_move({.wait = true, .src = desc::MoveSrc::kClass1Ctx, .dst = desc::MoveDst::kClass2InFifo, .len = 16});
  b.append_operation({.alg = desc::Alg::kAes, .aai = desc::aai::kCbc, .as = desc::AlgState::kInitFinal, .enc = true});
  b.append_fifo_load(0x150c8e140, {.cls = ClassSel::kClass2, .type = 0x10, .len = 31});
  b.append_fifo_load(0xf9a70f440, {.cls = ClassSel::kBoth, .type = 0x16, .len = 128});
  b.append_fifo_store(0x2f701f800, {.type = FifoStoreType::kMsg, .len = 128});
  b.append_store(0x51f69ee10, {.cls = ClassSel::kClass2, .src = desc::kRegContext, .len = 32});
  EXPECT_EQ(Rig::finish(b), (Words{0xb0800019, 0x12200010, 0x0000000d, 0xf8093280, 0x02000010, 0x00000005, 0xc36c3700,
                                   0x04000004, 0x0000000c, 0x835c4200, 0x8443001d, 0x79090010, 0x8210010d, 0x2410001f,
                                   0x00000001, 0x50c8e140, 0x26160080, 0x0000000f, 0x9a70f440, 0x60300080, 0x00000002,
                                   0xf701f800, 0x54200020, 0x00000005, 0x1f69ee10}));
}

TEST(BuilderCases, MovesOfSomeLengths) {
  const auto code = [](uint8_t len) {
    return desc::encode(desc::Move{.src = desc::MoveSrc::kClass1Ctx, .dst = desc::MoveDst::kClass2Ctx, .len = len});
  };
  EXPECT_EQ((Words{code(15), code(17), code(18), code(19), code(20), code(22)}),
            (Words{0x7801000f, 0x78010011, 0x78010012, 0x78010013, 0x78010014, 0x78010016}));
}

// A DTLS shared descriptor that takes its IV out of its own words and changes them, up to the protocol.
TEST(BuilderCases, DtlsThatPatchesItself) {
  using desc::MoveDst;
  using desc::MoveSrc;
  const Words auth = {0x5c9b69e0, 0x6f07a9cc, 0xa4c0d316, 0xce460696, 0x2af777fd, 0x4382684f,
                      0xaa1ff753, 0xba1ccc74, 0x75a071f3, 0x994128e7, 0x98462552, 0x2b9ed6d9};
  const Words cipher = {0x1dc9ef2f, 0x7da33bd6, 0x42a461ef, 0x5b104873};
  const auto bytes = [](const Words& words) {
    Bytes out(words.size() * 4);
    for (size_t i = 0; i < words.size(); ++i) desc::store_be32(&out[4 * i], words[i]);
    return out;
  };
  Builder b(kBig64);
  const Words pdb = {0x17feff00, 0x00010000, 0x00000179, 0, 0, 0, 0, 0, 0, 0, 0};
  b.init_sh_desc_pdb({.share = desc::ShareMode::kSerial}, pdb);
  b.append_move({.wait = true, .src = MoveSrc::kDescBuf, .dst = MoveDst::kMath0, .offset = 220, .len = 16});
  b.append_math_imm_u64(desc::MathFn::kXor, MathReg::kReg0, MathReg::kReg0, MathReg::kImm, 0x0840010000000000);
  b.append_move({.src = MoveSrc::kMath0, .dst = MoveDst::kDescBuf, .offset = 160, .len = 8});
  b.append_seq_fifo_load(46, {.cls = ClassSel::kClass1, .type = 0x0f});
  b.append_move({.src = MoveSrc::kInFifoDeco, .dst = MoveDst::kOutFifo, .len = 46});
  b.append_seq_fifo_store(46, {.type = FifoStoreType::kMsg});
  const auto keys_there = b.append_jump({.jsl = true, .cond = desc::kCondShrd});
  b.append_key_as_imm(bytes(auth), 40, {.cls = ClassSel::kClass2, .enc = true, .dest = desc::KeyDest::kMdhaSplit});
  b.append_key_as_imm(bytes(cipher), 16, {.cls = ClassSel::kClass1});
  b.set_jump_tgt_here(keys_there);
  b.append_operation(
      desc::ProtocolOperation{.type = desc::ProtocolType::kEncap, .id = desc::protid::kDtls, .info = 0xff80});
  Words want = {0xb88c0028};
  want.insert(want.end(), pdb.begin(), pdb.end());
  want.insert(want.end(), {0x7934dc10, 0xa8604008, 0x08400100, 0x00000000, 0x7843a008, 0x2a0f002e, 0x7882002e,
                           0x6830002e, 0xa1004013, 0x04c30028});
  want.insert(want.end(), auth.begin(), auth.end());
  want.push_back(0x02800010);
  want.insert(want.end(), cipher.begin(), cipher.end());
  want.push_back(0x870cff80);
  want[0] = 0xb88c0200 | static_cast<uint32_t>(want.size());
  EXPECT_EQ(Rig::finish(b), want);
}

// The two waits that fixes put in: for the NFIFO to run empty, and for the CHA to be done with its class.
TEST(BuilderCases, Waits) {
  Builder b(kBig32);
  b.init_job_desc({});
  b.append_wait({.jsl = true, .cond = desc::kCondNifp});
  b.append_wait({.jsl = true, .cond = desc::kCondCalm});
  EXPECT_EQ(Rig::finish(b), (Words{0xb0800003, 0xa1000401, 0xa1001001}));
}

// A second key while the class may be at work, behind the wait: both operations use the key they were given.
TEST(BuilderCases, SecondOperationBehindAWait) {
  Rig rig;
  const Bytes text = filler(4096, 1);
  const Buffer in = rig.mem.input(text), first = rig.mem.output(4096), second = rig.mem.output(4096);
  const auto one = [&](Builder& b, uint32_t key, const Buffer& out) {
    b.append_key_as_imm(filler(16, key), 16, {.cls = ClassSel::kClass1});
    b.append_operation({.alg = desc::Alg::kAes, .aai = desc::aai::kEcb, .as = desc::AlgState::kInitFinal, .enc = true});
    b.append_fifo_load(in.addr, {.cls = ClassSel::kClass1, .type = 0x12, .len = 4096});
    b.append_fifo_store(out.addr, {.type = FifoStoreType::kMsg, .len = 4096});
  };
  Builder both = rig.job();
  one(both, 7, first);
  both.append_wait({.jsl = true, .cond = desc::kCondCalm});
  both.append_load_imm_u32(1, {.dst = desc::kRegClrw});  // the mode of class 1
  one(both, 8, second);
  ASSERT_EQ(rig.run(both), ok());
  for (const uint32_t key : {7u, 8u}) {
    const Buffer alone = rig.mem.output(4096);
    Builder b = rig.job();
    one(b, key, alone);
    ASSERT_EQ(rig.run(b), ok());
    EXPECT_TRUE(alone.bytes() == (key == 7 ? first : second).bytes()) << key;
  }
}

// Without that wait a KEY finds its class at work on data that never comes.
TEST(BuilderCases, KeyForABusyClass) {
  Rig rig;
  Builder b = rig.job();
  const desc::AlgOperation cbc{.alg = desc::Alg::kAes, .aai = desc::aai::kCbc, .as = desc::AlgState::kInitFinal};
  b.append_key_as_imm(filler(16, 1), 16, {.cls = ClassSel::kClass1});
  b.append_operation(cbc);
  b.append_key_as_imm(filler(16, 2), 16, {.cls = ClassSel::kClass1});
  b.append_operation(cbc);
  // At the second KEY: behind header, KEY with four words, OPERATION.
  EXPECT_EQ(rig.run(b), deco(desc::DecoError::kWatchdog, 7));
  // It is the KEY that waits: without it there is nothing to wait for but the end.
  Builder other = rig.job();
  other.append_key_as_imm(filler(16, 1), 16, {.cls = ClassSel::kClass1});
  other.append_operation(cbc);
  other.append_key_as_imm(filler(16, 2), 16, {.cls = ClassSel::kClass2});
  EXPECT_EQ(rig.run(other), ok());
}

// Input table of IV and text, with and without the final mark on its last entry, the output's entries right behind.
TEST(BuilderCases, InputTableWithoutAFinalMark) {
  for (const desc::Target& target : kTargets) {
    Rig rig(target);
    const Bytes iv = filler(16, 1), text = filler(640, 2), key = filler(16, 3);
    std::string results[2];
    for (const bool marked : {false, true}) {
      const Buffer iv_mem = rig.mem.both(iv), in = rig.mem.input(text), out = rig.mem.output(640);
      desc::SgEntry in_end = Memory::entry(in), out_end = Memory::entry(iv_mem);
      in_end.final = marked;
      out_end.final = true;
      const Buffer table = rig.mem.table({Memory::entry(iv_mem), in_end, Memory::entry(out), out_end, {}, {}}, true);
      Builder b = rig.job();
      b.append_seq_in_ptr(table.addr, 656, {.sgf = true});
      b.append_seq_out_ptr(table.addr + 2 * desc::kSgEntryBytes, 656, {.sgf = true});
      b.append_key_as_imm(key, 16, {.cls = ClassSel::kClass1});
      b.append_seq_load(16, {.cls = ClassSel::kClass1, .dst = desc::kRegContext});
      b.append_math_add(MathReg::kVarSeqInLen, MathReg::kSeqInLen, MathReg::kZero);
      b.append_math_add(MathReg::kVarSeqOutLen, MathReg::kSeqInLen, MathReg::kZero);
      b.append_operation(
          {.alg = desc::Alg::kAes, .aai = desc::aai::kCbc, .as = desc::AlgState::kInitFinal, .enc = true});
      b.append_seq_fifo_load(0, {.cls = ClassSel::kClass1, .sgf_vlf = true, .type = 0x12});
      b.append_seq_fifo_store(0, {.sgf_vlf = true, .type = FifoStoreType::kMsg});
      b.append_seq_store(16, {.cls = ClassSel::kClass1, .src = desc::kRegContext});
      ASSERT_EQ(rig.run(b), ok()) << target_name(target) << marked;
      EXPECT_EQ(rig.deco.out_bytes(), 656u);
      results[marked] = out.hex() + iv_mem.hex();
      EXPECT_EQ(hex(out.span().last(16)), iv_mem.hex()) << "the next IV is the last block";
    }
    EXPECT_EQ(results[0], results[1]) << target_name(target);
  }
}

TEST(BuilderCases, BytesInMemory) {
  Builder b(kLittle32);
  b.init_job_desc({});
  b.append_seq_in_ptr(0, 0x200);
  while (b.len() < 14) b.append_word(0);
  const auto words = b.finish();
  ASSERT_TRUE(words.has_value());
  uint8_t raw[64];
  words->store(raw, desc::Endian::kBig);
  EXPECT_EQ(hex({raw, 8}), "b080000ef0000200");
  words->store(raw, desc::Endian::kLittle);
  EXPECT_EQ(hex({raw, 8}), "0e0080b0000200f0");
  Builder pointer(kBig64);
  pointer.init_job_desc({});
  pointer.append_ptr(0xacd1f8000);
  const auto big = pointer.finish();
  ASSERT_TRUE(big.has_value());
  big->store(raw, desc::Endian::kBig);
  EXPECT_EQ(hex({raw + 4, 8}), "0000000acd1f8000");
}

TEST(BuilderCases, BlackKeysTakeMoreRoom) {
  struct Case {
    uint16_t len;
    bool ccm;
    unsigned bytes;
  };
  for (const Case& c : {Case{20, false, 32}, Case{20, true, 36}, Case{16, false, 16}, Case{16, true, 28},
                        Case{24, true, 36}, Case{32, true, 44}, Case{1, false, 16}, Case{1, true, 20}}) {
    const desc::Key key{.cls = ClassSel::kClass1, .imm_aidf = true, .enc = true, .ekt = c.ccm, .len = c.len};
    EXPECT_EQ(key.source_len(), c.bytes) << c.len;
    EXPECT_EQ(key.operands().imm_words, c.bytes / 4) << c.len;
  }
}

TEST(BuilderCases, NullCipherHasNoClass1Key) {
  for (const int era : {4, 6, 10})
    for (const bool encrypt : {true, false}) {
      desc::AlgInfo adata{.op = {.cls = ClassSel::kClass2, .alg = desc::Alg::kSha1, .aai = desc::aai::kHmacPrecomp},
                          .keylen = 20,
                          .keylen_pad = 48};
      adata.key_inline = false;
      adata.key_dma = 0x1000;
      Builder b(kBig32);
      encrypt ? cnstr_shdsc_aead_null_encap(b, adata, {.icvsize = 20, .era = era})
              : cnstr_shdsc_aead_null_decap(b, adata, {.icvsize = 20, .era = era});
      const Words words = Rig::finish(b);
      desc::Walker walker(words, 1);
      unsigned keys = 0;
      while (const auto item = walker.next()) {
        const auto* key = std::get_if<desc::Key>(&item->command);
        if (item->kind != desc::ItemKind::kCommand || key == nullptr) continue;
        ++keys;
        EXPECT_NE(key->cls, ClassSel::kClass1) << era;
      }
      EXPECT_EQ(keys, era < 6 ? 1u : 0u) << "the authentication key: a KEY, or made by DKP";
    }
}

TEST(BuilderCases, RngJobIsFourWords) {
  Builder b(kBig32);
  caam_init_desc(b, 0x1000, desc::kRngMaxBytes);
  EXPECT_EQ(Rig::finish(b).size(), 4u);
}

// Nothing comes out of an empty message that was opened: no table, no bytes.
TEST(BuilderCases, EmptyOutput) {
  for (const desc::Target& target : kTargets) {
    Builder b(target);
    init_gcm_job(b, {.aead = {.sh_desc = 0x1000,
                              .sh_len = 20,
                              .in = {.addr = 0x2000, .len = 16},
                              .out = {},
                              .assoclen = 0,
                              .encrypt = false},
                     .iv = filler(12, 1)});
    const Words words = Rig::finish(b);
    desc::Walker walker(words, target.ptr_words());
    unsigned seen = 0;
    while (const auto item = walker.next())
      if (const auto* out = std::get_if<desc::SeqOutPtr>(&item->command)) {
        ++seen;
        EXPECT_EQ(out->len, 0u);
        EXPECT_FALSE(out->sgf);
        EXPECT_EQ(item->operands.back(), 0u) << "extended length";
      }
    EXPECT_EQ(seen, 1u);
  }
}

// Keys are inline as long as everything fits 64 words, and not one word longer.
TEST(BuilderCases, InlineBudget) {
  using driver::caam::InlineKeys;
  api::Registry registry;
  hw_model::DmaSpace memory;
  driver::caam::CaamDevice device;
  device.dma = &memory;
  driver::caam::CtrlPriv ctrl(device, registry, {});
  for (unsigned base = 20; base <= 52; ++base) {
    uint8_t mem[desc::kMaxDescWords * 4];
    driver::caam::ShDesc out{.mem = mem};
    bool key_inline = false;
    const int err =
        store_sh_desc(ctrl, out, 13, {.auth = false, .cipher = true}, [&](desc::Builder& b, InlineKeys keys) {
          key_inline = keys.cipher;
          b.init_sh_desc({});
          b.append_space(base - 1);
          if (keys.cipher) b.append_space(20);
        });
    EXPECT_EQ(err, base + 13 <= 64 ? 0 : -EINVAL) << base;
    if (err == 0) {
      EXPECT_EQ(key_inline, base <= 31) << base;
    }
  }
}

}  // namespace
}  // namespace caamlab::tests
