// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See profile.h.
#include "api/machine/profile.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "api/machine/data.h"

namespace caamlab::api {
namespace {

using nlohmann::json;

struct FlagName {
  std::string_view name;
  uint32_t bit;
};
constexpr FlagName kFlags[] = {
    {"ASYNC", CRYPTO_ALG_ASYNC},
    {"NEED_FALLBACK", CRYPTO_ALG_NEED_FALLBACK},
    {"TESTED", CRYPTO_ALG_TESTED},
    {"INSTANCE", CRYPTO_ALG_INSTANCE},
    {"KERN_DRIVER_ONLY", CRYPTO_ALG_KERN_DRIVER_ONLY},
    {"INTERNAL", CRYPTO_ALG_INTERNAL},
    {"OPTIONAL_KEY", CRYPTO_ALG_OPTIONAL_KEY},
    {"NOLOAD", CRYPTO_NOLOAD},
    {"ALLOCATES_MEMORY", CRYPTO_ALG_ALLOCATES_MEMORY},
};

uint32_t flag_bits(const json& names) {
  uint32_t bits = 0;
  for (const json& name : names) bits |= parse_flags(name.get<std::string>()).value();
  return bits;
}

// A consumer's type or mask: a number, flag names, or words about what the user chooses, which counts as nothing asked.
uint32_t request_bits(const json& value) {
  if (value.is_array()) return flag_bits(value);
  return value.is_number() ? value.get<uint32_t>() : 0;
}

// Which condition of register_if a device without a feature fails (caam's probe).
bool lacks(std::string_view feature, const json& row) {
  const auto needs = [&row](std::string_view words) {
    if (!row.contains("register_if")) return false;
    return std::ranges::any_of(row["register_if"], [words](const json& condition) {
      return condition.get_ref<const std::string&>().find(words) != std::string::npos;
    });
  };
  if (feature == "chacha") return needs("ccha instances") || needs("ptha instances");
  if (feature == "xts") return needs("aesa is not LP");
  if (feature == "sha512") return needs("mdha is not LP256");
  if (feature == "gcm") return needs("gcm supported");
  return false;
}

ListedAlg parse_alg(const json& row, bool accelerator) {
  const auto number = [&row](const char* key) { return row.value(key, 0u); };
  ListedAlg alg;
  alg.name = row.at("name");
  alg.driver = row.at("driver");
  alg.module = row.at("module");
  alg.priority = row.at("priority");
  const std::string type = row.at("type");
  const FrontEnd* front = front_end(type);
  alg.flags = (front != nullptr ? front->type : 0) | flag_bits(row.at("flags"));
  alg.blocksize = number("blocksize");
  alg.min_keysize = number("min_keysize");
  alg.max_keysize = number("max_keysize");
  alg.ivsize = number("ivsize");
  alg.chunksize = number("chunksize");
  alg.walksize = number("walksize");
  alg.maxauthsize = number("maxauthsize");
  alg.digestsize = number("digestsize");
  alg.seedsize = number("seedsize");
  alg.keyed = row.value("keyed", false);
  alg.has_vectors = row.value("kernel_selftest", true);
  alg.accelerator = accelerator;
  return alg;
}

const json& sets_file() {
  static const json file = json::parse(kMachineSets);
  return file;
}
const json& machines_file() {
  static const json file = json::parse(kMachineProfiles);
  return file;
}

bool is_accelerator_set(std::string_view set) { return set.starts_with("caam") || set == "qat" || set == "virtio"; }

Profile parse_profile(const json& row) {
  Profile p;
  p.name = row.at("profile");
  p.cpu = row.value("cpu", "");
  p.note = row.value("note", "");
  p.sets = row.at("sets").get<std::vector<std::string>>();
  p.exclude_modules = row.at("exclude_modules").get<std::vector<std::string>>();
  for (const json& h : row.at("hardware"))
    p.hardware.push_back({h.at("set"), h.value("priority", -1), h.value("without", std::vector<std::string>{})});
  return p;
}

Consumer parse_consumer(const json& row) {
  Consumer c;
  c.name = row.at("consumer");
  c.kind = row.at("kind");
  c.pattern = row.at("name");
  if (row.contains("example") && row["example"].is_string()) c.example = row["example"];
  c.when = row.value("when", "");
  c.note = row.value("note", "");
  c.asks_nothing = c.kind == "none";
  if (row.contains("type")) c.type = request_bits(row["type"]);
  if (row.contains("mask")) c.mask = request_bits(row["mask"]);
  return c;
}

template <class T, class Parse>
std::vector<T> parse_all(const char* key, Parse parse) {
  std::vector<T> out;
  for (const json& row : machines_file().at(key)) out.push_back(parse(row));
  return out;
}

}  // namespace

std::optional<uint32_t> parse_flags(std::string_view text) {
  uint32_t number = 0;
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  const std::string_view digits = text.substr(hex ? 2 : 0);
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number, hex ? 16 : 10);
  if (parsed.ec == std::errc() && parsed.ptr == digits.data() + digits.size()) return number;
  uint32_t bits = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of("|,"), text.size());
    const auto* flag = std::ranges::find(kFlags, text.substr(0, end), &FlagName::name);
    if (flag == std::end(kFlags)) return std::nullopt;
    bits |= flag->bit;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return bits;
}

std::span<const Profile> profiles() {
  static const std::vector<Profile> all = parse_all<Profile>("profiles", parse_profile);
  return all;
}

std::span<const Consumer> consumers() {
  static const std::vector<Consumer> all = parse_all<Consumer>("consumers", parse_consumer);
  return all;
}

const Profile* find_profile(std::string_view name) {
  const auto all = profiles();
  const auto found = std::ranges::find(all, name, &Profile::name);
  return found != all.end() ? &*found : nullptr;
}

std::vector<std::string> set_names() {
  std::vector<std::string> names;
  for (const auto& [name, set] : sets_file().at("sets").items()) names.push_back(name);
  return names;
}

bool is_set(std::string_view name) { return sets_file().at("sets").contains(name); }

std::vector<ListedAlg> algorithms_of(std::string_view set, std::span<const std::string> without) {
  std::vector<ListedAlg> out;
  if (!is_set(set)) return out;
  for (const json& row : sets_file().at("sets").at(std::string(set)).at("algorithms")) {
    if (std::ranges::any_of(without, [&row](const std::string& feature) { return lacks(feature, row); })) continue;
    out.push_back(parse_alg(row, is_accelerator_set(set)));
  }
  return out;
}

// What a driver's priority macro is about: its data path, not its public keys or random numbers.
bool has_set_priority(const ListedAlg& alg) {
  const uint32_t type = alg.type();
  return type == CRYPTO_ALG_TYPE_AEAD || type == CRYPTO_ALG_TYPE_SKCIPHER || type == CRYPTO_ALG_TYPE_AHASH;
}

unsigned load_set(Machine& machine, const Profile::Hardware& set) {
  unsigned accepted = 0;
  for (ListedAlg& alg : algorithms_of(set.set, set.without)) {
    if (set.priority >= 0 && has_set_priority(alg)) alg.priority = set.priority;
    accepted += machine.register_alg(std::move(alg)).has_value();
  }
  return accepted;
}

unsigned unload_set(Machine& machine, std::string_view set_or_module) {
  std::vector<std::string> drivers;
  if (is_set(set_or_module)) {
    for (const ListedAlg& alg : algorithms_of(set_or_module)) drivers.push_back(alg.driver);
  } else {
    for (const ListedAlg& alg : machine.algs())
      if (alg.module == set_or_module && !alg.instance()) drivers.push_back(alg.driver);
  }
  unsigned gone = 0;
  for (const std::string& driver : drivers) {
    ListedAlg* alg = machine.find_driver(driver);
    if (alg == nullptr) continue;
    machine.unregister_alg(*alg);
    ++gone;
  }
  return gone;
}

Machine make_machine(const Profile& profile, Machine::Options options) {
  Machine machine(options);
  for (const std::string& set : profile.sets) {
    for (ListedAlg& alg : algorithms_of(set)) {
      if (std::ranges::find(profile.exclude_modules, alg.module) != profile.exclude_modules.end()) continue;
      (void)machine.register_alg(std::move(alg));
    }
  }
  for (const Profile::Hardware& set : profile.hardware) load_set(machine, set);
  machine.take_removed();
  return machine;
}

}  // namespace caamlab::api
