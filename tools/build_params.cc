// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See build_params.h.
#include "tools/build_params.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "desc/constructors/key_gen.h"
#include "desc/pdb.h"
#include "tools/alg_names.h"
#include "tools/cli.h"
#include "tools/hex.h"

namespace caamlab::tools {

using nlohmann::json;

namespace {

using Names = std::span<const std::string_view>;

constexpr BuildOption kOptions[] = {
    {"--cipher", false,
     "cbc(aes) (the default), ctr(aes), rfc3686(ctr(aes)), ecb(aes), cbc(des3_ede), ecb(des3_ede), cbc(des), "
     "ecb(des), chacha20"},
    {"--auth", false,
     "md5, sha1, sha224, sha256 (the default), sha384, sha512, or hmac() of one; CMAC: cmac(aes) (the default), "
     "xcbc(aes)"},
    {"--key", false, "cipher key; also the key of gcm, CMAC and XCBC"},
    {"--key-dma", false, "bus address of that key: it is not put into the descriptor"},
    {"--keylen", false, "bytes of that key, where only its address is given"},
    {"--salt", false, "4 bytes behind the key: salt of rfc4106, rfc4543, rfc7539esp; nonce of rfc3686"},
    {"--auth-key", false, "HMAC key; before era 6 the encrypted split key with its padding"},
    {"--auth-key-dma", false, "bus address of that key: it is not put into the descriptor"},
    {"--auth-keylen", false, "bytes of that key, where only its address is given"},
    {"--ivsize", false, "bytes of IV; follows from the algorithm"},
    {"--icvsize", false, "bytes of tag; full size if not given"},
    {"--geniv", true, "decapsulation: the IV stands in the text"},
    {"--qi", true, "for the queue interface (qi, qi2) instead of a job ring"},
    {"--era", false, "SEC era, 10 if not given; 6 and up derive split keys in the descriptor"},
    {"--state", false, "init, update, final, initfinal (the default)"},
    {"--digestsize", false, "bytes to store; follows from algorithm and state"},
    {"--ctx-len", false, "bytes of saved context; follows from the algorithm"},
    {"--import-ctx", true, "the input starts with a saved context; follows from the state"},
    {"--decrypt", true, "decapsulation, decryption, unwrapping; otherwise the other way"},
    {"--sh-desc", false, "bus address of the shared descriptor"},
    {"--sh-len", false, "words of the shared descriptor"},
    {"--src", false, "ADDRESS:BYTES, a piece of the source; once per piece"},
    {"--dst", false, "the same for the destination; none: in place"},
    {"--sg", false, "bus address of the scatter/gather table"},
    {"--assoclen", false, "bytes of AAD"},
    {"--cryptlen", false, "bytes of text; decryption: with the tag"},
    {"--iv", false, "the request's IV"},
    {"--iv-dma", false, "bus address of the IV"},
    {"--ctx-dma", false, "bus address of the saved context or digest"},
    {"--buf-dma", false, "bus address of the buffered bytes"},
    {"--buflen", false, "how many bytes are buffered"},
    {"--nbytes", false, "bytes of source"},
    {"--kept", false, "bytes of the source that stay for the next request"},
    {"--n-len", false, "bytes of the modulus"},
    {"--e-len", false, "bytes of the public exponent"},
    {"--d-len", false, "bytes of the private exponent"},
    {"--p-len", false, "bytes of prime p"},
    {"--q-len", false, "bytes of prime q"},
    {"--f", false, "bus address of the plain number"},
    {"--g", false, "bus address of the cipher number"},
    {"--f-len", false, "bytes of f"},
    {"--f-sg", true, "f is a scatter/gather table"},
    {"--g-sg", true, "g is a scatter/gather table"},
    {"--n", false, "bus address of the modulus"},
    {"--e", false, "bus address of the public exponent"},
    {"--d", false, "bus address of the private exponent"},
    {"--p", false, "bus address of prime p"},
    {"--q", false, "bus address of prime q"},
    {"--dp", false, "bus address of d mod p-1"},
    {"--dq", false, "bus address of d mod q-1"},
    {"--c", false, "bus address of q^-1 mod p"},
    {"--tmp1", false, "bus address of scratch, as long as p"},
    {"--tmp2", false, "bus address of scratch, as long as q"},
    {"--handle", false, "RNG state handle: 0 (the default) or 1"},
    {"--secure-keys", true, "also generate JDKEK, TDKEK, TDSK"},
    {"--out", false, "bus address of the output"},
    {"--in", false, "bus address of the input"},
    {"--len", false, "bytes"},
    {"--key-mod", false, "key modifier, up to 16 bytes"},
};

constexpr std::string_view kGcm[] = {"--key", "--key-dma", "--keylen", "--salt", "--ivsize", "--icvsize", "--qi"};
constexpr std::string_view kSkcipher[] = {"--cipher", "--key", "--salt", "--ivsize"};
constexpr std::string_view kXts[] = {"--key"};
constexpr std::string_view kAead[] = {"--cipher",  "--auth",     "--key",          "--key-dma",     "--keylen",
                                      "--salt",    "--auth-key", "--auth-key-dma", "--auth-keylen", "--ivsize",
                                      "--icvsize", "--geniv",    "--qi",           "--era"};
constexpr std::string_view kAeadNull[] = {"--auth",        "--auth-key", "--auth-key-dma",
                                          "--auth-keylen", "--icvsize",  "--era"};
constexpr std::string_view kChaChaPoly[] = {"--key", "--salt", "--ivsize", "--icvsize", "--decrypt", "--qi"};
constexpr std::string_view kAhash[] = {"--auth",       "--auth-key", "--auth-key-dma", "--auth-keylen", "--state",
                                       "--digestsize", "--ctx-len",  "--import-ctx",   "--era"};
constexpr std::string_view kSkHash[] = {"--auth",  "--key",        "--key-dma", "--keylen",
                                        "--state", "--digestsize", "--ctx-len"};
constexpr std::string_view kAeadJob[] = {"--sh-desc",  "--sh-len",   "--src",     "--dst", "--sg",
                                         "--assoclen", "--cryptlen", "--icvsize", "--iv",  "--salt",
                                         "--decrypt",  "--cipher",   "--geniv",   "--era"};
constexpr std::string_view kSkcipherJob[] = {"--sh-desc", "--sh-len",   "--src",    "--dst",
                                             "--sg",      "--cryptlen", "--ivsize", "--iv-dma"};
constexpr std::string_view kAhashJob[] = {"--auth",    "--sh-desc", "--sh-len", "--src",    "--sg",   "--ctx-dma",
                                          "--ctx-len", "--buf-dma", "--buflen", "--nbytes", "--kept", "--digestsize"};
constexpr std::string_view kRsa[] = {"--n-len", "--e-len", "--d-len", "--p-len", "--q-len", "--f",   "--g",
                                     "--f-len", "--f-sg",  "--g-sg",  "--n",     "--e",     "--d",   "--p",
                                     "--q",     "--dp",    "--dq",    "--c",     "--tmp1",  "--tmp2"};
constexpr std::string_view kRngHandle[] = {"--handle", "--secure-keys"};
constexpr std::string_view kRngBytes[] = {"--out", "--len"};
constexpr std::string_view kSplitKey[] = {"--auth", "--auth-key-dma", "--auth-keylen", "--digestsize"};
constexpr std::string_view kBlob[] = {"--decrypt", "--key-mod", "--in", "--len", "--out"};

// Reads values with their defaults; a missing one that is needed is an error.
class Reader {
 public:
  explicit Reader(const OptionValues& values) : values_(values) {}
  bool has(std::string_view option) const { return values_.find(option) != values_.end(); }
  const std::string& text(std::string_view option) const {
    const auto it = values_.find(option);
    if (it == values_.end() || it->second.empty()) throw UsageError(fmt::format("{} is needed", option));
    return it->second.back();
  }
  std::vector<uint8_t> bytes(std::string_view option) const { return bytes_argument(option, text(option)); }
  uint64_t number(std::string_view option, uint64_t max = UINT32_MAX) const {
    return number_argument(option, text(option), max);
  }
  uint64_t number_or(std::string_view option, uint64_t fallback, uint64_t max = UINT32_MAX) const {
    return has(option) ? number(option, max) : fallback;
  }
  uint64_t address(std::string_view option) const { return number(option, UINT64_MAX); }
  uint64_t address_or_0(std::string_view option) const { return number_or(option, 0, UINT64_MAX); }
  // "ADDRESS:BYTES" once per piece.
  json pieces(std::string_view option) const {
    json list = json::array();
    const auto it = values_.find(option);
    if (it == values_.end()) return list;
    for (const std::string& text : it->second) {
      const size_t colon = text.find(':');
      if (colon == std::string::npos) throw UsageError(fmt::format("{}: \"{}\" is not ADDRESS:BYTES", option, text));
      list.push_back({number_argument(option, text.substr(0, colon)),
                      number_argument(option, text.substr(colon + 1), UINT32_MAX)});
    }
    return list;
  }

 private:
  const OptionValues& values_;
};

template <class Rows>
const auto& row_of(const Rows& rows, std::string_view option, std::string_view name) {
  const auto it = std::ranges::find(rows, name, [](const auto& row) { return row.name; });
  if (it != rows.end()) return *it;
  std::string known;
  for (const auto& row : rows) known += (known.empty() ? "" : ", ") + std::string(row.name);
  throw UsageError(fmt::format("{}: no algorithm \"{}\"; there are {}", option, name, known));
}

const CipherRow& cipher_row(const Reader& r) {
  return row_of(kCiphers, "--cipher", r.has("--cipher") ? r.text("--cipher") : "cbc(aes)");
}
// "sha256" and "hmac(sha256)" alike.
const HashRow& hash_row(const Reader& r) {
  std::string_view name = r.has("--auth") ? std::string_view(r.text("--auth")) : "sha256";
  if (name.starts_with("hmac(") && name.ends_with(")")) name = name.substr(5, name.size() - 6);
  return row_of(kHashes, "--auth", name);
}

std::string hex(uint64_t value) { return fmt::format("{:#x}", value); }
std::string algtype(desc::ClassSel cls, desc::Alg alg, uint16_t aai) {
  // The class stands in algtype as in the command word.
  return hex(desc::encode(desc::AlgOperation{.cls = cls, .alg = alg, .aai = aai}) & ~desc::AlgOperation::kMatch);
}

// Class 1: the key inline, or by its address and length. What lies behind the key is `tail`.
json cipher_info(const Reader& r, std::string type, const std::vector<uint8_t>& tail, bool count_tail) {
  std::vector<uint8_t> key;
  if (r.has("--key") || !r.has("--key-dma")) key = r.bytes("--key");
  uint64_t keylen = r.has("--key") ? key.size() : r.number("--keylen", 0x3FF);
  key.resize(keylen);
  key.insert(key.end(), tail.begin(), tail.end());
  if (count_tail) keylen += tail.size();
  return {{"algtype", std::move(type)},
          {"keylen", keylen},
          {"key_inline", !r.has("--key-dma")},
          {"key_dma", hex(r.address_or_0("--key-dma"))},
          {"key", to_hex(key)}};
}

// Class 2. From era 6 on the key is the HMAC key, before that the padded split key.
json auth_info(const Reader& r, const HashRow& hash, uint16_t aai, uint64_t era) {
  json info = {{"algtype", algtype(desc::ClassSel::kClass2, hash.alg, aai)},
               {"keylen", 0u},
               {"keylen_pad", 0u},
               {"key_inline", !r.has("--auth-key-dma")},
               {"key_dma", hex(r.address_or_0("--auth-key-dma"))},
               {"key", ""}};
  std::vector<uint8_t> key;
  if (r.has("--auth-key")) key = r.bytes("--auth-key");
  const unsigned split = desc::split_key_len(hash.alg), padded = desc::split_key_pad_len(hash.alg);
  if (era >= 6) {
    info["keylen"] = r.has("--auth-key") ? key.size() : r.number("--auth-keylen", 0xFFF);
    info["keylen_pad"] = split;
  } else {
    if (r.has("--auth-key") && key.size() != padded)
      throw UsageError(fmt::format("--auth-key: {} bytes; before era 6 it is the encrypted split key, for {} {} bytes",
                                   key.size(), hash.name, padded));
    info["keylen"] = split;
    info["keylen_pad"] = padded;
  }
  info["key"] = to_hex(key);
  return info;
}

std::vector<uint8_t> salt(const Reader& r) {
  auto bytes = r.bytes("--salt");
  if (bytes.size() != 4) throw UsageError(fmt::format("--salt: {} bytes; it has 4", bytes.size()));
  return bytes;
}

desc::AlgState state_of(const Reader& r) {
  const std::string name = r.has("--state") ? r.text("--state") : "initfinal";
  for (const desc::ValueName& v : desc::kAlgStateNames)
    if (v.name == name) return static_cast<desc::AlgState>(v.value);
  throw UsageError(fmt::format("--state: \"{}\" is none of update, init, final, initfinal", name));
}

// -- one function per parameter set -------------------------------------------------------------------------------

json gcm_params(const ConstructorRow& row, const Reader& r) {
  const bool plain = row.name.find("rfc") == std::string_view::npos;
  const bool want_salt = !plain && r.has("--qi");
  return {{"cdata", cipher_info(r, algtype(desc::ClassSel::kClass1, desc::Alg::kAes, desc::aai::kGcm),
                                want_salt || r.has("--salt") ? salt(r) : std::vector<uint8_t>{}, false)},
          {"ivsize", r.number_or("--ivsize", plain ? 12 : 8, 255)},
          {"icvsize", r.number_or("--icvsize", 16, 255)},
          {"is_qi", r.has("--qi")}};
}

json cipher_params(const Reader& r, const CipherRow& cipher, bool count_nonce) {
  const auto nonce = cipher.rfc3686 ? salt(r) : std::vector<uint8_t>{};
  json p = {{"cdata", cipher_info(r, algtype(desc::ClassSel::kClass1, cipher.alg, cipher.aai), nonce, count_nonce)},
            {"ivsize", r.number_or("--ivsize", cipher.ivsize, 255)},
            {"is_rfc3686", cipher.rfc3686},
            {"ctx1_iv_off", cipher.ctx1_iv_off}};
  if (cipher.rfc3686) p["nonce"] = to_hex(nonce);
  return p;
}

json aead_params(const Reader& r) {
  const HashRow& hash = hash_row(r);
  json p = cipher_params(r, cipher_row(r), /*count_nonce=*/true);
  p["era"] = r.number_or("--era", 10, 99);
  p["adata"] = auth_info(r, hash, desc::aai::kHmacPrecomp, p["era"]);
  p["icvsize"] = r.number_or("--icvsize", hash.digestsize, 255);
  p["geniv"] = r.has("--geniv");
  p["is_qi"] = r.has("--qi");
  return p;
}

json aead_null_params(const Reader& r) {
  const HashRow& hash = hash_row(r);
  const uint64_t era = r.number_or("--era", 10, 99);
  return {{"adata", auth_info(r, hash, desc::aai::kHmacPrecomp, era)},
          {"icvsize", r.number_or("--icvsize", hash.digestsize, 255)},
          {"era", era}};
}

json chachapoly_params(const Reader& r) {
  const bool esp = r.has("--salt");
  return {{"cdata", cipher_info(r, algtype(desc::ClassSel::kClass1, desc::Alg::kChaCha20, desc::aai::kAead),
                                esp ? salt(r) : std::vector<uint8_t>{}, false)},
          {"adata",
           {{"algtype", algtype(desc::ClassSel::kClass2, desc::Alg::kPoly1305, desc::aai::kAead)},
            {"keylen", 0u},
            {"key_inline", false},
            {"key", ""}}},
          {"ivsize", r.number_or("--ivsize", esp ? 8 : 12, 255)},
          {"icvsize", r.number_or("--icvsize", 16, 255)},
          {"encap", !r.has("--decrypt")},
          {"is_qi", r.has("--qi")}};
}

json ahash_params(const Reader& r) {
  const HashRow& hash = hash_row(r);
  const desc::AlgState state = state_of(r);
  const bool keyed = r.has("--auth-key") || r.has("--auth-key-dma");
  const bool ends = state == desc::AlgState::kFinal || state == desc::AlgState::kInitFinal;
  const bool goes_on = state == desc::AlgState::kUpdate || state == desc::AlgState::kFinal;
  const uint64_t era = r.number_or("--era", 10, 99),
                 ctx_len = r.number_or("--ctx-len", hash.state_size + kHashLengthBytes, 255);
  json adata = {{"algtype", algtype(desc::ClassSel::kClass2, hash.alg, desc::aai::kHash)}, {"keylen", 0u}, {"key", ""}};
  if (keyed) adata = auth_info(r, hash, desc::aai::kHash, era);
  return {{"adata", std::move(adata)},
          {"state", hex(desc::encode(desc::AlgOperation{.as = state}) & 0xF)},
          {"digestsize", r.number_or("--digestsize", ends ? hash.digestsize : ctx_len, 255)},
          {"ctx_len", ctx_len},
          {"import_ctx", goes_on || r.has("--import-ctx")},
          {"era", era}};
}

json sk_hash_params(const Reader& r) {
  const MacRow& mac = row_of(kMacs, "--auth", r.has("--auth") ? r.text("--auth") : "cmac(aes)");
  const desc::AlgState state = state_of(r);
  const bool ends = state == desc::AlgState::kFinal || state == desc::AlgState::kInitFinal;
  const uint64_t ctx_len = r.number_or("--ctx-len", mac.ctx_len, 255);
  json adata = cipher_info(r, algtype(desc::ClassSel::kClass1, desc::Alg::kAes, mac.aai), {}, false);
  adata["key_inline"] = r.has("--key");  // XCBC has it both ways
  return {{"adata", std::move(adata)},
          {"state", hex(desc::encode(desc::AlgOperation{.as = state}) & 0xF)},
          {"digestsize", r.number_or("--digestsize", ends ? 16 : ctx_len, 255)},
          {"ctx_len", ctx_len}};
}

json request_params(const Reader& r) {
  json p = {{"sh_desc_dma", hex(r.address("--sh-desc"))},
            {"sh_desc_len", r.number("--sh-len", 64)},
            {"src", r.pieces("--src")},
            {"dst", nullptr},
            {"sec4_sg_dma", hex(r.address_or_0("--sg"))}};
  if (r.has("--dst")) p["dst"] = r.pieces("--dst");
  return p;
}

json aead_job_params(const Reader& r) {
  json p = request_params(r);
  const CipherRow& cipher = cipher_row(r);
  const bool esp_salt = r.has("--salt");
  p["assoclen"] = r.number_or("--assoclen", 0);
  p["cryptlen"] = r.number("--cryptlen");
  p["authsize"] = r.number_or("--icvsize", 16, 255);
  p["encrypt"] = !r.has("--decrypt");
  p["era"] = r.number_or("--era", 10, 99);
  p["iv"] = r.has("--iv") ? to_hex(r.bytes("--iv")) : "";
  p["geniv"] = r.has("--geniv");
  p["rfc3686"] = cipher.rfc3686;
  p["cdata_algtype"] = algtype(desc::ClassSel::kClass1, cipher.alg, cipher.aai);
  p["cdata_keylen"] = 0u;
  p["user_key"] = esp_salt ? to_hex(salt(r)) : "";
  return p;
}

json skcipher_job_params(const Reader& r) {
  json p = request_params(r);
  p["cryptlen"] = r.number("--cryptlen");
  p["ivsize"] = r.number_or("--ivsize", r.has("--iv-dma") ? 16 : 0, 255);
  p["iv_dma"] = hex(r.address_or_0("--iv-dma"));
  return p;
}

json ahash_job_params(const Reader& r) {
  const HashRow& hash = hash_row(r);
  json p = request_params(r);
  p["ctx_dma"] = hex(r.address("--ctx-dma"));
  p["ctx_len"] = r.number_or("--ctx-len", hash.state_size + kHashLengthBytes, 255);
  p["digestsize"] = r.number_or("--digestsize", hash.digestsize, 255);
  p["buf_dma"] = hex(r.address_or_0("--buf-dma"));
  p["buflen"] = r.number_or("--buflen", 0, 1024);
  p["nbytes"] = r.number_or("--nbytes", 0);
  p["next_buflen"] = r.number_or("--kept", 0);
  return p;
}

json rsa_params(const ConstructorRow& row, const Reader& r) {
  const uint64_t n_len = r.number("--n-len", 0xFFF);
  const bool f_sg = r.has("--f-sg"), g_sg = r.has("--g-sg");
  json pdb = {{"f_dma", hex(r.address("--f"))}, {"g_dma", hex(r.address("--g"))}};
  const auto add = [&](std::initializer_list<const char*> names) {
    for (const char* name : names) pdb[std::string(name) + "_dma"] = hex(r.address(std::string("--") + name));
  };
  const auto short_len = [&](std::string_view option) { return static_cast<uint16_t>(r.number(option, 0xFFF)); };
  if (row.name == "init_rsa_pub_desc") {
    add({"n", "e"});
    pdb["f_len"] = r.number("--f-len");
    pdb["sgf"] = hex(desc::encode(desc::RsaPubWord{
        .f_sgf = f_sg, .g_sgf = g_sg, .e_len = short_len("--e-len"), .n_len = static_cast<uint16_t>(n_len)}));
    return {{"pdb", std::move(pdb)}};
  }
  desc::RsaPrivWord word{.g_sgf = g_sg, .f_sgf = f_sg, .d_len = 0, .n_len = static_cast<uint16_t>(n_len)};
  if (row.name == "init_rsa_priv_f1_desc") add({"n", "d"});
  if (row.name == "init_rsa_priv_f2_desc") add({"d", "p", "q", "tmp1", "tmp2"});
  if (row.name == "init_rsa_priv_f3_desc") add({"c", "p", "q", "dp", "dq", "tmp1", "tmp2"});
  if (row.name != "init_rsa_priv_f3_desc") word.d_len = short_len("--d-len");
  if (row.name != "init_rsa_priv_f1_desc")
    pdb["p_q_len"] =
        hex(desc::encode(desc::RsaPrimeLengths{.q_len = short_len("--q-len"), .p_len = short_len("--p-len")}));
  pdb["sgf"] = hex(desc::encode(word));
  return {{"pdb", std::move(pdb)}};
}

json split_key_params(const Reader& r) {
  const HashRow& hash = hash_row(r);
  return {{"adata_algtype", algtype(desc::ClassSel::kClass2, hash.alg, 0)},
          {"key_dma", hex(r.address("--auth-key-dma"))},
          {"keylen", r.number("--auth-keylen", 0xFFFF)},
          {"digestsize", r.number_or("--digestsize", hash.digestsize, 64)}};
}

json params_of(const ConstructorRow& row, const Reader& r) {
  switch (row.params) {
    case ParamSet::kGcm:
      return gcm_params(row, r);
    case ParamSet::kSkcipher:
      return cipher_params(r, cipher_row(r), /*count_nonce=*/false);
    case ParamSet::kXts:
      return {{"cdata", cipher_info(r, algtype(desc::ClassSel::kClass1, desc::Alg::kAes, desc::aai::kXts), {}, false)}};
    case ParamSet::kAead:
      return aead_params(r);
    case ParamSet::kAeadNull:
      return aead_null_params(r);
    case ParamSet::kChaChaPoly:
      return chachapoly_params(r);
    case ParamSet::kAhash:
      return ahash_params(r);
    case ParamSet::kSkHash:
      return sk_hash_params(r);
    case ParamSet::kAeadJob:
      return aead_job_params(r);
    case ParamSet::kSkcipherJob:
      return skcipher_job_params(r);
    case ParamSet::kAhashJob:
      return ahash_job_params(r);
    case ParamSet::kRsa:
      return rsa_params(row, r);
    case ParamSet::kRngHandle:
      return {{"handle", r.number_or("--handle", 0, 1)}, {"do_sk", r.has("--secure-keys")}};
    case ParamSet::kRngBytes:
      return {{"dst_dma", hex(r.address("--out"))}, {"len", r.number_or("--len", 16)}};
    case ParamSet::kSplitKey:
      return split_key_params(r);
    case ParamSet::kBlob:
      return {{"encap", !r.has("--decrypt")},
              {"key_mod", to_hex(r.bytes("--key-mod"))},
              {"dma_in", hex(r.address("--in"))},
              {"input_len", r.number("--len")},
              {"dma_out", hex(r.address("--out"))}};
    case ParamSet::kNone:
      break;
  }
  return json::object();
}

}  // namespace

std::span<const BuildOption> build_options() { return kOptions; }

std::span<const std::string_view> options_of(ParamSet params) {
  switch (params) {
    case ParamSet::kGcm:
      return kGcm;
    case ParamSet::kSkcipher:
      return kSkcipher;
    case ParamSet::kXts:
      return kXts;
    case ParamSet::kAead:
      return kAead;
    case ParamSet::kAeadNull:
      return kAeadNull;
    case ParamSet::kChaChaPoly:
      return kChaChaPoly;
    case ParamSet::kAhash:
      return kAhash;
    case ParamSet::kSkHash:
      return kSkHash;
    case ParamSet::kAeadJob:
      return kAeadJob;
    case ParamSet::kSkcipherJob:
      return kSkcipherJob;
    case ParamSet::kAhashJob:
      return kAhashJob;
    case ParamSet::kRsa:
      return kRsa;
    case ParamSet::kRngHandle:
      return kRngHandle;
    case ParamSet::kRngBytes:
      return kRngBytes;
    case ParamSet::kSplitKey:
      return kSplitKey;
    case ParamSet::kBlob:
      return kBlob;
    case ParamSet::kNone:
      break;
  }
  return {};
}

json params_from_options(const ConstructorRow& row, const OptionValues& values, const desc::Target& target) {
  const Names known = options_of(row.params);
  for (const auto& [name, value] : values) {
    if (std::ranges::find(known, name) != known.end()) continue;
    std::string list;
    for (std::string_view option : known) list += (list.empty() ? "" : " ") + std::string(option);
    throw UsageError(fmt::format("{} is no option of {}; it takes {}", name, row.name, list.empty() ? "none" : list));
  }
  json params = params_of(row, Reader(values));
  params["caam_ptr_sz"] = unsigned{target.ptr_bytes};
  params["caam_little_end"] = target.endian == desc::Endian::kLittle;
  params["caam_imx"] = target.imx;
  return params;
}

}  // namespace caamlab::tools
