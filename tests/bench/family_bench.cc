// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// A request of each algorithm family through the whole path (API, driver, ring, DECO, CHA, completion; never mode)
// against the same operation done directly with libcrypto: EVP, prepared key, IV per request, buffers of the same
// sizes. Both run in this process, turn about, and only the ratio is meant to be read. 0.9 is wanted at 16 KiB where
// libcrypto has the operation in one call. gcm(aes) is in request_bench.cc.
#include <benchmark/benchmark.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <vector>

#include "api/aead.h"
#include "api/ahash.h"
#include "api/akcipher.h"
#include "api/keys.h"
#include "api/skcipher.h"
#include "tests/driver/software/vectors.h"
#include "tools/lab.h"

namespace caamlab {
namespace {

enum class Kind : uint8_t { kCipher, kHash, kMac, kChaChaPoly, kAuthenc, kRsaPublic, kRsaPrivate };

struct Family {
  const char* name;
  const char* driver;
  Kind kind;
  unsigned key_len = 0, iv_len = 0, block = 1, tag = 0;
  const char* evp = nullptr;     // cipher, digest or MAC of libcrypto
  const char* evp_of = nullptr;  // and what that is made of
  bool wanted = true;
};
constexpr Family kFamilies[] = {
    {"cbc(aes)", "cbc-aes-caam", Kind::kCipher, 16, 16, 16, 0, "AES-128-CBC"},
    {"ctr(aes)", "ctr-aes-caam", Kind::kCipher, 16, 16, 1, 0, "AES-128-CTR"},
    {"ecb(aes)", "ecb-aes-caam", Kind::kCipher, 16, 0, 16, 0, "AES-128-ECB"},
    {"xts(aes)", "xts-aes-caam", Kind::kCipher, 32, 16, 16, 0, "AES-128-XTS"},
    {"cbc(des3_ede)", "cbc-3des-caam", Kind::kCipher, 24, 8, 8, 0, "DES-EDE3-CBC"},
    {"sha1", "sha1-caam", Kind::kHash, 0, 0, 1, 20, "SHA1"},
    {"sha256", "sha256-caam", Kind::kHash, 0, 0, 1, 32, "SHA256"},
    {"sha512", "sha512-caam", Kind::kHash, 0, 0, 1, 64, "SHA512"},
    {"hmac(sha256)", "hmac-sha256-caam", Kind::kMac, 32, 0, 1, 32, "HMAC", "SHA256"},
    {"cmac(aes)", "cmac-aes-caam", Kind::kMac, 16, 0, 1, 16, "CMAC", "AES-128-CBC"},
    {"rfc7539(chacha20,poly1305)", "rfc7539-chacha20-poly1305-caam", Kind::kChaChaPoly, 32, 12, 1, 16,
     "ChaCha20-Poly1305"},
    // Two calls: the device does both at once.
    {"authenc(hmac(sha256),cbc(aes))", "authenc-hmac-sha256-cbc-aes-caam", Kind::kAuthenc, 16, 16, 16, 32,
     "AES-128-CBC", "SHA256", false},
    {"rsa, public key", "rsa-caam", Kind::kRsaPublic},
    {"rsa, private key", "rsa-caam", Kind::kRsaPrivate},
};
constexpr size_t kAad = 16;
constexpr size_t kAuthKey = 32;
const uint8_t kKey[64] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 14, 16, 17, 19, 20, 21, 23, 22, 27, 29};

bool is_rsa(const Family& f) { return f.kind == Kind::kRsaPublic || f.kind == Kind::kRsaPrivate; }
bool is_aead(const Family& f) { return f.kind == Kind::kChaChaPoly || f.kind == Kind::kAuthenc; }

void check(bool good) {
  if (!good) std::abort();
}

std::span<const uint8_t> key_of(const Family& f) { return {kKey, f.key_len}; }

// A key of the published vectors, read once by each side.
EVP_PKEY* rsa_key() {
  const std::vector<uint8_t> der = tests::read_vector_file("asymmetric/DER_Serialization/testrsa.der");
  const uint8_t* at = der.data();
  EVP_PKEY* key = d2i_AutoPrivateKey(nullptr, &at, static_cast<long>(der.size()));
  check(key != nullptr);
  return key;
}

// Bytes of a request near `len`: whole blocks; a number below the modulus for RSA.
size_t text_len(const Family& f, size_t len, const EVP_PKEY* rsa) {
  return is_rsa(f) ? static_cast<size_t>(EVP_PKEY_get_size(rsa)) : len / f.block * f.block;
}

struct Buffers {
  Buffers(const Family& f, size_t len) : in((is_aead(f) ? kAad : 0) + len), out(in.size() + 64) {
    if (is_rsa(f)) in[len - 1] = 0x42;
  }
  std::vector<uint8_t> in, out;
  uint8_t iv[16] = {2};
};

// The same work directly: what an application on libcrypto pays.
class Direct {
 public:
  Direct(const Family& f, size_t len, EVP_PKEY* rsa) : f_(f), b_(f, len), len_(len) {
    switch (f.kind) {
      case Kind::kCipher:
      case Kind::kChaChaPoly:
      case Kind::kAuthenc:
        make_cipher();
        break;
      case Kind::kHash:
        digest_ = EVP_MD_CTX_new();
        check(EVP_DigestInit_ex(digest_, EVP_MD_fetch(nullptr, f.evp, nullptr), nullptr) == 1);
        break;
      case Kind::kMac:
        make_mac(f.evp, f.evp_of, key_of(f));
        break;
      default:
        make_rsa(rsa);
    }
    if (f.kind == Kind::kAuthenc) make_mac("HMAC", f.evp_of, {kKey, kAuthKey});
  }
  Direct(const Direct&) = delete;
  ~Direct() {
    EVP_CIPHER_CTX_free(cipher_);
    EVP_MD_CTX_free(digest_);
    EVP_MAC_CTX_free(mac_);
    EVP_PKEY_CTX_free(rsa_);
  }

  bool run() {
    switch (f_.kind) {
      case Kind::kCipher:
        return cipher(b_.out.data(), b_.in.data());
      case Kind::kHash:
        return EVP_DigestInit_ex(digest_, nullptr, nullptr) == 1 &&
               EVP_DigestUpdate(digest_, b_.in.data(), b_.in.size()) == 1 &&
               EVP_DigestFinal_ex(digest_, b_.out.data(), nullptr) == 1;
      case Kind::kMac:
        return mac(b_.in, b_.out.data());
      case Kind::kChaChaPoly:
        return chacha_poly();
      case Kind::kAuthenc:
        return cipher(b_.out.data() + kAad, b_.in.data() + kAad) &&
               mac(std::span(b_.out).first(kAad + len_), b_.out.data() + kAad + len_);
      default:
        return rsa();
    }
  }

 private:
  void make_cipher() {
    cipher_ = EVP_CIPHER_CTX_new();
    check(EVP_EncryptInit_ex(cipher_, EVP_CIPHER_fetch(nullptr, f_.evp, nullptr), nullptr, kKey, b_.iv) == 1);
    // Padding matters to the last call only, which block modes do without here.
  }
  void make_mac(const char* name, const char* of, std::span<const uint8_t> key) {
    mac_ = EVP_MAC_CTX_new(EVP_MAC_fetch(nullptr, name, nullptr));
    const char* param = std::string_view(name) == "HMAC" ? "digest" : "cipher";
    const OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string(param, const_cast<char*>(of), 0),
                                 OSSL_PARAM_construct_end()};
    check(EVP_MAC_init(mac_, key.data(), key.size(), params) == 1);
  }
  void make_rsa(EVP_PKEY* key) {
    rsa_ = EVP_PKEY_CTX_new(key, nullptr);
    const bool pub = f_.kind == Kind::kRsaPublic;
    check((pub ? EVP_PKEY_encrypt_init(rsa_) : EVP_PKEY_decrypt_init(rsa_)) == 1);
    check(EVP_PKEY_CTX_set_rsa_padding(rsa_, RSA_NO_PADDING) == 1);
  }

  bool cipher(uint8_t* out, const uint8_t* in) {
    int n = 0;
    ++b_.iv[0];
    if (f_.iv_len != 0 && EVP_EncryptInit_ex(cipher_, nullptr, nullptr, nullptr, b_.iv) != 1) return false;
    return EVP_EncryptUpdate(cipher_, out, &n, in, static_cast<int>(len_)) == 1;
  }
  bool mac(std::span<const uint8_t> data, uint8_t* out) {
    size_t n = 0;
    return EVP_MAC_init(mac_, nullptr, 0, nullptr) == 1 && EVP_MAC_update(mac_, data.data(), data.size()) == 1 &&
           EVP_MAC_final(mac_, out, &n, f_.tag) == 1;
  }
  bool chacha_poly() {
    int n = 0;
    ++b_.iv[0];
    return EVP_EncryptInit_ex(cipher_, nullptr, nullptr, nullptr, b_.iv) == 1 &&
           EVP_EncryptUpdate(cipher_, nullptr, &n, b_.in.data(), kAad) == 1 &&
           EVP_EncryptUpdate(cipher_, b_.out.data() + kAad, &n, b_.in.data() + kAad, static_cast<int>(len_)) == 1 &&
           EVP_EncryptFinal_ex(cipher_, b_.out.data(), &n) == 1 &&
           EVP_CIPHER_CTX_ctrl(cipher_, EVP_CTRL_AEAD_GET_TAG, static_cast<int>(f_.tag), b_.out.data() + kAad + len_) ==
               1;
  }
  bool rsa() {
    size_t n = b_.out.size();
    return (f_.kind == Kind::kRsaPublic ? EVP_PKEY_encrypt(rsa_, b_.out.data(), &n, b_.in.data(), len_)
                                        : EVP_PKEY_decrypt(rsa_, b_.out.data(), &n, b_.in.data(), len_)) == 1;
  }

  const Family& f_;
  Buffers b_;
  size_t len_;
  EVP_CIPHER_CTX* cipher_ = nullptr;
  EVP_MD_CTX* digest_ = nullptr;
  EVP_MAC_CTX* mac_ = nullptr;
  EVP_PKEY_CTX* rsa_ = nullptr;
};

// One front end: its transform, and how a request of it is made and submitted.
struct CipherEnd {
  using Request = api::SkcipherRequestHandle;
  CipherEnd(api::Registry& registry, const Family& f, EVP_PKEY*)
      : tfm(std::move(*api::crypto_alloc_skcipher(registry, f.driver))) {
    check(api::crypto_skcipher_setkey(*tfm, key_of(f)) == 0);
  }
  Request make(api::CryptoWait* wait, api::Segment& src, api::Segment& dst, size_t len, uint8_t* iv) {
    Request req = api::skcipher_request_alloc(*tfm);
    api::skcipher_request_set_callback(*req, 0, api::crypto_req_done, wait);
    api::skcipher_request_set_crypt(*req, {&src, 1}, {&dst, 1}, static_cast<uint32_t>(len), iv);
    return req;
  }
  int submit(Request& req) { return api::crypto_skcipher_encrypt(*req); }
  api::SkcipherHandle tfm;
};

struct HashEnd {
  using Request = api::AhashRequestHandle;
  HashEnd(api::Registry& registry, const Family& f, EVP_PKEY*)
      : tfm(std::move(*api::crypto_alloc_ahash(registry, f.driver))) {
    if (f.key_len != 0) check(api::crypto_ahash_setkey(*tfm, key_of(f)) == 0);
  }
  Request make(api::CryptoWait* wait, api::Segment& src, api::Segment& dst, size_t len, uint8_t*) {
    Request req = api::ahash_request_alloc(*tfm);
    api::ahash_request_set_callback(*req, 0, api::crypto_req_done, wait);
    api::ahash_request_set_crypt(*req, {&src, 1}, dst.data, static_cast<uint32_t>(len));
    return req;
  }
  int submit(Request& req) { return api::crypto_ahash_digest(*req); }
  api::AhashHandle tfm;
};

struct AeadEnd {
  using Request = api::AeadRequestHandle;
  AeadEnd(api::Registry& registry, const Family& f, EVP_PKEY*)
      : tfm(std::move(*api::crypto_alloc_aead(registry, f.driver))) {
    const auto authenc = api::crypto_authenc_make_key({kKey, kAuthKey}, key_of(f));
    const auto key = f.kind == Kind::kAuthenc ? std::span<const uint8_t>(authenc) : key_of(f);
    check(api::crypto_aead_setkey(*tfm, key) == 0);
    check(api::crypto_aead_setauthsize(*tfm, f.tag) == 0);
  }
  Request make(api::CryptoWait* wait, api::Segment& src, api::Segment& dst, size_t len, uint8_t* iv) {
    Request req = api::aead_request_alloc(*tfm);
    api::aead_request_set_callback(*req, 0, api::crypto_req_done, wait);
    api::aead_request_set_crypt(*req, {&src, 1}, {&dst, 1}, static_cast<uint32_t>(len), iv);
    api::aead_request_set_ad(*req, kAad);
    return req;
  }
  int submit(Request& req) { return api::crypto_aead_encrypt(*req); }
  api::AeadHandle tfm;
};

struct RsaEnd {
  using Request = api::AkcipherRequestHandle;
  RsaEnd(api::Registry& registry, const Family& f, EVP_PKEY* key)
      : tfm(std::move(*api::crypto_alloc_akcipher(registry, f.driver))), pub(f.kind == Kind::kRsaPublic) {
    uint8_t* der = nullptr;
    const int n = pub ? i2d_PublicKey(key, &der) : i2d_PrivateKey(key, &der);
    const std::span<const uint8_t> text(der, static_cast<size_t>(n));
    check((pub ? api::crypto_akcipher_set_pub_key(*tfm, text) : api::crypto_akcipher_set_priv_key(*tfm, text)) == 0);
    OPENSSL_free(der);
  }
  Request make(api::CryptoWait* wait, api::Segment& src, api::Segment& dst, size_t len, uint8_t*) {
    Request req = api::akcipher_request_alloc(*tfm);
    api::akcipher_request_set_callback(*req, 0, api::crypto_req_done, wait);
    api::akcipher_request_set_crypt(*req, {&src, 1}, {&dst, 1}, static_cast<uint32_t>(len), static_cast<uint32_t>(len));
    return req;
  }
  int submit(Request& req) { return pub ? api::crypto_akcipher_encrypt(*req) : api::crypto_akcipher_decrypt(*req); }
  api::AkcipherHandle tfm;
  bool pub;
};

// `depth` requests of one key in flight, each with buffers and a request of its own.
template <class End>
class WholePath {
 public:
  WholePath(const Family& f, size_t len, size_t depth, EVP_PKEY* rsa)
      : lab_(make_lab()), end_(lab_->registry(), f, rsa) {
    for (size_t i = 0; i < depth; ++i) slots_.push_back(std::make_unique<Slot>(end_, f, len));
  }
  bool run() {
    for (auto& s : slots_) {
      ++s->b.iv[0];
      s->err = end_.submit(s->req);
    }
    bool good = true;
    for (auto& s : slots_) good = api::crypto_wait_req(s->err, s->wait, *end_.tfm) == 0 && good;
    return good;
  }

 private:
  static std::unique_ptr<tools::Lab> make_lab() {
    tools::LabOptions options;
    options.driver.share = desc::ShareMode::kNever;
    return std::move(*tools::Lab::make("lx2160a", options));
  }
  struct Slot {
    Slot(End& end, const Family& f, size_t len)
        : b(f, len),
          src{b.in.data(), b.in.size()},
          dst{b.out.data(), b.out.size()},
          req(end.make(&wait, src, dst, len, b.iv)) {}
    Buffers b;
    api::Segment src, dst;
    api::CryptoWait wait;
    typename End::Request req;
    int err = 0;
  };
  std::unique_ptr<tools::Lab> lab_;
  End end_;
  std::vector<std::unique_ptr<Slot>> slots_;
};

template <class Path>
double nanoseconds_each(Path& path, int rounds, benchmark::State& state) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < rounds; ++i)
    if (!path.run()) state.SkipWithError("a request failed");
  const auto stop = std::chrono::steady_clock::now();
  return std::chrono::duration<double, std::nano>(stop - start).count() / rounds;
}

// Alternates short batches and keeps the fastest of each, so that what else the machine does hits both alike.
template <class End>
void compare(benchmark::State& state, const Family& f) {
  const size_t depth = static_cast<size_t>(state.range(1));
  EVP_PKEY* rsa = is_rsa(f) ? rsa_key() : nullptr;
  const size_t len = text_len(f, static_cast<size_t>(state.range(0)), rsa);
  Direct direct(f, len, rsa);
  WholePath<End> path(f, len, depth, rsa);
  const double once = nanoseconds_each(direct, 16, state);
  const int rounds = 16 * std::clamp(static_cast<int>(1e6 / once / 16), 1, 100);
  double best_direct = 1e18, best_path = 1e18;
  for (auto _ : state) {
    best_direct = std::min(best_direct, nanoseconds_each(direct, rounds, state));
    best_path = std::min(best_path,
                         nanoseconds_each(path, rounds / static_cast<int>(depth), state) / static_cast<double>(depth));
  }
  EVP_PKEY_free(rsa);
  const double ratio = best_direct / best_path;
  state.counters["libcrypto_ns"] = best_direct;
  state.counters["path_ns"] = best_path;
  state.counters["ratio"] = ratio;
  const bool large = is_rsa(f) || len > 4096;
  if (f.wanted && large) state.SetLabel(ratio >= 0.9 ? "0.9 reached" : "0.9 NOT REACHED");
}

void family(benchmark::State& state, const Family& f) {
  switch (f.kind) {
    case Kind::kCipher:
      return compare<CipherEnd>(state, f);
    case Kind::kHash:
    case Kind::kMac:
      return compare<HashEnd>(state, f);
    case Kind::kChaChaPoly:
    case Kind::kAuthenc:
      return compare<AeadEnd>(state, f);
    default:
      return compare<RsaEnd>(state, f);
  }
}

void register_all() {
  for (const Family& f : kFamilies) {
    auto* b = benchmark::RegisterBenchmark(f.name, [&f](benchmark::State& state) { family(state, f); });
    b->ArgNames({"bytes", "in_flight"})->Iterations(40)->Unit(benchmark::kMillisecond);
    for (const int64_t depth : {1, 16})
      for (const int64_t bytes : {1420, 16384})
        if (!is_rsa(f) || bytes == 1420) b->Args({bytes, depth});
  }
}

}  // namespace
}  // namespace caamlab

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  caamlab::register_all();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
