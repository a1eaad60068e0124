// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// docs/kernel-findings.md, 4 and 8 to 11: HMAC keys, lengths of descriptors and of requests. Witness: the software of
// the same name.
#include "api/keys.h"
#include "desc/constructors/aead.h"
#include "desc/constructors/gcm.h"
#include "desc/constructors/hash.h"
#include "tests/conformance/deco_bench.h"
#include "tests/driver/caam/lab_fixture.h"

namespace caamlab::tests {
namespace {

using desc::Alg;
using desc::AlgInfo;
using desc::ClassSel;
using desc::ShareMode;

AlgInfo hmac(Alg alg, const Bytes& key) {
  AlgInfo info{.op = {.cls = ClassSel::kClass2, .alg = alg, .aai = desc::aai::kHmacPrecomp}};
  info.keylen = static_cast<uint16_t>(key.size());
  info.keylen_pad = desc::split_key_len(alg);
  info.key = key;
  return info;
}

api::AeadHandle software(LabFixture& lab, const std::string& name, const Bytes& key) {
  auto tfm = lab.get(name, crypto_alloc_aead(lab->registry(), name, 0, api::CRYPTO_ALG_ASYNC));
  EXPECT_EQ(crypto_aead_setkey(*tfm, key), 0);
  return tfm;
}
Bytes seal(api::CryptoAead& tfm, const AeadInput& input) {
  const Outcome outcome = run_aead(tfm, Crypt::kEncrypt, input, plain_layout());
  EXPECT_EQ(outcome.err, 0);
  return outcome.out;
}

struct AeadRun {
  BusAddr job;
  Buffer out;
};
// authenc with the null cipher: AAD and text are copied, the tag follows.
AeadRun null_job(DecoBench& bench, const Buffer& sd, const AeadInput& in, unsigned tag) {
  Bytes data = in.aad;
  data.insert(data.end(), in.text.begin(), in.text.end());
  const Buffer src = bench.mem.input(data), out = bench.mem.output(data.size() + tag);
  Builder b = bench.builder();
  init_authenc_job(b, {.aead = {.sh_desc = sd.addr,
                                .sh_len = unsigned(sd.len / 4),
                                .in = bench.at(src),
                                .out = bench.at(out),
                                .assoclen = static_cast<uint32_t>(in.aad.size())}});
  return {bench.place(b).addr, out};
}
Buffer null_descriptor(DecoBench& bench, const AlgInfo& adata, ShareMode share, int era) {
  Builder b = bench.builder();
  cnstr_shdsc_aead_null_encap(b, adata, {.icvsize = 20, .era = era, .share = share});
  return bench.place(b);
}

// 4: DKP over the key in memory. A second DECO has fetched the descriptor with DKP in it, and reads the key after the
// first has put the split key there.
TEST(AeadFindings, DkpToMemoryWhileAnotherJobRuns) {
  LabFixture lab("lx2160a");
  const Bytes key = filler(20, 1);
  const AeadInput in{.iv = {}, .aad = filler(8, 2), .text = filler(64, 3)};
  auto witness = software(lab, "authenc(hmac(sha1),ecb(cipher_null))", api::crypto_authenc_make_key(key, {}));
  Bytes want = in.aad;
  for (const uint8_t b : seal(*witness, in)) want.push_back(b);

  for (const bool inline_key : {false, true}) {
    DecoBench bench(2);
    AlgInfo adata = hmac(Alg::kSha1, key);
    Bytes room = key;
    room.resize(64);
    const Buffer memory = bench.mem.both(room);
    adata.key_dma = memory.addr;
    adata.key_inline = inline_key;
    const Buffer sd = null_descriptor(bench, adata, ShareMode::kNever, 10);
    const AeadRun runs[] = {null_job(bench, sd, in, 20), null_job(bench, sd, in, 20)};
    for (const JrStatus s : bench.run({runs[0].job, runs[1].job})) EXPECT_EQ(s, ok());
    EXPECT_EQ(hex(runs[0].out.bytes()), hex(want));
    EXPECT_EQ(hex(runs[1].out.bytes()) == hex(want), inline_key);
    // The key in memory is spoiled for every later job, too.
    const AeadRun later = null_job(bench, sd, in, 20);
    EXPECT_EQ(bench.run({later.job}).front(), ok());
    EXPECT_EQ(hex(later.out.bytes()) == hex(want), inline_key);
  }
}

// 8: the kernel puts the cipher key behind the room of the split key, over the tail of an HMAC key that is longer: of
// MD5 alone the split key (32 bytes) is shorter than a block.
TEST(AeadFindings, CipherKeyOverTheTailOfAnMd5Key) {
  LabFixture lab("lx2160a");
  const Bytes auth = filler(48, 1), enc = filler(16, 2), iv = filler(16, 3);
  const AeadInput in{.iv = iv, .aad = filler(8, 4), .text = filler(32, 5)};
  const std::string name = "authenc(hmac(md5),cbc(aes))";
  auto witness = software(lab, name, api::crypto_authenc_make_key(auth, enc));
  const Bytes want = seal(*witness, in);
  for (const bool as_kernel : {true, false}) {
    DecoBench bench;
    Bytes memory = auth;
    memory.resize(64);
    if (as_kernel) std::ranges::copy(enc, memory.begin() + desc::split_key_len(Alg::kMd5));
    const Buffer key_memory = bench.mem.both(memory);
    AlgInfo adata = hmac(Alg::kMd5, memory);
    adata.keylen = 48;
    adata.key_dma = key_memory.addr;
    AlgInfo cdata{.op = {.cls = ClassSel::kClass1, .alg = Alg::kAes, .aai = desc::aai::kCbc}};
    cdata.keylen = 16;
    cdata.key = enc;
    Builder b = bench.builder();
    cnstr_shdsc_aead_encap(b, cdata, adata, {.ivsize = 16, .icvsize = 16});
    const Buffer sd = bench.place(b);
    Bytes data = in.aad;
    data.insert(data.end(), in.text.begin(), in.text.end());
    const Buffer src = bench.mem.input(data), out = bench.mem.output(data.size() + 16);
    Builder job = bench.builder();
    init_authenc_job(job, {.aead = {.sh_desc = sd.addr,
                                    .sh_len = unsigned(sd.len / 4),
                                    .in = bench.at(src),
                                    .out = bench.at(out),
                                    .assoclen = 8},
                           .iv = iv});
    EXPECT_EQ(bench.run_one(job), ok());
    EXPECT_EQ(hex(out.span().subspan(8)) == hex(want), !as_kernel);
    EXPECT_EQ(hex(out.span().subspan(8, 32)), hex(std::span(want).first(32))) << "only the tag is wrong";
  }
  auto tfm = lab.aead("authenc-hmac-md5-cbc-aes-caam");
  ASSERT_EQ(crypto_aead_setkey(*tfm, api::crypto_authenc_make_key(auth, enc)), 0);
  EXPECT_EQ(hex(seal(*tfm, in)), hex(want));
}

// 9: hmac with a key of no bytes is the descriptor of the plain hash.
TEST(AeadFindings, HmacWithAnEmptyKey) {
  LabFixture lab("lx2160a");
  const Bytes text = filler(50, 1);
  const auto digest = [&](const std::string& name, bool keyed, uint32_t mask) {
    auto tfm = lab.get(name, crypto_alloc_ahash(lab->registry(), name, 0, mask));
    if (keyed) {
      EXPECT_EQ(crypto_ahash_setkey(*tfm, {}), 0);
    }
    return run_ahash(*tfm, text, HashCalls::kDigest, plain_layout()).out;
  };
  const Bytes want = digest("hmac(sha256)", true, api::CRYPTO_ALG_ASYNC);
  const Bytes plain = digest("sha256", false, api::CRYPTO_ALG_ASYNC);
  for (const Bytes& key : {Bytes{}, Bytes{0}}) {  // one zero is the same key to HMAC
    DecoBench bench;
    AlgInfo adata = hmac(Alg::kSha256, key);
    adata.op.aai = desc::aai::kHash;
    Builder b = bench.builder();
    cnstr_shdsc_ahash(b, adata, {.digestsize = 32});
    const Buffer sd = bench.place(b), in = bench.mem.input(text), out = bench.mem.output(32);
    Builder job = bench.builder();
    init_ahash_job(job, {.shared = bench.shared(sd), .in = bench.at(in), .out = bench.at(out)});
    EXPECT_EQ(bench.run_one(job), ok());
    EXPECT_EQ(hex(out.bytes()), hex(key.empty() ? plain : want));
  }
  EXPECT_NE(hex(plain), hex(want));
  EXPECT_EQ(hex(digest("hmac-sha256-caam", true, 0)), hex(want));
}

// 10: one MOVE of a 16-bit length copies AAD and text of rfc4543.
TEST(AeadFindings, Rfc4543Above65535Bytes) {
  const Bytes key = filler(20, 1), iv = filler(8, 2);
  for (const size_t len : {65535, 65536, 65552}) {
    DecoBench bench;
    AlgInfo cdata{.op = {.cls = ClassSel::kClass1, .alg = Alg::kAes, .aai = desc::aai::kGcm}};
    cdata.keylen = 16;
    cdata.key = key;
    Builder b = bench.builder();
    cnstr_shdsc_rfc4543_encap(b, cdata, {.ivsize = 8});
    const Buffer sd = bench.place(b);
    Bytes data = filler(len, 3);
    std::ranges::copy(iv, data.begin() + 8);
    const Buffer src = bench.mem.input(data), out = bench.mem.output(len + 16);
    Builder job = bench.builder();
    init_gcm_job(job, {.aead = {.sh_desc = sd.addr,
                                .sh_len = unsigned(sd.len / 4),
                                .in = bench.at(src),
                                .out = bench.at(out),
                                .assoclen = 16},
                       .salt = std::span(key).last(4),
                       .iv = iv});
    const JrStatus status = bench.run_one(job);
    LabFixture lab("lx2160a");
    auto tfm = lab.aead("rfc4543-gcm-aes-caam");
    ASSERT_EQ(crypto_aead_setkey(*tfm, key), 0);
    const AeadInput in{.iv = iv, .aad = {data.begin(), data.begin() + 16}, .text = {data.begin() + 16, data.end()}};
    const Outcome by_driver = run_aead(*tfm, Crypt::kEncrypt, in, plain_layout());
    if (len <= UINT16_MAX) {
      EXPECT_EQ(status, ok());
      EXPECT_EQ(by_driver.err, 0);
      EXPECT_TRUE(std::ranges::equal(by_driver.out, out.span().subspan(16)));
    } else {
      EXPECT_EQ(status.word & 0xFF, static_cast<uint32_t>(desc::DecoError::kWatchdog)) << len;
      EXPECT_EQ(by_driver.err, -EINVAL);
    }
  }
}

// 11: DESC_AEAD_GIVENC_LEN, by which the kernel decides which keys go into the descriptor: 23 words, the descriptor of
// a CBC cipher has more besides its keys.
constexpr unsigned kGivencWords = 23;

struct Givenc {
  unsigned words = 0;  // shared descriptor
  bool auth_inline = false, cipher_inline = false;
};
// desc_inline_query() of the kernel with this length of commands, then the descriptor.
Givenc build_givenc(Builder& b, const AlgInfo& cdata, const AlgInfo& adata, unsigned command_words) {
  const unsigned ptr = b.target().ptr_bytes;
  const unsigned job_bytes = 4 * 5 + 3 * ptr + 4 * 2 + 4 * 5;
  int left = static_cast<int>(4 * desc::kMaxDescWords) - static_cast<int>(4 * command_words + job_bytes);
  Givenc result;
  const unsigned lens[] = {adata.keylen_pad, cdata.keylen};
  bool fits[2] = {};
  for (unsigned i = 0; i < 2 && left > 0; ++i) {
    fits[i] = left - static_cast<int>(lens[i] + (1 - i) * ptr) >= 0;
    left -= static_cast<int>(fits[i] ? lens[i] : ptr);
  }
  AlgInfo c = cdata, a = adata;
  a.key_inline = result.auth_inline = fits[0];
  c.key_inline = result.cipher_inline = fits[1];
  cnstr_shdsc_aead_givencap(b, c, a, {.ivsize = 16, .icvsize = 16, .geniv = true});
  result.words = b.len();
  return result;
}

TEST(AeadFindings, GivencapIsLongerThanItsMacro) {
  const Bytes auth = filler(20, 1), enc = filler(32, 2);
  unsigned differ = 0;
  for (const desc::Target& target : kTargets)
    for (const Alg alg : {Alg::kMd5, Alg::kSha1, Alg::kSha224, Alg::kSha256, Alg::kSha384, Alg::kSha512})
      for (const uint16_t keylen : {16, 24, 32}) {
        AlgInfo adata = hmac(alg, auth),
                cdata{.op = {.cls = ClassSel::kClass1, .alg = Alg::kAes, .aai = desc::aai::kCbc}};
        cdata.keylen = keylen;
        cdata.key = std::span(enc).first(keylen);
        Builder b(target), with_right_length(target);
        const Givenc got = build_givenc(b, cdata, adata, kGivencWords);
        const Givenc right = build_givenc(with_right_length, cdata, adata, kGivencWords + 4);
        const auto words_of = [&](bool is_inline, unsigned len) {
          return is_inline ? desc::words_for_bytes(len) : target.ptr_bytes / 4;
        };
        EXPECT_EQ(got.words,
                  kGivencWords + 4 + words_of(got.auth_inline, adata.keylen_pad) + words_of(got.cipher_inline, keylen));
        const unsigned longest_job = (4 * 5 + 3 * target.ptr_bytes + 4 * 2 + 4 * 5) / 4;
        EXPECT_LE(right.words + longest_job, desc::kMaxDescWords);
        if (got.words + longest_job > desc::kMaxDescWords) ++differ;
      }
  EXPECT_GT(differ, 0u) << "descriptors for which the kernel's own reckoning is exceeded";
}

}  // namespace
}  // namespace caamlab::tests
