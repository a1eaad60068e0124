// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See profile.h. Reading of the files: profile_parse.cc.
#include "timing/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "timing/profile_data.h"

namespace caamlab::timing {
namespace {

std::string_view stem(std::string_view file) { return file.substr(0, file.rfind('.')); }

desc::Result<Profile> pick(ProfileFile file, const std::string& where, const std::string& wanted) {
  if (file.profiles.size() == 1 && wanted.empty()) return std::move(file.profiles[0]);
  std::string names;
  for (Profile& p : file.profiles) {
    if (p.name == wanted) return std::move(p);
    names += (names.empty() ? "" : ", ") + p.name;
  }
  return desc::fail(desc::ErrorCode::kNotFound,
                    wanted.empty()
                        ? fmt::format("{} holds several profiles; write {}#NAME with one of {}", where, where, names)
                        : fmt::format("{} has no profile \"{}\"; there are: {}", where, wanted, names));
}

}  // namespace

bool Profile::is_engine_driver(std::string_view driver) const {
  return std::ranges::any_of(driver_suffixes, [&](const std::string& s) { return driver.ends_with(s); }) ||
         std::ranges::find(driver_names, driver) != driver_names.end();
}

const CoreDriver* Profile::core_driver(std::string_view driver, unsigned key_bits) const {
  if (const auto it = software.find(std::string(driver)); it != software.end()) return &it->second;
  // Several key sizes of one driver are rows of their own; without a wish the first is taken.
  for (const auto& [name, row] : software)
    if (name.starts_with(fmt::format("{}-", driver)) &&
        (key_bits == 0 ? name.find_first_not_of("0123456789", driver.size() + 1) == std::string::npos
                       : name == fmt::format("{}-{}", driver, key_bits)))
      return &row;
  return nullptr;
}

double Profile::rate_for(std::string_view driver, unsigned key_bits) const {
  // Rows are written as "aes-128-cbc", drivers as "cbc-aes-caam".
  for (const auto& [row, rate] : algorithm_rates) {
    const size_t first = row.find('-'), last = row.rfind('-');
    if (first == last) continue;
    const std::string cipher = row.substr(0, first), bits = row.substr(first + 1, last - first - 1);
    const std::string mode = row.substr(last + 1);
    if (driver.starts_with(mode + "-" + cipher) && (key_bits == 0 || std::to_string(key_bits) == bits)) return rate;
  }
  return params.rate;
}

std::string Profile::driver_list() const {
  std::vector<std::string> names;
  for (const std::string& s : driver_suffixes) names.push_back("*" + s);
  names.insert(names.end(), driver_names.begin(), driver_names.end());
  for (const auto& [driver, row] : software) names.push_back(driver);
  return fmt::format("{}", fmt::join(names, ", "));
}

desc::Result<ProfileFile> load_profiles(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in.is_open() || in.bad())
    return desc::fail(desc::ErrorCode::kNotFound, fmt::format("the file {} cannot be read", path));
  return parse_profiles(text, path);
}

std::vector<std::string> profile_names() {
  std::vector<std::string> names;
  for (size_t i = 0; i < kProfileTextCount; ++i) names.emplace_back(stem(kProfileTexts[i].name));
  std::ranges::sort(names);
  return names;
}

desc::Result<Profile> resolve_profile(const std::string& name_or_path) {
  const size_t hash = name_or_path.find('#');
  const std::string path = name_or_path.substr(0, hash);
  if (path.find('/') != std::string::npos || path.ends_with(".json")) {
    auto file = load_profiles(path);
    if (!file) return tl::unexpected<desc::Error>(file.error());
    return pick(std::move(*file), path, hash == std::string::npos ? "" : name_or_path.substr(hash + 1));
  }
  for (size_t i = 0; i < kProfileTextCount; ++i) {
    if (stem(kProfileTexts[i].name) != name_or_path) continue;
    auto file = parse_profiles(kProfileTexts[i].text, std::string(kProfileTexts[i].name));
    if (!file) return tl::unexpected<desc::Error>(file.error());
    return pick(std::move(*file), name_or_path, "");
  }
  return desc::fail(desc::ErrorCode::kNotFound,
                    fmt::format("no timing profile \"{}\"; there are: {}; or give a .json file", name_or_path,
                                fmt::join(profile_names(), ", ")));
}

}  // namespace caamlab::timing
