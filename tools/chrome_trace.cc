// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See chrome_trace.h.
#include "tools/chrome_trace.h"

#include <fmt/format.h>

#include <array>
#include <set>

namespace caamlab::tools {
namespace {

using timing::Track;

struct TrackKind {
  const char* process;
  const char* thread;
};
constexpr std::array<TrackKind, 4> kTracks{
    {{"CPUs", "CPU"}, {"requests", "stream"}, {"DECOs", "DECO"}, {"bus", "bus"}}};

}  // namespace

void ChromeTrace::span(Track track, unsigned index, const char* what, uint64_t job, timing::Time from,
                       timing::Time to) {
  if (events_.size() < kMaxSpans) events_.push_back({track, index, what, job, from, to});
}

nlohmann::json ChromeTrace::json() const {
  nlohmann::json events = nlohmann::json::array();
  std::set<std::pair<unsigned, unsigned>> named;
  uint64_t async_id = 0;
  for (const Event& e : events_) {
    const auto pid = static_cast<unsigned>(e.track) + 1;
    const TrackKind& kind = kTracks[static_cast<size_t>(e.track)];
    if (named.emplace(pid, e.index).second) {
      events.push_back({{"ph", "M"}, {"name", "process_name"}, {"pid", pid}, {"args", {{"name", kind.process}}}});
      events.push_back({{"ph", "M"},
                        {"name", "thread_name"},
                        {"pid", pid},
                        {"tid", e.index},
                        {"args", {{"name", fmt::format("{} {}", kind.thread, e.index)}}}});
    }
    nlohmann::json event = {{"name", e.what}, {"pid", pid}, {"tid", e.index}, {"ts", timing::to_us(e.from)}};
    if (e.track != Track::kCpu) event["args"] = {{"job", e.job}};
    if (e.track != Track::kQueue) {
      event["ph"] = "X";
      event["dur"] = timing::to_us(e.to - e.from);
      events.push_back(std::move(event));
      continue;
    }
    // Requests of a stream overlap: begin and end, tied by an id.
    event["cat"] = "request";
    event["id"] = async_id++;
    event["ph"] = "b";
    events.push_back(event);
    event["ph"] = "e";
    event["ts"] = timing::to_us(e.to);
    events.push_back(std::move(event));
  }
  return {{"displayTimeUnit", "ns"}, {"traceEvents", std::move(events)}};
}

}  // namespace caamlab::tools
