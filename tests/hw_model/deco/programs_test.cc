// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The reference programs of hardware.md 10 that need no protocol: 3 to 6, 8 and 14. The programs of units and protocols
// are theirs; 7 is in output_test.cc, 9 in scheduler_test.cc.
#include "desc/constructors/aead.h"
#include "desc/constructors/gcm.h"
#include "tests/hw_model/cha/vectors.h"
#include "tests/hw_model/deco/fixture.h"

namespace caamlab::tests {
namespace {

using desc::AlgState;
using desc::CcbError;
using desc::ChaId;
using desc::ClassSel;
using desc::DecoError;
using desc::MathReg;
using hw_model::DmaDirection;

class Programs : public OnEveryPart {};

// 3: whatever comes before it; nothing behind it runs.
TEST_P(Programs, EarlySuccessHalt) {
  const Buffer out = rig.mem.output(8);
  Builder b = rig.job();
  b.append_load_as_imm(filler(8, 1), {.dst = desc::kRegOfifo});
  b.append_fifo_store(out.addr, {.type = desc::FifoStoreType::kMsg, .len = 8});
  b.append_word(0xA0C00000);
  b.append_word(0x00000000);
  EXPECT_EQ(rig.run(b), ok());
  EXPECT_EQ(out.hex(), hex(filler(8, 1)));
}

// 4
TEST_P(Programs, UserHalt) { EXPECT_EQ(rig.run(Words{0xB0800003, 0xA0000001, 0xA0C00042}).word, 0x30000242u); }

// McGrew and Viega, test case 4 of the GCM proposal.
const Bytes kKey = from_hex("feffe9928665731c6d6a8f9467308308"), kIv = from_hex("cafebabefacedbaddecaf888");
const Bytes kAad = from_hex("feedfacedeadbeeffeedfacedeadbeefabaddad2");
const Bytes kPlain = from_hex(
    "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba"
    "63"
    "7b39");
const Bytes kCipher = from_hex(
    "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d"
    "58"
    "e091");
const Bytes kTag = from_hex("5bc94fbc3221a5db94fae95ae7121a47");

Bytes join(std::initializer_list<Bytes> parts) {
  Bytes out;
  for (const Bytes& p : parts) out.insert(out.end(), p.begin(), p.end());
  return out;
}

// 5, 6: the kernel's descriptors, IV with FLUSH1 in the job before KEY and OPERATION, stores before loads; key inline
// and by pointer, tables and plain pointers.
TEST_P(Programs, KernelGcm) {
  for (const bool encrypt : {true, false})
    for (const bool key_inline : {true, false})
      for (const bool sgf : {false, true})
        for (const int bad_tag : {0, 1}) {
          if (bad_tag != 0 && encrypt) continue;
          desc::AlgInfo info{.op = {.alg = desc::Alg::kAes, .aai = desc::aai::kGcm}, .keylen = 16};
          info.key = kKey;
          info.key_inline = key_inline;
          info.key_dma = rig.mem.input(kKey).addr;
          Builder sd(GetParam());
          encrypt ? cnstr_shdsc_gcm_encap(sd, info, {}) : cnstr_shdsc_gcm_decap(sd, info, {});
          const Words sd_words = Rig::finish(sd);
          Bytes in = encrypt ? join({kAad, kPlain}) : join({kAad, kCipher, kTag});
          if (bad_tag != 0) in.back() ^= 1;
          const Buffer plain_in = rig.mem.input(in);
          const Buffer in_table = rig.mem.table_of(rig.mem.pieces(in, {13, 1, 30}, DmaDirection::kToDevice));
          const size_t out_len = encrypt ? in.size() + 16 : in.size() - 16;
          const Buffer out = rig.mem.output(out_len);
          const Buffer out_table = rig.mem.table(
              {Memory::entry(out, 0, 20), Memory::entry(out, 20, 1), Memory::entry(out, 21, out_len - 21)});
          desc::GcmJob job{.iv = kIv};
          job.aead.sh_desc = rig.mem.words(sd_words).addr;
          job.aead.sh_len = static_cast<unsigned>(sd_words.size());
          job.aead.in = {
              .addr = sgf ? in_table.addr : plain_in.addr, .len = static_cast<uint32_t>(in.size()), .sgf = sgf};
          job.aead.out = {.addr = sgf ? out_table.addr : out.addr, .len = static_cast<uint32_t>(out_len), .sgf = sgf};
          job.aead.assoclen = 20;
          job.aead.encrypt = encrypt;
          Builder jd(GetParam());
          init_gcm_job(jd, job);
          const JrStatus status = rig.run(jd);
          EXPECT_EQ(status.word & 0xF00000FF, bad_tag != 0 ? 0x2000001Au : 0u);
          const std::string aad_kept = hex(Bytes(20, Memory::kUnwritten));
          EXPECT_EQ(out.hex(), aad_kept + (encrypt ? to_hex(kCipher) + to_hex(kTag) : to_hex(kPlain)));
          EXPECT_EQ(rig.deco.out_bytes(), out_len) << "AAD counts although it is skipped";
          EXPECT_EQ(rig.deco.stats().keys_loaded, 1u);
        }
}

// 8: the kernel's null AEAD, whose MOVE gets its length at run time. The split key is any 64 bytes, in plain.
TEST_P(Programs, KernelNullAead) {
  const Bytes split = filler(64, 1);
  const auto build = [&](bool encrypt) {
    desc::AlgInfo auth{.op = {.cls = ClassSel::kClass2, .alg = desc::Alg::kSha256, .aai = desc::aai::kHmacPrecomp}};
    auth.keylen = auth.keylen_pad = 64;
    auth.key = split;
    Builder sd(GetParam());
    const desc::AeadNullParams params{.icvsize = 16, .era = 5};
    encrypt ? cnstr_shdsc_aead_null_encap(sd, auth, params) : cnstr_shdsc_aead_null_decap(sd, auth, params);
    Words words = Rig::finish(sd);
    for (uint32_t& w : words)
      if (w ==
          encode(desc::Key{
              .cls = ClassSel::kClass2, .imm_aidf = true, .enc = true, .dest = desc::KeyDest::kMdhaSplit, .len = 64}))
        w &= ~(1u << 22);
    return words;
  };
  const auto run = [&](bool encrypt, const Buffer& in, const Buffer& out) {
    const Words sd = build(encrypt);
    desc::AuthencJob job{};
    job.aead.sh_desc = rig.mem.words(sd).addr;
    job.aead.sh_len = static_cast<unsigned>(sd.size());
    job.aead.in = {.addr = in.addr, .len = static_cast<uint32_t>(in.len)};
    job.aead.out = {.addr = out.addr, .len = static_cast<uint32_t>(out.len)};
    job.aead.encrypt = encrypt;
    job.aead.era = 5;
    Builder jd(GetParam());
    init_authenc_job(jd, job);
    return rig.run(jd);
  };
  for (const size_t len : {0u, 1u, 16u, 300u, 65519u, 65535u}) {
    const Bytes text = filler(len, 2);
    const Buffer in = rig.mem.input(text), out = rig.mem.both(Bytes(len + 16));
    ASSERT_EQ(run(true, in, out), ok()) << len;
    EXPECT_TRUE(std::equal(text.begin(), text.end(), out.data));
    // The tag by a job that says it straight.
    Builder b = rig.job();
    b.append_key_as_imm(split, 64, {.cls = ClassSel::kClass2, .dest = desc::KeyDest::kMdhaSplit});
    b.append_operation(desc::AlgOperation{.cls = ClassSel::kClass2,
                                          .alg = desc::Alg::kSha256,
                                          .aai = desc::aai::kHmacPrecomp,
                                          .as = AlgState::kInitFinal,
                                          .enc = true});
    b.append_fifo_load_extlen(in.addr, static_cast<uint32_t>(len), {.cls = ClassSel::kClass2, .type = 0x14});
    EXPECT_EQ(rig.run(b), ok());
    EXPECT_EQ(hex({out.data + len, 16}), hex({rig.c2().context(), 16})) << len;

    if (len > 65519) continue;  // the patched length has sixteen bits, and the tag is part of the frame
    const Buffer back = rig.mem.output(len);
    EXPECT_EQ(run(false, out, back), ok()) << len;
    EXPECT_EQ(back.hex(), hex(text));
    out.data[len] ^= 0x80;
    EXPECT_EQ(run(false, out, back).word & 0xF00000FF, 0x2000004Au) << len;
  }
}

ON_EVERY_PART(Programs);

// 14
TEST(ErrorWords, SequenceUnderflow) {
  Rig rig;
  const Buffer in = rig.mem.input(filler(8, 1));
  Builder b = rig.job();
  b.append_seq_in_ptr(in.addr, 8);
  b.append_seq_fifo_load(9, {.cls = ClassSel::kClass1, .type = 0x10});
  EXPECT_EQ(rig.run(b).word, 0x40000410u);
}

TEST(ErrorWords, BadIcv) {
  Rig rig;
  Builder aes = rig.job();
  aes.append_key_as_imm(filler(16, 1), 16, {.cls = ClassSel::kClass1});
  aes.append_operation(desc::AlgOperation{.aai = desc::aai::kGcm, .as = AlgState::kInitFinal, .icv = true});
  aes.append_fifo_load_as_imm(filler(12, 2), {.cls = ClassSel::kClass1, .type = 0x21});
  aes.append_fifo_load_as_imm(filler(16, 3), {.cls = ClassSel::kClass1, .type = 0x3A});
  EXPECT_EQ(rig.run(aes), ccb(ChaId::kAes, CcbError::kIcvCheck, aes.len() - 5));
  Builder sha = rig.job();
  sha.append_operation(
      desc::AlgOperation{.cls = ClassSel::kClass2, .alg = desc::Alg::kSha1, .as = AlgState::kInitFinal, .icv = true});
  sha.append_fifo_load_as_imm(filler(12, 2), {.cls = ClassSel::kClass2, .type = 0x14});
  sha.append_fifo_load_as_imm(filler(20, 3), {.cls = ClassSel::kClass2, .type = 0x3C});
  EXPECT_EQ(rig.run(sha), ccb(ChaId::kMdha, CcbError::kIcvCheck, sha.len() - 6));
}

TEST(ErrorWords, PartialBlocks) {
  Rig rig;
  for (const bool des : {false, true}) {
    Builder b = rig.job();
    b.append_key_as_imm(filler(des ? 8 : 16, 1), des ? 8 : 16, {.cls = ClassSel::kClass1});
    b.append_operation(desc::AlgOperation{.alg = des ? desc::Alg::kDes : desc::Alg::kAes,
                                          .aai = desc::aai::kCbc,
                                          .as = AlgState::kInitFinal,
                                          .enc = true});
    b.append_fifo_load_as_imm(filler(17, 2), {.cls = ClassSel::kClass1, .type = 0x12});
    EXPECT_EQ(rig.run(b).word & 0xF00000FF, des ? 0x20000022u : 0x20000012u);
  }
}

TEST(ErrorWords, TheRest) {
  Rig rig;
  EXPECT_EQ(rig.run(Words{0x12345678, 0x9ABCDEF0}).word, 0x40000013u) << "garbage header";
  EXPECT_EQ(rig.run(Words(16)).word, 0x40000006u) << "all zero";
  EXPECT_EQ(rig.run(Words{0xB0800002, 0xA000007F}).word, 0x4000010Du) << "jump outside";
  const Buffer table = rig.mem.table({Memory::entry(rig.mem.input(filler(8, 1)))});
  Builder b = rig.job();
  b.append_fifo_load(table.addr, {.cls = ClassSel::kClass1, .sgf_vlf = true, .type = 0x10, .len = 9});
  EXPECT_EQ(rig.run(b).word, 0x40000101u) << "S/G too short";
}

}  // namespace
}  // namespace caamlab::tests
