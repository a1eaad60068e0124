// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// docs/kernel-findings.md, 5 to 7: RSA jobs as caampkc.c makes them when the input is shorter than the modulus, what
// comes of it, and the form that is right. Witness: libcrypto.
// The last test gives the same requests to rsa-caam.
#include <openssl/bn.h>

#include <memory>

#include "api/akcipher.h"
#include "desc/constructors/pkc.h"
#include "tests/conformance/deco_bench.h"
#include "tests/driver/caam/lab_fixture.h"
#include "tests/driver/caam/rsa_keys.h"

namespace caamlab::tests {
namespace {

constexpr size_t kN = 128, kShort = 20;

struct BnFree {
  void operator()(BIGNUM* n) const { BN_free(n); }
  void operator()(BN_CTX* c) const { BN_CTX_free(c); }
};
using Bn = std::unique_ptr<BIGNUM, BnFree>;

Bytes power(const Bytes& base, const Bytes& exponent, const Bytes& n) {
  const auto bn = [](const Bytes& b) { return Bn(BN_bin2bn(b.data(), static_cast<int>(b.size()), nullptr)); };
  const std::unique_ptr<BN_CTX, BnFree> ctx(BN_CTX_new());
  Bn r(BN_new());
  BN_mod_exp(r.get(), bn(base).get(), bn(exponent).get(), bn(n).get(), ctx.get());
  Bytes out(n.size());
  BN_bn2binpad(r.get(), out.data(), static_cast<int>(out.size()));
  return out;
}

// Exponentiation is right or wrong for any odd modulus: no primes are needed.
class RsaFindings : public testing::Test {
 protected:
  RsaFindings() {
    n_.front() |= 0x80;
    n_.back() |= 1;
    message_.front() |= 1;
  }
  JrStatus encrypt(const desc::SeqLocation& f, const desc::SeqLocation& g, uint32_t f_len) {
    Builder b = bench_.builder();
    init_rsa_pub_desc(b, {.word = {.f_sgf = f.sgf, .g_sgf = g.sgf, .e_len = 3, .n_len = kN},
                          .f = f.addr,
                          .g = g.addr,
                          .n = bench_.mem.input(n_).addr,
                          .e = bench_.mem.input(e_).addr,
                          .f_len = f_len});
    return bench_.run_one(b);
  }
  JrStatus decrypt(const desc::SeqLocation& g, const desc::SeqLocation& f) {
    Builder b = bench_.builder();
    init_rsa_priv_f1_desc(b, {.word = {.g_sgf = g.sgf, .f_sgf = f.sgf, .d_len = kN, .n_len = kN},
                              .g = g.addr,
                              .f = f.addr,
                              .n = bench_.mem.input(n_).addr,
                              .d = bench_.mem.input(d_).addr});
    return bench_.run_one(b);
  }

  Memory& mem() { return bench_.mem; }
  // Read from entry `from` on; what a burst fetches beyond the last one is there, and never interpreted.
  desc::SeqLocation table(std::vector<desc::SgEntry> entries, unsigned from = 0) {
    entries.back().final = true;
    entries.resize(entries.size() + from);
    return {.addr = mem().table(std::move(entries), /*open=*/true).addr + from * desc::kSgEntryBytes,
            .len = kN,
            .sgf = true};
  }

  DecoBench bench_;
  Bytes n_ = filler(kN, 1), d_ = filler(kN, 2), message_ = filler(kShort, 3);
  const Bytes e_ = {1, 0, 1};
};

// 5: the private forms have no length of the input but n's.
TEST_F(RsaFindings, ShortInputInOneSegmentOfAPrivateOperation) {
  Bytes behind = message_;
  behind.resize(kN, 0xA5);  // what happens to lie behind the caller's 20 bytes
  const Buffer memory = mem().input(behind), out = mem().output(kN);
  EXPECT_EQ(decrypt(bench_.at(memory), bench_.at(out)), ok());
  EXPECT_EQ(hex(out.bytes()), hex(power(behind, d_, n_)));
  EXPECT_NE(hex(out.bytes()), hex(power(message_, d_, n_)));

  // Right: zeros in front by a table, as the kernel does for inputs of several segments.
  const Buffer zeros = mem().input(Bytes(kN - kShort));
  const auto padded = table({Memory::entry(zeros), Memory::entry(memory, 0, kShort)});
  const Buffer right = mem().output(kN);
  EXPECT_EQ(decrypt(padded, bench_.at(right)), ok());
  EXPECT_EQ(hex(right.bytes()), hex(power(message_, d_, n_)));
}

// 6: table {zeros, input, result}; the result's pointer does not count the zeros.
TEST_F(RsaFindings, ScatteredResultWithPadding) {
  const Bytes want = power(message_, d_, n_);
  const Bytes untouched(kN / 2, Memory::kUnwritten);
  for (const size_t segments : {1, 2}) {
    const Buffer zeros = mem().both(Bytes(kN - kShort));
    const Buffer in = mem().both(message_);
    const Buffer out[] = {mem().output(kN / 2), mem().output(kN / 2)};
    std::vector<desc::SgEntry> entries{Memory::entry(zeros)};
    if (segments == 1) {
      entries.push_back(Memory::entry(in));
    } else {
      entries.push_back(Memory::entry(in, 0, 7));
      entries.push_back(Memory::entry(in, 7, kShort - 7));
    }
    entries.back().final = true;
    entries.push_back(Memory::entry(out[0]));
    entries.push_back(Memory::entry(out[1]));
    // One segment: the table is not used for the input, whose full length is not there; only the result matters here.
    const auto right_in = table(entries);
    const auto wrong_out = table(entries, segments == 1 ? 0 : 2);
    const JrStatus status = decrypt(right_in, wrong_out);
    EXPECT_EQ(out[0].bytes(), untouched);
    EXPECT_EQ(out[1].bytes(), untouched);
    EXPECT_NE(in.bytes(), message_) << "the caller's input is overwritten";
    if (segments == 1) {
      EXPECT_EQ(status, ok());
      EXPECT_NE(zeros.bytes(), Bytes(kN - kShort)) << "so are the zeros that all requests share";
    } else {
      EXPECT_EQ(status.word & 0xFF, 0x01u) << "the table ends too early";
    }
    std::ranges::copy(message_, in.data);
    std::ranges::fill(zeros.span(), 0);

    EXPECT_EQ(decrypt(right_in, table(entries, 1 + static_cast<unsigned>(segments))), ok());
    Bytes got = out[0].bytes();
    for (const uint8_t b : out[1].bytes()) got.push_back(b);
    EXPECT_EQ(hex(got), hex(want));
  }
}

// 7: the zeros are in the table, but not in the length.
TEST_F(RsaFindings, PaddingNotCountedInTheLength) {
  const Buffer zeros = mem().input(Bytes(kN - kShort)), in = mem().input(message_);
  const auto f = table({Memory::entry(zeros), Memory::entry(in, 0, 7), Memory::entry(in, 7, kShort - 7)});
  const Buffer wrong = mem().output(kN), right = mem().output(kN);
  EXPECT_EQ(encrypt(f, bench_.at(wrong), kShort), ok());
  EXPECT_EQ(wrong.bytes(), Bytes(kN)) << "the message was 20 of the zeros";
  EXPECT_EQ(encrypt(f, bench_.at(right), kN), ok());
  EXPECT_EQ(hex(right.bytes()), hex(power(message_, e_, n_)));
}

// What the driver makes of the three kinds of request: input shorter than n in one segment and in two, a result in one
// and in two, both operations.
TEST(RsaFindingsDriver, IsRight) {
  for (const char* platform : {"ls1046a", "lx2160a", "imx6ul", "p4080"}) {
    LabFixture lab(platform);
    const auto rsa = [&](const char* driver) {
      auto tfm = lab.get(driver, crypto_alloc_akcipher(lab->registry(), driver));
      EXPECT_EQ(crypto_akcipher_set_priv_key(*tfm, rsa_numbers(512, 512).priv()), 0);
      return tfm;
    };
    auto caam = rsa("rsa-caam"), software = rsa("rsa-generic");
    for (const RsaOp op : {api::crypto_akcipher_encrypt, api::crypto_akcipher_decrypt}) {
      const Bytes message = filler(kShort, 4);
      const RsaResult want = run_rsa(*software, op, message, kN, {}, {});
      ASSERT_EQ(want.err, 0);
      for (const std::vector<size_t>& in : {std::vector<size_t>{}, {7}})
        for (const std::vector<size_t>& out : {std::vector<size_t>{}, {kN / 2}}) {
          const RsaResult got = run_rsa(*caam, op, message, kN, in, out);
          EXPECT_EQ(got.err, 0) << platform;
          EXPECT_EQ(hex(got.out), hex(want.out)) << platform << ", " << in.size() << " and " << out.size() << " cuts";
        }
    }
  }
}

}  // namespace
}  // namespace caamlab::tests
