// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// JSON of timing profiles and figures to structs and back (profile.h).
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "timing/profile.h"

namespace caamlab::timing {
namespace {

using nlohmann::json;

struct ParamRow {
  const char* key;
  double Params::*member;
  bool positive;  // may not be 0
};
constexpr ParamRow kParamRows[] = {
    {"t_fix_us", &Params::t_fix, false},     {"rate_mbps", &Params::rate, true},
    {"cap_mbps", &Params::cap, false},       {"t_key_us", &Params::t_key, false},
    {"t_share_us", &Params::t_share, false}, {"c_sub_us", &Params::c_sub, false},
    {"c_cmp_us", &Params::c_cmp, false},     {"c_irq_us", &Params::c_irq, false},
    {"c_wake_us", &Params::c_wake, false},   {"l_irq_us", &Params::l_irq, false},
    {"l_wake_us", &Params::l_wake, false},   {"coalesce_us", &Params::coalesce, false},
};
constexpr double kMaxValue = 1e9;
constexpr unsigned kMaxServers = 4096;

// Reads members of one object; the first mistake is kept, with its place.
class Reader {
 public:
  Reader(const json& object, std::string where, std::string& error)
      : object_(object), where_(std::move(where)), error_(error) {
    if (!object.is_object()) fail("", "must be an object");
  }
  void fail(const std::string& key, const std::string& what) {
    if (error_.empty()) error_ = fmt::format("{}{}{}: {}", where_, key.empty() ? "" : ".", key, what);
  }
  const json* find(const char* key) const {
    if (!object_.is_object()) return nullptr;
    const auto it = object_.find(key);
    return it == object_.end() || it->is_null() ? nullptr : &*it;
  }
  void text(const char* key, std::string& out) {
    const json* v = find(key);
    if (v == nullptr) return;
    if (!v->is_string()) return fail(key, "must be a text");
    out = v->get<std::string>();
  }
  // True if it is there.
  bool number(const char* key, double& out, double min = 0) {
    const json* v = find(key);
    if (v == nullptr) return false;
    const double value = v->is_number() ? v->get<double>() : -1;
    if (!v->is_number() || !(value >= min && value <= kMaxValue)) {
      fail(key, fmt::format("must be a number from {} to {:.0e}", min, kMaxValue));
      return false;
    }
    out = value;
    return true;
  }
  template <class Int>
  bool integer(const char* key, Int& out, double min, double max) {
    double value = 0;
    const json* v = find(key);
    if (v == nullptr) return false;
    if (!v->is_number_integer() || (value = v->get<double>()) < min || value > max) {
      fail(key, fmt::format("must be a whole number from {} to {}", min, max));
      return false;
    }
    out = static_cast<Int>(value);
    return true;
  }
  void texts(const char* key, std::vector<std::string>& out) {
    const json* v = find(key);
    if (v == nullptr) return;
    if (!v->is_array()) return fail(key, "must be a list of texts");
    for (const json& item : *v) {
      if (!item.is_string()) return fail(key, "must be a list of texts");
      out.push_back(item.get<std::string>());
    }
  }
  const std::string& where() const { return where_; }
  std::string& error() { return error_; }

 private:
  const json& object_;
  std::string where_;
  std::string& error_;
};

Provenance provenance_of(const json& v) {
  if (!v.is_array() || v.size() != 2 || !v[0].is_string() || !v[1].is_string()) return {};
  return {v[0].get<std::string>(), v[1].get<std::string>()};
}

void read_params(Reader& r, Params& p) {
  for (const ParamRow& row : kParamRows) {
    const bool there = r.number(row.key, p.*row.member);
    if (row.positive && (!there || p.*row.member == 0)) r.fail(row.key, "is needed, and above 0");
  }
  if (!r.integer("n_deco", p.n_deco, 1, kMaxServers)) r.fail("n_deco", "is needed");
  r.integer("napi_budget", p.napi_budget, 1, 1e6);
}

void read_software(Reader& r, Profile& p) {
  const json* software = r.find("software");
  if (software == nullptr) return;
  if (!software->is_object()) return r.fail("software", "must be an object of drivers");
  for (const auto& [driver, row] : software->items()) {
    Reader s(row, r.where() + ".software." + driver, r.error());
    CoreDriver core;
    if (!s.number("a_us", core.a)) s.fail("a_us", "is needed");
    if (!s.number("rate_mbps", core.rate) || core.rate == 0) s.fail("rate_mbps", "is needed, and above 0");
    s.integer("priority", core.priority, 0, 1e6);
    if (const json* v = s.find("provenance")) core.provenance = provenance_of(*v);
    p.software.emplace(driver, core);
  }
}

void read_figures(const json& list, const std::string& where, std::string& error, std::vector<Figure>& out,
                  const std::string& profile) {
  if (!list.is_array()) {
    if (error.empty()) error = where + ": must be a list";
    return;
  }
  for (size_t i = 0; i < list.size(); ++i) {
    Reader r(list[i], fmt::format("{}[{}]", where, i), error);
    Figure f;
    f.profile = profile;
    r.text("name", f.name);
    r.text("profile", f.profile);
    r.text("driver", f.driver);
    r.text("load", f.load);
    r.text("share", f.share);
    r.text("completion", f.completion);
    r.text("keys", f.keys);
    r.integer("depth", f.depth, 1, 1e5);
    r.integer("submit_cpus", f.submit_cpus, 1, 4096);
    if (!r.integer("size", f.size, 1, 1e9)) r.fail("size", "is needed");
    r.number("tolerance", f.tolerance);
    const auto value = [&](const char* key, std::optional<double>& to) {
      double v = 0;
      if (r.number(key, v)) to = v;
    };
    value("mbps", f.mbps);
    value("cores", f.cores);
    value("irq_per_req", f.irq_per_req);
    value("latency_us", f.latency_us);
    std::string metric;
    r.text("metric", metric);
    if (!metric.empty()) {
      std::optional<double>* to = metric == "mbps"          ? &f.mbps
                                  : metric == "cores"       ? &f.cores
                                  : metric == "engine_busy" ? &f.engine_busy
                                                            : nullptr;
      if (to == nullptr) r.fail("metric", fmt::format("\"{}\" is not one of mbps, cores, engine_busy", metric));
      if (to != nullptr) value("published", *to);
    }
    out.push_back(std::move(f));
  }
}

Profile read_profile(const json& root, const std::string& name, const std::string& where, std::string& error) {
  Profile p;
  p.name = name;
  Reader r(root, where, error);
  r.text("name", p.name);
  r.text("title", p.title);
  r.text("confidence", p.confidence);
  r.text("cpu", p.cpu);
  r.text("device", p.device);
  r.text("default_driver", p.default_driver);
  r.integer("cpus", p.cpus, 1, 4096);
  r.number("cpu_mhz", p.cpu_mhz);
  int era = 0;
  if (r.integer("era", era, 1, 100)) p.era = era;
  if (const json* v = r.find("coherent")) p.coherent = v->is_boolean() ? v->get<bool>() : true;
  r.texts("driver_suffixes", p.driver_suffixes);
  r.texts("driver_names", p.driver_names);
  r.texts("readings", p.readings);
  if (const json* params = r.find("params")) {
    Reader q(*params, where + ".params", error);
    read_params(q, p.params);
  } else {
    r.fail("params", "is needed");
  }
  if (const json* rows = r.find("provenance"); rows != nullptr && rows->is_object())
    for (const auto& [key, v] : rows->items()) p.provenance[key] = provenance_of(v);
  if (const json* rates = r.find("algorithm_rates"); rates != nullptr && rates->is_object())
    for (const auto& [key, v] : rates->items()) {
      if (!v.is_number() || !(v.get<double>() > 0))
        r.fail("algorithm_rates." + key, "must be a number above 0");
      else
        p.algorithm_rates[key] = v.get<double>();
    }
  read_software(r, p);
  if (const json* rows = r.find("published")) read_figures(*rows, where + ".published", error, p.published, p.name);
  // A profile that names no drivers is of a CAAM, under any of its drivers.
  if (p.driver_suffixes.empty() && p.driver_names.empty()) {
    const bool qat = p.name.starts_with("qat");
    if (qat)
      p.driver_names = {"qat_aes_xts", "qat_aes_cbc", "qat_aes_ctr"};
    else
      p.driver_suffixes = {"-caam", "-caam-qi", "-caam-qi2"};
  }
  if (p.default_driver.empty())
    p.default_driver = !p.driver_names.empty() ? p.driver_names[0] : "gcm-aes" + p.driver_suffixes[0];
  return p;
}

json figure_json(const Figure& f) {
  json out = {{"name", f.name}, {"size", f.size},   {"depth", f.depth},        {"submit_cpus", f.submit_cpus},
              {"load", f.load}, {"share", f.share}, {"tolerance", f.tolerance}};
  if (!f.driver.empty()) out["driver"] = f.driver;
  if (!f.completion.empty()) out["completion"] = f.completion;
  if (f.mbps) out["mbps"] = *f.mbps;
  if (f.cores) out["cores"] = *f.cores;
  return out;
}

}  // namespace

desc::Result<ProfileFile> parse_profiles(std::string_view text, const std::string& where) {
  const json root = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (root.is_discarded()) return desc::fail(desc::ErrorCode::kMalformed, where + ": not JSON");
  ProfileFile file;
  std::string error;
  if (root.is_object() && root.contains("profiles") && root["profiles"].is_object()) {
    for (const auto& [name, profile] : root["profiles"].items())
      file.profiles.push_back(read_profile(profile, name, where + ": " + name, error));
  } else if (!root.is_object() || root.contains("params") ||
             !(root.contains("validation") || root.contains("reference"))) {
    const size_t slash = where.rfind('/');
    std::string name = where.substr(slash == std::string::npos ? 0 : slash + 1);
    if (name.ends_with(".json")) name.resize(name.size() - 5);
    file.profiles.push_back(read_profile(root, name, where, error));
  }
  if (root.is_object()) {
    if (root.contains("validation"))
      read_figures(root["validation"], where + ": validation", error, file.validation, "");
    if (root.contains("reference")) read_figures(root["reference"], where + ": reference", error, file.reference, "");
  }
  if (!error.empty()) return desc::fail(desc::ErrorCode::kMalformed, error);
  return file;
}

std::string to_json_text(const Profile& p) {
  json out = {{"name", p.name}, {"title", p.title}, {"confidence", p.confidence}, {"cpus", p.cpus}, {"cpu", p.cpu}};
  if (!p.device.empty()) out["device"] = p.device;
  if (p.cpu_mhz > 0) out["cpu_mhz"] = p.cpu_mhz;
  if (p.era) out["era"] = *p.era;
  out["coherent"] = p.coherent;
  json& params = out["params"];
  for (const ParamRow& row : kParamRows) params[row.key] = p.params.*row.member;
  params["n_deco"] = p.params.n_deco;
  params["napi_budget"] = p.params.napi_budget;
  for (const auto& [key, v] : p.provenance) out["provenance"][key] = {v.word, v.text};
  for (const auto& [key, v] : p.algorithm_rates) out["algorithm_rates"][key] = v;
  for (const auto& [driver, v] : p.software) {
    json& row = out["software"][driver] = {{"a_us", v.a}, {"rate_mbps", v.rate}};
    if (v.priority != 0) row["priority"] = v.priority;
    if (!v.provenance.word.empty()) row["provenance"] = {v.provenance.word, v.provenance.text};
  }
  if (!p.driver_suffixes.empty()) out["driver_suffixes"] = p.driver_suffixes;
  if (!p.driver_names.empty()) out["driver_names"] = p.driver_names;
  out["default_driver"] = p.default_driver;
  if (!p.readings.empty()) out["readings"] = p.readings;
  for (const Figure& f : p.published) out["published"].push_back(figure_json(f));
  return out.dump(2) + "\n";
}

}  // namespace caamlab::timing
