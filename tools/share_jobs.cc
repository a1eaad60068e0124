// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See share_jobs.h. Families by parameter set; what they have in common is FlowMaker's.
#include "tools/share_jobs.h"

#include <fmt/format.h>

#include <algorithm>

#include "desc/constructors/chachapoly.h"
#include "desc/constructors/gcm.h"
#include "desc/constructors/skcipher.h"
#include "tools/alg_names.h"
#include "tools/share_flow_maker.h"

namespace caamlab::tools {

using namespace desc;
using nlohmann::json;

// -- aead ---------------------------------------------------------------------------------------------------------

namespace {

struct AeadFamily {
  std::string name{};  // of the software
  Bytes key{};         // as its setkey takes it
  Bytes salt{};        // of the GCM job
  unsigned ivsize = 12, authsize = 16, block = 1, ctx1_iv_off = 0;
  bool encrypt = true;
  bool ipsec = false;  // the AAD ends with the IV
  bool geniv = false;  // the IV stands in front of the text
  bool rfc3686 = false;
  int era = 10;
  ParamSet job = ParamSet::kGcm;
};

Descriptor job_words(const FlowMaker& m, const AeadFamily& f, const AeadJob& aead, const Bytes& iv) {
  Builder d(m.target());
  if (f.job == ParamSet::kGcm)
    init_gcm_job(d, {.aead = aead, .salt = f.salt, .iv = iv});
  else if (f.job == ParamSet::kChaChaPoly)
    init_chachapoly_job(d, {.aead = aead, .iv = iv});
  else
    init_authenc_job(d, {.aead = aead,
                         .iv = (f.rfc3686 && f.encrypt) || !f.geniv ? ByteSpan(iv) : ByteSpan(),
                         .ctx1_iv_off = f.ctx1_iv_off});
  return *d.finish();
}

Result<ShareJob> aead_job(FlowMaker& m, Witness& w, const AeadFamily& f) {
  AeadText t{.name = f.name, .key = f.key, .iv = m.random(f.ivsize), .aad = {}, .text = {}, .authsize = f.authsize};
  // What a device that makes the IV makes of random bytes that are all the same.
  if (f.geniv && f.encrypt && !f.rfc3686) t.iv.assign(f.ivsize, kPadByte);
  t.aad = m.random(f.ipsec ? (m.below(2) == 0 ? 8 : 12) : m.below(40));
  if (f.ipsec) t.aad.insert(t.aad.end(), t.iv.begin(), t.iv.end());
  t.text = m.random((1 + m.below(128 / f.block)) * f.block);
  const size_t assoclen = t.aad.size();
  if (f.geniv) t.aad.insert(t.aad.end(), t.iv.begin(), t.iv.end());
  auto sealed = w.seal(t);
  if (!sealed) return tl::unexpected<Error>(sealed.error());

  const Bytes aad(t.aad.begin(), t.aad.begin() + static_cast<ptrdiff_t>(assoclen));
  const Bytes in_front = f.geniv ? t.iv : Bytes{};
  const Bytes& text = f.encrypt ? t.text : *sealed;
  // The room for a generated IV holds something else before.
  const Bytes in = joined({aad, f.geniv && f.encrypt ? m.random(f.ivsize) : in_front, text});
  const Bytes& out = f.encrypt ? *sealed : t.text;
  const auto in_len = static_cast<uint32_t>(in.size());
  const auto out_len = static_cast<uint32_t>(assoclen + in_front.size() + out.size());
  const AeadJob job{.sh_desc = m.flow().shared_addr,
                    .sh_len = m.shared_words(),
                    .in = {.addr = m.in_addr(), .len = in_len},
                    .out = {.addr = m.out_addr(), .len = out_len},
                    .assoclen = static_cast<uint32_t>(assoclen),
                    .encrypt = f.encrypt,
                    .era = f.era};
  return m.job(job_words(m, f, job, t.iv), in, m.out_addr() + assoclen + in_front.size(), out);
}

Result<std::string> aead_flow(FlowMaker& m, Witness& w, const AeadFamily& f, unsigned jobs) {
  for (unsigned i = 0; i < jobs; ++i) {
    auto job = aead_job(m, w, f);
    if (!job) return tl::unexpected<Error>(job.error());
    m.flow().jobs.push_back(std::move(*job));
  }
  return f.name;
}

bool decrypts(std::string_view constructor) { return constructor.find("decap") != std::string_view::npos; }

AeadFamily gcm_family(FlowMaker& m, std::string_view row, Params& p) {
  AeadFamily f{.ivsize = 12, .authsize = static_cast<unsigned>(p.number("icvsize")), .encrypt = !decrypts(row)};
  f.key = m.key("cdata");
  f.ipsec = row.find("rfc") != std::string_view::npos;
  if (!f.ipsec) {
    f.name = "gcm(aes)";
    return f;
  }
  f.name = row.find("rfc4106") != std::string_view::npos ? "rfc4106(gcm(aes))" : "rfc4543(gcm(aes))";
  f.ivsize = 8;
  f.salt = m.random(4);
  f.key = joined({f.key, f.salt});
  return f;
}

AeadFamily chachapoly_family(FlowMaker& m, Params& p) {
  AeadFamily f{.name = "rfc7539(chacha20,poly1305)", .job = ParamSet::kChaChaPoly};
  f.ivsize = static_cast<unsigned>(p.number("ivsize"));
  f.authsize = static_cast<unsigned>(p.number("icvsize"));
  f.encrypt = p.boolean("encap");
  f.key = m.key("cdata");
  if (f.ivsize == kChaChaPolyIvSize) return f;
  f.name = "rfc7539esp(chacha20,poly1305)";
  f.ipsec = true;
  f.key = joined({f.key, m.tail("cdata")});
  return f;
}

Result<AeadFamily> authenc_family(FlowMaker& m, std::string_view row, Params& p) {
  AeadFamily f{.authsize = static_cast<unsigned>(p.number("icvsize")),
               .encrypt = !decrypts(row),
               .era = static_cast<int>(p.number("era")),
               .job = ParamSet::kAead};
  const HashRow* hash = m.hash();
  if (hash == nullptr) return fail(ErrorCode::kMalformed, "adata: no hash that the kernel's driver uses");
  const Bytes auth_key = m.hmac_key();
  std::string cipher = "ecb(cipher_null)";
  Bytes key;
  f.ivsize = 0;
  if (p.has("cdata")) {
    const CipherRow* c = m.cipher();
    if (c == nullptr) return fail(ErrorCode::kMalformed, "cdata: no cipher that the kernel's driver uses");
    cipher = c->name;
    f.ivsize = c->ivsize;
    f.block = c->aai == aai::kCtrMod128 ? 1 : c->alg == Alg::kAes ? 16 : 8;
    f.ctx1_iv_off = c->ctx1_iv_off;
    f.rfc3686 = c->rfc3686;
    key = m.key("cdata");
  }
  f.geniv = p.boolean_or("geniv", false) || row.find("givencap") != std::string_view::npos;
  f.name = fmt::format("authenc(hmac({}),{})", hash->name, cipher);
  f.key = api::crypto_authenc_make_key(auth_key, key);
  return f;
}

// -- ciphers ------------------------------------------------------------------------------------------------------

Result<std::string> cipher_flow(FlowMaker& m, Witness& w, std::string_view row, unsigned jobs) {
  const CipherRow* c = m.cipher();
  if (c == nullptr) return fail(ErrorCode::kMalformed, "cdata: no cipher that the kernel's driver uses");
  const bool xts = c->aai == aai::kXts && c->alg == Alg::kAes;
  const bool stream = c->aai == aai::kCtrMod128 || c->alg == Alg::kChaCha20;
  const size_t block = stream ? 1 : c->alg == Alg::kAes ? 16 : 8;
  Bytes key = m.key("cdata");
  if (c->rfc3686) key = joined({key, m.tail("cdata")});
  for (unsigned i = 0; i < jobs; ++i) {
    CipherText t{.name = std::string(c->name),
                 .key = key,
                 .iv = m.random(c->ivsize),
                 .text = m.random((1 + m.below(128 / block)) * block),
                 .encrypt = !decrypts(row)};
    // Parts before era 9 take tweaks of 64 bits.
    if (xts) std::fill(t.iv.begin() + 8, t.iv.end(), uint8_t{0});
    auto right = w.cipher(t);
    if (!right) return tl::unexpected<Error>(right.error());
    const auto len = static_cast<uint32_t>(t.iv.size() + t.text.size());
    Builder d(m.target());
    init_skcipher_job(d, {.shared = m.shared(), .in = {m.in_addr(), len}, .out = {m.out_addr(), len}});
    // What XTS and rfc3686 leave behind the text is for nobody to use; ChaCha20 leaves nothing.
    const bool chains = !xts && !c->rfc3686 && c->alg != Alg::kChaCha20;
    m.flow().jobs.push_back(m.job(*d.finish(), joined({t.iv, t.text}), m.out_addr(),
                                  chains ? joined({right->text, right->iv}) : right->text));
  }
  return std::string(c->name);
}

Result<std::string> flow_of(FlowMaker& m, Witness& w, const ConstructorRow& row, Params& p, unsigned jobs) {
  switch (row.params) {
    case ParamSet::kGcm:
      return aead_flow(m, w, gcm_family(m, row.name, p), jobs);
    case ParamSet::kChaChaPoly:
      return aead_flow(m, w, chachapoly_family(m, p), jobs);
    case ParamSet::kAead:
    case ParamSet::kAeadNull: {
      auto family = authenc_family(m, row.name, p);
      if (!family) return tl::unexpected<Error>(family.error());
      return aead_flow(m, w, *family, jobs);
    }
    case ParamSet::kSkcipher:
    case ParamSet::kXts:
      return cipher_flow(m, w, row.name, jobs);
    case ParamSet::kAhash:
    case ParamSet::kSkHash:
      return hash_flow(m, w, row, p, jobs);
    default:
      return fail(ErrorCode::kMalformed, fmt::format("{} makes a job descriptor: nothing is shared", row.name));
  }
}

}  // namespace

Result<MadeFlow> make_flow(const ConstructorRow& row, const json& params, const MakeFlowOptions& options) {
  auto witness = Witness::make();
  if (!witness) return tl::unexpected<Error>(witness.error());
  FlowMaker maker(row, params, options.seed);
  Params p(maker.params(), "params");
  if (p.boolean_or("is_qi", false))
    return fail(ErrorCode::kMalformed,
                "jobs of the queue interface, whose frames begin with assoclen and IV, are not made here");
  if (auto error = maker.build()) return tl::unexpected<Error>(*error);
  auto name = flow_of(maker, *witness, row, p, options.jobs);
  if (p.error()) return tl::unexpected<Error>(*p.error());
  if (!name) return tl::unexpected<Error>(name.error());
  return MadeFlow{std::move(maker.flow()), std::move(*name)};
}

}  // namespace caamlab::tools
