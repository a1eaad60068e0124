// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Rules on headers and lengths: what the DECO looks at before the first command (hardware.md 2.2).
#include <fmt/format.h>

#include "desc/check/report.h"

namespace caamlab::desc {
namespace {

void check_reserved(uint32_t word, bool well, uint32_t reserved, unsigned at, Report& report) {
  if ((word & reserved) != 0)
    report.add(Rule::kReservedBits, at, fmt::format("reserved bits {:08x} are set in the header", word & reserved));
  else if (!well)
    report.add(Rule::kUndefinedValue, at, "its share mode is not defined", /*doubt=*/true);
}

void check_given(size_t given, unsigned says, unsigned at, Report& report) {
  if (says == 0 || says > kMaxDescWords)
    report.add(Rule::kLength, at, fmt::format("a descriptor has 1 to {} words, not {}", kMaxDescWords, says));
  else if (says != given)  // more are only in the way of the reader
    report.add(Rule::kLength, at, fmt::format("the header says {} words, there are {}", says, given), given > says);
}

void check_shared(const ProgramInput& input, const Program& program, Report& report) {
  const auto& header = program.shared_header();
  if (!header) return report.add(Rule::kHeader, 0, fmt::format("{:08x} is no shared header", input.shared[0]));
  const SharedHeader& h = *header;
  if (!h.one || h.zro) report.add(Rule::kHeader, 0, "bit 23 has to be 1 and bit 15 to be 0");
  if (h.start >= h.len && h.len != 0)
    report.add(Rule::kHeader, 0, fmt::format("the start index {} is not inside the {} words", h.start, h.len));
  if (h.dnr) report.add(Rule::kDoNotRun, 0, "DNR is set");
  check_given(input.shared.size(), h.len, 0, report);
  check_reserved(input.shared[0], well_formed<SharedHeader>(input.shared[0]), reserved_bits<SharedHeader>(), 0, report);
}

void check_job(const ProgramInput& input, const Program& program, Report& report) {
  const unsigned at = program.shared_words();
  const auto& header = program.job_header();
  if (!header) return report.add(Rule::kHeader, at, fmt::format("{:08x} is no job header", input.job[0]));
  const JobHeader& h = *header;
  if (!h.one || h.zro) report.add(Rule::kHeader, at, "bit 23 has to be 1 and bit 15 to be 0");
  if (h.td && h.reo) report.add(Rule::kHeader, at, "a trusted descriptor cannot run in reverse order");
  if (h.dnr_ext) report.add(Rule::kDoNotRun, at, "DNR is set (from era 5 on: an extension word follows)");
  check_given(input.job.size(), h.len, at, report);
  check_reserved(input.job[0], well_formed<JobHeader>(input.job[0]), reserved_bits<JobHeader>(), at, report);
  if (!h.shr) {
    if (h.start >= h.len && h.start != 0)
      report.add(Rule::kHeader, at, fmt::format("the start index {} is not inside the {} words", h.start, h.len));
    if (h.share == ShareMode::kDefer)
      report.add(Rule::kHeader, at, "share=defer asks the shared descriptor, and there is none", true);
    return;
  }
  if (h.start == 0) report.add(Rule::kSharedLength, at, "SHR is set and the length of the shared descriptor is 0");
  if (h.len < 1 + program.target().ptr_words())
    report.add(Rule::kHeader, at, "there is no room for the pointer to the shared descriptor");
  if (h.start + h.len > kMaxDescWords)
    report.add(Rule::kLength, at,
               fmt::format("{} words of the shared descriptor and {} of the job are more than {}", h.start, h.len,
                           kMaxDescWords));
  if (program.shared_header() && program.shared_header()->len != h.start)
    report.add(Rule::kSharedLength, at,
               fmt::format("the job says {} words, the shared descriptor {}", h.start, program.shared_header()->len));
}

}  // namespace

void check_headers(const ProgramInput& input, const Program& program, Report& report) {
  if (input.fragment) return;
  if (!input.shared.empty()) check_shared(input, program, report);
  if (!input.job.empty()) check_job(input, program, report);
}

}  // namespace caamlab::desc
