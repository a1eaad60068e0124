// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What building descriptors costs: shared descriptors (once a setkey) and job descriptors (once a request), per
// descriptor and per word. For comparison, as known from elsewhere: the kernel's inline code takes about 0.5 ns a word,
// NXP's runtime assembler about 6 ns.
#include <benchmark/benchmark.h>

#include <array>

#include "desc/constructors/aead.h"
#include "desc/constructors/chachapoly.h"
#include "desc/constructors/gcm.h"
#include "desc/constructors/hash.h"
#include "desc/constructors/pkc.h"
#include "desc/constructors/rng.h"
#include "desc/constructors/sk_hash.h"
#include "desc/constructors/skcipher.h"
#include "desc/text/disassemble.h"

namespace caamlab::desc {
namespace {

constexpr std::array<uint8_t, 64> kKeyBytes = [] {
  std::array<uint8_t, 64> bytes{};
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i);
  return bytes;
}();
const ByteSpan kKey{kKeyBytes};

AlgInfo cipher(Alg alg, uint16_t aai, uint16_t keylen) {
  return {.op = {.cls = ClassSel::kClass1, .alg = alg, .aai = aai}, .keylen = keylen, .key = kKey};
}
AlgInfo hmac(Alg alg, uint16_t keylen) {
  return {.op = {.cls = ClassSel::kClass2, .alg = alg, .aai = aai::kHmacPrecomp},
          .keylen = keylen,
          .keylen_pad = split_key_len(alg),
          .key = kKey};
}

// Runs `construct(builder)` into a caller's 64 words, as setkey and the request path do.
template <class Fn>
void build(benchmark::State& state, Fn&& construct) {
  std::array<uint32_t, kMaxDescWords> words;
  const Target target;
  unsigned len = 0;
  for (auto _ : state) {
    Builder d(target);
    construct(d);
    len = d.finish_into(words);
    benchmark::DoNotOptimize(words);
  }
  if (len == 0) state.SkipWithError("the descriptor cannot be built");
  state.counters["words"] = len;
  state.counters["per_word"] = benchmark::Counter(static_cast<double>(len) * static_cast<double>(state.iterations()),
                                                  benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void gcm_encap(benchmark::State& state) {
  const AlgInfo cdata = cipher(Alg::kAes, aai::kGcm, 16);
  build(state, [&](Builder& d) { cnstr_shdsc_gcm_encap(d, cdata, {}); });
}
void gcm_decap(benchmark::State& state) {
  const AlgInfo cdata = cipher(Alg::kAes, aai::kGcm, 16);
  build(state, [&](Builder& d) { cnstr_shdsc_gcm_decap(d, cdata, {}); });
}
void rfc4106_encap(benchmark::State& state) {
  const AlgInfo cdata = cipher(Alg::kAes, aai::kGcm, 16);
  build(state, [&](Builder& d) { cnstr_shdsc_rfc4106_encap(d, cdata, {.ivsize = 8}); });
}
void aead_encap(benchmark::State& state) {
  const AlgInfo cdata = cipher(Alg::kAes, aai::kCbc, 16), adata = hmac(Alg::kSha256, 32);
  build(state, [&](Builder& d) { cnstr_shdsc_aead_encap(d, cdata, adata, {}); });
}
void aead_givencap(benchmark::State& state) {
  const AlgInfo cdata = cipher(Alg::kAes, aai::kCbc, 16), adata = hmac(Alg::kSha256, 32);
  build(state, [&](Builder& d) { cnstr_shdsc_aead_givencap(d, cdata, adata, {}); });
}
void chachapoly(benchmark::State& state) {
  const AlgInfo cdata = cipher(Alg::kChaCha20, aai::kAead, 32);
  const AlgInfo adata{.op = {.cls = ClassSel::kClass2, .alg = Alg::kPoly1305, .aai = aai::kAead}};
  build(state, [&](Builder& d) { cnstr_shdsc_chachapoly(d, cdata, adata, {}); });
}
void skcipher_encap(benchmark::State& state) {
  const AlgInfo cdata = cipher(Alg::kAes, aai::kCbc, 16);
  build(state, [&](Builder& d) { cnstr_shdsc_skcipher_encap(d, cdata, {}); });
}
void xts_decap(benchmark::State& state) {
  const AlgInfo cdata = cipher(Alg::kAes, aai::kXts, 64);
  build(state, [&](Builder& d) { cnstr_shdsc_xts_skcipher_decap(d, cdata); });
}
void ahash_digest(benchmark::State& state) {
  const AlgInfo adata = hmac(Alg::kSha256, 32);
  build(state, [&](Builder& d) { cnstr_shdsc_ahash(d, adata, {.digestsize = 32}); });
}
void cmac_digest(benchmark::State& state) {
  const AlgInfo adata = cipher(Alg::kAes, aai::kCmac, 16);
  build(state, [&](Builder& d) { cnstr_shdsc_sk_hash(d, adata, {}); });
}

// Job descriptors: the hot path of every request.
constexpr SeqLocation kIn{.addr = 0x812345010, .len = 1436}, kOut{.addr = 0x912345010, .len = 1452};
constexpr SharedJob kShared{.sh_desc = 0x940000000, .sh_len = 23};
void gcm_job(benchmark::State& state) {
  const GcmJob job{
      .aead = {.sh_desc = kShared.sh_desc, .sh_len = kShared.sh_len, .in = kIn, .out = kOut, .assoclen = 16},
      .iv = kKey.first(12)};
  build(state, [&](Builder& d) { init_gcm_job(d, job); });
}
void authenc_job(benchmark::State& state) {
  const AuthencJob job{
      .aead = {.sh_desc = kShared.sh_desc, .sh_len = kShared.sh_len, .in = kIn, .out = kOut, .assoclen = 16},
      .iv = kKey.first(16)};
  build(state, [&](Builder& d) { init_authenc_job(d, job); });
}
void skcipher_job(benchmark::State& state) {
  const SkcipherJob job{.shared = kShared, .in = kIn, .out = kOut};
  build(state, [&](Builder& d) { init_skcipher_job(d, job); });
}
void ahash_job(benchmark::State& state) {
  const AhashJob job{.shared = kShared, .in = kIn, .out = kOut};
  build(state, [&](Builder& d) { init_ahash_job(d, job); });
}
void rsa_priv_f3(benchmark::State& state) {
  const RsaPrivF3Pdb pdb{.word = {.n_len = 256}, .g = 1, .f = 2, .c = 3, .p = 4, .q = 5, .dp = 6, .dq = 7};
  build(state, [&](Builder& d) { init_rsa_priv_f3_desc(d, pdb); });
}
void rng(benchmark::State& state) {
  build(state, [&](Builder& d) { caam_init_desc(d, 0x940000000); });
}

// The listing of one shared descriptor, for orientation: not a hot path.
void listing(benchmark::State& state) {
  const AlgInfo cdata = cipher(Alg::kAes, aai::kGcm, 16);
  Builder d{Target{}};
  cnstr_shdsc_gcm_encap(d, cdata, {});
  const auto desc = d.finish();
  for (auto _ : state) benchmark::DoNotOptimize(to_text(disassemble(desc->words(), {})));
}

BENCHMARK(gcm_encap);
BENCHMARK(gcm_decap);
BENCHMARK(rfc4106_encap);
BENCHMARK(aead_encap);
BENCHMARK(aead_givencap);
BENCHMARK(chachapoly);
BENCHMARK(skcipher_encap);
BENCHMARK(xts_decap);
BENCHMARK(ahash_digest);
BENCHMARK(cmac_digest);
BENCHMARK(gcm_job);
BENCHMARK(authenc_job);
BENCHMARK(skcipher_job);
BENCHMARK(ahash_job);
BENCHMARK(rsa_priv_f3);
BENCHMARK(rng);
BENCHMARK(listing);

}  // namespace
}  // namespace caamlab::desc

BENCHMARK_MAIN();
