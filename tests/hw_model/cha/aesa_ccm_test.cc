// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// AESA in CCM mode and in the combined modes: NIST CAVP CCM vectors in pieces, operations split with 56 bytes of
// context kept, AAD errors; cipher and MAC in one pass against the two done apart.
#include "hw_model/cha/aesa_ccm.h"

#include <gtest/gtest.h>

#include "hw_model/cha/aesa_combined.h"
#include "tests/hw_model/cha/harness.h"

namespace caamlab::tests {
namespace {

using desc::AlgState;
using hw_model::AesaCcm;
using hw_model::CcbError;
using hw_model::ClassLink;
using hw_model::ClassRegs;
using hw_model::DataType;
namespace aai = desc::aai;

desc::AlgOperation op(uint16_t mode, AlgState as, bool encrypt, bool icv = false) {
  return {.alg = desc::Alg::kAes, .aai = mode, .as = as, .icv = icv, .enc = encrypt};
}

struct Message {
  Bytes key, nonce, aad, plain, cipher, tag;
};

// B0 and CTR0 (SP 800-38C, A.2 and A.3), as software loads them; `message_bytes` as B0 shall announce.
void load_ccm_context(ClassRegs& regs, const Message& m, size_t message_bytes) {
  const unsigned l = static_cast<unsigned>(15 - m.nonce.size());
  uint8_t* b0 = regs.context() + AesaCcm::kMac;
  b0[0] = static_cast<uint8_t>((m.aad.empty() ? 0 : 0x40) | (m.tag.size() - 2) / 2 << 3 | (l - 1));
  std::copy(m.nonce.begin(), m.nonce.end(), b0 + 1);
  for (unsigned i = 0; i < l && i < 8; ++i) b0[15 - i] = static_cast<uint8_t>(message_bytes >> 8 * i);
  uint8_t* ctr0 = regs.context() + AesaCcm::kCounter;
  ctr0[0] = static_cast<uint8_t>(l - 1);
  std::copy(m.nonce.begin(), m.nonce.end(), ctr0 + 1);
}

Bytes encoded_aad(const Bytes& aad) {
  if (aad.empty()) return {};
  Bytes out = {static_cast<uint8_t>(aad.size() >> 8), static_cast<uint8_t>(aad.size())};
  out.insert(out.end(), aad.begin(), aad.end());
  return out;
}

std::vector<Step> steps_of(const Message& m, bool encrypt, bool icv, Mark message_mark) {
  std::vector<Step> steps = {{DataType::kAad, encoded_aad(m.aad), Mark::kFlush},
                             {DataType::kMsg, encrypt ? m.plain : m.cipher, message_mark}};
  if (icv) steps.push_back({DataType::kIcv, m.tag, Mark::kLast});
  return steps;
}

std::string tag_hex(const ClassRegs& regs, bool encrypt, size_t len) {
  Bytes tag(regs.context() + AesaCcm::kTag, regs.context() + AesaCcm::kTag + len);
  if (!encrypt)
    for (size_t i = 0; i < len; ++i) tag[i] ^= regs.context()[AesaCcm::kMac + i];
  return to_hex(tag);
}

void check(AesaCcm& cha, const Message& m, bool pass, const Layout& layout, const std::string& where) {
  if (pass) {
    ClassRegs regs = make_regs(op(aai::kCcm, AlgState::kInitFinal, true), m.key);
    load_ccm_context(regs, m, m.plain.size());
    Bytes out;
    ASSERT_EQ(run(cha, regs, steps_of(m, true, false, Mark::kLast), layout, out), CcbError::kNone) << where;
    EXPECT_EQ(to_hex(out), to_hex(m.cipher)) << where << " " << layout.name;
    EXPECT_EQ(tag_hex(regs, true, m.tag.size()), to_hex(m.tag)) << where << " " << layout.name;
    regs = make_regs(op(aai::kCcm, AlgState::kInitFinal, false), m.key);
    load_ccm_context(regs, m, m.plain.size());
    ASSERT_EQ(run(cha, regs, steps_of(m, false, false, Mark::kLast), layout, out), CcbError::kNone) << where;
    EXPECT_EQ(tag_hex(regs, false, m.tag.size()), to_hex(m.tag)) << where;
  }
  for (const Mark mark : {Mark::kLast, Mark::kFlush})
    for (const uint32_t icv_size : {static_cast<uint32_t>(m.tag.size()), 0u}) {
      ClassRegs regs = make_regs(op(aai::kCcm, AlgState::kInitFinal, false, true), m.key);
      load_ccm_context(regs, m, m.cipher.size());
      regs.icv_size = icv_size;
      Bytes out;
      EXPECT_EQ(run(cha, regs, steps_of(m, false, true, mark), layout, out),
                pass ? CcbError::kNone : CcbError::kIcvCheck)
          << where;
      if (pass) {
        EXPECT_EQ(to_hex(out), to_hex(m.plain)) << where << " " << layout.name;
      }
    }
}

TEST(AesaCcm, PublishedVectors) {
  AesaCcm cha(nullptr);
  size_t n = 0, failing = 0;
  for (const char* kind : {"DVPT", "VADT", "VNT", "VPT", "VTT"})
    for (const char* size : {"128", "192", "256"})
      for (const Vector& v : read_vectors(std::string("ciphers/AES/CCM/") + kind + size + ".rsp", "count")) {
        Message m{v.hex("key"), v.hex("nonce"), v.hex("adata"), {}, v.hex("ct"), {}};
        m.aad.resize(v.number("alen"));
        const bool pass = !v.has("result") || v.text("result").rfind("Pass", 0) == 0;
        failing += !pass;
        if (pass) m.plain = v.hex("payload");
        m.plain.resize(v.number("plen"));
        const size_t tag_len = v.number("tlen");
        ASSERT_EQ(m.cipher.size(), m.plain.size() + tag_len) << v.where;
        m.tag = slice(m.cipher, m.plain.size(), tag_len);
        m.cipher.resize(m.plain.size());
        check(cha, m, pass, layouts()[n++ % layouts().size()], v.where);
      }
  EXPECT_GT(failing, 100u);
}

Message make_message(AesaCcm& cha, size_t aad_len, size_t len) {
  Message m{filler(16, 1), filler(12, 2), filler(aad_len, 3), filler(len, 4), {}, Bytes(16)};
  ClassRegs regs = make_regs(op(aai::kCcm, AlgState::kInitFinal, true), m.key);
  load_ccm_context(regs, m, len);
  EXPECT_EQ(run(cha, regs, steps_of(m, true, false, Mark::kLast), m.cipher), CcbError::kNone);
  std::copy_n(regs.context() + AesaCcm::kTag, 16, m.tag.begin());
  return m;
}

TEST(AesaCcm, SplitOperationsEqualTheWhole) {
  AesaCcm cha(nullptr);
  for (const size_t aad_len : {0, 1, 14, 30, 50})
    for (const size_t len : {0, 5, 16, 48, 100})
      for (const bool encrypt : {true, false}) {
        const Message m = make_message(cha, aad_len, len);
        const Bytes& in = encrypt ? m.plain : m.cipher;
        ClassRegs regs = make_regs(op(aai::kCcm, AlgState::kInit, encrypt), m.key);
        load_ccm_context(regs, m, len);
        Bytes out;
        ASSERT_EQ(run(cha, regs, {{DataType::kAad, encoded_aad(m.aad), Mark::kLast}}, out), CcbError::kNone);
        for (size_t at = 0; at < len || at == 0; at += 32) {
          const bool over = len - at <= 32;
          const Bytes context(regs.context(), regs.context() + 56);
          make_message(cha, 7, 20);  // another job in between
          regs = make_regs(op(aai::kCcm, over ? AlgState::kFinal : AlgState::kUpdate, encrypt), m.key);
          std::copy(context.begin(), context.end(), regs.context());
          ASSERT_EQ(run(cha, regs, {{DataType::kMsg, slice(in, at, over ? len - at : 32), Mark::kLast}}, out),
                    CcbError::kNone);
          if (over) break;
        }
        EXPECT_EQ(to_hex(out), to_hex(encrypt ? m.cipher : m.plain)) << aad_len << " " << len;
        EXPECT_EQ(tag_hex(regs, encrypt, 16), to_hex(m.tag)) << aad_len << " " << len;
      }
}

TEST(AesaCcm, AadErrors) {
  AesaCcm cha(nullptr);
  const Message with = make_message(cha, 20, 16);
  const auto error = [&](const Message& announced, const Bytes& aad, size_t message_bytes) {
    ClassRegs regs = make_regs(op(aai::kCcm, AlgState::kInitFinal, true), announced.key);
    load_ccm_context(regs, announced, 16);
    Bytes out;
    return run(cha, regs,
               {{DataType::kAad, aad, Mark::kFlush}, {DataType::kMsg, filler(message_bytes, 5), Mark::kLast}}, out);
  };
  Message without = with;
  without.aad.clear();
  const Bytes good = encoded_aad(with.aad);
  EXPECT_EQ(error(with, good, 16), CcbError::kNone);
  EXPECT_EQ(error(without, {}, 16), CcbError::kNone);
  EXPECT_EQ(error(without, good, 16), CcbError::kCcmAad);
  EXPECT_EQ(error(with, {}, 16), CcbError::kCcmAad);
  EXPECT_EQ(error(with, slice(good, 0, 1), 16), CcbError::kCcmAad);
  EXPECT_EQ(error(with, slice(good, 0, 21), 16), CcbError::kCcmAad);
  Bytes longer = good;
  longer.push_back(0);
  EXPECT_EQ(error(with, longer, 16), CcbError::kCcmAad);
  EXPECT_EQ(error(with, from_hex("ff00"), 16), CcbError::kCcmAad);
  EXPECT_EQ(error(with, from_hex("fffe00010000"), 16), CcbError::kCcmAad);
  // The message length that B0 announces.
  EXPECT_EQ(error(with, good, 15), CcbError::kDataSize);
  EXPECT_EQ(error(with, good, 17), CcbError::kDataSize);
}

TEST(AesaCcm, Class2Key) {
  ClassRegs other;
  ClassLink link{nullptr, &other};
  AesaCcm cha(&link);
  const Message m = make_message(cha, 5, 40);
  set_key(other.key, m.key);
  ClassRegs regs = make_regs(op(aai::kCcm | aai::kC2k, AlgState::kInitFinal, true), filler(32, 9));
  load_ccm_context(regs, m, 40);
  Bytes out;
  ASSERT_EQ(run(cha, regs, steps_of(m, true, false, Mark::kLast), out), CcbError::kNone);
  EXPECT_EQ(to_hex(out), to_hex(m.cipher));
  EXPECT_EQ(tag_hex(regs, true, 16), to_hex(m.tag));
  AesaCcm alone(nullptr);
  EXPECT_EQ(run(alone, regs, steps_of(m, true, false, Mark::kLast), out), CcbError::kChaCombination);
}

// -- combined modes ---------------------------------------------------------------------------------------------------

struct Combined {
  uint16_t mode, cipher, mac;
  bool mac_over_plain;
};
constexpr Combined kCombined[] = {{aai::kCbcXcbcMac, aai::kCbc, aai::kXcbcMac, false},
                                  {aai::kCtrXcbcMac, aai::kCtrMod128, aai::kXcbcMac, false},
                                  {aai::kCbcCmac, aai::kCbc, aai::kCmac, false},
                                  {aai::kCtrCmacLte, aai::kCtrMod128, aai::kCmac, true},
                                  {aai::kCtrCmac, aai::kCtrMod128, aai::kCmac, false}};

class AesaCombinedTest : public testing::TestWithParam<Combined> {
 protected:
  ClassRegs class1_, class2_;
  ClassLink link_{&class1_, &class2_};
  hw_model::AesaCombined cha_{&link_};
  const Bytes key1_ = filler(32, 1), key2_ = filler(16, 2), iv_ = filler(16, 3), aad_ = filler(11, 4),
              plain_ = filler(96, 5);
  Bytes cipher_, mac_;

  bool is_cbc() const { return GetParam().cipher == aai::kCbc; }
  unsigned iv_at() const { return is_cbc() ? 0 : 16; }

  void SetUp() override {
    ClassRegs c = make_regs(op(GetParam().cipher, AlgState::kInitFinal, true), key1_);
    std::copy(iv_.begin(), iv_.end(), c.context() + iv_at());
    hw_model::AesaBlock block;
    hw_model::AesaStream stream;
    hw_model::Cha& cipher = is_cbc() ? static_cast<hw_model::Cha&>(block) : stream;
    ASSERT_EQ(run(cipher, c, {{DataType::kMsg, plain_, Mark::kLast}}, cipher_), CcbError::kNone);
    ClassRegs m = make_regs(op(GetParam().mac, AlgState::kInitFinal, true), key2_);
    hw_model::AesaMac mac;
    Bytes none;
    const Bytes& covered = GetParam().mac_over_plain ? plain_ : cipher_;
    ASSERT_EQ(run(mac, m, {{DataType::kMsg, aad_}, {DataType::kMsg, covered, Mark::kLast}}, none), CcbError::kNone);
    mac_.assign(m.context(), m.context() + 16);
  }

  CcbError crypt(bool encrypt, const Bytes& icv, const Layout& layout, Bytes& out) {
    class1_ = make_regs(op(GetParam().mode, AlgState::kInitFinal, encrypt, !icv.empty()), key1_);
    std::copy(iv_.begin(), iv_.end(), class1_.context() + iv_at());
    class2_ = make_regs({}, key2_);
    std::vector<Step> steps = {{DataType::kAad, aad_, Mark::kFlush},
                               {DataType::kMsg, encrypt ? plain_ : cipher_, Mark::kLast}};
    if (!icv.empty()) steps.push_back({DataType::kIcv, icv, Mark::kLast});
    return run(cha_, class1_, steps, layout, out);
  }
};

TEST_P(AesaCombinedTest, EqualsCipherAndMacApart) {
  for (const Layout& layout : layouts()) {
    Bytes out, back;
    ASSERT_EQ(crypt(true, {}, layout, out), CcbError::kNone);
    EXPECT_EQ(to_hex(out), to_hex(cipher_)) << layout.name;
    EXPECT_EQ(context_hex(class2_, 0, 16), to_hex(mac_)) << layout.name;
    ASSERT_EQ(crypt(false, mac_, layout, back), CcbError::kNone) << layout.name;
    EXPECT_EQ(to_hex(back), to_hex(plain_)) << layout.name;
    Bytes wrong = mac_;
    wrong[15] ^= 1;
    EXPECT_EQ(crypt(false, wrong, layout, back), CcbError::kIcvCheck);
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, AesaCombinedTest, testing::ValuesIn(kCombined));

}  // namespace
}  // namespace caamlab::tests
