// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The reader. The files are those of Debian's python3-cryptography-vectors, read where that package puts them.
#include "tests/driver/software/vectors.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace caamlab::tests {
namespace {

const char kRoot[] = "/usr/lib/python3/dist-packages/cryptography_vectors/";

std::string trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Where a name ends and its value begins; npos for a bare word.
size_t separator(const std::string& line) { return line.find_first_of("=:"); }

std::ifstream open(const std::string& name) {
  std::ifstream in(kRoot + name, std::ios::binary);
  if (!in) throw std::runtime_error("no vectors: " + (kRoot + name) + " (package python3-cryptography-vectors)");
  return in;
}

}  // namespace

std::vector<uint8_t> VectorBlock::bytes(const std::string& name) const {
  const auto found = values.find(name);
  if (found == values.end()) throw std::runtime_error(where() + ": no " + name);
  const std::string& value = found->second;
  if (value.size() >= 2 && value.front() == '"' && value.back() == '"') return {value.begin() + 1, value.end() - 1};
  std::vector<uint8_t> out;
  for (size_t i = 0; i + 1 < value.size(); i += 2) {
    const int high = hex_digit(value[i]);
    const int low = hex_digit(value[i + 1]);
    if (high < 0 || low < 0) throw std::runtime_error(where() + ": " + name + " is not hex");
    out.push_back(static_cast<uint8_t>(high << 4 | low));
  }
  if (value.size() % 2 != 0) throw std::runtime_error(where() + ": " + name + " has half a byte");
  return out;
}

size_t VectorBlock::number(const std::string& name) const {
  const auto found = values.find(name);
  if (found == values.end()) throw std::runtime_error(where() + ": no " + name);
  return std::stoul(found->second);
}

std::vector<VectorBlock> read_vectors(const std::string& name) {
  std::ifstream in = open(name);
  std::vector<VectorBlock> blocks;
  std::map<std::string, std::string> parameters;
  std::string section;
  std::string line;
  bool open_block = false;
  for (int number = 1; std::getline(in, line); ++number) {
    line = trimmed(line);
    if (line.empty()) open_block = false;
    if (line.empty() || line[0] == '#') continue;
    if (line.front() == '[') {
      const std::string inner = trimmed(line.substr(1, line.find(']') - 1));
      const size_t at = separator(inner);
      if (at == std::string::npos) section = upper(inner);
      if (at != std::string::npos) parameters[upper(trimmed(inner.substr(0, at)))] = trimmed(inner.substr(at + 1));
      open_block = false;
      continue;
    }
    const size_t at = separator(line);
    const std::string key = upper(trimmed(line.substr(0, at)));
    if (!open_block || (blocks.back().has(key) && parameters.count(key) == 0)) {
      blocks.emplace_back();
      blocks.back().line = number;
      blocks.back().section = section;
      blocks.back().file = name;
      blocks.back().values = parameters;
      open_block = true;
    }
    blocks.back().values[key] = at == std::string::npos ? "" : trimmed(line.substr(at + 1));
  }
  if (blocks.empty()) throw std::runtime_error(name + ": no vectors in it");
  return blocks;
}

std::vector<uint8_t> read_vector_file(const std::string& name) {
  std::ifstream in = open(name);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace caamlab::tests
