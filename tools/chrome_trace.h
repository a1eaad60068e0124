// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Spans of a simulation as a file for Chrome's tracing page and Perfetto: a track for each CPU, DECO and the bus, and
// the requests in flight.
#pragma once

#include <nlohmann/json.hpp>

#include "timing/spans.h"

namespace caamlab::tools {

class ChromeTrace final : public timing::SpanSink {
 public:
  static constexpr size_t kMaxSpans = 100'000;  // later ones are left out

  void span(timing::Track track, unsigned index, const char* what, uint64_t job, timing::Time from,
            timing::Time to) override;
  // {"traceEvents": [...], ...}, times in microseconds.
  nlohmann::json json() const;
  size_t spans() const { return events_.size(); }

 private:
  struct Event {
    timing::Track track;
    unsigned index;
    const char* what;
    uint64_t job;
    timing::Time from, to;
  };
  std::vector<Event> events_;
};

}  // namespace caamlab::tools
