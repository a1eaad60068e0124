// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See paths.h. SHRD is false in the first run; where a descriptor may be shared it is true in a second one, which finds
// in the key registers what the paths of the first left there.
#include "desc/check/paths.h"

#include <fmt/format.h>

#include "desc/check/algorithms.h"
#include "desc/check/step.h"

namespace caamlab::desc {
namespace {

constexpr size_t kMaxStates = 20000;
constexpr uint64_t kInitialNames = 1000;

bool can_be_shared(const Program& program) {
  return program.shared_header() && program.shared_header()->share != ShareMode::kNever;
}

}  // namespace

State Paths::initial(bool shrd) const {
  State s;
  s.pc = program_.entry();
  s.shrd = shrd;
  if (!program_.incomplete()) return s;
  // Half of a pair, or a piece: what ran before is not known. A job runs first where there is REO, and alone.
  const bool job_is_first = program_.has_job() && !program_.fragment() &&
                            (program_.runs_job_first() || (program_.job_header() && !program_.job_header()->shr));
  if (job_is_first) return s;
  s.job_ran = true;
  s.in_defined = s.out_defined = true;
  s.output_known = false;
  s.flags = Value::unknown(kInitialNames + 100);
  for (ClassFact& c : s.cls) c.from_job = true;
  for (unsigned i = 0; i < kRegCount; ++i) s.r[i] = Value::unknown(kInitialNames + i);
  // Variable lengths are set by whoever uses them; MATH0 to MATH3 carry what the job hands over.
  if (!program_.fragment()) s.r[kVsil] = s.r[kVsol] = Value{};
  if (program_.fragment()) {
    for (ClassFact& c : s.cls) {
      c.key.there = Known::kMaybe;
      c.context = true;
    }
  }
  return s;
}

void Paths::push(State state) {
  if (seen_.size() >= kMaxStates) {
    report_.add(Rule::kTooManyPaths, program_.entry(), fmt::format("{} states were looked at", kMaxStates));
    return;
  }
  if (seen_.insert(state).second) todo_.push_back(std::move(state));
}

void Paths::run(const State& first, bool shrd) {
  seen_.clear();
  push(first);
  while (!todo_.empty()) {
    const State state = todo_.back();
    todo_.pop_back();
    if (state.pc >= program_.size()) continue;
    Step step(*this, state);
    step.run();
  }
  if (shrd || !can_be_shared(program_) || !ended_) return;
  State second = initial(true);
  for (unsigned c = 0; c < 2; ++c) {
    second.cls[c].key = keys_at_end_[c];
    second.cls[c].key.this_run = false;
    second.cls[c].context = second.cls[c].context || program_.shared_header()->savectx;
  }
  run(second, true);
}

void Paths::end(const State& s, unsigned index, bool complete) {
  for (unsigned c = 0; c < 2; ++c) {
    const KeyFact& key = s.cls[c].key;
    if (!ended_ || key.there > keys_at_end_[c].there) keys_at_end_[c] = key;
  }
  ended_ = true;
  if (!complete) return;
  const bool half = program_.incomplete();
  for (unsigned c = 0; c < 2; ++c) {
    const ClassFact& f = s.cls[c];
    if (f.in_flight && !f.last && !(f.from_job && !f.fed))
      report_.add(
          Rule::kMissingLast, f.op_index,
          f.fed ? fmt::format("class {} has data, but none of it is marked LAST{}, when the job ends at {}", c + 1,
                              c + 1, program_.index_in_part(index))
                : fmt::format("class {} gets no data before the job ends at {}", c + 1, program_.index_in_part(index)),
          !f.fed);
    if (f.queued && !half && !f.moved)
      report_.add(Rule::kDataWithoutOperation, f.queued_index, fmt::format("class {} runs no operation for it", c + 1));
  }
  if (s.output_known && s.wanted > s.produced)
    report_.add(Rule::kOutputShort, index,
                fmt::format("{} bytes are stored, the CHAs put out {}", s.wanted, s.produced));
  const Value& left = s.r[kSil];
  if (s.in_defined && left.known && left.v != 0)
    report_.add(Rule::kInputLeft, index, fmt::format("{} bytes of the input sequence are left", left.v));
}

void check_paths(const Program& program, const CheckOptions& options, Report& report) {
  Paths paths(program, options, report);
  paths.run(paths.initial(false), false);
}

}  // namespace caamlab::desc
