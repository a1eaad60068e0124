// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The tables: which algorithms there are. Priorities of instances follow from their parts (crypto-api.md 1.7), module
// names of instances are their templates'.
#include "driver/software/software.h"

#include <string>

#include "driver/software/aead_evp.h"
#include "driver/software/authenc.h"
#include "driver/software/drbg.h"
#include "driver/software/hash.h"
#include "driver/software/mac.h"
#include "driver/software/rsa.h"
#include "driver/software/skcipher.h"

namespace caamlab::driver::software {
namespace {

constexpr uint32_t kInstance = api::CRYPTO_ALG_INSTANCE;
constexpr int kGeneric = 100;

// The generic and the accelerated hash drivers: name, driver, module, priority.
constexpr AlgNames kGenericHashes[] = {
    {"md5", "md5-generic", "md5", 0},
    {"sha1", "sha1-generic", "sha1_generic", kGeneric},
    {"sha224", "sha224-generic", "sha256_generic", kGeneric},
    {"sha256", "sha256-generic", "sha256_generic", kGeneric},
    {"sha384", "sha384-generic", "sha512_generic", kGeneric},
    {"sha512", "sha512-generic", "sha512_generic", kGeneric},
};
// sha384-ce and sha512-ce need instructions that the Cortex-A53 and A72 of the SoCs with a CAAM do not have.
constexpr AlgNames kCeHashes[] = {
    {"sha1", "sha1-ce", "sha1_ce", 200},
    {"sha224", "sha224-ce", "sha2_ce", 200},
    {"sha256", "sha256-ce", "sha2_ce", 200},
    {"sha384", "sha384-arm64", "sha512_arm64", 150},
    {"sha512", "sha512-arm64", "sha512_arm64", 150},
};

const SkcipherRow kGenericCiphers[] = {
    {{"ecb(cipher_null)", "ecb-cipher_null", "crypto_null", kGeneric}, kNullSpec},
    {{"chacha20", "chacha20-generic", "chacha_generic", kGeneric}, kChaCha20Spec},
};
const SkcipherRow kComposedCiphers[] = {
    {{"ecb(aes)", "ecb(aes-generic)", "ecb", kGeneric, kInstance}, kEcbAes},
    {{"cbc(aes)", "cbc(aes-generic)", "cbc", kGeneric, kInstance}, kCbcAes},
    {{"ctr(aes)", "ctr(aes-generic)", "ctr", kGeneric, kInstance}, kCtrAes},
    {{"rfc3686(ctr(aes))", "rfc3686(ctr(aes-generic))", "ctr", kGeneric, kInstance}, kRfc3686Aes},
    {{"xts(aes)", "xts(ecb(aes-generic))", "xts", kGeneric, kInstance}, kXtsAes},
    {{"ecb(des)", "ecb(des-generic)", "ecb", kGeneric, kInstance}, kEcbDes},
    {{"cbc(des)", "cbc(des-generic)", "cbc", kGeneric, kInstance}, kCbcDes},
    {{"ecb(des3_ede)", "ecb(des3_ede-generic)", "ecb", kGeneric, kInstance}, kEcbDes3Ede},
    {{"cbc(des3_ede)", "cbc(des3_ede-generic)", "cbc", kGeneric, kInstance}, kCbcDes3Ede},
};
const SkcipherRow kCeCiphers[] = {
    {{"ecb(aes)", "ecb-aes-ce", "aes_ce_blk", 300}, kEcbAes},
    {{"cbc(aes)", "cbc-aes-ce", "aes_ce_blk", 300}, kCbcAes},
    {{"ctr(aes)", "ctr-aes-ce", "aes_ce_blk", 300}, kCtrAes},
    {{"xts(aes)", "xts-aes-ce", "aes_ce_blk", 300}, kXtsAes, 32},
};

constexpr EvpAeadRow kComposedAeads[] = {
    {{"gcm(aes)", "gcm_base(ctr(aes-generic),ghash-generic)", "gcm", kGeneric, kInstance}, EvpAeadForm::kGcm},
    {{"rfc4106(gcm(aes))", "rfc4106(gcm_base(ctr(aes-generic),ghash-generic))", "gcm", kGeneric, kInstance},
     EvpAeadForm::kRfc4106},
    {{"rfc4543(gcm(aes))", "rfc4543(gcm_base(ctr(aes-generic),ghash-generic))", "gcm", kGeneric, kInstance},
     EvpAeadForm::kRfc4543},
    {{"rfc7539(chacha20,poly1305)", "rfc7539(chacha20-generic,poly1305-generic)", "chacha20poly1305", kGeneric,
      kInstance},
     EvpAeadForm::kRfc7539},
    {{"rfc7539esp(chacha20,poly1305)", "rfc7539esp(chacha20-generic,poly1305-generic)", "chacha20poly1305", kGeneric,
      kInstance},
     EvpAeadForm::kRfc7539Esp},
};
constexpr EvpAeadRow kCeAeads[] = {
    {{"gcm(aes)", "gcm-aes-ce", "ghash_ce", 300}, EvpAeadForm::kGcm},
    {{"rfc4106(gcm(aes))", "rfc4106-gcm-aes-ce", "ghash_ce", 300}, EvpAeadForm::kRfc4106},  // from 6.2
};

constexpr MacRow kComposedMacs[] = {
    {{"cmac(aes)", "cmac(aes-generic)", "cmac", kGeneric, kInstance}, MacForm::kCmac},
    {{"xcbc(aes)", "xcbc(aes-generic)", "xcbc", kGeneric, kInstance}, MacForm::kXcbc},
};
constexpr MacRow kCeMacs[] = {
    {{"cmac(aes)", "cmac-aes-ce", "aes_ce_blk", 300}, MacForm::kCmac},
    {{"xcbc(aes)", "xcbc-aes-ce", "aes_ce_blk", 300}, MacForm::kXcbc},
};

// The ciphers that authenc is composed with, and the generator that goes with each.
struct AuthencCipher {
  const char* name;
  const char* driver_name;
  const CipherSpec& spec;
  const char* generator;  // null: none
  IvForm iv_form;
};
const AuthencCipher kAuthencCiphers[] = {
    {"ecb(cipher_null)", "ecb-cipher_null", kNullSpec, nullptr, IvForm::kCaller},
    {"cbc(aes)", "cbc(aes-generic)", kCbcAes, "echainiv", IvForm::kEchainiv},
    {"cbc(des3_ede)", "cbc(des3_ede-generic)", kCbcDes3Ede, "echainiv", IvForm::kEchainiv},
    {"cbc(des)", "cbc(des-generic)", kCbcDes, "echainiv", IvForm::kEchainiv},
    {"rfc3686(ctr(aes))", "rfc3686(ctr(aes-generic))", kRfc3686Aes, "seqiv", IvForm::kSeqiv},
};

std::string call(const std::string& name, const std::string& argument) { return name + "(" + argument + ")"; }

void add_authenc_pair(Algorithms* algorithms, const AlgNames& hash_row, const AuthencCipher& cipher) {
  const HashAlgorithm& hash = hash_algorithm(hash_row.name);
  const int priority = 10 * kGeneric + hash_row.priority;
  std::string name = call("authenc", call("hmac", hash_row.name) + "," + cipher.name);
  std::string driver = call("authenc", call("hmac", hash_row.driver_name) + "," + cipher.driver_name);
  add_authenc(algorithms,
              {{name.c_str(), driver.c_str(), "authenc", priority, kInstance}, hash, cipher.spec, IvForm::kCaller});
  if (cipher.generator == nullptr) return;
  name = call(cipher.generator, name);
  driver = call(cipher.generator, driver);
  add_authenc(
      algorithms,
      {{name.c_str(), driver.c_str(), cipher.generator, priority, kInstance}, hash, cipher.spec, cipher.iv_form});
}

void add_compositions(Algorithms* algorithms) {
  for (const SkcipherRow& row : kComposedCiphers) add_skcipher(algorithms, row);
  for (const EvpAeadRow& row : kComposedAeads) add_evp_aead(algorithms, row);
  for (const MacRow& row : kComposedMacs) add_mac(algorithms, row);
  for (const AlgNames& hash : kGenericHashes) {
    const std::string name = call("hmac", hash.name);
    const std::string driver = call("hmac", hash.driver_name);
    add_hmac(algorithms, {name.c_str(), driver.c_str(), "hmac", hash.priority, kInstance}, hash_algorithm(hash.name));
    for (const AuthencCipher& cipher : kAuthencCiphers) add_authenc_pair(algorithms, hash, cipher);
  }
}

tl::expected<Algorithms, int> done(Algorithms algorithms) {
  if (algorithms.error() != 0) return tl::make_unexpected(algorithms.error());
  return algorithms;
}

}  // namespace

tl::expected<Algorithms, int> register_generic(api::Registry& registry, Compositions compositions) {
  Algorithms algorithms(registry);
  for (const AlgNames& row : kGenericHashes) add_hash(&algorithms, row, hash_algorithm(row.name));
  for (const SkcipherRow& row : kGenericCiphers) add_skcipher(&algorithms, row);
  add_rsa(&algorithms, {"rsa", "rsa-generic", "rsa", kGeneric});
  add_drbgs(&algorithms);
  if (compositions == Compositions::kGeneric) add_compositions(&algorithms);
  return done(std::move(algorithms));
}

tl::expected<Algorithms, int> register_cpu_instructions(api::Registry& registry) {
  Algorithms algorithms(registry);
  for (const AlgNames& row : kCeHashes) add_hash(&algorithms, row, hash_algorithm(row.name));
  for (const SkcipherRow& row : kCeCiphers) add_skcipher(&algorithms, row);
  for (const EvpAeadRow& row : kCeAeads) add_evp_aead(&algorithms, row);
  for (const MacRow& row : kCeMacs) add_mac(&algorithms, row);
  return done(std::move(algorithms));
}

}  // namespace caamlab::driver::software
