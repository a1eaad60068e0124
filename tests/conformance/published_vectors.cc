// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See published_vectors.h. Files are those of Debian's python3-cryptography-vectors; what it does not have is here.
#include "tests/conformance/published_vectors.h"

#include <openssl/evp.h>

#include <algorithm>
#include <stdexcept>

#include "api/keys.h"
#include "tests/driver/software/rfc3566.h"
#include "tests/driver/software/vectors.h"

namespace caamlab::tests {
namespace {

Bytes joined(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}
Bytes part(const Bytes& b, size_t from, size_t to = SIZE_MAX) {
  return {b.begin() + static_cast<ptrdiff_t>(from), b.begin() + static_cast<ptrdiff_t>(std::min(to, b.size()))};
}
bool has(const std::string& text, std::string_view what) { return text.find(what) != std::string::npos; }

// ---- ciphers

constexpr const char* kKinds[] = {"GFSbox", "KeySbox", "MMT", "VarKey", "VarTxt"};
constexpr const char* kMessages[] = {"MMT"};  // of several blocks

std::vector<CipherVector> aes(const std::string& mode, std::span<const char* const> kinds = kKinds) {
  std::vector<CipherVector> out;
  for (const char* kind : kinds)
    for (const char* bits : {"128", "192", "256"})
      for (const auto& v : read_vectors("ciphers/AES/" + mode + "/" + mode + kind + bits + ".rsp"))
        out.push_back({v.where(), v.bytes("KEY"), v.has("IV") ? v.bytes("IV") : Bytes(), v.bytes("PLAINTEXT"),
                       v.bytes("CIPHERTEXT")});
  return out;
}

// Of three keys, or, for `single`, those vectors whose three are one.
std::vector<CipherVector> des(const std::string& mode, bool single) {
  std::vector<CipherVector> out;
  for (const char* kind : {"invperm", "permop", "subtab", "varkey", "vartext", "MMT1", "MMT2", "MMT3"})
    for (const auto& v : read_vectors("ciphers/3DES/" + mode + "/T" + mode + kind + ".rsp")) {
      const Bytes k1 = v.bytes(v.has("KEYS") ? "KEYS" : "KEY1");
      const Bytes k2 = v.has("KEYS") ? k1 : v.bytes("KEY2"), k3 = v.has("KEYS") ? k1 : v.bytes("KEY3");
      if (single && (k1 != k2 || k2 != k3)) continue;
      out.push_back({v.where(), single ? k1 : joined(joined(k1, k2), k3), v.has("IV") ? v.bytes("IV") : Bytes(),
                     v.bytes("PLAINTEXT"), v.bytes("CIPHERTEXT")});
    }
  return out;
}

// RFC 3686. `split`: nonce behind the key, the counter left out.
std::vector<CipherVector> ctr(bool split) {
  std::vector<CipherVector> out;
  for (const char* file : {"aes-128-ctr.txt", "aes-192-ctr.txt", "aes-256-ctr.txt"})
    for (const auto& v : read_vectors(std::string("ciphers/AES/CTR/") + file)) {
      const Bytes block = v.bytes("IV"), key = v.bytes("KEY");
      out.push_back({v.where(), split ? joined(key, part(block, 0, 4)) : key, split ? part(block, 4, 12) : block,
                     v.bytes("PLAINTEXT"), v.bytes("CIPHERTEXT")});
    }
  return out;
}

std::vector<CipherVector> xts() {
  std::vector<CipherVector> out;
  for (const char* bits : {"128", "256"})
    for (const auto& v : read_vectors(std::string("ciphers/AES/XTS/tweak-128hexstr/XTSGenAES") + bits + ".rsp"))
      if (v.number("DATAUNITLEN") % 8 == 0)  // in bits; requests are of bytes
        out.push_back({v.where(), v.bytes("KEY"), v.bytes("I"), v.bytes("PT"), v.bytes("CT")});
  return out;
}

// ---- AEADs

std::vector<AeadVector> gcm() {
  std::vector<AeadVector> out;
  for (const char* file : {"gcmEncryptExtIV256", "gcmDecrypt128"})
    for (const auto& v : read_vectors(std::string("ciphers/AES/GCM/") + file + ".rsp")) {
      const bool fails = v.has("FAIL");
      if (v.bytes("IV").size() != 12) continue;
      out.push_back({v.where(),
                     v.bytes("KEY"),
                     {v.bytes("IV"), v.bytes("AAD"), fails ? Bytes() : v.bytes("PT")},
                     joined(v.bytes("CT"), v.bytes("TAG")),
                     v.bytes("TAG").size(),
                     fails});
    }
  return out;
}

// GMAC: vectors without text. RFC 4543 authenticates AAD area and text, so they are cut where the AAD area ends.
std::vector<AeadVector> rfc4543() {
  std::vector<AeadVector> out;
  for (const char* bits : {"128", "192", "256"})
    for (const auto& v : read_vectors(std::string("ciphers/AES/GCM/gcmEncryptExtIV") + bits + ".rsp")) {
      const Bytes iv = v.bytes("IV"), aad = v.bytes("AAD"), tag = v.bytes("TAG");
      if (!v.bytes("PT").empty() || iv.size() != 12 || aad.size() < 16 || tag.size() != 16) continue;
      for (const size_t area : {16, 20}) {
        if (aad.size() < area) continue;
        const Bytes text = part(aad, area);
        out.push_back({v.where(),
                       joined(v.bytes("KEY"), part(iv, 0, 4)),
                       {part(iv, 4), part(aad, 0, area), text},
                       joined(text, tag),
                       16,
                       false});
      }
    }
  return out;
}

struct EspVector {
  const char *where, *key, *salt, *iv, *aad, *plain, *sealed;
};
std::vector<AeadVector> esp(std::span<const EspVector> vectors) {
  std::vector<AeadVector> out;
  for (const EspVector& v : vectors) {
    const Bytes iv = from_hex(v.iv);
    out.push_back({v.where,
                   joined(from_hex(v.key), from_hex(v.salt)),
                   {iv, joined(from_hex(v.aad), iv), from_hex(v.plain)},
                   from_hex(v.sealed),
                   16,
                   false});
  }
  return out;
}

constexpr EspVector kRfc4106[] = {
    {"draft-mcgrew-gcm-test-01, 128-bit key", "4c80cdefbb5d10da906ac73c3613a634", "2e443b68", "4956ed7e3b244cfe",
     "000043218765432100000000",
     "45000048699a000080114db7c0a80102c0a801010a9bf15638d301000001000000000000045f736970045f756470037369700963796265726"
     "369747902646b000021000101020201",
     "fecf537e729d5b07dc30df528dd22b768d1b98736696a6fd348509fa13ceac34cfa2436f14a3f3cf65925bf1f4a13c5d15b21e1884f5ff62"
     "47aeabb786b93bce61bc17d768fd9732459018148f6cbe722fd04796562dfdb4"},
    {"draft-mcgrew-gcm-test-01, 192-bit key", "feffe9928665731c6d6a8f9467308308feffe9928665731c", "cafebabe",
     "facedbaddecaf888", "0000a5f80000000a",
     "45000028a4ad4000400678800a01038f0a010612802306b8cb712602dd6bb03e501016d075680001",
     "a5b1f8066029aea40e598b8122de02420938b3ab33f828e687b8858b5bfbdbd0315b27452144cc7795457b9652037f5318027b5b4cd7a6"
     "36"},
    {"draft-mcgrew-gcm-test-01, 256-bit key", "abbccddef00112233445566778899aababbccddef00112233445566778899aab",
     "11223344", "0102030405060708", "4a2cbfe300000002",
     "4500003069a6400080062690c0a801029389155e0a9e008b2dc57ee0000000007002400020bf0000020405b40101040201020201",
     "ff425c9b724599df7a3bcd510194e00d6a78107f1b0b1cbf06efae9d65a5d763748a637985771d347f0545659f14e99def842d8eb335f4ee"
     "cfdbf831824b4c4915956c96"},
};

constexpr EspVector kRfc7634[] = {
    {"RFC 7634, appendix A", "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f", "a0a1a2a3",
     "1011121314151617", "0102030400000005",
     "45000054a6f200004001e778c6336405c000020508005b7a3a080000553bec100007362708090a0b0c0d0e0f101112131415161718191a1b"
     "1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363701020204",
     "24039428b97f417e3c13753a4f05087b67c352e6a7fab1b982d466ef407ae5c614ee8099d52844eb61aa95dfab4c02f72aa71e7c4c4f64c9"
     "befe2facc638e8f3cbec163fac469b502773f6fb94e664da9165b82829f641e076aaa8266b7fb0f7b11b369907e1ad43"},
};

std::vector<AeadVector> chachapoly() {
  struct Names {
    const char *file, *nonce, *aad, *text, *cipher;
  };
  constexpr Names kFiles[] = {{"boringssl.txt", "NONCE", "AD", "IN", "CT"},
                              {"openssl.txt", "IV", "AAD", "PLAINTEXT", "CIPHERTEXT"}};
  std::vector<AeadVector> out;
  for (const Names& n : kFiles)
    for (const auto& v : read_vectors(std::string("ciphers/ChaCha20Poly1305/") + n.file)) {
      if (v.bytes(n.nonce).size() != 12 || v.bytes("TAG").size() != 16) continue;
      out.push_back({v.where(),
                     v.bytes("KEY"),
                     {v.bytes(n.nonce), v.bytes(n.aad), v.bytes(n.text)},
                     joined(v.bytes(n.cipher), v.bytes("TAG")),
                     16,
                     v.has("RESULT")});
    }
  return out;
}

// ---- hashes and MACs

struct HashFiles {
  const char* name;
  std::vector<const char*> hash;
  const char *hmac, *evp;
};
const HashFiles kHashes[] = {
    {"md5", {"MD5/rfc-1321.txt"}, "rfc-2202-md5.txt", "MD5"},
    {"sha1", {"SHA1/SHA1ShortMsg.rsp", "SHA1/SHA1LongMsg.rsp"}, "rfc-2202-sha1.txt", "SHA1"},
    {"sha224", {"SHA2/SHA224ShortMsg.rsp", "SHA2/SHA224LongMsg.rsp"}, "rfc-4231-sha224.txt", "SHA224"},
    {"sha256", {"SHA2/SHA256ShortMsg.rsp", "SHA2/SHA256LongMsg.rsp"}, "rfc-4231-sha256.txt", "SHA256"},
    {"sha384", {"SHA2/SHA384ShortMsg.rsp", "SHA2/SHA384LongMsg.rsp"}, "rfc-4231-sha384.txt", "SHA384"},
    {"sha512", {"SHA2/SHA512ShortMsg.rsp", "SHA2/SHA512LongMsg.rsp"}, "rfc-4231-sha512.txt", "SHA512"},
};

// By the last hash name in an algorithm's: "hmac(sha1)", "authenc(hmac(sha1),...)".
const HashFiles& hash_of(const AlgRow& row) {
  const size_t at = row.name.find("hmac(");
  const std::string from = at == std::string::npos ? row.name : row.name.substr(at + 5);
  const std::string name = from.substr(0, from.find(')'));
  const auto found = std::ranges::find(kHashes, name, &HashFiles::name);
  if (found == std::end(kHashes)) throw std::runtime_error("no hash in " + row.name);
  return *found;
}

// "Len" counts bits; a message of 0 bits is written as one byte.
Bytes message_of(const VectorBlock& v) { return v.number("LEN") == 0 ? Bytes() : v.bytes("MSG"); }

std::vector<HashVector> hash_files(const HashFiles& files) {
  std::vector<HashVector> out;
  for (const char* file : files.hash)
    for (const auto& v : read_vectors(std::string("hashes/") + file))
      out.push_back({v.where(), {}, message_of(v), v.bytes("MD")});
  return out;
}

std::vector<HashVector> hmac_file(const HashFiles& files) {
  std::vector<HashVector> out;
  for (const auto& v : read_vectors(std::string("HMAC/") + files.hmac))
    out.push_back({v.where(), v.bytes("KEY"), message_of(v), v.bytes("MD")});
  return out;
}

std::vector<HashVector> cmac() {
  std::vector<HashVector> out;
  for (const char* bits : {"128", "192", "256"})
    for (const auto& v : read_vectors(std::string("CMAC/nist-800-38b-aes") + bits + ".txt"))
      out.push_back({v.where(), v.bytes("KEY"), v.bytes("MESSAGE"), v.bytes("OUTPUT")});
  return out;
}

std::vector<HashVector> xcbc() {
  std::vector<HashVector> out;
  for (const Rfc3566Case& c : kRfc3566Cases)
    out.push_back(
        {"RFC 3566, " + std::to_string(c.len) + " bytes", from_hex(kRfc3566Key), c.message(), from_hex(c.mac)});
  return out;
}

// Null encryption: an HMAC vector is one of authenc, its message cut into AAD and text.
std::vector<AeadVector> null_authenc(const AlgRow& row) {
  std::vector<AeadVector> out;
  for (const HashVector& v : hmac_file(hash_of(row))) {
    const size_t aad = v.message.size() / 3;
    const Bytes text = part(v.message, aad);
    out.push_back({v.where,
                   api::crypto_authenc_make_key(v.key, {}),
                   {{}, part(v.message, 0, aad), text},
                   joined(text, v.digest),
                   v.digest.size(),
                   false});
  }
  return out;
}

}  // namespace

std::vector<CipherVector> cipher_vectors(const AlgRow& row) {
  if (row.name == "cbc(aes)") return aes("CBC");
  if (row.name == "ecb(aes)") return aes("ECB");
  if (row.name == "ctr(aes)") return ctr(false);
  if (row.name == "rfc3686(ctr(aes))") return ctr(true);
  if (row.name == "xts(aes)") return xts();
  if (row.name == "cbc(des)") return des("CBC", true);
  if (row.name == "ecb(des)") return des("ECB", true);
  if (row.name == "cbc(des3_ede)") return des("CBC", false);
  if (row.name == "ecb(des3_ede)") return des("ECB", false);
  return {};
}

std::vector<AeadVector> aead_vectors(const AlgRow& row) {
  if (row.name == "gcm(aes)") return gcm();
  if (row.name == "rfc4106(gcm(aes))") return esp(kRfc4106);
  if (row.name == "rfc4543(gcm(aes))") return rfc4543();
  if (row.name == "rfc7539(chacha20,poly1305)") return chachapoly();
  if (row.name == "rfc7539esp(chacha20,poly1305)") return esp(kRfc7634);
  if (has(row.name, "authenc(") && has(row.name, "cipher_null")) return null_authenc(row);
  return {};
}

std::vector<AuthencVector> authenc_vectors(const AlgRow& row) {
  if (row.type != "aead" || !has(row.name, "authenc(") || has(row.name, "cipher_null")) return {};
  const std::vector<CipherVector> ciphers = has(row.name, "rfc3686") ? ctr(true)
                                            : has(row.name, "(aes)") ? aes("CBC", kMessages)
                                                                     : des("CBC", has(row.name, "(des)"));
  std::vector<AuthencVector> out;
  for (const CipherVector& v : ciphers) {
    const size_t n = out.size();
    // HMAC keys of all kinds: shorter and longer than digest and block.
    out.push_back(
        {v.where, random_bytes(1 + n * 13 % 140, n), v.key, v.iv, random_bytes(n % 41, n), v.plain, v.cipher});
  }
  return out;
}

Bytes AuthencVector::key() const { return api::crypto_authenc_make_key(auth_key, cipher_key); }

Bytes AuthencVector::tag(const AlgRow& row, bool with_iv) const {
  const Bytes data = joined(with_iv ? joined(aad, iv) : aad, cipher);
  Bytes out(64);
  size_t len = 0;
  if (EVP_Q_mac(nullptr, "HMAC", nullptr, hash_of(row).evp, nullptr, auth_key.data(), auth_key.size(), data.data(),
                data.size(), out.data(), out.size(), &len) == nullptr)
    throw std::runtime_error("libcrypto: HMAC");
  out.resize(len);
  return out;
}

std::vector<HashVector> hash_vectors(const AlgRow& row) {
  if (row.type != "ahash") return {};
  if (row.name == "cmac(aes)") return cmac();
  if (row.name == "xcbc(aes)") return xcbc();
  return row.keyed ? hmac_file(hash_of(row)) : hash_files(hash_of(row));
}

}  // namespace caamlab::tests
