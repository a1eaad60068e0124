// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// AESA as CMAC and XCBC-MAC: SP 800-38B and RFC 3566 vectors, operations split at every block, what the key register
// and the context hold in between, and the ICV check.
#include "hw_model/cha/aesa_mac.h"

#include <gtest/gtest.h>

#include "tests/hw_model/cha/harness.h"

namespace caamlab::tests {
namespace {

using desc::AlgState;
using hw_model::AesaMac;
using hw_model::CcbError;
using hw_model::ClassRegs;
using hw_model::DataType;
namespace aai = desc::aai;

desc::AlgOperation mac(uint16_t mode, AlgState as, bool icv = false) {
  return {.alg = desc::Alg::kAes, .aai = mode, .as = as, .icv = icv, .enc = true};
}

std::vector<Step> message(const Bytes& data) { return {{DataType::kMsg, data, Mark::kLast}}; }

struct MacVector {
  uint16_t mode;
  std::string where;
  Bytes key, message, mac;
};

std::vector<MacVector> vectors() {
  std::vector<MacVector> out;
  for (const char* size : {"128", "192", "256"})
    for (const Vector& v : read_vectors(std::string("CMAC/nist-800-38b-aes") + size + ".txt", "count"))
      out.push_back({aai::kCmac, v.where, v.hex("key"), v.hex("message"), v.hex("output")});
  // RFC 3566, 4.6, test cases 1 to 6: the first bytes of 00 01 02 ...
  const std::pair<size_t, const char*> kXcbc[] = {
      {0, "75f0251d528ac01c4573dfd584d79f29"},  {3, "5b376580ae2f19afe7219ceef172756f"},
      {16, "d2a246fa349b68a79998a4394ff7a263"}, {20, "47f51b4564966215b8985c63055ed308"},
      {32, "f54f0ec8d2b9f3d36807734bd5283fd4"}, {34, "becbb3bccdb518a30677d5481fb6b4d8"}};
  Bytes counting(64);
  for (size_t i = 0; i < counting.size(); ++i) counting[i] = static_cast<uint8_t>(i);
  for (const auto& [len, value] : kXcbc)
    out.push_back({aai::kXcbcMac, "RFC 3566 length " + std::to_string(len), slice(counting, 0, 16),
                   slice(counting, 0, len), from_hex(value)});
  return out;
}

Bytes compute(AesaMac& cha, uint16_t mode, const Bytes& key, const Bytes& data) {
  ClassRegs regs = make_regs(mac(mode, AlgState::kInitFinal), key);
  Bytes none;
  EXPECT_EQ(run(cha, regs, message(data), none), CcbError::kNone);
  return Bytes(regs.context(), regs.context() + 16);
}

TEST(AesaMac, PublishedVectorsInEveryLayout) {
  AesaMac cha;
  for (const MacVector& v : vectors())
    for (const Layout& layout : layouts()) {
      ClassRegs regs = make_regs(mac(v.mode, AlgState::kInitFinal), v.key);
      Bytes out;
      ASSERT_EQ(run(cha, regs, message(v.message), layout, out), CcbError::kNone) << v.where;
      EXPECT_EQ(context_hex(regs, 0, 16), to_hex(v.mac)) << v.where << " " << layout.name;
      EXPECT_TRUE(out.empty());
      EXPECT_EQ(to_hex(regs.key.bytes.data(), v.key.size()), to_hex(v.key)) << v.where;  // INITFINAL keeps the key
    }
}

TEST(AesaMac, SplitOperationsEqualTheWhole) {
  AesaMac cha;
  Bytes none;
  for (const uint16_t mode : {aai::kCmac, aai::kXcbcMac})
    for (const size_t len : {16, 17, 32, 40, 64, 100})
      for (size_t first = 0; first < len; first += 16)
        for (size_t second = first; second < len; second += 16) {
          const Bytes key = filler(16, 1), data = filler(len, 2);
          // What software keeps: 32 or 48 bytes of context and the key (XCBC: K1) as it is stored after INIT.
          const size_t saved = mode == aai::kCmac ? 32 : 48;
          ClassRegs regs = make_regs(mac(mode, AlgState::kInit), key);
          ASSERT_EQ(run(cha, regs, message(slice(data, 0, first)), none), CcbError::kNone);
          const Bytes left_key(regs.key.bytes.begin(), regs.key.bytes.begin() + 16);
          for (const bool last : {false, true}) {
            const Bytes context(regs.context(), regs.context() + saved);
            compute(cha, mode, filler(16, 77), filler(20, 3));  // another job in between
            regs = make_regs(mac(mode, last ? AlgState::kFinal : AlgState::kUpdate), left_key);
            std::copy(context.begin(), context.end(), regs.context());
            const Bytes piece = last ? slice(data, second, len - second) : slice(data, first, second - first);
            ASSERT_EQ(run(cha, regs, message(piece), none), CcbError::kNone);
          }
          EXPECT_EQ(context_hex(regs, 0, 16), to_hex(compute(cha, mode, key, data)))
              << mode << " " << len << " at " << first << " and " << second;
        }
}

TEST(AesaMac, XcbcInitLeavesK1InTheKeyRegister) {
  AesaMac cha;
  Bytes none;
  // K1 = E(K, 01 01 ...) (RFC 3566, 4), computed with the openssl command.
  Bytes key(16);
  for (size_t i = 0; i < 16; ++i) key[i] = static_cast<uint8_t>(i);
  ClassRegs regs = make_regs(mac(aai::kXcbcMac, AlgState::kInit), key);
  ASSERT_EQ(run(cha, regs, message({}), none), CcbError::kNone);
  EXPECT_EQ(to_hex(regs.key.bytes.data(), 16), "c352805754237f311ac0fff4e3e03e78");
  EXPECT_EQ(regs.key.size, 16u);
}

// A context as one recorded device saves it: no L.
TEST(AesaMac, CmacContextWithoutL) {
  AesaMac cha;
  Bytes none;
  const Bytes key = filler(24, 1), data = filler(50, 2);
  ClassRegs regs = make_regs(mac(aai::kCmac, AlgState::kInit), key);
  ASSERT_EQ(run(cha, regs, message(slice(data, 0, 32)), none), CcbError::kNone);
  std::fill_n(regs.context() + 16, 16, 0);
  regs.op = mac(aai::kCmac, AlgState::kFinal);
  ASSERT_EQ(run(cha, regs, message(slice(data, 32, 18)), none), CcbError::kNone);
  EXPECT_EQ(context_hex(regs, 0, 16), to_hex(compute(cha, aai::kCmac, key, data)));
}

TEST(AesaMac, IcvCheck) {
  AesaMac cha;
  Bytes none;
  for (const MacVector& v : vectors())
    for (const uint32_t size : {4u, 12u, 16u, 0u})
      for (const bool damaged : {false, true})
        for (const Mark mark : {Mark::kLast, Mark::kFlush}) {
          Bytes icv = slice(v.mac, 0, size == 0 ? 16 : size);
          if (damaged) icv.back() ^= 1;
          ClassRegs regs = make_regs(mac(v.mode, AlgState::kInitFinal, true), v.key);
          regs.icv_size = size;
          EXPECT_EQ(run(cha, regs, {{DataType::kMsg, v.message, mark}, {DataType::kIcv, icv, Mark::kLast}}, none),
                    damaged ? CcbError::kIcvCheck : CcbError::kNone)
              << v.where << " " << size;
        }
}

TEST(AesaMac, Errors) {
  AesaMac cha;
  Bytes none;
  for (const uint16_t mode : {aai::kCmac, aai::kXcbcMac}) {
    for (uint32_t size = 0; size <= 64; ++size) {
      ClassRegs regs = make_regs(mac(mode, AlgState::kInitFinal), filler(size, 1));
      const bool good = size == 16 || (mode == aai::kCmac && (size == 24 || size == 32));
      EXPECT_EQ(run(cha, regs, message(filler(3, 2)), none), good ? CcbError::kNone : CcbError::kKeySize) << size;
    }
    for (const AlgState as : {AlgState::kInit, AlgState::kUpdate}) {
      ClassRegs regs = make_regs(mac(mode, as), filler(16, 1));
      EXPECT_EQ(run(cha, regs, message(filler(17, 2)), none), CcbError::kDataSize);
    }
    ClassRegs regs = make_regs(mac(mode, AlgState::kInitFinal), filler(16, 1));
    EXPECT_EQ(run(cha, regs, {{DataType::kIv, filler(17, 2), Mark::kLast}}, none), CcbError::kSequence);
    regs = make_regs(mac(mode, AlgState::kInitFinal), filler(16, 1));
    EXPECT_EQ(run(cha, regs, {{DataType::kMsg, filler(17, 2), Mark::kLast}, {DataType::kMsg, filler(17, 2)}}, none),
              CcbError::kSequence);
  }
}

}  // namespace
}  // namespace caamlab::tests
