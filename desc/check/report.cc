// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See report.h.
#include "desc/check/report.h"

#include <algorithm>

namespace caamlab::desc {

void Report::add(Rule rule, unsigned buffer_index, std::string message, bool doubt) {
  const auto known = std::ranges::find_if(
      findings_, [&](const Finding& f) { return f.rule == rule && f.buffer_index == buffer_index; });
  Severity severity = rule_row(rule).severity;
  if (doubt && severity != Severity::kNote) severity = static_cast<Severity>(static_cast<int>(severity) - 1);
  if (known != findings_.end()) {
    if (severity > known->severity) {  // another path knows it for sure
      known->severity = severity;
      known->message = std::move(message);
    }
    return;
  }
  findings_.push_back({.rule = rule,
                       .severity = severity,
                       .part = program_.part(buffer_index),
                       .index = program_.index_in_part(buffer_index),
                       .buffer_index = buffer_index,
                       .message = std::move(message)});
}

std::vector<Finding> Report::take() {
  std::ranges::stable_sort(findings_, {}, &Finding::buffer_index);
  return std::move(findings_);
}

}  // namespace caamlab::desc
