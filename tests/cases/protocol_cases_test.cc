// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Descriptors that people have sent, run word by word: keys from the RNG, blobs and their owners, RSA sizes.
#include "desc/constructors/blob.h"
#include "tests/hw_model/protocol/deco_fixture.h"

namespace caamlab::tests {
namespace {

using desc::CcbError;
using desc::DecoError;
using desc::JrStatus;
using Words = std::vector<uint32_t>;

class ProtocolCases : public DecoTest {
 protected:
  void SetUp() override {
    // State handle 0 with secure keys, then state handle 1.
    ASSERT_EQ(run_job({0x82500004, 0xA2000001, 0x10880004, 0x00000001, 0x82501000}).word, 0u);
    ASSERT_EQ(run_job({0x82500014}).word, 0u);
  }
  JrStatus blob(bool encap, uint64_t in, uint32_t in_len, uint64_t out) {
    desc::Builder builder(platform_.target);
    const Bytes modifier = filler(desc::kBlobKeyModBytes, 1);
    caam_process_blob(builder, {.encap = encap, .key_mod = modifier, .in = in, .input_len = in_len, .out = out});
    const auto words = builder.finish();
    if (!words) throw std::runtime_error(words.error().to_string());
    return run({words->words().begin(), words->words().end()});
  }
};

// A key of 32 bytes leaves as a black key in CCM form: 12 bytes longer.
TEST_F(ProtocolCases, RandomBlackKeyIsTwelveBytesLonger) {
  const uint64_t out = 0x43b17000;
  EXPECT_EQ(run({0xb081000d, 0x12820004, 0x00000020, 0x82500010, 0xa2000001, 0x14810004, 0x00000020, 0xa2000001,
                 0x10880004, 0xe000006d, 0x64140020, 0x43b17000, 0xa1001001})
                .word,
            0u);
  const Bytes written = peek(out, 48);
  EXPECT_NE(slice(written, 32, 12), Bytes(12));
  EXPECT_EQ(slice(written, 44, 4), Bytes(4));
  const Bytes black = slice(written, 0, 44);

  // A device in the same state gives the same number in the clear: HMACs under the two keys are equal.
  struct Twin : ProtocolCases {
    using ProtocolCases::peek;
    using ProtocolCases::run_job;
    using ProtocolCases::SetUp;
    void TestBody() override {}
  } twin;
  twin.SetUp();
  ASSERT_EQ(twin.run_job({0x82500010, 0x60340020, 0x9000}).word, 0u);
  const Bytes red = twin.peek(0x9000, 32);
  EXPECT_NE(slice(black, 0, 32), red) << "the key left in the clear";
  const auto hmac = [this](uint32_t key_command, const Bytes& key, uint32_t at) {
    give(at, key);
    give(at + 0x100, filler(20, 9));
    const JrStatus status = run_job({key_command, at, 0x8443000d, 0x24140014, at + 0x100, 0x54200020, at + 0x200});
    return status.word != 0 ? Bytes{} : peek(at + 0x200, 32);
  };
  const Bytes wanted = hmac(0x04000020, red, 0x20000);
  ASSERT_EQ(wanted.size(), 32u);
  EXPECT_EQ(hmac(0x04500020, black, 0x21000), wanted);
  Bytes damaged = black;
  damaged[43] ^= 1;
  EXPECT_TRUE(hmac(0x04500020, damaged, 0x22000).empty());
}

TEST_F(ProtocolCases, BlobsAreFortyEightBytesLonger) {
  uint64_t at = 0x2000;
  for (const uint32_t len : {10u, 16u, 50u, 64u}) {
    give(at, filler(len, len));
    ASSERT_EQ(blob(true, at, len, at + 0x1000).word, 0u) << len;
    EXPECT_EQ(deco_->out_bytes(), len + 48) << len;
    ASSERT_EQ(blob(false, at + 0x1000, len + 48, at + 0x2000).word, 0u) << len;
    EXPECT_EQ(peek(at + 0x2000, len), filler(len, len));
    at += 0x10000;
  }
}

// Of a blob that somebody changed nothing is let out.
TEST_F(ProtocolCases, DamagedBlobGivesNothing) {
  give(0x2000, filler(64, 1));
  ASSERT_EQ(blob(true, 0x2000, 64, 0x3000).word, 0u);
  const Bytes good = peek(0x3000, 112);
  ASSERT_EQ(blob(false, 0x3000, 112, 0x5000).word, 0u);
  EXPECT_EQ(peek(0x5000, 64), filler(64, 1));
  give(0x4000, Bytes(64, 0xaa));
  for (const size_t at : {0, 31, 32, 95, 96, 111}) {
    Bytes bad = good;
    bad[at] ^= 1;
    give(0x10000 + 0x1000 * at, bad);
    EXPECT_EQ(blob(false, 0x10000 + 0x1000 * at, 112, 0x4000).ccb_error(), CcbError::kIcvCheck) << at;
    EXPECT_EQ(peek(0x4000, 64), Bytes(64, 0xaa)) << at << ": something was written";
    EXPECT_EQ(deco_->out_bytes(), 0u) << at;
  }
}

// A blob opens for the world that owns the ring it was made on, and for no other.
TEST_F(ProtocolCases, BlobsBelongToTheirOwner) {
  give(0x2000, filler(32, 1));
  give(0x8000, Bytes(32, 0xaa));
  bool secure = false;
  units_->secure_ring = [&secure](unsigned) { return secure; };
  for (const bool maker : {false, true}) {
    secure = maker;
    const uint64_t at = maker ? 0x5000 : 0x3000;
    ASSERT_EQ(blob(true, 0x2000, 32, at).word, 0u);
    ASSERT_EQ(blob(false, at, 80, 0x7000).word, 0u);
    EXPECT_EQ(peek(0x7000, 32), filler(32, 1));
    secure = !maker;
    const JrStatus other = blob(false, at, 80, 0x8000);
    EXPECT_EQ(other.word & 0xF00000FF, 0x2000001Au) << "AESA, ICV check";
    EXPECT_EQ(peek(0x8000, 32), Bytes(32, 0xaa)) << "something was written";
    EXPECT_EQ(deco_->out_bytes(), 0u);
    secure = maker;
    EXPECT_EQ(blob(false, at, 80, 0x7000).word, 0u) << "its maker opens it again";
  }
}

// Input longer than the modulus is refused, leading zeros or not.
TEST_F(ProtocolCases, RsaInputLongerThanTheModulus) {
  Bytes n = filler(256, 3), in = filler(257, 4);
  n.front() |= 0x80;
  n.back() |= 1;
  in[0] = 0;
  in[1] = 1;
  give(0x10000, in);
  give(0x11000, n);
  give(0x12000, {1, 0, 1});
  // PDB: sizes of e and n, then input, output, n, e, and the size of the input.
  const auto encrypt = [&](uint32_t len) {
    return run_job({0x80180000}, {3u << 12 | 256, 0x10000 + (257 - len), 0x20000, 0x11000, 0x12000, len});
  };
  EXPECT_EQ(encrypt(257), JrStatus::deco(DecoError::kProtocolSize, 7));
  EXPECT_EQ(encrypt(257).word, 0x40000789u);
  EXPECT_EQ(encrypt(256).word, 0u);
}

// ChaCha20 with a tail that is no block needs the operation to be the last.
class ChaChaTail : public DecoTest {};
TEST_F(ChaChaTail, NeedsTheFinalState) {
  give(0x2000, filler(65, 1));
  for (const bool final : {true, false}) {
    Words job = {0x02800020};
    job.resize(9, 0x01020304);
    // ChaCha20, encrypt: AS initialize/finalize or initialize.
    job.push_back(final ? 0x82D0000D : 0x82D00005);
    job.insert(job.end(), {0x22120041, 0x2000, 0x60300041, 0x4000});
    const JrStatus status = run_job(job);
    if (final)
      EXPECT_EQ(status.word, 0u);
    else
      EXPECT_EQ(status.ccb_error(), CcbError::kDataSize) << std::hex << status.word;
  }
}

}  // namespace
}  // namespace caamlab::tests
