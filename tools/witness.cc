// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See witness.h.
#include "tools/witness.h"

#include <fmt/format.h>

#include "api/aead.h"
#include "api/ahash.h"
#include "api/errno.h"
#include "api/skcipher.h"

namespace caamlab::tools {
namespace {

using api::SgTable;

tl::unexpected<desc::Error> failed(const std::string& name, std::string_view step, int err) {
  return desc::fail(desc::ErrorCode::kMalformed, fmt::format("software {}: {}: {}", name, step, api::errno_text(err)));
}

// All are synchronous: no request waits.
constexpr uint32_t kSync = api::CRYPTO_ALG_ASYNC;

Bytes joined(const Bytes& a, const Bytes& b) {
  Bytes out = a;
  out.insert(out.end(), b.begin(), b.end());
  return out;
}

}  // namespace

desc::Result<Witness> Witness::make() {
  LabOptions options;
  options.caam_driver = false;
  auto lab = Lab::make("ls1046a", std::move(options));
  if (!lab) return tl::unexpected<desc::Error>(lab.error());
  return Witness(std::move(*lab));
}

desc::Result<Bytes> Witness::seal(const AeadText& t) {
  auto tfm = api::crypto_alloc_aead(lab_->registry(), t.name, 0, kSync);
  if (!tfm) return failed(t.name, "there is none", tfm.error());
  if (const int err = crypto_aead_setkey(**tfm, t.key)) return failed(t.name, "setkey", err);
  if (const int err = crypto_aead_setauthsize(**tfm, t.authsize)) return failed(t.name, "tag size", err);
  Bytes data = joined(t.aad, t.text);
  data.resize(data.size() + t.authsize);
  Bytes iv = t.iv;
  const SgTable list = SgTable::split_at(data, {});
  auto req = aead_request_alloc(**tfm);
  aead_request_set_ad(*req, static_cast<uint32_t>(t.aad.size()));
  aead_request_set_crypt(*req, list, list, static_cast<uint32_t>(t.text.size()), iv.data());
  if (const int err = crypto_aead_encrypt(*req)) return failed(t.name, "encryption", err);
  return Bytes(data.begin() + static_cast<ptrdiff_t>(t.aad.size()), data.end());
}

desc::Result<CipherResult> Witness::cipher(const CipherText& t) {
  auto tfm = api::crypto_alloc_skcipher(lab_->registry(), t.name, 0, kSync);
  if (!tfm) return failed(t.name, "there is none", tfm.error());
  if (const int err = crypto_skcipher_setkey(**tfm, t.key)) return failed(t.name, "setkey", err);
  CipherResult r{.text = t.text, .iv = t.iv};
  const SgTable list = SgTable::split_at(r.text, {});
  auto req = skcipher_request_alloc(**tfm);
  skcipher_request_set_crypt(*req, list, list, static_cast<uint32_t>(t.text.size()), r.iv.data());
  if (const int err = t.encrypt ? crypto_skcipher_encrypt(*req) : crypto_skcipher_decrypt(*req))
    return failed(t.name, "the text", err);
  return r;
}

desc::Result<Bytes> Witness::digest(const std::string& name, const Bytes& key, const Bytes& message) {
  auto tfm = api::crypto_alloc_ahash(lab_->registry(), name, 0, kSync);
  if (!tfm) return failed(name, "there is none", tfm.error());
  if (!key.empty())
    if (const int err = crypto_ahash_setkey(**tfm, key)) return failed(name, "setkey", err);
  Bytes data = message, out(crypto_ahash_digestsize(**tfm));
  const SgTable list = SgTable::split_at(data, {});
  auto req = ahash_request_alloc(**tfm);
  ahash_request_set_crypt(*req, list, out.data(), static_cast<uint32_t>(data.size()));
  if (const int err = crypto_ahash_digest(*req)) return failed(name, "digest", err);
  return out;
}

}  // namespace caamlab::tools
