// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// AESA in ECB, CBC, CFB128, OFB and CTR mode: NIST CAVP and RFC 3686 vectors in pieces, the context that chains
// messages, narrow counters, and the decryption form of the key.
#include <gtest/gtest.h>

#include "hw_model/cha/aesa_block.h"
#include "hw_model/cha/aesa_stream.h"
#include "hw_model/cha/arith/aes_block.h"
#include "tests/hw_model/cha/harness.h"

namespace caamlab::tests {
namespace {

using desc::AlgState;
using hw_model::CcbError;
using hw_model::ClassRegs;
using hw_model::DataType;
namespace aai = desc::aai;

desc::AlgOperation aes(uint16_t mode, bool encrypt, AlgState as = AlgState::kInitFinal) {
  return {.alg = desc::Alg::kAes, .aai = mode, .as = as, .enc = encrypt};
}

std::vector<Step> message(const Bytes& data) { return {{DataType::kMsg, data, Mark::kLast}}; }

void put_context(ClassRegs& regs, const Bytes& value, size_t at) {
  std::copy(value.begin(), value.end(), regs.context() + at);
}

struct ModeCase {
  const char* name;
  uint16_t aai;
  unsigned iv_at;
  bool whole_blocks;
  std::vector<std::string> files;
};

std::vector<std::string> cavp_files(const std::string& folder, const std::string& stem) {
  std::vector<std::string> out;
  for (const char* kind : {"GFSbox", "KeySbox", "MMT", "VarKey", "VarTxt"})
    for (const char* size : {"128", "192", "256"})
      out.push_back("ciphers/AES/" + folder + "/" + stem + kind + size + ".rsp");
  return out;
}

std::ostream& operator<<(std::ostream& os, const ModeCase& c) { return os << c.name; }

class AesaModeTest : public testing::TestWithParam<ModeCase> {
 protected:
  const ModeCase& mode() { return GetParam(); }
  hw_model::Cha& cha() { return mode().whole_blocks ? static_cast<hw_model::Cha&>(block_) : stream_; }

  Bytes crypt(ClassRegs& regs, const Bytes& data, const Layout& layout = {}) {
    Bytes out;
    EXPECT_EQ(run(cha(), regs, message(data), layout, out), CcbError::kNone);
    return out;
  }

  ClassRegs with_iv(bool encrypt, const Bytes& key, const Bytes& iv, AlgState as = AlgState::kInitFinal) {
    ClassRegs regs = make_regs(aes(mode().aai, encrypt, as), key);
    put_context(regs, iv, mode().iv_at);
    return regs;
  }

  hw_model::AesaBlock block_;
  hw_model::AesaStream stream_;
};

TEST_P(AesaModeTest, PublishedVectors) {
  size_t n = 0;
  for (const std::string& file : mode().files)
    for (const Vector& v : read_vectors(file, "count")) {
      const bool encrypt = v.text("section") == "encrypt";
      const Bytes plain = v.hex("plaintext"), cipher = v.hex("ciphertext");
      const Bytes iv = v.has("iv") ? v.hex("iv") : Bytes{};
      const Layout& layout = layouts()[n++ % layouts().size()];
      ClassRegs regs = with_iv(encrypt, v.hex("key"), iv);
      EXPECT_EQ(to_hex(crypt(regs, encrypt ? plain : cipher, layout)), to_hex(encrypt ? cipher : plain))
          << v.where << " " << layout.name;
    }
  EXPECT_GT(n, 5u);
}

TEST_P(AesaModeTest, EveryLayoutGivesTheSameAndComesBack) {
  for (const size_t key_len : {16, 24, 32})
    for (const size_t len : {0, 16, 32, 48, 160, 1008, 5, 31, 1001}) {
      if (mode().whole_blocks && len % 16 != 0) continue;
      const Bytes key = filler(key_len, 7), iv = mode().aai == aai::kEcb ? Bytes{} : filler(16, 8);
      const Bytes plain = filler(len, 9);
      ClassRegs once = with_iv(true, key, iv);
      const Bytes cipher = crypt(once, plain);
      for (const Layout& layout : layouts()) {
        ClassRegs enc = with_iv(true, key, iv), dec = with_iv(false, key, iv);
        EXPECT_EQ(to_hex(crypt(enc, plain, layout)), to_hex(cipher)) << len << " " << layout.name;
        EXPECT_EQ(to_hex(crypt(dec, cipher, layout)), to_hex(plain)) << len << " " << layout.name;
        EXPECT_EQ(context_hex(enc, 0, 64), context_hex(once, 0, 64)) << len << " " << layout.name;
        EXPECT_EQ(context_hex(dec, 0, 64), context_hex(once, 0, 64)) << len << " " << layout.name;
      }
    }
}

// Long pieces take another library; in short ones the result is the same, also where a counter of any width wraps.
TEST_P(AesaModeTest, LongPiecesEqualShortOnes) {
  const Layout short_pieces{.name = "512 bytes", .in = {512}, .out = {512}};
  for (const size_t key_len : {16, 24, 32})
    for (const size_t len : {1008, 1024, 4096, 8192 + 16, 5000}) {
      if (mode().whole_blocks && len % 16 != 0) continue;
      const Bytes key = filler(key_len, 7), plain = filler(len, 9);
      for (const size_t ones : {0, 4, 8, 15}) {  // bytes of the counter that are about to wrap
        Bytes iv = mode().aai == aai::kEcb ? Bytes{} : filler(16, 8);
        if (!iv.empty()) std::fill(iv.end() - static_cast<long>(ones), iv.end(), 0xFF);
        if (ones != 0 && !iv.empty()) iv.back() = 0xC3;
        for (const bool encrypt : {true, false}) {
          ClassRegs whole = with_iv(encrypt, key, iv), cut = with_iv(encrypt, key, iv);
          EXPECT_EQ(to_hex(crypt(whole, plain)), to_hex(crypt(cut, plain, short_pieces))) << len << ' ' << ones;
          EXPECT_EQ(context_hex(whole, 0, 64), context_hex(cut, 0, 64)) << len << ' ' << ones;
        }
      }
    }
}

// Whatever AS says: split at a block boundary, the second operation goes on from the context of the first.
TEST_P(AesaModeTest, SplitAtEveryBlockEqualsTheWhole) {
  const Bytes key = filler(16, 1), iv = mode().aai == aai::kEcb ? Bytes{} : filler(16, 2), plain = filler(160, 3);
  for (const bool encrypt : {true, false}) {
    ClassRegs regs = with_iv(encrypt, key, iv);
    const Bytes whole = crypt(regs, plain);
    for (const AlgState as : {AlgState::kUpdate, AlgState::kInit, AlgState::kFinal, AlgState::kInitFinal})
      for (size_t at = 0; at <= plain.size(); at += 16) {
        ClassRegs first = with_iv(encrypt, key, iv, as);
        Bytes out = crypt(first, slice(plain, 0, at));
        ClassRegs second = make_regs(aes(mode().aai, encrypt, as), key);
        std::copy_n(first.context(), 64, second.context());
        const Bytes rest = crypt(second, slice(plain, at, plain.size() - at));
        out.insert(out.end(), rest.begin(), rest.end());
        EXPECT_EQ(to_hex(out), to_hex(whole)) << at;
        EXPECT_EQ(context_hex(second, 0, 64), context_hex(regs, 0, 64)) << at;
      }
  }
}

TEST_P(AesaModeTest, PartialBlocks) {
  for (const bool encrypt : {true, false})
    for (const size_t len : {1, 15, 17, 33}) {
      ClassRegs regs = with_iv(encrypt, filler(16, 1), filler(16, 2));
      Bytes out;
      EXPECT_EQ(run(cha(), regs, message(filler(len, 3)), out),
                mode().whole_blocks ? CcbError::kDataSize : CcbError::kNone);
    }
}

TEST_P(AesaModeTest, KeySizes) {
  for (uint32_t size = 0; size <= 64; ++size) {
    ClassRegs regs = with_iv(true, filler(size, 1), filler(16, 2));
    Bytes out;
    EXPECT_EQ(run(cha(), regs, message(filler(16, 3)), out),
              size == 16 || size == 24 || size == 32 ? CcbError::kNone : CcbError::kKeySize)
        << size;
  }
}

TEST_P(AesaModeTest, OnlyMessageData) {
  for (const DataType type : {DataType::kIv, DataType::kAad, DataType::kIcv, DataType::kPoly}) {
    ClassRegs regs = with_iv(true, filler(16, 1), filler(16, 2));
    Bytes out;
    EXPECT_EQ(run(cha(), regs, {{type, filler(16, 3), Mark::kLast}}, out), CcbError::kSequence);
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, AesaModeTest,
                         testing::Values(ModeCase{"Ecb", aai::kEcb, 0, true, cavp_files("ECB", "ECB")},
                                         ModeCase{"Cbc", aai::kCbc, 0, true, cavp_files("CBC", "CBC")},
                                         ModeCase{"Cfb", aai::kCfb, 0, false, cavp_files("CFB", "CFB128")},
                                         ModeCase{"Ofb", aai::kOfb, 0, false, cavp_files("OFB", "OFB")},
                                         ModeCase{"Ctr",
                                                  aai::kCtrMod128,
                                                  16,
                                                  false,
                                                  {"ciphers/AES/CTR/aes-128-ctr.txt", "ciphers/AES/CTR/aes-192-ctr.txt",
                                                   "ciphers/AES/CTR/aes-256-ctr.txt"}}),
                         testing::PrintToStringParamName());

TEST(AesaCbc, ContextIsTheLastCiphertextBlock) {
  hw_model::AesaBlock cha;
  const Bytes key = filler(16, 1), iv = filler(16, 2), plain = filler(64, 3);
  ClassRegs enc = make_regs(aes(aai::kCbc, true), key), dec = make_regs(aes(aai::kCbc, false), key);
  put_context(enc, iv, 0);
  put_context(dec, iv, 0);
  Bytes cipher, back;
  ASSERT_EQ(run(cha, enc, message(plain), cipher), CcbError::kNone);
  ASSERT_EQ(run(cha, dec, message(cipher), back), CcbError::kNone);
  EXPECT_EQ(context_hex(enc, 0, 16), to_hex(slice(cipher, 48, 16)));
  EXPECT_EQ(context_hex(dec, 0, 16), to_hex(slice(cipher, 48, 16)));
}

TEST(AesaCtr, NextCounterCountsAPartialBlock) {
  hw_model::AesaStream cha;
  for (const size_t len : {0, 1, 16, 17, 33}) {
    ClassRegs regs = make_regs(aes(aai::kCtrMod128, true), filler(16, 1));
    put_context(regs, from_hex("000000000000000000000000fffffffe"), 16);
    Bytes out;
    ASSERT_EQ(run(cha, regs, message(filler(len, 2)), out), CcbError::kNone);
    const char* expected[] = {"000000000000000000000000fffffffe", "000000000000000000000000ffffffff",
                              "00000000000000000000000100000000", "00000000000000000000000100000001"};
    EXPECT_EQ(context_hex(regs, 16, 16), expected[(len + 15) / 16]) << len;
  }
}

// AAI 0x01 to 0x0F: only that many bytes count. Against single blocks.
TEST(AesaCtr, NarrowCountersWrapInPlace) {
  hw_model::AesaStream cha;
  hw_model::AesBlock block;
  const Bytes key = filler(32, 1), plain = filler(16 * 300 + 7, 2);
  block.set_key(key);
  for (unsigned width = 0; width <= 15; ++width)
    for (const uint8_t low : {0xFF, 0xF0, 0x00}) {
      Bytes counter(16, 0xFF);
      counter[0] = 0xA5;
      counter[15] = low;
      const unsigned counting = width == 0 ? 16 : width;
      Bytes expected;
      Bytes at = counter;
      for (size_t i = 0; i < plain.size(); i += 16) {
        uint8_t stream[16];
        block.encrypt(stream, at.data(), 16);
        for (size_t j = i; j < std::min(i + 16, plain.size()); ++j)
          expected.push_back(static_cast<uint8_t>(plain[j] ^ stream[j - i]));
        for (unsigned k = 0; k < counting; ++k)
          if (++at[15 - k] != 0) break;
      }
      for (const Layout& layout : layouts()) {
        ClassRegs regs = make_regs(aes(static_cast<uint16_t>(width), true), key);
        put_context(regs, counter, 16);
        Bytes out;
        ASSERT_EQ(run(cha, regs, message(plain), layout, out), CcbError::kNone);
        EXPECT_EQ(to_hex(out), to_hex(expected)) << "width " << width << " low " << int{low} << " " << layout.name;
        EXPECT_EQ(context_hex(regs, 16, 16), to_hex(at)) << "width " << width << " low " << int{low};
      }
    }
}

// -- the decryption form of the key ---------------------------------------------------------------------------------

TEST(AesKeyForms, LastWordsOfTheExpandedKey) {
  // FIPS 197 appendix A: w40..43, w46..51, w52..59.
  const struct {
    const char *cipher, *decrypt;
  } kKeys[] = {{"2b7e151628aed2a6abf7158809cf4f3c", "d014f9a8c9ee2589e13f0cc8b6630ca6"},
               {"8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b", "282d166abc3ce7b5e98ba06f448c773c8ecc720401002202"},
               {"603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
                "cafaaae3e4d59b349adf6acebd10190dfe4890d1e6188d0b046df344706c631e"}};
  for (const auto& k : kKeys) {
    const Bytes cipher = from_hex(k.cipher);
    Bytes decrypt(cipher.size()), back(cipher.size());
    hw_model::aes_decryption_form(decrypt.data(), cipher);
    hw_model::aes_cipher_key(back.data(), decrypt);
    EXPECT_EQ(to_hex(decrypt), k.decrypt);
    EXPECT_EQ(to_hex(back), k.cipher);
  }
}

class DecryptionForm : public testing::TestWithParam<uint16_t> {
 protected:
  hw_model::AesaBlock cha_;
  const Bytes cipher_ = filler(48, 5);
};

TEST_P(DecryptionForm, IsLeftByDecryptionAndTakenWithDk) {
  for (const size_t key_len : {16, 24, 32}) {
    const Bytes key = filler(key_len, 3);
    ClassRegs regs = make_regs(aes(GetParam(), false), key);
    Bytes first, second, wrong;
    ASSERT_EQ(run(cha_, regs, message(cipher_), first), CcbError::kNone);
    EXPECT_TRUE(regs.key.decrypt_form);
    Bytes expected(key_len);
    hw_model::aes_decryption_form(expected.data(), key);
    EXPECT_EQ(to_hex(regs.key.bytes.data(), key_len), to_hex(expected));

    // A follower that says DK gets the same and leaves the same.
    ClassRegs follower = make_regs(aes(GetParam() | aai::kDk, false), {});
    follower.key = regs.key;
    ASSERT_EQ(run(cha_, follower, message(cipher_), second), CcbError::kNone);
    EXPECT_EQ(to_hex(second), to_hex(first));
    EXPECT_EQ(to_hex(follower.key.bytes.data(), key_len), to_hex(expected));
    // One that does not gets garbage.
    follower = make_regs(aes(GetParam(), false), {});
    follower.key = regs.key;
    ASSERT_EQ(run(cha_, follower, message(cipher_), wrong), CcbError::kNone);
    EXPECT_NE(to_hex(wrong), to_hex(first));
  }
}

TEST_P(DecryptionForm, IsLeftWithoutData) {
  const Bytes key = filler(16, 3);
  ClassRegs regs = make_regs(aes(GetParam(), false), key);
  Bytes out;
  ASSERT_EQ(run(cha_, regs, message({}), out), CcbError::kNone);
  EXPECT_TRUE(regs.key.decrypt_form);
  EXPECT_NE(to_hex(regs.key.bytes.data(), 16), to_hex(key));
}

TEST_P(DecryptionForm, EncryptionKeepsTheKey) {
  const Bytes key = filler(16, 3);
  for (const uint16_t dk : {uint16_t{0}, aai::kDk}) {
    ClassRegs regs = make_regs(aes(GetParam() | dk, true), key);
    Bytes out;
    ASSERT_EQ(run(cha_, regs, message(cipher_), out), CcbError::kNone);
    EXPECT_FALSE(regs.key.decrypt_form);
    EXPECT_EQ(to_hex(regs.key.bytes.data(), 16), to_hex(key));
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, DecryptionForm, testing::Values(aai::kEcb, aai::kCbc));

}  // namespace
}  // namespace caamlab::tests
