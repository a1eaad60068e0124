// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Right results by the software drivers, which know neither descriptors nor the device: one call, bytes to bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "desc/result.h"
#include "tools/lab.h"

namespace caamlab::tools {

using Bytes = std::vector<uint8_t>;

struct AeadText {
  std::string name;  // of the crypto API
  Bytes key{}, iv{}, aad{}, text{};
  unsigned authsize = 16;  // bytes
};
struct CipherText {
  std::string name;
  Bytes key{}, iv{}, text{};
  bool encrypt = true;
};
struct CipherResult {
  Bytes text{}, iv{};  // iv: for the next request
};

// Errors: no software of that name, or the errno of the step that failed.
class Witness {
 public:
  static desc::Result<Witness> make();

  desc::Result<Bytes> seal(const AeadText& t);  // text and tag
  desc::Result<CipherResult> cipher(const CipherText& t);
  desc::Result<Bytes> digest(const std::string& name, const Bytes& key, const Bytes& message);

 private:
  explicit Witness(std::unique_ptr<Lab> lab) : lab_(std::move(lab)) {}
  std::unique_ptr<Lab> lab_;
};

}  // namespace caamlab::tools
