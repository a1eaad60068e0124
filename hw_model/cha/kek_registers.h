// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// JDKEKR, TDKEKR, TDSKR and SKNR: the key-encryption keys of a device, which live as long as the power (hardware.md
// 2.3, 8.1). The DECOs wrap and unwrap with them, software sees them on page 0.
// Left out: in which security states real parts let software read or write them.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace caamlab::hw_model {

// Of a device; shared by its DECOs. Byte 0 of a key is the most significant byte of its register's first word.
struct KekRegisters {
  static constexpr size_t kBytes = 32;
  static constexpr uint64_t kNonceEnd = uint64_t{1} << 47;  // SKNR has 47 bits
  std::array<uint8_t, kBytes> jdkek{}, tdkek{}, tdsk{};
  // Made by the RNG, or (assumed) written by software.
  std::atomic<bool> loaded = false;
  // A device that calls keys black and leaves them as they are, like the one behind the recorded kernel jobs
  // (hardware.md 2.3): as long as the key, no nonce, no MAC.
  bool transparent = false;
  std::atomic<uint64_t> nonce = 0;  // SKNR: of the next CCM wrapping
};

}  // namespace caamlab::hw_model
