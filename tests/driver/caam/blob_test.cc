// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Blobs through the driver: lengths, modifiers, damage, parts without them.
#include <algorithm>

#include "driver/caam/blob_gen.h"
#include "tests/driver/caam/lab_fixture.h"

namespace caamlab::tests {
namespace {

using driver::caam::CaamBlob;
using driver::caam::CaamBlobInfo;

class Blob : public testing::TestWithParam<const char*> {
 protected:
  LabFixture lab_{GetParam()};
  std::unique_ptr<CaamBlob> blob_ = CaamBlob::make(*lab_->driver());
  const Bytes modifier_ = random_bytes(16, 99);

  int encap(const Bytes& in, Bytes& out) { return blob_->encap({.input = in, .output = &out, .key_mod = modifier_}); }
  int decap(const Bytes& in, Bytes& out) { return blob_->decap({.input = in, .output = &out, .key_mod = modifier_}); }
  void TearDown() override { blob_.reset(); }
};

TEST_P(Blob, RoundTrips) {
  ASSERT_NE(blob_, nullptr);
  for (const size_t len : {1, 10, 16, 50, 64, 128, 464}) {
    const Bytes key = random_bytes(len, len);
    Bytes blob, again;
    ASSERT_EQ(encap(key, blob), 0) << len;
    EXPECT_EQ(blob.size(), len + 48);
    if (len > 2) {
      EXPECT_TRUE(std::ranges::search(blob, key).empty()) << "the key is to be seen";
    }
    ASSERT_EQ(decap(blob, again), 0) << len;
    EXPECT_EQ(hex(again), hex(key));
  }
}

// One changed bit anywhere: an error, and zeros.
TEST_P(Blob, DamageGivesZeros) {
  ASSERT_NE(blob_, nullptr);
  Bytes blob;
  ASSERT_EQ(encap(random_bytes(64, 1), blob), 0);
  ASSERT_EQ(blob.size(), 112u);
  for (size_t at = 0; at < blob.size(); ++at) {
    Bytes bad = blob, out(64, 0xaa);
    bad[at] ^= 0x40;
    EXPECT_EQ(decap(bad, out), -EBADMSG) << at;
    EXPECT_EQ(out, Bytes(64)) << at;
  }
  Bytes out(64, 0xaa);
  Bytes other_modifier = modifier_;
  other_modifier[15] ^= 1;
  EXPECT_EQ(blob_->decap({.input = blob, .output = &out, .key_mod = other_modifier}), -EBADMSG);
  EXPECT_EQ(out, Bytes(64));
}

TEST_P(Blob, Lengths) {
  ASSERT_NE(blob_, nullptr);
  Bytes out;
  EXPECT_EQ(encap({}, out), -EINVAL);
  EXPECT_EQ(encap(Bytes(465), out), -EINVAL);
  EXPECT_EQ(decap(Bytes(48), out), -EINVAL);
  EXPECT_EQ(decap(Bytes(513), out), -EINVAL);
  EXPECT_EQ(blob_->encap({.input = modifier_, .output = &out, .key_mod = Bytes(17)}), -EINVAL);
  EXPECT_EQ(blob_->encap({.input = modifier_, .output = nullptr, .key_mod = {}}), -EINVAL);
  for (const uint64_t nth : {1, 2, 3}) {  // input, output, descriptor
    lab_->dma().fail_map_after(nth);
    out.assign(64, 0xaa);
    EXPECT_EQ(encap(modifier_, out), nth == 3 ? -EIO : -ENOMEM);
    EXPECT_EQ(out, Bytes(64));
  }
  EXPECT_EQ(encap(modifier_, out), 0);
}

INSTANTIATE_TEST_SUITE_P(Parts, Blob, testing::Values("ls1046a", "lx2160a", "imx6ul", "ls1021a"),
                         [](const auto& info) { return std::string(info.param); });

TEST(BlobParts, NeedAes) {
  hw_model::Platform platform = *hw_model::find_platform("ls1046a");
  platform.chas[static_cast<unsigned>(hw_model::ChaUnit::kAesa)] = {};
  LabFixture lab(platform);
  EXPECT_EQ(CaamBlob::make(*lab->driver()), nullptr);
}

}  // namespace
}  // namespace caamlab::tests
