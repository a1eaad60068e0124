// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Built-in protocols as jobs on a DECO: their PDBs, what they write where, what they leave in registers and
// descriptors, and their errors. Their arithmetic has tests of its own.
#include "desc/jr_status.h"
#include "hw_model/cha/arith/hash_state.h"
#include "tests/hw_model/cha/curves.h"
#include "tests/hw_model/protocol/deco_fixture.h"

namespace caamlab::tests {
namespace {

using desc::Alg;
using desc::CcbError;
using desc::ChaId;
using desc::DecoError;
using desc::JrStatus;

const std::vector<uint32_t> kInstantiateWithKeys = {0x82500004, 0xA2000001, 0x10880004, 0x00000001, 0x82501000};

class ProtocolTest : public DecoTest {
 protected:
  explicit ProtocolTest(const char* platform = "lx2160a") : DecoTest(platform) {}
  std::vector<uint32_t> words_of(const Bytes& bytes) {
    std::vector<uint32_t> out((bytes.size() + 3) / 4);
    desc::bytes_to_words(out.data(), bytes, platform_.target.endian);
    return out;
  }
  void overwrite(uint64_t addr, const Bytes& bytes) {
    const auto at = memory_.window(addr, bytes.size(), hw_model::DmaDirection::kFromDevice);
    std::copy(bytes.begin(), bytes.end(), at.begin());
  }
};

std::vector<uint32_t> operator+(std::vector<uint32_t> a, const std::vector<uint32_t>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// -- unknown ----------------------------------------------------------------------------------------------------------

TEST_F(ProtocolTest, UnknownProtocols) {
  for (const uint32_t word : {0x80060000u, 0x86010000u, 0x87110000u, 0x80500000u, 0x80260000u, 0x87140000u})
    EXPECT_EQ(run_job({word}), JrStatus::deco(DecoError::kProtocolUndefined, 1)) << std::hex << word;
}

// -- DKP --------------------------------------------------------------------------------------------------------------

class DkpTest : public ProtocolTest {
 protected:
  const Bytes key_ = filler(20, 1), data_ = filler(50, 2);
  Bytes split_, mac_;

  void SetUp() override {
    give(0x2200, data_);
    // The MAC by the raw key; and the split key.
    ASSERT_EQ(
        run_job(std::vector<uint32_t>{0x04800014} + words_of(key_) + std::vector<uint32_t>{0x8443001C} + tail()).word,
        0u);
    mac_ = peek(0x8000, 32);
    split_.resize(hw_model::kMaxSplitKey);
    split_.resize(hw_model::make_split_key(Alg::kSha256, key_, split_.data()));
  }
  // The message through class 2, its MAC to 0x8000.
  static std::vector<uint32_t> tail() { return {0x24140032, 0x2200, 0x54200020, 0x8000}; }
  static std::vector<uint32_t> hmac_by_split() { return std::vector<uint32_t>{0x8443004C} + tail(); }
  // DKP SHA-256: source and destination (0 immediate, 1 sequence, 2 pointer, 3 table).
  static uint32_t dkp(uint32_t src, uint32_t dst, uint32_t len) { return 0x80230000 | src << 14 | dst << 12 | len; }
};

TEST_F(DkpTest, ImmediateBecomesAKeyInTheDescriptor) {
  std::vector<uint32_t> space(16);  // room for the split key
  const auto words = words_of(key_);
  std::copy(words.begin(), words.end(), space.begin());
  const auto commands = std::vector<uint32_t>{dkp(0, 0, 20)} + space + hmac_by_split();
  EXPECT_EQ(run_job(commands).word, 0u);
  EXPECT_EQ(peek(0x8000, 32), mac_);
  const auto& reg = deco_->ccb.regs(hw_model::Ccb::kClass2).key;
  EXPECT_EQ(to_hex(reg.bytes.data(), reg.size), to_hex(split_));
  EXPECT_TRUE(reg.split);
  // In the buffer and in memory: KEY class 2, immediate, MDHA split, 64 bytes.
  EXPECT_EQ(buffer_word(1), 0x04830040u);
  EXPECT_EQ(desc::load32(peek(kJobAddr + 4, 4).data(), platform_.target.endian), 0x04830040u);
  EXPECT_EQ(peek_hex(kJobAddr + 8, 64), to_hex(split_));
  // What was written back runs as it is.
  std::vector<uint32_t> again;
  const Bytes raw = peek(kJobAddr, 4 * (1 + commands.size()));
  for (size_t i = 0; i < raw.size(); i += 4) again.push_back(desc::load32(&raw[i], platform_.target.endian));
  overwrite(0x8000, Bytes(32));
  EXPECT_EQ(run(again).word, 0u);
  EXPECT_EQ(peek(0x8000, 32), mac_);
}

TEST_F(DkpTest, PointerToImmediate) {
  give(0x2000, key_);
  const std::vector<uint32_t> space(15);
  EXPECT_EQ(run_job(std::vector<uint32_t>{dkp(2, 0, 20), 0x2000} + space + hmac_by_split()).word, 0u);
  EXPECT_EQ(peek(0x8000, 32), mac_);
  EXPECT_EQ(buffer_word(1), 0x04830040u);
  EXPECT_EQ(peek(0x2000, 20), key_) << "the key in memory stays";
}

TEST_F(DkpTest, PointerToPointer) {
  give(0x2000, key_);
  EXPECT_EQ(run_job(std::vector<uint32_t>{dkp(2, 2, 20), 0x2000} + hmac_by_split()).word, 0u);
  EXPECT_EQ(peek(0x8000, 32), mac_);
  EXPECT_EQ(peek(0x2000, 64), split_) << "the split key lies over the key";
  EXPECT_EQ(buffer_word(1), 0x04030040u);
  EXPECT_EQ(buffer_word(2), 0x2000u);
  EXPECT_EQ(run_job({buffer_word(1), buffer_word(2)}).word, 0u);
}

TEST_F(DkpTest, SequenceToSequence) {
  give(0x2000, key_);
  EXPECT_EQ(
      run_job(std::vector<uint32_t>{0xF0000014, 0x2000, 0xF8000040, 0x4000, dkp(1, 1, 20)} + hmac_by_split()).word, 0u);
  EXPECT_EQ(peek(0x8000, 32), mac_);
  EXPECT_EQ(peek(0x4000, 64), split_);
}

TEST_F(DkpTest, KeepsTheSequenceRegisters) {
  give(0x2000, key_);
  // MATH0 is cleared; DPOVRD and the lengths are not: 4 of each go to 0x4000.
  EXPECT_EQ(
      run_job({0x16870004, 0x1234, 0x16880008, 1, 2, dkp(2, 2, 20), 0x2000, 0x56070004, 0x4000, 0x56080008, 0x4008})
          .word,
      0u);
  EXPECT_EQ(desc::load32(peek(0x4000, 4).data(), platform_.target.endian), 0x1234u);
  EXPECT_EQ(peek(0x4008, 8), Bytes(8));
}

TEST_F(DkpTest, Errors) {
  give(0x2000, Bytes(128, 1));
  EXPECT_EQ(run_job({dkp(2, 2, 65), 0x2000}), JrStatus::ccb(ChaId::kMdha, CcbError::kKeySize, 1)) << "over a block";
  EXPECT_EQ(run_job({dkp(0, 2, 4), 0, 0x2000}), JrStatus::deco(DecoError::kPdb, 1));
  EXPECT_EQ(run_job({dkp(2, 1, 4), 0x2000}), JrStatus::deco(DecoError::kPdb, 1));
  EXPECT_EQ(run_job({dkp(3, 2, 4), 0x2000}), JrStatus::deco(DecoError::kPdb, 1));
  EXPECT_EQ(run_job({dkp(2, 2, 4)}), JrStatus::deco(DecoError::kPdb, 1)) << "no pointer";
  EXPECT_EQ(run_job({dkp(0, 0, 40), 1, 2}), JrStatus::deco(DecoError::kPdb, 1)) << "key cut off";
  EXPECT_EQ(run_job({0xF0000004, 0x2000, dkp(1, 0, 5)}), JrStatus::deco(DecoError::kSequence, 3));
  EXPECT_EQ(run_job({dkp(2, 0, 4), 0x666000}), JrStatus::deco(DecoError::kDma, 1)) << "memory nobody gave";
}

class OldPart : public ProtocolTest {
 protected:
  OldPart() : ProtocolTest("p4080") {}  // era 2
};
TEST_F(OldPart, KnowsNoDkp) {
  give(0x2000, filler(20, 1));
  EXPECT_EQ(run_job({0x80232014, 0x2000}), JrStatus::deco(DecoError::kProtocolUndefined, 1));
}

// -- RSA --------------------------------------------------------------------------------------------------------------

class RsaProtocolTest : public ProtocolTest {
 protected:
  // A key of 256 bits: the next primes after these.
  const Bytes p_ = from_hex("fc5e3fd69ca3bb0a1c0c8e2d1a3b5f17"), q_ = from_hex("e1a9c4b7d2f0836154a7b8c9d0e1f207");
  hw_model::Bn n_, e_{65537}, d_, dp_, dq_, c_;

  static hw_model::Bn next_prime(hw_model::Bn x) {
    hw_model::BnScratch scratch;
    BN_set_bit(x.get(), 0);
    while (BN_check_prime(x.get(), scratch.get(), nullptr) != 1) BN_add_word(x.get(), 2);
    return x;
  }
  static Bytes bytes(const hw_model::Bn& x, size_t len) {
    Bytes out(len);
    EXPECT_TRUE(x.to_be(out));
    return out;
  }

  void SetUp() override {
    hw_model::BnScratch scratch;
    const hw_model::Bn p = next_prime(hw_model::Bn::from_be(p_)), q = next_prime(hw_model::Bn::from_be(q_));
    hw_model::Bn p1, q1, phi;
    BN_mul(n_.get(), p.get(), q.get(), scratch.get());
    BN_sub(p1.get(), p.get(), BN_value_one());
    BN_sub(q1.get(), q.get(), BN_value_one());
    BN_mul(phi.get(), p1.get(), q1.get(), scratch.get());
    ASSERT_NE(BN_mod_inverse(d_.get(), e_.get(), phi.get(), scratch.get()), nullptr);
    BN_mod(dp_.get(), d_.get(), p1.get(), scratch.get());
    BN_mod(dq_.get(), d_.get(), q1.get(), scratch.get());
    ASSERT_NE(BN_mod_inverse(c_.get(), q.get(), p.get(), scratch.get()), nullptr);
    give(0x2000, bytes(n_, 32));
    give(0x2100, from_hex("010001"));
    give(0x2200, bytes(d_, 32));
    give(0x2300, bytes(p, 16));
    give(0x2400, bytes(q, 16));
    give(0x2500, bytes(dp_, 16));
    give(0x2600, bytes(dq_, 16));
    give(0x2700, bytes(c_, 16));
  }

  JrStatus encrypt(uint32_t f_len, uint32_t info = 0, uint64_t f = 0x3000, uint64_t g = 0x4000, uint32_t flags = 0) {
    return run_job({0x80180000 | info},
                   {flags | 3u << 12 | 32u, static_cast<uint32_t>(f), static_cast<uint32_t>(g), 0x2000, 0x2100, f_len});
  }
  JrStatus decrypt(unsigned form, uint32_t info = 0, uint32_t g = 0x4000, uint32_t f = 0x5000) {
    std::vector<uint32_t> pdb = {32u << 12 | 32u, g, f};
    if (form == 0) pdb = pdb + std::vector<uint32_t>{0x2000, 0x2200};
    if (form == 1) pdb = pdb + std::vector<uint32_t>{0x2200, 0x2300, 0x2400, 0x6000, 0x6100, 16u << 12 | 16u};
    if (form == 2)
      pdb = pdb + std::vector<uint32_t>{0x2700, 0x2300, 0x2400, 0x2500, 0x2600, 0x6000, 0x6100, 16u << 12 | 16u};
    return run_job({0x80190000 | form | info}, pdb);
  }
};

TEST_F(RsaProtocolTest, EveryFormUndoesEncryption) {
  const Bytes f = filler(31, 7);
  give(0x3000, f);
  ASSERT_EQ(encrypt(31).word, 0u);
  hw_model::Bn g;
  hw_model::BnScratch scratch;
  BN_mod_exp(g.get(), hw_model::Bn::from_be(f).get(), e_.get(), n_.get(), scratch.get());
  EXPECT_EQ(peek(0x4000, 32), bytes(g, 32));
  for (unsigned form = 0; form < 3; ++form) {
    overwrite(0x5000, Bytes(32, 0xEE));
    ASSERT_EQ(decrypt(form).word, 0u) << form;
    EXPECT_EQ(peek(0x5000, 32), fit(f, 32)) << form;
  }
}

TEST_F(RsaProtocolTest, PaddingComesOffAndTheLengthIsInMath0) {
  const Bytes f = filler(10, 7);
  give(0x3000, f);
  ASSERT_EQ(encrypt(10, 0x1000).word, 0u);
  const Bytes first = peek(0x4000, 32);
  for (unsigned form = 0; form < 3; ++form) {
    overwrite(0x5000, Bytes(32, 0xEE));
    ASSERT_EQ(decrypt(form, 0x1000).word, 0u) << form;
    EXPECT_EQ(peek(0x5000, 10), f);
    EXPECT_EQ(peek(0x500A, 2), Bytes(2, 0xEE)) << "only the message is written";
    EXPECT_EQ(deco_->r.math[0], 10u);
  }
  ASSERT_EQ(encrypt(10, 0x1000).word, 0u);
  EXPECT_NE(peek(0x4000, 32), first) << "padding is random";
  // Without padding in the block: malformed. Too long for n: size.
  ASSERT_EQ(encrypt(10).word, 0u);
  EXPECT_EQ(decrypt(0, 0x1000), JrStatus::deco(DecoError::kProtocolFormat, 6));
  EXPECT_EQ(encrypt(22, 0x1000, 0x2000), JrStatus::deco(DecoError::kProtocolSize, 7));
}

TEST_F(RsaProtocolTest, BlackPrivateParts) {
  ASSERT_EQ(run_job(kInstantiateWithKeys).word, 0u);
  const Bytes f = filler(31, 7);
  give(0x3000, f);
  ASSERT_EQ(encrypt(31).word, 0u);
  for (const auto& [bits, type] : {std::pair{1u, 0x24u}, std::pair{3u, 0x14u}}) {
    // d goes black through the class 1 key register; PROTINFO 10:8 says how it is kept.
    ASSERT_EQ(run_job({0x02000020, 0x2200, 0x62000020 | type << 16, 0x6800}).word, 0u);
    ASSERT_EQ(run_job({0x80190000 | bits << 8}, {32u << 12 | 32u, 0x4000, 0x5000, 0x2000, 0x6800}).word, 0u);
    EXPECT_EQ(peek(0x5000, 32), fit(f, 32));
  }
  // f in and out black: 6:4.
  ASSERT_EQ(decrypt(0, 1 << 4).word, 0u);
  EXPECT_NE(peek(0x5000, 32), fit(f, 32));
  overwrite(0x4000, Bytes(32));
  ASSERT_EQ(encrypt(32, 1 << 4, 0x5000).word, 0u);
  ASSERT_EQ(decrypt(2).word, 0u);
  EXPECT_EQ(peek(0x5000, 32), fit(f, 32));
}

TEST_F(RsaProtocolTest, FinishKey) {
  const std::vector<uint32_t> pdb = {0,      16,     32u << 16 | 3u, 0x2300, 0x2400, 0x2100,
                                     0x8000, 0x8100, 0x8200,         0x8300, 0x8400, 0x8500};
  ASSERT_EQ(run_job({0x801A0000}, pdb).word, 0u);
  EXPECT_EQ(peek(0x8000, 32), bytes(n_, 32));
  EXPECT_EQ(peek(0x8300, 16), bytes(dp_, 16));
  EXPECT_EQ(peek(0x8400, 16), bytes(dq_, 16));
  EXPECT_EQ(peek(0x8500, 16), bytes(c_, 16));
  const uint32_t d_len = desc::load32(peek(0x8200, 4).data(), platform_.target.endian);
  ASSERT_GT(d_len, 20u);
  ASSERT_LE(d_len, 32u);
  // d is another exponent of the same effect.
  const Bytes f = filler(31, 7);
  give(0x3000, f);
  ASSERT_EQ(encrypt(31).word, 0u);
  ASSERT_EQ(run_job({0x80190000}, {d_len << 12 | 32u, 0x4000, 0x5000, 0x2000, 0x8100}).word, 0u);
  EXPECT_EQ(peek(0x5000, 32), fit(f, 32));
  // 2: only n and d.
  overwrite(0x8300, Bytes(16));
  ASSERT_EQ(run_job({0x801A0002}, std::vector<uint32_t>(pdb.begin(), pdb.begin() + 9)).word, 0u);
  EXPECT_EQ(peek(0x8300, 16), Bytes(16));
}

TEST_F(RsaProtocolTest, Errors) {
  give(0x3000, filler(40, 7));
  EXPECT_EQ(encrypt(33), JrStatus::deco(DecoError::kProtocolSize, 7));
  EXPECT_EQ(encrypt(31, 1), JrStatus::deco(DecoError::kProtocolUndefined, 7)) << "f out";
  EXPECT_EQ(decrypt(3), JrStatus::deco(DecoError::kProtocolUndefined, 4));
  EXPECT_EQ(run_job({0x80180000}, {3u << 12 | 32u, 0x3000}), JrStatus::deco(DecoError::kPdb, 3)) << "PDB cut off";
  EXPECT_EQ(run_job({0x80180000}, {3u << 12 | 1000u, 0x3000, 0x4000, 0x2000, 0x2100, 31}),
            JrStatus::deco(DecoError::kPdb, 7));
  EXPECT_EQ(encrypt(31, 0, 0x777000), JrStatus::deco(DecoError::kDma, 7));
  platform_.chas[static_cast<unsigned>(hw_model::ChaUnit::kPkha)].count = 0;
  EXPECT_EQ(encrypt(31), JrStatus::ccb(ChaId::kPkha, CcbError::kInvalidCha, 7));
}

// -- DSA, DH ----------------------------------------------------------------------------------------------------------

class DsaProtocolTest : public ProtocolTest {
 protected:
  const Curve c_ = nist_curve("P-256");
  static constexpr uint32_t kPd1Late = 1u << 25, kPd1Early = 1u << 22, kP256 = 2u << 7;

  void SetUp() override {
    ASSERT_EQ(run_job(kInstantiateWithKeys).word, 0u);
    Bytes g = c_.gx, ab = c_.a;
    g.insert(g.end(), c_.gy.begin(), c_.gy.end());
    ab.insert(ab.end(), c_.b.begin(), c_.b.end());
    give(0x2000, c_.p);
    give(0x2100, c_.q);
    give(0x2200, g);
    give(0x2300, ab);
    give(0x2400, filler(200, 3));  // message, or digest
  }
  static constexpr uint32_t kLn = 32u << 7 | 32u;
};

TEST_F(DsaProtocolTest, ExplicitDomainSignAndVerify) {
  ASSERT_EQ(run_job({0x80140002}, {kLn, 0x2000, 0x2100, 0x2200, 0x3000, 0x3100, 0x2300}).word, 0u);
  const std::vector<uint32_t> sign = {kLn, 0x2000, 0x2100, 0x2200, 0x3000, 0x2400, 0x4000, 0x4100, 0x2300};
  const std::vector<uint32_t> verify = {kLn, 0x2000, 0x2100, 0x2200, 0x3100, 0x2400, 0x4000, 0x4100, 0x4200, 0x2300};
  ASSERT_EQ(run_job({0x80150002}, sign).word, 0u);
  ASSERT_EQ(run_job({0x80160002}, verify).word, 0u);
  Bytes c = peek(0x4000, 32);
  c[5] ^= 1;
  overwrite(0x4000, c);
  EXPECT_EQ(run_job({0x80160002}, verify), JrStatus::deco(DecoError::kSignatureInvalid, 11));
  // With the message given (bit 10, SHA-256 in 9:7) and with its digest given (bit 11), followed by a length.
  ASSERT_EQ(run_job({0x80150002 | 0x400 | 3u << 7}, sign + std::vector<uint32_t>{200}).word, 0u);
  ASSERT_EQ(run_job({0x80160002 | 0x400 | 3u << 7}, verify + std::vector<uint32_t>{200}).word, 0u);
  EXPECT_EQ(run_job({0x80160002 | 0x400 | 3u << 7}, verify + std::vector<uint32_t>{199}),
            JrStatus::deco(DecoError::kSignatureInvalid, 12));
  Bytes digest(32);
  hw_model::HashState h;
  h.init(Alg::kSha256);
  h.update(peek(0x2400, 200));
  h.finish(digest.data());
  give(0x2800, digest);
  std::vector<uint32_t> by_digest = verify;
  by_digest[5] = 0x2800;
  ASSERT_EQ(run_job({0x80160802}, by_digest + std::vector<uint32_t>{32}).word, 0u);
}

TEST_F(DsaProtocolTest, PredefinedDomain) {
  ASSERT_EQ(run_job({0x80140002}, {kPd1Late | kP256, 0x3000, 0x3100}).word, 0u);
  ASSERT_EQ(run_job({0x80150802}, {kPd1Early | kP256, 0x3000, 0x2400, 0x4000, 0x4100, 20}).word, 0u);
  ASSERT_EQ(run_job({0x80160802}, {kPd1Early | kP256, 0x3100, 0x2400, 0x4000, 0x4100, 0x4200, 20}).word, 0u);
  // The explicit domain verifies it too.
  ASSERT_EQ(
      run_job({0x80160802}, {kLn, 0x2000, 0x2100, 0x2200, 0x3100, 0x2400, 0x4000, 0x4100, 0x4200, 0x2300, 20}).word,
      0u);
  EXPECT_EQ(run_job({0x80140002}, {kPd1Late | 9u << 7, 0x3000, 0x3100}), JrStatus::deco(DecoError::kPdb, 4));
  EXPECT_EQ(run_job({0x80140000}, {kPd1Late | kP256, 0x3000, 0x3100}), JrStatus::deco(DecoError::kPdb, 4));
}

TEST_F(DsaProtocolTest, DiffieHellmanAgrees) {
  ASSERT_EQ(run_job({0x80140002}, {kPd1Late | kP256, 0x3000, 0x3100}).word, 0u);
  ASSERT_EQ(run_job({0x80140002}, {kPd1Late | kP256, 0x3200, 0x3300}).word, 0u);
  ASSERT_EQ(run_job({0x80170002}, {kPd1Late | kP256, 0x3300, 0x3000, 0x5000}).word, 0u);
  ASSERT_EQ(run_job({0x80170002}, {kLn, 0x2000, 0x2100, 0x3100, 0x3200, 0x5100, 0x2300}).word, 0u);
  EXPECT_EQ(peek(0x5000, 32), peek(0x5100, 32));
  EXPECT_NE(peek(0x5000, 32), Bytes(32));
  // A secret that goes out black (bit 5) comes back through KEY with ENC as the same.
  ASSERT_EQ(run_job({0x80170022}, {kPd1Late | kP256, 0x3300, 0x3000, 0x5200}).word, 0u);
  EXPECT_NE(peek(0x5200, 32), peek(0x5000, 32));
  ASSERT_EQ(run_job({0x02400020, 0x5200}).word, 0u);
  const auto& key = deco_->ccb.regs(hw_model::Ccb::kClass1).key;
  EXPECT_EQ(to_hex(key.bytes.data(), 32), peek_hex(0x5000, 32));
}

TEST_F(DsaProtocolTest, BlackPrivateKeys) {
  for (const uint32_t black : {0x04u, 0x14u}) {
    ASSERT_EQ(run_job({0x80140002 | black}, {kPd1Late | kP256, 0x3000, 0x3100}).word, 0u);
    ASSERT_EQ(run_job({0x80150002 | black}, {kPd1Early | kP256, 0x3000, 0x2400, 0x4000, 0x4100}).word, 0u);
    ASSERT_EQ(run_job({0x80160002}, {kPd1Early | kP256, 0x3100, 0x2400, 0x4000, 0x4100, 0x4200}).word, 0u);
  }
}

TEST_F(DsaProtocolTest, SigningNeedsTheRng) {
  ASSERT_EQ(run_job({0x80140002}, {kPd1Late | kP256, 0x3000, 0x3100}).word, 0u);
  ASSERT_EQ(run_job({0x8250000C}).word, 0u);  // uninstantiate
  EXPECT_EQ(run_job({0x80150002}, {kPd1Early | kP256, 0x3000, 0x2400, 0x4000, 0x4100}),
            JrStatus::ccb(ChaId::kRng, static_cast<CcbError>(4), 6));
}

TEST_F(DsaProtocolTest, Era6KnowsNeitherDomainsNorHashes) {
  ASSERT_EQ(run_job({0x80140002}, {kLn, 0x2000, 0x2100, 0x2200, 0x3000, 0x3100, 0x2300}).word, 0u);
  platform_.era = 6;
  deco_.emplace(0, memory_, platform_, platform_.target, padding_);
  deco_->units.attach(*units_);
  EXPECT_EQ(run_job({0x80140002}, {kPd1Late | kP256, 0x3000, 0x3100}), JrStatus::deco(DecoError::kPdb, 4));
  EXPECT_EQ(run_job({0x80150802}, {kLn, 0x2000, 0x2100, 0x2200, 0x3000, 0x2400, 0x4000, 0x4100, 0x2300, 20}),
            JrStatus::deco(DecoError::kProtocolUndefined, 11));
  EXPECT_EQ(run_job({0x80150002}, {kLn, 0x2000, 0x2100, 0x2200, 0x3000, 0x2400, 0x4000, 0x4100, 0x2300}).word, 0u);
}

TEST_F(DsaProtocolTest, PlainDsa) {
  const Vector v = read_vectors("asymmetric/DSA/FIPS_186-3/KeyPair.rsp", "x")[0];
  const Bytes p = v.hex("p"), q = v.hex("q"), g = fit(v.hex("g"), p.size());
  give(0x10000, p);
  give(0x10100, q);
  give(0x10200, g);
  const uint32_t ln = static_cast<uint32_t>(p.size() << 7 | q.size());
  ASSERT_EQ(run_job({0x80140000}, {ln, 0x10000, 0x10100, 0x10200, 0x3000, 0x3100}).word, 0u);
  ASSERT_EQ(run_job({0x80150000}, {ln, 0x10000, 0x10100, 0x10200, 0x3000, 0x2400, 0x4000, 0x4100}).word, 0u);
  ASSERT_EQ(run_job({0x80160000}, {ln, 0x10000, 0x10100, 0x10200, 0x3100, 0x2400, 0x4000, 0x4100, 0x4200}).word, 0u);
}

TEST_F(DsaProtocolTest, Errors) {
  EXPECT_EQ(run_job({0x80140002}, {0, 0x2000, 0x2100, 0x2200, 0x3000, 0x3100, 0x2300}),
            JrStatus::deco(DecoError::kPdb, 8));
  EXPECT_EQ(run_job({0x80140002}, {kLn, 0x2000}), JrStatus::deco(DecoError::kPdb, 3));
  EXPECT_EQ(run_job({0x80140002}, {300u << 7 | 32u, 0x2000, 0x2100, 0x2200, 0x3000, 0x3100, 0x2300}),
            JrStatus::deco(DecoError::kPdb, 8))
      << "longer than the PKHA's memories";
  EXPECT_EQ(run_job({0x80140002}, {kLn, 0x666000, 0x2100, 0x2200, 0x3000, 0x3100, 0x2300}),
            JrStatus::deco(DecoError::kDma, 8));
  EXPECT_EQ(run_job({0x8015000A}, {kPd1Early | kP256, 0x3000, 0x2400, 0x4000, 0x4100}),
            JrStatus::deco(DecoError::kDsaSign, 6))
      << "test mode";
}

// -- blobs ------------------------------------------------------------------------------------------------------------

class BlobProtocolTest : public ProtocolTest {
 protected:
  const Bytes modifier_ = filler(16, 1), data_ = filler(40, 2);
  void SetUp() override {
    ASSERT_EQ(run_job(kInstantiateWithKeys).word, 0u);
    give(0x2000, data_);
  }
  JrStatus blob(uint32_t operation, uint64_t in, uint32_t in_len, uint64_t out, uint32_t out_len, Bytes modifier = {}) {
    if (modifier.empty()) modifier = modifier_;
    return run_job(std::vector<uint32_t>{0x04800010} + words_of(modifier) +
                   std::vector<uint32_t>{0xF0000000 | in_len, static_cast<uint32_t>(in), 0xF8000000 | out_len,
                                         static_cast<uint32_t>(out), operation});
  }
  static constexpr uint32_t kEncap = 0x870D0000, kDecap = 0x860D0000;
};

TEST_F(BlobProtocolTest, ThereAndBack) {
  ASSERT_EQ(blob(kEncap, 0x2000, 40, 0x4000, 88).word, 0u);
  EXPECT_EQ(deco_->out_bytes(), 88u);
  ASSERT_EQ(blob(kDecap, 0x4000, 88, 0x5000, 40).word, 0u);
  EXPECT_EQ(peek(0x5000, 40), data_);
  Bytes other = modifier_;
  other[0] ^= 1;
  EXPECT_EQ(blob(kDecap, 0x4000, 88, 0x5000, 40, other), JrStatus::ccb(ChaId::kAes, CcbError::kIcvCheck, 10));
  EXPECT_EQ(blob(kDecap, 0x4000, 87, 0x5000, 40), JrStatus::ccb(ChaId::kAes, CcbError::kIcvCheck, 10));
  EXPECT_EQ(blob(kDecap, 0x4000, 47, 0x5000, 40), JrStatus::deco(DecoError::kSequence, 10));
  EXPECT_EQ(blob(kEncap, 0x2000, 40, 0x4000, 87), JrStatus::deco(DecoError::kSequence, 10));
}

TEST_F(BlobProtocolTest, BlackBlobs) {
  // A key of 24 bytes, black in both forms (32 and 36 bytes), as a blob and back; then used.
  for (const auto& [type, ekt, black_len, key_word] :
       {std::tuple{0x24u, 0u, 32u, 0x02400018u}, std::tuple{0x14u, 0x100u, 36u, 0x02500018u}}) {
    ASSERT_EQ(run_job({0x02000018, 0x2000, 0x62000018 | type << 16, 0x6000}).word, 0u);
    const uint32_t payload = ekt != 0 ? black_len - 12 : black_len;
    ASSERT_EQ(blob(kEncap | 4 | ekt, 0x6000, black_len, 0x4000, payload + 48).word, 0u);
    ASSERT_EQ(blob(kDecap | 4 | ekt, 0x4000, payload + 48, 0x6100, black_len).word, 0u);
    ASSERT_EQ(run_job({key_word, 0x6100}).word, 0u);
    const auto& key = deco_->ccb.regs(hw_model::Ccb::kClass1).key;
    EXPECT_EQ(to_hex(key.bytes.data(), 24), to_hex(slice(data_, 0, 24)));
  }
  EXPECT_EQ(blob(kEncap | 4, 0x2000, 40, 0x4000, 88), JrStatus::deco(DecoError::kBlobBlackSize, 10));
}

TEST_F(BlobProtocolTest, KeyRegisters) {
  ASSERT_EQ(blob(kEncap, 0x2000, 32, 0x4000, 80).word, 0u);
  ASSERT_EQ(blob(kDecap | 1 << 4, 0x4000, 80, 0x5000, 0).word, 0u);
  const auto& key = deco_->ccb.regs(hw_model::Ccb::kClass1).key;
  EXPECT_EQ(to_hex(key.bytes.data(), key.size), to_hex(slice(data_, 0, 32)));
  EXPECT_EQ(blob(kDecap | 5 << 4, 0x4000, 80, 0x5000, 0), JrStatus::deco(DecoError::kBlobKeyDest, 10));
}

TEST_F(BlobProtocolTest, OtherFormatsAndErrors) {
  ASSERT_EQ(blob(kEncap | 3, 0x2000, 40, 0x4000, 88).word, 0u);
  EXPECT_EQ(blob(kDecap, 0x4000, 88, 0x5000, 40), JrStatus::ccb(ChaId::kAes, CcbError::kIcvCheck, 10));
  ASSERT_EQ(blob(kDecap | 3, 0x4000, 88, 0x5000, 40).word, 0u);
  EXPECT_EQ(peek(0x5000, 40), data_);
  ASSERT_EQ(blob(kEncap | 2, 0x2000, 0, 0x6000, 32).word, 0u);
  EXPECT_EQ(deco_->out_bytes(), 32u);
  EXPECT_EQ(blob(kEncap | 1, 0x2000, 40, 0x4000, 88), JrStatus::deco(DecoError::kBlobMode, 10));
  EXPECT_EQ(blob(kEncap | 8, 0x2000, 40, 0x4000, 88), JrStatus::deco(DecoError::kBlobSecMem, 10));
  EXPECT_EQ(blob(kEncap | 0x200, 0x2000, 40, 0x4000, 88), JrStatus::deco(DecoError::kBlobTrusted, 10));
  EXPECT_EQ(blob(kEncap, 0x666000, 40, 0x4000, 88), JrStatus::deco(DecoError::kDma, 10));
}

}  // namespace
}  // namespace caamlab::tests
