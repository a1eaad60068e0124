// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Every algorithm that the driver registers, through API, driver, ring and DECO, against published vectors; where none
// are published, against a composition that shares no code with the path:
// - authenc with a cipher: published ciphertexts, and libcrypto's HMAC over them; with a generated IV, libcrypto's CBC
//   or CTR over that IV;
// - stdrng: libcrypto's Hash_DRBG with the entropy that the TRNG gave.
// An algorithm without a check here fails its test. Modes without an algorithm are in deco_modes_test.
#include <openssl/core_names.h>
#include <openssl/evp.h>

#include <algorithm>
#include <set>

#include "api/akcipher.h"
#include "api/rng.h"
#include "hw_model/trng.h"
#include "tests/conformance/published_vectors.h"
#include "tests/conformance/ring_job.h"
#include "tests/driver/caam/rsa_keys.h"
#include "tests/driver/software/rsa_vectors.h"

namespace caamlab::tests {
namespace {

using desc::ShareMode;

// Layouts in turn.
const Layout& next_layout() {
  static size_t turn = 0;
  return layouts()[turn++ % layouts().size()];
}

Bytes joined(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// A check: how many vectors it ran. 0: it has none for the row.
using Check = size_t (*)(LabFixture& lab, const AlgRow& row);

size_t ciphers(LabFixture& lab, const AlgRow& row) {
  const auto vectors = cipher_vectors(row);
  for (const CipherVector& v : vectors) {
    auto tfm = lab.skcipher(row.driver);
    EXPECT_EQ(crypto_skcipher_setkey(*tfm, v.key), 0) << v.where;
    const Layout& layout = next_layout();
    EXPECT_EQ(hex(run_skcipher(*tfm, Crypt::kEncrypt, v.iv, v.plain, layout).out), hex(v.cipher)) << v.where;
    EXPECT_EQ(hex(run_skcipher(*tfm, Crypt::kDecrypt, v.iv, v.cipher, layout).out), hex(v.plain)) << v.where;
  }
  return vectors.size();
}

void expect_opens(api::CryptoAead& tfm, AeadInput input, const Bytes& sealed, bool fails, const std::string& where) {
  const Bytes text = std::exchange(input.text, sealed);
  const Outcome opened = run_aead(tfm, Crypt::kDecrypt, input, next_layout());
  EXPECT_EQ(opened.err, fails ? -EBADMSG : 0) << where;
  if (fails) return;
  EXPECT_EQ(hex(opened.out), hex(text)) << where;
  input.text.back() ^= 1;
  EXPECT_EQ(run_aead(tfm, Crypt::kDecrypt, input, plain_layout()).err, -EBADMSG) << where;
}

size_t aeads(LabFixture& lab, const AlgRow& row) {
  const auto vectors = aead_vectors(row);
  for (const AeadVector& v : vectors) {
    auto tfm = lab.aead(row.driver);
    EXPECT_EQ(crypto_aead_setkey(*tfm, v.key), 0) << v.where;
    EXPECT_EQ(crypto_aead_setauthsize(*tfm, static_cast<unsigned>(v.tag_len)), 0) << v.where;
    if (!v.fails) {
      EXPECT_EQ(hex(run_aead(*tfm, Crypt::kEncrypt, v.plain, next_layout()).out), hex(v.sealed)) << v.where;
    }
    expect_opens(*tfm, v.plain, v.sealed, v.fails, v.where);
  }
  return vectors.size();
}

size_t authenc(LabFixture& lab, const AlgRow& row) {
  if (row.geniv) return 0;
  const auto vectors = authenc_vectors(row);
  for (const AuthencVector& v : vectors) {
    auto tfm = lab.aead(row.driver);
    EXPECT_EQ(crypto_aead_setkey(*tfm, v.key()), 0) << v.where;
    const AeadInput plain{v.iv, v.aad, v.plain};
    const Bytes sealed = joined(v.cipher, v.tag(row, /*with_iv=*/false));
    EXPECT_EQ(crypto_aead_setauthsize(*tfm, static_cast<unsigned>(sealed.size() - v.cipher.size())), 0);
    EXPECT_EQ(hex(run_aead(*tfm, Crypt::kEncrypt, plain, next_layout()).out), hex(sealed)) << v.where;
    expect_opens(*tfm, plain, sealed, false, v.where);
  }
  return vectors.size();
}

// The cipher of an authenc row by libcrypto.
Bytes evp_cipher(const AlgRow& row, const Bytes& key, const Bytes& iv, const Bytes& text) {
  const bool ctr = row.name.find("rfc3686") != std::string::npos;
  Bytes used = key, block = iv;
  if (ctr) {
    used.resize(key.size() - 4);
    block = joined(joined(Bytes(key.end() - 4, key.end()), iv), {0, 0, 0, 1});
  }
  std::string name = "AES-" + std::to_string(used.size() * 8) + (ctr ? "-CTR" : "-CBC");
  if (row.ivsize == 8 && !ctr) {
    name = "DES-EDE3-CBC";
    if (used.size() == 8) used = joined(joined(used, used), used);
  }
  EVP_CIPHER* cipher = EVP_CIPHER_fetch(nullptr, name.c_str(), nullptr);
  EVP_CIPHER_CTX* ctx = EVP_CIPHER_CTX_new();
  Bytes out(text.size() + 16);
  int len = 0;
  EXPECT_EQ(EVP_EncryptInit_ex(ctx, cipher, nullptr, used.data(), block.data()), 1) << name;
  EVP_CIPHER_CTX_set_padding(ctx, 0);
  EXPECT_EQ(EVP_EncryptUpdate(ctx, out.data(), &len, text.data(), static_cast<int>(text.size())), 1);
  EVP_CIPHER_CTX_free(ctx);
  EVP_CIPHER_free(cipher);
  out.resize(text.size());
  return out;
}

// The IV stands before the text: opened as given; on encryption the device chooses it.
size_t authenc_with_generated_iv(LabFixture& lab, const AlgRow& row) {
  if (!row.geniv) return 0;
  const auto vectors = authenc_vectors(row);
  std::set<Bytes> ivs;
  for (AuthencVector v : vectors) {
    auto tfm = lab.aead(row.driver);
    EXPECT_EQ(crypto_aead_setkey(*tfm, v.key()), 0) << v.where;
    const size_t iv_len = v.iv.size();
    AeadInput input{v.iv, v.aad, joined(joined(v.iv, v.cipher), v.tag(row, /*with_iv=*/true))};
    const Outcome opened = run_aead(*tfm, Crypt::kDecrypt, input, next_layout());
    EXPECT_EQ(opened.err, 0) << v.where;
    EXPECT_EQ(hex(std::span(opened.out).subspan(iv_len)), hex(v.plain)) << v.where;
    input.text[0] ^= 1;  // the IV is authenticated
    EXPECT_EQ(run_aead(*tfm, Crypt::kDecrypt, input, plain_layout()).err, -EBADMSG) << v.where;

    input.text = joined(Bytes(iv_len), v.plain);
    const Bytes sealed = run_aead(*tfm, Crypt::kEncrypt, input, next_layout()).out;
    v.iv.assign(sealed.begin(), sealed.begin() + static_cast<ptrdiff_t>(iv_len));
    ivs.insert(v.iv);
    v.cipher = evp_cipher(row, v.cipher_key, v.iv, v.plain);
    EXPECT_EQ(hex(sealed), hex(joined(joined(v.iv, v.cipher), v.tag(row, /*with_iv=*/true)))) << v.where;
  }
  // seqiv: the caller's number, which these vectors repeat, with the device's salt of each key.
  EXPECT_GT(ivs.size(), vectors.size() / 2) << "generated IVs repeat";
  return vectors.size();
}

size_t hashes(LabFixture& lab, const AlgRow& row) {
  const auto vectors = hash_vectors(row);
  size_t turn = 0;
  for (const HashVector& v : vectors) {
    auto tfm = lab.ahash(row.driver);
    if (row.keyed) {
      EXPECT_EQ(crypto_ahash_setkey(*tfm, v.key), 0) << v.where;
    }
    constexpr HashCalls kCalls[] = {HashCalls::kDigest, HashCalls::kFinup, HashCalls::kUpdateFinal,
                                    HashCalls::kExportImport};
    for (size_t i = 0; i < (vectors.size() > 20 ? 1 : std::size(kCalls)); ++i)
      EXPECT_EQ(hex(run_ahash(*tfm, v.message, kCalls[turn++ % std::size(kCalls)], next_layout()).out), hex(v.digest))
          << v.where;
  }
  return vectors.size();
}

size_t rsa(LabFixture& lab, const AlgRow& row) {
  if (row.type != "akcipher") return 0;
  size_t ran = 0;
  auto tfm = lab.get(row.driver, crypto_alloc_akcipher(lab->registry(), row.driver));
  const auto expect = [&](RsaOp op, const Bytes& in, const Bytes& out) {
    const RsaResult got = run_rsa(*tfm, op, in, out.size(), {1 + ran % 90}, {1 + ran % 70});
    EXPECT_EQ(got.err, 0);
    EXPECT_EQ(hex(got.out), hex(out));
    ++ran;
  };
  for (const PublishedRsaSignature& v : nist_rsa_signatures()) {
    EXPECT_EQ(crypto_akcipher_set_pub_key(*tfm, ber_sequence({v.n, v.e})), 0) << v.where;
    expect(api::crypto_akcipher_encrypt, v.signature, v.encoded);
  }
  for (const PublishedRsaPair& pair : published_rsa_pairs())
    for (const size_t members : {3, 5, 8}) {  // the three forms of a private key
      EXPECT_EQ(crypto_akcipher_set_priv_key(*tfm, pair.private_key(members)), 0);
      for (const auto& [message, signature] : pair.signatures)
        expect(api::crypto_akcipher_decrypt, emsa_pkcs1("SHA1", message, pair.modulus().size()), signature);
    }
  return ran;
}

// libcrypto's Hash_DRBG, seeded once.
class HashDrbgReference {
 public:
  HashDrbgReference(std::span<const uint8_t> entropy, std::span<const uint8_t> nonce) {
    unsigned strength = 256;
    size_t most = 65536;
    OSSL_PARAM given[] = {
        OSSL_PARAM_octet_string(OSSL_RAND_PARAM_TEST_ENTROPY, const_cast<uint8_t*>(entropy.data()), entropy.size()),
        OSSL_PARAM_octet_string(OSSL_RAND_PARAM_TEST_NONCE, const_cast<uint8_t*>(nonce.data()), nonce.size()),
        OSSL_PARAM_uint(OSSL_RAND_PARAM_STRENGTH, &strength), OSSL_PARAM_size_t(OSSL_RAND_PARAM_MAX_REQUEST, &most),
        OSSL_PARAM_END};
    source_ = make("TEST-RAND", nullptr);
    EXPECT_EQ(EVP_RAND_instantiate(source_, strength, 0, nullptr, 0, given), 1);
    drbg_ = make("HASH-DRBG", source_);
    char digest[] = "SHA256";
    OSSL_PARAM which[] = {OSSL_PARAM_utf8_string(OSSL_DRBG_PARAM_DIGEST, digest, 0), OSSL_PARAM_END};
    // Without a personalization string of the caller's it would take its own.
    const uint8_t none = 0;
    EXPECT_EQ(EVP_RAND_instantiate(drbg_, strength, 0, &none, 0, which), 1);
  }
  ~HashDrbgReference() {
    EVP_RAND_CTX_free(drbg_);
    EVP_RAND_CTX_free(source_);
  }
  Bytes generate(size_t len) {
    Bytes out(len);
    EXPECT_EQ(EVP_RAND_generate(drbg_, out.data(), len, 256, 0, nullptr, 0), 1);
    return out;
  }

 private:
  static EVP_RAND_CTX* make(const char* name, EVP_RAND_CTX* parent) {
    EVP_RAND* rand = EVP_RAND_fetch(nullptr, name, nullptr);
    EVP_RAND_CTX* ctx = EVP_RAND_CTX_new(rand, parent);
    EVP_RAND_free(rand);
    return ctx;
  }
  EVP_RAND_CTX *source_ = nullptr, *drbg_ = nullptr;
};

// State handle 0 anew without prediction resistance, then numbers of it through the driver.
size_t rng(LabFixture& lab, const AlgRow& row) {
  if (row.type != "rng") return 0;
  for (const desc::RngState state : {desc::RngState::kUninstantiate, desc::RngState::kInstantiate}) {
    RingJob job(lab);
    job.builder().append_operation(
        desc::AlgOperation{.alg = desc::Alg::kRng, .as = static_cast<desc::AlgState>(state)});
    EXPECT_EQ(job.run().word, 0u);
  }
  auto tfm = lab.get(row.driver, crypto_alloc_rng(lab->registry(), row.driver));
  Bytes first(100), second(33);
  EXPECT_EQ(crypto_rng_get_bytes(*tfm, first), 0);
  EXPECT_EQ(crypto_rng_get_bytes(*tfm, second), 0);

  // The device has taken entropy before; this is one of the first pieces of its sequence.
  hw_model::RegBank page;
  hw_model::Trng trng(page);
  trng.set_seed(hw_model::CaamOptions{}.random_seed);
  size_t equal = 0;
  for (int i = 0; i < 16; ++i) {
    const auto seed = trng.next_entropy();
    const std::span<const uint8_t> bytes(seed);
    HashDrbgReference reference(bytes.first(32), bytes.last(16));
    if (reference.generate(first.size()) != first) continue;
    ++equal;
    EXPECT_EQ(hex(reference.generate(second.size())), hex(second));
  }
  EXPECT_EQ(equal, 1u) << "no entropy of the TRNG gives these numbers";
  return equal;
}

constexpr Check kChecks[] = {ciphers, aeads, authenc, authenc_with_generated_iv, hashes, rsa, rng};

struct Setting {
  const char* platform;
  ShareMode share;
};
constexpr Setting kSettings[] = {{"lx2160a", ShareMode::kSerial},  // has a unit for every row
                                 {"ls1046a", ShareMode::kNever},
                                 {"imx6ul", ShareMode::kSerial}};

class Published : public testing::TestWithParam<AlgRow> {};

TEST_P(Published, ThroughTheWholePath) {
  const AlgRow& row = GetParam();
  for (const Setting& s : kSettings) {
    tools::LabOptions options;
    options.driver.share = s.share;
    LabFixture lab(s.platform, options);
    if (!lab.has(row.driver)) continue;
    size_t checks = 0;
    for (const Check check : kChecks) checks += check(lab, row) > 0 ? 1 : 0;
    EXPECT_EQ(checks, 1u) << row.driver << " on " << s.platform << ": no vectors and no composition, or two of them";
  }
}
INSTANTIATE_TEST_SUITE_P(, Published, testing::ValuesIn(caam_rows()), [](const auto& info) {
  std::string name = info.param.driver;
  std::ranges::replace(name, '-', '_');
  return name;
});

// What the tests above run over is what the driver registers; none is left out on the first part.
TEST(PublishedRows, AreAllThatTheDriverRegisters) {
  tools::LabOptions options;
  options.generic_drivers = options.cpu_drivers = false;
  LabFixture lab(kSettings[0].platform, options);
  std::set<std::string> registered, tested;
  lab->registry().for_each([&](const api::CryptoAlg& alg) { registered.insert(alg.cra_driver_name); });
  for (const AlgRow& row : caam_rows()) tested.insert(row.driver);
  EXPECT_EQ(registered, tested);
}

}  // namespace
}  // namespace caamlab::tests
