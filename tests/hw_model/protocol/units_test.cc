// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// RNG, PKHA and black keys as jobs on a DECO: the published RNG self-test, instantiation and random bytes as drivers
// ask for them, modular exponentiation as a boot loader does it, keys that go out black and come back.
#include "desc/regs.h"
#include "tests/hw_model/protocol/deco_fixture.h"

namespace caamlab::tests {
namespace {

using desc::CcbError;
using desc::ChaId;
using desc::DecoError;
using desc::JrStatus;
namespace rdsta = desc::reg::rdsta;

// Instantiate handle 0; then the secure keys.
const std::vector<uint32_t> kInstantiate = {0x82500004};
const std::vector<uint32_t> kInstantiateWithKeys = {0x82500004, 0xA2000001, 0x10880004, 0x00000001, 0x82501000};

class UnitsTest : public DecoTest {};

// barebox rng_self_test.c; the result goes to 0x8000.
TEST_F(UnitsTest, PublishedRngSelfTests) {
  const std::vector<uint32_t> one = {
      0xb0800036, 0x04800010, 0x3c85a15b, 0x50a9d0b1, 0x71a09fee, 0x2eecf20b, 0x02800020, 0xb267292e, 0x85bf712d,
      0xe85ff43a, 0xa716b7fb, 0xc40bb528, 0x27b6f564, 0x8821cb5d, 0x9b5f6c26, 0x12a00020, 0x0a20de17, 0x6529357e,
      0x316277ab, 0x2846254e, 0x34d23ba5, 0x6f5e9c32, 0x7abdc1bb, 0x0197a385, 0x82500405, 0xa2000001, 0x10880004,
      0x00000005, 0x12820004, 0x00000020, 0x82500001, 0xa2000001, 0x10880004, 0x40000045, 0x02800020, 0x8f389cc7,
      0xe7f7cbb0, 0x6bf2073d, 0xfc380b6d, 0xb22e9d1a, 0xee64fcb7, 0xa2b48d49, 0xdf9bc3a4, 0x82500009, 0xa2000001,
      0x10880004, 0x00000005, 0x82500001, 0x60340020, 0x00008000, 0xa2000001, 0x10880004, 0x00000005, 0x8250000d};
  EXPECT_EQ(run(one).word, 0u);
  EXPECT_EQ(peek_hex(0x8000, 32), "3afe2c87ccb6444919169a74a1318beff4860bb95eeeae9192f4a98fb03718a4");
  EXPECT_EQ(units_->rng.rdsta(), 0u);
}

TEST_F(UnitsTest, InstantiateGenerateAndSecureKeys) {
  EXPECT_EQ(run_job(kInstantiateWithKeys).word, 0u);
  EXPECT_EQ(units_->rng.rdsta(), rdsta::kIf0 | rdsta::kSkvn);
  // caamrng: generate, FIFO STORE of 40 bytes.
  EXPECT_EQ(run_job({0x82500000, 0x60340028, 0x8000}).word, 0u);
  EXPECT_NE(peek(0x8000, 40), Bytes(40));
  // MCUX: data size first, then generate, and a FIFO STORE of message data.
  EXPECT_EQ(run_job({0x12820004, 40, 0x82500000, 0x60300028, 0x9000}).word, 0u);
  EXPECT_NE(peek(0x9000, 40), Bytes(40));
  EXPECT_NE(peek(0x9000, 40), peek(0x8000, 40));
  // Instantiated already: error 3. Not there: handle 1 gives error 4.
  EXPECT_EQ(run_job(kInstantiate), JrStatus::ccb(ChaId::kRng, static_cast<CcbError>(3), 1));
  EXPECT_EQ(run_job({0x82500010, 0x60340028, 0x8000}), JrStatus::ccb(ChaId::kRng, static_cast<CcbError>(4), 1));
  EXPECT_EQ(run_job({0x82501000}), JrStatus::ccb(ChaId::kRng, static_cast<CcbError>(9), 1)) << "secure keys once";
}

TEST_F(UnitsTest, RandomStoreNeedsTheRng) {
  EXPECT_EQ(run_job({0x60340028, 0x8000}), JrStatus::deco(DecoError::kFifoStore, 1));
}

// U-Boot jobdesc.c: E, A, N in any order, then A^E mod N, then B.
TEST_F(UnitsTest, ModularExponentiation) {
  give(0x2000, from_hex("0d"));                // E = 13
  give(0x2100, from_hex("000000000000000b"));  // A = 11
  give(0x2200, from_hex("00000000000003e9"));  // N = 1001
  EXPECT_EQ(run_job({0x02010001, 0x2000, 0x220C0008, 0x2100, 0x22080008, 0x2200, 0x81800006, 0x600D0008, 0x8000}).word,
            0u);
  uint64_t expected = 1;
  for (int i = 0; i < 13; ++i) expected = expected * 11 % 1001;
  EXPECT_EQ(desc::load_be64(peek(0x8000, 8).data()), expected);
}

// Data without entries, and entries made by hand that send it to the PKHA.
TEST_F(UnitsTest, PkhaOperandsByEntries) {
  give(0x2000, from_hex("0d"));
  give(0x2100, from_hex("000000000000000b"));
  give(0x2200, from_hex("00000000000003e9"));
  EXPECT_EQ(run_job({0x02010001, 0x2000, 0x220F0008, 0x2100, 0x10FA0004, 0x40C00008, 0x220F0008, 0x2200, 0x10FA0004,
                     0x40800008, 0x81800006, 0x600D0008, 0x8000})
                .word,
            0u);
  uint64_t expected = 1;
  for (int i = 0; i < 13; ++i) expected = expected * 11 % 1001;
  EXPECT_EQ(desc::load_be64(peek(0x8000, 8).data()), expected);
  // Random padding straight into N, in two entries, of which the second replaces the first.
  EXPECT_EQ(run_job({0x10FA0004, 0x42830008, 0x10FA0004, 0x42830010, 0x60080010, 0x8100}).word, 0u);
  EXPECT_EQ(peek(0x8100, 16), filler(16, padding_.calls));
  // A quarter of A, its code being that of S-boxes elsewhere, while the mode is PK's: after a copy of N to B.
  EXPECT_EQ(run_job({0x22080008, 0x2200, 0x220C0008, 0x2200, 0x81800003, 0x220F0008, 0x2100, 0x10FA0004, 0x40000008,
                     0x60000008, 0x8200})
                .word,
            0u);
  EXPECT_EQ(peek_hex(0x8200, 8), "000000000000000b");
  // Too long for the register, and never there.
  EXPECT_EQ(run_job({0x10FA0004, 0x420000FF | 0x8u << 20, 0x81800006}).source(), desc::StatusSource::kCcb);
  EXPECT_EQ(run_job({0x10FA0004, 0x40C00008, 0x81800006}), JrStatus::deco(DecoError::kWatchdog, 3));
}

TEST_F(UnitsTest, PkhaFlagsSizesAndErrors) {
  give(0x2100, from_hex("0000000b"));
  // A - A mod N: zero. JUMP on the flag over a halt.
  EXPECT_EQ(run_job({0x220C0004, 0x2100, 0x220D0004, 0x2100, 0x22080004, 0x2100, 0x81800003, 0xA0008002, 0xA0C00055,
                     0x600D0004, 0x8000})
                .word,
            0u);
  EXPECT_EQ(peek_hex(0x8000, 4), "00000000");
  EXPECT_EQ(run_job({0x81800002}), JrStatus::ccb(ChaId::kPkha, CcbError::kDataSize, 1)) << "nothing kept from before";
  EXPECT_EQ(run_job({0x12920004, 0x20, 0x81800006}), JrStatus::ccb(ChaId::kPkha, CcbError::kKeySize, 3));
}

TEST_F(UnitsTest, KeysComeBackFromBlack) {
  ASSERT_EQ(run_job(kInstantiateWithKeys).word, 0u);
  const Bytes key = filler(24, 1), iv = filler(16, 2), data = filler(32, 3);
  give(0x2000, key);
  give(0x2200, data);
  // AES-ECB of the data under the plain key, for comparison: KEY, OPERATION, FIFO LOAD, FIFO STORE.
  const std::vector<uint32_t> use = {0x8210020D, 0x22130020, 0x2200, 0x60300020, 0x8000};
  std::vector<uint32_t> plain = {0x02000018, 0x2000};
  plain.insert(plain.end(), use.begin(), use.end());
  ASSERT_EQ(run_job(plain).word, 0u);
  const Bytes expected = peek(0x8000, 32);
  // ECB (types 0x24, 0x25: 32 bytes) and CCM (0x14: 36 bytes), then KEY with ENC (and EKT).
  for (const auto& [type, key_word] : {std::pair{0x24u, 0x02400018u}, std::pair{0x14u, 0x02500018u}}) {
    ASSERT_EQ(run_job({0x02000018, 0x2000, 0x62000018 | type << 16, 0x4000}).word, 0u);
    EXPECT_NE(peek(0x4000, 24), key);
    std::vector<uint32_t> black = {key_word, 0x4000};
    black.insert(black.end(), use.begin(), use.end());
    ASSERT_EQ(run_job(black).word, 0u) << std::hex << type;
    EXPECT_EQ(peek(0x8000, 32), expected);
  }
  // Of the CCM key, now at 0x4000, every byte counts.
  const auto at = memory_.window(0x4000, 36, hw_model::DmaDirection::kFromDevice);
  at[20] ^= 1;
  EXPECT_EQ(run_job({0x02500018, 0x4000}), JrStatus::ccb(ChaId::kAes, CcbError::kIcvCheck, 1));
  // NWB: not to be stored.
  EXPECT_EQ(run_job({0x02200018, 0x2000, 0x62240018, 0x4000}), JrStatus::deco(DecoError::kFifoStore, 3));
}

TEST_F(UnitsTest, BlackKeysNeedTheSecureKeys) {
  give(0x2000, filler(32, 1));
  EXPECT_EQ(run_job({0x02400010, 0x2000}), JrStatus::deco(DecoError::kKekNotLoaded, 1));
  EXPECT_EQ(run_job({0x02000010, 0x2000, 0x62240010, 0x4000}), JrStatus::deco(DecoError::kKekNotLoaded, 3));
}

// Linux before era 6 (key_gen.c): KEY class 2, HMAC-SHA-1 INIT over nothing, split key out; 40 bytes take 48 in memory.
TEST_F(UnitsTest, SplitKeyGeneration) {
  ASSERT_EQ(run_job(kInstantiateWithKeys).word, 0u);
  const Bytes key = filler(20, 5), data = filler(30, 6);
  give(0x2000, key);
  give(0x2200, data);
  ASSERT_EQ(run_job({0x04000014, 0x2000, 0x84410014, 0x24940000, 0xA4000001, 0x64260028, 0x4000}).word, 0u);
  EXPECT_NE(peek(0x4028, 8), Bytes(8)) << "padded to 48 and encrypted";
  // HMAC with it: KEY class 2 split ENC, OPERATION precomputed INITFINAL, message, context.
  ASSERT_EQ(run_job({0x04430028, 0x4000, 0x8441004C, 0x2414001E, 0x2200, 0x54200014, 0x8000}).word, 0u);
  const Bytes with_split = peek(0x8000, 20);
  ASSERT_EQ(run_job({0x04000014, 0x2000, 0x8441001C, 0x2414001E, 0x2200, 0x54200014, 0x8100}).word, 0u);
  EXPECT_EQ(with_split, peek(0x8100, 20));
}

class NoUnits : public DecoTest {
 protected:
  NoUnits() : DecoTest("lx2160a", 4) { deco_.emplace(0, memory_, platform_, platform_.target, padding_); }
};
TEST_F(NoUnits, AnswerAsAPartWithoutThem) {
  EXPECT_EQ(run_job(kInstantiate), JrStatus::ccb(ChaId::kRng, CcbError::kInvalidCha, 1));
  EXPECT_EQ(run_job({0x81800002}), JrStatus::ccb(ChaId::kPkha, CcbError::kInvalidCha, 1));
  give(0x2000, filler(32, 1));
  EXPECT_EQ(run_job({0x02400010, 0x2000}), JrStatus::deco(DecoError::kKekNotLoaded, 1));
}

}  // namespace
}  // namespace caamlab::tests
