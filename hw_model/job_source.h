// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Where jobs come from and where their results go (hardware.md 1.1): a job ring, the queue interface, direct DECO
// access. The scheduler (JQC) pulls; it never looks behind this interface.
#pragma once

#include <cstdint>

#include "hw_model/bus.h"

namespace caamlab::hw_model {

// Ids as JQCR.SRC and FADR.JSRC give them, and as MATH source JOBSRC reads them.
enum class SourceId : uint8_t { kJr0 = 0, kJr1, kJr2, kJr3, kRtic = 4, kQi = 5 };

class JobSource {
 public:
  virtual ~JobSource() = default;
  virtual SourceId id() const = 0;
  // True if a job can be taken now: one is queued, the source is not halted, and its result will have room.
  virtual bool has_job() const = 0;
  // Takes the next job: bus address of its job descriptor. Only after has_job() said yes.
  virtual BusAddr take() = 0;
  // Reports a taken job, in any order. `status`: the status word of hardware.md 6.1. `out_bytes`: bytes written to
  // the output sequence.
  virtual void complete(BusAddr desc, uint32_t status, uint32_t out_bytes) = 0;
};

}  // namespace caamlab::hw_model
