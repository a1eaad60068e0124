// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Rows of constructor_table.h: shared descriptors.
#include "desc/constructors/aead.h"
#include "desc/constructors/chachapoly.h"
#include "desc/constructors/gcm.h"
#include "desc/constructors/hash.h"
#include "desc/constructors/sk_hash.h"
#include "desc/constructors/skcipher.h"
#include "tools/constructor_table.h"

namespace caamlab::tools {
namespace {

using namespace desc;

constexpr uint64_t kMaxLoad = 0xFF;  // bytes that one LOAD or STORE can move
constexpr unsigned kNonceLen = 4;

Via via(Params& p) { return p.boolean_or("is_qi", false) ? Via::kQueueInterface : Via::kJobRing; }
unsigned size_param(Params& p, std::string_view key) { return static_cast<unsigned>(p.number(key, kMaxLoad)); }
int era(Params& p) { return static_cast<int>(p.number("era", 255)); }

// What has to lie behind the key: a salt or nonce.
void want_tail(Params& p, const AlgInfo& info) {
  if (info.key.size() < info.keylen + kNonceLen) p.fail("cdata.key", "4 bytes of salt or nonce have to follow the key");
}

using GcmConstructor = void (*)(Builder&, const AlgInfo&, const GcmParams&);
template <GcmConstructor kConstructor, bool kSalt>
std::optional<SgTable> build_gcm(BuildContext& c) {
  const AlgInfo cdata = c.p.alg_info("cdata");
  const GcmParams params{.ivsize = size_param(c.p, "ivsize"),
                         .icvsize = size_param(c.p, "icvsize"),
                         .via = via(c.p),
                         .share = c.share_or(ShareMode::kSerial)};
  if (kSalt && params.via == Via::kQueueInterface) want_tail(c.p, cdata);
  if (!c.p.error()) kConstructor(c.d, cdata, params);
  return std::nullopt;
}

using SkcipherConstructor = void (*)(Builder&, const AlgInfo&, const SkcipherParams&);
template <SkcipherConstructor kConstructor>
std::optional<SgTable> build_skcipher(BuildContext& c) {
  const AlgInfo cdata = c.p.alg_info("cdata");
  const SkcipherParams params{.ivsize = size_param(c.p, "ivsize"),
                              .rfc3686 = c.p.boolean_or("is_rfc3686", false),
                              .ctx1_iv_off = size_param(c.p, "ctx1_iv_off"),
                              .share = c.share_or(ShareMode::kSerial)};
  if (params.rfc3686) want_tail(c.p, cdata);
  if (cdata.key.size() < cdata.keylen) c.p.fail("cdata.key", "the key is always inline: all its bytes are needed");
  if (!c.p.error()) kConstructor(c.d, cdata, params);
  return std::nullopt;
}

using XtsConstructor = void (*)(Builder&, const AlgInfo&, ShareMode);
template <XtsConstructor kConstructor>
std::optional<SgTable> build_xts(BuildContext& c) {
  const AlgInfo cdata = c.p.alg_info("cdata");
  if (cdata.key.size() < cdata.keylen) c.p.fail("cdata.key", "the key is always inline: all its bytes are needed");
  if (!c.p.error()) kConstructor(c.d, cdata, c.share_or(ShareMode::kSerial));
  return std::nullopt;
}

// Before era 6 an inline key lies in the descriptor with its padding.
AlgInfo auth_info(Params& p, int era, bool always_inline = false) {
  const AlgInfo adata = p.alg_info("adata");
  if (era < 6 && (adata.key_inline || always_inline) && adata.key.size() < adata.keylen_pad)
    p.fail("adata.key", "fewer bytes than keylen_pad: before era 6 the padded split key is needed");
  return adata;
}

using AeadConstructor = void (*)(Builder&, const AlgInfo&, const AlgInfo&, const AeadParams&);
template <AeadConstructor kConstructor>
std::optional<SgTable> build_aead(BuildContext& c) {
  const AlgInfo cdata = c.p.alg_info("cdata");
  AeadParams params{.ivsize = size_param(c.p, "ivsize"),
                    .icvsize = size_param(c.p, "icvsize"),
                    .geniv = c.p.boolean_or("geniv", false),
                    .rfc3686 = c.p.boolean_or("is_rfc3686", false),
                    .ctx1_iv_off = size_param(c.p, "ctx1_iv_off"),
                    .via = via(c.p),
                    .era = era(c.p),
                    .share = c.share_or(ShareMode::kSerial)};
  const AlgInfo adata = auth_info(c.p, params.era);
  if (params.rfc3686) {
    params.nonce = c.p.bytes("nonce");
    if (params.nonce.size() != kNonceLen) c.p.fail("nonce", "4 bytes are wanted");
    if (cdata.keylen < kNonceLen) c.p.fail("cdata.keylen", "has to count the 4 bytes of the nonce");
  }
  if (!c.p.error()) kConstructor(c.d, cdata, adata, params);
  return std::nullopt;
}

using AeadNullConstructor = void (*)(Builder&, const AlgInfo&, const AeadNullParams&);
template <AeadNullConstructor kConstructor>
std::optional<SgTable> build_aead_null(BuildContext& c) {
  const AeadNullParams params{
      .icvsize = size_param(c.p, "icvsize"), .era = era(c.p), .share = c.share_or(ShareMode::kSerial)};
  const AlgInfo adata = auth_info(c.p, params.era);
  if (!c.p.error()) kConstructor(c.d, adata, params);
  return std::nullopt;
}

std::optional<SgTable> build_chachapoly(BuildContext& c) {
  const AlgInfo cdata = c.p.alg_info("cdata"), adata = c.p.alg_info("adata");
  const ChaChaPolyParams params{.ivsize = size_param(c.p, "ivsize"),
                                .icvsize = size_param(c.p, "icvsize"),
                                .encrypt = c.p.boolean("encap"),
                                .via = via(c.p),
                                .share = c.share_or(ShareMode::kSerial)};
  if (params.ivsize != kChaChaPolyIvSize) want_tail(c.p, cdata);
  if (cdata.key.size() < cdata.keylen) c.p.fail("cdata.key", "the key is always inline: all its bytes are needed");
  if (!c.p.error()) cnstr_shdsc_chachapoly(c.d, cdata, adata, params);
  return std::nullopt;
}

// OP_ALG_AS_*, as it stands in the OPERATION.
AlgState state(Params& p) { return decode_as<AlgOperation>(static_cast<uint32_t>(p.number("state"))).as; }

std::optional<SgTable> build_ahash(BuildContext& c) {
  const AhashParams params{.state = state(c.p),
                           .digestsize = size_param(c.p, "digestsize"),
                           .ctx_len = size_param(c.p, "ctx_len"),
                           .import_ctx = c.p.boolean("import_ctx"),
                           .era = era(c.p),
                           .share = c.share_or(ShareMode::kSerial)};
  const AlgInfo adata = auth_info(c.p, params.era, /*always_inline=*/true);
  if (!c.p.error()) cnstr_shdsc_ahash(c.d, adata, params);
  return std::nullopt;
}

std::optional<SgTable> build_sk_hash(BuildContext& c) {
  const AlgInfo adata = c.p.alg_info("adata");
  const SkHashParams params{.state = state(c.p),
                            .digestsize = size_param(c.p, "digestsize"),
                            .ctx_len = size_param(c.p, "ctx_len"),
                            .share = c.share_or(ShareMode::kSerial)};
  const bool black_k1 =
      adata.op.aai == aai::kXcbcMac && (params.state == AlgState::kUpdate || params.state == AlgState::kFinal);
  if (!black_k1 && adata.key.size() < adata.keylen) c.p.fail("adata.key", "fewer bytes than keylen");
  if (!c.p.error()) cnstr_shdsc_sk_hash(c.d, adata, params);
  return std::nullopt;
}

constexpr ConstructorRow kRows[] = {
    {"cnstr_shdsc_aead_null_encap", "HMAC without encryption: authenticate and copy", ParamSet::kAeadNull,
     build_aead_null<cnstr_shdsc_aead_null_encap>},
    {"cnstr_shdsc_aead_null_decap", "HMAC without encryption: verify and copy", ParamSet::kAeadNull,
     build_aead_null<cnstr_shdsc_aead_null_decap>},
    {"cnstr_shdsc_aead_encap", "authenc: cipher, then HMAC", ParamSet::kAead, build_aead<cnstr_shdsc_aead_encap>},
    {"cnstr_shdsc_aead_decap", "authenc: HMAC verified, deciphered", ParamSet::kAead,
     build_aead<cnstr_shdsc_aead_decap>},
    {"cnstr_shdsc_aead_givencap", "authenc: encryption with an IV made by the SEC", ParamSet::kAead,
     build_aead<cnstr_shdsc_aead_givencap>},
    {"cnstr_shdsc_gcm_encap", "gcm(aes) encryption", ParamSet::kGcm, build_gcm<cnstr_shdsc_gcm_encap, false>},
    {"cnstr_shdsc_gcm_decap", "gcm(aes) decryption", ParamSet::kGcm, build_gcm<cnstr_shdsc_gcm_decap, false>},
    {"cnstr_shdsc_rfc4106_encap", "rfc4106(gcm(aes)) encryption", ParamSet::kGcm,
     build_gcm<cnstr_shdsc_rfc4106_encap, true>},
    {"cnstr_shdsc_rfc4106_decap", "rfc4106(gcm(aes)) decryption", ParamSet::kGcm,
     build_gcm<cnstr_shdsc_rfc4106_decap, true>},
    {"cnstr_shdsc_rfc4543_encap", "rfc4543(gcm(aes)): authenticate and copy", ParamSet::kGcm,
     build_gcm<cnstr_shdsc_rfc4543_encap, true>},
    {"cnstr_shdsc_rfc4543_decap", "rfc4543(gcm(aes)): verify and copy", ParamSet::kGcm,
     build_gcm<cnstr_shdsc_rfc4543_decap, true>},
    {"cnstr_shdsc_chachapoly", "rfc7539 and rfc7539esp (ChaCha20-Poly1305)", ParamSet::kChaChaPoly, build_chachapoly},
    {"cnstr_shdsc_skcipher_encap", "cbc, ctr, rfc3686, ecb, chacha20 encryption", ParamSet::kSkcipher,
     build_skcipher<cnstr_shdsc_skcipher_encap>},
    {"cnstr_shdsc_skcipher_decap", "cbc, ctr, rfc3686, ecb, chacha20 decryption", ParamSet::kSkcipher,
     build_skcipher<cnstr_shdsc_skcipher_decap>},
    {"cnstr_shdsc_xts_skcipher_encap", "xts(aes) encryption", ParamSet::kXts,
     build_xts<cnstr_shdsc_xts_skcipher_encap>},
    {"cnstr_shdsc_xts_skcipher_decap", "xts(aes) decryption", ParamSet::kXts,
     build_xts<cnstr_shdsc_xts_skcipher_decap>},
    {"cnstr_shdsc_ahash", "hash and HMAC: update, first update, final, digest", ParamSet::kAhash, build_ahash},
    {"cnstr_shdsc_sk_hash", "cmac(aes), xcbc(aes)", ParamSet::kSkHash, build_sk_hash},
};

}  // namespace

std::span<const ConstructorRow> shared_constructors() { return kRows; }

}  // namespace caamlab::tools
