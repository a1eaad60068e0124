// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The speed tests of the kernel's tcrypt module: modes, sizes and the text it prints (crypto/tcrypt.c, 6.1;
// tests/golden/algorithms.json). Who measures is the caller's business.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace caamlab::tools {

enum class TcryptKind : uint8_t { kSkcipher, kAead, kHash };

// One heading of a mode.
struct TcryptTest {
  unsigned mode;
  TcryptKind kind;
  bool multi_buffer;      // num_mb requests at once
  bool synchronous_only;  // mask ASYNC: accelerators are not considered
  std::string_view algorithm;
  std::vector<unsigned> key_bytes;  // empty: hashes
  bool decrypts;                    // both directions
  unsigned aad_bytes;
};
// Headings of a mode, in tcrypt's order; 300 and 400 take the algorithm from `alg`. Empty: no such mode.
std::vector<TcryptTest> tcrypt_tests(unsigned mode, const std::string& alg = "");
// Modes that test an algorithm, for messages and for naming a mode by it.
std::vector<unsigned> tcrypt_modes_of(std::string_view algorithm);
// Block sizes in bytes; of hashes (total, per update).
std::span<const unsigned> tcrypt_sizes(TcryptKind kind);
struct HashSize {
  unsigned bytes, per_update;
};
std::span<const HashSize> tcrypt_hash_sizes();

// A line of a test: what is measured.
struct TcryptCase {
  const TcryptTest* test;
  std::string driver;
  bool encrypt;
  unsigned key_bytes, bytes, per_update;
  unsigned in_flight;  // 1, or num_mb
};
struct TcryptRate {
  double operations_per_s = 0;
  double cycles_per_operation = 0;
  int err = 0;  // of the operation
};
struct TcryptOptions {
  unsigned sec = 0;  // 0: cycles
  unsigned num_mb = 8;
  std::vector<unsigned> sizes;      // instead of tcrypt's; empty: tcrypt's
  std::vector<unsigned> key_bytes;  // likewise
};
struct TcryptBackend {
  // Driver that a lookup gives, "" when there is none.
  std::function<std::string(const TcryptTest&)> driver;
  std::function<TcryptRate(const TcryptCase&)> measure;
  std::function<unsigned(const std::string& driver)> block_size;
  std::function<void(const std::string&)> print;
};
// Runs the headings as tcrypt does. Returns the number of lines measured.
unsigned run_tcrypt(const std::vector<TcryptTest>& tests, const TcryptOptions& options, const TcryptBackend& backend);

}  // namespace caamlab::tools
