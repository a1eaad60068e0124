// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See vectors.h.
#include "tests/hw_model/cha/vectors.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace caamlab::tests {
namespace {

constexpr char kFolder[] = "/usr/lib/python3/dist-packages/cryptography_vectors/";

[[noreturn]] void die(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::exit(1);
}

std::string trim(std::string_view s) {
  const char* blank = " \t\r";
  const size_t from = s.find_first_not_of(blank);
  if (from == std::string_view::npos) return {};
  return std::string(s.substr(from, s.find_last_not_of(blank) - from + 1));
}

std::string lower(std::string s) {
  std::transform(s.begin(), s.end(), s.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return s;
}

using Values = std::map<std::string, std::string>;

void set(Values& values, std::string_view text) {
  const size_t eq = text.find('=');
  values[lower(trim(text.substr(0, eq)))] = eq == std::string_view::npos ? "" : trim(text.substr(eq + 1));
}

// "[Alen = 0, Plen = 0]", "[ENCRYPT]" or "[mod = L=1024, N=160, SHA-1]".
void set_section(Values& values, std::string_view inside) {
  if (inside.find('=') == std::string_view::npos) {
    values["section"] = lower(trim(inside));
    return;
  }
  while (!inside.empty()) {
    const size_t comma = std::min(inside.find(','), inside.size());
    const std::string_view part = inside.substr(0, comma);
    if (part.find('=') == std::string_view::npos)
      values["section"] = lower(trim(part));
    else
      set(values, part);
    inside.remove_prefix(std::min(comma + 1, inside.size()));
  }
}

}  // namespace

Bytes from_hex(std::string_view hex) {
  if (hex.size() % 2 != 0) die("odd number of hex digits: " + std::string(hex));
  Bytes out;
  for (size_t i = 0; i < hex.size(); i += 2) {
    if (!std::isxdigit(static_cast<unsigned char>(hex[i])) || !std::isxdigit(static_cast<unsigned char>(hex[i + 1])))
      die("not hex: " + std::string(hex));
    out.push_back(static_cast<uint8_t>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  }
  return out;
}

std::string to_hex(const uint8_t* data, size_t len) {
  std::string s;
  char two[3];
  for (size_t i = 0; i < len; ++i) {
    std::snprintf(two, sizeof(two), "%02x", data[i]);
    s += two;
  }
  return s;
}

const std::string& Vector::text(const std::string& name) const {
  const auto it = value.find(name);
  if (it == value.end()) die(where + ": no '" + name + "'");
  return it->second;
}
Bytes Vector::hex(const std::string& name) const { return from_hex(text(name)); }
Bytes Vector::big_number(const std::string& name) const {
  const std::string& s = text(name);
  return from_hex(s.size() % 2 == 0 ? s : "0" + s);
}
uint64_t Vector::number(const std::string& name) const {
  const std::string& s = text(name);
  if (s.empty() || s.find_first_not_of("0123456789") != std::string::npos)
    die(where + ": '" + name + "' is not a number: " + s);
  return std::stoull(s);
}

std::vector<Vector> read_vectors(const std::string& file, const std::string& first) {
  const std::string path = kFolder + file;
  std::ifstream in(path);
  if (!in) die(path + ": missing; Debian package python3-cryptography-vectors has it");
  std::vector<Vector> out;
  Values common;
  bool open = false;  // the last vector still takes lines
  std::string raw;
  for (int line = 1; std::getline(in, raw); ++line) {
    const std::string s = trim(raw);
    if (s.empty() || s[0] == '#') continue;
    if (s[0] == '[' && s.back() == ']') {
      set_section(common, std::string_view(s).substr(1, s.size() - 2));
      open = false;
      continue;
    }
    const std::string name = lower(trim(s.substr(0, s.find('='))));
    if (name == first) {
      out.push_back({file + ":" + std::to_string(line), common});
      open = true;
    } else if (open && out.back().has(name) && out.back().value[name] != "" && common.count(name) != 0) {
      open = false;  // a name that holds for several vectors is given anew
    }
    set(open ? out.back().value : common, s);
  }
  if (out.empty()) die(path + ": no line begins with '" + first + "'");
  return out;
}

}  // namespace caamlab::tests
