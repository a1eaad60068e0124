// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What one DECO keeps of the units that are not CHAs with a data stream: its PKHA, its black-key wrapping, and the RNG
// operation that waits for a length. The units of the device are attached from outside; without them a job that needs
// one ends as on a part that has none.
#pragma once

#include <optional>

#include "hw_model/cha/device_units.h"
#include "hw_model/cha/pkha.h"
#include "hw_model/protocol/rsa.h"

namespace caamlab::hw_model {

struct UnitState {
  DeviceUnits* device = nullptr;
  std::optional<BlackKeys> black;
  Pkha pkha;
  RsaPower rsa;
  bool pkha_used = false;
  bool rng_selected = false;  // class 1 is at RNG generate

  void attach(DeviceUnits& units) {
    device = &units;
    black.emplace(units.keks);
  }
  void reset_job() {
    rng_selected = false;
    if (pkha_used) pkha.reset();
    pkha_used = false;
  }
};

}  // namespace caamlab::hw_model
