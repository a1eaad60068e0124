// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// docs/kernel-findings.md, 12: XTS texts above the sector size that the kernel's descriptor loads. Witness: the
// software of the same name.
#include "desc/constructors/skcipher.h"
#include "tests/conformance/deco_bench.h"
#include "tests/driver/caam/lab_fixture.h"

namespace caamlab::tests {
namespace {

constexpr size_t kSector = desc::kXtsSectorBytes;

Bytes by_descriptor(const Bytes& key, const Bytes& iv, const Bytes& text, Crypt crypt) {
  DecoBench bench;
  desc::AlgInfo cdata{.op = {.cls = desc::ClassSel::kClass1, .alg = desc::Alg::kAes, .aai = desc::aai::kXts}};
  cdata.keylen = static_cast<uint16_t>(key.size());
  cdata.key = key;
  Builder sd = bench.builder();
  (crypt == Crypt::kEncrypt ? desc::cnstr_shdsc_xts_skcipher_encap : desc::cnstr_shdsc_xts_skcipher_decap)(
      sd, cdata, desc::ShareMode::kSerial);
  Bytes data = iv;
  data.insert(data.end(), text.begin(), text.end());
  const Buffer placed = bench.place(sd), in = bench.mem.input(data), out = bench.mem.output(text.size() + iv.size());
  Builder job = bench.builder();
  init_skcipher_job(job, {.shared = bench.shared(placed), .in = bench.at(in), .out = bench.at(out)});
  EXPECT_EQ(bench.run_one(job), ok());
  const auto result = out.span().first(text.size());
  return {result.begin(), result.end()};
}

Bytes by_transform(api::SkcipherHandle tfm, const Bytes& key, const Bytes& iv, const Bytes& text, Crypt crypt) {
  EXPECT_EQ(crypto_skcipher_setkey(*tfm, key), 0);
  const Outcome outcome = run_skcipher(*tfm, crypt, iv, text, plain_layout());
  EXPECT_EQ(outcome.err, 0);
  return outcome.out;
}

TEST(XtsFindings, TextsAboveTheSectorSize) {
  LabFixture lab("lx2160a");
  const Bytes iv = filler(16, 2);
  for (const size_t key_len : {32, 64})
    for (const Crypt crypt : {Crypt::kEncrypt, Crypt::kDecrypt})
      for (const size_t len : {kSector - 16, kSector, kSector + 16, 2 * kSector}) {
        const Bytes key = filler(key_len, 1), text = filler(len, 3);
        const Bytes want = by_transform(
            lab.get("xts(aes)", crypto_alloc_skcipher(lab->registry(), "xts(aes)", 0, api::CRYPTO_ALG_ASYNC)), key, iv,
            text, crypt);
        const Bytes got = by_descriptor(key, iv, text, crypt);
        const auto first_wrong = std::ranges::mismatch(got, want).in1 - got.begin();
        EXPECT_EQ(first_wrong, static_cast<ptrdiff_t>(std::min(len, kSector))) << len;
        EXPECT_TRUE(by_transform(lab.skcipher("xts-aes-caam"), key, iv, text, crypt) == want) << len;
      }
}

}  // namespace
}  // namespace caamlab::tests
