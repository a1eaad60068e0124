// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Who did what from when to when, for pictures. Nothing is recorded when nobody listens.
#pragma once

#include "timing/units.h"

namespace caamlab::timing {

enum class Track : uint8_t { kCpu, kQueue, kDeco, kBus };

class SpanSink {
 public:
  virtual ~SpanSink() = default;
  // `index`: which CPU, queue, DECO. `what`: a literal. `job`: number of the request, counted from 0.
  virtual void span(Track track, unsigned index, const char* what, uint64_t job, Time from, Time to) = 0;
};

}  // namespace caamlab::timing
