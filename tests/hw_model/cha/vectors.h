// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Reads the published vectors of Debian's python3-cryptography-vectors (NIST CAVP .rsp files and RFC vectors in the
// same form): lines `name = value`, blocks in [brackets] that hold for what follows, # comments.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace caamlab::tests {

using Bytes = std::vector<uint8_t>;

struct Vector {
  std::string where;                         // "file:line", for messages
  std::map<std::string, std::string> value;  // names in lower case; a bracket without '=' is "section"

  bool has(const std::string& name) const { return value.count(name) != 0; }
  // Each of these fails the process with the place if `name` is missing or is not of that form.
  const std::string& text(const std::string& name) const;
  Bytes hex(const std::string& name) const;
  uint64_t number(const std::string& name) const;
  // A hexadecimal number, also of an odd number of digits.
  Bytes big_number(const std::string& name) const;
};

// `file`: path below the package's folder. `first`: the name (lower case) whose line opens a vector; names before it
// hold for all that follows. Fails the process when the file is missing or has no vector.
std::vector<Vector> read_vectors(const std::string& file, const std::string& first);

Bytes from_hex(std::string_view hex);
std::string to_hex(const uint8_t* data, size_t len);
inline std::string to_hex(const Bytes& bytes) { return to_hex(bytes.data(), bytes.size()); }

}  // namespace caamlab::tests
