// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Reads published vectors in the forms that NIST CAVP, the RFC files and BoringSSL use: blocks of `NAME = hex` (or
// "text"), `[section]` and `[parameter = value]` lines, bare words such as FAIL. Names are kept in upper case.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace caamlab::tests {

class VectorBlock {
 public:
  int line = 0;
  std::string section;  // last [WORD], such as ENCRYPT
  std::string where() const { return file + ":" + std::to_string(line); }

  bool has(const std::string& name) const { return values.count(name) != 0; }
  // Hex or quoted text as bytes. Throws std::runtime_error that says where when the name is missing or is neither.
  std::vector<uint8_t> bytes(const std::string& name) const;
  size_t number(const std::string& name) const;

  std::string file;
  std::map<std::string, std::string> values;  // of the block, and of the [parameters] in force
};

// `name`: a path below the installed vectors, such as "ciphers/AES/GCM/gcmDecrypt128.rsp". Throws when there is no such
// file or no block in it: a test without vectors must not pass.
std::vector<VectorBlock> read_vectors(const std::string& name);
std::vector<uint8_t> read_vector_file(const std::string& name);  // a whole binary file

}  // namespace caamlab::tests
