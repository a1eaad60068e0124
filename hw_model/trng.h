// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Control registers of the true random number generator behind RNG4 (RTMCTL .. RTENT, hardware.md 8.1). Program mode
// exposes the limits, run mode the statistics of the last entropy; leaving program mode starts a new generation.
// Reset values are those of the stand-alone TRNG of the Kinetis / i.MX RT family, which is the same block.
// Left out: real statistics. Entropy is a sequence fixed by a seed, so runs repeat; counters show what ideal entropy
// would.
#pragma once

#include <array>
#include <cstdint>

#include "hw_model/reg_bank.h"

namespace caamlab::hw_model {

class Trng {
 public:
  // Adds its rows to page 0.
  explicit Trng(RegBank& page0);

  // Which of the possible entropy sequences this device has: 0 unless set, kept by reset().
  void set_seed(uint64_t seed) { seed_ = seed; }

  void reset();
  bool program_mode() const;       // RTMCTL.PRGM: no entropy is made
  uint32_t entropy_delay() const;  // RTSDCTL.ENT_DLY, clocks per sample
  // Run mode, and the last generation passed the frequency test (RTFRQMIN, RTFRQMAX against ENT_DLY).
  bool healthy() const;
  // Fresh entropy for the DRBG (instantiate, reseed): the next 48 bytes of the sequence.
  std::array<uint8_t, 48> next_entropy();

 private:
  uint32_t read_mctl(uint32_t) const;
  void write_mctl(uint32_t, uint32_t value);
  uint32_t read_limit(uint32_t offset) const;
  void write_limit(uint32_t offset, uint32_t value);
  uint32_t read_entropy(uint32_t offset);
  void generate();
  uint32_t frequency_count() const;

  RegBank& bank_;
  std::array<uint32_t, 16> entropy_{};
  uint64_t generation_ = 0;
  uint64_t seed_ = 0;
  bool valid_ = false;   // entropy is there
  bool failed_ = false;  // the frequency test failed
};

}  // namespace caamlab::hw_model
