// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See rows.h.
#include "tests/driver/caam/rows.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "api/keys.h"

namespace caamlab::tests {
namespace {

using nlohmann::json;

constexpr uint32_t kSync = api::CRYPTO_ALG_ASYNC;  // in the mask: must be clear

std::vector<AlgRow> read_rows() {
  std::ifstream in("tests/golden/algorithms.json");
  std::vector<AlgRow> rows;
  const json golden = json::parse(in);
  for (const json& a : golden.at("sets").at("caam-jr").at("algorithms"))
    rows.push_back({.name = a.at("name"),
                    .driver = a.at("driver"),
                    .type = a.at("type"),
                    .blocksize = a.value("blocksize", 1u),
                    .ivsize = a.value("ivsize", 0u),
                    .keyed = a.value("keyed", false),
                    .geniv = a.value("geniv", false)});
  if (rows.size() != 84) throw std::runtime_error("tests/golden/algorithms.json has not the rows of the kernel");
  return rows;
}

bool has(const AlgRow& row, const char* part) { return row.name.find(part) != std::string::npos; }

Bytes joined(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// 3DES keys whose parts differ, AES keys by variant.
Bytes cipher_key(const AlgRow& row, unsigned variant) {
  if (has(row, "cipher_null")) return {};
  if (has(row, "des3_ede")) return random_bytes(24, 3 + variant);
  if (has(row, "(des)")) return random_bytes(8, 5 + variant);
  const size_t aes = std::array<size_t, 3>{16, 24, 32}[variant % 3];
  return random_bytes(aes + (has(row, "rfc3686") ? 4 : 0), 7 + variant);
}

std::string where(const char* step, size_t len, const Layout& layout) {
  return std::string(step) + ", " + std::to_string(len) + " bytes, " + layout.name;
}

std::string bytes_differ(const Bytes& got, const Bytes& want) {
  return got == want ? "" : ": got " + hex(got) + ", software has " + hex(want);
}

// The part of an aead's output that two implementations agree on: not the room for a generated IV on decryption.
Bytes text_of(const AlgRow& row, const Bytes& out) {
  const size_t skip = row.geniv ? std::min<size_t>(row.ivsize, out.size()) : 0;
  return {out.begin() + static_cast<ptrdiff_t>(skip), out.end()};
}

std::string compare_opening(const AlgRow& row, api::CryptoAead& tfm, AeadInput sealed, const Bytes& text,
                            const Layout& layout) {
  const Outcome opened = run_aead(tfm, Crypt::kDecrypt, sealed, layout);
  const std::string at = where("decrypt", text.size(), layout);
  if (opened.err != 0) return at + ": " + api::errno_text(opened.err);
  if (!opened.guards_intact) return at + ": bytes outside were touched";
  if (const auto diff = bytes_differ(text_of(row, opened.out), text_of(row, text)); !diff.empty()) return at + diff;
  sealed.text.back() ^= 0x10;
  const int err = run_aead(tfm, Crypt::kDecrypt, sealed, layout).err;
  return err == -EBADMSG ? "" : at + ": a wrong tag gives " + api::errno_text(err);
}

}  // namespace

const std::vector<AlgRow>& caam_rows() {
  static const std::vector<AlgRow> kRows = read_rows();
  return kRows;
}

std::vector<AlgRow> caam_rows_of(const std::string& type) {
  std::vector<AlgRow> rows;
  std::ranges::copy_if(caam_rows(), std::back_inserter(rows), [&](const AlgRow& row) { return row.type == type; });
  return rows;
}

const AlgRow& caam_row(const std::string& driver) {
  const auto row = std::ranges::find(caam_rows(), driver, &AlgRow::driver);
  if (row == caam_rows().end()) throw std::runtime_error("no row " + driver);
  return *row;
}

bool is_ipsec(const AlgRow& row) { return row.name.starts_with("rfc4") || has(row, "rfc7539esp"); }

Bytes key_for(const AlgRow& row, unsigned variant) {
  if (has(row, "authenc(")) {
    // HMAC keys shorter and longer than the split key of every hash.
    const size_t auth = std::array<size_t, 4>{20, 64, 1, 131}[variant % 4];
    return api::crypto_authenc_make_key(random_bytes(auth, 11 + variant), cipher_key(row, variant));
  }
  if (has(row, "7539")) return random_bytes(is_ipsec(row) ? 36 : 32, 13 + variant);
  if (has(row, "xts")) return random_bytes(variant % 2 == 0 ? 64 : 32, 17 + variant);
  if (row.type == "ahash" && !has(row, "(aes)"))
    return random_bytes(std::array<size_t, 5>{20, 64, 131, 1, 0}[variant % 5], 19 + variant);
  if (has(row, "xcbc")) return random_bytes(16, 23 + variant);
  Bytes key = cipher_key(row, variant);
  if (is_ipsec(row)) key = joined(key, random_bytes(4, 29));
  return key;
}

AeadInput aead_input(const AlgRow& row, size_t text_len, size_t aad_len, uint64_t seed) {
  text_len = (text_len + row.blocksize - 1) / row.blocksize * row.blocksize;
  if (row.geniv) text_len += row.ivsize;
  if (row.name.starts_with("rfc4")) aad_len = aad_len % 2 == 0 ? 16 : 20;
  if (has(row, "7539esp")) aad_len = std::max<size_t>(aad_len, 8);
  AeadInput input{.iv = random_bytes(row.ivsize, seed),
                  .aad = random_bytes(aad_len, seed + 1),
                  .text = random_bytes(text_len, seed + 2)};
  if (is_ipsec(row)) std::ranges::copy(input.iv, input.aad.end() - static_cast<ptrdiff_t>(row.ivsize));
  return input;
}

api::AeadHandle software_aead(LabFixture& lab, const AlgRow& row, const Bytes& key) {
  auto tfm = lab.get(row.name, crypto_alloc_aead(lab->registry(), row.name, 0, kSync));
  EXPECT_EQ(crypto_aead_setkey(*tfm, key), 0) << row.name;
  return tfm;
}

api::SkcipherHandle software_skcipher(LabFixture& lab, const AlgRow& row, const Bytes& key) {
  auto tfm = lab.get(row.name, crypto_alloc_skcipher(lab->registry(), row.name, 0, kSync));
  EXPECT_EQ(crypto_skcipher_setkey(*tfm, key), 0) << row.name;
  return tfm;
}

api::AhashHandle software_ahash(LabFixture& lab, const AlgRow& row, const Bytes& key) {
  auto tfm = lab.get(row.name, crypto_alloc_ahash(lab->registry(), row.name, 0, kSync));
  if (row.keyed) {
    EXPECT_EQ(crypto_ahash_setkey(*tfm, key), 0) << row.name;
  }
  return tfm;
}

std::string compare_aead(const AlgRow& row, api::CryptoAead& caam, api::CryptoAead& software, const AeadInput& input,
                         const Layout& layout) {
  const Outcome ours = run_aead(caam, Crypt::kEncrypt, input, layout);
  const Outcome theirs = run_aead(software, Crypt::kEncrypt, input, plain_layout());
  const std::string at = where("encrypt", input.text.size(), layout);
  if (ours.err != theirs.err) return at + ": " + api::errno_text(ours.err);
  if (ours.err != 0) return "";
  if (!ours.guards_intact) return at + ": bytes outside were touched";
  // The IVs of the two are different: the software opens what the device sealed, below.
  if (!row.geniv)
    if (const auto diff = bytes_differ(ours.out, theirs.out); !diff.empty()) return at + diff;
  AeadInput sealed = input;
  sealed.text = theirs.out;
  if (const auto diff = compare_opening(row, caam, sealed, input.text, layout); !diff.empty()) return diff;
  if (!row.geniv) return "";
  sealed.text = ours.out;
  return compare_opening(row, software, sealed, input.text, plain_layout());
}

std::string compare_skcipher(const AlgRow& row, api::CryptoSkcipher& caam, api::CryptoSkcipher& software, size_t len,
                             const Layout& layout) {
  Bytes iv = random_bytes(row.ivsize, len + 1);
  // Every other tweak fits in 64 bits, or older parts would never see an XTS request.
  if (has(row, "xts") && len % 2 == 0) std::fill(iv.begin() + 8, iv.end(), 0);
  const Bytes text = random_bytes(len, len + 2);
  for (const Crypt crypt : {Crypt::kEncrypt, Crypt::kDecrypt}) {
    const Outcome ours = run_skcipher(caam, crypt, iv, text, layout);
    const Outcome theirs = run_skcipher(software, crypt, iv, text, plain_layout());
    const std::string at = where(crypt == Crypt::kEncrypt ? "encrypt" : "decrypt", len, layout);
    if (ours.err != theirs.err)
      return at + ": " + api::errno_text(ours.err) + ", software " + api::errno_text(theirs.err);
    if (!ours.guards_intact) return at + ": bytes outside were touched";
    if (ours.err != 0) continue;
    if (const auto diff = bytes_differ(ours.out, theirs.out); !diff.empty()) return at + diff;
    // What XTS and rfc3686 leave in the IV is for nobody to use.
    if (has(row, "xts") || has(row, "rfc3686")) continue;
    if (const auto diff = bytes_differ(ours.iv, theirs.iv); !diff.empty()) return at + ", IV" + diff;
  }
  return "";
}

std::string compare_ahash(api::CryptoAhash& caam, api::CryptoAhash& software, size_t len, HashCalls calls,
                          const Layout& layout) {
  const Bytes message = random_bytes(len, len + 1);
  const Outcome ours = run_ahash(caam, message, calls, layout);
  const Outcome theirs = run_ahash(software, message, HashCalls::kDigest, plain_layout());
  const std::string at = where("hash", len, layout);
  if (ours.err != 0 || theirs.err != 0) return at + ": " + api::errno_text(ours.err);
  if (!ours.guards_intact) return at + ": bytes outside were touched";
  const auto diff = bytes_differ(ours.out, theirs.out);
  return diff.empty() ? "" : at + diff;
}

}  // namespace caamlab::tests
