// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// AES-XCBC-MAC, RFC 3566 section 4.6: the key is 00 01 .. 0f, the message 00 01 02 ..., except for the last, which is
// 1000 zeros.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace caamlab::tests {

inline constexpr const char* kRfc3566Key = "000102030405060708090a0b0c0d0e0f";

struct Rfc3566Case {
  size_t len;
  bool zeros;
  const char* mac;

  std::vector<uint8_t> message() const {
    std::vector<uint8_t> out(len);
    for (size_t i = 0; i < len && !zeros; ++i) out[i] = static_cast<uint8_t>(i);
    return out;
  }
};
inline constexpr Rfc3566Case kRfc3566Cases[] = {
    {0, false, "75f0251d528ac01c4573dfd584d79f29"},   {3, false, "5b376580ae2f19afe7219ceef172756f"},
    {16, false, "d2a246fa349b68a79998a4394ff7a263"},  {20, false, "47f51b4564966215b8985c63055ed308"},
    {32, false, "f54f0ec8d2b9f3d36807734bd5283fd4"},  {34, false, "becbb3bccdb518a30677d5481fb6b4d8"},
    {1000, true, "f0dafee895db30253761103b5d84528f"},
};

}  // namespace caamlab::tests
