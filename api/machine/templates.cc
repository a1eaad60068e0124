// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See templates.h. Each creator says what its kernel counterpart's checks and arithmetic say; 0 or a negative errno.
#include "api/machine/templates.h"

#include <algorithm>
#include <cctype>

namespace caamlab::api {
namespace {

using Alg = ListedAlg;

bool word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_'; }

std::string call_of(const std::string& name, std::initializer_list<std::string_view> args) {
  std::string out = name + "(";
  for (const std::string_view arg : args) {
    if (out.back() != '(') out += ',';
    out += arg;
  }
  return out + ")";
}

void take_sizes(Alg& inst, const Alg& part) {
  inst.blocksize = part.blocksize;
  inst.min_keysize = part.min_keysize;
  inst.max_keysize = part.max_keysize;
  inst.ivsize = part.ivsize;
  inst.chunksize = part.chunksize != 0 ? part.chunksize : part.blocksize;
  inst.walksize = part.walksize != 0 ? part.walksize : inst.chunksize;
  inst.maxauthsize = part.maxauthsize;
  inst.digestsize = part.digestsize;
}

// T(X): one part, its priority.
int named_after(Instantiation& in, const Alg& part) {
  in.inst.name = call_of(in.tmpl(), {part.name});
  in.inst.driver = call_of(in.tmpl(), {part.driver});
  in.inst.priority = part.priority;
  return 0;
}

// T(A,B).
void named_after(Instantiation& in, const Alg& a, const Alg& b) {
  in.inst.name = call_of(in.tmpl(), {a.name, b.name});
  in.inst.driver = call_of(in.tmpl(), {a.driver, b.driver});
}

// -- modes of a block cipher ------------------------------------------------------------------------------------------

int create_cipher_mode(Instantiation& in) {
  const Alg* cipher = in.grab("cipher", in.arg(0), 0);
  if (cipher == nullptr) return in.error();
  take_sizes(in.inst, *cipher);
  in.inst.ivsize = cipher->blocksize;
  in.inst.chunksize = in.inst.walksize = cipher->blocksize;
  return named_after(in, *cipher);
}

int create_ecb(Instantiation& in) {
  const int err = create_cipher_mode(in);
  in.inst.ivsize = 0;
  return err;
}

int create_stream_mode(Instantiation& in) {
  const int err = create_cipher_mode(in);
  in.inst.blocksize = 1;
  return err;
}

int create_ctr(Instantiation& in) {
  if (const int err = create_cipher_mode(in); err != 0) return err;
  if (in.inst.blocksize < 4 || in.inst.blocksize % 4 != 0) return -EINVAL;
  in.inst.blocksize = 1;
  return 0;
}

int create_keywrap(Instantiation& in) {
  if (const int err = create_cipher_mode(in); err != 0) return err;
  if (in.inst.blocksize != 16) return -EINVAL;
  in.inst.blocksize = in.inst.ivsize = 8;
  return 0;
}

int create_rfc3686(Instantiation& in) {
  const Alg* ctr = in.grab("skcipher", in.arg(0), 0);
  if (ctr == nullptr) return in.error();
  if (ctr->ivsize != 16 || ctr->blocksize != 1) return -EINVAL;
  take_sizes(in.inst, *ctr);
  in.inst.ivsize = 8;
  in.inst.min_keysize += 4;
  in.inst.max_keysize += 4;
  return named_after(in, *ctr);
}

int create_cts(Instantiation& in) {
  const Alg* cbc = in.grab("skcipher", in.arg(0), 0);
  if (cbc == nullptr) return in.error();
  if (cbc->ivsize != cbc->blocksize || !cbc->name.starts_with("cbc(")) return -EINVAL;
  take_sizes(in.inst, *cbc);
  return named_after(in, *cbc);
}

// xts(X) and lrw(X): over an skcipher called X, which is how ecb(...) can be asked for, else over ecb(X).
int create_tweaked(Instantiation& in, uint32_t key_factor, uint32_t more_key) {
  const Alg* ecb = in.grab("skcipher", in.arg(0), 0);
  if (ecb == nullptr && in.error() == -ENOENT) ecb = in.grab("skcipher", call_of("ecb", {in.arg(0)}), 0);
  if (ecb == nullptr) return in.error();
  if (ecb->blocksize != 16 || ecb->ivsize != 0 || !ecb->name.starts_with("ecb(")) return -EINVAL;
  take_sizes(in.inst, *ecb);
  in.inst.name = in.tmpl() + ecb->name.substr(3);
  in.inst.driver = call_of(in.tmpl(), {ecb->driver});
  in.inst.priority = ecb->priority;
  in.inst.ivsize = 16;
  in.inst.min_keysize = in.inst.min_keysize * key_factor + more_key;
  in.inst.max_keysize = in.inst.max_keysize * key_factor + more_key;
  return 0;
}
int create_xts(Instantiation& in) { return create_tweaked(in, 2, 0); }
int create_lrw(Instantiation& in) { return create_tweaked(in, 1, 16); }

// The cipher that a composed name is about: "authenc(hmac(sha256),cbc(aes))" -> "aes".
std::string innermost(const std::string& name) {
  const size_t open = name.rfind('(');
  const size_t close = name.find(')', open == std::string::npos ? 0 : open);
  return open == std::string::npos || close == std::string::npos ? "" : name.substr(open + 1, close - open - 1);
}

int create_essiv(Instantiation& in) {
  const bool aead = in.request_type() == CRYPTO_ALG_TYPE_AEAD;
  if (!aead && in.request_type() != CRYPTO_ALG_TYPE_SKCIPHER) return -EINVAL;
  if (in.args() < 2) return -ENOENT;
  const Alg* block = in.grab(aead ? "aead" : "skcipher", in.arg(0), 0);
  if (block == nullptr) return in.error();
  if (aead && !block->name.starts_with("authenc(")) return -EINVAL;
  const Alg* hash = in.peek("shash", in.arg(1));
  if (hash == nullptr) return in.error();
  const Alg* cipher = in.peek("cipher", innermost(block->name));
  if (cipher == nullptr || hash->keyed || hash->digestsize < cipher->min_keysize ||
      hash->digestsize > cipher->max_keysize || block->ivsize != cipher->blocksize)
    return -EINVAL;
  take_sizes(in.inst, *block);
  in.inst.flags |= hash->flags & CRYPTO_ALG_INHERITED_FLAGS;
  named_after(in, *block, *hash);
  in.inst.priority = block->priority;
  return 0;
}

// -- authenticated encryption -----------------------------------------------------------------------------------------

int create_gcm_of(Instantiation& in, const std::string& ctr_name, const std::string& ghash_name) {
  const Alg* ghash = in.grab("ahash", ghash_name, 0);
  if (ghash == nullptr) return in.error();
  if (ghash->name != "ghash" || ghash->digestsize != 16) return -EINVAL;
  const Alg* ctr = in.grab("skcipher", ctr_name, 0);
  if (ctr == nullptr) return in.error();
  if (!ctr->name.starts_with("ctr(") || ctr->ivsize != 16 || ctr->blocksize != 1) return -EINVAL;
  in.inst.name = "gcm(" + ctr->name.substr(4);
  in.inst.driver = call_of("gcm_base", {ctr->driver, ghash->driver});
  in.inst.priority = (ghash->priority + ctr->priority) / 2;
  in.inst.blocksize = 1;
  in.inst.ivsize = 12;
  in.inst.maxauthsize = 16;
  in.inst.chunksize = ctr->chunksize;
  return 0;
}
int create_gcm(Instantiation& in) { return create_gcm_of(in, call_of("ctr", {in.arg(0)}), "ghash"); }
int create_gcm_base(Instantiation& in) { return in.args() < 2 ? -ENOENT : create_gcm_of(in, in.arg(0), in.arg(1)); }

// The MAC runs over the text in one go: a synchronous one only.
int create_ccm_of(Instantiation& in, const std::string& ctr_name, const std::string& mac_name) {
  const Alg* mac = in.grab("ahash", mac_name, 0, CRYPTO_ALG_ASYNC);
  if (mac == nullptr) return in.error();
  if (!mac->name.starts_with("cbcmac(") || mac->digestsize != 16) return -EINVAL;
  const Alg* ctr = in.grab("skcipher", ctr_name, 0);
  if (ctr == nullptr) return in.error();
  if (!ctr->name.starts_with("ctr(") || ctr->ivsize != 16 || ctr->blocksize != 1) return -EINVAL;
  if (ctr->name.substr(4) != mac->name.substr(7)) return -EINVAL;  // of one cipher
  in.inst.name = "ccm(" + ctr->name.substr(4);
  in.inst.driver = call_of("ccm_base", {ctr->driver, mac->driver});
  in.inst.priority = (mac->priority + ctr->priority) / 2;
  in.inst.blocksize = 1;
  in.inst.ivsize = in.inst.maxauthsize = 16;
  in.inst.chunksize = ctr->chunksize;
  return 0;
}
int create_ccm(Instantiation& in) {
  return create_ccm_of(in, call_of("ctr", {in.arg(0)}), call_of("cbcmac", {in.arg(0)}));
}
int create_ccm_base(Instantiation& in) { return in.args() < 2 ? -ENOENT : create_ccm_of(in, in.arg(0), in.arg(1)); }

// IPsec forms: a salt in the key, eight bytes of IV.
int create_ipsec_form(Instantiation& in, uint32_t inner_iv) {
  const Alg* aead = in.grab("aead", in.arg(0), 0);
  if (aead == nullptr) return in.error();
  if (aead->ivsize != inner_iv || aead->blocksize != 1) return -EINVAL;
  take_sizes(in.inst, *aead);
  in.inst.ivsize = 8;
  in.inst.maxauthsize = 16;
  return named_after(in, *aead);
}
int create_rfc4106(Instantiation& in) { return create_ipsec_form(in, 12); }
int create_rfc4309(Instantiation& in) { return create_ipsec_form(in, 16); }

int create_authenc(Instantiation& in) {
  if (in.args() < 2) return -ENOENT;
  const Alg* auth = in.grab("ahash", in.arg(0), 0);
  if (auth == nullptr) return in.error();
  const Alg* enc = in.grab("skcipher", in.arg(1), 0);
  if (enc == nullptr) return in.error();
  take_sizes(in.inst, *enc);
  in.inst.maxauthsize = auth->digestsize;
  in.inst.digestsize = 0;
  named_after(in, *auth, *enc);
  in.inst.priority = enc->priority * 10 + auth->priority;
  return 0;
}

int create_geniv(Instantiation& in, bool (*fits)(uint32_t ivsize)) {
  const Alg* aead = in.grab("aead", in.arg(0), 0);
  if (aead == nullptr) return in.error();
  if (!fits(aead->ivsize)) return -EINVAL;
  take_sizes(in.inst, *aead);
  return named_after(in, *aead);
}
int create_seqiv(Instantiation& in) {
  return create_geniv(in, [](uint32_t iv) { return iv == 8; });
}
int create_echainiv(Instantiation& in) {
  return create_geniv(in, [](uint32_t iv) { return iv != 0 && iv % 8 == 0; });
}

int create_chachapoly(Instantiation& in, uint32_t ivsize) {
  if (in.args() < 2) return -ENOENT;
  const Alg* chacha = in.grab("skcipher", in.arg(0), 0);
  if (chacha == nullptr) return in.error();
  const Alg* poly = in.grab("ahash", in.arg(1), 0);
  if (poly == nullptr) return in.error();
  if (poly->digestsize != 16 || chacha->ivsize != 16 || chacha->blocksize != 1) return -EINVAL;
  named_after(in, *chacha, *poly);
  in.inst.priority = (chacha->priority + poly->priority) / 2;
  in.inst.blocksize = 1;
  in.inst.ivsize = ivsize;
  in.inst.maxauthsize = 16;
  in.inst.chunksize = chacha->chunksize;
  return 0;
}
int create_rfc7539(Instantiation& in) { return create_chachapoly(in, 12); }
int create_rfc7539esp(Instantiation& in) { return create_chachapoly(in, 8); }

// -- hashes -----------------------------------------------------------------------------------------------------------

int create_hmac(Instantiation& in) {
  const Alg* hash = in.grab("shash", in.arg(0), 0);
  if (hash == nullptr) return in.error();
  if (hash->keyed || hash->digestsize > hash->blocksize) return -EINVAL;
  take_sizes(in.inst, *hash);
  in.inst.keyed = true;
  return named_after(in, *hash);
}

// A MAC of a block cipher; block 0: any of 8 and 16.
int create_cipher_mac(Instantiation& in, uint32_t block, uint32_t blocksize) {
  const Alg* cipher = in.grab("cipher", in.arg(0), 0);
  if (cipher == nullptr) return in.error();
  if (block != 0 ? cipher->blocksize != block : cipher->blocksize != 8 && cipher->blocksize != 16) return -EINVAL;
  in.inst.blocksize = blocksize != 0 ? blocksize : cipher->blocksize;
  in.inst.digestsize = cipher->blocksize;
  in.inst.keyed = true;
  return named_after(in, *cipher);
}
int create_cmac(Instantiation& in) { return create_cipher_mac(in, 0, 0); }
int create_xcbc(Instantiation& in) { return create_cipher_mac(in, 16, 0); }
int create_vmac(Instantiation& in) {
  const int err = create_cipher_mac(in, 16, 0);
  in.inst.digestsize = 8;
  return err;
}
int create_cbcmac(Instantiation& in) {
  const Alg* cipher = in.grab("cipher", in.arg(0), 0);
  if (cipher == nullptr) return in.error();
  in.inst.blocksize = 1;
  in.inst.digestsize = cipher->blocksize;
  in.inst.keyed = true;
  return named_after(in, *cipher);
}

// -- wide-block encryption
// ----------------------------------------------------------------------------------------------

int create_adiantum(Instantiation& in) {
  if (in.args() < 2) return -ENOENT;
  const Alg* stream = in.grab("skcipher", in.arg(0), 0);
  if (stream == nullptr) return in.error();
  const Alg* block = in.grab("cipher", in.arg(1), 0);
  if (block == nullptr) return in.error();
  const Alg* hash = in.grab("shash", in.args() > 2 ? in.arg(2) : "nhpoly1305", 0);
  if (hash == nullptr) return in.error();
  if (stream->name != "xchacha12" && stream->name != "xchacha20") return -EINVAL;
  if (block->blocksize != 16 || block->max_keysize < 32) return -EINVAL;
  in.inst.name = call_of(in.tmpl(), {stream->name, block->name});
  in.inst.driver = call_of(in.tmpl(), {stream->driver, block->driver, hash->driver});
  in.inst.priority = (4 * stream->priority + 2 * hash->priority + block->priority) / 7;
  in.inst.blocksize = 16;
  in.inst.min_keysize = stream->min_keysize;
  in.inst.max_keysize = stream->max_keysize;
  in.inst.ivsize = 32;
  in.inst.chunksize = in.inst.walksize = 16;
  return 0;
}

int create_hctr2_of(Instantiation& in, const std::string& xctr_name, const std::string& polyval_name) {
  const Alg* xctr = in.grab("skcipher", xctr_name, 0);
  if (xctr == nullptr) return in.error();
  if (!xctr->name.starts_with("xctr(")) return -EINVAL;
  const std::string cipher = innermost(xctr->name);
  const Alg* block = in.grab("cipher", cipher, 0);
  if (block == nullptr) return in.error();
  const Alg* polyval = in.grab("shash", polyval_name, 0);
  if (polyval == nullptr) return in.error();
  if (block->blocksize != 16 || polyval->name != "polyval") return -EINVAL;
  in.inst.name = call_of("hctr2", {cipher});
  in.inst.driver = call_of("hctr2_base", {xctr->driver, polyval->driver});
  in.inst.priority = (2 * xctr->priority + 4 * polyval->priority + block->priority) / 7;
  take_sizes(in.inst, *xctr);
  in.inst.blocksize = 16;
  in.inst.ivsize = 32;
  return 0;
}
int create_hctr2(Instantiation& in) { return create_hctr2_of(in, call_of("xctr", {in.arg(0)}), "polyval"); }
int create_hctr2_base(Instantiation& in) { return in.args() < 2 ? -ENOENT : create_hctr2_of(in, in.arg(0), in.arg(1)); }

// -- wrappers that keep the name
// ------------------------------------------------------------------------------------------

int wrap(Instantiation& in, const Alg* part, int more_priority) {
  if (part == nullptr) return in.error();
  take_sizes(in.inst, *part);
  in.inst.keyed = part->keyed;
  in.inst.name = part->name;
  in.inst.driver = call_of(in.tmpl(), {part->driver});
  in.inst.priority = part->priority + more_priority;
  in.inst.flags |= CRYPTO_ALG_ASYNC | (part->flags & CRYPTO_ALG_INTERNAL);
  return 0;
}

// There is no point in a queue in front of what is asynchronous itself.
int create_cryptd(Instantiation& in) {
  const uint32_t internal = in.wants_internal() ? CRYPTO_ALG_INTERNAL : 0;
  const uint32_t mask = CRYPTO_ALG_ASYNC | internal;
  switch (in.request_type()) {
    case CRYPTO_ALG_TYPE_SKCIPHER:
      return wrap(in, in.grab("skcipher", in.arg(0), internal, mask), 50);
    case CRYPTO_ALG_TYPE_AEAD:
      return wrap(in, in.grab("aead", in.arg(0), internal, mask), 50);
    case CRYPTO_ALG_TYPE_SHASH:
    case CRYPTO_ALG_TYPE_AHASH: {
      const int err = wrap(in, in.grab("shash", in.arg(0), internal, mask), 50);
      in.inst.flags = (in.inst.flags & ~CRYPTO_ALG_TYPE_MASK) | CRYPTO_ALG_TYPE_AHASH;
      return err;
    }
    default:
      return -EINVAL;
  }
}

int create_pcrypt(Instantiation& in) { return wrap(in, in.grab("aead", in.arg(0), 0), 100); }

int create_pkcs1pad(Instantiation& in) {
  const Alg* rsa = in.grab("akcipher", in.arg(0), 0);
  if (rsa == nullptr) return in.error();
  if (rsa->name != "rsa") return -EINVAL;
  if (in.args() < 2) return named_after(in, *rsa);
  in.inst.name = call_of(in.tmpl(), {rsa->name, in.arg(1)});
  in.inst.driver = call_of(in.tmpl(), {rsa->driver, in.arg(1)});
  in.inst.priority = rsa->priority;
  return 0;
}

constexpr uint32_t kSkcipher = CRYPTO_ALG_TYPE_SKCIPHER, kAead = CRYPTO_ALG_TYPE_AEAD, kShash = CRYPTO_ALG_TYPE_SHASH;
constexpr Template kTemplates[] = {
    {"ecb", kSkcipher, create_ecb},
    {"cbc", kSkcipher, create_cipher_mode},
    {"pcbc", kSkcipher, create_cipher_mode},
    {"ctr", kSkcipher, create_ctr},
    {"cfb", kSkcipher, create_stream_mode},
    {"ofb", kSkcipher, create_stream_mode},
    {"xctr", kSkcipher, create_stream_mode},
    {"kw", kSkcipher, create_keywrap},
    {"rfc3686", kSkcipher, create_rfc3686},
    {"cts", kSkcipher, create_cts},
    {"xts", kSkcipher, create_xts},
    {"lrw", kSkcipher, create_lrw},
    {"essiv", 0, create_essiv},
    {"gcm", kAead, create_gcm},
    {"gcm_base", kAead, create_gcm_base},
    {"ccm", kAead, create_ccm},
    {"ccm_base", kAead, create_ccm_base},
    {"rfc4106", kAead, create_rfc4106},
    {"rfc4543", kAead, create_rfc4106},
    {"rfc4309", kAead, create_rfc4309},
    {"authenc", kAead, create_authenc},
    {"authencesn", kAead, create_authenc},
    {"seqiv", kAead, create_seqiv},
    {"echainiv", kAead, create_echainiv},
    {"rfc7539", kAead, create_rfc7539},
    {"rfc7539esp", kAead, create_rfc7539esp},
    {"hmac", kShash, create_hmac},
    {"cmac", kShash, create_cmac},
    {"xcbc", kShash, create_xcbc},
    {"cbcmac", kShash, create_cbcmac},
    {"vmac64", kShash, create_vmac},
    {"adiantum", kSkcipher, create_adiantum},
    {"hctr2", kSkcipher, create_hctr2},
    {"hctr2_base", kSkcipher, create_hctr2_base},
    {"cryptd", 0, create_cryptd},
    {"pcrypt", kAead, create_pcrypt},
    {"pkcs1pad", CRYPTO_ALG_TYPE_AKCIPHER, create_pkcs1pad},
};

}  // namespace

std::optional<TemplateCall> parse_template(std::string_view name) {
  constexpr size_t kMaxAttrs = 32;
  size_t at = 0;
  while (at < name.size() && word_char(name[at])) ++at;
  if (at == 0 || at == name.size() || name[at] != '(') return std::nullopt;
  TemplateCall call{std::string(name.substr(0, at)), {}};
  for (;;) {
    const size_t begin = ++at;
    while (at < name.size() && word_char(name[at])) ++at;
    if (at < name.size() && name[at] == '(') {
      int open = 0;
      do {
        if (name[at] == '(') ++open;
        if (name[at] == ')') --open;
        ++at;
      } while (at < name.size() && open != 0);
      if (open != 0) return std::nullopt;
    }
    if (at == begin || at >= name.size()) return std::nullopt;
    call.args.emplace_back(name.substr(begin, at - begin));
    if (call.args.size() >= kMaxAttrs) return std::nullopt;
    if (name[at] == ')') break;
    if (name[at] != ',') return std::nullopt;
  }
  if (at + 1 != name.size()) return std::nullopt;
  return call;
}

const Template* find_template(std::string_view name) {
  const auto* found = std::ranges::find(kTemplates, name, [](const Template& t) { return std::string_view(t.name); });
  return found != std::end(kTemplates) ? found : nullptr;
}

ListedAlg* Instantiation::find(const char* front, const std::string& name, uint32_t type, uint32_t mask) {
  const FrontEnd& f = *front_end(front);
  const auto found = machine_.lookup_or_make({name, type | f.type, mask | machine_.maskset(f)}, depth_ + 1, out_);
  if (found) return *found;
  error_ = found.error();
  return nullptr;
}

ListedAlg* Instantiation::grab(const char* front, const std::string& name, uint32_t type, uint32_t more_mask) {
  const uint32_t mask = inherited_mask() | more_mask;
  ListedAlg* part = find(front, name, type, mask);
  if (part == nullptr) return nullptr;
  inst.parts.push_back({part, mask | machine_.maskset(*front_end(front))});
  inst.flags |= part->flags & CRYPTO_ALG_INHERITED_FLAGS;
  inst.accelerator = inst.accelerator || part->accelerator;
  return part;
}

ListedAlg* Instantiation::peek(const char* front, const std::string& name) {
  return find(front, name, 0, inherited_mask());
}

int Instantiation::run(const Template& tmpl) {
  if (tmpl.type != 0 && ((type_ ^ tmpl.type) & mask_) != 0) return -EINVAL;
  inst.flags = (tmpl.type != 0 ? tmpl.type : request_type()) | CRYPTO_ALG_INSTANCE;
  inst.module = tmpl.name;
  if (const int err = tmpl.create(*this); err != 0) return err;
  // Making one part may have removed another, as in the kernel, which would then begin anew.
  if (std::ranges::any_of(inst.parts, [](const ListedAlg::Part& p) { return (p.alg->flags & CRYPTO_ALG_DEAD) != 0; }))
    return -EAGAIN;
  if (inst.name.size() > kMaxAlgName || inst.driver.size() > kMaxAlgName) return -ENAMETOOLONG;
  const auto listed = machine_.register_alg(std::move(inst));
  if (!listed) return listed.error();
  out_.created.push_back(*listed);
  return 0;
}

}  // namespace caamlab::api
