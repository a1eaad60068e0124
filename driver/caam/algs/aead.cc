// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The aead table (crypto-api.md 5.1; kernel caamalg.c, driver_aeads[]). The kernel writes the products of hash, cipher
// and IV generation out; here they are made from their short lists.
#include "driver/caam/algs/aead.h"

#include <fmt/format.h>

namespace caamlab::driver::caam {
namespace {

using desc::Alg;
namespace aai = desc::aai;

constexpr CaamAlgEntry kGcm{.class1 = {.alg = Alg::kAes, .aai = aai::kGcm}, .has_class1 = true, .nodkp = true};
constexpr CaamAlgEntry kChaChaPoly{.class1 = {.alg = Alg::kChaCha20, .aai = aai::kAead},
                                   .class2 = {.alg = Alg::kPoly1305, .aai = aai::kAead},
                                   .has_class1 = true,
                                   .has_class2 = true,
                                   .nodkp = true};

const AeadRow kGcmRows[] = {
    {"rfc4106(gcm(aes))", "rfc4106-gcm-aes-caam", 1, 8, 16, kGcm, &kRfc4106Family},
    {"rfc4543(gcm(aes))", "rfc4543-gcm-aes-caam", 1, 8, 16, kGcm, &kRfc4543Family},
    {"gcm(aes)", "gcm-aes-caam", 1, 12, 16, kGcm, &kGcmFamily},
};
const AeadRow kChaChaPolyRows[] = {
    {"rfc7539(chacha20,poly1305)", "rfc7539-chacha20-poly1305-caam", 1, 12, 16, kChaChaPoly, &kChaChaPolyFamily},
    {"rfc7539esp(chacha20,poly1305)", "rfc7539esp-chacha20-poly1305-caam", 1, 8, 16, kChaChaPoly, &kChaChaPolyFamily},
};

struct Hash {
  const char* name;
  Alg alg;
  unsigned digestsize;
};
constexpr Hash kHashes[] = {
    {"md5", Alg::kMd5, 16},       {"sha1", Alg::kSha1, 20},     {"sha224", Alg::kSha224, 28},
    {"sha256", Alg::kSha256, 32}, {"sha384", Alg::kSha384, 48}, {"sha512", Alg::kSha512, 64},
};

// A cipher as it stands in an authenc name, and the IV generation that goes with it.
struct Cipher {
  const char* name;
  const char* driver_name;
  unsigned blocksize;
  unsigned ivsize;
  bool null;
  desc::AlgOperation op;
  bool rfc3686;
  const char* geniv;  // null: none
};
constexpr Cipher kCiphers[] = {
    {"ecb(cipher_null)", "ecb-cipher_null", 1, 0, true, {}, false, nullptr},
    {"cbc(aes)", "cbc-aes", 16, 16, false, {.alg = Alg::kAes, .aai = aai::kCbc}, false, "echainiv"},
    {"cbc(des3_ede)", "cbc-des3_ede", 8, 8, false, {.alg = Alg::k3Des, .aai = aai::kCbc}, false, "echainiv"},
    {"cbc(des)", "cbc-des", 8, 8, false, {.alg = Alg::kDes, .aai = aai::kCbc}, false, "echainiv"},
    {"rfc3686(ctr(aes))", "rfc3686-ctr-aes", 1, 8, false, {.alg = Alg::kAes, .aai = aai::kCtrMod128}, true, "seqiv"},
};

CaamAlgEntry entry(const Hash& hash, const Cipher& cipher, bool geniv) {
  return {.class1 = cipher.op,
          .class2 = {.alg = hash.alg, .aai = aai::kHmacPrecomp},
          .has_class1 = !cipher.null,
          .has_class2 = true,
          .rfc3686 = cipher.rfc3686,
          .geniv = geniv};
}

void add_authenc(std::vector<AeadRow>* rows, const Hash& hash, const Cipher& cipher) {
  AeadRow row{fmt::format("authenc(hmac({}),{})", hash.name, cipher.name),
              fmt::format("authenc-hmac-{}-{}-caam", hash.name, cipher.driver_name),
              cipher.blocksize,
              cipher.ivsize,
              hash.digestsize,
              entry(hash, cipher, false),
              &kAuthencFamily};
  rows->push_back(row);
  if (cipher.geniv == nullptr) return;
  row.name = fmt::format("{}({})", cipher.geniv, row.name);
  row.driver_name = fmt::format("{}-{}", cipher.geniv, row.driver_name);
  row.caam = entry(hash, cipher, true);
  rows->push_back(row);
}

}  // namespace

std::vector<AeadRow> driver_aeads() {
  std::vector<AeadRow> rows(std::begin(kGcmRows), std::end(kGcmRows));
  for (const Cipher& cipher : kCiphers)
    for (const Hash& hash : kHashes) add_authenc(&rows, hash, cipher);
  rows.insert(rows.end(), std::begin(kChaChaPolyRows), std::end(kChaChaPolyRows));
  return rows;
}

}  // namespace caamlab::driver::caam
