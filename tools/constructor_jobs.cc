// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Rows of constructor_table.h: job descriptors. Those of requests come with the S/G table that the driver makes.
#include <array>

#include "desc/constructors/aead.h"
#include "desc/constructors/blob.h"
#include "desc/constructors/chachapoly.h"
#include "desc/constructors/gcm.h"
#include "desc/constructors/hash.h"
#include "desc/constructors/key_gen.h"
#include "desc/constructors/pkc.h"
#include "desc/constructors/rng.h"
#include "desc/constructors/skcipher.h"
#include "tools/constructor_table.h"

namespace caamlab::tools {
namespace {

using namespace desc;

constexpr unsigned kNonceLen = 4;

SharedJob shared_job(Params& p) {
  return {.sh_desc = p.address("sh_desc_dma"), .sh_len = static_cast<unsigned>(p.number("sh_desc_len", kMaxDescWords))};
}

RequestMemory memory(Params& p) {
  RequestMemory m{.src = p.segments("src"), .dst = std::nullopt, .table_addr = p.address("sec4_sg_dma")};
  if (p.has("dst")) m.dst = p.segments("dst");
  return m;
}

// -- AEAD -----------------------------------------------------------------------------------------------------------

struct AeadRequest {
  AeadJob job;
  SgTable table;
};
AeadRequest aead_request(Params& p) {
  AeadRequest r;
  const SharedJob shared = shared_job(p);
  r.job = {.sh_desc = shared.sh_desc,
           .sh_len = shared.sh_len,
           .assoclen = static_cast<uint32_t>(p.number("assoclen")),
           .encrypt = p.boolean("encrypt"),
           .era = static_cast<int>(p.number("era", 255))};
  const auto cryptlen = static_cast<uint32_t>(p.number("cryptlen"));
  const auto authsize = static_cast<uint32_t>(p.number("authsize", 255));
  if (!r.job.encrypt && cryptlen < authsize) p.fail("cryptlen", "does not hold the tag");
  const uint32_t in_len = r.job.assoclen + cryptlen;
  const uint32_t out_len = r.job.encrypt ? in_len + authsize : in_len - authsize;
  const RequestMemory m = memory(p);
  // In place the driver maps room for the tag as well.
  RequestLayout l = layout_aead(m, !m.dst && r.job.encrypt ? out_len : in_len, out_len);
  r.job.in = {.addr = l.in.addr, .len = in_len, .sgf = l.in.sgf};
  r.job.out = {.addr = l.out.addr, .len = out_len, .sgf = l.out.sgf};
  r.table = std::move(l.table);
  return r;
}

std::optional<SgTable> build_gcm_job(BuildContext& c) {
  AeadRequest r = aead_request(c.p);
  GcmJob job{.aead = r.job, .salt = {}, .iv = c.p.bytes("iv")};
  const unsigned keylen = static_cast<unsigned>(c.p.number("cdata_keylen", 64));
  if (job.iv.size() != 12) {  // rfc4106, rfc4543
    const ByteSpan key = c.p.bytes("user_key");
    if (key.size() < keylen + kNonceLen)
      c.p.fail("user_key", "4 bytes of salt have to follow the key");
    else
      job.salt = key.subspan(keylen, kNonceLen);
  }
  if (!c.p.error()) init_gcm_job(c.d, job);
  return std::move(r.table);
}

std::optional<SgTable> build_chachapoly_job(BuildContext& c) {
  AeadRequest r = aead_request(c.p);
  const ByteSpan iv = c.p.bytes("iv");
  if (!c.p.error()) init_chachapoly_job(c.d, {.aead = r.job, .iv = iv});
  return std::move(r.table);
}

std::optional<SgTable> build_authenc_job(BuildContext& c) {
  AeadRequest r = aead_request(c.p);
  const bool rfc3686 = c.p.boolean_or("rfc3686", false), geniv = c.p.boolean_or("geniv", false);
  const auto op = decode_as<AlgOperation>(static_cast<uint32_t>(c.p.number("cdata_algtype")));
  AuthencJob job{.aead = r.job, .iv = {}, .ctx1_iv_off = 0};
  if ((rfc3686 && r.job.encrypt) || !geniv) job.iv = c.p.bytes("iv");
  if (op.alg == Alg::kAes && op.aai == aai::kCtrMod128) job.ctx1_iv_off = rfc3686 ? 16 + kNonceLen : 16;
  if (!c.p.error()) init_authenc_job(c.d, job);
  return std::move(r.table);
}

// -- ciphers --------------------------------------------------------------------------------------------------------

std::optional<SgTable> build_skcipher_job(BuildContext& c) {
  const auto ivsize = static_cast<uint32_t>(c.p.number("ivsize", 255));
  const auto cryptlen = static_cast<uint32_t>(c.p.number("cryptlen"));
  RequestLayout l =
      layout_skcipher(memory(c.p), cryptlen, {.addr = c.p.number_or("iv_dma", 0, UINT64_MAX), .len = ivsize});
  l.in.len = l.out.len = cryptlen + ivsize;
  const SkcipherJob job{.shared = shared_job(c.p), .in = l.in, .out = l.out};
  if (!c.p.error()) init_skcipher_job(c.d, job);
  return std::move(l.table);
}

// -- hashes ---------------------------------------------------------------------------------------------------------

// Which parts of the state a request of the kernel's driver reads and writes.
struct HashRequestKind {
  bool ctx_in;        // the saved context is input
  bool buffer;        // so are the bytes buffered in the state
  bool source;        // so is the caller's data
  bool digest_out;    // the digest is output; otherwise the context
  bool always_table;  // the driver makes a table even for a single piece
};

template <HashRequestKind kKind>
std::optional<SgTable> build_ahash_job(BuildContext& c) {
  Params& p = c.p;
  const auto buflen = static_cast<uint32_t>(kKind.buffer ? p.number("buflen", 1024) : 0);
  const auto ctx_len = static_cast<uint32_t>(p.number("ctx_len", 255));
  const auto kept = static_cast<uint32_t>(kKind.source ? p.number_or("next_buflen", 0) : 0);
  const auto nbytes = static_cast<uint32_t>(kKind.source ? p.number("nbytes") : 0);
  if (kept > nbytes) p.fail("next_buflen", "more than nbytes");

  const std::vector<Segment> src = kKind.source ? p.segments("src") : std::vector<Segment>{};
  SgTable table;
  if (kKind.ctx_in) table.push_back({.addr = p.address("ctx_dma"), .len = ctx_len});
  if (buflen != 0) table.push_back({.addr = p.address("buf_dma"), .len = buflen});
  append_segments(table, src, nbytes - kept);
  uint32_t in_len = 0;
  for (const SgEntry& e : table) in_len += e.len;

  AhashJob job{.shared = shared_job(p), .in = std::nullopt, .out = {.addr = p.address("ctx_dma"), .len = ctx_len}};
  if (kKind.digest_out) job.out.len = static_cast<uint32_t>(p.number("digestsize", 255));
  if (table.size() > 1 || (kKind.always_table && !table.empty())) {
    job.in = {.addr = p.address("sec4_sg_dma"), .len = in_len, .sgf = true};
    set_final(table);
    pad_table(table);
  } else {
    // A hash of nothing: final has no input sequence, digest an empty one at the first piece of its source.
    if (!table.empty())
      job.in = {.addr = table[0].addr, .len = in_len, .sgf = false};
    else if (!src.empty())
      job.in = {.addr = src[0].addr};
    table.clear();
  }
  if (!p.error()) init_ahash_job(c.d, job);
  return table;
}

// -- RSA ------------------------------------------------------------------------------------------------------------

// The input, led by zeros up to the modulus' length; where the output is in pieces their table follows.
std::optional<SgTable> rsa_table(Params& p) {
  if (!p.has("src")) return std::nullopt;
  const auto n_sz = static_cast<uint32_t>(p.number("n_sz", 4096)), src_len = static_cast<uint32_t>(p.number("src_len"));
  const auto fixed_len = static_cast<uint32_t>(p.number("fixup_src_len"));
  std::vector<Segment> src = p.segments("src");
  // Leading zeros that the driver leaves out.
  uint32_t skip = src_len - fixed_len;
  while (skip != 0 && !src.empty()) {
    const uint32_t piece = std::min(skip, src.front().len);
    src.front().addr += piece;
    src.front().len -= piece;
    if (src.front().len == 0) src.erase(src.begin());
    skip -= piece;
  }
  const uint32_t padding = src_len < n_sz ? n_sz - src_len : 0;
  SgTable table;
  if (padding != 0) table.push_back({.addr = p.address("padding_dma"), .len = padding});
  if (padding != 0 || segments_for(src, fixed_len) > 1) {
    append_segments(table, src, fixed_len);
    set_final(table);
  }
  const std::vector<Segment> dst = p.segments("dst");
  const auto dst_len = static_cast<uint32_t>(p.number("dst_len"));
  if (segments_for(dst, dst_len) > 1) {
    const size_t first = table.size();
    append_segments(table, dst, dst_len);
    set_final(table);
    pad_table(table, first);
  } else {
    pad_table(table);
  }
  return table;
}

std::optional<SgTable> build_rsa_pub(BuildContext& c) {
  Params q = c.p.object("pdb");
  const RsaPubPdb pdb{.word = decode_as<RsaPubWord>(static_cast<uint32_t>(q.number("sgf"))),
                      .f = q.address("f_dma"),
                      .g = q.address("g_dma"),
                      .n = q.address("n_dma"),
                      .e = q.address("e_dma"),
                      .f_len = static_cast<uint32_t>(q.number("f_len"))};
  auto table = rsa_table(c.p);
  if (!c.p.error()) init_rsa_pub_desc(c.d, pdb);
  return table;
}

RsaPrivWord priv_word(Params& q) { return decode_as<RsaPrivWord>(static_cast<uint32_t>(q.number("sgf"))); }
RsaPrimeLengths prime_lengths(Params& q) {
  return decode_as<RsaPrimeLengths>(static_cast<uint32_t>(q.number("p_q_len")));
}

std::optional<SgTable> build_rsa_priv_f1(BuildContext& c) {
  Params q = c.p.object("pdb");
  const RsaPrivF1Pdb pdb{.word = priv_word(q),
                         .g = q.address("g_dma"),
                         .f = q.address("f_dma"),
                         .n = q.address("n_dma"),
                         .d = q.address("d_dma")};
  auto table = rsa_table(c.p);
  if (!c.p.error()) init_rsa_priv_f1_desc(c.d, pdb);
  return table;
}

std::optional<SgTable> build_rsa_priv_f2(BuildContext& c) {
  Params q = c.p.object("pdb");
  const RsaPrivF2Pdb pdb{.word = priv_word(q),
                         .g = q.address("g_dma"),
                         .f = q.address("f_dma"),
                         .d = q.address("d_dma"),
                         .p = q.address("p_dma"),
                         .q = q.address("q_dma"),
                         .tmp1 = q.address("tmp1_dma"),
                         .tmp2 = q.address("tmp2_dma"),
                         .lengths = prime_lengths(q)};
  auto table = rsa_table(c.p);
  if (!c.p.error()) init_rsa_priv_f2_desc(c.d, pdb);
  return table;
}

std::optional<SgTable> build_rsa_priv_f3(BuildContext& c) {
  Params q = c.p.object("pdb");
  const RsaPrivF3Pdb pdb{.word = priv_word(q),
                         .g = q.address("g_dma"),
                         .f = q.address("f_dma"),
                         .c = q.address("c_dma"),
                         .p = q.address("p_dma"),
                         .q = q.address("q_dma"),
                         .dp = q.address("dp_dma"),
                         .dq = q.address("dq_dma"),
                         .tmp1 = q.address("tmp1_dma"),
                         .tmp2 = q.address("tmp2_dma"),
                         .lengths = prime_lengths(q)};
  auto table = rsa_table(c.p);
  if (!c.p.error()) init_rsa_priv_f3_desc(c.d, pdb);
  return table;
}

// -- the rest -------------------------------------------------------------------------------------------------------

std::optional<SgTable> build_instantiation(BuildContext& c) {
  const auto handle = static_cast<unsigned>(c.p.number("handle", 1));
  const bool do_sk = c.p.boolean("do_sk");
  if (!c.p.error()) build_instantiation_desc(c.d, handle, do_sk);
  return std::nullopt;
}

std::optional<SgTable> build_deinstantiation(BuildContext& c) {
  const auto handle = static_cast<unsigned>(c.p.number("handle", 1));
  if (!c.p.error()) build_deinstantiation_desc(c.d, handle);
  return std::nullopt;
}

using RngConstructor = void (*)(Builder&, uint64_t, unsigned);
template <RngConstructor kConstructor>
std::optional<SgTable> build_rng(BuildContext& c) {
  const uint64_t dst = c.p.address("dst_dma");
  const auto len = static_cast<unsigned>(c.p.number("len", 0xFFFF));
  if (!c.p.error()) kConstructor(c.d, dst, len);
  return std::nullopt;
}

std::optional<SgTable> build_reseed(BuildContext& c) {
  caam_init_reseed_desc(c.d);
  return std::nullopt;
}

Alg alg_param(Params& p) { return decode_as<AlgOperation>(static_cast<uint32_t>(p.number("adata_algtype"))).alg; }

std::optional<SgTable> build_split_key(BuildContext& c) {
  const Alg alg = alg_param(c.p);
  const uint64_t key = c.p.address("key_dma");
  const auto keylen = static_cast<unsigned>(c.p.number("keylen", 0x3FF));
  if (!c.p.error()) gen_split_key(c.d, alg, key, keylen);
  return std::nullopt;
}

std::optional<SgTable> build_digest_key(BuildContext& c) {
  const Alg alg = alg_param(c.p);
  const uint64_t key = c.p.address("key_dma");
  const auto keylen = static_cast<unsigned>(c.p.number("keylen", 0xFFFF));
  const auto digestsize = static_cast<unsigned>(c.p.number("digestsize", 64));
  if (!c.p.error()) hash_digest_key(c.d, alg, key, keylen, digestsize);
  return std::nullopt;
}

std::optional<SgTable> build_blob(BuildContext& c) {
  const BlobJob job{.encap = c.p.boolean("encap"),
                    .key_mod = c.p.bytes("key_mod"),
                    .in = c.p.address("dma_in"),
                    .input_len = static_cast<uint32_t>(c.p.number("input_len")),
                    .out = c.p.address("dma_out")};
  if (job.key_mod.size() > kBlobKeyModBytes) c.p.fail("key_mod", "at most 16 bytes");
  if (!job.encap && job.input_len < kBlobOverhead) c.p.fail("input_len", "a blob has at least 48 bytes");
  if (!c.p.error()) caam_process_blob(c.d, job);
  return std::nullopt;
}

constexpr ConstructorRow kRows[] = {
    {"init_gcm_job", "one gcm, rfc4106 or rfc4543 request", ParamSet::kAeadJob, build_gcm_job},
    {"init_chachapoly_job", "one rfc7539 or rfc7539esp request", ParamSet::kAeadJob, build_chachapoly_job},
    {"init_authenc_job", "one authenc request", ParamSet::kAeadJob, build_authenc_job},
    {"init_skcipher_job", "one cipher request", ParamSet::kSkcipherJob, build_skcipher_job},
    {"ahash_update_ctx", "hash request: update with a saved context", ParamSet::kAhashJob,
     build_ahash_job<HashRequestKind{true, true, true, false, true}>},
    {"ahash_final_ctx", "hash request: final with a saved context", ParamSet::kAhashJob,
     build_ahash_job<HashRequestKind{true, true, false, true, true}>},
    {"ahash_finup_ctx", "hash request: finup with a saved context", ParamSet::kAhashJob,
     build_ahash_job<HashRequestKind{true, true, true, true, true}>},
    {"ahash_digest", "hash request: digest", ParamSet::kAhashJob,
     build_ahash_job<HashRequestKind{false, false, true, true, false}>},
    {"ahash_final_no_ctx", "hash request: final of buffered bytes", ParamSet::kAhashJob,
     build_ahash_job<HashRequestKind{false, true, false, true, false}>},
    {"ahash_update_no_ctx", "hash request: first update with buffered bytes", ParamSet::kAhashJob,
     build_ahash_job<HashRequestKind{false, true, true, false, true}>},
    {"ahash_finup_no_ctx", "hash request: finup with buffered bytes", ParamSet::kAhashJob,
     build_ahash_job<HashRequestKind{false, true, true, true, true}>},
    {"ahash_update_first", "hash request: first update", ParamSet::kAhashJob,
     build_ahash_job<HashRequestKind{false, false, true, false, false}>},
    {"hash_digest_key", "HMAC key longer than a block: its digest", ParamSet::kSplitKey, build_digest_key},
    {"gen_split_key", "HMAC key to encrypted split key (before era 6)", ParamSet::kSplitKey, build_split_key},
    {"init_rsa_pub_desc", "RSA encryption, verification", ParamSet::kRsa, build_rsa_pub},
    {"init_rsa_priv_f1_desc", "RSA decryption, signature with n, d", ParamSet::kRsa, build_rsa_priv_f1},
    {"init_rsa_priv_f2_desc", "RSA decryption, signature with p, q, d", ParamSet::kRsa, build_rsa_priv_f2},
    {"init_rsa_priv_f3_desc", "RSA decryption, signature with p, q, dp, dq, c", ParamSet::kRsa, build_rsa_priv_f3},
    {"build_instantiation_desc", "RNG: instantiate a state handle", ParamSet::kRngHandle, build_instantiation},
    {"build_deinstantiation_desc", "RNG: uninstantiate a state handle", ParamSet::kRngHandle, build_deinstantiation},
    {"caam_init_desc", "RNG: random bytes, freshly reseeded", ParamSet::kRngBytes, build_rng<caam_init_desc>},
    {"caam_init_prng_desc", "RNG: random bytes", ParamSet::kRngBytes, build_rng<caam_init_prng_desc>},
    {"caam_init_reseed_desc", "RNG: reseed", ParamSet::kNone, build_reseed},
    {"caam_process_blob", "blob: wrap, unwrap", ParamSet::kBlob, build_blob},
};

}  // namespace

std::span<const ConstructorRow> job_constructors() { return kRows; }

}  // namespace caamlab::tools
