// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The hardware random number source "rng-caam" (kernel drivers/crypto/caam/caamrng.c and the hwrng framework's view of
// it, 6.1): every 16 bytes are from a freshly reseeded generator. Not a crypto algorithm.
#pragma once

#include <memory>
#include <span>

#include "driver/caam/jr.h"

namespace caamlab::driver::caam {

class CaamRng {
 public:
  static constexpr const char* kName = "rng-caam";
  static constexpr unsigned kQuality = 1024;  // per mill of entropy, as the kernel counts: all of it

  // Null when there is no RNG or it is not up.
  static std::unique_ptr<CaamRng> make(CtrlPriv& ctrl);
  ~CaamRng();
  CaamRng(const CaamRng&) = delete;
  CaamRng& operator=(const CaamRng&) = delete;

  // Fills all of `out`, waiting for as many jobs as that takes. 0; -EINVAL when a job failed (then `out` holds no more
  // than what earlier jobs gave), else as caam_jr_run(), -ENOMEM.
  int read(std::span<uint8_t> out);
  const Jr& jr() const { return jr_; }

 private:
  explicit CaamRng(Jr& jr) : jr_(jr) {}
  int read_one(uint8_t* block);
  Jr& jr_;
};

}  // namespace caamlab::driver::caam
