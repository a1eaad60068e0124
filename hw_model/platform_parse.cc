// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Reader of platform data files (JSON). Every key is checked: unknown keys, wrong types and values out of range are
// errors that name the key and say what it may hold.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "desc/regs.h"
#include "hw_model/platform.h"

namespace caamlab::hw_model {
namespace {

using namespace desc::reg;
using nlohmann::json;

// One object of the file. Holds on to the first error of the whole file; after it, everything reads as its default.
class Reader {
 public:
  Reader(const json& object, std::string path, std::string& error)
      : object_(object), path_(std::move(path)), error_(error) {
    if (!object_.is_object()) fail("", "must be an object");
  }

  void allow_only(std::initializer_list<const char*> keys) {
    for (const auto& [key, value] : object_.items()) {
      bool known = false;
      for (const char* allowed : keys) known = known || key == allowed;
      if (!known) fail(key, fmt::format("is not a known key; known here: {}", fmt::join(keys, ", ")));
    }
  }

  // Numbers may be written as decimal numbers or as strings in hex ("0x0a11").
  uint32_t number(const char* key, uint32_t min, uint32_t max, std::optional<uint32_t> fallback = std::nullopt) {
    const json* value = find(key, fallback.has_value());
    if (!value) return fallback.value_or(min);
    const std::optional<uint64_t> got = as_number(*value);
    if (got && *got >= min && *got <= max) return static_cast<uint32_t>(*got);
    const bool hex = max > 0xFFFF || value->is_string();
    fail(key, hex ? fmt::format("must be a number from {:#x} to {:#x}, it is {}", min, max, value->dump())
                  : fmt::format("must be a number from {} to {}, it is {}", min, max, value->dump()));
    return min;
  }

  bool boolean(const char* key, bool fallback) {
    const json* value = find(key, true);
    if (!value) return fallback;
    if (!value->is_boolean()) fail(key, fmt::format("must be true or false, it is {}", value->dump()));
    return value->is_boolean() && value->get<bool>();
  }

  std::string text(const char* key, std::optional<std::string> fallback = std::nullopt) {
    const json* value = find(key, fallback.has_value());
    if (!value) return fallback.value_or("");
    if (value->is_string()) return value->get<std::string>();
    fail(key, fmt::format("must be a string, it is {}", value->dump()));
    return "";
  }

  // Index of the value in `words`.
  size_t choice(const char* key, std::initializer_list<const char*> words,
                std::optional<size_t> fallback = std::nullopt) {
    const json* value = find(key, fallback.has_value());
    if (!value) return fallback.value_or(0);
    size_t index = 0;
    for (const char* word : words) {
      if (value->is_string() && value->get<std::string>() == word) return index;
      ++index;
    }
    fail(key, fmt::format("must be one of {}, it is {}", fmt::join(words, ", "), value->dump()));
    return 0;
  }

  // Index of the number in `values`.
  size_t choice_number(const char* key, std::initializer_list<uint32_t> values) {
    const json* value = find(key, false);
    if (!value) return 0;
    size_t index = 0;
    for (const uint32_t allowed : values) {
      if (as_number(*value) == allowed) return index;
      ++index;
    }
    fail(key, fmt::format("must be one of {}, it is {}", fmt::join(values, ", "), value->dump()));
    return 0;
  }

  std::vector<std::string> texts(const char* key) {
    std::vector<std::string> out;
    const json* value = find(key, true);
    if (!value) return out;
    const bool ok =
        value->is_array() && std::all_of(value->begin(), value->end(), [](const json& v) { return v.is_string(); });
    if (!ok) fail(key, fmt::format("must be a list of strings, it is {}", value->dump()));
    if (ok) value->get_to(out);
    return out;
  }

  // The object at `key`; an empty one if it is not there and may be missing.
  Reader object(const char* key, bool optional) {
    static const json kEmpty = json::object();
    const json* value = find(key, optional);
    return Reader(value ? *value : kEmpty, path_ + key + ".", error_);
  }

  const json* find(const char* key, bool optional) {
    const auto it = object_.is_object() ? object_.find(key) : object_.end();
    if (object_.is_object() && it != object_.end()) return &*it;
    if (!optional) fail(key, "is missing");
    return nullptr;
  }

  void fail(std::string_view key, const std::string& what) {
    if (!error_.empty()) return;
    std::string name = path_ + std::string(key);
    if (name.ends_with('.')) name.pop_back();
    error_ = name.empty() ? fmt::format("the file {}", what) : fmt::format("key \"{}\" {}", name, what);
  }

 private:
  static std::optional<uint64_t> as_number(const json& value) {
    if (value.is_number_unsigned()) return value.get<uint64_t>();
    if (!value.is_string()) return std::nullopt;
    const std::string text = value.get<std::string>();
    if (text.size() < 3 || text.size() > 18 || !text.starts_with("0x")) return std::nullopt;
    if (text.find_first_not_of("0123456789abcdefABCDEF", 2) != std::string::npos) return std::nullopt;
    return std::stoull(text, nullptr, 16);
  }

  const json& object_;
  const std::string path_;
  std::string& error_;
};

constexpr struct {
  const char* name;
  uint32_t bit;
} kFeatures[] = {
    {"kg_ds", ctpr_ls::kKgDs},     {"blob", ctpr_ls::kBlob},        {"wifi", ctpr_ls::kWifi},
    {"wimax", ctpr_ls::kWimax},    {"srtp", ctpr_ls::kSrtp},        {"ipsec", ctpr_ls::kIpsec},
    {"ike", ctpr_ls::kIke},        {"ssl_tls", ctpr_ls::kSslTls},   {"tls_prf", ctpr_ls::kTlsPrf},
    {"macsec", ctpr_ls::kMacsec},  {"rsa", ctpr_ls::kRsa},          {"p3g_lte", ctpr_ls::kP3gLte},
    {"dbl_crc", ctpr_ls::kDblCrc}, {"man_prot", ctpr_ls::kManProt}, {"dkp", ctpr_ls::kDkp},
};

void read_features(Reader& root, Platform& p) {
  for (const std::string& wanted : root.texts("features")) {
    uint32_t bit = 0;
    std::string known;
    for (const auto& feature : kFeatures) {
      if (wanted == feature.name) bit = feature.bit;
      known += fmt::format("{}{}", known.empty() ? "" : ", ", feature.name);
    }
    if (!bit) root.fail("features", fmt::format("has an unknown entry \"{}\"; known: {}", wanted, known));
    p.feature_bits |= bit;
  }
}

void read_chas(Reader& root, Platform& p) {
  const json* chas = root.find("chas", false);
  if (!chas) return;
  if (!chas->is_object()) return root.fail("chas", "must be an object");
  for (const auto& [key, value] : chas->items()) {
    unsigned unit = 0;
    std::string known;
    while (unit < kChaUnits && key != cha_unit_name(static_cast<ChaUnit>(unit))) ++unit;
    if (unit == kChaUnits) {
      for (unsigned i = 0; i < kChaUnits; ++i) known += fmt::format(" {}", cha_unit_name(static_cast<ChaUnit>(i)));
      return root.fail("chas." + key, fmt::format("is no unit; there are:{}", known));
    }
    Reader cha = root.object("chas", false).object(key.c_str(), false);
    cha.allow_only({"count", "version", "revision", "misc"});
    p.chas[unit] = {.count = static_cast<uint8_t>(cha.number("count", 0, 255)),
                    .version = static_cast<uint8_t>(cha.number("version", 0, 255, 0)),
                    .revision = static_cast<uint8_t>(cha.number("revision", 0, 255, 0)),
                    .misc = static_cast<uint8_t>(cha.number("misc", 0, 255, 0))};
  }
}

void read_memory_side(Reader& root, Platform& p) {
  p.target.endian = root.choice("endian", {"big", "little"}) == 0 ? desc::Endian::kBig : desc::Endian::kLittle;
  p.target.imx = root.boolean("imx_pointer_order", false);
  p.target.ptr_bytes = static_cast<uint8_t>(4 * (1 + root.choice_number("pointer_bytes", {4, 8})));
  p.pointer_size_selectable = root.boolean("pointer_size_selectable", p.target.ptr_bytes == 8);
  p.address_bits = root.number("address_bits", 32, 64, p.target.ptr_bytes == 8 ? 40 : 32);
  p.page_bytes = root.choice_number("page_bytes", {4096, 65536}) ? 65536 : 4096;
  p.queue_interface = static_cast<QueueInterface>(root.choice("queue_interface", {"none", "dpaa1", "dpaa2"}, 0));
  const bool dpaa2 = p.queue_interface == QueueInterface::kDpaa2;
  p.sg_format = static_cast<SgFormat>(root.choice("sg_format", {"sec4", "dpaa2"}, dpaa2 ? 1 : 0));
}

void read_identity(Reader& root, Platform& p) {
  Reader virt = root.object("virtualization", true);
  virt.allow_only({"included", "on_at_reset"});
  p.virt_included = virt.boolean("included", false);
  p.virt_at_reset = virt.boolean("on_at_reset", false);
  Reader secvid = root.object("secvid", false);
  secvid.allow_only({"ip_id", "major", "minor"});
  p.ip_id = static_cast<uint16_t>(secvid.number("ip_id", 0, 0xFFFF));
  p.major_rev = static_cast<uint8_t>(secvid.number("major", 0, 255));
  p.minor_rev = static_cast<uint8_t>(secvid.number("minor", 0, 255, 0));
  Reader rng = root.object("rng", true);
  rng.allow_only({"min_entropy_delay", "rdsta_at_reset"});
  p.rng_min_entropy_delay = rng.number("min_entropy_delay", 0, 0xFFFF, 0);
  p.rdsta_at_reset = rng.number("rdsta_at_reset", 0, 0xFFFFFFFF, 0);
}

// What no single key can get wrong.
void check_whole(Reader& root, const Platform& p) {
  if (p.target.imx && p.target.endian == desc::Endian::kBig) {
    root.fail("imx_pointer_order", "applies to little-endian parts only (big-endian ones have that order anyway)");
  }
  if (p.target.ptr_bytes == 8 && p.address_bits == 32) {
    root.fail("address_bits", "must be above 32 with 8-byte pointers");
  }
  if (p.first_job_ring >= p.job_rings) {
    root.fail("first_job_ring", fmt::format("must be below job_rings, {}", p.job_rings));
  }
  if (const int era = era_from_secvid(p.ip_id, p.major_rev); p.era < 6 && era != p.era) {
    root.fail("secvid",
              fmt::format("{:#06x} major {} reads as {}, the file says era {}; before era 6 software takes the "
                          "era from secvid",
                          p.ip_id, p.major_rev, era ? fmt::format("era {}", era) : "no known era", p.era));
  }
}

Platform read_platform(Reader& root) {
  root.allow_only({"name",
                   "title",
                   "aliases",
                   "era",
                   "endian",
                   "imx_pointer_order",
                   "pointer_bytes",
                   "pointer_size_selectable",
                   "address_bits",
                   "page_bytes",
                   "job_rings",
                   "first_job_ring",
                   "decos",
                   "chas",
                   "queue_interface",
                   "sg_format",
                   "virtualization",
                   "version_registers",
                   "direct_deco_needs_source",
                   "mcfgr_at_reset",
                   "secvid",
                   "features",
                   "rng",
                   "timing",
                   "assumed",
                   "sources"});
  Platform p;
  p.name = root.text("name");
  p.title = root.text("title", p.name);
  p.aliases = root.texts("aliases");
  p.era = static_cast<int>(root.number("era", 1, 10));
  read_memory_side(root, p);
  p.job_rings = root.number("job_rings", 1, kMaxJobRings);
  p.first_job_ring = root.number("first_job_ring", 0, kMaxJobRings - 1, 0);
  p.decos = root.number("decos", 1, kMaxDecos);
  read_chas(root, p);
  read_identity(root, p);
  p.version_registers = root.boolean("version_registers", p.era >= 10);
  p.direct_deco_needs_source = root.boolean("direct_deco_needs_source", false);
  p.mcfgr_at_reset = root.number("mcfgr_at_reset", 0, 0xFFFFFFFF, 0);
  read_features(root, p);
  if (const json* timing = root.find("timing", true)) {
    if (!timing->is_object()) root.fail("timing", "must be an object");
    p.timing_json = timing->dump();
  }
  p.assumed = root.texts("assumed");
  p.sources = root.texts("sources");
  check_whole(root, p);
  return p;
}

}  // namespace

desc::Result<Platform> parse_platform(std::string_view json_text, std::string_view origin) {
  json document;
  try {
    document = json::parse(json_text);
  } catch (const json::parse_error& failure) {
    return desc::fail(desc::ErrorCode::kMalformed, fmt::format("{}: not JSON: {}", origin, failure.what()));
  }
  std::string error;
  Reader root(document, "", error);
  Platform platform = read_platform(root);
  if (!error.empty()) return desc::fail(desc::ErrorCode::kMalformed, fmt::format("{}: {}", origin, error));
  return platform;
}

desc::Result<Platform> load_platform_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return desc::fail(desc::ErrorCode::kNotFound, fmt::format("{}: cannot be opened for reading", path));
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (in.bad()) return desc::fail(desc::ErrorCode::kNotFound, fmt::format("{}: cannot be read", path));
  return parse_platform(text, path);
}

}  // namespace caamlab::hw_model
