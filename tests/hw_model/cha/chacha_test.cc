// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// CCHA and PTHA: RFC 8439 vectors, the AEAD pair driven as a DECO drives it, counters, operations split in the middle.
#include <gtest/gtest.h>

#include "hw_model/cha/ccha.h"
#include "hw_model/cha/ptha.h"
#include "tests/hw_model/cha/harness.h"

namespace caamlab::tests {
namespace {

using desc::AlgState;
using hw_model::CcbError;
using hw_model::Ccha;
using hw_model::ClassLink;
using hw_model::ClassRegs;
using hw_model::DataType;
using hw_model::Ptha;
namespace aai = desc::aai;

desc::AlgOperation chacha(uint16_t mode, AlgState as = AlgState::kInitFinal) {
  return {.alg = desc::Alg::kChaCha20, .aai = mode, .as = as, .enc = true};
}
desc::AlgOperation poly(AlgState as, bool icv = false) {
  return {.cls = desc::ClassSel::kClass2, .alg = desc::Alg::kPoly1305, .aai = aai::kAead, .as = as, .icv = icv};
}

std::vector<Step> message(const Bytes& data) { return {{DataType::kMsg, data, Mark::kLast}}; }

void put_nonce(ClassRegs& regs, uint32_t counter, const Bytes& nonce) {
  desc::store32(regs.context(), counter, desc::Endian::kLittle);
  std::copy(nonce.begin(), nonce.end(), regs.context() + 16 - nonce.size());
}

TEST(Ccha, PublishedVectors) {
  Ccha cha;
  for (const Vector& v : read_vectors("ciphers/ChaCha20/rfc7539.txt", "count"))
    for (const Layout& layout : layouts()) {
      ClassRegs regs = make_regs(chacha(0), v.hex("key"));
      put_nonce(regs, static_cast<uint32_t>(v.number("initial_block_counter")), v.hex("nonce"));
      Bytes out;
      ASSERT_EQ(run(cha, regs, message(v.hex("plaintext")), layout, out), CcbError::kNone);
      EXPECT_EQ(to_hex(out), v.text("ciphertext")) << v.where << " " << layout.name;
    }
}

TEST(Ccha, KeystreamOnlyIgnoresTheMessage) {
  Ccha cha;
  const Bytes key = filler(32, 1), nonce = filler(12, 2);
  Bytes keystream, expected;
  ClassRegs regs = make_regs(chacha(0), key);
  put_nonce(regs, 3, nonce);
  ASSERT_EQ(run(cha, regs, message(Bytes(200)), expected), CcbError::kNone);
  for (const Layout& layout : layouts()) {
    ClassRegs only = make_regs(chacha(aai::kChaChaKeystream), key);
    put_nonce(only, 3, nonce);
    Bytes out;
    ASSERT_EQ(run(cha, only, message(filler(200, 3)), layout, out), CcbError::kNone);
    EXPECT_EQ(to_hex(out), to_hex(expected)) << layout.name;
  }
}

TEST(Ccha, SplitAtEveryBlockEqualsTheWhole) {
  Ccha cha;
  const Bytes key = filler(32, 1), data = filler(500, 3);
  for (const uint16_t mode : {uint16_t{0}, aai::kChaChaBc8}) {
    ClassRegs once = make_regs(chacha(mode), key);
    put_nonce(once, 0xFFFFFFFD, filler(12, 2));  // wraps on the way
    const Bytes context(once.context(), once.context() + 16);
    Bytes whole;
    ASSERT_EQ(run(cha, once, message(data), whole), CcbError::kNone);
    for (size_t at = 0; at <= data.size(); at += 64) {
      ClassRegs regs = make_regs(chacha(mode), key);
      std::copy(context.begin(), context.end(), regs.context());
      Bytes out;
      ASSERT_EQ(run(cha, regs, message(slice(data, 0, at)), out), CcbError::kNone);
      ASSERT_EQ(run(cha, regs, message(slice(data, at, data.size() - at)), out), CcbError::kNone);
      EXPECT_EQ(to_hex(out), to_hex(whole)) << at;
      EXPECT_EQ(context_hex(regs, 0, 16), context_hex(once, 0, 16)) << at;
    }
  }
}

// The counter of 32 bits wraps in place; that of 64 bits carries.
TEST(Ccha, CounterWidths) {
  Ccha cha;
  const Bytes key = filler(32, 1);
  const auto crypt = [&](uint16_t mode, const char* context, std::string& after) {
    ClassRegs regs = make_regs(chacha(mode), key);
    const Bytes bytes = from_hex(context);
    std::copy(bytes.begin(), bytes.end(), regs.context());
    Bytes out;
    EXPECT_EQ(run(cha, regs, message(Bytes(128)), out), CcbError::kNone);
    after = context_hex(regs, 0, 16);
    return to_hex(slice(out, 64, 64));
  };
  std::string after, unused;
  EXPECT_EQ(crypt(0, "ffffffff0500000000000000aabbccdd", after), crypt(0, "ffffffff0500000000000000aabbccdd", unused));
  EXPECT_EQ(after, "010000000500000000000000aabbccdd");
  const auto first_block = [&](const char* context) {
    ClassRegs regs = make_regs(chacha(0), key);
    const Bytes bytes = from_hex(context);
    std::copy(bytes.begin(), bytes.end(), regs.context());
    Bytes out;
    EXPECT_EQ(run(cha, regs, message(Bytes(64)), out), CcbError::kNone);
    return to_hex(out);
  };
  EXPECT_EQ(crypt(0, "ffffffff0500000000000000aabbccdd", after), first_block("000000000500000000000000aabbccdd"));
  EXPECT_EQ(crypt(aai::kChaChaBc8, "ffffffff0500000000000000aabbccdd", after),
            first_block("000000000600000000000000aabbccdd"));
  EXPECT_EQ(after, "010000000600000000000000aabbccdd");
}

TEST(Ccha, Errors) {
  Ccha cha;
  Bytes out;
  for (uint32_t size = 0; size <= 64; ++size) {
    ClassRegs regs = make_regs(chacha(0), filler(size, 1));
    EXPECT_EQ(run(cha, regs, message(filler(8, 1)), out), size == 32 ? CcbError::kNone : CcbError::kKeySize) << size;
  }
  for (const unsigned mode : {0x004u, 0x010u, 0x003u, 0x00Au, 0x100u}) {
    ClassRegs regs = make_regs(chacha(static_cast<uint16_t>(mode)), filler(32, 1));
    EXPECT_EQ(run(cha, regs, message(filler(8, 1)), out), CcbError::kMode) << mode;
  }
  ClassRegs regs = make_regs(chacha(0), filler(32, 1));
  EXPECT_EQ(run(cha, regs, {{DataType::kPoly, filler(8, 1), Mark::kLast}}, out), CcbError::kSequence);
}

// -- the pair ---------------------------------------------------------------------------------------------------------

struct Message {
  Bytes key, nonce, aad, plain, cipher, tag;
  bool good = true;
};

// "text" or hex, as BoringSSL's file has it.
Bytes text_or_hex(const std::string& s) {
  if (s.empty() || s[0] != '"') return from_hex(s);
  return Bytes(s.begin() + 1, s.end() - 1);
}

std::vector<std::pair<std::string, Message>> vectors() {
  std::vector<std::pair<std::string, Message>> out;
  for (const Vector& v : read_vectors("ciphers/ChaCha20Poly1305/boringssl.txt", "count"))
    out.push_back({v.where,
                   {text_or_hex(v.text("key")), text_or_hex(v.text("nonce")), text_or_hex(v.text("ad")),
                    text_or_hex(v.text("in")), text_or_hex(v.text("ct")), text_or_hex(v.text("tag"))}});
  for (const Vector& v : read_vectors("ciphers/ChaCha20Poly1305/openssl.txt", "count")) {
    Bytes nonce(12);  // shorter ones count as filled up in front
    const Bytes iv = v.hex("iv");
    std::copy(iv.begin(), iv.end(), nonce.end() - static_cast<ptrdiff_t>(iv.size()));
    out.push_back(
        {v.where,
         {v.hex("key"), nonce, v.hex("aad"), v.hex("plaintext"), v.hex("ciphertext"), v.hex("tag"), !v.has("result")}});
  }
  return out;
}

class ChaChaPoly : public testing::Test {
 protected:
  ClassRegs class1_, class2_;
  ClassLink link_{&class1_, &class2_};
  Ccha ccha_;
  Ptha ptha_{&link_};

  void load(const Message& m, bool icv, AlgState as = AlgState::kInitFinal, uint32_t junk_counter = 0) {
    class1_ = make_regs(chacha(aai::kAead, as), m.key);
    put_nonce(class1_, junk_counter, m.nonce);
    class2_ = make_regs(poly(as, icv), {});
    class2_.icv_size = static_cast<uint32_t>(m.tag.size());
  }
};

TEST_F(ChaChaPoly, PublishedVectors) {
  size_t n = 0, bad = 0;
  for (const auto& [where, m] : vectors())
    for (const Layout& layout : layouts()) {
      // Encryption: class 2 takes what class 1 puts out. Whatever stands in the counter, data starts at block 1.
      Bytes out, none;
      load(m, false, AlgState::kInitFinal, 77);
      ASSERT_EQ(run(ccha_, class1_, message(m.plain), layout, out), CcbError::kNone);
      EXPECT_EQ(to_hex(out), to_hex(m.cipher)) << where << " " << layout.name;
      ASSERT_EQ(run(ptha_, class2_, {{DataType::kPoly, m.aad, Mark::kFlush}, {DataType::kMsg, out, Mark::kLast}},
                    layout, none),
                CcbError::kNone);
      EXPECT_EQ(context_hex(class2_, 0, 16) == to_hex(m.tag), m.good) << where << " " << layout.name;
      // Decryption: both take the ciphertext, class 2 first here.
      load(m, true);
      EXPECT_EQ(run(ptha_, class2_,
                    {{DataType::kPoly, m.aad, Mark::kFlush},
                     {DataType::kMsg, m.cipher, Mark::kLast},
                     {DataType::kIcv, m.tag, Mark::kLast}},
                    layout, none),
                m.good ? CcbError::kNone : CcbError::kIcvCheck)
          << where;
      Bytes back;
      ASSERT_EQ(run(ccha_, class1_, message(m.cipher), layout, back), CcbError::kNone);
      EXPECT_EQ(to_hex(back), to_hex(m.plain)) << where << " " << layout.name;
      ++n;
      bad += !m.good;
    }
  EXPECT_GT(n, 30u);
  EXPECT_GT(bad, 0u);
}

TEST_F(ChaChaPoly, SplitOperationsEqualTheWhole) {
  for (const size_t aad_len : {0, 3, 16, 33})
    for (const size_t len : {0, 1, 64, 100, 300}) {
      const Message m{filler(32, 1), filler(12, 2), filler(aad_len, 3), filler(len, 4), {}, Bytes(16)};
      Bytes whole, none;
      load(m, false);
      ASSERT_EQ(run(ccha_, class1_, message(m.plain), whole), CcbError::kNone);
      ASSERT_EQ(run(ptha_, class2_, {{DataType::kPoly, m.aad}, {DataType::kMsg, whole, Mark::kLast}}, none),
                CcbError::kNone);
      const std::string tag = context_hex(class2_, 0, 16);
      for (size_t at = 0; at <= len; at += 64) {
        Bytes out;
        load(m, false, AlgState::kInit);
        ASSERT_EQ(run(ccha_, class1_, message(slice(m.plain, 0, at)), out), CcbError::kNone);
        ASSERT_EQ(run(ptha_, class2_, {{DataType::kPoly, m.aad}, {DataType::kMsg, out, Mark::kLast}}, none),
                  CcbError::kNone);
        class1_.op = chacha(aai::kAead, AlgState::kFinal);
        class2_.op = poly(AlgState::kFinal);
        Bytes rest;
        ASSERT_EQ(run(ccha_, class1_, message(slice(m.plain, at, len - at)), rest), CcbError::kNone);
        ASSERT_EQ(run(ptha_, class2_, message(rest), none), CcbError::kNone);
        out.insert(out.end(), rest.begin(), rest.end());
        EXPECT_EQ(to_hex(out), to_hex(whole));
        EXPECT_EQ(context_hex(class2_, 0, 16), tag) << aad_len << " " << len << " at " << at;
      }
    }
}

// Saturated limbs: the reduction of the open form against libcrypto's.
TEST(Poly1305, OpenFormEqualsTheLibrary) {
  hw_model::Poly1305 library, open;
  for (uint32_t seed = 0; seed < 300; ++seed) {
    Bytes key = filler(32, seed), data = filler(16 * (seed % 7) + seed % 5, seed + 1000);
    if (seed % 3 == 0) std::fill(key.begin(), key.end(), 0xFF);
    if (seed % 4 == 0) std::fill(data.begin(), data.end(), 0xFF);
    if (seed % 3 == 1) std::fill_n(key.begin(), 16, uint8_t{2});
    uint8_t a[16], b[16];
    library.start(key);
    library.update(data);
    library.finish(a);
    open.start_open(key);
    open.update(data);
    open.finish(b);
    EXPECT_EQ(to_hex(a, 16), to_hex(b, 16)) << seed;
  }
}

TEST(Poly1305, PublishedVectors) {
  hw_model::Poly1305 library, open;
  for (const Vector& v : read_vectors("poly1305/rfc7539.txt", "count")) {
    uint8_t a[16], b[16];
    library.start(v.hex("key"));
    library.update(v.hex("msg"));
    library.finish(a);
    open.start_open(v.hex("key"));
    open.update(v.hex("msg"));
    open.finish(b);
    EXPECT_EQ(to_hex(a, 16), to_hex(v.hex("tag"))) << v.where;
    EXPECT_EQ(to_hex(b, 16), to_hex(v.hex("tag"))) << v.where;
  }
}

TEST_F(ChaChaPoly, Errors) {
  const Message m{filler(32, 1), filler(12, 2), filler(5, 3), filler(9, 4), {}, Bytes(16)};
  Bytes none;
  const std::vector<Step> steps = {{DataType::kPoly, m.aad}, {DataType::kMsg, m.plain, Mark::kLast}};
  load(m, false);
  EXPECT_EQ(run(ptha_, class2_, steps, none), CcbError::kNone);
  // Without ChaCha20 AEAD in class 1 there is no key.
  class1_.op.aai = 0;
  EXPECT_EQ(run(ptha_, class2_, steps, none), CcbError::kChaCombination);
  load(m, false);
  class1_.op.alg = desc::Alg::kAes;
  EXPECT_EQ(run(ptha_, class2_, steps, none), CcbError::kChaCombination);
  load(m, false);
  class1_.mode_written = false;
  EXPECT_EQ(run(ptha_, class2_, steps, none), CcbError::kChaCombination);
  Ptha alone(nullptr);
  EXPECT_EQ(run(alone, class2_, steps, none), CcbError::kChaCombination);
  load(m, false);
  class1_.key.size = 16;
  EXPECT_EQ(run(ptha_, class2_, steps, none), CcbError::kKeySize);
  load(m, false);
  EXPECT_EQ(run(ptha_, class2_, {{DataType::kMsg, m.plain}, {DataType::kPoly, m.aad, Mark::kLast}}, none),
            CcbError::kSequence);
  load(m, false, AlgState::kInit);
  EXPECT_EQ(run(ptha_, class2_, steps, none), CcbError::kDataSize);
}

}  // namespace
}  // namespace caamlab::tests
