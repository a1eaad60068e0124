// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// AESA in GCM mode, straight through the CHA interface: NIST CAVP vectors of all IV and tag lengths, both arithmetic
// libraries, data in pieces, operations split with the context saved in between, and the ways to check an ICV.
#include "hw_model/cha/aesa_gcm.h"

#include <gtest/gtest.h>

#include "tests/hw_model/cha/harness.h"

namespace caamlab::tests {
namespace {

using desc::AlgState;
using hw_model::AesaGcm;
using hw_model::CcbError;
using hw_model::ClassRegs;
using hw_model::DataType;

enum class Icv { kNone, kLastTwice, kFlushThenLast };

struct Message {
  Bytes key, iv, aad, plain, cipher, tag;
};

desc::AlgOperation gcm(AlgState as, bool encrypt, bool icv = false) {
  return {.alg = desc::Alg::kAes, .aai = desc::aai::kGcm, .as = as, .icv = icv, .enc = encrypt};
}

std::vector<Step> steps_of(const Message& m, bool encrypt, Icv icv) {
  std::vector<Step> steps = {{DataType::kIv, m.iv, Mark::kFlush}, {DataType::kAad, m.aad, Mark::kFlush}};
  const Mark end = icv == Icv::kFlushThenLast ? Mark::kFlush : Mark::kLast;
  steps.push_back({DataType::kMsg, encrypt ? m.plain : m.cipher, end});
  if (icv != Icv::kNone) steps.push_back({DataType::kIcv, m.tag, Mark::kLast});
  return steps;
}

class AesaGcmTest : public testing::TestWithParam<bool> {
 protected:
  AesaGcm gcm_{GetParam() ? hw_model::make_aes_gcm() : hw_model::make_aes_gcm_libcrypto()};

  void expect_encrypts(const Message& m, AlgState as, const Layout& layout, const std::string& where) {
    ClassRegs regs = make_regs(gcm(as, true), m.key);
    Bytes out;
    ASSERT_EQ(run(gcm_, regs, steps_of(m, true, Icv::kNone), layout, out), CcbError::kNone) << where;
    EXPECT_EQ(to_hex(out), to_hex(m.cipher)) << where << " " << layout.name;
    EXPECT_EQ(context_hex(regs, AesaGcm::kMac, m.tag.size()), to_hex(m.tag)) << where << " " << layout.name;
    EXPECT_EQ(desc::load_be64(regs.context() + AesaGcm::kAadBits), m.aad.size() * 8) << where;
    EXPECT_EQ(desc::load_be64(regs.context() + AesaGcm::kMsgBits), m.plain.size() * 8) << where;
  }

  void expect_decrypts(const Message& m, Icv style, CcbError expected, const Layout& layout, const std::string& where) {
    ClassRegs regs = make_regs(gcm(AlgState::kInitFinal, false, style != Icv::kNone), m.key);
    regs.icv_size = static_cast<uint32_t>(m.tag.size());
    Bytes out;
    EXPECT_EQ(run(gcm_, regs, steps_of(m, false, style), layout, out), expected) << where << " " << layout.name;
    if (expected == CcbError::kNone) {
      EXPECT_EQ(to_hex(out), to_hex(m.plain)) << where << " " << layout.name;
    }
    if (style == Icv::kNone) {
      EXPECT_EQ(context_hex(regs, AesaGcm::kMac, m.tag.size()), to_hex(m.tag)) << where << " " << layout.name;
    }
  }

  // The message in operations that end after the AAD and after each `block` bytes of message; between two of them
  // everything but the 64 bytes of context is lost, as when other jobs run in between.
  void expect_split_equals_whole(const Message& m, bool encrypt, size_t block) {
    Bytes out;
    ClassRegs regs = make_regs(gcm(AlgState::kInit, encrypt), m.key);
    std::vector<Step> steps = {{DataType::kIv, m.iv, Mark::kFlush}, {DataType::kAad, m.aad, Mark::kLast}};
    ASSERT_EQ(run(gcm_, regs, steps, out), CcbError::kNone);
    const Bytes& message = encrypt ? m.plain : m.cipher;
    size_t at = 0;
    for (bool over = false; !over; at += block) {
      over = message.size() - at <= block;
      interfere();
      ClassRegs next = make_regs(gcm(over ? AlgState::kFinal : AlgState::kUpdate, encrypt), m.key);
      std::copy_n(regs.context(), hw_model::kClass1ContextBytes, next.context());
      const Bytes piece = slice(message, at, over ? message.size() - at : block);
      ASSERT_EQ(run(gcm_, next, {{DataType::kMsg, piece, Mark::kLast}}, out), CcbError::kNone);
      regs = next;
    }
    EXPECT_EQ(to_hex(out), to_hex(encrypt ? m.cipher : m.plain)) << "block " << block;
    EXPECT_EQ(context_hex(regs, 0, 16), to_hex(m.tag)) << "block " << block;
  }

  void interfere() {
    ClassRegs other = make_regs(gcm(AlgState::kInitFinal, true), filler(32, 99));
    Bytes ignored;
    ASSERT_EQ(run(gcm_, other, {{DataType::kIv, filler(12, 1)}, {DataType::kMsg, filler(40, 2), Mark::kLast}}, ignored),
              CcbError::kNone);
  }

  // A message with its result by the whole-message path.
  Message make_message(size_t iv_len, size_t aad_len, size_t msg_len) {
    Message m{filler(16, 1), filler(iv_len, 2), filler(aad_len, 3), filler(msg_len, 4), {}, {}};
    ClassRegs regs = make_regs(gcm(AlgState::kInitFinal, true), m.key);
    EXPECT_EQ(run(gcm_, regs, steps_of(m, true, Icv::kNone), m.cipher), CcbError::kNone);
    m.tag.assign(regs.context(), regs.context() + 16);
    return m;
  }
};

Message message_of(const Vector& v) {
  return {v.hex("key"), v.hex("iv"), v.hex("aad"), v.has("fail") ? Bytes{} : v.hex("pt"), v.hex("ct"), v.hex("tag")};
}

TEST_P(AesaGcmTest, CavpEncrypt) {
  for (const char* size : {"128", "192", "256"}) {
    size_t n = 0;
    for (const Vector& v : read_vectors(std::string("ciphers/AES/GCM/gcmEncryptExtIV") + size + ".rsp", "count"))
      expect_encrypts(message_of(v), AlgState::kInitFinal, layouts()[n++ % layouts().size()], v.where);
  }
}

TEST_P(AesaGcmTest, CavpDecrypt) {
  for (const char* size : {"128", "192", "256"}) {
    size_t n = 0, failing = 0;
    for (const Vector& v : read_vectors(std::string("ciphers/AES/GCM/gcmDecrypt") + size + ".rsp", "count")) {
      const CcbError expected = v.has("fail") ? CcbError::kIcvCheck : CcbError::kNone;
      failing += v.has("fail");
      const Layout& layout = layouts()[n++ % layouts().size()];
      const Message m = message_of(v);
      expect_decrypts(m, Icv::kLastTwice, expected, layout, v.where);
      expect_decrypts(m, Icv::kFlushThenLast, expected, layout, v.where);
      if (!v.has("fail")) expect_decrypts(m, Icv::kNone, CcbError::kNone, layout, v.where);
    }
    EXPECT_GT(failing, 1000u) << size;
  }
}

TEST_P(AesaGcmTest, EveryLayoutGivesTheSame) {
  for (const size_t iv : {1, 11, 12, 13, 16, 60, 128, 129, 300})
    for (const size_t aad : {0, 1, 16, 20, 33})
      for (const size_t len : {0, 1, 15, 16, 17, 64, 300}) {
        const Message m = make_message(iv, aad, len);
        const std::string where =
            "iv " + std::to_string(iv) + " aad " + std::to_string(aad) + " msg " + std::to_string(len);
        for (const Layout& layout : layouts()) {
          expect_encrypts(m, AlgState::kInitFinal, layout, where);
          expect_encrypts(m, AlgState::kFinal, layout, where + ", FINALIZE on a cleared context");
          expect_decrypts(m, Icv::kFlushThenLast, CcbError::kNone, layout, where);
          expect_decrypts(m, Icv::kNone, CcbError::kNone, layout, where);
        }
      }
}

TEST_P(AesaGcmTest, SplitOperationsEqualTheWhole) {
  for (const size_t iv : {12, 8, 130})
    for (const size_t aad : {0, 5, 16, 40})
      for (const size_t len : {0, 3, 16, 32, 100, 128}) {
        const Message m = make_message(iv, aad, len);
        for (const size_t block : {16, 32, 64}) {
          expect_split_equals_whole(m, true, block);
          expect_split_equals_whole(m, false, block);
        }
      }
}

TEST_P(AesaGcmTest, NonFinalOperationNeedsWholeBlocks) {
  for (const AlgState as : {AlgState::kInit, AlgState::kUpdate})
    for (const size_t len : {1, 15, 17, 31}) {
      ClassRegs regs = make_regs(gcm(as, true), filler(16, 1));
      Bytes out;
      EXPECT_EQ(run(gcm_, regs,
                    {{DataType::kIv, filler(12, 1), Mark::kFlush}, {DataType::kMsg, filler(len, 2), Mark::kLast}}, out),
                CcbError::kDataSize)
          << len;
    }
}

TEST_P(AesaGcmTest, GmacIsGcmWithoutMessage) {
  const Message m = make_message(12, 77, 0);
  for (const Layout& layout : layouts()) {
    ClassRegs regs = make_regs(gcm(AlgState::kInitFinal, true), m.key);
    Bytes out;
    ASSERT_EQ(run(gcm_, regs, {{DataType::kIv, m.iv, Mark::kFlush}, {DataType::kAad, m.aad, Mark::kLast}}, layout, out),
              CcbError::kNone);
    EXPECT_TRUE(out.empty());
    EXPECT_EQ(context_hex(regs, 0, 16), to_hex(m.tag)) << layout.name;
  }
}

TEST_P(AesaGcmTest, IvAloneWithLast) {
  const Message m = make_message(12, 0, 0);
  ClassRegs regs = make_regs(gcm(AlgState::kInitFinal, true), m.key);
  Bytes out;
  ASSERT_EQ(run(gcm_, regs, {{DataType::kIv, m.iv, Mark::kLast}}, out), CcbError::kNone);
  EXPECT_EQ(context_hex(regs, 0, 16), to_hex(m.tag));
}

TEST_P(AesaGcmTest, SadIsAadThatIsAlsoOutput) {
  const Message m = make_message(12, 40, 24);
  for (const Layout& layout : layouts()) {
    if (layout.in_place) continue;
    ClassRegs regs = make_regs(gcm(AlgState::kInitFinal, true), m.key);
    Bytes out;
    ASSERT_EQ(run(gcm_, regs,
                  {{DataType::kIv, m.iv, Mark::kFlush},
                   {DataType::kSad, m.aad, Mark::kFlush},
                   {DataType::kMsg, m.plain, Mark::kLast}},
                  layout, out),
              CcbError::kNone);
    EXPECT_EQ(to_hex(out), to_hex(m.aad) + to_hex(m.cipher)) << layout.name;
    EXPECT_EQ(context_hex(regs, 0, 16), to_hex(m.tag)) << layout.name;
  }
}

TEST_P(AesaGcmTest, EveryTagBitIsChecked) {
  const Message m = make_message(12, 20, 33);
  for (const size_t tag_len : {4, 8, 12, 13, 16})
    for (size_t bit = 0; bit < tag_len * 8; ++bit) {
      Message bad = m;
      bad.tag.resize(tag_len);
      bad.tag[bit / 8] ^= static_cast<uint8_t>(0x80 >> bit % 8);
      expect_decrypts(bad, bit % 2 ? Icv::kLastTwice : Icv::kFlushThenLast, CcbError::kIcvCheck, layouts()[0],
                      "bit " + std::to_string(bit));
    }
}

TEST_P(AesaGcmTest, IcvSizeZeroChecksSixteenBytes) {
  Message m = make_message(12, 4, 20);
  for (const bool damaged : {false, true}) {
    if (damaged) m.tag[15] ^= 1;
    ClassRegs regs = make_regs(gcm(AlgState::kInitFinal, false, true), m.key);
    Bytes out;
    EXPECT_EQ(run(gcm_, regs, steps_of(m, false, Icv::kFlushThenLast), out),
              damaged ? CcbError::kIcvCheck : CcbError::kNone);
  }
}

// MCUX: the message in one operation, the tag compared in a second one over the finished context.
TEST_P(AesaGcmTest, IcvCheckInASecondOperation) {
  for (const bool damaged : {false, true}) {
    Message m = make_message(12, 4, 20);
    ClassRegs regs = make_regs(gcm(AlgState::kFinal, false), m.key);
    Bytes out;
    ASSERT_EQ(run(gcm_, regs, steps_of(m, false, Icv::kNone), out), CcbError::kNone);
    EXPECT_EQ(to_hex(out), to_hex(m.plain));
    if (damaged) m.tag[3] ^= 0x10;
    regs.op = gcm(AlgState::kUpdate, false, true);
    regs.icv_size = 16;
    EXPECT_EQ(run(gcm_, regs, {{DataType::kIcv, m.tag, Mark::kLast}}, out),
              damaged ? CcbError::kIcvCheck : CcbError::kNone);
  }
}

TEST_P(AesaGcmTest, DataOutOfSequence) {
  const DataType iv = DataType::kIv, aad = DataType::kAad, msg = DataType::kMsg;
  const std::vector<std::vector<DataType>> kWrong = {
      {aad}, {msg}, {iv, aad, iv}, {iv, msg, aad}, {iv, msg, iv}, {DataType::kSbox}, {iv, DataType::kPoly}};
  for (const auto& order : kWrong) {
    ClassRegs regs = make_regs(gcm(AlgState::kInitFinal, true), filler(16, 1));
    std::vector<Step> steps;
    for (const DataType type : order) steps.push_back({type, filler(12, 5), Mark::kFlush});
    Bytes out;
    EXPECT_EQ(run(gcm_, regs, steps, out), CcbError::kSequence) << static_cast<int>(order.back());
  }
}

TEST_P(AesaGcmTest, KeySizes) {
  for (uint32_t size = 0; size <= 64; ++size) {
    ClassRegs regs = make_regs(gcm(AlgState::kInitFinal, true), filler(size, 1));
    Bytes out;
    const bool good = size == 16 || size == 24 || size == 32;
    EXPECT_EQ(run(gcm_, regs, {{DataType::kIv, filler(12, 1), Mark::kLast}}, out),
              good ? CcbError::kNone : CcbError::kKeySize)
        << size;
  }
}

TEST_P(AesaGcmTest, ContextAfterTheWholeIsThatOfTheParts) {
  for (const size_t iv : {12, 20}) {
    const Message m = make_message(iv, 20, 64);
    ClassRegs whole = make_regs(gcm(AlgState::kInitFinal, true), m.key);
    Bytes out;
    ASSERT_EQ(run(gcm_, whole, steps_of(m, true, Icv::kNone), out), CcbError::kNone);
    ClassRegs first = make_regs(gcm(AlgState::kInit, true), m.key);
    ASSERT_EQ(run(gcm_, first, {{DataType::kIv, m.iv}, {DataType::kAad, m.aad, Mark::kLast}}, out), CcbError::kNone);
    first.op = gcm(AlgState::kFinal, true);
    ASSERT_EQ(run(gcm_, first, {{DataType::kMsg, m.plain, Mark::kLast}}, out), CcbError::kNone);
    EXPECT_EQ(context_hex(whole, 0, 64), context_hex(first, 0, 64)) << iv;
  }
}

std::string library_name(const testing::TestParamInfo<bool>& info) { return info.param ? "Fastest" : "Libcrypto"; }
INSTANTIATE_TEST_SUITE_P(Libraries, AesaGcmTest, testing::Bool(), library_name);

}  // namespace
}  // namespace caamlab::tests
