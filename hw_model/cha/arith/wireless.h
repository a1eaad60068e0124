// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The 3GPP algorithms of SNOW 3G and ZUC, whole messages only; there where the build and the CPU have a library for
// them.
#pragma once

#include <cstdint>
#include <memory>

#include "desc/bits.h"

namespace caamlab::hw_model {

class Wireless {
 public:
  static constexpr size_t kKeyBytes = 16, kIvBytes = 16, kMacBytes = 4;
  virtual ~Wireless() = default;
  // UEA2 / 128-EEA1 and 128-EEA3; in place or apart.
  virtual void snow_f8(desc::ByteSpan key, const uint8_t* iv, uint8_t* out, desc::ByteSpan in) = 0;
  virtual void zuc_eea3(desc::ByteSpan key, const uint8_t* iv, uint8_t* out, desc::ByteSpan in) = 0;
  // UIA2 / 128-EIA1 and 128-EIA3 over the first `bits` bits.
  virtual void snow_f9(desc::ByteSpan key, const uint8_t* iv, const uint8_t* data, uint64_t bits, uint8_t* mac) = 0;
  virtual void zuc_eia3(desc::ByteSpan key, const uint8_t* iv, const uint8_t* data, uint64_t bits, uint8_t* mac) = 0;
};

// Null: no library.
std::unique_ptr<Wireless> make_wireless();

}  // namespace caamlab::hw_model
