// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// tcrypt's loops and texts; see tcrypt.h. The table of modes: tcrypt_modes.cc.
#include "tools/tcrypt.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace caamlab::tools {
namespace {

class Runner {
 public:
  Runner(const TcryptOptions& options, const TcryptBackend& backend) : options_(options), backend_(backend) {}

  void heading(const TcryptTest& test) {
    const std::string driver = backend_.driver(test);
    if (driver.empty()) return backend_.print(fmt::format("failed to load transform for {}: -2\n", test.algorithm));
    if (test.kind == TcryptKind::kHash) return hash(test, driver);
    cipher(test, driver, true);
    if (test.decrypts) cipher(test, driver, false);
  }
  unsigned lines() const { return lines_; }

 private:
  void cipher(const TcryptTest& test, const std::string& driver, bool encrypt) {
    const std::string_view how = test.multi_buffer                    ? "multibuffer "
                                 : test.kind == TcryptKind::kSkcipher ? (test.synchronous_only ? "sync " : "async ")
                                                                      : "";
    backend_.print(fmt::format("\ntesting speed of {}{} ({}) {}\n", how, test.algorithm, driver,
                               encrypt ? "encryption" : "decryption"));
    const unsigned block = std::max(1u, backend_.block_size(driver));
    const auto sizes = options_.sizes.empty() ? tcrypt_sizes(test.kind) : std::span<const unsigned>(options_.sizes);
    unsigned number = 0;
    for (const unsigned key : options_.key_bytes.empty() ? test.key_bytes : options_.key_bytes)
      for (const unsigned size : sizes) {
        const unsigned bytes = (size + block - 1) / block * block;
        backend_.print(fmt::format("test {} ({} bit key, {} byte blocks): ", number++, key * 8, bytes));
        const unsigned in_flight = test.multi_buffer ? options_.num_mb : 1;
        const TcryptRate rate = backend_.measure({&test, driver, encrypt, key, bytes, bytes, in_flight});
        ++lines_;
        if (rate.err != 0) {
          backend_.print(test.kind == TcryptKind::kAead ? fmt::format("encryption() failed return code={}\n", rate.err)
                                                        : fmt::format("encryption() failed flags={:x}\n", 0));
          return;
        }
        backend_.print(line(rate, bytes));
      }
  }
  std::string line(const TcryptRate& rate, unsigned bytes) const {
    if (options_.sec == 0)
      return fmt::format("1 operation in {} cycles ({} bytes)\n", std::llround(rate.cycles_per_operation), bytes);
    const auto operations = static_cast<uint64_t>(rate.operations_per_s * options_.sec);
    return fmt::format("{} operations in {} seconds ({} bytes)\n", operations, options_.sec, operations * bytes);
  }

  void hash(const TcryptTest& test, const std::string& driver) {
    backend_.print(fmt::format("\ntesting speed of async {} ({})\n", test.algorithm, driver));
    unsigned number = 0;
    for (const HashSize& size : tcrypt_hash_sizes()) {
      if (!options_.sizes.empty() && std::ranges::find(options_.sizes, size.bytes) == options_.sizes.end()) continue;
      backend_.print(fmt::format("test{:3} ({:5} byte blocks,{:5} bytes per update,{:4} updates): ", number++,
                                 size.bytes, size.per_update, size.bytes / size.per_update));
      const TcryptRate rate = backend_.measure({&test, driver, true, 0, size.bytes, size.per_update, 1});
      ++lines_;
      if (rate.err != 0) return backend_.print(fmt::format("hashing failed ret={}\n", rate.err));
      if (options_.sec == 0)
        backend_.print(fmt::format("{:6} cycles/operation, {:4} cycles/byte\n", std::llround(rate.cycles_per_operation),
                                   std::llround(rate.cycles_per_operation) / size.bytes));
      else
        backend_.print(fmt::format("{:6} opers/sec, {:9} bytes/sec\n", static_cast<uint64_t>(rate.operations_per_s),
                                   static_cast<uint64_t>(rate.operations_per_s * size.bytes)));
    }
  }

  const TcryptOptions& options_;
  const TcryptBackend& backend_;
  unsigned lines_ = 0;
};

}  // namespace

unsigned run_tcrypt(const std::vector<TcryptTest>& tests, const TcryptOptions& options, const TcryptBackend& backend) {
  Runner runner(options, backend);
  for (const TcryptTest& test : tests) runner.heading(test);
  return runner.lines();
}

}  // namespace caamlab::tools
