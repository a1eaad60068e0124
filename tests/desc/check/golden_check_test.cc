// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// What works has no findings: none of the kernel's descriptors (every constructor over all its parameters), none of the
// recorded jobs. A finding that is right all the same goes into kAccepted, with its reason.
#include <gtest/gtest.h>

#include "tests/desc/check/golden_entries.h"

namespace caamlab::desc {
namespace {

struct Accepted {
  std::string_view constructor;
  Rule rule;
  std::string_view reason;
};
// Nothing so far: of warnings, too, all have been looked at, and each was the check's own mistake.
constexpr std::span<const Accepted> kAccepted{};

bool accepted(const Sample& s, const Finding& f) {
  for (const Accepted& a : kAccepted)
    if (a.constructor == s.constructor && a.rule == f.rule && f.severity != Severity::kError) return true;
  return false;
}

void expect_clean(const Sample& s) {
  for (const Finding& f : check(s.input(), s.options()))
    if (!accepted(s, f)) ADD_FAILURE() << s.constructor << " " << s.name << ": " << text_of(f);
}

TEST(Check, NothingIsFoundInTheKernelsDescriptors) { EXPECT_EQ(for_each_golden(expect_clean), 5068u); }
TEST(Check, NothingIsFoundInRecordedJobs) { EXPECT_GE(for_each_recorded(expect_clean), 2000u); }

// With share never there is no second run, and nothing changes.
TEST(Check, ShareNever) {
  for_each_golden([](Sample s) {
    if (s.shared.empty()) return;
    s.shared[0] &= ~0x300u;
    expect_clean(s);
  });
}

}  // namespace
}  // namespace caamlab::desc
