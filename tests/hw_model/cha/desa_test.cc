// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// DESA: NIST CAVP 3DES vectors (those with one key also as DES) in pieces, chaining between operations, parity.
#include "hw_model/cha/desa.h"

#include <gtest/gtest.h>

#include "tests/hw_model/cha/harness.h"

namespace caamlab::tests {
namespace {

using desc::Alg;
using hw_model::CcbError;
using hw_model::ClassRegs;
using hw_model::DataType;
using hw_model::Desa;
namespace aai = desc::aai;

struct ModeCase {
  const char *name, *folder, *stem;
  uint16_t aai;
  bool whole_blocks;
};
std::ostream& operator<<(std::ostream& os, const ModeCase& c) { return os << c.name; }

std::vector<Step> message(const Bytes& data) { return {{DataType::kMsg, data, Mark::kLast}}; }

class DesaTest : public testing::TestWithParam<ModeCase> {
 protected:
  Desa cha_;

  ClassRegs regs_for(Alg alg, bool encrypt, const Bytes& key, const Bytes& iv, uint16_t flags = 0) {
    ClassRegs regs = make_regs({.alg = alg,
                                .aai = static_cast<uint16_t>(GetParam().aai | flags),
                                .as = desc::AlgState::kInitFinal,
                                .enc = encrypt},
                               key);
    std::copy(iv.begin(), iv.end(), regs.context());
    return regs;
  }
  Bytes crypt(ClassRegs& regs, const Bytes& data, const Layout& layout = {}) {
    Bytes out;
    EXPECT_EQ(run(cha_, regs, message(data), layout, out), CcbError::kNone);
    return out;
  }
};

TEST_P(DesaTest, PublishedVectors) {
  size_t n = 0;
  for (const char* kind : {"MMT1", "MMT2", "MMT3", "invperm", "permop", "subtab", "varkey", "vartext"})
    for (const Vector& v : read_vectors(
             std::string("ciphers/3DES/") + GetParam().folder + "/" + GetParam().stem + kind + ".rsp", "count")) {
      Bytes key;
      if (v.has("keys")) {
        for (int i = 0; i < 3; ++i)
          for (const uint8_t b : v.hex("keys")) key.push_back(b);
      } else {
        for (const char* name : {"key1", "key2", "key3"})
          for (const uint8_t b : v.hex(name)) key.push_back(b);
      }
      const bool encrypt = v.text("section") == "encrypt";
      const Bytes in = v.hex(encrypt ? "plaintext" : "ciphertext"), iv = v.has("iv") ? v.hex("iv") : Bytes{};
      const std::string& expected = v.text(encrypt ? "ciphertext" : "plaintext");
      const Layout& layout = layouts()[n++ % layouts().size()];
      const auto check = [&](Alg alg, const Bytes& k) {
        ClassRegs regs = regs_for(alg, encrypt, k, iv);
        EXPECT_EQ(to_hex(crypt(regs, in, layout)), expected) << v.where << " " << layout.name;
      };
      check(Alg::k3Des, key);
      if (std::equal(key.begin(), key.begin() + 8, key.begin() + 16)) check(Alg::k3Des, slice(key, 0, 16));
      if (std::equal(key.begin(), key.begin() + 16, key.begin() + 8)) check(Alg::kDes, slice(key, 0, 8));
    }
  EXPECT_GT(n, 300u);
}

TEST_P(DesaTest, EveryLayoutAndEverySplitGiveTheSame) {
  for (const auto& [alg, key_len] : {std::pair{Alg::kDes, 8}, std::pair{Alg::k3Des, 16}, std::pair{Alg::k3Des, 24}})
    for (const bool encrypt : {true, false}) {
      const Bytes key = filler(static_cast<size_t>(key_len), 1), data = filler(120, 3);
      const Bytes iv = GetParam().aai == aai::kEcb ? Bytes{} : filler(8, 2);
      ClassRegs once = regs_for(alg, encrypt, key, iv);
      const Bytes whole = crypt(once, data);
      for (const Layout& layout : layouts()) {
        ClassRegs regs = regs_for(alg, encrypt, key, iv);
        EXPECT_EQ(to_hex(crypt(regs, data, layout)), to_hex(whole)) << layout.name;
        EXPECT_EQ(context_hex(regs, 0, 8), context_hex(once, 0, 8)) << layout.name;
        ClassRegs back = regs_for(alg, !encrypt, key, iv);
        EXPECT_EQ(to_hex(crypt(back, whole, layout)), to_hex(data)) << layout.name;
      }
      for (size_t at = 0; at <= data.size(); at += 8) {
        ClassRegs first = regs_for(alg, encrypt, key, iv);
        Bytes out = crypt(first, slice(data, 0, at));
        ClassRegs second = regs_for(alg, encrypt, key, Bytes(first.context(), first.context() + 8));
        const Bytes rest = crypt(second, slice(data, at, data.size() - at));
        out.insert(out.end(), rest.begin(), rest.end());
        EXPECT_EQ(to_hex(out), to_hex(whole)) << at;
      }
    }
}

TEST_P(DesaTest, PartialBlocks) {
  for (const size_t len : {1, 7, 9}) {
    ClassRegs regs = regs_for(Alg::k3Des, true, filler(24, 1), filler(8, 2));
    Bytes out;
    EXPECT_EQ(run(cha_, regs, message(filler(len, 3)), out),
              GetParam().whole_blocks ? CcbError::kDataSize : CcbError::kNone);
  }
}

TEST_P(DesaTest, ParityIsCheckedOnRequest) {
  const Bytes good = from_hex("0123456789abcdeff1e0d3c2b5a49786");  // odd parity throughout
  for (size_t i = 0; i < 16; ++i) {
    Bytes key = good;
    key[i] ^= 1;
    Bytes out;
    ClassRegs checked = regs_for(Alg::k3Des, true, key, {}, aai::kDesCheckOdd);
    EXPECT_EQ(run(cha_, checked, message(filler(8, 1)), out), CcbError::kDesParity) << i;
    ClassRegs unchecked = regs_for(Alg::k3Des, true, key, {});
    EXPECT_EQ(run(cha_, unchecked, message(filler(8, 1)), out), CcbError::kNone) << i;
  }
  Bytes out;
  ClassRegs regs = regs_for(Alg::k3Des, true, good, {}, aai::kDesCheckOdd);
  EXPECT_EQ(run(cha_, regs, message(filler(8, 1)), out), CcbError::kNone);
}

TEST_P(DesaTest, Errors) {
  for (uint32_t size = 0; size <= 32; ++size) {
    Bytes out;
    ClassRegs single = regs_for(Alg::kDes, true, filler(size, 1), {});
    EXPECT_EQ(run(cha_, single, message(filler(8, 1)), out), size == 8 ? CcbError::kNone : CcbError::kKeySize) << size;
    ClassRegs triple = regs_for(Alg::k3Des, true, filler(size, 1), {});
    EXPECT_EQ(run(cha_, triple, message(filler(8, 1)), out),
              size == 16 || size == 24 ? CcbError::kNone : CcbError::kKeySize)
        << size;
  }
  Bytes out;
  ClassRegs regs = regs_for(Alg::kDes, true, filler(8, 1), {});
  EXPECT_EQ(run(cha_, regs, {{DataType::kIv, filler(8, 1), Mark::kLast}}, out), CcbError::kSequence);
}

INSTANTIATE_TEST_SUITE_P(Modes, DesaTest,
                         testing::Values(ModeCase{"Ecb", "ECB", "TECB", aai::kEcb, true},
                                         ModeCase{"Cbc", "CBC", "TCBC", aai::kCbc, true},
                                         ModeCase{"Cfb", "CFB", "TCFB64", aai::kCfb, false},
                                         ModeCase{"Ofb", "OFB", "TOFB", aai::kOfb, false}),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace caamlab::tests
