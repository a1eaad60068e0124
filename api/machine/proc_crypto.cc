// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See proc_crypto.h.
#include "api/machine/proc_crypto.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "api/machine/profile.h"
#include "api/machine/templates.h"

namespace caamlab::api {
namespace {

using Field = uint32_t ListedAlg::*;
struct SizeLine {
  const char* label;
  Field field;
};

// The size lines of each type, in the kernel's order.
const std::vector<SizeLine>& size_lines(uint32_t type) {
  static const std::vector<SizeLine> aead{
      {"blocksize", &ListedAlg::blocksize}, {"ivsize", &ListedAlg::ivsize}, {"maxauthsize", &ListedAlg::maxauthsize}};
  static const std::vector<SizeLine> skcipher{
      {"blocksize", &ListedAlg::blocksize},     {"min keysize", &ListedAlg::min_keysize},
      {"max keysize", &ListedAlg::max_keysize}, {"ivsize", &ListedAlg::ivsize},
      {"chunksize", &ListedAlg::chunksize},     {"walksize", &ListedAlg::walksize}};
  static const std::vector<SizeLine> lskcipher{
      {"blocksize", &ListedAlg::blocksize},     {"min keysize", &ListedAlg::min_keysize},
      {"max keysize", &ListedAlg::max_keysize}, {"ivsize", &ListedAlg::ivsize},
      {"chunksize", &ListedAlg::chunksize},     {"statesize", &ListedAlg::statesize}};
  static const std::vector<SizeLine> hash{{"blocksize", &ListedAlg::blocksize}, {"digestsize", &ListedAlg::digestsize}};
  static const std::vector<SizeLine> cipher{{"blocksize", &ListedAlg::blocksize},
                                            {"min keysize", &ListedAlg::min_keysize},
                                            {"max keysize", &ListedAlg::max_keysize}};
  static const std::vector<SizeLine> rng{{"seedsize", &ListedAlg::seedsize}};
  static const std::vector<SizeLine> none;
  switch (type) {
    case CRYPTO_ALG_TYPE_AEAD:
      return aead;
    case CRYPTO_ALG_TYPE_SKCIPHER:
      return skcipher;
    case CRYPTO_ALG_TYPE_LSKCIPHER:
      return lskcipher;
    case CRYPTO_ALG_TYPE_AHASH:
    case CRYPTO_ALG_TYPE_SHASH:
      return hash;
    case CRYPTO_ALG_TYPE_CIPHER:
      return cipher;
    case CRYPTO_ALG_TYPE_RNG:
      return rng;
    default:
      return none;
  }
}

bool shows_async(uint32_t type) {
  return type == CRYPTO_ALG_TYPE_AEAD || type == CRYPTO_ALG_TYPE_SKCIPHER || type == CRYPTO_ALG_TYPE_AHASH;
}

// The kernel's words for types, where they are not those of the front ends.
std::string type_word(uint32_t type) {
  switch (type) {
    case CRYPTO_ALG_TYPE_COMPRESS:
      return "compression";
    case CRYPTO_ALG_TYPE_LSKCIPHER:
      return "lskcipher";
    case CRYPTO_ALG_TYPE_SIG:
      return "sig";
    default:
      return cra_type_text(type);
  }
}

void line(std::string& out, std::string_view label, std::string_view value) {
  out += fmt::format("{:<13}: {}\n", label, value);
}

using Block = std::map<std::string, std::string, std::less<>>;

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<uint32_t> type_of(std::string_view word) {
  if (word == "compression") return CRYPTO_ALG_TYPE_COMPRESS;
  if (word == "larval") return CRYPTO_ALG_LARVAL;
  const FrontEnd* front = front_end(word);
  if (front == nullptr) return std::nullopt;
  return front->type;
}

tl::expected<ListedAlg, std::string> to_alg(const Block& block) {
  const auto value = [&block](std::string_view key) {
    const auto at = block.find(key);
    return at != block.end() ? at->second : std::string();
  };
  ListedAlg alg;
  alg.name = value("name");
  alg.driver = value("driver");
  alg.module = value("module");
  const auto priority = number(value("priority")), refcnt = number(value("refcnt"));
  const auto type = type_of(value("type"));
  if (alg.name.empty() || alg.driver.empty()) return tl::make_unexpected("a block needs a name and a driver line");
  if (!priority)
    return tl::make_unexpected("priority of " + alg.driver + " is not a number: '" + value("priority") + "'");
  if (!type)
    return tl::make_unexpected("type of " + alg.driver + " is not one of the kernel's: '" + value("type") + "'");
  alg.priority = *priority;
  alg.refcnt = refcnt.value_or(1);
  alg.flags = *type;
  if (value("selftest") == "passed") alg.flags |= CRYPTO_ALG_TESTED;
  if (value("internal") == "yes") alg.flags |= CRYPTO_ALG_INTERNAL;
  if (value("async") == "yes") alg.flags |= CRYPTO_ALG_ASYNC;
  for (const SizeLine& size : size_lines(alg.type()))
    alg.*size.field = static_cast<uint32_t>(number(value(size.label)).value_or(0));
  if (block.contains("statesize")) alg.statesize = static_cast<uint32_t>(number(value("statesize")).value_or(0));
  return alg;
}

// What the file leaves out, from the driver of that name.
void complete(ListedAlg& alg, const std::map<std::string, ListedAlg>& known, std::vector<std::string>& unknown) {
  const auto at = known.find(alg.driver);
  if (at == known.end()) {
    if (parse_template(alg.driver)) return;  // an instance has what its parts have
    unknown.push_back(alg.driver);
    alg.keyed = alg.name.find('(') != std::string::npos;
    return;
  }
  constexpr uint32_t kHidden =
      CRYPTO_ALG_NEED_FALLBACK | CRYPTO_ALG_KERN_DRIVER_ONLY | CRYPTO_ALG_ALLOCATES_MEMORY | CRYPTO_ALG_OPTIONAL_KEY;
  alg.flags |= at->second.flags & kHidden;
  alg.keyed = at->second.keyed;
  alg.has_vectors = at->second.has_vectors;
  alg.accelerator = at->second.accelerator;
}

void relink(Machine& machine) {
  for (ListedAlg& alg : machine.algs()) {
    const auto call = parse_template(alg.driver);
    if (!call || find_template(call->name) == nullptr) continue;
    for (const std::string& arg : call->args) {
      ListedAlg* part = machine.find_driver(arg);
      if (part == nullptr || part == &alg) continue;
      alg.flags |= CRYPTO_ALG_INSTANCE | (part->flags & CRYPTO_ALG_INHERITED_FLAGS);
      alg.keyed =
          alg.keyed || call->name == "hmac" || call->name == "cmac" || call->name == "xcbc" || call->name == "cbcmac";
      alg.accelerator = alg.accelerator || part->accelerator;
      alg.parts.push_back({part, CRYPTO_ALG_TYPE_AHASH_MASK});
    }
  }
}

std::map<std::string, ListedAlg> all_known() {
  std::map<std::string, ListedAlg> known;
  for (const std::string& set : set_names())
    for (ListedAlg& alg : algorithms_of(set)) known.try_emplace(alg.driver, std::move(alg));
  return known;
}

}  // namespace

std::string proc_crypto_block(const ListedAlg& alg) {
  std::string out;
  line(out, "name", alg.name);
  line(out, "driver", alg.driver);
  line(out, "module", alg.module);
  line(out, "priority", std::to_string(alg.priority));
  line(out, "refcnt", std::to_string(alg.refcnt));
  line(out, "selftest", alg.tested() ? "passed" : "unknown");
  line(out, "internal", (alg.flags & CRYPTO_ALG_INTERNAL) != 0 ? "yes" : "no");
  if ((alg.flags & CRYPTO_ALG_LARVAL) != 0) {
    line(out, "type", "larval");
    line(out, "flags", fmt::format("{:#x}", alg.flags));
    return out;
  }
  line(out, "type", type_word(alg.type()));
  if (shows_async(alg.type())) line(out, "async", (alg.flags & CRYPTO_ALG_ASYNC) != 0 ? "yes" : "no");
  for (const SizeLine& size : size_lines(alg.type())) line(out, size.label, std::to_string(alg.*size.field));
  if (alg.type() == CRYPTO_ALG_TYPE_SKCIPHER && alg.shows_statesize)
    line(out, "statesize", std::to_string(alg.statesize));
  if (alg.type() == CRYPTO_ALG_TYPE_AEAD) line(out, "geniv", "<none>");
  return out;
}

std::string proc_crypto_text(const Machine& machine) {
  std::string out;
  for (const ListedAlg& alg : machine.algs()) out += proc_crypto_block(alg) + "\n";
  return out;
}

tl::expected<ProcCrypto, ProcCryptoError> read_proc_crypto(std::string_view text) {
  const std::map<std::string, ListedAlg> known = all_known();
  std::vector<ListedAlg> algs;
  ProcCrypto out;
  Block block;
  size_t line_number = 0, block_line = 0;
  while (!text.empty() || !block.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view current = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++line_number;
    if (current.ends_with('\r')) current.remove_suffix(1);
    if (current.find_first_not_of(" \t") != std::string_view::npos) {
      const size_t colon = current.find(':');
      if (colon == std::string_view::npos)
        return tl::make_unexpected(ProcCryptoError{line_number, "a line of /proc/crypto is 'label : value'"});
      if (block.empty()) block_line = line_number;
      std::string_view label = current.substr(0, colon), value = current.substr(colon + 1);
      label = label.substr(0, label.find_last_not_of(" \t") + 1);
      value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
      // A file whose blocks are not apart: the next one begins with its name.
      if (label != "name" || block.empty()) {
        block.emplace(label, value);
        continue;
      }
      text = std::string_view(current.data(), static_cast<size_t>(text.data() + text.size() - current.data()));
      --line_number;
    }
    if (block.empty()) continue;
    auto alg = to_alg(block);
    if (!alg) return tl::make_unexpected(ProcCryptoError{block_line, alg.error()});
    alg->shows_statesize = alg->type() == CRYPTO_ALG_TYPE_SKCIPHER && block.contains("statesize");
    complete(*alg, known, out.unknown_flags);
    algs.push_back(std::move(*alg));
    block.clear();
  }
  const bool lskciphers =
      std::ranges::any_of(algs, [](const ListedAlg& alg) { return alg.type() == CRYPTO_ALG_TYPE_LSKCIPHER; });
  out.machine = Machine(Machine::Options{.template_errors = false, .lskciphers = lskciphers});
  for (auto alg = algs.rbegin(); alg != algs.rend(); ++alg) out.machine.list_alg(std::move(*alg));
  relink(out.machine);
  return out;
}

}  // namespace caamlab::api
