// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See rsa_vectors.h.
#include "tests/driver/software/rsa_vectors.h"

#include <openssl/evp.h>

#include <sstream>
#include <stdexcept>

#include "tests/driver/software/vectors.h"

namespace caamlab::tests {
namespace {

using Bytes = std::vector<uint8_t>;

void append(Bytes& to, const Bytes& more) { to.insert(to.end(), more.begin(), more.end()); }

Bytes tlv(uint8_t tag, const Bytes& value) {
  Bytes out{tag};
  if (value.size() < 0x80)
    out.push_back(static_cast<uint8_t>(value.size()));
  else
    out.insert(out.end(), {0x82, static_cast<uint8_t>(value.size() >> 8), static_cast<uint8_t>(value.size())});
  append(out, value);
  return out;
}

// Hex, whose digits may be odd in number.
Bytes number(const std::string& hex) {
  Bytes out;
  for (size_t at = 0; at < hex.size(); at += at == 0 && hex.size() % 2 != 0 ? 1 : 2)
    out.push_back(
        static_cast<uint8_t>(std::stoul(hex.substr(at, at == 0 && hex.size() % 2 != 0 ? 1 : 2), nullptr, 16)));
  return out;
}

Bytes digest_info(const std::string& digest) {
  static const std::map<std::string, const char*> kPrefix = {
      {"SHA1", "3021300906052b0e03021a05000414"},           {"SHA224", "302d300d06096086480165030402040500041c"},
      {"SHA256", "3031300d060960864801650304020105000420"}, {"SHA384", "3041300d060960864801650304020205000430"},
      {"SHA512", "3051300d060960864801650304020305000440"},
  };
  return number(kPrefix.at(digest));
}

// "# Label:" lines, then lines of hex digits with blanks.
class PairReader {
 public:
  std::vector<PublishedRsaPair> pairs;
  void line(std::string text) {
    while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.pop_back();
    if (text.starts_with("# Example ")) pairs.emplace_back();
    if (text.starts_with("#")) return label(text);
    if (label_.empty() || pairs.empty() || text.empty() || text.starts_with("=")) return;
    std::erase(text, ' ');
    append(place(), number(text));
  }

 private:
  void label(const std::string& text) {
    label_ = text.ends_with(":") ? text.substr(2, text.size() - 3) : "";
    if (pairs.empty()) return;
    if (label_ == "Message to be signed") pairs.back().signatures.emplace_back();
    if (label_ != "Signature") pairs.back().parts[label_].clear();
  }
  Bytes& place() {
    if (label_ == "Message to be signed") return pairs.back().signatures.back().first;
    if (label_ == "Signature") return pairs.back().signatures.back().second;
    return pairs.back().parts[label_];
  }
  std::string label_;
};

}  // namespace

Bytes ber_sequence(const std::vector<Bytes>& numbers) {
  Bytes body;
  for (Bytes n : numbers) {
    if (n.empty() || (n[0] & 0x80) != 0) n.insert(n.begin(), 0);
    append(body, tlv(0x02, n));
  }
  return tlv(0x30, body);
}

Bytes emsa_pkcs1(const std::string& digest, const Bytes& message, size_t len) {
  Bytes info = digest_info(digest), hash(64);
  size_t hash_len = 0;
  if (EVP_Q_digest(nullptr, digest.c_str(), nullptr, message.data(), message.size(), hash.data(), &hash_len) != 1)
    throw std::runtime_error("libcrypto has no " + digest);
  hash.resize(hash_len);
  append(info, hash);
  Bytes padded{0x00, 0x01};
  padded.resize(len - info.size() - 1, 0xff);
  padded.push_back(0x00);
  append(padded, info);
  return padded;
}

Bytes PublishedRsaPair::private_key(size_t members) const {
  constexpr const char* kMembers[] = {"Modulus", "Public exponent",  "Exponent",         "Prime 1",
                                      "Prime 2", "Prime exponent 1", "Prime exponent 2", "Coefficient"};
  std::vector<Bytes> numbers{Bytes()};
  for (size_t i = 0; i < std::size(kMembers); ++i) numbers.push_back(i < members ? parts.at(kMembers[i]) : Bytes());
  return ber_sequence(numbers);
}

std::vector<PublishedRsaPair> published_rsa_pairs() {
  const Bytes text = read_vector_file("asymmetric/RSA/pkcs1v15sign-vectors.txt");
  std::istringstream in(std::string(text.begin(), text.end()));
  PairReader reader;
  for (std::string line; std::getline(in, line);) reader.line(line);
  return reader.pairs;
}

std::vector<PublishedRsaSignature> nist_rsa_signatures() {
  std::vector<PublishedRsaSignature> out;
  Bytes n, e;
  for (const auto& v : read_vectors("asymmetric/RSA/FIPS_186-2/SigGen15_186-3.rsp")) {
    if (v.has("N")) {
      n = v.bytes("N");
      e = number(v.values.at("E"));
      continue;
    }
    out.push_back({v.where(), n, e, v.bytes("S"), emsa_pkcs1(v.values.at("SHAALG"), v.bytes("MSG"), n.size())});
  }
  return out;
}

}  // namespace caamlab::tests
