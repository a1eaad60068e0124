// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Timing profiles: one small set of numbers per platform, each with where it comes from (docs/timing.md 1.1). Data
// files in timing/profiles, compiled in; a user's own file has the same form.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "desc/result.h"

namespace caamlab::timing {

// Microseconds, bytes per microsecond. The keys of "params" in a profile file are these names with _us or _mbps.
struct Params {
  unsigned n_deco = 1;
  double t_fix = 0;              // of a job in a DECO
  double rate = 0;               // of one DECO
  double cap = 0;                // of the whole engine; 0: none known
  double t_key = 0;              // more when never loads the key again
  double t_share = 0;            // wait: when the next job of the shared descriptor may start
  double c_sub = 0, c_cmp = 0;   // CPU time to submit, to complete
  double c_irq = 0, c_wake = 0;  // CPU time of an interrupt, of a wake-up
  double l_irq = 0, l_wake = 0;  // delays
  double coalesce = 0;           // interrupt timer
  unsigned napi_budget = 64;     // completions before threads get a turn
  bool operator==(const Params&) const = default;
};

struct Provenance {
  std::string word;  // fact, fitted, derived, convention, assumed, scaled
  std::string text;
};

// A driver that computes on the core: a call takes a + size / rate, all of it CPU time.
struct CoreDriver {
  double a = 0, rate = 0;
  int priority = 0;  // 0: not known
  Provenance provenance;
};

// A published figure, or a value an implementation has to meet.
struct Figure {
  std::string name, profile;
  std::string driver;  // empty: the engine's
  std::string load, share, completion, keys;
  unsigned depth = 1, submit_cpus = 1;
  uint64_t size = 0;
  // What is known of it, absent if nothing.
  std::optional<double> mbps, cores, irq_per_req, latency_us, engine_busy;
  double tolerance = 0;  // relative
};

struct Profile {
  std::string name, title, confidence, cpu;
  std::string device;  // platform of hw_model that runs its jobs; empty: the one of the same name
  unsigned cpus = 1;
  double cpu_mhz = 0;  // 0: not known; for results in cycles
  std::optional<int> era;
  bool coherent = true;
  Params params;
  std::map<std::string, Provenance> provenance;   // by parameter, in the spelling of the file
  std::map<std::string, double> algorithm_rates;  // "aes-128-cbc": MB/s of a DECO where it is not params.rate
  std::map<std::string, CoreDriver> software;     // by driver name, perhaps with the key size in bits at the end
  // Drivers of the engine: ends of names ("-caam-qi2") and whole names ("qat_aes_xts").
  std::vector<std::string> driver_suffixes, driver_names;
  std::string default_driver;
  std::vector<std::string> readings;  // other profiles that read the same figures differently
  std::vector<Figure> published;

  bool is_engine_driver(std::string_view driver) const;
  const CoreDriver* core_driver(std::string_view driver, unsigned key_bits) const;  // null: none
  // Rate of one DECO for an algorithm by driver name; `key_bits` 0: not said.
  double rate_for(std::string_view driver, unsigned key_bits) const;
  // All names of drivers it has figures for, for messages.
  std::string driver_list() const;
};

// A file: one profile ({"params": ...}) or many ({"profiles": {...}}), with figures if it has some.
struct ProfileFile {
  std::vector<Profile> profiles;
  std::vector<Figure> validation, reference;
};
[[nodiscard]] desc::Result<ProfileFile> parse_profiles(std::string_view text, const std::string& where);
[[nodiscard]] desc::Result<ProfileFile> load_profiles(const std::string& path);
// The same form again, for a profile made by a program.
std::string to_json_text(const Profile& profile);

std::vector<std::string> profile_names();
// By name, or FILE.json, or FILE.json#NAME for one of many.
[[nodiscard]] desc::Result<Profile> resolve_profile(const std::string& name_or_path);

}  // namespace caamlab::timing
