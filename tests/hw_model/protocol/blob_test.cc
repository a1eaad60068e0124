// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Blob arithmetic: layout, round trips, and everything that must make a blob fail.
#include "hw_model/protocol/blob.h"

#include <gtest/gtest.h>

#include "tests/hw_model/cha/harness.h"

namespace caamlab::tests {
namespace {

using namespace hw_model;

const ProtocolStatus kBad = ProtocolStatus::of_cha(desc::ChaId::kAes, desc::CcbError::kIcvCheck);

MasterKey master(uint32_t seed) {
  MasterKey k;
  const Bytes bytes = filler(k.size(), seed);
  std::copy(bytes.begin(), bytes.end(), k.begin());
  return k;
}

RandomBytes counting(uint32_t seed) {
  return [seed](std::span<uint8_t> out) mutable {
    const Bytes bytes = filler(out.size(), ++seed);
    std::copy(bytes.begin(), bytes.end(), out.begin());
  };
}

TEST(Blob, RoundTripsAndLayout) {
  const Bytes modifier = filler(16, 2);
  const BlobMaker maker(master(1), modifier, {});
  for (const size_t len : {0, 1, 15, 16, 17, 100, 5000}) {
    const Bytes data = filler(len, 3);
    Bytes one(len + kBlobOverhead), two(len + kBlobOverhead), back(len);
    maker.encapsulate(data, counting(4), one);
    maker.encapsulate(data, counting(9), two);
    EXPECT_NE(slice(one, 0, 32), slice(two, 0, 32)) << "a blob key of its own";
    ASSERT_TRUE(maker.decapsulate(one, back).ok()) << len;
    EXPECT_EQ(back, data);
    if (len >= 15) {
      EXPECT_EQ(std::search(one.begin(), one.end(), data.begin(), data.begin() + 8), one.end()) << "plain data inside";
    }
  }
}

TEST(Blob, EveryDifferenceMakesItFail) {
  const Bytes modifier = filler(16, 2), data = filler(40, 3);
  Bytes blob(88), back(40);
  BlobMaker(master(1), modifier, {}).encapsulate(data, counting(4), blob);
  for (size_t i = 0; i < blob.size(); ++i) {
    Bytes bad = blob;
    bad[i] ^= 0x10;
    EXPECT_EQ(BlobMaker(master(1), modifier, {}).decapsulate(bad, back), kBad) << i;
  }
  Bytes other = modifier;
  other[15] ^= 1;
  EXPECT_EQ(BlobMaker(master(1), other, {}).decapsulate(blob, back), kBad);
  EXPECT_EQ(BlobMaker(master(2), modifier, {}).decapsulate(blob, back), kBad);
  EXPECT_EQ(BlobMaker(master(1), modifier, {.black = true}).decapsulate(blob, back), kBad);
  EXPECT_EQ(BlobMaker(master(1), modifier, {.secure_memory = true}).decapsulate(blob, back), kBad);
  EXPECT_EQ(BlobMaker(master(1), modifier, {.format = BlobFormat::kTest}).decapsulate(blob, back), kBad);
  EXPECT_TRUE(BlobMaker(master(1), modifier, {}).decapsulate(blob, back).ok());
}

TEST(Blob, TestFormatIsTheSameOnEveryDevice) {
  const Bytes modifier = filler(16, 2), data = filler(40, 3);
  Bytes blob(88), back(40);
  BlobMaker(master(1), modifier, {.format = BlobFormat::kTest}).encapsulate(data, counting(4), blob);
  EXPECT_TRUE(BlobMaker(master(2), modifier, {.format = BlobFormat::kTest}).decapsulate(blob, back).ok());
  EXPECT_EQ(back, data);
}

TEST(Blob, VerificationTellsMasterKeysApart) {
  const Bytes modifier = filler(16, 2);
  const BlobKind kind{.format = BlobFormat::kMasterKeyVerification};
  EXPECT_EQ(BlobMaker(master(1), modifier, kind).verification(), BlobMaker(master(1), modifier, kind).verification());
  EXPECT_NE(BlobMaker(master(1), modifier, kind).verification(), BlobMaker(master(2), modifier, kind).verification());
}

}  // namespace
}  // namespace caamlab::tests
