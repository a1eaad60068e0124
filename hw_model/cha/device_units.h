// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What the DECOs of a device share besides memory: the RNG, the keys it makes, the master key of blobs.
#pragma once

#include <functional>

#include "hw_model/cha/rng.h"
#include "hw_model/platform.h"

namespace caamlab::hw_model {

using MasterKey = std::array<uint8_t, 32>;
// Stands in for the fuses of a device.
inline constexpr MasterKey kModelMasterKey = {'c', 'a', 'a', 'm', 'l', 'a', 'b'};

struct DeviceUnits {
  // All arguments must outlive this.
  DeviceUnits(const Platform& platform, EntropySource& source) : platform(platform), rng(source, keks) {
    rng.reset(platform.rdsta_at_reset);
    // RNG4 makes the keys when software asks for them; nothing asks an RNG-B.
    if (platform.has(ChaUnit::kRng) && platform.cha(ChaUnit::kRng).version < kRng4) rng.load_keys();
  }
  const Platform& platform;
  KekRegisters keks;
  Rng rng;
  MasterKey master_key = kModelMasterKey;
  // Whether the secure world owns job ring n; empty: of none.
  std::function<bool(unsigned ring)> secure_ring;
};

}  // namespace caamlab::hw_model
