// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// AESA in XTS mode: NIST CAVP vectors (whole bytes), ciphertext stealing in pieces, sectors in one message, and the
// decryption form of key 1.
#include "hw_model/cha/aesa_xts.h"

#include <gtest/gtest.h>

#include "tests/hw_model/cha/harness.h"

namespace caamlab::tests {
namespace {

using hw_model::AesaXts;
using hw_model::CcbError;
using hw_model::ClassRegs;
using hw_model::DataType;

desc::AlgOperation xts(bool encrypt, bool dk = false) {
  return {.alg = desc::Alg::kAes,
          .aai = static_cast<uint16_t>(desc::aai::kXts | (dk ? desc::aai::kDk : 0)),
          .as = desc::AlgState::kInitFinal,
          .enc = encrypt};
}

ClassRegs make_xts_regs(bool encrypt, const Bytes& key, const Bytes& tweak, uint64_t sector) {
  ClassRegs regs = make_regs(xts(encrypt), key);
  std::copy_n(tweak.begin(), 8, regs.context() + AesaXts::kIndexAt);
  std::copy_n(tweak.begin() + 8, 8, regs.context() + AesaXts::kUpperIndexAt);
  desc::store_be64(regs.context() + AesaXts::kSectorSizeAt, sector);
  return regs;
}

std::vector<Step> message(const Bytes& data) { return {{DataType::kMsg, data, Mark::kLast}}; }

// Sector by sector, each an operation of its own.
Bytes by_sectors(AesaXts& cha, bool encrypt, const Bytes& key, Bytes tweak, uint64_t sector, const Bytes& data) {
  Bytes out;
  for (size_t at = 0; at < data.size(); at += sector) {
    ClassRegs regs = make_xts_regs(encrypt, key, tweak, 1 << 20);
    EXPECT_EQ(run(cha, regs, message(slice(data, at, std::min<size_t>(sector, data.size() - at))), out),
              CcbError::kNone);
    for (uint8_t& b : tweak)
      if (++b != 0) break;
  }
  return out;
}

TEST(AesaXts, PublishedVectors) {
  AesaXts cha(true);
  size_t n = 0;
  for (const char* kind : {"tweak-128hexstr", "tweak-dataunitseqno"})
    for (const char* size : {"128", "256"})
      for (const Vector& v :
           read_vectors(std::string("ciphers/AES/XTS/") + kind + "/XTSGenAES" + size + ".rsp", "count")) {
        if (v.number("dataunitlen") % 8 != 0) continue;  // in bits; the AESA counts bytes
        Bytes tweak(16);
        if (v.has("i"))
          tweak = v.hex("i");
        else
          tweak[0] = static_cast<uint8_t>(v.number("dataunitseqnumber"));
        const bool encrypt = v.text("section") == "encrypt";
        const Layout& layout = layouts()[n++ % layouts().size()];
        ClassRegs regs = make_xts_regs(encrypt, v.hex("key"), tweak, 32768);
        Bytes out;
        ASSERT_EQ(run(cha, regs, message(v.hex(encrypt ? "pt" : "ct")), layout, out), CcbError::kNone) << v.where;
        EXPECT_EQ(to_hex(out), v.text(encrypt ? "ct" : "pt")) << v.where << " " << layout.name;
      }
  EXPECT_GT(n, 1000u);
}

TEST(AesaXts, EveryLayoutGivesTheSameAndComesBack) {
  AesaXts cha(true);
  for (const size_t key_len : {32, 64})
    for (const bool equal_keys : {false, true})
      for (const size_t len : {16, 17, 31, 32, 33, 47, 48, 64, 96, 97, 112, 127, 128, 511, 512, 1000}) {
        Bytes key = filler(key_len, 1);
        if (equal_keys) std::copy_n(key.begin(), key_len / 2, key.begin() + static_cast<ptrdiff_t>(key_len / 2));
        const Bytes tweak = filler(16, 2), plain = filler(len, 3);
        Bytes whole;
        ClassRegs once = make_xts_regs(true, key, tweak, 4096);
        ASSERT_EQ(run(cha, once, message(plain), whole), CcbError::kNone);
        for (const Layout& layout : layouts()) {
          Bytes cipher, back;
          ClassRegs enc = make_xts_regs(true, key, tweak, 4096), dec = make_xts_regs(false, key, tweak, 4096);
          ASSERT_EQ(run(cha, enc, message(plain), layout, cipher), CcbError::kNone);
          ASSERT_EQ(run(cha, dec, message(whole), layout, back), CcbError::kNone);
          EXPECT_EQ(to_hex(cipher), to_hex(whole)) << len << " " << layout.name;
          EXPECT_EQ(to_hex(back), to_hex(plain)) << len << " " << layout.name;
        }
      }
}

TEST(AesaXts, SectorsInOneMessage) {
  AesaXts cha(true);
  const Bytes key = filler(64, 1);
  const Bytes tweak = from_hex("fdffffffffffffff0000000000000000");
  for (const uint64_t sector : {16, 32, 512, 520, 17, 31})
    for (const size_t sectors : {1, 2, 5})
      for (const bool encrypt : {true, false}) {
        const Bytes data = filler(sector * sectors, 4);
        const Bytes expected = by_sectors(cha, encrypt, key, tweak, sector, data);
        for (const Layout& layout : layouts()) {
          ClassRegs regs = make_xts_regs(encrypt, key, tweak, sector);
          Bytes out;
          ASSERT_EQ(run(cha, regs, message(data), layout, out), CcbError::kNone);
          EXPECT_EQ(to_hex(out), to_hex(expected)) << sector << " x " << sectors << " " << layout.name;
          // The index of the last sector; it carries into the upper half.
          const char* index[] = {"", "fdffffffffffffff", "feffffffffffffff", "", "", "0100000000000000"};
          EXPECT_EQ(context_hex(regs, AesaXts::kIndexAt, 8), index[sectors]);
          EXPECT_EQ(context_hex(regs, AesaXts::kUpperIndexAt, 8),
                    sectors == 5 ? "0100000000000000" : "0000000000000000");
        }
      }
}

TEST(AesaXts, UpperTweakHalfCountsFromEra9) {
  AesaXts before(false), since(true);
  const Bytes key = filler(32, 1), data = filler(64, 2), tweak = filler(16, 3);
  Bytes low_only = tweak;
  std::fill(low_only.begin() + 8, low_only.end(), 0);
  Bytes old_out, new_out, new_low;
  ClassRegs a = make_xts_regs(true, key, tweak, 512), b = a, c = make_xts_regs(true, key, low_only, 512);
  ASSERT_EQ(run(before, a, message(data), old_out), CcbError::kNone);
  ASSERT_EQ(run(since, b, message(data), new_out), CcbError::kNone);
  ASSERT_EQ(run(since, c, message(data), new_low), CcbError::kNone);
  EXPECT_EQ(to_hex(old_out), to_hex(new_low));
  EXPECT_NE(to_hex(old_out), to_hex(new_out));
}

TEST(AesaXts, DecryptionFormOfKey1) {
  AesaXts cha(true);
  const Bytes key = filler(64, 1), data = filler(48, 2), tweak = filler(16, 3);
  ClassRegs first = make_xts_regs(false, key, tweak, 512);
  Bytes plain, again;
  ASSERT_EQ(run(cha, first, message(data), plain), CcbError::kNone);
  EXPECT_TRUE(first.key.decrypt_form);
  EXPECT_NE(to_hex(first.key.bytes.data(), 32), to_hex(slice(key, 0, 32)));
  EXPECT_EQ(to_hex(first.key.bytes.data() + 32, 32), to_hex(slice(key, 32, 32)));
  ClassRegs follower = make_xts_regs(false, key, tweak, 512);
  follower.key = first.key;
  follower.op = xts(false, true);
  ASSERT_EQ(run(cha, follower, message(data), again), CcbError::kNone);
  EXPECT_EQ(to_hex(again), to_hex(plain));
}

TEST(AesaXts, Errors) {
  AesaXts cha(true);
  const Bytes tweak = filler(16, 3);
  Bytes out;
  for (uint32_t size = 0; size <= 64; ++size) {
    ClassRegs regs = make_xts_regs(true, filler(size, 1), tweak, 512);
    EXPECT_EQ(run(cha, regs, message(filler(32, 2)), out),
              size == 32 || size == 64 ? CcbError::kNone : CcbError::kKeySize);
  }
  for (const uint64_t sector : {0, 1, 15}) {
    ClassRegs regs = make_xts_regs(true, filler(32, 1), tweak, sector);
    EXPECT_EQ(run(cha, regs, message(filler(32, 2)), out), CcbError::kDataSize) << sector;
  }
  for (const size_t len : {1, 15, 512 + 1, 512 + 15}) {
    ClassRegs regs = make_xts_regs(true, filler(32, 1), tweak, 512);
    EXPECT_EQ(run(cha, regs, message(filler(len, 2)), out), CcbError::kDataSize) << len;
  }
  ClassRegs regs = make_xts_regs(true, filler(32, 1), tweak, 512);
  EXPECT_EQ(run(cha, regs, {{DataType::kAad, filler(16, 2), Mark::kLast}}, out), CcbError::kSequence);
}

}  // namespace
}  // namespace caamlab::tests
